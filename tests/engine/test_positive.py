"""Ideals whose terms cannot cancel: the rule `positive`, and what it must refuse."""

import random
from fractions import Fraction

import pytest

import rlct
from rlct.algebra.positivity.comparable import equivalent_monomials
from rlct.certificate.germs import reductions
from rlct.certificate.statement import Statement
from rlct.errors import CertificateError

NAMES = ["x", "y", "z"]


def factors(rows, inner, columns, letters="abcdefghijklmnopqrstuvwxyz"):
    """Entries of a product of two matrices of variables."""
    left = [[letters[i * inner + k] for k in range(inner)] for i in range(rows)]
    start = rows * inner
    right = [[letters[start + k * columns + j] for j in range(columns)] for k in range(inner)]
    entries = [
        "+".join(f"{left[i][k]}*{right[k][j]}" for k in range(inner))
        for i in range(rows)
        for j in range(columns)
    ]
    return entries, list(letters[: start + inner * columns])


@pytest.mark.parametrize(("sizes", "pair"), [((2, 4, 2), (4, 5)), ((3, 3, 3), ("9/2", 4))])
def test_products_on_an_orthant_have_a_whole_certificate_at_once(sizes, pair):
    # λ = H·min(M, N)/2 and θ = H + 1 at 0; 55 s of blow-ups before the rule existed.
    generators, names = factors(*sizes)
    result = rlct.ideal(generators, nonneg=names, timeout=10)
    assert result.pair == rlct.Pair.of(*pair)
    assert result.certificate["claim"]["status"] == "exact"
    assert result.certificate["proof"]["rule"] == "positive"
    assert rlct.verify(result.certificate)
    assert not result.notes


@pytest.mark.parametrize(
    ("generators", "options"),
    [
        (["x**2+x*y+y**2"], {}),  # x*y changes its sign
        (["x**2-y**2"], {}),
        (["x+y"], {"nonneg": ["x"]}),
        (["x*y+z**2"], {"nonneg": ["x"]}),
        (["x**2+y**2", "z**2-x*z"], {}),  # x^2 and y^2 divide neither term
    ],
)
def test_terms_that_may_cancel(generators, options):
    result = rlct.ideal(generators, **options)
    assert "positive" not in result.method
    question = result.certificate["question"]
    statement = Statement(
        tuple({tuple(m): Fraction(c) for c, m in g} for g in question["generators"]),
        tuple(Fraction(0) for _ in question["variables"]),
        True,
    )
    if not options:
        with pytest.raises(CertificateError, match="may cancel"):
            reductions.positive(statement, {}, lambda child: pytest.fail("a false child"))


def drawn(seed):
    """Ideals most of which have terms of one sign, with values of the two routes."""
    rng = random.Random(seed)
    generators = []
    for _ in range(rng.randint(1, 3)):
        shift = [rng.randint(0, 1) for _ in NAMES]
        even = rng.random() < 0.8
        terms = {}
        for _ in range(rng.randint(1, 4)):
            m = tuple(s + (2 * rng.randint(0, 2) if even else rng.randint(0, 3)) for s in shift)
            if any(m):
                terms[m] = Fraction(rng.choice([1, 2, 5]) * (1 if rng.random() < 0.8 else -1))
        if terms:
            generators.append(terms)
    return generators


def ratio(generators, monomials, point):
    def value(m):
        product = Fraction(1)
        for x, e in zip(point, m, strict=True):
            product *= x**e
        return product

    K = sum(sum(c * value(m) for m, c in g.items()) ** 2 for g in generators)
    return K / sum(value(m) ** 2 for m in monomials)


def points(seed):
    rng = random.Random(seed)
    for _ in range(30):
        signs = [rng.choice([-1, 1]) for _ in NAMES]
        yield [s * Fraction(1, 2 ** rng.randint(3, 40)) for s in signs]


@pytest.mark.slow
def test_the_sum_of_squares_is_comparable_with_the_monomials():
    """K / Σ x^(2α) stays between constants: coefficients are at most 5, terms at most 12."""
    seen = 0
    for seed in range(300):
        generators = drawn(seed)
        found = equivalent_monomials([{m: c > 0 for m, c in g.items()} for g in generators])
        if not generators or not found or not any(len(g) > 1 for g in generators):
            continue
        seen += 1
        for point in points(seed):
            assert Fraction(1, 10_000) < ratio(generators, found, point) < 10_000, generators
    assert seen > 100
    # The same bounds notice a generator whose terms cancel.
    cancelling = [{(2, 0, 0): Fraction(1), (0, 2, 0): Fraction(-1)}]
    tiny = Fraction(1, 1024)
    assert ratio(cancelling, [(2, 0, 0), (0, 2, 0)], [tiny, tiny, tiny]) == 0


def test_the_checker_finds_the_same_monomials():
    """Written twice, without shared code; every ideal that one refuses the other refuses."""
    for seed in range(300):
        generators = drawn(seed)
        if not generators:
            continue
        found = equivalent_monomials([{m: c > 0 for m, c in g.items()} for g in generators])
        children = []

        def solve(child, children=children):
            children.append({next(iter(g)) for g in child.generators})
            return rlct.Pair.of(1), rlct.Pair.of(1)

        statement = Statement(tuple(generators), (Fraction(0),) * 3, True)
        if found is None:
            with pytest.raises(CertificateError, match="may cancel"):
                reductions.positive(statement, {}, solve)
        else:
            reductions.positive(statement, {}, solve)
            assert children == [set(found)]


def test_the_engine_without_the_rule_agrees(monkeypatch):
    """Newton polyhedra and blow-ups against the rule, θ included."""
    from rlct.engine import rules

    ideals = [
        (["x**2+y**2*z**2", "y**4+z**4"], {}),
        (["x*y*(x**2+3*z**2)", "z**5+z**3*y**2"], {}),
        (["x+y*z", "z**2+x*y"], {"nonneg": NAMES}),
        (["x*z+y*z", "x**2+y"], {"nonneg": NAMES, "prior": "z"}),
    ]
    fast = [rlct.ideal(g, **options) for g, options in ideals]
    assert all("positive" in result.method for result in fast)
    kept = tuple(rule for rule in rules.GERM_RULES if rule.name != "positive")
    monkeypatch.setattr(rules, "GERM_RULES", kept)
    for (generators, options), result in zip(ideals, fast, strict=True):
        slow = rlct.ideal(generators, **options)
        assert "positive" not in slow.routes[0].method
        assert slow.pair == result.pair is not None


def test_numbers_of_a_field_have_signs():
    plus = rlct.ideal(["x**2+z*y**2", "z**2-2"], at={"z": "sqrt(2)"})
    minus = rlct.ideal(["x**2+z*y**2", "z**2-2"], at={"z": "-sqrt(2)"})
    assert (plus.pair, minus.pair) == (
        rlct.Pair.of(1),
        rlct.Pair.of("1/2", 2) + rlct.Pair.of("1/2"),
    )
    assert rlct.verify(plus.certificate)
    assert rlct.verify(minus.certificate)


def test_exact_answers_whose_certificate_is_not_say_so(monkeypatch):
    """A theorem may settle what the engine leaves open: the answer then says what is certified."""
    from rlct.answers import routes as answering
    from rlct.engine import rules

    kept = tuple(rule for rule in rules.GERM_RULES if rule.name != "positive")
    monkeypatch.setattr(rules, "GERM_RULES", kept)
    monkeypatch.setattr(answering, "late_seconds", lambda seconds: 30.0)  # on a busy machine
    generators, names = factors(3, 3, 3)
    result = answering.solve(
        rlct.questions.problem.Problem.ideal(generators, nonneg=names), timeout=0
    )
    assert result.status == "exact"
    assert result.certificate["claim"]["status"] == "bounds"
    assert any("certificate proves only the bounds" in note for note in result.notes)
    assert not any("sharper bounds" in note for note in result.notes)
