"""Real roots of polynomials in one variable: gcd and Sturm's theorem, for the checker."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

__all__ = [
    "derivative",
    "gcd",
    "has_nonzero_real_root",
    "has_real_root",
    "has_root_between",
    "quotient",
    "without_root",
]

#: Coefficients from the constant term up, without trailing zeros.
Dense = list[Fraction]


def derivative(p: Dense) -> Dense:
    """Derivative."""
    return [k * c for k, c in enumerate(p)][1:]


def _remainder(p: Dense, q: Dense) -> Dense:
    p = list(p)
    while len(p) >= len(q):
        factor = p[-1] / q[-1]
        offset = len(p) - len(q)
        for k, c in enumerate(q):
            p[offset + k] -= factor * c
        while p and p[-1] == 0:
            p.pop()
    return p


def gcd(polynomials: Sequence[Dense]) -> Dense:
    """Monic greatest common divisor; [] if all are zero."""
    common: Dense = []
    for p in polynomials:
        a, b = common, list(p)
        while b:
            a, b = b, _remainder(a, b)
        common = [c / a[-1] for c in a] if a else []
    return common


def without_root(p: Dense, root: Fraction) -> Dense:
    """Divide out every factor t − root (p not zero)."""
    while len(p) > 1 and not _value(p, root):
        quotient: Dense = []
        carry = Fraction(0)
        for c in reversed(p):
            carry = c + carry * root
            quotient.insert(0, carry)
        p = quotient[1:]
    return p


def quotient(p: Dense, q: Dense) -> Dense:
    """Exact quotient p/q."""
    p, result = list(p), [Fraction(0)] * (len(p) - len(q) + 1)
    for offset in range(len(p) - len(q), -1, -1):
        result[offset] = p[offset + len(q) - 1] / q[-1]
        for k, c in enumerate(q):
            p[offset + k] -= result[offset] * c
    return result


def has_real_root(p: Dense) -> bool:
    """Whether p has a real root (p not zero)."""
    return p[0] == 0 or has_nonzero_real_root(p)


def has_nonzero_real_root(p: Dense) -> bool:
    """Whether p has a real root other than 0 (p not zero).

    Examples
    --------
    >>> has_nonzero_real_root([Fraction(1), Fraction(0), Fraction(1)])
    False
    >>> has_nonzero_real_root([Fraction(-2), Fraction(0), Fraction(1)])
    True
    """
    while p[0] == 0:
        p = p[1:]
    sequence = _sturm(p)
    high = [q[-1] > 0 for q in sequence]
    low = [(q[-1] > 0) == (len(q) % 2 == 1) for q in sequence]
    return _changes(low) > _changes(high)


def has_root_between(p: Dense, low: Fraction, high: Fraction) -> bool:
    """Whether p has a root in [low, high] (p not zero).

    Examples
    --------
    >>> has_root_between([Fraction(-2), Fraction(0), Fraction(1)], Fraction(1), Fraction(2))
    True
    """
    ends = [[_value(q, x) for q in _sturm(p)] for x in (low, high)]
    if not ends[0][0] or not ends[1][0]:
        return True
    before, after = ([v > 0 for v in values if v] for values in ends)
    return _changes(before) > _changes(after)


def _sturm(p: Dense) -> list[Dense]:
    sequence = [p, derivative(p)]
    while sequence[-1]:
        sequence.append([-c for c in _remainder(sequence[-2], sequence[-1])])
    sequence.pop()
    return sequence


def _value(p: Dense, x: Fraction) -> Fraction:
    total = Fraction(0)
    for c in reversed(p):
        total = total * x + c
    return total


def _changes(signs: Sequence[bool]) -> int:
    return sum(a != b for a, b in pairwise(signs))
