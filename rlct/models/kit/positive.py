"""Positive factors of a given rank, and the same product with more inner columns."""

from fractions import Fraction

RationalMatrix = list[list[Fraction]]


def positive_factors(rows: int, rank: int, columns: int) -> tuple[RationalMatrix, RationalMatrix]:
    """Positive matrices of full rank ``rank``; their columns sum to one.

    >>> positive_factors(2, 1, 1)
    ([[Fraction(1, 2)], [Fraction(1, 2)]], [[Fraction(1, 1)]])
    """
    return _stochastic(rows, rank), _stochastic(rank, columns)


def _stochastic(rows: int, columns: int) -> RationalMatrix:
    small = min(rows, columns)
    if small == 1:
        return [[Fraction(1, rows)] * columns for _ in range(rows)]
    # A diagonal of weight two, repeated: full rank, every column sums to one.
    return [
        [Fraction(2 if i == j % rows else 1, rows + 1) for j in range(columns)] for i in range(rows)
    ]


def widened_factors(
    left_factor: RationalMatrix, right_factor: RationalMatrix, inner: int
) -> tuple[RationalMatrix, RationalMatrix]:
    """Write U V with more inner columns, positive, and both factors of the same rank as before.

    U′ = U [I, E], V′ = [(I − E E′) V; E′ V] with every column of E equal to 1/r and E′ small;
    column sums of stochastic factors stay one.

    >>> one = [[Fraction(1)]]
    >>> widened_factors(one, one, 2)
    ([[Fraction(1, 1), Fraction(1, 1)]], [[Fraction(1, 2)], [Fraction(1, 2)]])
    """
    rank, added = len(right_factor), inner - len(right_factor)
    share = Fraction(1, rank)
    small = Fraction(1, inner if rank == 1 else 2 * inner)
    first = [row + [sum(row, Fraction(0)) * share] * added for row in left_factor]
    sums = [sum(column, Fraction(0)) for column in zip(*right_factor, strict=True)]
    lost = added * small * share
    second = [[v - lost * s for v, s in zip(row, sums, strict=True)] for row in right_factor]
    second += [[small * s for s in sums] for _ in range(added)]
    return first, second


def exact_matrix_product(
    left_factor: RationalMatrix, right_factor: RationalMatrix
) -> RationalMatrix:
    """Product of exact matrices."""
    columns = list(zip(*right_factor, strict=True))
    return [
        [sum((a * b for a, b in zip(row, c, strict=True)), Fraction(0)) for c in columns]
        for row in left_factor
    ]
