"""The bound by initial monomials: never above the truth, and refused where it would be false."""

import json
import random
from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import rlct
from rlct.answers.document import problem_document
from rlct.answers.routes import solve
from rlct.engine import limits
from rlct.engine.germs.initial import initial_bound
from rlct.engine.strategy import prove_problem
from rlct.errors import CertificateError
from rlct.pair import Pair
from rlct.questions.problem import Problem

SYMBOLS = sympy.symbols("x y z")


def bound(generators, prior=None):
    return initial_bound(Problem.ideal(generators, None, prior).local)


#: λ by hand, and the bound that the initial monomials give.
KNOWN = {
    "monomials": (["x*y", "y*z", "z*x"], None, "3/4", "3/4"),
    "linear": (["x + y**2", "z - x*y"], None, "1", "1"),
    "cone": (["x**2 + y**2 - z**2"], None, "1/2", "1/4"),
    "definite": (["x**2 + y**2 + z**2"], None, "3/4", "1/4"),
    # Varchenko: the member below has 1/2 and the special one 5/8; the bound is below both.
    "Varchenko, below": (["-x**2 + x**4 + y**2 + z**2"], None, "1/2", "1/4"),
    "Varchenko, special": (["x**4 + y**2 + z**2"], None, "5/8", "1/4"),
    # With the prior in the programme weights (2, 1) would give y with |y|: λ ≥ 1.
    "prior": (["x - y"], "y", "1/2", "1/2"),
    "prior on a monomial": (["y", "x**2"], "y", "5/4", "3/4"),
    "triangular": (["x**2 + y*z", "y**2 + z**3", "z**2"], None, "3/4", "3/4"),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_values(name):
    generators, prior, truth, expected = KNOWN[name]
    found = bound(generators, prior)
    assert found.lower == Pair.of(expected, len(found.data["order"]))
    assert found.upper is None
    assert found.lower.lam <= Fraction(truth)
    result = rlct.ideal(generators, prior=prior)
    assert result.lam == Fraction(truth)


@st.composite
def ideals(draw):
    generators = []
    for _ in range(draw(st.integers(1, 3))):
        total = sympy.Integer(0)
        for _ in range(draw(st.integers(1, 3))):
            letters = draw(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=4))
            total += draw(st.sampled_from([-2, -1, 1, 3])) * sympy.Mul(*letters)
        generators.append(total if total != 0 else SYMBOLS[0])
    return generators


@settings(max_examples=40, deadline=None, derandomize=True)
@given(ideals(), st.sampled_from([None, None, "x", "y**2*z"]))
def test_never_above_the_truth(generators, prior):
    used = {str(s) for g in generators for s in g.free_symbols}
    if prior and not {v for v in "xyz" if v in prior} <= used:
        prior = None
    result = rlct.ideal(generators, prior=prior, timeout=2)
    found = bound(generators, prior)
    if found is not None and result.upper is not None:
        assert found.lower <= result.routes[0].upper


@settings(max_examples=40, deadline=None, derandomize=True)
@given(ideals())
def test_what_an_aim_leaves_out_reaches_no_more(generators):
    """With the best bound as the aim it is found again; with a larger one, nothing better is."""
    germ = Problem.ideal(generators).local
    found = initial_bound(germ)
    if found is None:
        return
    best = found.lower
    assert initial_bound(germ, best).lower == best
    again = initial_bound(germ, Pair(best.lam + Fraction(1, 10**6), 1))
    assert again is None or again.lower <= best


def document(generators):
    """A certificate whose proof is the bound alone."""
    problem = Problem.ideal(generators)
    return json.loads(json.dumps(problem_document(problem, initial_bound(problem.local))))


GENERATORS = ["x**2 + y**3*z", "x*y*z - y**2*z**2"]


def test_the_checker_accepts_it(monkeypatch):
    assert rlct.verify(document(GENERATORS))
    monkeypatch.setattr(limits, "MOST_FAMILIES", 0)  # else it would be exact without this
    proof = prove_problem(Problem.ideal(["(x**2+y**2-2*z**2)**2+z**5", "x*z"]))
    assert "initial" in proof.rules()


FORGED = {
    "θ less than d": lambda p: p.update(lower=["1/2", 2]),
    "more than it gives": lambda p: p.update(lower=["3/4", 3]),
    "an upper bound": lambda p: p.update(upper=["1/2", 3]),
    # y³z against x²: their orders are equal.
    "a tie": lambda p: p["data"].update(order=[5, 3, 1]),
    "a weight 0": lambda p: p["data"].update(order=[1, 0, 3]),
    "a negative weight": lambda p: p["data"].update(order=[1, -1, 30]),
    "a weight that is no integer": lambda p: p["data"].update(order=[1, 7.0, 3]),
    "too few weights": lambda p: p["data"].update(order=[1, 7]),
    "no such generator": lambda p: p["data"].update(kept=[0, 2]),
    "a negative index": lambda p: p["data"].update(kept=[0, -1]),
    "no generator": lambda p: p["data"].update(kept=[]),
    "fewer generators": lambda p: p["data"].update(kept=[0]),
    "other monomials": lambda p: p["data"]["multipliers"].__setitem__(0, [[0, 1, 1], "1"]),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged_bounds_are_refused(name):
    forged = document(GENERATORS)
    FORGED[name](forged["proof"])
    with pytest.raises(CertificateError):
        rlct.verify(forged)


def test_the_prior_does_not_raise_it():
    """x − y with prior |y|: the programme with the prior would prove λ ≥ 1, which is false."""
    forged = json.loads(json.dumps(problem_document(
        Problem.ideal(["x - y"], None, "y"),
        initial_bound(Problem.ideal(["x - y"], None, "y").local),
    )))  # fmt: skip
    assert rlct.verify(forged)
    node = forged["proof"]
    node["lower"] = ["1", 2]
    node["data"] = {
        "order": [2, 1],
        "kept": [0],
        "weights": [["0", "1"]],
        "multipliers": [[[0, 1], "2"]],
    }
    with pytest.raises(CertificateError):
        rlct.verify(forged)


def test_it_takes_over_where_time_is_short():
    rng = random.Random(3)
    better = 0
    for _ in range(10):
        a, b, c = (rng.randint(1, 3) for _ in range(3))
        generators = [f"(x**{a + 1} - y*z**{b})**2 + y**{c}*z**3", f"x*z - y**{c + 1}*z**2"]
        result = rlct.ideal(generators, timeout=1e-4)
        assert rlct.verify(result.certificate)
        better += result.lower > Fraction(1, 4)
    assert better >= 5


# --- the prior, as far as a common monomial takes it away ---------------------------------------

#: λ by hand, the prior, and the pair that the rule gives.  A common factor s is an outer variable.
COMMON = {
    # x = y has 1/2 whatever the prior is; all of it would give y² with |y|³: λ ≥ 1.
    "prior above the factor": (["y*(x - y)"], "y**3", "1/2", Pair.of("1/2", 2)),
    # (s): (1 + 4)/8 against 1/2 + 1/4 of the strict transform x, y².
    "a divisor": (["s**4*(x - y*s)", "s**4*(y**2 + s*x*y)"], "s**4", "5/8", Pair.of("5/8", 1)),
    # The same with (1 + 4)/6 > 3/4.
    "above a divisor": (
        ["s**3*(x - y*s)", "s**3*(y**2 + s*x*y)"],
        "s**4",
        "3/4",
        Pair.of("3/4", 3),
    ),
    "two divisors": (["s*t*(x + s)"], "s*t", "1/2", Pair.of("1/2", 3)),
    "crossing divisors": (
        ["s**4*t**4*(x + y**2)", "s**4*t**4*(y + s*x)"],
        "s**3*t**3",
        "1/2",
        Pair.of("1/2", 2),
    ),
}


@pytest.mark.parametrize("name", COMMON)
def test_common_factors(name):
    generators, prior, truth, expected = COMMON[name]
    found = bound(generators, prior)
    assert found.lower == expected
    result = rlct.ideal(generators, prior=prior)
    assert result.lam == Fraction(truth)
    assert found.lower <= Pair(result.lam, result.theta)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    ideals(),
    st.tuples(*[st.integers(0, 2)] * 3),
    st.tuples(*[st.integers(0, 4)] * 3),
)
def test_never_above_an_upper_bound(generators, factor, exponents):
    """With a common monomial and a prior; upper bounds rest on weights and charts alone."""
    monomial = sympy.Mul(*(s**e for s, e in zip(SYMBOLS, factor, strict=True)))
    used = {s for g in generators for s in sympy.expand(g * monomial).free_symbols}
    prior = sympy.Mul(*(s**h for s, h in zip(SYMBOLS, exponents, strict=True) if s in used))
    multiples = [sympy.expand(g * monomial) for g in generators]
    result = rlct.ideal(multiples, prior=str(prior) if prior != 1 else None, timeout=2)
    problem = Problem.ideal([str(g) for g in multiples], None, str(prior) if prior != 1 else None)
    found = initial_bound(problem.local)
    if found is not None and result.upper is not None:
        assert found.lower <= result.routes[0].upper


def test_certificates_with_it_verify():
    """A blow-up some of whose branches end with it."""
    question = Problem.ideal(["2*x**2*y*z*w*v - x*y*z**2 - x*y*w*v + y*z*w**2*v**2 + y*w*v**2",
                              "3*x**2*y*w*v + x*z*w*v**2 + y*z"])  # fmt: skip
    result = solve(question, resolution=True)
    assert (result.lam, result.theta) == (Fraction(2, 3), 2)
    assert "initial" in result.method
    assert rlct.verify(result.certificate)
