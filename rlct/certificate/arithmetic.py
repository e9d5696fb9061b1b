"""Polynomials of the checker: dictionaries from exponents to numbers, nothing shared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.field import Field, Number
from rlct.errors import CertificateError

__all__ = [
    "Poly",
    "add",
    "constant",
    "degree",
    "divide",
    "fraction",
    "multiply",
    "number",
    "one_signed",
    "power",
    "read",
    "scale",
    "shift",
    "variables",
]

Poly = dict[tuple[int, ...], Number]

_RATIONAL = re.compile(r"-?[0-9]+(/[0-9]+)?\Z")


def read(data: Any, width: int, field: Field | None = None) -> Poly:
    """Read a list of [coefficient, exponents]."""
    result: Poly = {}
    if not isinstance(data, list):
        raise CertificateError("a polynomial is not a list of terms")
    for item in data:
        if not (isinstance(item, list) and len(item) == 2 and isinstance(item[1], list)):
            raise CertificateError("a term is not [coefficient, exponents]")
        exponents = tuple(item[1])
        if len(exponents) != width or any(type(e) is not int or e < 0 for e in exponents):
            raise CertificateError(f"{item[1]} are not {width} exponents")
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
    total: Poly = {}
    for polynomial in polynomials:
        for m, c in polynomial.items():
            total[m] = total.get(m, Fraction(0)) + c
    return {m: c for m, c in total.items() if c}


def scale(polynomial: Poly, factor: Number | int) -> Poly:
    """Multiple by a number."""
    return {m: c * factor for m, c in polynomial.items()} if factor else {}


def multiply(p: Poly, q: Poly) -> Poly:
    """Product."""
    total: Poly = {}
    for m, c in p.items():
        for n, e in q.items():
            key = tuple(a + b for a, b in zip(m, n, strict=True))
            total[key] = total.get(key, Fraction(0)) + c * e
    return {m: c for m, c in total.items() if c}


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
    lead = max(divisor)
    # Degrees and orders in every variable add up in a product, so they bound the quotient.
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
    while p:
        top = max(p)
        exponents = tuple(a - b for a, b in zip(top, lead, strict=True))
        if any(e < low or e > high for e, low, high in zip(exponents, least, most, strict=True)):
            return None
        term = {exponents: p[top] / divisor[lead]}
        quotient |= term
        p = add(p, scale(multiply(term, divisor), -1))
    return quotient


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


def variables(polynomials: Iterable[Poly]) -> set[int]:
    """Indices of the variables that occur."""
    return {i for p in polynomials for m in p for i, e in enumerate(m) if e}


def shift(p: Poly, point: Sequence[Number]) -> Poly:
    """p(x + point)."""
    for i, a in enumerate(point):
        if not a:
            continue
        moved: Poly = {}
        for m, c in p.items():
            value, binomial = c, 1
            for k in range(m[i], -1, -1):
                # Binomial theorem on x_i: coefficient C(n, k) a^(n−k) of x_i^k.
                key = (*m[:i], k, *m[i + 1 :])
                moved[key] = moved.get(key, Fraction(0)) + value * binomial
                binomial = binomial * k // (m[i] - k + 1)
                value *= a
        p = {m: c for m, c in moved.items() if c}
    return p
