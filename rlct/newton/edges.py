"""Real zeros of the initial forms of an edge: gcd, derivatives and root counting."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rlct.polynomial import Polynomial, Terms, degree, from_terms, make_ring, to_fraction

__all__ = ["edge_zeros", "real_roots"]

_LARGEST = 300  # degree of an edge polynomial whose roots are counted


def edge_zeros(
    forms: Sequence[Terms], *, principal: bool, set_aside: bool
) -> tuple[int, list[Fraction]] | None:
    """Order of the common real zeros t ≠ 0 of polynomials in one variable.

    Parameters
    ----------
    forms : sequence of Terms
        In one variable: the initial forms of an edge in t = x^u, u primitive, which takes
        every value in R∖0.
    principal : bool
        Whether there is one generator: then smooth zeros need no closer look.
    set_aside : bool
        Leave out rational zeros, those that need a closer look.

    Returns
    -------
    tuple of int and list of Fraction, or None
        Least k such that at every zero some derivative of order at most k is not 0 (0 if
        there are no zeros), and the zeros left out.  None if the degree is too high.

    Examples
    --------
    >>> square = {(0,): Fraction(4), (2,): Fraction(-4), (4,): Fraction(1)}      # (t² − 2)²
    >>> edge_zeros([square], principal=True, set_aside=True)
    (2, [])
    """
    if max(m[0] for form in forms for m in form) > _LARGEST:
        return None
    ring = make_ring(["t"])
    (t,) = ring.gens
    chain = [gcd_of([from_terms(ring, form) for form in forms])]
    # Zeros of the k-th member are those where all derivatives up to order k vanish.
    while _real_roots(chain[-1]):
        chain.append(chain[-1].gcd(chain[-1].diff(t)))
    roots = _rational_roots(chain[min(int(principal), len(chain) - 1)]) if set_aside else []
    for root in roots:
        linear = t - ring.domain(root.numerator, root.denominator)
        chain = [_without(p, linear) for p in chain]
    order = next(k for k, p in enumerate(chain) if not _real_roots(p))
    return order, roots


def _rational_roots(p: Polynomial) -> list[Fraction]:
    """Rational roots other than 0."""
    if p.is_ground:
        return []
    zero = p.ring.domain.zero
    linear = [f for f, _ in p.factor_list()[1] if degree(f) == 1 and f.get((0,), zero)]
    return sorted(-to_fraction(f.get((0,))) / to_fraction(f.LC) for f in linear)


def _without(p: Polynomial, factor: Polynomial) -> Polynomial:
    """Divide out every power of a factor."""
    while not p.is_ground and not p.rem(factor):
        p = p.exquo(factor)
    return p


def gcd_of(polynomials: Sequence[Polynomial]) -> Polynomial:
    """Greatest common divisor of several polynomials of one ring."""
    common = polynomials[0].ring.zero
    for p in polynomials:
        common = common.gcd(p)
    return common


def real_roots(p: Any) -> int:
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
