"""Polynomials of the checker: dictionaries from exponents to numbers, nothing shared."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import add as plus
from operator import le
from typing import Any

from rlct.certificate import cost
from rlct.certificate.field import Field, Number
from rlct.certificate.univariate import summed
from rlct.errors import CertificateError, TooLargeError

__all__ = [
    "Poly",
    "add",
    "among",
    "at",
    "constant",
    "degree",
    "divide",
    "expanded",
    "fraction",
    "least_common_multiple",
    "multiply",
    "number",
    "one_signed",
    "partial",
    "power",
    "read",
    "scale",
    "shift",
    "undivided",
    "variables",
]

Poly = dict[tuple[int, ...], Number]
Whole = dict[tuple[int, ...], Any]

_RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?\Z")


def read(data: Any, width: int, field: Field | None = None) -> Poly:
    """Read a list of [coefficient, exponents]."""
    result: Poly = {}
    if not isinstance(data, list):
        raise CertificateError("a polynomial is not a list of terms")
    cost.charge(len(data) * (30 + width), "a polynomial")
    for item in data:
        if not (isinstance(item, list) and len(item) == 2 and isinstance(item[1], list)):
            raise CertificateError("a term is not [coefficient, exponents]")
        exponents = tuple(item[1])
        if len(exponents) != width or any(type(e) is not int or e < 0 for e in exponents):
            raise CertificateError(f"{item[1]} are not {width} exponents")
        if max(exponents, default=0) > cost.EXPONENT:
            raise TooLargeError(f"an exponent is larger than {cost.EXPONENT:,}")
        if exponents in result:
            raise CertificateError("a monomial occurs twice in a polynomial")
        result[exponents] = number(item[0], field)
        if not result[exponents]:
            raise CertificateError("a polynomial has a zero coefficient")
    return result


def fraction(text: Any) -> Fraction:
    """Read a rational in lowest terms, written as text."""
    value = None
    # Without an exponent: Fraction("1e1000000000") would take for ever.
    if isinstance(text, str) and _RATIONAL.match(text):
        try:
            value = Fraction(text)
        except (ValueError, ZeroDivisionError):
            value = None
    if value is None or str(value) != text:
        raise CertificateError(f"{text!r} is not a rational in lowest terms")
    return value


def number(data: Any, field: Field | None) -> Number:
    """Read a number of a field: the list of the coefficients of 1, γ, γ², …."""
    if field is None:
        return fraction(data)
    if not isinstance(data, list) or len(data) != field.degree:
        raise CertificateError(f"{data!r} is not a number of a field of degree {field.degree}")
    return field.element([fraction(text) for text in data])


def add(*polynomials: Poly) -> Poly:
    """Sum."""
    total: Whole = {}
    parts = [_whole(p) for p in polynomials]
    bottom = least_common_multiple([c for _, c in parts])
    for whole, own in parts:
        factor = bottom // own
        bits = factor.bit_length() + cost.length(whole.values())
        cost.charge(5 + len(whole) * (5 + cost.integer(bits)), "a sum of polynomials")
        for m, c in whole.items():
            total[m] = total.get(m, 0) + (c if factor == 1 else c * factor)
    return _over(total, bottom)


def scale(polynomial: Poly, factor: Number | int) -> Poly:
    """Multiple by a number."""
    bits = cost.length([factor]) + cost.length(polynomial.values())
    cost.charge(len(polynomial) * cost.rational(bits), "a multiple of a polynomial")
    return {m: c * factor for m, c in polynomial.items()} if factor else {}


def multiply(p: Poly, q: Poly) -> Poly:
    """Product."""
    (left, bottom), (right, other) = _whole(p), _whole(q)
    bits = cost.length(left.values()) + cost.length(right.values())
    width = len(next(iter(p), ()))
    each = 5 + width // 2 + cost.integer(bits)
    cost.charge(10 + len(p) * len(q) * each, "a product of polynomials")
    total: Whole = {}
    before = 0
    for m, c in left.items():
        cost.charge((len(total) - before) * (15 + width + bits // 64), "a product of polynomials")
        before = len(total)
        for n, e in right.items():
            key = tuple(map(plus, m, n))
            total[key] = total.get(key, 0) + c * e
    return _over(total, bottom * other)


def _whole(p: Poly) -> tuple[Whole, int]:
    """Integer coefficients over one denominator; numbers of a field stay as they are."""
    bottom = least_common_multiple([c.denominator for c in p.values() if isinstance(c, Fraction)])
    bits = bottom.bit_length() + cost.length(p.values())
    cost.charge(len(p) * (8 + bits // 64 + cost.integer(bits)), "the terms of a polynomial")
    if bottom == 1:
        return {m: c.numerator if isinstance(c, Fraction) else c for m, c in p.items()}, 1
    return {
        m: c.numerator * (bottom // c.denominator) if isinstance(c, Fraction) else c * bottom
        for m, c in p.items()
    }, bottom


def _over(whole: Whole, bottom: int) -> Poly:
    """Divide by a denominator and drop zeros."""
    bits = bottom.bit_length() + cost.length(whole.values())
    cost.charge(len(whole) * cost.rational(bits), "the terms of a polynomial")
    return {
        m: Fraction(c, bottom) if isinstance(c, int) else c if bottom == 1 else c / bottom
        for m, c in whole.items()
        if c
    }


def least_common_multiple(numbers: Iterable[int]) -> int:
    """Least common denominator, which may have as many digits as all numbers together."""
    total = 1
    for c in set(numbers):
        cost.charge(5 + cost.rational(total.bit_length() + c.bit_length()), "a denominator")
        total = lcm(total, c)
    return total


def power(p: Poly, exponent: int, width: int) -> Poly:
    """p**exponent, exponent ≥ 0."""
    result: Poly = {(0,) * width: Fraction(1)}
    for bit in bin(exponent)[2:]:
        result = multiply(result, result)
        if bit == "1":
            result = multiply(result, p)
    return result


def divide(p: Poly, divisor: Poly) -> Poly | None:
    """Exact quotient, None if there is a remainder."""
    if not p:
        return {}
    lead, zero = max(divisor), Fraction(0)
    # Degrees and orders in every variable add up in a product, so they bound the quotient.
    sizes = (len(p) + len(divisor)) * (5 + len(lead))
    cost.charge(20 + sizes, "a quotient of polynomials")
    most = [
        max(m) - max(n)
        for m, n in zip(zip(*p, strict=True), zip(*divisor, strict=True), strict=True)
    ]
    least = [
        min(m) - min(n)
        for m, n in zip(zip(*p, strict=True), zip(*divisor, strict=True), strict=True)
    ]
    if min((*least, *most), default=0) < 0:
        return None
    quotient: Poly = {}
    rest = dict(p)
    while rest:
        top = max(rest)
        exponents = tuple(a - b for a, b in zip(top, lead, strict=True))
        if any(e < low or e > high for e, low, high in zip(exponents, least, most, strict=True)):
            return None
        bits = cost.length([rest[top], divisor[lead]])
        cost.charge(10 + len(rest) + cost.rational(bits), "a quotient of polynomials")
        ratio = quotient[exponents] = rest[top] / divisor[lead]
        for n, c in divisor.items():
            key = tuple(map(plus, exponents, n))
            old = rest.pop(key, zero)
            bits = cost.length([old]) + cost.length([ratio]) + cost.length([c])
            cost.charge(len(key) + 2 * cost.rational(bits), "a quotient of polynomials")
            if new := old - ratio * c:
                rest[key] = new
    return quotient


def partial(p: Poly, i: int) -> Poly:
    """Derivative by x_i."""
    each = 10 + len(next(iter(p), ())) + cost.rational(64 + cost.length(p.values()))
    cost.charge(len(p) * each, "a derivative")
    return {(*m[:i], m[i] - 1, *m[i + 1 :]): c * m[i] for m, c in p.items() if m[i]}


def degree(p: Poly) -> int:
    """Total degree; 0 for the zero polynomial."""
    return max(map(sum, p), default=0)


def constant(p: Poly) -> Number:
    """Value at the origin."""
    return next((c for m, c in p.items() if not any(m)), Fraction(0))


def one_signed(p: Poly) -> bool:
    """One term, or terms that have one sign on each orthant: none cancels another."""
    (first, c), *others = p.items()
    return all(
        c * e > 0 and all((a - b) % 2 == 0 for a, b in zip(first, m, strict=True))
        for m, e in others
    )


def undivided(exponents: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Monomials that no other one divides."""
    found: list[tuple[int, ...]] = []
    for a in sorted(set(exponents), key=lambda a: (sum(a), a)):
        cost.charge(20 + (5 + len(a) // 2) * len(found), "the comparison of monomials")
        if not any(all(map(le, b, a)) for b in found):
            found.append(a)
    return found


def variables(polynomials: Iterable[Poly]) -> set[int]:
    """Indices of the variables that occur."""
    return {i for p in polynomials for m in p for i, e in enumerate(m) if e}


def shift(p: Poly, point: Sequence[Number]) -> Poly:
    """p(x + point)."""
    for i, a in enumerate(point):
        if a:
            p = expanded(p, i, a, functools.partial(_with_exponent, i))
    return p


def _with_exponent(i: int, m: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*m[:i], k, *m[i + 1 :])


def expanded(
    p: Poly, i: int, a: Number, place: Callable[[tuple[int, ...], int], tuple[int, ...]]
) -> Poly:
    """Σ c·C(n, k)·a^(n−k) at place(m, k), for all terms c·x^m with n = m_i and all k ≤ n.

    This is the binomial theorem for x_i + a: `place` puts x_i^k, and what `a` is a multiple of.
    """
    top = max((m[i] for m in p), default=0)
    width = len(next(iter(p), ()))
    number = sum(m[i] + 1 for m in p)
    whole, bottom = _whole(p)
    high, low = (a.numerator, a.denominator) if isinstance(a, Fraction) else (a, 1)
    bits = cost.length(whole.values()) + top * (1 + cost.length([high, low]))
    cost.charge(
        (top + number) * (20 + width + bits // 64 + 2 * cost.integer(bits)),
        "the expansion of a polynomial",
    )
    powers: list[list[Any]] = [[1], [1]]
    for base, row in zip((high, low), powers, strict=True):
        for _ in range(top):
            row.append(row[-1] * base)
    moved: Whole = {}
    for m, c in whole.items():
        binomial = 1
        for k in range(m[i], -1, -1):
            down = m[i] - k
            # Over the denominator of a^top, whatever the exponent is.
            term = c * (binomial * powers[1][top - down]) * powers[0][down]
            key = place(m, k)
            moved[key] = moved.get(key, 0) + term
            binomial = binomial * k // (down + 1)
    return _over(moved, bottom * powers[1][top])


def at(p: Poly, values: Mapping[int, Fraction]) -> Poly:
    """P with numbers in place of some variables, whose exponents become 0."""
    parts: dict[tuple[int, ...], list[Number]] = {}
    for m, c in p.items():
        cost.charge(20 + 2 * len(m), "the value of a polynomial")
        for i, v in values.items():
            bits = cost.length([c]) + cost.length([v]) * m[i]
            cost.charge(cost.rational(bits), "the value of a polynomial")
            c *= v ** m[i]
        key = tuple(0 if i in values else e for i, e in enumerate(m))
        parts.setdefault(key, []).append(c)
    sums = {m: summed(numbers) for m, numbers in parts.items()}
    return {m: c for m, c in sums.items() if c}


def among(p: Poly, polynomials: Sequence[Poly]) -> bool:
    """Whether a polynomial is one of others."""
    cost.charge(len(polynomials), "a comparison of polynomials")
    for q in polynomials:
        if len(q) == len(p):
            cost.charge(5 * len(p), "a comparison of polynomials")
            if q == p:
                return True
    return False
