"""Sums of squares with coefficients in a real number field, where signs depend on the root."""

from typing import Any

from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import Polynomial
from rlct.algebra.positivity.squares import squares_of_polynomial
from rlct.algebra.real_algebraic import AlgebraicNumber, number_of
from rlct.engine import limits

#: Σ c·g² with numbers c > 0 of the domain.
SignedSquares = list[tuple[Any, Polynomial]]


def signed_squares(g: Polynomial, field: NumberField | None) -> SignedSquares | None:
    """G = Σ c·h² with c > 0; None proves nothing."""
    rational = g if field is None else rational_part(g)
    if rational is not None:
        rational_squares = squares_of_polynomial(rational)
        if rational_squares is None:
            return None
        domain = g.ring.domain
        rationals = rational.ring.domain
        return [
            (domain.convert(rationals(c.numerator, c.denominator), rationals), h.set_ring(g.ring))
            for c, h in rational_squares
        ]
    assert field is not None
    return _completed(g, field)


def rational_part(g: Polynomial) -> Polynomial | None:
    """The same polynomial over Q, if it has no irrational coefficient."""
    domain = g.ring.domain
    if not domain.is_Algebraic:
        return g
    ring = g.ring.clone(domain=domain.dom)
    terms = {}
    for m, c in g.terms():
        parts = c.to_list()
        if len(parts) > 1:
            return None
        terms[m] = parts[0]
    return ring.from_dict(terms)


def _completed(g: Polynomial, field: NumberField) -> SignedSquares | None:
    """Squares as even terms, and by completing the square for one variable after the other."""
    ring = g.ring
    squares: SignedSquares = []
    while g:
        if len(g) > limits.MOST_SIGNED_SQUARES_TERMS:
            return None
        if all(not any(e % 2 for e in m) and _positive(c, field) for m, c in g.terms()):
            halves = [(c, {tuple(e // 2 for e in m): ring.domain.one}) for m, c in g.terms()]
            return [*squares, *((c, ring.from_dict(h)) for c, h in halves)]
        for x in ring.gens:
            a, b = g.coeff_wrt(x, 2), g.coeff_wrt(x, 1)
            if g.degree(x) == 2 and a.is_ground and _positive(a.LC, field):
                h = x + b * (ring.domain.one / (a.LC + a.LC))
                squares.append((a.LC, h))
                g = g - h**2 * a.LC
                break
        else:
            return None
    return squares


def _positive(c: Any, field: NumberField) -> bool:
    return AlgebraicNumber(field, number_of(c, field.degree)).sign > 0
