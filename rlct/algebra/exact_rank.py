"""Ranks of rational matrices: over the rationals, or from below over a prime field."""

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any, Final

Number = int | Fraction
RESIDUE_PRIME: Final = 2**31 - 1  # products of two residues fit into 64 bits
_FEW_ENTRIES: Final = 200  # of a matrix that is eliminated at once, without loading numpy


def dot_product(a: Sequence[Number], b: Sequence[Number]) -> Fraction:
    """Inner product.

    >>> dot_product([1, Fraction(1, 2)], [2, 4])
    Fraction(4, 1)
    """
    return sum((Fraction(x) * y for x, y in zip(a, b, strict=True)), Fraction(0))


def integer_rows(rows: Sequence[Sequence[Number]]) -> list[list[int]]:
    """Multiply each row by its common denominator; the rank stays.

    >>> integer_rows([[Fraction(1, 2), Fraction(1, 3)]])
    [[3, 2]]
    """
    cleared = []
    for row in rows:
        scale = lcm(*(value.denominator for value in row))
        cleared.append([value.numerator * (scale // value.denominator) for value in row])
    return cleared


def rank_modulo_prime(rows: Sequence[Sequence[Number]], prime: int = RESIDUE_PRIME) -> int:
    """Rank over the field with `prime` elements of the rows, cleared of denominators.

    A minor that is not zero modulo a prime is not zero, so this is a proved lower bound of the
    rank over the rationals; a prime that divides many minors makes it too small.

    >>> rank_modulo_prime([[1, 2], [3, 6]]), rank_modulo_prime([[5]], prime=5)
    (1, 0)
    """
    import numpy as np

    integers = integer_rows(rows)
    if not integers or not integers[0]:
        return 0
    table = np.array([[value % prime for value in row] for row in integers], dtype=np.int64)
    return len(pivot_columns(table.T.copy() if table.shape[0] > table.shape[1] else table, prime))


def pivot_columns(table: Any, prime: int) -> list[int]:
    """Columns that do not depend on earlier ones modulo a prime, by elimination of the table.

    The table is an array of residues, whose products fit into 64 bits; it is overwritten.
    """
    import numpy as np

    pivots: list[int] = []
    for column in range(table.shape[1]):
        pivot_row = len(pivots)
        if pivot_row == table.shape[0]:
            break
        below = np.flatnonzero(table[pivot_row:, column])
        if not below.size:
            continue
        pivot = pivot_row + int(below[0])
        table[[pivot_row, pivot]] = table[[pivot, pivot_row]]
        inverse = pow(int(table[pivot_row, column]), -1, prime)
        table[pivot_row, column:] = table[pivot_row, column:] * inverse % prime
        others = pivot_row + 1 + np.flatnonzero(table[pivot_row + 1 :, column])
        factors = table[others, column, None]
        products = factors * table[pivot_row, column:]
        table[others, column:] = (table[others, column:] - products) % prime
        pivots.append(column)
    return pivots


def matrix_rank(rows: Sequence[Sequence[Number]], most: int | None = None) -> int:
    """Rank over the rationals, which is known to be at most ``most``.

    A large matrix is looked at modulo a prime first: a rank from below that no rank can exceed is
    the rank, and costs nothing where exact elimination of long fractions takes minutes.

    >>> matrix_rank([[1, 2], [2, 4], [Fraction(1, 2), 3]])
    2
    """
    height, width = len(rows), len(rows[0]) if rows else 0
    most = min(height, width) if most is None else min(height, width, most)
    if height * width > _FEW_ENTRIES and rank_modulo_prime(rows) == most:
        return most
    return len(row_basis(rows))


def row_basis(rows: Sequence[Sequence[Number]]) -> list[list[int]]:
    """Return a basis of the row space in echelon form, with coprime integer entries.

    >>> row_basis([[0, 2, 4], [1, 1, 1], [1, 2, 3]])
    [[1, 1, 1], [0, 1, 2]]
    """
    remaining_rows = [row for row in integer_rows(rows) if any(row)]
    basis: list[list[int]] = []
    column = 0
    while remaining_rows:
        having = [row for row in remaining_rows if row[column]]
        if having:
            # The sparsest pivot keeps the numbers small.
            pivot = _primitive(min(having, key=lambda row: sum(map(bool, row))))
            basis.append(pivot)
            remaining_rows = [row for row in remaining_rows if not row[column]]
            for row in having:
                factor = row[column]
                new = [pivot[column] * a - factor * b for a, b in zip(row, pivot, strict=True)]
                if any(new):
                    remaining_rows.append(_primitive(new))
        column += 1
    return basis


def _primitive(row: Sequence[int]) -> list[int]:
    divisor = gcd(*row)
    return [value // divisor for value in row]


def reduced_echelon(rows: Sequence[Sequence[Number]]) -> tuple[list[list[Fraction]], list[int]]:
    """Return the reduced echelon form, without zero rows, and the columns of its pivots.

    >>> reduced_echelon([[2, 2, 4], [1, 1, 3]])[1]
    [0, 2]
    """
    basis = [[Fraction(value) for value in row] for row in row_basis(rows)]
    pivots = [next(c for c, value in enumerate(row) if value) for row in basis]
    for i in reversed(range(len(basis))):
        scale = basis[i][pivots[i]]
        basis[i] = [value / scale for value in basis[i]]
        for k in range(i):
            factor = basis[k][pivots[i]]
            if factor:
                basis[k] = [a - factor * b for a, b in zip(basis[k], basis[i], strict=True)]
    return basis, pivots


def kernel_basis(rows: Sequence[Sequence[Number]], width: int) -> list[list[Fraction]]:
    """Return a basis of the vectors of length `width` that are orthogonal to all rows.

    >>> kernel_basis([[1, 2, 0]], 3) == [[-2, 1, 0], [0, 0, 1]]
    True
    """
    basis, pivots = reduced_echelon(rows)
    vectors = []
    for free in sorted(set(range(width)) - set(pivots)):
        vector = [Fraction(int(c == free)) for c in range(width)]
        for row, pivot in zip(basis, pivots, strict=True):
            vector[pivot] = -row[free]
        vectors.append(vector)
    return vectors
