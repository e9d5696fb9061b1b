"""Boxes with zeros of any kind: bounds over all points at once, and priors that are not bounded."""

import random
from fractions import Fraction

import pytest
import sympy

import rlct
from rlct.pair import Pair

BOX = {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}
CORNER = {"x": (0, 1), "y": (0, 1), "z": (0, 1)}
ABOVE = {"x": (-1, 1), "y": (-1, 1), "z": ("1/2", 1)}

#: Generators, box, prior, pair by hand, and the rule if it is not that of all points at once.
BY_HAND = {
    "terms that cancel": (["x*y", "y*z", "z*x-x*y"], BOX, None, "3/4", 1),
    "one point": (["x**2+y**2+z**2-x*y"], BOX, None, "3/4", 1),
    "Whitney umbrella": (["x**2-y**2*z"], BOX, None, "1/2", 2),
    "Whitney umbrella, above": (["x**2-y**2*z"], ABOVE, None, "1/2", 2),
    "three planes through a line": (["x*y*(x-y)*(1+z**2)"], BOX, None, "1/3", 1),
    "planes that are not": (["x*y*(x-z*y)"], BOX, None, "1/3", 1),
    "a cuspidal edge": (["(x-y)**2-z**3"], CORNER, None, "5/12", 1),
    "a cuspidal edge, hidden": (["(x-y*z)**2+z**3"], BOX, None, "5/12", 1),
    # Off z = 0 three planes through a line; z⁴ would be worse, but it is below the box.
    "what is outside": (["x*y*(x-y)*z**4"], ABOVE, None, "1/3", 1),
    # (2 + 1/2)/4 at the origin, the only zero.
    "prior at the point": (["x**2+y**2+z**2-x*y"], BOX, "x**(-1/2)", "5/8", 1),
}


def exactly(generators, over, prior=None):
    result = rlct.ideal([str(g) for g in generators], over=over, prior=prior)
    assert rlct.verify(result.certificate)
    assert result.status == "exact", (generators, over, prior, result)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name):
    generators, box, prior, lam, theta = BY_HAND[name]
    result = exactly(generators, box, prior)
    assert result.pair == Pair.of(lam, theta)
    assert result.certificate["proof"]["rule"] == "everywhere"
    K = rlct.poly("+".join(f"({g})**2" for g in generators), over=box, prior=prior)
    assert K.pair == result.pair
    assert "minimum over the box" in K.where


@pytest.mark.slow
def test_edges_that_meet_at_a_wall_have_bounds():
    """With u = z − x, v = y − 1 it is (u + vz)² + u³: the edges of w² = (vz)³ meet at v = z = 0."""
    result = rlct.ideal(["(x-y*z)**2+(z-x)**3"], over=BOX, timeout=10)
    assert rlct.verify(result.certificate)
    assert result.bounds[0] <= Pair.of("5/12", 2) <= result.bounds[1]


def test_functions_that_are_no_squares():
    result = rlct.poly("x**2+y**2*z**2+(x*y-z)**2*x**2", over=BOX)
    assert rlct.verify(result.certificate)
    at_origin = rlct.poly("x**2+y**2*z**2+(x*y-z)**2*x**2")
    assert result.lower <= at_origin.lower


NEGATIVE = {
    "two axes": (["x*y"], "xy", "x**(-1/2)", "1/4", 1),
    # Weights (1, 2): (1/2 + 4/3)/4.
    "parabola": (["x**2-y"], "xy", "x**(-1/2)*y**(-1/3)", "11/24", 1),
    "a line across the axis": (["x+y-1/2"], "xy", "x**(-1/2)", "1/2", 1),
    "one variable": (["x**2*(x-1)"], "x", "x**(-1/2)", "1/8", 1),
    # Where x + y + z = 0 meets x = 0 the prior is not in the way.
    "planes": (["x*(x+y+z)"], "xyz", "y**(-1/2)", "1/2", 2),
    "planes with prior": (["x*y*z*(x+y+z-1)"], "xyz", "x**(-1/2)", "1/4", 1),
    "sphere": (["x**2+y**2+z**2-1/2"], "xyz", "x**(-1/2)*y**(-2/3)", "1/2", 1),
    "circle": (["x**2+y**2+z**2-1/2", "x+y+z"], "xyz", "x**(-1/2)", "1", 1),
    "sum": (["x*(x-1)", "y*z"], "xyz", "x**(-1/2)*y**(-1/2)", "1/2", 1),
    # (x² + yz)² against x⁴ + y²z²: (1/2)/4 + 1/2.
    "no terms cancel": (["x**2+y*z"], "+++", "x**(-1/2)", "5/8", 2),
}


@pytest.mark.parametrize("name", NEGATIVE)
def test_priors_that_are_not_bounded(name):
    generators, variables, prior, lam, theta = NEGATIVE[name]
    box = CORNER if variables == "+++" else dict.fromkeys(variables, (-1, 1))
    assert exactly(generators, box, prior).pair == Pair.of(lam, theta)


@pytest.mark.slow
@pytest.mark.parametrize(
    "generators",
    [["x*y*(x-y)"], ["(x+y-z)*x"], ["x**2+y**2+z**2-x*y"], ["x-y**2", "z*x"], ["x**2-y"]],
    ids=str,
)
@pytest.mark.parametrize("box", [BOX, CORNER], ids=["around", "corner"])
def test_a_prior_is_a_substitution(generators, box):
    """With x = u³ the prior |x|^(−2/3) is a constant, and the box stays as it is."""
    x = sympy.Symbol("x")
    moved = [sympy.sympify(g).subs(x, x**3) for g in generators]
    used = {str(v) for g in moved for v in g.free_symbols}
    box = {v: side for v, side in box.items() if v in used}
    prior = {"x": Fraction(-2, 3)}
    assert exactly(generators, box, prior).pair == exactly(moved, box).pair


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_laws(seed):
    """Exchange and reflection of variables, and the least over the halves of a box."""
    rng = random.Random(seed)
    generators, _, prior, lam, theta = BY_HAND[
        rng.choice(["terms that cancel", "one point", "Whitney umbrella", "planes that are not"])
    ]
    expected = Pair.of(lam, theta)
    names = list(sympy.symbols("x y z"))
    images = dict(zip(names, rng.sample(names, 3), strict=True))
    signs = {v: rng.choice([1, -1]) * images[v] for v in names}
    moved = [sympy.sympify(g).subs(signs, simultaneous=True) for g in generators]
    assert exactly(moved, BOX, prior).pair == expected
    v = rng.choice("xyz")
    halves = [
        rlct.ideal(generators, over={**BOX, v: side}, prior=prior) for side in ((-1, 0), (0, 1))
    ]
    assert all(rlct.verify(half.certificate) for half in halves)
    assert min(half.lower for half in halves) <= expected.lam
    assert expected.lam <= min(half.upper for half in halves)


ROMAN = "(x**2*y**2 + x**2*z**2 + y**2*z**2 - x*y*z)**2"
CRIXXI = "((y**2 + z**2 - 1)**2 + (x**2 + y**2 - 1)**3)**2"
SEEPFERDCHEN = "((x**2 - y**3)**2 - (x + y**2)*z**3)**2"
SURFACES = {
    # Three divisors meet at the vertex (1,1,1) of the polyhedron at 0.
    "Steiner": (ROMAN, BOX, "1/2", 3),
    # Without 0: a double curve with the pinch point x = 1/2.
    "Steiner, one axis": (ROMAN, {**BOX, "x": ("1/4", 1)}, "1/2", 2),
    # Cusps along two ellipses, which have parallel differentials at (0, ±1, 0).
    "Crixxi": (CRIXXI, dict.fromkeys("xyz", (-2, 2)), "5/12", 2),
    # The blow-up with weights (3, 2, 3) of 0: 8/24.
    "Seepferdchen": (SEEPFERDCHEN, BOX, "1/3", 1),
    # A factor that is 0 at complex points only.
    "Whitney umbrella": ("((x**2 - y**2*z)*(x**2 + (z - 1)**2 + y**2 + 1))**2", BOX, "1/2", 2),
    # On x = z = 0 the polynomial is y²(y − 1), which has one root with y ≠ 0.
    "roots that are not 0": ("(y**3 - y**2 + x**3 + z**3 + x*y*z)**2", BOX, "1/2", 1),
}


@pytest.mark.study
@pytest.mark.parametrize("name", SURFACES)
def test_curves_of_worst_points(name):
    K, box, lam, theta = SURFACES[name]
    result = rlct.poly(K, over=box, timeout=100)
    assert result.pair == Pair.of(lam, theta)
    assert rlct.verify(result.certificate)
