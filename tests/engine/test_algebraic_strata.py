"""Points over algebraic functions of the parameters, where nothing rational is to be found."""

from fractions import Fraction

import pytest
from sympy import sympify

import rlct
from rlct.algebra.polynomial import make_ring
from rlct.engine.germs.function_field import RootExtension, bezout_identity
from rlct.pair import Pair


def exact(generators, **options):
    result = rlct.ideal(generators, **options)
    assert result.status == "exact", result
    assert rlct.verify(result.certificate)
    return result.pair


#: λ and θ of K = Σ g², and why.
HAND = {
    # b² + w⁵ along the cone; the origin gives 19/40.
    "double cone": (["(x**2+y**2-3*z**2)**2+w**5"], "7/20", 1),
    # b² − w⁴ along the cone, 3/8; the origin gives 1/2.
    "tangent cones": (["(x**2+y**2-3*z**2)**2-w**4"], "3/8", 1),
    # Weights 5, 5, 6; the line over the cube root of 2 gives 7/20.
    "lines over a cube root": (["(x**3-2*y**3)**2+z**5"], "4/15", 1),
    # b² + z⁵ along the lines x = ±√2·y of the plane z = 0, and 7/20 also at the origin.
    "lines over a square root": (["(x**2-2*y**2)**2+z**5"], "7/20", 2),
    # Blow up: s²·(q, s·c), so 3s + y under 2s + y ≥ 1, 3s ≥ 1.
    "cone and cubic": (["x**2+y**2-2*z**2", "x**3+z**4-y*z**2"], "2/3", 1),
    # The curves cross normally in points over Q(√…); the origin gives 3/8.
    "crossing cones": (["(x**2+y**2-z**2)*(x**2-y**2-2*z**2)"], "3/8", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HAND)
def test_values_by_hand(name):
    generators, lam, theta = HAND[name]
    assert exact(generators) == Pair(Fraction(lam), theta)


SCALED = {
    "double cone": ["(x**2+x*y-z**2)**2+y**5"],
    "cone and tail": ["(2*y**2-x**2+z**2)**2+x**5"],
    "curved": ["(x*y-z**2)**2+w**5"],
    "cone and quadric": ["x**2+y**2-z**2", "x**3+z**4-y*z**2"],
    "with a prior": ["(x**2-z**2)**2*y+y**6"],
}


@pytest.mark.slow
@pytest.mark.parametrize("c", [2, 3])
@pytest.mark.parametrize("name", SCALED)
def test_irrational_scaling(name, c):
    """z → √c·z turns rational points into irrational ones and leaves the pair."""
    options = {"prior": "y*z"} if name == "with a prior" else {}
    scaled = [
        str(sympify(g).subs("z", sympify("z") * sympify(c) ** Fraction(1, 2)).expand())
        for g in SCALED[name]
    ]
    assert all("sqrt" not in g for g in scaled)
    assert exact(SCALED[name], **options) == exact(scaled, **options)


# The arithmetic


def test_bezout():
    ring = make_ring(["a", "t"])
    a, t = ring.gens
    first, second, value = bezout_identity(a**2 - t, a**3 + 1, 0)
    assert first * (a**2 - t) + second * (a**3 + 1) == value
    assert value.degree(a) <= 0
    assert bezout_identity((a - t) * a, (a - t) * (a + 1), 0) is None


@pytest.mark.parametrize(
    ("p", "factors"),
    [
        ("x**2-2", 2),
        ("x**4-4", 3),
        ("x**2+1", 1),
        ("x**2-a*x+1/2", 1),
        ("(x-a*t)**2*(x+t)", 2),
        ("x**3-2*a", 2),
    ],
)
def test_factors_over_the_square_root_of_two(p, factors):
    ring = make_ring(["x", "t", "a"])
    x, _, a = ring.gens
    p = ring.from_expr(sympify(p))
    field = RootExtension(a**2 - 2, 2)
    found = field.factors(p, 0)
    assert len(found) == factors
    rest = p
    for f in found:
        quotient, remainder = field.divide(rest, f, 0)
        assert not remainder
        while not remainder:
            rest = quotient
            quotient, remainder = field.divide(rest, f, 0)
    assert rest.degree(x) <= 0
