"""Whether polynomials are 0 at a point with algebraic coordinates, as far as enclosures show."""

from collections.abc import Sequence
from fractions import Fraction

from rlct.algebra.polynomial import Polynomial, terms_of
from rlct.engine import limits
from rlct.engine.zeros.axis_roots import AxisRoot
from rlct.engine.zeros.intervals import enclose_polynomial, excludes_zero, interval

Point = Sequence[AxisRoot]


def may_vanish_at(polynomials: Sequence[Polynomial], point: Point) -> bool:
    """Whether no enclosure shows that one of several polynomials is not 0."""
    return not any(
        _nonzero(p, point, bits) for bits in limits.VANISHING_PRECISIONS for p in polynomials
    )


def order_at(p: Polynomial, point: Point) -> int:
    """An upper bound on the order of vanishing: some derivative of that order is not 0."""
    layer = [p]
    for order in range(limits.HIGHEST_VANISHING_ORDER):
        if any(_nonzero(q, point, limits.VANISHING_PRECISIONS[-1]) for q in layer):
            return order
        layer = [
            q
            for k, f in enumerate(layer)
            for x in f.ring.gens[:: 1 if not k else -1]
            if (q := f.diff(x))
        ]
        layer = list(dict.fromkeys(layer))
    raise AssertionError("a derivative of a polynomial is a number other than 0")


def _nonzero(p: Polynomial, point: Point, bits: int) -> bool:
    box = [interval(*root.interval(Fraction(1, 2**bits)), bits) for root in point]
    return excludes_zero(enclose_polynomial(terms_of(p), box, bits))
