"""Trees of cells: the least pair over a fibre, by hand, by a theorem, and at the origin."""

import random
import re
from fractions import Fraction
from itertools import product

import pytest

import rlct
from rlct.pair import Pair
from rlct.theorems import get_theorem


def around(generators, low=-2, high=2):
    names = {name for g in generators for name in re.findall(r"[a-z]\w*", g)}
    return dict.fromkeys(names, (low, high))


TENSOR = [
    "+".join(f"a{i}{h}*b{j}{h}*c{k}{h}" for h in (1, 2, 3)) for i, j, k in product((1, 2), repeat=3)
]


@pytest.mark.study
def test_terms_of_a_zero_tensor_that_cancel():
    """e₁₁₁ − e₁₁₁ + 0 has λ = 11/4, below what is found at 0."""
    result = rlct.ideal(TENSOR, over=around(TENSOR), timeout=60)
    assert rlct.verify(result.certificate)
    assert 0 < result.lower <= 2
    assert result.upper == Fraction(11, 4)
    assert result.certificate["claim"]["upper"] == "11/4"


@pytest.mark.parametrize(("length", "theta"), [(1, 1), (2, 2)])
def test_short_sequences(length, theta):
    """Of two states: d₁ alone, and d₁ with a·d₂."""
    result = rlct.model("hidden-markov", states=2, symbols=2, length=length)
    assert result.pair == Pair.of(Fraction(length, 2), theta)


def random_ideal(rng):
    """Sums of a few small terms, some less 1."""
    names = "xyzw"
    generators = []
    for _ in range(rng.choice([2, 3])):
        terms = [
            f"{rng.choice([1, -1, 2])}*" + "*".join(rng.choices(names, k=rng.choice([2, 2, 3])))
            for _ in range(rng.choice([1, 2, 3]))
        ]
        generators.append("+".join(terms) + rng.choice(["", "", "-1"]))
    return generators


@pytest.mark.study
@pytest.mark.parametrize("seed", range(20))
def test_no_zero_is_below_the_least_pair(seed):
    """At zeros of small random ideals: what the engine proves there is no less."""
    rng = random.Random(seed)
    generators = random_ideal(rng)
    low = rng.choice([0, -2])
    over = around(generators, low)
    try:
        result = rlct.ideal(generators, over=over, timeout=3)
    except rlct.InputError as error:
        if "no zero" not in str(error) and "zero polynomial" not in str(error):
            raise
        return
    if result.certificate is None:  # the machine was too busy for any bound
        assert result.bounds == (None, None)
        return
    assert rlct.verify(result.certificate)
    names = sorted(over)
    values = (0, 1, 2) if low == 0 else (0, 1, -1)
    for place in product(values, repeat=len(names)):
        at = dict(zip(names, place, strict=True))
        if all(eval(g, {}, at) == 0 for g in generators):  # numbers and names
            walls = [name for name in names if low == 0 and at[name] == 0]
            if 2 in place:
                continue
            local = rlct.ideal(generators, at=at, nonneg=walls, timeout=0.2)
            assert local.bounds[1] is None or result.bounds[0] <= local.bounds[1], at


def exactly(generators, low=-2):
    """The least pair over a box around 0 or from 0 on, which a tree of cells has to prove."""
    result = rlct.ideal(generators, over=around(generators, low), timeout=60)
    assert rlct.verify(result.certificate)
    assert result.certificate["claim"]["status"] == result.status == "exact", (generators, result)
    return result.pair


#: Generators, low end of the box, pair.
BY_HAND = {
    # x = 1/y is one coordinate; then y·z², z·w with y ≠ 0: z or w = 0, z² and zw at z = w = 0.
    "a hyperbola": (["x*y-1", "y*z**2", "x*z*w"], -2, "1", 2),
    # (a, b)·M = (1, 0): one orbit of GL(2), two coordinates.
    "a row times a matrix": (["a*e+b*g-1", "a*f+b*h"], -2, "1", 1),
    # a = 1, e = 1: f + b·h with f, b, h ≥ 0, and f ≥ 0 and bh have (1/2, 1)·2 and (1/2, 2)·2.
    "the same, ≥ 0": (["a*e+b*g-1", "a*f+b*h"], 0, "3/2", 2),
    # x = ±1 is a coordinate; then y + z and y·z: another one, and y².
    "two signs": (["x**2-1", "x*y+x*z", "y*z*x"], -2, "5/4", 1),
    # Units a(bx + cy)² at the truth x²: parallel units 1 + d², a zero unit 1 + a·c².
    "two quadratic units": (
        ["a*b**2+d*e**2-1", "a*b*c+d*e*f", "a*c**2+d*f**2"],
        -2,
        "5/4",
        1,
    ),
    # UUᵀ = E₁₁ for 3 × 2 matrices: one orbit of O(2), three coordinates and |y|⁴ in the plane.
    "a Gram matrix": (
        ["a**2+b**2-1", "a*c+b*d", "a*e+b*f", "c**2+d**2", "c*e+d*f", "e**2+f**2"],
        -2,
        "2",
        1,
    ),
    # UUᵀ = diag(1, 1, 0) for 3 × 3 matrices: five coordinates and |z|², z in R.
    "a Gram matrix of rank two": (
        [
            f"u{i}0*u{j}0+u{i}1*u{j}1+u{i}2*u{j}2" + "-1" * (i == j < 2)
            for i in range(3)
            for j in range(i, 3)
        ],
        -2,
        "11/4",
        1,
    ),
    # a(bx + cy)² − d(ex + fy)²: a smooth zero, e.g. x² − y².
    "an indefinite form": (
        [
            "a1*b1**2+a2*b2**2+a3*b3**2-1",
            "a1*b1*c1+a2*b2*c2+a3*b3*c3",
            "a1*c1**2+a2*c2**2+a3*c3**2+1",
        ],
        -2,
        "3/2",
        1,
    ),
    # Few zeros have coordinates ±1 and 0: y = −1, u = 1 is one.
    "mixed terms": (
        [
            "1+y*u**2-x**2*y*z**2*w*u",
            "y**2*z*w**2*u**2-x**2*y**2*z*w**2*u**2-x**2*y*w*u**2",
            "x**2*y**2*z*w*u+x**2*z*w*u-x**2*y*w*u",
        ],
        -2,
        "7/8",
        1,
    ),
    # Row 1 times column 1 is 1, and b = c = 0 as products ≥ 0: 1/2 + 2·(u, v ↦ uv) and rest.
    "a product, ≥ 0": (["a*e+b*g-1", "a*f+b*h", "c*e+d*g", "c*f+d*h"], 0, "5/2", 3),
    # Units a(bx + cy)² with three terms: 1 and the pair of d·y² + e·z², which is s²(d·u² + e).
    "three quadratic units": (
        ["a*b**2+d*e**2+g*h**2-1", "a*b*c+d*e*f+g*h*i", "a*c**2+d*f**2+g*i**2"],
        -2,
        "3/2",
        2,
    ),
    # p x + q y + r z = 0, p x u + q y v + r z w = 0 at p + q + r = 1: three coordinates, and
    # q y v + r z w, of λ = 1/2; the weights have any sign.
    "parallel terms": (["p+q+r-1", "p*x+q*y+r*z", "p*u+q*v+r*w", "p*x*u+q*y*v+r*z*w"], -2, "2", 1),
    # (a, b)·M = (1, 0) and (0, 1): one orbit of GL(2), four coordinates.
    "an identity": (["a*e+b*g-1", "a*f+b*h", "c*e+d*g", "c*f+d*h-1"], -2, "2", 1),
    # UV = I with entries ≥ 0: monomial matrices; two coordinates, four that are ≥ 0.
    "an identity, ≥ 0": (["a*e+b*g-1", "a*f+b*h", "c*e+d*g", "c*f+d*h-1"], 0, "3", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_HAND)
def test_values_by_hand(name):
    generators, low, lam, theta = BY_HAND[name]
    assert exactly(generators, low) == Pair.of(lam, theta)


#: Sizes of a tensor with H terms at r true ones, pair.
TENSORS = {
    # 2 + the germ of three binomials in 12 variables, (3/2, 4): by hand, with its optimal face.
    ((2, 2, 2), 3, 1): ("7/2", 4),
    # Contraction to two monomial germs: 2 + 3/4 at each.
    ((2, 2, 2), 2, 1): ("11/4", 1),
    # The orbit of e₁₁₁ + e₂₂₂ is open: all eight entries are coordinates.
    ((2, 2, 2), 3, 2): ("4", 1),
}


@pytest.mark.study
@pytest.mark.parametrize("size", TENSORS)
def test_tensors(size):
    dims, terms, true = size
    result = rlct.model("cp", dims=dims, terms=terms, true=true, timeout=60)
    assert result.status == "exact"
    assert result.pair == Pair.of(*TENSORS[size])
    assert rlct.verify(result.certificate)


@pytest.mark.study
def test_a_zero_tensor_is_no_less_singular_where_two_terms_cancel():
    """11/4 at e₁₁₁ − e₁₁₁ + 0 bounds the least pair; at 0 the engine has no more than 2 to 3."""
    result = rlct.model("cp", dims=(2, 2, 2), terms=3, true=0, timeout=20)
    assert result.bounds[0] <= Pair.of("11/4", 1)
    assert result.upper == Pair.of("11/4", 1).lam
    claim = result.certificate["claim"]
    assert [claim["lower"], claim["upper"]] == [str(result.lower), "11/4"]


def test_weights_of_any_sign_do_not_lower_the_bound():
    """At p = (1, 1, −1) and elsewhere the engine, which knows no fibre, has nothing below it."""
    generators, _, lam, theta = BY_HAND["parallel terms"]
    for p, q, r in ((1, 1, -1), (-1, 1, 1), (3, -1, -1), (1, 0, 0)):
        at = {name: v for name, v in zip("pqr", (p, q, r), strict=True) if v}
        assert rlct.ideal(generators, at=at, timeout=20).bounds[1] >= Pair.of(lam, theta)


def entries(widths, rank):
    """Entries of a product of matrices less diag(I, 0)."""
    found = []
    for i, j in product(range(widths[-1]), range(widths[0])):
        terms = []
        for inner in product(*map(range, widths[1:-1])):
            path = [j, *inner, i]
            terms.append(
                "*".join(f"{'abc'[k]}{path[k + 1]}{path[k]}" for k in range(len(path) - 1))
            )
        found.append("+".join(terms) + (" - 1" if i == j < rank else ""))
    return found


@pytest.mark.parametrize(
    ("widths", "rank"), [([1, 2, 1], 1), ([2, 2, 2], 1), ([2, 2, 1], 1), ([1, 2, 2, 1], 1)]
)
def test_linear_networks(widths, rank):
    """Aoyagi's formula is of another source, and so is the fibre's deepest point."""
    expected = get_theorem("deep-linear").apply(widths=widths, rank=rank).pair
    assert exactly(entries(widths, rank)) == expected


@pytest.mark.parametrize("seed", range(6))
def test_what_contracts_to_the_origin_has_its_pair(seed):
    """With positive weights no zero is more singular than the origin, whose pair the engine has."""
    rng = random.Random(seed)
    weights = [rng.choice([1, 2, 3]) for _ in range(3)]
    names = ["x", "y", "z"]
    exponents = [m for m in product(range(4), repeat=3) if 0 < sum(m) <= 4]
    generators = []
    for _ in range(2):
        degree = rng.choice([2, 3, 4, 6])
        alike = [m for m in exponents if sum(map(int.__mul__, weights, m)) == degree]
        chosen = rng.sample(alike, min(2, len(alike)))
        signs = [rng.choice(["+", "-"]) for _ in chosen]
        terms = ["*".join(f"{n}**{e}" for n, e in zip(names, m, strict=True) if e) for m in chosen]
        generators.append("".join(s + t for s, t in zip(signs, terms, strict=True)))
    origin = rlct.ideal(generators)
    used = {name for name in names if any(f"{name}**" in g for g in generators)}
    box = rlct.ideal(generators, over=dict.fromkeys(used, (-1, 1)), timeout=30)
    assert rlct.verify(box.certificate)
    assert box.bounds[0] <= origin.bounds[1]
    assert origin.bounds[0] <= box.bounds[1]


def test_squares_that_vanish_together_over_the_reals_only():
    """Over C a² + b² is a product, and K would be less singular."""
    assert exactly(["a**2+b**2", "a*c", "b*c"]) == rlct.ideal(["a**2+b**2", "a*c", "b*c"]).pair


def test_a_box_off_the_deepest_point_has_no_bound_from_there():
    """At x = 2 the ideal is (y): the contraction to x = 0 proves no more than (1/2, 2)."""
    found = rlct.ideal(["x*y", "y*z"], over={"x": (2, 3), "y": (-1, 1), "z": (-1, 1)}, timeout=10)
    assert found.bounds[0] <= Pair.of("1/2", 1)
    assert found.upper is None or found.upper >= rlct.ideal(["y*(x+2)", "y*z"]).lam
