"""Sums of squares read off expanded polynomials."""

import random
from fractions import Fraction

import pytest

import rlct
from rlct.algebra.polynomial import make_ring
from rlct.algebra.positivity.squares import squares_of_polynomial

pytestmark = pytest.mark.light


def total(ring, squares):
    return sum((g**2 * ring.domain(c.numerator, c.denominator) for c, g in squares), ring.zero)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_found_adds_up(seed):
    rng = random.Random(seed)
    ring = make_ring(["x", "y", "z"])
    x, y, z = ring.gens
    monomials = [x, y, z, x * y, y * z, x**2, z**2 * x]
    forms = [sum(rng.randint(-2, 2) * m for m in rng.sample(monomials, 3)) for _ in range(2)]
    K = sum((f**2 for f in forms), ring.zero)
    squares = squares_of_polynomial(K)
    if squares is not None:
        assert total(ring, squares) == K
        assert all(c > 0 for c, _ in squares)


def test_a_gram_matrix_that_the_terms_determine():
    ring = make_ring(["a", "b", "c", "d", "e", "f", "g", "h"])
    a, b, c, d, e, f, g, h = ring.gens
    product = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]
    K = sum((p**2 for p in product), ring.zero)
    squares = squares_of_polynomial(K)
    assert squares is not None
    assert total(ring, squares) == K
    assert {p for _, p in squares} == set(product)
    assert rlct.poly(K.as_expr()).pair == rlct.linear([2, 2, 2], rank=0).pair


def test_an_indefinite_form_is_no_sum_of_squares():
    ring = make_ring(["a", "b", "e", "g"])
    a, b, e, g = ring.gens
    just = a**2 * e**2 + 2 * a * b * e * g + b**2 * g**2
    assert squares_of_polynomial(just) is not None
    assert squares_of_polynomial(just + a * b * e * g * ring.domain(1, 10)) is None
    assert squares_of_polynomial(a**2 * e**2 - b**2 * g**2) is None
    assert squares_of_polynomial(ring.zero + a**2 * e**2 * ring.domain(1, 3)) == (
        (Fraction(1, 3), a * e),
    )


def test_parts_in_separate_variables_share_the_constant():
    ring = make_ring(["x", "y", "z", "w"])
    x, y, z, w = ring.gens
    for roots in ((x**2 - 2, y - 1, z * w - 3), (x * y, z - 1), (x**3 - x - 5, y**2 - 1)):
        K = sum((g**2 for g in roots), ring.zero)
        assert squares_of_polynomial(K) == tuple((1, g) for g in roots)
        assert squares_of_polynomial(K - ring(1) / 10**9) is None
    # The least value of x⁴ + x is no rational number: its part cannot be told from the other.
    assert len(squares_of_polynomial(x**4 + x + y**2 + 1)) > 2
