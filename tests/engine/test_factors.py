"""A Newton polyhedron for each factor, and the bound of a change of sign."""

import copy
import random

import pytest

import rlct
from rlct.engine import limits, rules
from rlct.engine.germs import leaves
from rlct.engine.newton_polyhedra import factor_polyhedra
from rlct.errors import CertificateError
from rlct.pair import Pair
from rlct.questions.problem import Problem

RULE = factor_polyhedra.polyhedra_of_factors


def germ(text, prior=None):
    return Problem.ideal([text], None, prior).local


@pytest.mark.parametrize(
    ("text", "lam"),
    [
        ("(x**2-y**3)*(y**2-z**3)", "19/60"),  # weights 9, 6, 4: 19/(2·(18 + 12))
        ("(x**3-y**2)*(y**3-z**2)", "19/60"),
        ("(x**2-y**5)*(y**2-z**3)", "25/84"),
    ],
)
def test_weighted_products(text, lam):
    answer = rlct.ideal([text])
    assert answer.pair == Pair.of(lam, 1)
    assert rlct.verify(answer.certificate)


def sparse_product(seed):
    """Two or three sparse factors in three variables."""
    rng = random.Random(seed)

    def factor():
        terms = set()
        while len(terms) < rng.choice([2, 2, 3]):
            terms.add(tuple(rng.choice([0, 0, 1, 2, 3]) for _ in "xyz"))
        return "+".join(
            f"({rng.choice([1, -1, 2, -3])})"
            + "".join(f"*{v}**{e}" for v, e in zip("xyz", m, strict=True))
            for m in sorted(terms - {(0, 0, 0)})
        )

    return "*".join(f"({factor()})**{rng.choice([1, 1, 2])}" for _ in range(rng.choice([2, 3])))


@pytest.mark.study
@pytest.mark.parametrize("seed", range(40))
def test_other_routes_agree(seed, monkeypatch):
    """Where the rule applies, blow-ups and one polyhedron enclose the same pair."""
    proof = RULE(germ(sparse_product(seed)))
    if proof is None:
        return
    kept = tuple(rule for rule in rules.GERM_RULES if rule.apply is not RULE)
    monkeypatch.setattr(rules, "GERM_RULES", kept)
    other = rlct.ideal([sparse_product(seed)], timeout=4)
    assert "factor-polyhedra" not in other.method
    if other.status == "exact":
        assert proof.lower <= other.pair <= proof.upper
    else:
        assert proof.lower.lam <= other.upper
        assert other.lower <= proof.upper.lam


def test_the_rule_is_used_by_some_of_them():
    proofs = [RULE(germ(sparse_product(seed))) for seed in range(40)]
    assert sum(proof is not None and proof.exact for proof in proofs) >= 10


@pytest.mark.parametrize(
    "text",
    [
        "(x-y**2)*(x-y**2+z**7)",  # initial forms are equal: tangent
        "(x+y+z)*(x+2*y+3*z)*(2*x+3*y+4*z)",  # three planes through one line
        "(x**2-2*x*y+y**2+z**5)*(x-z)",  # (x − y)² is singular
    ],
)
def test_dependent_forms_are_refused(text):
    assert RULE(germ(text)) is None


def test_a_factor_that_vanishes_to_a_power_counts():
    """Forgetting that initial forms vanish would give the pair of the terms, 1/6 and more."""
    proof = RULE(germ("(x*z-y*w)**4*(x*y-z**2)"))
    assert proof.lower == proof.upper == Pair.of("1/8", 1)
    hull = leaves.hull_bounds(germ("(x*z-y*w)**4*(x*y-z**2)"))
    assert hull.upper > proof.upper


FORGERIES = {
    "an exponent": lambda data: data["factors"][0].__setitem__(1, 2),
    "a unit that vanishes": lambda data: data.__setitem__("unit", [["1", [1, 0, 0, 0]]]),
    "a cell left out": lambda data: data["tree"].__setitem__("less", {"empty": {}}),
    "another zero": lambda data: _zeros(data).update(zeros=[0, 1]),
    "a weight outside": lambda data: _zeros(data).update(inside=[1, 2, 4, 9]),
    "no change of sign": lambda data: _zeros(data).update(signs=[["1"] * 4, ["2"] * 4]),
}


def _zeros(data):
    nodes = [data["tree"]]
    while nodes:
        node = nodes.pop()
        if "zeros" in node:
            return node
        nodes += [node[name] for name in ("less", "equal", "more") if name in node]
    raise AssertionError("no zeros")


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_certificates_are_refused(name):
    certificate = copy.deepcopy(rlct.ideal(["(x*z-y*w)**4*(x*y-z**2)"]).certificate)
    assert certificate["proof"]["rule"] == "factor-polyhedra"
    assert rlct.verify(certificate)
    FORGERIES[name](certificate["proof"]["data"])
    with pytest.raises(CertificateError):
        rlct.verify(certificate)


def test_a_change_of_sign_bounds_from_above():
    proof = leaves.sign_change_bounds(germ("x**3+y**3+z**3+w**3+v**3+u**3+t**3"))
    assert proof.upper == Pair.of("1/2", 1)
    assert leaves.sign_change_bounds(germ("x**2-y**3+z**2")) is not None  # weights 3, 2, 3
    assert leaves.sign_change_bounds(germ("x**4+y**2*z**2")) is None


def test_a_prior_on_the_zeros_does_not_change_sign():
    """x·(y² + z²) changes sign in x = 0 alone, where the prior |x|³ vanishes: λ is 3/4 by y, z."""
    assert leaves.sign_change_bounds(germ("x*(y**2+z**2)", "x**3")) is None
    assert rlct.ideal(["x*(y**2+z**2)"], prior="x**3").lam == rlct.ideal(["y**2+z**2"]).lam


def test_cubes_of_linear_forms_are_seen_in_any_coordinates():
    """Six cubes with the matrix of a determinant of three digits."""
    rng = random.Random(0)
    forms = [[rng.randint(-2, 2) for _ in range(6)] for _ in range(6)]
    text = "+".join(
        "(" + "+".join(f"({a})*x{k}" for k, a in enumerate(form)) + ")**3" for form in forms
    )
    answer = rlct.ideal([text])
    assert answer.pair == Pair.of("1/2", 1)
    assert rlct.verify(answer.certificate)


def test_without_cells_the_rule_says_nothing(monkeypatch):
    monkeypatch.setattr(limits, "MOST_DIVISION_CELLS", 0)
    assert RULE(germ("(x**2-y**3)*(y**2-z**3)")) is None
