"""Whether polynomials are 0 at a point with algebraic coordinates, as far as enclosures show."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mpmath import iv

from rlct.engine.axis_roots import AxisRoot
from rlct.polynomial import Polynomial, terms_of

__all__ = ["order_at", "vanishes"]

_PRECISIONS = (53, 200)
_HIGHEST_ORDER = 200

Point = Sequence[AxisRoot]


def vanishes(polynomials: Sequence[Polynomial], point: Point) -> bool:
    """Whether no enclosure shows that one of several polynomials is not 0."""
    return not any(_nonzero(p, point, bits) for bits in _PRECISIONS for p in polynomials)


def order_at(p: Polynomial, point: Point) -> int:
    """An upper bound on the order of vanishing: some derivative of that order is not 0."""
    layer = [p]
    for order in range(_HIGHEST_ORDER):
        if any(_nonzero(q, point, _PRECISIONS[-1]) for q in layer):
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
    iv.prec = bits
    tops = [max(m[i] for m in p.itermonoms()) for i in range(len(point))]
    tables = [_powers(root, bits, top) for root, top in zip(point, tops, strict=True)]
    total = iv.mpf(0)
    for m, c in terms_of(p).items():
        term = iv.mpf(c.numerator) / c.denominator
        for table, e in zip(tables, m, strict=True):
            if e:
                term = term * table[e]
        total = total + term
    return not (total.a <= 0 <= total.b)


@lru_cache(maxsize=4_000)
def _powers(root: AxisRoot, bits: int, top: int) -> list[Any]:
    low, high = root.interval(Fraction(1, 2**bits))
    x = iv.mpf([_number(low).a, _number(high).b])
    table = [iv.mpf(1)]
    for _ in range(top):
        table.append(table[-1] * x)
    return table


def _number(value: Fraction) -> Any:
    return iv.mpf(value.numerator) / value.denominator
