"""Real roots of polynomials in one variable: gcd and Sturm's theorem, for the checker."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from rlct.certificate import cost
from rlct.certificate.numbers.field import RealField, RealNumber
from rlct.errors import CertificateError

#: Coefficients from the constant term up, without trailing zeros.
DensePoly: TypeAlias = Sequence[RealNumber]


def dense_derivative(p: DensePoly) -> DensePoly:
    """Derivative."""
    cost.charge(len(p) * cost.of_rational(cost.bits_in(p)), "a derivative")
    return [k * c for k, c in enumerate(p)][1:]


def _remainder(dividend: DensePoly, q: DensePoly) -> DensePoly:
    p = list(dividend)
    while len(p) >= len(q):
        cost.charge(len(p) + cost.of_rational(cost.bits_in([p[-1], q[-1]])), "a remainder")
        factor = p[-1] / q[-1]
        offset, more = len(p) - len(q), cost.bits_in([factor])
        for k, c in enumerate(q):
            own = cost.bits_in([c])
            bits = cost.bits_in([p[offset + k]]) + own + more if own > 1 else 0  # c is not 0
            cost.charge(2 * cost.of_rational(bits), "a remainder")
            p[offset + k] -= factor * c
        while p and not p[-1]:
            p.pop()
    return p


def dense_gcd(polynomials: Sequence[DensePoly]) -> DensePoly:
    """Monic greatest common divisor; [] if all are zero."""
    common: DensePoly = []
    for p in polynomials:
        a, b = common, p
        while b:
            a, b = b, _remainder(a, b)
        cost.charge(len(a) * cost.of_rational(2 * cost.bits_in(a)), "a common divisor")
        common = [c / a[-1] for c in a] if a else []
    return common


def dense_quotient(p: DensePoly, q: DensePoly) -> DensePoly:
    """Exact quotient p/q."""
    remainder = list(p)
    result: list[RealNumber] = [Fraction(0)] * (len(p) - len(q) + 1)
    for offset in range(len(p) - len(q), -1, -1):
        bits = 2 * cost.bits_in(remainder[offset : offset + len(q)]) + 2 * cost.bits_in(q)
        cost.charge(2 * len(q) * cost.of_rational(bits), "a quotient")
        result[offset] = remainder[offset + len(q) - 1] / q[-1]
        for k, c in enumerate(q):
            remainder[offset + k] -= result[offset] * c
    if any(remainder):
        raise CertificateError("a division leaves a remainder")
    return result


def has_real_root(p: DensePoly) -> bool:
    """Whether p has a real root (p not zero)."""
    return not p[0] or count_nonzero_real_roots(p) > 0


def count_nonzero_real_roots(p: DensePoly) -> int:
    """Number of distinct real roots of p other than 0 (p not zero).

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


def count_roots_between(p: DensePoly, low: Fraction, high: Fraction) -> int:
    """Number of distinct roots of p in (low, high); −1 if an end is a root."""
    sequence = _sturm(p)
    values = [[dense_value(q, x) for q in sequence] for x in (low, high)]
    if not values[0][0] or not values[1][0]:
        return -1
    before, after = ([v > 0 for v in row if v] for row in values)
    return _changes(before) - _changes(after)


def has_root_between(p: DensePoly, low: Fraction, high: Fraction) -> bool:
    """Whether p has a root in [low, high] (p not zero).

    >>> has_root_between([Fraction(-2), Fraction(0), Fraction(1)], Fraction(1), Fraction(2))
    True
    """
    return count_roots_between(p, low, high) != 0


def _sturm(p: DensePoly) -> list[DensePoly]:
    sequence: list[DensePoly] = [p, dense_derivative(p)]
    while sequence[-1]:
        sequence.append([-c for c in _remainder(sequence[-2], sequence[-1])])
    sequence.pop()
    return sequence


def dense_value(p: Sequence[RealNumber | int], x: RealNumber) -> RealNumber:
    """Value of a polynomial."""
    bits = cost.bits_in(p) + len(p) * cost.bits_in([x])
    cost.charge(len(p) * cost.of_rational(bits), "the value of a polynomial")
    total: RealNumber = Fraction(0)
    for c in reversed(p):
        total = total * x + c
    return total


def sum_of_numbers(numbers: Iterable[RealNumber]) -> RealNumber:
    """Sum, one number after the other."""
    total: RealNumber = Fraction(0)
    for c in numbers:
        cost.charge(cost.of_rational(cost.bits_in([total]) + cost.bits_in([c])), "a sum of numbers")
        total += c
    return total


def real_field(minimal: Sequence[int], low: Fraction, high: Fraction) -> RealField:
    """Q(γ) for the only root γ of a polynomial in an interval; refused if it is not the only one.

    >>> real_field([-2, 0, 1], Fraction(-2), Fraction(2))
    Traceback (most recent call last):
    ...
    rlct.errors.CertificateError: the interval of a field does not isolate one root
    """
    if len(minimal) < 2 or minimal[-1] != 1:
        raise CertificateError("the polynomial of a field is not monic")
    dense: DensePoly = [Fraction(c) for c in minimal]
    if len(dense_gcd([dense, dense_derivative(dense)])) != 1:
        raise CertificateError("the polynomial of a field has a double root")
    if not low < high or count_roots_between(dense, low, high) != 1:
        raise CertificateError("the interval of a field does not isolate one root")
    return RealField(minimal, low, high)


def _changes(signs: Sequence[bool]) -> int:
    return sum(a != b for a, b in pairwise(signs))
