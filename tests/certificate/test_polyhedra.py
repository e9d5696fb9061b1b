"""False proofs by several Newton polyhedra are refused, each for its own reason."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import sympy
from forging import consistent, copied, refused

from rlct.answers.document import problem_document
from rlct.certificate.torus.joint_forms import have_independent_differentials, too_many_forms
from rlct.engine.newton_polyhedra.division import divide_weights
from rlct.engine.newton_polyhedra.joint_zeros import independent_differentials, never_together
from rlct.errors import CertificateError
from rlct.pair import Pair
from rlct.questions.problem import Problem

SPARSE = ["-x**2*y + 3*x*z*w*v + 2*y*v + z*w*v", "-3*x**2*w*v + 2*y**2*z**2"]  # (3/4, 1)
VANISHING = ["3*x**2*z - x*y*z", "-x**3 - y*z**2 - 3*y*z"]  # 5/8 at a zero, 2/3 without
MIDDLE = ["x**2 + 3*x*y + y**2 + z**3", "x*z - y**2*z"]  # xy is no vertex: some cells are empty


def document(generators, prior=None):
    """The certificate of the rule alone."""
    problem = Problem.ideal(generators, None, prior)
    proof = divide_weights(problem.local).proof
    return json.loads(json.dumps(problem_document(problem, proof)))


def nodes(tree):
    yield tree
    for name in ("less", "equal", "more"):
        if name in tree:
            yield from nodes(tree[name])


def leaves(made, kind):
    return [leaf for leaf in nodes(made["proof"]["data"]["tree"]) if kind in leaf]


def test_the_bounds_are_those_of_the_engine():
    made = consistent(document(SPARSE))
    assert (made["claim"]["lambda"], made["claim"]["theta"]) == ("3/4", 1)
    made = consistent(document(VANISHING))
    assert (made["claim"]["lambda"], made["claim"]["theta"]) == ("5/8", 2)


def test_a_generator_that_may_vanish_is_no_unit():
    """Without the case of the zero the bound would be 2/3."""
    made = document(VANISHING)
    changed = 0
    for leaf in leaves(made, "cases"):
        for case in leaf["cases"]:
            changed += bool(case["zeros"])
            case["zeros"] = []
    assert changed
    refused(made, "a case is missing")


def test_dependent_differentials_are_not_coordinates():
    """(x − y)² has singular zeros: it may not be used with a coordinate of its own."""
    generators = ["(x - y)**2 + z**3", "x*z + y**3"]
    made = document(generators)
    assert made["claim"]["status"] == "bounds"
    forged = 0
    for leaf in leaves(made, "cases"):
        for case in leaf["cases"]:
            if not any(i == 0 for i, _ in case["generators"]) and not forged:
                case["generators"].append([0, "1/1000"])
                case["zeros"] = [0]
                with pytest.raises(CertificateError) as caught:
                    consistent(made)
                forged += "dependent" in str(caught.value)
                case["generators"].pop()
                case["zeros"] = []
    assert forged == 1


def test_no_cell_is_left_out():
    made = document(SPARSE)
    split = next(node for node in nodes(made["proof"]["data"]["tree"]) if "compare" in node)
    for name in ("less", "equal", "more"):
        without = copied(made)
        root = without["proof"]["data"]["tree"]
        assert root["compare"] == split["compare"]
        del root[name]
        refused(without, f"an entry is missing: '{name}'")
        root[name] = {"empty": {}}
        refused(without, "not known to be empty")
        root[name] = None
        refused(without, "a node is missing")


def test_an_empty_cell_is_proved_empty():
    made = document(MIDDLE)
    cells = leaves(made, "empty")
    assert cells
    for cell in cells[:5]:
        kept = cell["empty"]
        for key, rows in kept.items():
            for k, (row, value) in enumerate(rows):
                cell["empty"] = {**kept, key: [*rows[:k], [row, str(-Fraction(value))]]}
                with pytest.raises(CertificateError):
                    consistent(made)
        cell["empty"] = kept
    assert consistent(made)


def test_larger_multipliers_are_refused():
    """Each multiplier of a generator is as large as it can be, in the programme of its leaf."""
    made = document(VANISHING)
    for leaf in leaves(made, "cases"):
        for case in leaf["cases"]:
            for entry in case["generators"]:
                kept = entry[1]
                entry[1] = str(Fraction(kept) + 10)
                refused(made, "not feasible")
                entry[1] = kept


def test_an_unknown_generator_gives_no_bound():
    made = document(SPARSE)
    tree = made["proof"]["data"]["tree"]
    other = 1 - tree["compare"]
    leaf = {"cases": [{"zeros": [], "generators": [[other, "1/4"]]}]}
    made["proof"]["data"]["tree"] = leaf
    refused(made, "least terms are not known")


def test_an_upper_bound_needs_its_zero_and_its_cell():
    made = document(VANISHING)
    (leaf, *_) = leaves(made, "attained")
    found = leaf["attained"]
    assert consistent(made)["claim"]["upper"] == "5/8"
    for key, value, message in (
        ("signs", [1] * len(found["signs"]), "one sign on the orthant"),
        ("signs", [0] * len(found["signs"]), "signs of an orthant"),
        ("inside", [1] * len(found["inside"]), "not inside its cell"),
        ("zeros", [], "the generators that vanish"),
    ):
        leaf["attained"] = {**found, key: value}
        if key != "signs" or 0 in value or _one_signed(leaf, made):
            refused(made, message)
    short = [[str(Fraction(x) / 2) for x in w] for w in found["weights"]]
    leaf["attained"] = {**found, "weights": short}
    refused(made, "a weight is not feasible")
    same = [found["weights"][0]] * 2
    leaf["attained"] = {**found, "weights": same}
    refused(made, "not affinely independent")


def _one_signed(leaf, made):
    """Whether the positive orthant is a wrong answer here."""
    signs = leaf["attained"]["signs"]
    leaf["attained"]["signs"] = [1] * len(signs)
    try:
        consistent(made)
    except CertificateError:
        return True
    return False


# --- independent differentials ------------------------------------------------------------------


JUDGES = [
    have_independent_differentials,
    independent_differentials,
]  # of the checker, of the engine


def form(*terms):
    return {tuple(a): Fraction(c) for a, c in terms}


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ([form(((2, 0), 1), ((1, 1), -2), ((0, 2), 1))], False),  # (x − y)²
        ([form(((2, 0), 1), ((1, 1), -3), ((0, 2), 1))], True),
        ([form(((2, 0), 1), ((1, 1), -2), ((0, 2), 1))] * 2, False),
        ([form(((1, 0), 1), ((0, 1), 1)), form(((1, 0), 1), ((0, 1), 2))], True),  # no zero
        ([form(((1, 0), 1), ((0, 1), 1)), form(((2, 0), 1), ((1, 1), 1))], False),  # proportional
        # (x − y)(z − w): singular where both vanish.
        (
            [form(((1, 0, 1, 0), 1), ((1, 0, 0, 1), -1), ((0, 1, 1, 0), -1), ((0, 1, 0, 1), 1))],
            False,
        ),
        (
            [form(((1, 0, 1, 0), 1), ((1, 0, 0, 1), -1), ((0, 1, 1, 0), -1), ((0, 1, 0, 1), 2))],
            True,
        ),
        # t³ − 3t + 2 = (t − 1)²(t + 2), a kernel of dimension two for t⁴ terms as well.
        ([form(((3, 0), 1), ((1, 2), -3), ((0, 3), 2))], False),
        ([form(((4, 0), 1), ((2, 2), -2), ((1, 3), 1), ((0, 4), 1))], True),
        ([form(((4, 0), 1), ((3, 1), -1), ((1, 3), -1), ((0, 4), 1))], False),  # (t−1)²(t²+t+1)
        (
            [form(((4, 0), 1), ((3, 1), -2), ((1, 3), -2), ((0, 4), 1), ((2, 2), 3))],
            False,
        ),  # free: 3
        # t² − 1, 1 − t, t + t²: the last two have no common zero.  The relations 2m for
        # integer relations m alone would not tell t from −t.
        (
            [
                form(((0,), -1), ((2,), 1)),
                form(((0,), 1), ((1,), -1)),
                form(((1,), 1), ((2,), 1)),
            ],
            True,
        ),
    ],
)
@pytest.mark.parametrize("judge", JUDGES)
def test_dependence_is_seen(judge, forms, expected):
    assert judge(forms) is expected


def test_proportional_gradients_are_found_in_random_forms():
    """Forms with a planted singular zero at a random point are never called independent."""
    rng = np.random.default_rng(5)
    for _ in range(300):
        width, size = int(rng.integers(2, 4)), int(rng.integers(3, 6))
        exponents = {tuple(map(int, rng.integers(0, 4, width))) for _ in range(size)}
        point = [Fraction(int(v)) for v in rng.choice([-3, -2, -1, 1, 2, 3], width)]
        columns = sorted(exponents)
        values = [_at(a, point) for a in columns]
        # Coefficients c with Σ c_j x^α_j = 0 and Σ c_j x^α_j α_j = 0, from a kernel vector.
        rows = [[1] * len(columns), *zip(*columns, strict=True)]
        kernel = _kernel_vector(rows, rng)
        if kernel is None or not all(kernel):
            continue
        planted = {a: k / v for a, k, v in zip(columns, kernel, values, strict=True)}
        assert not have_independent_differentials([planted])
        assert not independent_differentials([planted])
        # Other signs: no zero is planted, and the two methods have to agree.
        signs = rng.choice([-1, 1], len(columns)).tolist()
        other = [{a: c * s for (a, c), s in zip(planted.items(), signs, strict=True)}]
        assert have_independent_differentials(other) is independent_differentials(other)


def test_the_engine_against_a_groebner_basis():
    """Singular zeros of products of two binomials by their definition, in the complex torus.

    A basis {1} means that there are none; else some are real, as binomials have rational zeros in
    the monomials that their exponents span.
    """
    x, y, inverse = sympy.symbols("x y inverse")
    rng = np.random.default_rng(7)
    seen = Counter()
    for _ in range(40):
        factors = []
        for _ in range(2):
            (a, b), (c, d) = rng.integers(0, 3, (2, 2)).tolist()
            factors.append(x**a * y**b + int(rng.choice([-2, -1, 1, 3])) * x**c * y**d)
        f = sympy.Poly(sympy.prod(factors), x, y)
        if len(f.terms()) < 2:
            continue
        found = independent_differentials([{m: Fraction(int(c)) for m, c in f.terms()}])
        equations = [f.as_expr(), f.diff(x).as_expr(), f.diff(y).as_expr(), x * y * inverse - 1]
        assert found is (sympy.groebner(equations, inverse, x, y).exprs == [1])
        seen[found] += 1
    assert min(seen[True], seen[False]) > 5, seen


def _at(exponents, point):
    total = Fraction(1)
    for x, e in zip(point, exponents, strict=True):
        total *= x**e
    return total


def _kernel_vector(rows, rng):
    basis = sympy.Matrix(rows).nullspace()
    if not basis:
        return None
    mixed = sum((int(rng.integers(1, 5)) * v for v in basis), sympy.zeros(len(rows[0]), 1))
    return [Fraction(int(x.p), int(x.q)) for x in mixed]


def test_more_forms_than_monomials_do_not_vanish_together():
    two = [form(((1, 0), 1), ((0, 1), 1)), form(((1, 0), 1), ((0, 1), 2))]
    for empty in (too_many_forms, never_together):
        assert empty(two)
        assert not empty(two[:1])
        assert not empty([two[0], form(((2, 0), 1), ((0, 1), 1))])


def test_upper_bounds_without_a_cell():
    """The exponents alone."""
    made = document(SPARSE)
    assert Pair.of("3/4", 1) == Pair.of(made["claim"]["upper"], 1)
    made["proof"]["data"]["weights"] = [["1/8"] * 5]
    refused(made, "a weight is not feasible")
