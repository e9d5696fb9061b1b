"""Squares of expanded polynomials, by Gram matrices of low rank."""

import random
from fractions import Fraction

import pytest
from sympy import sympify

import rlct
from rlct.algebra.polynomial import make_ring
from rlct.algebra.positivity.gram import gram_squares, low_rank_squares

RING = make_ring(["x", "y", "z", "w", "u"])


def total(squares):
    domain = RING.domain
    return sum((g**2 * domain(c.numerator, c.denominator) for c, g in squares), RING.zero)


def form(rng, variables, degree, terms):
    """Random terms without a constant, with coefficients up to 9 and some denominators."""
    g = RING.zero
    for _ in range(terms):
        monomial = RING.one
        for _ in range(rng.randint(1, degree)):
            monomial *= rng.choice(variables)
        g += monomial * RING.domain(rng.randint(-9, 9), rng.randint(1, 3))
    return g


@pytest.mark.parametrize("seed", range(24))
def test_squares_are_found_again(seed):
    """Two or three squares in three to five variables; what is found adds up exactly."""
    rng = random.Random(seed)
    variables = RING.gens[: rng.randint(3, 5)]
    roots = [form(rng, variables, 4, rng.randint(2, 6)) for _ in range(rng.randint(2, 3))]
    K = sum((g**2 * rng.randint(1, 3) for g in roots), RING.zero)
    squares = low_rank_squares(K)
    assert squares is not None
    assert total(squares) == K
    assert len(squares) <= len(roots)
    assert all(c > 0 for c, _ in squares)


def test_hidden_by_linear_coordinates():
    x, y, z, w, u = RING.gens
    a, b, c = x + 2 * y - z, 3 * y + w - 2 * u, 3 * z - x + u
    roots = [a**2 + b * c + a**2 * b, b**3 - a * b + c**2]
    squares = low_rank_squares(sum((g**2 for g in roots), RING.zero))
    assert squares is not None
    assert total(squares) == sum((g**2 for g in roots), RING.zero)


def test_no_square_is_claimed_where_there_is_none():
    """Motzkin's form is ≥ 0 and no sum of squares; times x² + y² + z² it is one."""
    x, y, z, _, _ = RING.gens
    motzkin = x**4 * y**2 + x**2 * y**4 + z**6 - 3 * x**2 * y**2 * z**2
    assert low_rank_squares(motzkin) is None
    more = low_rank_squares(motzkin * (x**2 + y**2 + z**2))
    assert more is not None
    assert total(more) == motzkin * (x**2 + y**2 + z**2)
    assert low_rank_squares((x**2 + y * z) ** 2 - (x * y - z**2) ** 2) is None
    assert low_rank_squares((x**2 + y * z) ** 2 + x**2 * z**2 - x**2 * y**2) is None


@pytest.mark.parametrize("size", [10**400, Fraction(1, 10**400)])
def test_numbers_beyond_floating_point(size):
    """Two triangular squares and one that hides them, all multiplied by a number."""
    x, y, z, w, _ = RING.gens
    roots = [
        2 * w * z + x**2 + 5 * y * z,
        3 * w * x**2 - w * y * z - 3 * x * y,
        3 * x * z - 2 * y**2,
    ]
    K = sum((g**2 for g in roots), RING.zero)
    scale = RING.domain(Fraction(size).numerator, Fraction(size).denominator)
    squares = low_rank_squares(K * scale)
    assert squares is not None
    assert total(squares) == K * scale
    assert low_rank_squares(K + scale * x**8 * y**8) is None


def test_large_questions_end(seconds_so_far):
    rng = random.Random(5)
    K = sum((form(rng, RING.gens, 5, 40) ** 2 for _ in range(9)), RING.zero)
    began = seconds_so_far()
    low_rank_squares(K)
    assert seconds_so_far() - began < 30


def test_a_matrix_is_decomposed_or_not_semidefinite():
    one, two = Fraction(1), Fraction(2)
    assert gram_squares([[one, two], [two, one]]) is None
    assert gram_squares([[0 * one, one], [one, one]]) is None
    assert gram_squares([[0 * one, 0 * one], [0 * one, two]]) == [(two, {1: one})]


@pytest.mark.slow
@pytest.mark.parametrize(
    "generators",
    [
        ["-y*z + z**3", "-x**2 - 3*x*y + 2*x*z + 2*z**2"],
        ["(x + 2*y - z)**2 + (y - x*z)**4", "(z + 3*x)*(y - z + x**2)"],
        ["2*w*z + x**2 + 5*y*z", "3*w*x**2 - w*y*z - 3*x*y", "3*x*z - 2*w*z - 3*y**2"],
    ],
)
def test_an_expanded_polynomial_is_answered_like_its_ideal(generators):
    K = sum((RING.from_expr(sympify(g)) ** 2 for g in generators), RING.zero)
    answer = rlct.poly(K.as_expr())
    assert answer.status == "exact"
    assert answer.pair == rlct.ideal(generators).pair
    assert rlct.verify(answer.certificate)
