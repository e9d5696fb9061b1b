"""Factors over Q: those of sympy, and products of known irreducible ones."""

import random
from math import prod

import pytest
from sympy import QQ, sqrt

import rlct
from rlct.algebra.division import quotient_if_whole
from rlct.algebra.factoring import (
    _content,
    _redundant,
    common_divisor,
    irreducible_factors,
    perfect_power,
    squarefree_factors,
)
from rlct.algebra.modular_images import irreducible_in, squarefree_in
from rlct.algebra.polynomial import content_and_factors, make_ring

RING = make_ring(["x", "y", "z", "w"])
x, y, z, w = RING.gens


def drawn(rng):
    """A sparse polynomial in four variables, with an exponent that may be large."""
    stretch = rng.choice([1, 1, 1, 5])
    terms = {}
    for _ in range(rng.randint(2, 4)):
        a, *rest = (rng.randint(0, 3) for _ in RING.gens)
        terms[(a * stretch, *rest)] = RING.domain(rng.choice([-3, -1, 1, 2]), rng.choice([1, 1, 2]))
    return RING.from_dict(terms)


@pytest.mark.parametrize("seed", range(24))
def test_the_same_factors_as_sympy(seed):
    rng = random.Random(seed)
    factors = [drawn(rng) ** rng.choice([1, 1, 2]) for _ in range(rng.choice([1, 1, 2, 3]))]
    p = prod(factors, start=RING.one)
    content, found = content_and_factors(p)
    expected = [(f.monic(), e) for f, e in p.factor_list()[1]]
    assert sorted((str(f), e) for f, e in found) == sorted((str(f), e) for f, e in expected)
    assert prod((f**e for f, e in found), start=RING.ground_new(content)) == p


#: Irreducible factors, where quick arguments could go wrong.
KNOWN = {
    "reducible modulo every prime": [x**4 + 1, x**4 - 10 * x**2 * y**2 + y**4],
    "reducible where all variables but one are ±1": [2 * y**3 + z**4 * y**2 - 3 * z**20],
    "factors of one degree": [x**2 + y**3, x**2 - 2 * y**3 + z],
    "a factor in fewer variables": [y**2 + z**2, x**2 + y * z**2],
    "two contents": [y**2 + y + 3, x**3 + 2, x**2 * y**2 + 5],
    "weights without a variable of weight 1": [x**2 - y**3, x**2 + 2 * y**3],
    "a variable of weight 1": [x**2 * z**6 - 2, x**2 * z**6 + y],
    "powers of one monomial": [x**3 * y**3 * z**6 + 2],
    "a root of the leading coefficient": [(y**2 - y) * x**2 + 1],
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_factors(name):
    expected = [f.monic() for f in KNOWN[name]]
    for exponents in ([1] * len(expected), [2] + [1] * (len(expected) - 1)):
        p = prod((f**e for f, e in zip(expected, exponents, strict=True)), start=RING.one)
        found = irreducible_factors(p)
        wanted = [(str(f), e) for f, e in zip(expected, exponents, strict=True)]
        assert sorted((str(f), e) for f, e in found) == sorted(wanted)


def test_a_weight_above_one_is_not_left_out():
    """At x = 1 the irreducible x − y² is a product; the weights of x and y are 2 and 1."""
    p = x - y**2
    i, c = _redundant(p)
    assert (i, c) == (1, [-2, 0, 0, 0])
    assert content_and_factors(p)[1] == ((p.monic(), 1),)
    assert _redundant(x**2 - y**3) is None
    assert _redundant(x**2 - x + y) is None


def test_degrees_alone_do_not_show_a_content():
    """y·(x² + y) has no factor of degree 1 in x: what is free of x is looked for first."""
    p = (y**2 + 1) * (x**2 + y)
    assert irreducible_in(p, 0)
    assert _content(p, 0) == y**2 + 1
    assert len(irreducible_factors(p)) == 2


@pytest.mark.slow
def test_reducible_polynomials_are_never_called_irreducible():
    rng = random.Random(7)
    for _ in range(60):
        f, g = drawn(rng), drawn(rng)
        p = f * g
        for i in range(4):
            if min(max(m[i] for m in q.itermonoms()) for q in (f, g)):
                assert not irreducible_in(p, i)


def test_large_exponents_take_no_time(seconds_so_far):
    p = x**848 * y**5 * z**4 + 3 * x**652 * y**4 * z**4 - w**2 * x**392 * y**2 * z**3 + w**5
    began = seconds_so_far()
    assert irreducible_factors(p) == [(p.monic(), 1)]
    assert seconds_so_far() - began < 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_exponents_on_a_line(seed):
    rng = random.Random(seed)
    v = [rng.randint(-4, 4) for _ in range(3)] + [rng.choice([-3, 3])]
    factors = []
    for _ in range(rng.randint(1, 3)):
        terms = {n: rng.choice([-2, -1, 1, 3]) for n in (0, *rng.sample(range(1, 4), 2))}
        lows = [min(n * a for n in terms) for a in v]
        factors.append(
            RING.from_dict(
                {
                    tuple(n * a - low for a, low in zip(v, lows, strict=True)): RING.domain(c)
                    for n, c in terms.items()
                }
            )
        )
    p = prod(factors, start=RING.one)
    found = irreducible_factors(p)
    expected = [(str(f.monic()), e) for f, e in p.factor_list()[1]]
    assert sorted((str(f), e) for f, e in found) == sorted(expected)


def test_exponents_on_a_line_may_be_large(seconds_so_far):
    p = (x**299 - y**301) ** 2 * (x**299 + 2 * y**301)
    began = seconds_so_far()
    found = irreducible_factors(p)
    assert {(y**301 - x**299, 2), (y**301 + x**299 / 2, 1)} == set(found)
    assert seconds_so_far() - began < 2
    assert irreducible_factors(x * y - z * w) == [(x * y - z * w, 1)]


def test_number_fields():
    ring = RING.clone(domain=QQ.algebraic_field(sqrt(2)))
    a, b, *_ = ring.gens
    root = ring(ring.domain.from_sympy(sqrt(2)))
    assert len(irreducible_factors(a**2 - 2 * b**2)) == 2
    p = a**2 - root * b**3
    assert irreducible_factors(p) == [(p.monic(), 1)]


@pytest.mark.parametrize("seed", range(30))
def test_the_same_quotient_as_sympy(seed):
    rng = random.Random(seed)
    f, g = drawn(rng), drawn(rng)
    assert quotient_if_whole(f * g, g) == f
    for p in (f, f * g + drawn(rng)):
        quotient, rest = p.div(g)
        assert quotient_if_whole(p, g) == (None if rest else quotient)


@pytest.mark.parametrize("seed", range(30))
def test_the_same_common_divisor_as_sympy(seed):
    rng = random.Random(seed)
    f, g = drawn(rng), drawn(rng)
    if rng.random() < 0.5:
        h = drawn(rng)
        f, g = f * h, g * h
    assert str(common_divisor(f, g).monic()) == str(f.gcd(g).monic())
    assert common_divisor(f, RING.zero) == f
    assert common_divisor(RING.zero, g) == g


def test_common_divisors_that_few_primes_show():
    """Images share factors by chance, or for all values of one sign."""
    assert common_divisor(x**2 - y**2, x - y * z) == 1
    assert common_divisor((x - 101 * y) * z, (x - 202 * y) * z**2) == z
    p = prod(range(1, 160))
    assert common_divisor(x + p * y, x - p * y) == 1
    q = common_divisor((x**2 + 1) * (y + p), (x**2 + 1) * (y - p))
    assert q == x**2 + 1


def test_repeated_factors_are_never_denied():
    rng = random.Random(11)
    denied = 0
    for _ in range(60):
        f, g = drawn(rng), drawn(rng)
        for i in range(4):
            if f.degree(RING.gens[i]) > 0:
                assert not squarefree_in(f**2 * g, i)
                denied += squarefree_in(f, i)
    assert denied > 40


def test_repeated_factors_over_a_root():
    """With w² = 2 the second is (x − wy)²."""
    relation = w**2 - 2
    assert squarefree_in(x**2 - 2 * z**2 * y**2, 0, 3, relation)
    assert not squarefree_in(x**2 - 2 * w * x * y + 2 * y**2, 0, 3, relation)
    assert squarefree_in(x**2 - 2 * w * x * y + 2 * y**2, 0)


@pytest.mark.parametrize(
    ("text", "lam"),
    [
        ("(x - y)**1000", "1/1000"),
        ("(x + y + z + w)**24", "1/24"),
        ("5*(x - 3*y + z**2)**60", "1/60"),
        ("((x**2 - y**3)**60)**2", "1/144"),
        ("(x - y)**200*(x - y)**202", "1/402"),
    ],
)
def test_high_powers_are_seen_at_once(text, lam, seconds_so_far):
    began = seconds_so_far()
    found = rlct.poly(text)
    assert (str(found.lam), found.status) == (lam, "exact")
    assert seconds_so_far() - began < 10
    assert rlct.verify(found.certificate)


def test_a_power_and_a_little_more_is_none():
    x, y, z = make_ring(["x", "y", "z"]).gens
    assert perfect_power((x - y) ** 60 + z) is None
    assert perfect_power((x - y) ** 60 * (x + y)) is None
    assert squarefree_factors((x - y) ** 60 * (x + y)) == [(x + y, 1), (x - y, 60)]
