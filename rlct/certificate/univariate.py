"""Real roots of polynomials in one variable: gcd and Sturm's theorem, for the checker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from rlct.certificate import cost

if TYPE_CHECKING:
    from rlct.certificate.field import Number

__all__ = [
    "Dense",
    "count_nonzero_real_roots",
    "count_roots_between",
    "derivative",
    "gcd",
    "has_real_root",
    "has_root_between",
    "horner",
    "quotient",
    "summed",
]

#: Coefficients from the constant term up, without trailing zeros.
Dense: TypeAlias = "Sequence[Number]"


def derivative(p: Dense) -> Dense:
    """Derivative."""
    cost.charge(len(p) * cost.rational(cost.length(p)), "a derivative")
    return [k * c for k, c in enumerate(p)][1:]


def _remainder(dividend: Dense, q: Dense) -> Dense:
    p = list(dividend)
    bits = cost.length(q)
    while len(p) >= len(q):
        own = cost.length(p) + bits
        cost.charge(len(p) + cost.rational(own), "a remainder")
        factor = p[-1] / q[-1]
        cost.charge(2 * len(q) * cost.rational(own + cost.length([factor])), "a remainder")
        offset = len(p) - len(q)
        for k, c in enumerate(q):
            p[offset + k] -= factor * c
        while p and not p[-1]:
            p.pop()
    return p


def gcd(polynomials: Sequence[Dense]) -> Dense:
    """Monic greatest common divisor; [] if all are zero."""
    common: Dense = []
    for p in polynomials:
        a, b = common, p
        while b:
            a, b = b, _remainder(a, b)
        cost.charge(len(a) * cost.rational(2 * cost.length(a)), "a common divisor")
        common = [c / a[-1] for c in a] if a else []
    return common


def quotient(p: Dense, q: Dense) -> Dense:
    """Exact quotient p/q."""
    rest = list(p)
    result: list[Number] = [Fraction(0)] * (len(p) - len(q) + 1)
    for offset in range(len(p) - len(q), -1, -1):
        bits = 2 * cost.length(rest[offset : offset + len(q)]) + 2 * cost.length(q)
        cost.charge(2 * len(q) * cost.rational(bits), "a quotient")
        result[offset] = rest[offset + len(q) - 1] / q[-1]
        for k, c in enumerate(q):
            rest[offset + k] -= result[offset] * c
    return result


def has_real_root(p: Dense) -> bool:
    """Whether p has a real root (p not zero)."""
    return not p[0] or count_nonzero_real_roots(p) > 0


def count_nonzero_real_roots(p: Dense) -> int:
    """Number of distinct real roots of p other than 0 (p not zero).

    Examples
    --------
    >>> count_nonzero_real_roots([Fraction(1), Fraction(0), Fraction(1)])
    0
    >>> count_nonzero_real_roots([Fraction(0), Fraction(-2), Fraction(0), Fraction(1)])
    2
    """
    p = p[next(k for k, c in enumerate(p) if c) :]
    sequence = _sturm(p)
    high = [q[-1] > 0 for q in sequence]
    low = [(q[-1] > 0) == (len(q) % 2 == 1) for q in sequence]
    return _changes(low) - _changes(high)


def count_roots_between(p: Dense, low: Fraction, high: Fraction) -> int:
    """Number of distinct roots of p in (low, high); −1 if an end is a root."""
    sequence = _sturm(p)
    values = [[horner(q, x) for q in sequence] for x in (low, high)]
    if not values[0][0] or not values[1][0]:
        return -1
    before, after = ([v > 0 for v in row if v] for row in values)
    return _changes(before) - _changes(after)


def has_root_between(p: Dense, low: Fraction, high: Fraction) -> bool:
    """Whether p has a root in [low, high] (p not zero).

    Examples
    --------
    >>> has_root_between([Fraction(-2), Fraction(0), Fraction(1)], Fraction(1), Fraction(2))
    True
    """
    return count_roots_between(p, low, high) != 0


def _sturm(p: Dense) -> list[Dense]:
    sequence: list[Dense] = [p, derivative(p)]
    while sequence[-1]:
        sequence.append([-c for c in _remainder(sequence[-2], sequence[-1])])
    sequence.pop()
    return sequence


def horner(p: Sequence[Number | int], x: Number) -> Number:
    """Value of a polynomial."""
    bits = cost.length(p) + len(p) * cost.length([x])
    cost.charge(len(p) * cost.rational(bits), "the value of a polynomial")
    total: Number = Fraction(0)
    for c in reversed(p):
        total = total * x + c
    return total


def summed(numbers: Iterable[Number]) -> Number:
    """Sum, one number after the other."""
    total: Number = Fraction(0)
    for c in numbers:
        cost.charge(cost.rational(cost.length([total]) + cost.length([c])), "a sum of numbers")
        total += c
    return total


def _changes(signs: Sequence[bool]) -> int:
    return sum(a != b for a, b in pairwise(signs))
