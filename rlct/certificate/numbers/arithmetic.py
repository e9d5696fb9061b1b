"""Polynomials of the checker: dictionaries from exponents to numbers, nothing shared."""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import add as plus
from operator import le
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.field import RealField, RealNumber
from rlct.certificate.numbers.univariate import sum_of_numbers
from rlct.errors import CertificateError, TooLargeError

Poly = dict[tuple[int, ...], RealNumber]
Whole = dict[tuple[int, ...], Any]

_RATIONAL_TEXT = re.compile(r"-?[0-9]+(/[0-9]+)?\Z")


def read_polynomial(data: Any, width: int, field: RealField | None = None) -> Poly:
    """Read a list of [coefficient, exponents]."""
    result: Poly = {}
    if not isinstance(data, list):
        raise CertificateError("a polynomial is not a list of terms")
    cost.charge(len(data) * (50 + 2 * width), "a polynomial")
    for item in data:
        if not (isinstance(item, list) and len(item) == 2 and isinstance(item[1], list)):
            raise CertificateError("a term is not [coefficient, exponents]")
        exponents = tuple(item[1])
        if len(exponents) != width or any(type(e) is not int or e < 0 for e in exponents):
            raise CertificateError(f"{item[1]} are not {width} exponents")
        if max(exponents, default=0) > cost.MOST_EXPONENT:
            raise TooLargeError(f"an exponent is larger than {cost.MOST_EXPONENT:,}")
        if exponents in result:
            raise CertificateError("a monomial occurs twice in a polynomial")
        result[exponents] = read_number(item[0], field)
        if not result[exponents]:
            raise CertificateError("a polynomial has a zero coefficient")
    return result


def read_fraction(text: Any) -> Fraction:
    """Read a rational in lowest terms, written as text."""
    value = None
    # Without an exponent: Fraction("1e1000000000") would take for ever.
    if isinstance(text, str) and _RATIONAL_TEXT.match(text):
        try:
            value = Fraction(text)
        except (ValueError, ZeroDivisionError):
            value = None
    if value is None or str(value) != text:
        raise CertificateError(f"{text!r} is not a rational in lowest terms")
    return value


def read_number(data: Any, field: RealField | None) -> RealNumber:
    """Read a number of a field: the list of the coefficients of 1, γ, γ², …."""
    if field is None:
        return read_fraction(data)
    if not isinstance(data, list) or len(data) != field.degree:
        raise CertificateError(f"{data!r} is not a number of a field of degree {field.degree}")
    return field.element([read_fraction(text) for text in data])


def poly_sum(*polynomials: Poly) -> Poly:
    """Sum."""
    total: Whole = {}
    parts = [over_integers(p) for p in polynomials]
    bottom = least_common_multiple([c for _, c in parts])
    for whole, own in parts:
        factor = bottom // own
        bits = factor.bit_length() + cost.bits_in(whole.values())
        cost.charge(5 + len(whole) * (5 + cost.of_integer(bits)), "a sum of polynomials")
        for m, c in whole.items():
            total[m] = total.get(m, 0) + (c if factor == 1 else c * factor)
    return _over(total, bottom)


def poly_scale(polynomial: Poly, factor: RealNumber | int) -> Poly:
    """Multiple by a number."""
    bits = cost.bits_in([factor]) + cost.bits_in(polynomial.values())
    steps = len(polynomial) * cost.of_rational(bits)
    cost.charge(20 + steps, "a multiple of a polynomial")
    return {m: c * factor for m, c in polynomial.items()} if factor else {}


def poly_product(p: Poly, q: Poly) -> Poly:
    """Product."""
    (left_terms, left_denominator), (right_terms, right_denominator) = (
        over_integers(p),
        over_integers(q),
    )
    bits = cost.bits_in(left_terms.values()) + cost.bits_in(right_terms.values())
    width = len(next(iter(p), ()))
    each = 5 + width // 2 + cost.of_integer(bits)
    cost.charge(10 + len(p) * len(q) * each, "a product of polynomials")
    total: Whole = {}
    before = 0
    for m, c in left_terms.items():
        cost.charge((len(total) - before) * (15 + width + bits // 64), "a product of polynomials")
        before = len(total)
        for n, e in right_terms.items():
            key = tuple(map(plus, m, n))
            total[key] = total.get(key, 0) + c * e
    return _over(total, left_denominator * right_denominator)


def over_integers(p: Poly) -> tuple[Whole, int]:
    """Integer coefficients over one denominator; numbers of a field stay as they are."""
    common_denominator = least_common_multiple(
        [c.denominator for c in p.values() if isinstance(c, Fraction)]
    )
    bits = common_denominator.bit_length() + cost.bits_in(p.values())
    steps = len(p) * (8 + bits // 64 + cost.of_integer(bits))
    cost.charge(20 + steps, "the terms of a polynomial")
    if common_denominator == 1:
        return {m: c.numerator if isinstance(c, Fraction) else c for m, c in p.items()}, 1
    return {
        m: c.numerator * (common_denominator // c.denominator)
        if isinstance(c, Fraction)
        else c * common_denominator
        for m, c in p.items()
    }, common_denominator


def _over(whole: Whole, bottom: int) -> Poly:
    """Divide by a denominator and drop zeros."""
    bits = bottom.bit_length() + cost.bits_in(whole.values())
    cost.charge(20 + len(whole) * cost.of_rational(bits), "the terms of a polynomial")
    return {
        m: Fraction(c, bottom) if isinstance(c, int) else c if bottom == 1 else c / bottom
        for m, c in whole.items()
        if c
    }


def least_common_multiple(numbers: Iterable[int]) -> int:
    """Least common denominator, which may have as many digits as all numbers together."""
    total = 1
    for c in set(numbers):
        cost.charge(5 + cost.of_rational(total.bit_length() + c.bit_length()), "a denominator")
        total = lcm(total, c)
    return total


def poly_power(p: Poly, exponent: int, width: int) -> Poly:
    """p**exponent, exponent ≥ 0."""
    result: Poly = {(0,) * width: Fraction(1)}
    for bit in bin(exponent)[2:]:
        result = poly_product(result, result)
        if bit == "1":
            result = poly_product(result, p)
    return result


def poly_quotient(p: Poly, divisor: Poly) -> Poly | None:
    """Exact quotient, None if there is a remainder."""
    cost.charge(100, "a quotient of polynomials")
    if not divisor:
        raise CertificateError("a division by the zero polynomial")
    if not p:
        return {}
    leading_exponents, zero_number = max(divisor), Fraction(0)
    # Degrees and orders in every variable add up in a product, so they bound the quotient.
    sizes = (len(p) + len(divisor)) * (5 + 3 * len(leading_exponents))
    cost.charge(sizes, "a quotient of polynomials")
    highest_exponents = [
        max(m) - max(n)
        for m, n in zip(zip(*p, strict=True), zip(*divisor, strict=True), strict=True)
    ]
    lowest_exponents = [
        min(m) - min(n)
        for m, n in zip(zip(*p, strict=True), zip(*divisor, strict=True), strict=True)
    ]
    if min((*lowest_exponents, *highest_exponents), default=0) < 0:
        return None
    quotient: Poly = {}
    remainder = dict(p)
    while remainder:
        leading_term = max(remainder)
        exponents = tuple(a - b for a, b in zip(leading_term, leading_exponents, strict=True))
        if any(
            e < low or e > high
            for e, low, high in zip(exponents, lowest_exponents, highest_exponents, strict=True)
        ):
            return None
        bits = cost.bits_in([remainder[leading_term], divisor[leading_exponents]])
        steps = 60 + len(remainder) * (1 + len(exponents) // 8)
        cost.charge(steps + cost.of_rational(bits), "a quotient of polynomials")
        ratio = quotient[exponents] = remainder[leading_term] / divisor[leading_exponents]
        for n, c in divisor.items():
            key = tuple(map(plus, exponents, n))
            old = remainder.pop(key, zero_number)
            bits = cost.bits_in([old]) + cost.bits_in([ratio]) + cost.bits_in([c])
            cost.charge(20 + len(key) + 2 * cost.of_rational(bits), "a quotient of polynomials")
            if new := old - ratio * c:
                remainder[key] = new
    return quotient


def poly_exact_quotient(p: Poly, divisor: Poly) -> Poly:
    """Exact quotient by a polynomial; raises if there is a remainder."""
    quotient = poly_quotient(p, divisor)
    if quotient is None:
        raise CertificateError("a division leaves a remainder")
    return quotient


def less_multiple(p: Poly, factor: Poly, q: Poly) -> Poly:
    """The polynomial p − factor·q."""
    return poly_sum(p, poly_scale(poly_product(factor, q), -1))


def partial_derivative(p: Poly, i: int) -> Poly:
    """Derivative by x_i."""
    each = 10 + len(next(iter(p), ())) + cost.of_rational(64 + cost.bits_in(p.values()))
    cost.charge(len(p) * each, "a derivative")
    return {(*m[:i], m[i] - 1, *m[i + 1 :]): c * m[i] for m, c in p.items() if m[i]}


def total_degree(p: Poly) -> int:
    """Total degree; 0 for the zero polynomial."""
    return max(map(sum, p), default=0)


def value_at_origin(p: Poly) -> RealNumber:
    """Value at the origin."""
    return next((c for m, c in p.items() if not any(m)), Fraction(0))


def is_one_signed(p: Poly) -> bool:
    """One term, or terms that have one sign on each orthant: none cancels another."""
    (first, c), *others = p.items()
    return all(
        c * e > 0 and all((a - b) % 2 == 0 for a, b in zip(first, m, strict=True))
        for m, e in others
    )


def minimal_monomials(exponents: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Monomials that no other one divides."""
    minimal: list[tuple[int, ...]] = []
    for a in sorted(set(exponents), key=lambda a: (sum(a), a)):
        cost.charge(20 + len(a) + (4 + len(a) // 4) * len(minimal), "the comparison of monomials")
        if not any(all(map(le, b, a)) for b in minimal):
            minimal.append(a)
    return minimal


def variables(polynomials: Iterable[Poly]) -> set[int]:
    """Indices of the variables that occur."""
    return {i for p in polynomials for m in p for i, e in enumerate(m) if e}


def taylor_shift(p: Poly, point: Sequence[RealNumber]) -> Poly:
    """p(x + point)."""
    for i, a in enumerate(point):
        if a:
            p = binomial_expansion(p, i, a, functools.partial(_with_exponent, i))
    return p


def _with_exponent(i: int, m: tuple[int, ...], k: int) -> tuple[int, ...]:
    return (*m[:i], k, *m[i + 1 :])


def binomial_expansion(
    p: Poly, i: int, a: RealNumber, place_power: Callable[[tuple[int, ...], int], tuple[int, ...]]
) -> Poly:
    """Σ c·C(n, k)·a^(n−k) at place_power(m, k), for all terms c·x^m with n = m_i and all k ≤ n.

    This is the binomial theorem for x_i + a: `place_power` puts x_i^k, and what `a` multiplies.
    """
    highest_power = max((m[i] for m in p), default=0)
    width = len(next(iter(p), ()))
    terms_made = sum(m[i] + 1 for m in p)
    whole_terms, common_denominator = over_integers(p)
    high, low = (a.numerator, a.denominator) if isinstance(a, Fraction) else (a, 1)
    bits = cost.bits_in(whole_terms.values()) + highest_power * (1 + cost.bits_in([high, low]))
    cost.charge(
        (highest_power + terms_made) * (20 + width + bits // 64 + 2 * cost.of_integer(bits)),
        "the expansion of a polynomial",
    )
    powers: list[list[Any]] = [[1], [1]]
    for base, row in zip((high, low), powers, strict=True):
        for _ in range(highest_power):
            row.append(row[-1] * base)
    expanded_terms: Whole = {}
    for m, c in whole_terms.items():
        binomial = 1
        for k in range(m[i], -1, -1):
            down = m[i] - k
            # Over the denominator of a^top, whatever the exponent is.
            term = c * (binomial * powers[1][highest_power - down]) * powers[0][down]
            key = place_power(m, k)
            expanded_terms[key] = expanded_terms.get(key, 0) + term
            binomial = binomial * k // (down + 1)
    return _over(expanded_terms, common_denominator * powers[1][highest_power])


def at(p: Poly, values: Mapping[int, Fraction]) -> Poly:
    """P with numbers in place of some variables, whose exponents become 0."""
    parts: dict[tuple[int, ...], list[RealNumber]] = {}
    for m, c in p.items():
        cost.charge(20 + 2 * len(m), "the value of a polynomial")
        for i, v in values.items():
            bits = cost.bits_in([c]) + cost.bits_in([v]) * m[i]
            cost.charge(cost.of_rational(bits), "the value of a polynomial")
            c *= v ** m[i]
        key = tuple(0 if i in values else e for i, e in enumerate(m))
        parts.setdefault(key, []).append(c)
    sums = {m: sum_of_numbers(numbers) for m, numbers in parts.items()}
    return {m: c for m, c in sums.items() if c}


def is_among(p: Poly, polynomials: Sequence[Poly]) -> bool:
    """Whether a polynomial is one of others."""
    cost.charge(len(polynomials), "a comparison of polynomials")
    for q in polynomials:
        if len(q) == len(p):
            steps = len(p) * (5 + len(next(iter(p), ())) // 8)
            cost.charge(steps, "a comparison of polynomials")
            if q == p:
                return True
    return False
