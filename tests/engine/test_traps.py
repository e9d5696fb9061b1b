"""Questions on which a rule that looks true gives a wrong value."""

from fractions import Fraction

import pytest
from sympy import QQ, ring

import rlct
from rlct.engine.reductions.eliminate import _substitute
from rlct.pair import Pair

KNOWN = {
    # K = f² with the polyhedron alone would say 1.
    "line": ("poly", "(x+y)**2", {}, "1/2", 1),
    "line, expanded": ("poly", "x**2+2*x*y+y**2", {}, "1/2", 1),
    "plane": ("ideal", ["x+y+z"], {}, "1/2", 1),
    # Over C the multiplicity is 2.
    "definite": ("poly", "x**2+y**2", {}, "1", 1),
    "definite, mixed": ("poly", "x**2-x*y+y**2", {}, "1", 1),
    "indefinite": ("ideal", ["x**2-y**2"], {}, "1/2", 2),
    "indefinite, irrational": ("ideal", ["x**2-2*y**2"], {}, "1/2", 2),
    # Over C: 1/2.
    "cone without real points": ("poly", "(x**2+y**2+z**2)**2", {}, "3/4", 1),
    "cone with real points": ("poly", "(x**2+y**2-z**2)**2", {}, "1/2", 1),
    # Its restriction to t = 0 is the cone above: larger, not smaller.
    "restriction": ("poly", "(x**2+y**2+z**2+t)**2", {}, "1/2", 1),
    # Varchenko: jumps down at the special member.
    "family, special": ("poly", "(x**4+y**2+z**2)**2", {}, "5/8", 1),
    "family, above": ("poly", "(x**2+x**4+y**2+z**2)**2", {}, "3/4", 1),
    "family, below": ("poly", "(-x**2+x**4+y**2+z**2)**2", {}, "1/2", 1),
    # The classic error forgets the candidate 1/2 of smooth zeros.
    "A2 surface": ("poly", "(x*y-z**3)**2", {}, "1/2", 1),
    "pencil": ("poly", "(x*y-z*w)**2", {}, "1/2", 1),
    "cubic cone": ("poly", "(x**3+y**3+z**3)**2", {}, "1/2", 2),
    # No facet of the polyhedron has a positive normal, yet a compact face is degenerate.
    "hidden face": ("poly", "(x+y*z)**2+y**4", {}, "3/4", 1),
    "hidden face, expanded": ("poly", "x**2+2*x*y*z+y**2*z**2+y**4", {}, "3/4", 1),
    "cusp": ("poly", "(x**2-y**3)**2", {}, "5/12", 1),
    "cusp with a prior": ("poly", "(x**2-y**3)**2", {"prior": "x"}, "1/2", 1),
    "parabola with a prior": ("ideal", ["x-y**2"], {"prior": "x"}, "1/2", 1),
    "parabola with more": ("ideal", ["(x-y**2)**2"], {"prior": "x*y"}, "1/4", 1),
    "tangent curves": ("ideal", ["x*(x+y**2)"], {}, "3/8", 1),
    "three lines": ("ideal", ["x*y*(x+y)"], {}, "1/3", 1),
    "prior on the singular line": ("poly", "x**2*y**2", {"prior": "x**2"}, "1/2", 1),
    "prior on both lines": ("poly", "x**2*y**2", {"prior": "x**2*y**2"}, "3/2", 2),
    # Fewer generators than there seem to be.
    "redundant": ("ideal", ["x**2", "x**3+x**2*y", "y**4"], {}, "3/8", 1),
    "unit": ("ideal", ["x*(1+y)", "x*y"], {}, "1/2", 1),
    # Orthants.
    "half line": ("poly", "x", {"nonneg": ["x"]}, "1", 1),
    "quarter plane": ("poly", "x*y", {"nonneg": ["x", "y"]}, "1", 2),
    "half plane, cusp": ("poly", "x**2+y**3", {"nonneg": ["y"]}, "5/6", 1),
    "wall across a line": ("poly", "(x-y)**2", {"nonneg": ["x", "y"]}, "1/2", 1),
    "wall that removes the zeros": ("poly", "(x+y)**2", {"nonneg": ["x", "y"]}, "1", 1),
    "wall with a prior": ("poly", "(x+y)**2", {"nonneg": ["x", "y"], "prior": "x"}, "3/2", 1),
    # K itself, not its square.
    "mean": ("poly", "x**4+y**4+z**4-x*y*z**2", {}, "3/4", 1),
    "K of odd look": ("poly", "(x**2+y**4)**3", {}, "1/4", 1),
    "product": ("poly", "(a**2+b**2)*(c**2+d**2)", {}, "1", 2),
    "2x2 rank 0": (
        "ideal",
        ["a*e+b*g", "a*f+b*h", "c*e+d*g", "c*f+d*h"],
        {},
        "3/2",
        1,
    ),
    "tanh": ("ideal", ["a*b+c*d", "a*b**3+c*d**3"], {}, "2/3", 1),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_values(name):
    kind, inputs, options, lam, theta = KNOWN[name]
    result = getattr(rlct, kind)(inputs, timeout=10, **options)
    assert rlct.verify(result.certificate)
    expected = Pair(Fraction(lam), theta)
    low, high = result.routes[0].lower, result.routes[0].upper
    assert low <= expected
    assert high is None or expected <= high
    assert result.pair == expected


FORMS = {
    # Degree 6 in 3 variables, isolated real zeros: 3/6.
    "Motzkin": ("x**4*y**2+x**2*y**4+z**6-3*x**2*y**2*z**2", "1/2"),
    "Motzkin, positive": ("x**4*y**2+x**2*y**4+z**6-2*x**2*y**2*z**2", "1/2"),
    "Robinson": (
        "x**6+y**6+z**6-(x**4*y**2+x**2*y**4+x**4*z**2+x**2*z**4+y**4*z**2+y**2*z**4)"
        "+3*x**2*y**2*z**2",
        "1/2",
    ),
    # Degree 4 in 4 variables.
    "Choi-Lam": ("x**2*y**2+y**2*z**2+z**2*x**2+w**4-4*x*y*z*w", "1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_nonnegative_forms_that_are_no_sums_of_squares(name):
    """Homogeneous with K > 0 at almost every direction: d/deg, unless a zero line has less."""
    K, lam = FORMS[name]
    result = rlct.poly(K, timeout=3)
    assert rlct.verify(result.certificate)
    assert result.lower <= Fraction(lam) <= result.upper
    assert result.lam in (Fraction(lam), None)
    if result.status == "exact":
        assert result.theta == 1


def test_values_that_differ_over_the_complex_numbers_are_told_apart():
    real = rlct.poly("(x**2+y**2)**2")
    assert real.pair == Pair.of("1/2")
    assert rlct.ideal(["x**2-y**2"]).pair == Pair.of("1/2", 2)
    assert rlct.ideal(["x**2+y**2+z**2+w**2"]).pair == Pair.of(1)
    assert rlct.ideal(["x**2+y**2+z**2-w**2"]).pair == Pair.of("1/2")


def test_all_routes_are_reported_and_agree():
    result = rlct.poly("x**4+y**6")
    assert len(result.routes) > 1
    assert {route.lower for route in result.routes} == {Pair.of("5/12")}


def test_elimination_by_a_unit_times_a_variable():
    """The remainder is 0, whose power 0 these rings refuse; u = 1 + y stays as a factor."""
    polynomials, x, y, z = ring("x,y,z", QQ)
    found = _substitute(x * z + y**2, 0, 1 + y, polynomials.zero)
    assert found == y**2 * (1 + y)
    assert _substitute(x**2 + x * z, 0, 1 + y, z) == z**2 - z**2 * (1 + y)
