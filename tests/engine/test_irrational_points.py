"""Two variables at irrational points: twins, conjugates, and an oracle in long numbers."""

import random
from fractions import Fraction

import numeric_blow_ups
import pytest
import sympy
from numeric_blow_ups import X, Y

import rlct
from rlct.pair import Pair

KNOWN = [
    (X * Y, (0, 0), Pair.of("1/2", 2)),
    (X**2 - Y**3, (0, 0), Pair.of("5/12")),
    ((Y - X**2) ** 2 - X**5, (0, 0), Pair.of("7/20")),
    ((X**2 - 2 * Y**2) ** 2 + Y**5, (0, 0), Pair.of("1/4", 2)),
    ((X**4 - 10 * X**2 * Y**2 + Y**4) ** 2 + X**9, (0, 0), Pair.of("1/8")),
]


def exactly(generators, **options):
    result = rlct.ideal(generators, **options)
    assert rlct.verify(result.certificate)
    assert result.status == "exact", generators
    return result.pair


@pytest.mark.parametrize(("f", "prior", "expected"), KNOWN, ids=str)
def test_values_known_by_hand(f, prior, expected):
    assert numeric_blow_ups.pair_of_square(f, prior) == expected
    assert exactly([f], prior=dict(zip("xy", prior, strict=True))) == expected


def curve_with_irrational_points(rng):
    n = rng.choice([2, 3, 5, 7])
    form = rng.choice(
        [
            X**2 - n * Y**2,
            X**2 - X * Y - n * Y**2,
            X**3 - 2 * Y**3,
            X**3 - 3 * X * Y**2 + Y**3,
            X**4 - 10 * X**2 * Y**2 + Y**4,
            X**4 - 2 * X**2 * Y**2 - Y**4,
            X**2 + n * Y**2,
        ]
    )
    d = sympy.Poly(form).total_degree()
    i = rng.randint(0, 2 * d + 2)
    tail = rng.choice([1, -1, 2, -3]) * X**i * Y ** (2 * d + rng.choice([1, 2]) - min(i, 2 * d + 1))
    return sympy.expand(form**2 + tail), d


@pytest.mark.slow
def test_random_curves_with_large_priors():
    rng = random.Random(3)
    wider = 0
    for _ in range(25):
        f, d = curve_with_irrational_points(rng)
        if d == 2 and rng.random() < 0.5:
            f = sympy.expand(f * rng.choice([X, Y, X - Y, X**2 - 2 * Y**2]))
        if len(f.free_symbols) < 2:
            continue
        prior = (rng.choice([0, 2, 5]), rng.choice([0, 3, 8]))
        result = rlct.ideal([f], prior={"x": prior[0], "y": prior[1]})
        assert rlct.verify(result.certificate)
        assert result.status == "exact"
        assert result.pair == numeric_blow_ups.pair_of_square(f, prior), (f, prior)
        wider += '"field"' in str(result.certificate).replace("'", '"')
    assert wider > 8


TWINS = [
    "({q})**2+y**5",
    "(({q})**2-x**5)*({q})",
    "({q})**3*x**2+x**4*y**6",
    "(({q})**2+x**6)**2+y**13",
    "({q})**2+x**2*y**3+x**7",
]


@pytest.mark.parametrize("template", TWINS)
@pytest.mark.parametrize("prior", ["1", "x**2", "x**5*y**5"])
def test_irrational_tangents_are_like_rational_ones(template, prior):
    rational = exactly([template.format(q="x**2-y**2")], prior=prior)
    assert exactly([template.format(q="x**2-2*y**2")], prior=prior) == rational
    assert exactly([template.format(q="x**2-x*y-y**2")], prior=prior) == rational


def test_complex_tangents_are_not():
    assert exactly(["(x**2-2*y**2)**2+y**5"]) == Pair(Fraction(1, 4), 2)
    assert exactly(["(x**2+2*y**2)**2+y**5"]) == Pair(Fraction(1, 4), 1)
    assert exactly(["x**2-2*y**2", "x**3"]) == Pair(Fraction(1, 2), 2)
    assert exactly(["x**2+2*y**2", "x**3"]) == Pair(Fraction(1, 2), 1)


def test_conjugate_points_may_differ():
    # At y = √2·x: 8u² = √2·s² + …, two real branches; at y = −√2·x: none.
    found = rlct.ideal(["(y**2-2*x**2)**2-x**5*y", "x**7"], prior="x**8")
    assert rlct.verify(found.certificate)
    points = found.certificate["proof"]["children"]
    assert sorted(len(point.get("children", [])) for point in points) == [0, 2]
    # The rational twin; there both are real or none is.
    assert found.pair == exactly(["(y**2-x**2)**2-x**5*y", "x**7"], prior="x**8")


def test_the_ideal_follows_a_branch_that_is_no_polynomial():
    # The node has two analytic branches over Q(√2); along both the second generator vanishes.
    assert exactly(["(y**2-2*x**2-x**3)**2"]) == Pair(Fraction(1, 4), 2)
    assert exactly(["(y**2-2*x**2-x**3)**2", "x**9"]) == exactly(["(y**2-x**2-x**3)**2", "x**9"])


@pytest.mark.slow
def test_limits_give_bounds():
    contact = "-".join(f"x**{i}" for i in range(1, 190))
    result = rlct.ideal([f"(y*(1-x)-x)**2*(y-{contact})"])
    assert rlct.verify(result.certificate)
    assert result.lower <= Fraction(1, 4)
    result = rlct.ideal(["(x**30-2*y**30-x**31)**2"], prior="x**40*y**40")
    assert rlct.verify(result.certificate)
    assert result.lower <= Fraction(1, 4) <= result.upper


def test_three_smooth_factors_cross_at_a_point_of_degree_four():
    K = "((x**2-2)*(y**2-3)*(z**4-x**2*y**2-30))**2"
    at = {"x": "sqrt(2)", "y": "sqrt(3)", "z": "root(t^4-36, 2..3)"}
    result = rlct.poly(K, at=at, timeout=30)
    assert result.pair == rlct.Pair.of("1/2", 3)
    assert rlct.verify(result.certificate)
