"""The minimum over boxes in the plane: values by hand, and laws that any answer must obey."""

import itertools
import json
import math
import random
from fractions import Fraction

import pytest
import sympy

import rlct
from rlct.errors import CertificateError, InputError
from rlct.pair import Pair

X, Y = sympy.symbols("x y")
WIDE = {"x": (-2, 2), "y": (-2, 2)}
UPPER = {"x": (-1, 1), "y": (0, 1)}
RIGHT = {"x": (0, 1), "y": (-1, 1)}


def over(generators, box, prior=None):
    """The pair, or the reason why there is none."""
    try:
        result = rlct.ideal(list(map(str, generators)), over=box, prior=prior)
    except InputError as error:
        return str(error)
    assert rlct.verify(result.certificate)
    assert result.status == "exact", (generators, box, prior)
    return result.pair


NOTHING = "K has no zero in the box"
BY_HAND = {
    "two lines": (["x**2-y**2"], WIDE, None, ("1/2", 2)),
    "two lines, corner": (["x**2-y**2"], {"x": (0, 1), "y": (0, 1)}, None, ("1/2", 2)),
    "two lines that meet outside": (["(x-y)*(x+y+3)"], UPPER, None, ("1/2", 1)),
    "the double one is outside": (["(x-y)*(x+y+3)**2"], UPPER, None, ("1/2", 1)),
    # At the corner (−1, 0) it is (u + v)⁴ on u, v ≥ 0.
    "the double one touches": (["(x-y)*(x+y+1)**2"], UPPER, None, ("1/2", 1)),
    "the double one enters": (["(x-y)*(x+y)**2"], UPPER, None, ("1/4", 1)),
    "circle": (["x**2+y**2-1"], WIDE, None, ("1/2", 1)),
    "circle inside": (["(x**2+y**2-1)*(x-3)**2"], WIDE, None, ("1/2", 1)),
    "no circle": (["(x**2+y**2+1)**3*(x-y)"], WIDE, None, ("1/2", 1)),
    "large circle": (["(x**2+y**2-100)**4*(x-y)"], WIDE, None, ("1/2", 1)),
    # The circle touches x = 1 from outside at (1, 0): u + y², u = v² ≥ 0, prior |v|.
    "circle touches a wall": (["x**2+y**2-1"], {"x": (1, 2), "y": (-1, 1)}, None, ("3/4", 1)),
    "circle touches the upper wall": (
        ["x**2+y**2-1"],
        {"x": (-2, -1), "y": (-1, 1)},
        None,
        ("3/4", 1),
    ),
    "parabola inside": (["y-x**2"], UPPER, None, ("1/2", 1)),
    "parabola outside": (["y+x**2"], UPPER, None, ("3/4", 1)),
    "parabola outside, prior": (["y+x**2"], UPPER, "y", ("5/4", 1)),
    # y = v²: (v² + x²)² again, at the irrational point (√2, 0).
    "touches at √2": (["y+(x**2-2)**2"], {"x": (0, 2), "y": (0, 1)}, None, ("3/4", 1)),
    "touches a wall at √2": (["y-1+(x**2-2)**2"], {"x": (0, 2), "y": (1, 2)}, None, ("3/4", 1)),
    "isolated, inside": (["(x**2-2)**2+(y**2-3)**2"], WIDE, None, ("1/2", 1)),
    "isolated, flat": (["(x**2-2)**2+(y**2-3)**4"], WIDE, None, ("3/8", 1)),
    "four points": (["x**2-2", "y**2-3"], WIDE, None, ("1", 1)),
    "four points, one box": (["x**2-2", "y**2-3"], {"x": (0, 1), "y": (0, 2)}, None, NOTHING),
    "degree six": (["x**2-2", "y**3-x"], WIDE, None, ("1", 1)),
    "cusps": (["(x**2-2)**2-(y**2-3)**3"], WIDE, None, ("5/12", 1)),
    "node": (["y**2-x**3+3*x-2"], WIDE, None, ("1/2", 2)),
    "node outside": (["y**2-x**3+3*x-2"], {"x": (0, "1/2"), "y": (-2, 2)}, None, ("1/2", 1)),
    "acnode": (["y**2-x**3+3*x+2"], {"x": (-2, 1), "y": (-2, 2)}, None, ("1/2", 1)),
    "cofactors": (["(x**2-2)*(x-y)", "(y**2-2)*(x-y)"], WIDE, None, ("1/2", 2)),
    "three generators": (["x*(x-1)", "x*y*(y-1)", "y*(x-1)*(y-1)"], WIDE, None, ("1", 1)),
    "inconsistent": (["x**2-2", "y**2-3", "x*y-1"], WIDE, None, NOTHING),
    "empty": (["x**2+y**2+1"], WIDE, None, NOTHING),
    "axis with prior": (["x**2*(x-y)"], WIDE, "x**3", ("1/2", 1)),
    "axis with prior that decides": (["x**4*(x-y)"], WIDE, "x**2", ("3/8", 1)),
    # At the origin x² y² with prior x y: 1/2 from each of two coordinates.
    "prior at a corner": (["x**2*y**2*(x+y+1)"], {"x": (0, 1), "y": (0, 1)}, "x*y", ("1/2", 2)),
    "prior off its axis": (["(x-1)**2*(x-y)"], {"x": (1, 2), "y": (-1, 2)}, "x", ("1/4", 1)),
    "wall is a factor": (["x*(x-y**2)"], RIGHT, None, ("3/8", 1)),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name):
    generators, box, prior, expected = BY_HAND[name]
    expected = expected if isinstance(expected, str) else Pair.of(*expected)
    assert over(generators, box, prior) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_HAND)
def test_a_function_is_its_ideal(name):
    generators, box, prior, expected = BY_HAND[name]
    K = "+".join(f"({g})**2" for g in generators)
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            rlct.poly(K, over=box, prior=prior)
        return
    result = rlct.poly(K, over=box, prior=prior)
    assert rlct.verify(result.certificate)
    assert result.status == "exact" or "+" in K
    assert result.lower <= Pair.of(*expected).lam <= result.upper
    if result.status == "exact":
        assert result.pair == Pair.of(*expected)


@pytest.mark.parametrize(
    "K",
    ["x**2-y**2", "(x-y)**3*(x+y)", "-(x**2+y**2)*(x+y-1)**2", "-(x-y)**2", "(x**2-2)*(y**2-3)**2"],
)
def test_negative_functions_are_refused(K):
    with pytest.raises(InputError, match="λ needs K ≥ 0"):
        rlct.poly(K, over=WIDE)


def test_a_function_that_is_negative_elsewhere_is_not_refused():
    K = "(x-y)**2*(x+y+1)"
    assert rlct.poly(K, over={"x": (0, 1), "y": (0, 1)}).pair == Pair.of("1/2")
    with pytest.raises(InputError, match="changes sign"):
        rlct.poly(K, over=WIDE)


def some_curve(rng):
    a, b, c, d = (rng.randint(-2, 2) for _ in range(4))
    return rng.choice(
        [
            X - a,
            Y - a,
            X - Y - a,
            X**2 - 2,
            Y**2 - 2 * a,
            X**2 * a + X * Y * b + Y**2 * c + X * d - 1,
            (X - a) ** 2 + (Y - b) ** 2 - c,
            Y**2 - X**3 + a * X**2 + b * X + c,
            (X - a) ** 2 - (Y - b) ** 3,
        ]
    )


def some_question(rng):
    while True:
        f = sympy.Integer(1)
        for _ in range(rng.choice([1, 2, 2])):
            f *= some_curve(rng) ** rng.choice([1, 1, 2])
        generators = [f]
        if rng.random() < 0.3:
            generators = [f * some_curve(rng), f * some_curve(rng) ** 2]
        generators = [sympy.expand(g) for g in generators]
        if all(g.free_symbols == {X, Y} for g in generators):
            break
    box = {v: (rng.randint(-2, 0), rng.randint(1, 2)) for v in "xy"}
    prior = {v: rng.choice([1, 2]) for v in "xy" if rng.random() < 0.3}
    return generators, box, prior


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_laws(seed):
    """Exchange of the variables, shifts, and the least of the two halves of a box."""
    rng = random.Random(seed)
    generators, box, prior = some_question(rng)
    found = over(generators, box, prior)
    exchanged = [g.subs({X: Y, Y: X}, simultaneous=True) for g in generators]
    swapped = {"x": prior.get("y", 0), "y": prior.get("x", 0)}
    assert over(exchanged, {"x": box["y"], "y": box["x"]}, swapped) == found
    low, high = box["x"]
    middle = rng.choice([Fraction(1, 3), Fraction(low + high, 2)])
    halves = [
        over(generators, {**box, "x": side}, prior) for side in ((low, middle), (middle, high))
    ]
    pairs = [half for half in halves if isinstance(half, Pair)]
    assert (min(pairs) if pairs else NOTHING) == found
    if not prior:
        moved = [sympy.expand(g.subs({X: X - 3})) for g in generators]
        assert over(moved, {**box, "x": (low + 3, high + 3)}) == found


@pytest.mark.parametrize("seed", range(6))
def test_known_points_bound_from_above_and_one_attains(seed):
    """Cusps, nodes and crossings at points that are planted, all roots of small equations."""
    rng = random.Random(100 + seed)
    a, b = rng.choice([2, 3]), rng.choice([2, 3, 5])
    kinds = {
        "cusp": ((X**2 - a) ** 2 - (Y**2 - b) ** 3, Pair.of("5/12")),
        "flat": ((X**2 - a) ** 2 + (Y**2 - b) ** 4, Pair.of("3/8")),
        "tacnode": ((X**2 - a) ** 2 - (Y**2 - b) ** 4, Pair.of("3/8")),
        "crossing": ((X**2 - a) * (Y**2 - b), Pair.of("1/2", 2)),
    }
    f, expected = kinds[rng.choice(sorted(kinds))]
    box = {"x": (0, 3), "y": (0, 3)}
    assert over([sympy.expand(f)], box) == expected
    local = rlct.ideal([str(f)], at={"x": f"sqrt({a})", "y": f"sqrt({b})"})
    assert local.pair == expected
    far = {"x": (0, 1), "y": (0, 1)}
    away = over([sympy.expand(f)], far)
    assert away == NOTHING or away > expected


# More than two variables

CUBE = {"x": (-2, 2), "y": (-2, 2), "z": (-2, 2)}
HIGH = {"x": (-1, 1), "y": (-1, 1), "z": ("1/2", 2)}
IN_SPACE = {
    "separate points": (["x**2-2", "y**2-3", "z-1"], CUBE, None, ("3/2", 1)),
    "separate cusps": (["(x**2-2)**2-(y**2-3)**3", "z**2-2"], CUBE, None, ("11/12", 1)),
    "separate factors": (["((x**2-2)**2-(y**2-3)**3)*(z**2-2)"], CUBE, None, ("5/12", 1)),
    "separate factors, equal": (["(x**2+y**2-1)*(z**2-2)"], CUBE, None, ("1/2", 2)),
    "separate, no zero": (["x**2-2", "y**2+z**2+1"], CUBE, None, NOTHING),
    "separate, prior": (["x**2", "y*z"], CUBE, "x*y*z", ("3/2", 2)),
    "sphere": (["x**2+y**2+z**2-1"], CUBE, None, ("1/2", 1)),
    "irrational sphere": (["x**2+y**2+z**2-2/7"], CUBE, None, ("1/2", 1)),
    "no sphere": (["x**2+y**2+z**2+1"], CUBE, None, NOTHING),
    "sphere and plane": (["(x**2+y**2+z**2-1)*(x-y)"], CUBE, None, ("1/2", 2)),
    "sphere and double plane": (["(x**2+y**2+z**2-1)*(x-y)**2"], CUBE, None, ("1/4", 1)),
    "sphere in a plane": (["x**2+y**2+z**2-1", "x+y+z"], CUBE, None, ("1", 1)),
    "cone": (["x**2+y**2-z**2"], CUBE, None, ("1/2", 1)),
    "cone without its vertex": (["x**2+y**2-z**3"], HIGH, None, ("1/2", 1)),
    "axis with prior": (["z**2*(x+y-z-1)"], CUBE, "z**2", ("1/2", 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", IN_SPACE)
def test_values_in_space(name):
    generators, box, prior, expected = IN_SPACE[name]
    expected = expected if isinstance(expected, str) else Pair.of(*expected)
    assert over(generators, box, prior) == expected


def test_what_is_too_large_has_bounds():
    box = {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}
    long = "+".join(f"x**{i}*y**{j}*z**{9 - i - j}" for i in range(9) for j in range(9 - i))
    result = rlct.ideal(["x*y", "y*z", f"(z*x-x*y)*(1+{long})"], over=box, timeout=0.01)
    assert rlct.verify(result.certificate)
    assert result.status == "bounds"
    assert result.lower <= Fraction(3, 4) <= (result.upper or 1)


CORNERS = {
    # By hand: x+y+z ≥ 0 vanishes at the corner only, where V(t) is a corner of volume t^(3/2)/6.
    "corner": (["x+y+z"], {"x": (0, 1), "y": (0, 1), "z": (0, 1)}, None, ("3/2", 1)),
    "mirrored": (["x+y-z"], {"x": (0, 1), "y": (0, 1), "z": (-1, 0)}, None, ("3/2", 1)),
    "far corner": (["x+y", "z"], {"x": (0, 1), "y": (-2, -1), "z": (0, 1)}, None, ("3/2", 1)),
    "lines": (["x*y", "y*z", "z*x"], dict.fromkeys("xyz", (-1, 1)), None, ("3/4", 1)),
    "unit": (["x*y*z"], {"x": (-1, 1), "y": (-1, 1), "z": (1, 2)}, None, ("1/2", 2)),
    "prior": (["x*y+x*z"], {"x": (-1, 1), "y": (0, 1), "z": (0, 1)}, "x**2*y", ("3/2", 2)),
    "no zero": (["x+y+z"], {"x": (0, 1), "y": (1, 2), "z": (0, 1)}, None, NOTHING),
}


@pytest.mark.parametrize("name", CORNERS)
def test_terms_that_cannot_cancel_on_the_box(name):
    generators, box, prior, expected = CORNERS[name]
    expected = expected if isinstance(expected, str) else Pair.of(*expected)
    assert over(generators, box, prior) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_no_point_of_the_box_is_worse_where_terms_cannot_cancel(seed):
    """The corner 0 against questions at the other points with coordinates 0, 1 and 2."""
    rng = random.Random(seed)
    letters = sympy.symbols("x y z")
    generators = [math.prod(letters) * sum(letters)]
    for _ in range(rng.randint(1, 3)):
        terms = [
            rng.randint(1, 3) * math.prod(x ** rng.randint(0, 2) for x in letters)
            for _ in range(rng.randint(1, 3))
        ]
        if not any(term.is_number for term in terms):
            generators.append(sum(terms))
    result = rlct.ideal(list(map(str, generators)), over={str(x): (0, 2) for x in letters})
    assert "positive" in result.method
    assert rlct.verify(result.certificate)
    seen = 0
    for point in itertools.product((0, 1, 2), repeat=3):
        chart = {x: {0: x, 1: 1 + x, 2: 2 - x}[a] for x, a in zip(letters, point, strict=True)}
        moved = [sympy.expand(g.subs(chart, simultaneous=True)) for g in generators]
        if any(g.subs(dict.fromkeys(letters, 0)) for g in moved):
            continue
        walls = {x for x, a in zip(letters, point, strict=True) if a != 1}
        used = set().union(*(g.free_symbols for g in moved))
        there = rlct.ideal(list(map(str, moved)), nonneg=[str(x) for x in walls & used])
        assert there.pair is not None
        assert there.pair >= result.pair
        if not any(point):
            assert there.pair == result.pair
        seen += 1
    assert seen >= 2


def test_a_certificate_for_one_orthant_is_none_for_the_whole_box():
    certificate = rlct.ideal(["x+y+z"], over=dict.fromkeys("xyz", (0, 1))).certificate
    assert certificate["proof"]["rule"] == "positive"
    forged = json.loads(json.dumps(certificate))
    forged["question"]["sides"][2] = ["-1", "1"]
    with pytest.raises(CertificateError, match="may cancel"):
        rlct.verify(forged)


def test_a_time_limit_gives_bounds():
    K = "((x**2+y**2-1)**3-x**2*y**3)**2*(x-y+z**2)**2"
    result = rlct.poly(K, over=CUBE, timeout=0.05)
    assert rlct.verify(result.certificate)
    assert result.lower > 0


@pytest.mark.slow
@pytest.mark.parametrize("f", ["(x**2+y**2+z**2-2)*(x-2*y)", "x**2+2*y**2-z**2", "x*y+z-1"])
def test_laws_in_space(f):
    """Shifts, and the least of the two halves of a box."""
    box = {"x": (-1, 1), "y": (-1, 1), "z": (-1, 1)}
    whole = over([f], box)
    halves = [over([f], {**box, "x": side}) for side in ((-1, "1/3"), ("1/3", 1))]
    assert min(halves) == whole
    assert over([f.replace("x", "(x-2)")], {**box, "x": (1, 3)}) == whole
