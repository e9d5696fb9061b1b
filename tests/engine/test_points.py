"""Points with algebraic coordinates: values by hand, conjugates, substitutions, walls."""

import random

import pytest
import sympy

import rlct
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.questions.points import root

pytestmark = pytest.mark.light

X, Y, Z = sympy.symbols("x y z")
R2, R3 = "sqrt(2)", "sqrt(3)"
GOLDEN = "root(t^2-t-1, 1..2)"


def exactly(generators, **options):
    result = rlct.ideal(generators, **options)
    assert rlct.verify(result.certificate)
    assert result.status == "exact", (generators, result)
    return result.pair


#: Generators of K = Σ g², the point, other options, and the pair.  Near a simple root r of m(t),
#: u = m(x) is a coordinate, which gives most of these values from the usual normal forms.
BY_HAND = {
    "monomial": (["(x**2-2)*y**2"], {"x": R2}, {}, ("1/4", 1)),
    "normal crossing": (["(x**2-2)*y"], {"x": f"-{R2}"}, {}, ("1/2", 2)),
    "smooth, y off zero": (["(x**2-2)*y"], {"x": R2, "y": 3}, {}, ("1/2", 1)),
    "cusp": (["(x**2-2)**2-y**3"], {"x": R2}, {}, ("5/12", 1)),
    "cusp, two roots": (["(x**2-2)**2-(y**2-3)**3"], {"x": R2, "y": f"-{R3}"}, {}, ("5/12", 1)),
    "A4": (["(y-(x**2-2)**2)**2-(x**2-2)**5"], {"x": R2}, {}, ("7/20", 1)),
    "regular": (["x**2-2", "y**2-3"], {"x": R2, "y": R3}, {}, ("1", 1)),
    "regular, degree six": (
        ["x**2-2", "y**3-x"],
        {"x": R2, "y": "root(t^6-2, 1..2)"},
        {},
        ("1", 1),
    ),
    "node of a cubic": (["y**2-(x**2-2)**2*(x+5)"], {"x": f"-{R2}"}, {}, ("1/2", 2)),
    "acnode of a cubic": (["y**2-(x**2-2)**2*(x-5)"], {"x": R2}, {}, ("1/2", 1)),
    "two slopes": (["(x**2-2)**2-2*(y-1)**2"], {"x": R2, "y": 1}, {}, ("1/2", 2)),
    "weights": (["(x**2-2)**2+(y-1)**4"], {"x": R2, "y": 1}, {}, ("3/8", 1)),
    "powers": (["(x**2-2)**3", "y**2"], {"x": R2}, {}, ("5/12", 1)),
    "cube root": (["(x**3-2)**4"], {"x": "root(t^3-2, 1..2)"}, {}, ("1/8", 1)),
    "golden ratio": (["(x**2-x-1)*(y-x)"], {"x": GOLDEN, "y": GOLDEN}, {}, ("1/2", 2)),
    "golden ratio, one factor": (["(x**2-x-1)*(y-x)"], {"x": GOLDEN}, {}, ("1/2", 1)),
    "rational curve": (["y**2-2*x**2"], {"x": 1, "y": R2}, {}, ("1/2", 1)),
    "prior": (["(x**2-2)**2*y"], {"x": R2}, {"prior": "x**5*y**3"}, ("1/4", 1)),
    "prior that counts": (["(x**2-2)*y**4"], {"x": R2}, {"prior": "y**3"}, ("1/2", 2)),
    "wall": (["y+(x**2-2)**2"], {"x": R2}, {"nonneg": ["y"]}, ("3/4", 1)),
    "wall and prior": (["y+(x**2-2)**2"], {"x": R2}, {"nonneg": ["y"], "prior": "y"}, ("5/4", 1)),
    "wall that is not active": (["y+(x**2-2)**2"], {"x": R2}, {"nonneg": ["x"]}, ("1/2", 1)),
    "sum of roots": (["x**4-10*x**2+1", "y"], {"x": f"{R2}+{R3}"}, {}, ("1", 1)),
    "three variables, separate": (["x*y", "z**2-2"], {"z": R2}, {}, ("1", 2)),
    "three variables, weights": (["(z**2-2)**2+x**2+y**4"], {"z": R2}, {}, ("5/8", 1)),
    "three variables, simplex": (["(z**2-2)**2+x**3-y**5"], {"z": R2}, {}, ("1/2", 1)),
    "cone": (["x**2+y**2-z*w**2", "z**2-2"], {"z": R2}, {}, ("1", 1)),
    "no cone": (["x**2+y**2-z*w**2", "z**2-2"], {"z": f"-{R2}"}, {}, ("5/4", 1)),
    "lines": (["(x**2-z*y**2)", "z**2-2"], {"z": R2}, {}, ("1", 2)),
    "no lines": (["(x**2-z*y**2)", "z**2-2"], {"z": f"-{R2}"}, {}, ("1", 1)),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name):
    generators, at, options, (lam, theta) = BY_HAND[name]
    assert exactly(generators, at=at, **options) == Pair.of(lam, theta)


@pytest.mark.parametrize("name", BY_HAND)
def test_a_principal_ideal_is_half_of_its_function(name):
    generators, at, options, (lam, theta) = BY_HAND[name]
    if len(generators) > 1:
        K = "+".join(f"({g})**2" for g in generators)
    else:
        K = f"({generators[0]})**2"
    result = rlct.poly(K, at=at, **options)
    assert rlct.verify(result.certificate)
    assert result.pair == Pair.of(lam, theta)


NORMAL_FORMS = [X * Y, X**2 - Y**3, X**2 + Y**4, (Y - X**2) ** 2 - X**5, X**2 * Y - Y**4]


@pytest.mark.slow
@pytest.mark.parametrize("f", NORMAL_FORMS, ids=str)
def test_substituted_coordinates_and_shifts_change_nothing(f):
    """With u = m(x), v = n(y) at simple roots, and with x + y·(…), the germ is the same."""
    expected = exactly([f])
    rng = random.Random(str(f))
    for _ in range(4):
        m, n = (rng.choice([2, 3, 5]) for _ in range(2))
        shift = rng.randint(-2, 2)
        u, v = X**2 - m, Y**3 - n
        twisted = f.subs({X: u, Y: v + shift * u * Y}, simultaneous=True)
        at = {
            "x": f"{rng.choice(['', '-'])}sqrt({m})",
            "y": f"root(t^3-{n}, 1..2)",
        }
        assert exactly([sympy.expand(twisted)], at=at) == expected
        moved = f.subs({X: X - sympy.Rational(1, 3), Y: Y + shift}, simultaneous=True)
        assert exactly([sympy.expand(moved)], at={"x": "1/3", "y": -shift}) == expected


def test_all_ways_to_write_a_point():
    expected = Pair.of("1/2")
    ways = [
        R2,
        "root(t^2-2, 1..2)",
        "root((t^2-2)*(t-5), 0..3/2)",
        "-root(s^2 - 2, -3/2..-1)",
        "root(t^2-8, 2..3)/2",
        "2*root(2*t^2-1, 0..1)",
        "1+root(t^2+2*t-1, 0..1)",
        sympy.sqrt(2),
        2 * sympy.sqrt(sympy.Rational(1, 2)),
        sympy.CRootOf(X**2 - 2, 1),
        root("t^2-2", 1, 2),
        root(X**2 - 2, 1, 2),
    ]
    for value in ways:
        result = rlct.poly("(x**2-2)**2", at={"x": value})
        assert result.pair == expected
        assert result.where == "at x = root(t^2 - 2, 1..2)"


REFUSED = {
    "root(t^2-2, -2..2)": "2 real roots",
    "root(t^2+2, -2..2)": "no real roots",
    "root(t^2-2, 2..1)": "no real roots",
    "root(t^2-2)": "not of the form",
    "root(t^2-2, 1)": "not of the form",
    "root(t*s-2, 1..2)": "one variable",
    "root(7, 1..2)": "one variable",
    "root(t-t, 1..2)": "constant",
    "root(t^2-2, 1..x)": "exact rational",
    "root(t^2-2, 1..2": "not closed",
    "root(t^100-2, 1..2)": "degree 60",
    "sqrt(-2)": "not negative",
    "sqrt(x)": "not negative",
    "sqrt(2)*y": "exact rational",
    "sqrt(2)^100": "degree in roots",
    "root__0": "exact",
    "root(t^7-2, 1..2) + root(t^7-3, 1..2)": "field of the point",
}


@pytest.mark.parametrize("text", REFUSED)
def test_other_points_are_refused(text):
    with pytest.raises(InputError, match=REFUSED[text]):
        rlct.poly("(x**2-2)**2", at={"x": text})


@pytest.mark.parametrize("value", [1.5, True, None, sympy.pi, sympy.I, sympy.Float("1.5"), X, []])
def test_values_that_are_no_exact_numbers_are_refused(value):
    with pytest.raises(InputError):
        rlct.poly("(x**2-2)**2", at={"x": value})


def test_points_outside_are_refused():
    with pytest.raises(InputError, match="outside x ≥ 0"):
        rlct.poly("(x**2-2)**2", at={"x": f"-{R2}"}, nonneg=["x"])
    with pytest.raises(InputError, match="not 0"):
        rlct.poly("(x**2-3)**2", at={"x": R2})
    with pytest.raises(InputError, match="negative near the point"):
        rlct.poly("x**2-2", at={"x": R2})


def test_what_a_field_leaves_open_has_bounds():
    """Known by its rational twin, (x² − y²)² + w⁵ with 7/20 and θ = 2."""
    result = rlct.ideal(["(x**2-z*y**2)**2+w**5", "z**2-2"], at={"z": R2}, timeout=1e-3)
    assert result.status == "bounds"
    assert rlct.verify(result.certificate)
    assert result.bounds[0] <= Pair.of("17/20", 2) <= result.bounds[1]


def test_a_time_limit_gives_bounds_and_no_error():
    K = "((x**2-2)**4-(y**2-3)**7+(x**2-2)**3*(y**2-3)**2)**2"
    result = rlct.poly(K, at={"x": R2, "y": R3}, timeout=0.001)
    assert rlct.verify(result.certificate)
