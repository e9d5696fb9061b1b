"""Interval arithmetic in integers: a pair (a, b) at precision n stands for [a, b]/2^n."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

__all__ = ["Interval", "determinant", "enclose", "excludes_zero", "interval"]

Interval = tuple[int, int]


def interval(low: Fraction, high: Fraction, bits: int) -> Interval:
    """Round outwards.

    Examples
    --------
    >>> interval(Fraction(1, 3), Fraction(1, 2), 2)
    (1, 2)
    """
    unit = 1 << bits
    return (low * unit).__floor__(), (high * unit).__ceil__()


def multiply(x: Interval, y: Interval, bits: int) -> Interval:
    """Product."""
    ends = (x[0] * y[0], x[0] * y[1], x[1] * y[0], x[1] * y[1])
    return min(ends) >> bits, -(-max(ends) >> bits)


def excludes_zero(x: Interval) -> bool:
    """Whether no number of the interval is 0."""
    return x[0] > 0 or x[1] < 0


def enclose(
    terms: Mapping[tuple[int, ...], Fraction], box: Sequence[Interval], bits: int
) -> Interval:
    """Enclose the values of a polynomial on a box.

    Examples
    --------
    >>> enclose({(2,): Fraction(1), (0,): Fraction(-2)}, [(3, 4)], 1)        # 3/2 ≤ x ≤ 2
    (0, 4)
    """
    tables: dict[tuple[int, int], Interval] = {}
    low = high = 0
    for m, c in terms.items():
        value = interval(c, c, bits)
        for i, e in enumerate(m):
            if e:
                if (i, e) not in tables:
                    tables[i, e] = _power(box[i], e, bits)
                value = multiply(value, tables[i, e], bits)
        low, high = low + value[0], high + value[1]
    return low, high


def _power(x: Interval, e: int, bits: int) -> Interval:
    ends = x[0] ** e, x[1] ** e
    shift = bits * (e - 1)
    low, high = min(ends), max(ends)
    if e % 2 == 0 and x[0] <= 0 <= x[1]:
        low = 0
    return low >> shift, -(-high >> shift)


def determinant(matrix: Sequence[Sequence[Interval]], bits: int) -> Interval:
    """Enclose the determinants of all matrices with entries in these intervals."""
    if len(matrix) == 1:
        return matrix[0][0]
    low = high = 0
    for j, entry in enumerate(matrix[0]):
        rest = determinant([[*row[:j], *row[j + 1 :]] for row in matrix[1:]], bits)
        a, b = multiply(entry, rest, bits)
        low, high = (low + a, high + b) if j % 2 == 0 else (low - b, high - a)
    return low, high
