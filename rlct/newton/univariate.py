"""Polynomials in one variable over a real number field: gcd, orders, Sturm's theorem."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd as integer_gcd

from rlct.algebra.number_field import FieldElement, NumberField

#: Coefficients from the constant term up, the last one not 0.
DensePolynomial = list[FieldElement]


def without_zero(p: Sequence[FieldElement]) -> DensePolynomial:
    """Strip zero coefficients at both ends: the root 0 is left out."""
    start = next(i for i, c in enumerate(p) if any(c))
    end = next(i for i in range(len(p), 0, -1) if any(p[i - 1]))
    return list(p[start:end])


def _primitive(p: DensePolynomial) -> DensePolynomial:
    """Strip leading zeros and the positive common factor of all integers."""
    while p and not any(p[-1]):
        p.pop()
    content = integer_gcd(*(e for c in p for e in c))
    return [tuple([e // content for e in c]) for c in p] if content > 1 else p


def _normal(field: NumberField, p: DensePolynomial) -> DensePolynomial:
    """Multiple whose leading coefficient is a positive integer."""
    if any(p[-1][1:]):
        factor = field.inverse(p[-1]).top
        p = [field.multiply(factor, c) for c in p]
    if p[-1][0] < 0:
        p = [tuple([-e for e in c]) for c in p]
    return _primitive(list(p))


def _divide(
    field: NumberField, p: DensePolynomial, q: DensePolynomial
) -> tuple[DensePolynomial, DensePolynomial]:
    """Quotient and remainder of a positive multiple of p by q, which is `_normal`.

    The remainder is scaled by a positive integer once more.
    """
    lead = q[-1][0]
    quotient: DensePolynomial = []
    p = list(p)
    while len(p) >= len(q):
        factor = p[-1]
        offset = len(p) - len(q)
        if lead != 1:
            p = [tuple([lead * e for e in c]) for c in p]
            quotient = [tuple([lead * e for e in c]) for c in quotient]
        quotient.append(factor)
        for k, c in enumerate(q[:-1]):
            product = field.multiply(factor, c)
            p[offset + k] = tuple([a - b for a, b in zip(p[offset + k], product, strict=True)])
        p.pop()
    return quotient[::-1], _primitive(p)


def gcd_over_field(field: NumberField, p: DensePolynomial, q: DensePolynomial) -> DensePolynomial:
    """Greatest common divisor with an integer leading coefficient; q may be [].

    >>> from fractions import Fraction
    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))
    >>> gcd_over_field(field, [(-2, 0), (0, 0), (1, 0)], [(0, -1), (1, 0)])  # t² − 2 and t − √2
    [(0, -1), (1, 0)]
    """
    while q:
        q = _normal(field, q)
        p, q = q, _divide(field, p, q)[1]
    return _normal(field, p)


def exact_quotient(field: NumberField, p: DensePolynomial, q: DensePolynomial) -> DensePolynomial:
    """A multiple of p/q."""
    return _primitive(_divide(field, p, _normal(field, q))[0])


def derivative(p: DensePolynomial) -> DensePolynomial:
    """Derivative."""
    return [tuple([k * e for e in c]) for k, c in enumerate(p)][1:]


def value_in_field(field: NumberField, p: Sequence[FieldElement], x: FieldElement) -> FieldElement:
    """Value at an integral element."""
    total = (0,) * field.degree
    for c in reversed(p):
        total = tuple([a + b for a, b in zip(field.multiply(total, x), c, strict=True)])
    return total


def add_orders(
    field: NumberField,
    known_orders: list[tuple[DensePolynomial, int]],
    p: DensePolynomial,
    exponent: int,
) -> list[tuple[DensePolynomial, int]]:
    """Orders of the roots of a product, after another factor p^times.

    Those of before are squarefree polynomials without common roots, with the order of the product
    there; p has not the root 0.

    >>> from rlct.algebra.number_field import RATIONAL_FIELD
    >>> found = add_orders(RATIONAL_FIELD, [], [(-1,), (1,)], 3)                # (t − 1)³
    >>> add_orders(RATIONAL_FIELD, found, [(-1,), (0,), (1,)], 2)               # times (t² − 1)²
    [([(-1,), (1,)], 5), ([(1,), (1,)], 2)]
    """
    for part, order in _squarefree_parts(field, p):
        result = []
        remaining_part = part
        for q, e in known_orders:
            common = gcd_over_field(field, q, remaining_part)
            if len(common) == 1:
                result.append((q, e))
                continue
            remaining_part = exact_quotient(field, remaining_part, common)
            if len(common) < len(q):
                result.append((exact_quotient(field, q, common), e))
            result.append((common, e + order * exponent))
        if len(remaining_part) > 1:
            result.append((remaining_part, order * exponent))
        known_orders = result
    return known_orders


def _squarefree_parts(
    field: NumberField, p: DensePolynomial
) -> Iterable[tuple[DensePolynomial, int]]:
    """Squarefree factors by order."""
    order = 0
    repeated = p
    distinct_roots: DensePolynomial = []  # product of the roots of order at least `order`
    while len(repeated) > 1:
        following = gcd_over_field(field, repeated, derivative(repeated))
        squarefree = exact_quotient(field, repeated, following)
        if order and len(squarefree) < len(distinct_roots):
            yield exact_quotient(field, distinct_roots, squarefree), order
        order += 1
        distinct_roots, repeated = squarefree, following
    if order:
        yield _normal(field, distinct_roots), order


def nonzero_real_roots(field: NumberField, p: Sequence[FieldElement]) -> int:
    """Number of distinct real roots other than 0, by Sturm's theorem.

    >>> from fractions import Fraction
    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))
    >>> nonzero_real_roots(field, [(0, -1), (0, 0), (1, 0)])            # t² = √2
    2
    >>> other = NumberField((-2, 0, 1), Fraction(-2), Fraction(-1))
    >>> nonzero_real_roots(other, [(0, -1), (0, 0), (1, 0)])            # t² = −√2
    0
    """
    sturm_sequence = [without_zero(p)]
    if len(sturm_sequence[0]) == 1:
        return 0
    sturm_sequence.append(derivative(sturm_sequence[0]))
    while len(sturm_sequence[-1]) > 1:
        rest = _divide(field, sturm_sequence[-2], _normal(field, sturm_sequence[-1]))[1]
        if not rest:
            break
        sturm_sequence.append([tuple([-e for e in c]) for c in rest])
    high = [field.sign(q[-1]) for q in sturm_sequence]
    low = [s if len(q) % 2 else -s for s, q in zip(high, sturm_sequence, strict=True)]
    return _changes(low) - _changes(high)


def _changes(signs: Sequence[int]) -> int:
    return sum(a != b for a, b in pairwise(signs))
