"""Known sums and products in other coordinates have the pair that they had before."""

import random

import pytest
import sympy

import rlct

LETTERS = sympy.symbols("x y z w v")
# Generators in separate variables, with pairs from the sum and product rules by hand: x²−y³ has
# (5/12, 1), x^k (1/2k, 1), x²−2y² and x²+y² (1/2, 2) and (1/2, 1), xy+yz+zx (1/2, 1).
FORMS = {
    "cusp and power": (["x**2 - y**3", "z**2"], ("2/3", 1)),
    "double cusp and power": (["(x**2 - y**3)**2", "z**4"], ("1/3", 1)),
    "lines and square": (["x**2 - 2*y**2", "z**2"], ("3/4", 2)),
    "two cusps": (["x**2 - y**3", "z**2 - w**5"], ("23/30", 1)),
    "product": (["z**3*(x**2 - y**3)"], ("1/6", 1)),
    "product of cusps": (["(x**2 - y**3)*(z**2 - w**3)"], ("5/12", 2)),
    "cone and square": (["x*y + y*z + z*x", "w**2"], ("3/4", 1)),
    "definite form": (["x**2 + y**2 + z**2"], ("3/4", 1)),
    "common factor": (["x**2*y", "x**2*z**3"], ("1/4", 1)),
}


def linear(rng, symbols):
    while True:
        matrix = sympy.Matrix(len(symbols), len(symbols), lambda *_: rng.randint(-2, 2))
        if matrix.det():
            return list(matrix * sympy.Matrix(symbols))


def triangular(rng, symbols):
    images = list(symbols)
    for i in range(len(symbols) - 1):
        later = symbols[i + 1 :]
        images[i] += rng.choice([-1, 1, 2]) * rng.choice(later) * rng.choice(later)
    return images


def moved(generators, images):
    symbols = LETTERS[: len(images)]
    to = dict(zip(symbols, images, strict=True))
    return [sympy.expand(sympy.sympify(g).subs(to, simultaneous=True)) for g in generators]


def size_of(generators):
    used = set().union(*(sympy.sympify(g).free_symbols for g in generators))
    return max(LETTERS.index(s) for s in used) + 1


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("change", [linear, triangular])
def test_the_pair_stays(name, change):
    generators, (lam, theta) = FORMS[name]
    rng = random.Random(f"{name} {change.__name__}")
    symbols = list(LETTERS[: size_of(generators)])
    result = rlct.ideal(list(map(str, moved(generators, change(rng, symbols)))), timeout=60)
    assert (str(result.lam), result.theta) == (lam, theta)
    assert rlct.verify(result.certificate)


@pytest.mark.parametrize(
    "generators",
    [
        ["(x+y)**2-(z+w)**3", "(x-y)**2-(z-w)**5"],
        ["(x+y)**2-(z+w)**3 + 3*(x-y)**2", "(x+y)**2-(z+w)**3 - (x-y)**2"],
        ["(x + w + y**2)**2*(z - y)", "(z - y)*(w + x*y)**3"],
    ],
)
def test_the_order_of_generators_and_variables_does_not_matter(generators):
    plain = rlct.ideal(generators, timeout=60)
    assert plain.status == "exact"
    names = dict(zip("xyzw", "wzyx", strict=True))
    other = ["".join(names.get(c, c) for c in g) for g in reversed(generators)]
    assert rlct.ideal(other, timeout=60).pair == plain.pair


@pytest.mark.parametrize(
    ("generators", "prior", "pair"),
    [
        # x carries its prior: (x², prior x) has (1/2, 1), the cusp in y + x², z + x has (5/12, 1).
        (["x**2", "(y + x**2)**2 - (z + x)**3"], "x", ("11/12", 1)),
        # The prior's variable is in no part: (w − y)² − z³ and a square in y + z².
        (["(w - y)**2 - z**3"], "x**3", ("5/12", 1)),
    ],
)
def test_priors_go_with_their_variables(generators, prior, pair):
    if "x" not in "".join(generators):
        generators = [g + " + 0*x" for g in generators]
    result = rlct.ideal(generators, prior=prior, timeout=60)
    assert (str(result.lam), result.theta) == pair
    assert rlct.verify(result.certificate)


def test_what_is_constant_along_no_field_is_not_split():
    # Restricted to t = 0 this is (x²+y²+z²)² with 3/4; over R the pair is 1/2.
    result = rlct.poly("(x**2+y**2+z**2+t)**2")
    assert str(result.lam) == "1/2"
    # Varchenko's example jumps down for t < 0: the family is constant along no field.
    family = rlct.ideal(["t*x**2 + x**4 + y**2 + z**2"], timeout=20)
    assert str(family.upper) == "1/2"


@pytest.mark.study
@pytest.mark.parametrize("n", [3, 6, 9, 12])
@pytest.mark.parametrize("signature", ["definite", "indefinite", "singular"])
def test_quadratic_forms_in_any_coordinates(n, signature):
    """(n/4, 1) if definite, (1/2, 1) if not and of rank 3 or more: Morse's lemma."""
    rng = random.Random(f"{n} {signature}")
    symbols = sympy.symbols(f"x0:{n}")
    signs = [-1 if signature != "definite" and i % 2 else 1 for i in range(n)]
    squares = [s * f**2 for s, f in zip(signs, linear(rng, symbols), strict=True)]
    result = rlct.ideal([sympy.expand(sum(squares[: n - (signature == "singular")]))], timeout=20)
    lam = sympy.Rational(n, 4) if signature == "definite" else sympy.Rational(1, 2)
    rank = n - (signature == "singular")
    assert (str(result.lam), result.theta) == (str(lam), 1 if rank > 2 else 2)
    assert rlct.verify(result.certificate)


OUTER = {"b**2 - c*z**3": ("5/12", 1), "b**3 - c*z**4": ("7/24", 1), "b**2 + c*z**5": ("7/20", 1)}


@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("seed", range(3))
def test_coordinates_that_show_one_after_the_other(outer, seed):
    """c = x + r(y) and b, in which x and y are polynomials: weights of b and z alone count."""
    rng = random.Random(f"{outer} {seed}")
    x, y = sympy.symbols("x y")
    c = x + sum(rng.randint(-2, 2) * y**k for k in (1, 2, 3)) + y**2
    b = rng.choice([1, -1]) * y + rng.randint(1, 2) * y**3 + rng.randint(1, 2) * x * y + x**2
    question = sympy.expand(sympy.sympify(outer).subs({"b": b, "c": c}, simultaneous=True))
    result = rlct.ideal([question], timeout=30)
    assert (str(result.lam), result.theta) == OUTER[outer]
    assert rlct.verify(result.certificate)


def test_coordinates_with_parallel_differentials_are_none():
    # b = x + y⁴, c = x = b − y⁴: b³ − b·z² + y⁴z² has 3/8 by the weights (1/3, 1/12, 1/3); if c
    # were a third coordinate it would be b³ − c·z², with 5/12.
    result = rlct.ideal(["(x + y**4)**3 - x*z**2"], timeout=30)
    assert (str(result.lam), result.theta) == ("3/8", 1)
    assert rlct.verify(result.certificate)
