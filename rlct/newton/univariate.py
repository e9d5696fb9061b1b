"""Polynomials in one variable over a real number field: gcd, orders, Sturm's theorem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd as integer_gcd

from rlct.algebra.number_field import Element, NumberField

__all__ = ["Dense", "add_orders", "evaluate", "gcd", "nonzero_real_roots", "without_zero"]

#: Coefficients from the constant term up, the last one not 0.
Dense = list[Element]


def without_zero(p: Sequence[Element]) -> Dense:
    """Strip zero coefficients at both ends: the root 0 is left out."""
    start = next(i for i, c in enumerate(p) if any(c))
    end = next(i for i in range(len(p), 0, -1) if any(p[i - 1]))
    return list(p[start:end])


def _primitive(p: Dense) -> Dense:
    """Strip leading zeros and the positive common factor of all integers."""
    while p and not any(p[-1]):
        p.pop()
    content = integer_gcd(*(e for c in p for e in c))
    return [tuple([e // content for e in c]) for c in p] if content > 1 else p


def _normal(field: NumberField, p: Dense) -> Dense:
    """Multiple whose leading coefficient is a positive integer."""
    if any(p[-1][1:]):
        factor = field.inverse(p[-1]).top
        p = [field.multiply(factor, c) for c in p]
    if p[-1][0] < 0:
        p = [tuple([-e for e in c]) for c in p]
    return _primitive(list(p))


def _divide(field: NumberField, p: Dense, q: Dense) -> tuple[Dense, Dense]:
    """Quotient and remainder of a positive multiple of p by q, which is `_normal`.

    The remainder is scaled by a positive integer once more.
    """
    lead = q[-1][0]
    quotient: Dense = []
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


def gcd(field: NumberField, p: Dense, q: Dense) -> Dense:
    """Greatest common divisor with an integer leading coefficient; q may be [].

    Examples
    --------
    >>> from fractions import Fraction
    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))
    >>> gcd(field, [(-2, 0), (0, 0), (1, 0)], [(0, -1), (1, 0)])        # t² − 2 and t − √2
    [(0, -1), (1, 0)]
    """
    while q:
        q = _normal(field, q)
        p, q = q, _divide(field, p, q)[1]
    return _normal(field, p)


def exact_quotient(field: NumberField, p: Dense, q: Dense) -> Dense:
    """A multiple of p/q."""
    return _primitive(_divide(field, p, _normal(field, q))[0])


def derivative(p: Dense) -> Dense:
    """Derivative."""
    return [tuple([k * e for e in c]) for k, c in enumerate(p)][1:]


def evaluate(field: NumberField, p: Sequence[Element], x: Element) -> Element:
    """Value at an integral element."""
    total = (0,) * field.degree
    for c in reversed(p):
        total = tuple([a + b for a, b in zip(field.multiply(total, x), c, strict=True)])
    return total


def add_orders(
    field: NumberField, known: list[tuple[Dense, int]], p: Dense, times: int
) -> list[tuple[Dense, int]]:
    """Orders of the roots of a product, after another factor p^times.

    Parameters
    ----------
    known : list of (Dense, int)
        Squarefree polynomials without common roots, with the order of the product there.
    p : Dense
        Without the root 0.
    times : int

    Examples
    --------
    >>> from rlct.algebra.number_field import RATIONALS
    >>> found = add_orders(RATIONALS, [], [(-1,), (1,)], 3)                # (t − 1)³
    >>> add_orders(RATIONALS, found, [(-1,), (0,), (1,)], 2)               # times (t² − 1)²
    [([(-1,), (1,)], 5), ([(1,), (1,)], 2)]
    """
    for part, order in _squarefree_parts(field, p):
        result = []
        rest = part
        for q, e in known:
            common = gcd(field, q, rest)
            if len(common) == 1:
                result.append((q, e))
                continue
            rest = exact_quotient(field, rest, common)
            if len(common) < len(q):
                result.append((exact_quotient(field, q, common), e))
            result.append((common, e + order * times))
        if len(rest) > 1:
            result.append((rest, order * times))
        known = result
    return known


def _squarefree_parts(field: NumberField, p: Dense) -> Iterable[tuple[Dense, int]]:
    """Squarefree factors by order."""
    order = 0
    repeated = p
    distinct: Dense = []  # product of the roots of order at least `order`
    while len(repeated) > 1:
        following = gcd(field, repeated, derivative(repeated))
        squarefree = exact_quotient(field, repeated, following)
        if order and len(squarefree) < len(distinct):
            yield exact_quotient(field, distinct, squarefree), order
        order += 1
        distinct, repeated = squarefree, following
    if order:
        yield _normal(field, distinct), order


def nonzero_real_roots(field: NumberField, p: Sequence[Element]) -> int:
    """Number of distinct real roots other than 0, by Sturm's theorem.

    Examples
    --------
    >>> from fractions import Fraction
    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))
    >>> nonzero_real_roots(field, [(0, -1), (0, 0), (1, 0)])            # t² = √2
    2
    >>> other = NumberField((-2, 0, 1), Fraction(-2), Fraction(-1))
    >>> nonzero_real_roots(other, [(0, -1), (0, 0), (1, 0)])            # t² = −√2
    0
    """
    sequence = [without_zero(p)]
    if len(sequence[0]) == 1:
        return 0
    sequence.append(derivative(sequence[0]))
    while len(sequence[-1]) > 1:
        rest = _divide(field, sequence[-2], _normal(field, sequence[-1]))[1]
        if not rest:
            break
        sequence.append([tuple([-e for e in c]) for c in rest])
    high = [field.sign(q[-1]) for q in sequence]
    low = [s if len(q) % 2 else -s for s, q in zip(high, sequence, strict=True)]
    return _changes(low) - _changes(high)


def _changes(signs: Sequence[int]) -> int:
    return sum(a != b for a, b in pairwise(signs))
