"""Scalar products of the rows of a matrix: the germ of factor analysis and Boltzmann machines."""

from fractions import Fraction

from rlct.pair import Pair


def row_products_pair(rows: int, columns: int) -> Pair:
    """Return the pair of the ideal of a_i·a_l, i < l ≤ p, for vectors a_i in R^k, at 0.

    There are p ≥ 2 ``rows`` and k ≥ 1 ``columns``.

    >>> row_products_pair(3, 2), row_products_pair(3, 3)
    (Pair(3/2, 3), Pair(3/2, 1))
    """
    p, k = rows, columns
    lam = min(Fraction(p * k, 4), Fraction(p * (p - 1), 4))
    return Pair(lam, p if k == p - 1 else 1)
