"""Real zeros of the initial forms of an edge: gcd, derivatives and root counting."""

from collections.abc import Sequence
from typing import Any

from rlct.algebra.polynomial import Polynomial, Terms, from_terms, make_ring

_LARGEST_DEGREE = 300  # degree of an edge polynomial whose roots are counted


def edge_order(forms: Sequence[Terms]) -> int | None:
    """Order of the common real zeros t ≠ 0 of polynomials in one variable.

    The forms are the initial ones of an edge in t = x^u, u primitive, which takes every value in
    R∖0. The order is the least k such that at every zero some derivative of order at most k is not
    0; 0 if there are no zeros.  None if the degree is too high.

    >>> from fractions import Fraction
    >>> edge_order([{(0,): Fraction(4), (2,): Fraction(-4), (4,): Fraction(1)}])    # (t² − 2)²
    2
    """
    if max(m[0] for form in forms for m in form) > _LARGEST_DEGREE:
        return None
    ring = make_ring(["t"])
    (t,) = ring.gens
    common = gcd_of([from_terms(ring, form) for form in forms])
    order = 0
    # After k gcds with the derivative, the zeros of order above k are left.
    while _real_roots(common):
        common = common.gcd(common.diff(t))
        order += 1
    return order


def gcd_of(polynomials: Sequence[Polynomial]) -> Polynomial:
    """Greatest common divisor of several polynomials of one ring."""
    common = polynomials[0].ring.zero
    for p in polynomials:
        common = common.gcd(p)
    return common


def count_real_roots(p: Any) -> int:
    """Number of distinct real roots of a polynomial in one variable that is not zero."""
    return 0 if p.is_ground else int(_dense(p).count_roots())


def _real_roots(p: Any) -> int:
    """Number of distinct real roots other than 0."""
    if p.is_ground:
        return 0
    dense = _dense(p)
    return int(dense.count_roots()) - (1 if dense.eval(0) == 0 else 0)


def _dense(p: Any) -> Any:
    import sympy

    return sympy.Poly(p.as_expr(), sympy.Symbol("t"), domain="QQ")
