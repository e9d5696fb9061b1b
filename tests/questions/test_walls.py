"""Linear walls: values known from Dirichlet's integrals, and from sampled volumes."""

import itertools
import pickle
import random
from fractions import Fraction

import numpy as np
import pytest

import rlct
from rlct.answers.document import problem_question
from rlct.certificate.walls import without_walls
from rlct.errors import InputError, NegativeError
from rlct.pair import Pair
from rlct.questions.problem import Problem


def forms_of(rng, names):
    """Barycentric coordinates of a random simplex, as texts, and its vertices."""
    n = len(names)
    while True:
        vertices = [[Fraction(rng.randint(-2, 2)) for _ in names] for _ in range(n + 1)]
        edges = np.array(
            [[float(a - b) for a, b in zip(v, vertices[0], strict=True)] for v in vertices[1:]]
        )
        if abs(np.linalg.det(edges)) > 0.5:
            break
    import sympy

    x = sympy.symbols(list(names))
    matrix = sympy.Matrix([[*map(sympy.Rational, map(str, v)), 1] for v in vertices]).T
    barycentric = matrix.inv() * sympy.Matrix([*x, 1])
    return [str(b) for b in barycentric], vertices


@pytest.mark.parametrize("seed", range(8))
def test_products_of_barycentric_coordinates_have_the_pairs_of_dirichlets_integral(seed):
    # ∫ Π b_i^(e_i z) over the simplex is Π Γ(e_i z + 1) / Γ(Σ e_i z + n + 1).
    rng = random.Random(seed)
    names = "xyz"[: rng.choice([2, 2, 3])]
    forms, _ = forms_of(rng, names)
    exponents = [rng.choice([0, 1, 2, 2, 3]) for _ in forms]
    if not any(exponents):
        exponents[0] = 1
    K = "*".join(f"({b})**{e}" for b, e in zip(forms, exponents, strict=True))
    most = max(exponents)
    theta = min(exponents.count(most), len(names))
    answer = rlct.poly(K, over=(-2, 2), nonneg=forms, timeout=30)
    assert answer.pair == Pair(Fraction(1, most), theta)
    assert rlct.verify(answer.certificate)


@pytest.mark.parametrize("seed", range(8))
def test_the_pair_at_a_vertex_and_that_over_the_simplex(seed):
    # K = Σ b_i^(e_i) without b_0 is 0 at the vertex 0 alone: {K < t} has the volume t^(Σ 1/e_i).
    rng = random.Random(100 + seed)
    names = "xyz"[: rng.choice([2, 3])]
    forms, vertices = forms_of(rng, names)
    exponents = [rng.choice([1, 2, 3]) for _ in names]
    K = "+".join(f"({b})**{e}" for b, e in zip(forms[1:], exponents, strict=True))
    known = Pair(sum(Fraction(1, e) for e in exponents), 1)
    at = dict(zip(names, vertices[0], strict=True))
    extra = [f"{forms[1]} + 2*({forms[2]})", f"{forms[0]}"]  # follow, or do not meet the vertex
    answer = rlct.poly(K, at=at, nonneg=[*forms[1:], *extra])
    assert answer.pair == known
    assert rlct.verify(answer.certificate)
    lower, upper = rlct.poly(K, over=(-2, 2), nonneg=forms, timeout=4).bounds
    assert lower == upper == known if len(names) == 2 else lower <= upper == known


def sampled_exponent(K, inside, dimension):
    """The slope of log volume of {K < t} in log t, from uniform points in the unit cube."""
    points = np.random.default_rng(0).random((4_000_000, dimension)).T
    values = np.sort(K(*points[:, inside(*points)]))
    low, high = np.searchsorted(values, [1e-2, 1e-1])
    assert low > 150
    return np.log10(high / low)  # its standard deviation is below 0.04


@pytest.mark.parametrize(
    ("text", "K", "walls", "inside", "other"),
    [
        # The last entry is a value that the same test refuses.
        (
            "1-x-y+(x-y)**2",
            lambda x, y: 1 - x - y + (x - y) ** 2,
            ["x+y<=1"],
            lambda x, y: x + y <= 1,
            1,
        ),
        ("x+y**2", lambda x, y: x + y**2, ["x<=y"], lambda x, y: x <= y, 2),
        ("(y-x)**2+y", lambda x, y: (y - x) ** 2 + y, ["x<=y"], lambda x, y: x <= y, 1),
        (
            "(1-x-y)**2+x**3",
            lambda x, y: (1 - x - y) ** 2 + x**3,
            ["x+y<=1"],
            lambda x, y: x + y <= 1,
            Fraction(4, 3),
        ),
    ],
)
def test_sampled_volumes_have_the_exponent(text, K, walls, inside, other):
    known = rlct.poly(text, over=(0, 1), nonneg=walls).lam
    slope = sampled_exponent(K, inside, 2)
    assert abs(slope - float(known)) < 0.15
    assert abs(slope - float(other)) > 0.15


def test_a_wall_raises_the_pair_and_a_wall_beside_the_point_does_not():
    free = rlct.poly("(x-y)**2*x**2").pair
    assert free == Pair.of("1/2", 2)
    assert rlct.poly("(x-y)*x", nonneg=["x", "x-y"]).pair == Pair(1, 2)
    assert rlct.poly("(x-y)**2*x**2", nonneg=["x-y+1"]).pair == free
    with pytest.raises(NegativeError):
        rlct.poly("(x-y)*x", nonneg=["x-y"])


def test_walls_beside_the_point_change_no_coordinates():
    text = rlct.poly("x**2", nonneg=["x+1"]).explain()
    assert "Coordinates in which" not in text


def test_walls_name_variables_that_look_like_products():
    assert rlct.poly("ab**2 + x", nonneg=["x >= 0", "ab <= 2*x + 1"]).pair == Pair.of("3/2", 1)
    assert rlct.poly("ab**2", over={}, nonneg=["0 <= ab <= 1"]).pair == Pair.of("1/2", 1)
    with pytest.raises(InputError, match="could mean a product"):
        rlct.poly("ab**2 + x", nonneg=["x >= 0"])


def test_irrational_points_lie_on_walls():
    edge = {"x": "sqrt(2)", "y": "sqrt(2)"}
    answer = rlct.poly("(x**2-2)**2 + (x-y)**3", at=edge, nonneg=["x >= y"])
    assert answer.pair == Pair.of("5/6", 1)
    assert rlct.verify(answer.certificate)


def test_the_checker_makes_the_change_itself_and_questions_are_portable():
    problem = Problem.poly("z*(1-x-y)", at=(1, 0, 0), prior="z", nonneg=["x+y<=1", "y", "z"])
    moved = problem_question(problem)
    assert moved["kind"] == "walls"
    assert moved["question"]["generators"] != without_walls(moved)["generators"]
    again = pickle.loads(pickle.dumps(problem))
    assert problem_question(again) == moved
    assert again.where == "at x = 1, y = 0, z = 0, -x - y + 1 >= 0, y >= 0, z >= 0"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"nonneg": ["x*y"]}, "is not linear"),
        ({"nonneg": ["1"]}, "has no variable"),
        ({"nonneg": ["x <="]}, "no inequality such as"),
        ({"nonneg": ["1-x-u"]}, "names u, which does not occur"),
        ({"nonneg": ["x+y-1"]}, "outside x \\+ y - 1 >= 0"),
        ({"nonneg": ["x", "-x"]}, "leave some out"),
        ({"nonneg": ["x-y", "y"], "prior": "x"}, "no monomial beside the walls"),
        ({"over": (0, 1), "nonneg": ["x+y <= -1"]}, "bound no simplex"),
        ({"over": (0, 1), "nonneg": ["x+y <= 0"]}, "bound no simplex"),
        ({"over": (0, 1), "nonneg": ["2*x+2*y >= 1"]}, "bound no simplex"),
        ({"over": {}, "nonneg": ["x >= 0", "x+y <= 1"]}, "bound no simplex"),
        ({"over": {"x": (0, 1)}, "nonneg": ["y >= 0"]}, "no interval for y"),
        ({"over": (0, 1), "nonneg": ["x >= 1"]}, "is empty"),
        ({"over": (0, 1), "nonneg": ["x+y <= 1"], "prior": "x"}, "no monomial beside the walls"),
    ],
)
def test_what_is_no_domain_is_refused_with_what_to_type(options, words):
    with pytest.raises(InputError, match=words):
        rlct.poly("x**2+y**2", **options)


def test_four_planes_through_a_point_of_space_are_no_coordinates():
    pyramid = [f"z {s} {v}" for s, v in itertools.product("+-", "xy")]
    with pytest.raises(InputError, match="leave some out"):
        rlct.poly("x**2+y**2+z**2", nonneg=pyramid)
    # Three of them are, and the larger domain bounds from below.
    assert rlct.poly("x**2+y**2+z**2", nonneg=pyramid[:3]).pair == Pair.of("3/2", 1)
