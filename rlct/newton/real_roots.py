"""Real roots of polynomials over a real number field, each in a field of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from rlct.algebra.number_field import (
    RATIONAL_FIELD,
    FieldElement,
    FieldNumber,
    NumberField,
    field_number,
    reduced,
)
from rlct.newton.univariate import DensePolynomial, gcd_over_field, value_in_field


@dataclass(frozen=True)
class RealRoot:
    """A real root in a field that may be larger than that of its polynomial."""

    field: NumberField
    #: The generator of the old field in the new one; None if the field is the same.
    image: FieldNumber | None
    #: The root, in the new field.
    value: FieldNumber


def real_roots(
    field: NumberField, p: DensePolynomial, largest_degree: int
) -> list[RealRoot] | None:
    """Real roots of a squarefree polynomial; None if a field is of too high a degree.

    Over Q(γ), for some integer k the norm N of p(x − kγ) is squarefree.  Its irreducible
    factors over Q are the minimal polynomials of δ = ρ + kγ for the roots ρ of p, and
    Q(δ) = Q(γ, ρ) (Trager 1976).  There γ is the common root of its minimal polynomial and
    of p with coefficients in z, at δ − kz.  The real δ that count are those for which this
    γ is the right conjugate.

    >>> _, root = real_roots(RATIONAL_FIELD, [(-2,), (0,), (9,)], 9)           # √18/9
    >>> root.field.modulus, root.value
    ((-18, 0, 1), FieldNumber(top=(0, 1), bottom=9))
    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))
    >>> low, high = real_roots(field, [(0, -1), (0, 0), (1, 0)], 9)     # t² = √2
    >>> high.field.modulus
    (-2, 0, 0, 0, 1)
    """
    if len(p) == 2:
        return [RealRoot(field, None, _ratio(field, p[0], p[1], sign=-1))]
    if field.degree == 1:
        return _over_rationals(p, largest_degree)
    for k in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5):
        factors = _factors(_norm(field, p, k))
        if all(m == 1 for _, m in factors):
            break
    else:
        return None
    roots: list[RealRoot] = []
    for factor, _ in factors:
        if len(factor) - 1 == field.degree:
            roots.append(_root_in_field(field, p, factor, k))
            continue
        fields = _real_fields(factor)
        if not fields:
            continue
        if len(factor) - 1 > largest_degree:
            return None
        delta = _generator_of(factor)
        image = _old_generator(fields[0], field, p, delta, k)
        value = field_number([a - k * b for a, b in zip(delta.parts(), image.parts(), strict=True)])
        roots += [
            RealRoot(larger, image, value)
            for larger in fields
            # Other real δ belong to other conjugates of γ.
            if larger.compare(image, field.low) > 0 > larger.compare(image, field.high)
        ]
    return roots


def _over_rationals(p: DensePolynomial, largest_degree: int) -> list[RealRoot] | None:
    roots: list[RealRoot] = []
    for factor, _ in _factors([c[0] for c in p]):
        if len(factor) == 2:
            roots.append(RealRoot(RATIONAL_FIELD, None, reduced([-factor[0]], factor[1])))
            continue
        fields = _real_fields(factor)
        if fields and len(factor) - 1 > largest_degree:
            return None
        zero = field_number([Fraction(0)] * (len(factor) - 1))
        roots += [RealRoot(field, zero, _generator_of(factor)) for field in fields]
    return roots


def integer_poly(coefficients: Sequence[int]) -> Any:
    """Sympy's polynomial in t of coefficients from the constant term up."""
    import sympy

    return sympy.Poly.from_list(list(coefficients[::-1]), sympy.Symbol("t"), domain="ZZ")


def _factors(coefficients: Sequence[int]) -> list[tuple[list[int], int]]:
    """Irreducible factors over Q with positive leading coefficients."""
    return [
        ([int(c) for c in reversed(f.all_coeffs())], int(m))
        for f, m in integer_poly(coefficients).factor_list()[1]
    ]


def _real_fields(factor: list[int]) -> list[NumberField]:
    """Q(cδ) for each real root δ of an irreducible polynomial with leading coefficient c."""
    d, c = len(factor) - 1, factor[-1]
    modulus = (*(e * c ** (d - 1 - i) for i, e in enumerate(factor[:-1])), 1)
    return [
        NumberField(modulus, _rational(low), _rational(high))
        for (low, high), _ in integer_poly(modulus).intervals()
    ]


def _generator_of(factor: list[int]) -> FieldNumber:
    """δ in Q(cδ)."""
    return field_number([Fraction(int(i == 1), factor[-1]) for i in range(len(factor) - 1)])


def _rational(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _ratio(field: NumberField, top: FieldElement, bottom: FieldElement, sign: int) -> FieldNumber:
    inverse = field.inverse(bottom)
    product = field.multiply(top, inverse.top)
    return reduced([sign * e for e in product], inverse.bottom)


def _norm(field: NumberField, p: DensePolynomial, k: int) -> list[int]:
    """Norm of p(x − kγ), by interpolation at integers, up to a rational factor."""
    count = field.degree * (len(p) - 1) + 1
    points = [(-1) ** i * ((i + 1) // 2) for i in range(count)]
    values = []
    for x in points:
        shift = [x, -k] + [0] * (field.degree - 2)
        values.append(_element_norm(field, value_in_field(field, p, tuple(shift))))
    # Newton's divided differences.
    table = [Fraction(v) for v in values]
    for level in range(1, count):
        for i in range(count - 1, level - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (points[i] - points[i - level])
    result = [Fraction(0)]
    for i in range(count - 1, -1, -1):
        shifted = [Fraction(0), *result]
        for j, c in enumerate(result):
            shifted[j] -= points[i] * c
        shifted[0] += table[i]
        result = shifted
    while result[-1] == 0:
        result.pop()
    scale = lcm(*(c.denominator for c in result))
    return [int(c * scale) for c in result]


def _element_norm(field: NumberField, x: FieldElement) -> int:
    """Norm over Q: the determinant of the matrix of multiplication (Bareiss)."""
    d = field.degree
    rows = [list(field.multiply(x, tuple(int(i == j) for j in range(d)))) for i in range(d)]
    sign, previous_pivot = 1, 1
    for k in range(d):
        pivot_row = next((i for i in range(k, d) if rows[i][k]), None)
        if pivot_row is None:
            return 0
        if pivot_row != k:
            rows[k], rows[pivot_row] = rows[pivot_row], rows[k]
            sign = -sign
        for i in range(k + 1, d):
            rows[i] = [
                (rows[k][k] * a - rows[i][k] * b) // previous_pivot
                for a, b in zip(rows[i], rows[k], strict=True)
            ]
        previous_pivot = rows[k][k]
    return sign * previous_pivot


def _root_in_field(field: NumberField, p: DensePolynomial, factor: list[int], k: int) -> RealRoot:
    """The root ρ with factor(ρ + kγ) = 0, which is in the field."""
    # factor(t + kγ) by Horner's rule on polynomials in t.
    shift = tuple(k * int(i == 1) for i in range(field.degree))
    shifted_factor: DensePolynomial = []
    for c in reversed(factor):
        following = [(0,) * field.degree, *shifted_factor]
        for j, e in enumerate(shifted_factor):
            product = field.multiply(shift, e)
            following[j] = tuple([a + b for a, b in zip(following[j], product, strict=True)])
        following[0] = (following[0][0] + c, *following[0][1:])
        shifted_factor = following
    while not any(shifted_factor[-1]):
        shifted_factor.pop()
    linear = gcd_over_field(field, p, shifted_factor)
    return RealRoot(field, None, _ratio(field, linear[0], linear[1], sign=-1))


def _old_generator(
    larger_field: NumberField,
    field: NumberField,
    p: DensePolynomial,
    primitive_element: FieldNumber,
    k: int,
) -> FieldNumber:
    """γ in Q(δ): the common root z of its minimal polynomial and p_z(δ − kz)."""
    # p_z(δ − kz) by Horner's rule on polynomials in z, times a power of the denominator of δ.
    scale = 1
    total: DensePolynomial = []
    for c in reversed(p):
        next_total = [(0,) * larger_field.degree] * max(len(total) + 1, field.degree)
        for i, x in enumerate(total):
            product = larger_field.multiply(x, primitive_element.top)
            next_total[i] = tuple([a + b for a, b in zip(next_total[i], product, strict=True)])
            shifted = [k * primitive_element.bottom * e for e in x]
            next_total[i + 1] = tuple(
                [a - b for a, b in zip(next_total[i + 1], shifted, strict=True)]
            )
        for i, e in enumerate(c):
            next_total[i] = (next_total[i][0] + e * scale, *next_total[i][1:])
        total = next_total
        scale *= primitive_element.bottom
    while not any(total[-1]):
        total.pop()
    linear = gcd_over_field(larger_field, [larger_field.integer(e) for e in field.modulus], total)
    return _ratio(larger_field, linear[0], linear[1], sign=-1)
