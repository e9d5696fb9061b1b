"""Interval arithmetic in integers: a pair (a, b) at precision n stands for [a, b]/2^n."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

ScaledInterval = tuple[int, int]


def interval(low: Fraction, high: Fraction, bits: int) -> ScaledInterval:
    """Round outwards.

    >>> interval(Fraction(1, 3), Fraction(1, 2), 2)
    (1, 2)
    """
    unit = 1 << bits
    return (low * unit).__floor__(), (high * unit).__ceil__()


def multiply(x: ScaledInterval, y: ScaledInterval, bits: int) -> ScaledInterval:
    """Product."""
    ends = (x[0] * y[0], x[0] * y[1], x[1] * y[0], x[1] * y[1])
    return min(ends) >> bits, -(-max(ends) >> bits)


def excludes_zero(x: ScaledInterval) -> bool:
    """Whether no number of the interval is 0."""
    return x[0] > 0 or x[1] < 0


def enclose_polynomial(
    terms: Mapping[tuple[int, ...], Fraction], box: Sequence[ScaledInterval], bits: int
) -> ScaledInterval:
    """Enclose the values of a polynomial on a box.

    >>> enclose_polynomial({(2,): Fraction(1), (0,): Fraction(-2)}, [(3, 4)], 1)  # 3/2 ≤ x ≤ 2
    (0, 4)
    """
    tables: dict[tuple[int, int], ScaledInterval] = {}
    lower = upper = 0
    for m, c in terms.items():
        value = interval(c, c, bits)
        for i, e in enumerate(m):
            if e:
                if (i, e) not in tables:
                    tables[i, e] = _power(box[i], e, bits)
                value = multiply(value, tables[i, e], bits)
        lower, upper = lower + value[0], upper + value[1]
    return lower, upper


def _power(x: ScaledInterval, e: int, bits: int) -> ScaledInterval:
    ends = x[0] ** e, x[1] ** e
    shift = bits * (e - 1)
    lower, upper = min(ends), max(ends)
    if e % 2 == 0 and x[0] <= 0 <= x[1]:
        lower = 0
    return lower >> shift, -(-upper >> shift)


def enclose_determinant(matrix: Sequence[Sequence[ScaledInterval]], bits: int) -> ScaledInterval:
    """Enclose the determinants of all matrices with entries in these intervals."""
    if len(matrix) == 1:
        return matrix[0][0]
    lower = upper = 0
    for j, entry in enumerate(matrix[0]):
        minor = enclose_determinant([[*row[:j], *row[j + 1 :]] for row in matrix[1:]], bits)
        a, b = multiply(entry, minor, bits)
        lower, upper = (lower + a, upper + b) if j % 2 == 0 else (lower - b, upper - a)
    return lower, upper
