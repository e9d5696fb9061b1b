"""The checker on questions over a box in the plane; ``theory/points.md`` proves the rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    Poly,
    add,
    at,
    constant,
    degree,
    divide,
    fraction,
    multiply,
    number,
    partial,
    power,
    read,
    scale,
    shift,
)
from rlct.certificate.field import Field, Number
from rlct.certificate.isolate import Root, eliminant, enclosure, roots_between
from rlct.certificate.points import read_field
from rlct.certificate.statement import (
    Bounds,
    Statement,
    index,
    need,
)
from rlct.errors import CertificateError
from rlct.pair import Pair

__all__ = ["Box", "Place", "exponent", "plane", "read_place", "statement_at"]

_PRECISIONS = (24, 64, 160, 400, 1000)

Place = tuple[Number, ...]


@dataclass(frozen=True)
class Box:
    """Generators over Q with a prior on a box; `scale` is 2 for an ideal and 1 for K = |g|."""

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    sides: tuple[tuple[Fraction, Fraction], ...]
    is_ideal: bool

    @property
    def scale(self) -> int:
        """λ of K against that of √K."""
        return 2 if self.is_ideal else 1


def read_place(box: Box, data: Mapping[str, Any]) -> tuple[Place, Field | None]:
    """Read a point in the box."""
    field = read_field(data["field"]) if "field" in data else None
    place = tuple(number(a, field) if isinstance(a, list) else fraction(a) for a in data["at"])
    need(len(place) == len(box.sides), "box: a point has the wrong length")
    for a, (low, high) in zip(place, box.sides, strict=True):
        need(not (a < low or a > high), "box: a point is outside")
    return place, field


def statement_at(box: Box, place: Place, field: Field | None) -> Statement:
    """The question at a point of the box, with x = a ± y^q where it lies on a wall."""
    kept = tuple(g for g in box.generators if g)
    moved = [shift(g, place) for g in kept]
    prior = []
    for i, (a, h, (low, high)) in enumerate(zip(place, box.prior, box.sides, strict=True)):
        wall = a in (low, high)
        q = exponent(h if a == 0 else Fraction(0), wall=wall)
        prior.append(q * (h + 1) - 1 if a == 0 else Fraction(q - 1))
        sign = -1 if a == high else 1
        if q > 1:
            moved = [
                {(*m[:i], q * m[i], *m[i + 1 :]): c * sign ** m[i] for m, c in g.items()}
                for g in moved
            ]
    need(
        not any(c for g in moved for m, c in g.items() if not any(m)),
        "box: K does not vanish at a point",
    )
    return Statement(tuple(moved), tuple(prior), box.is_ideal, field)


def exponent(h: Fraction, *, wall: bool) -> int:
    """The least q with x = ±y^q onto one side of 0, or both, and q(h + 1) − 1 ≥ 0."""
    q = max(1, ceil(1 / (h + 1)))
    return q + (q % 2 == wall)


def plane(
    box: Box, proof: Mapping[str, Any], solve: Callable[[Statement, Mapping[str, Any]], Bounds]
) -> Bounds:
    """The least pair over the critical points of the zero set in a box."""
    data = proof["data"]
    need(len(box.sides) == 2, "box: the rule is for two variables")
    factors, cofactors = _factors(box, data["factors"])
    places = [read_place(box, item) for item in data.get("points", [])]
    children = proof.get("children", [])
    need(len(places) == len(children), "box: as many points as proofs are needed")
    bounds = [
        solve(statement_at(box, place, field), child)
        for (place, field), child in zip(places, children, strict=True)
    ]
    most = data.get("order", 0)
    need(type(most) is int and most >= 0, "box: the order is no integer")
    listed = [place for place, _ in places]
    used = False
    for system, conditions in _systems(box, factors, cofactors, data.get("combinations")):
        for x, y in _candidates(box, system):
            cost.charge(50 * (1 + len(listed)), "the points of a box")
            if not any(x.equals(a) and y.equals(b) for a, b in listed):
                # A derivative bounds the pair only where the prior is bounded.
                large = any(
                    h < 0 and root.equals(Fraction(0))
                    for h, root in zip(box.prior, (x, y), strict=True)
                )
                used |= _bounded(conditions, factors, cofactors, x, y, 0 if large else most)
    lowers = [low for low, _ in bounds]
    if used:
        lowers.append(Pair(Fraction(1, box.scale * most), 1))
    uppers = [high for _, high in bounds if high is not None]
    uppers += [_crossed(box, factors, item) for item in data.get("crossed", [])]
    need(bool(lowers), "box: K has no zero in the box")
    return min(lowers), min(uppers) if uppers else None


def _factors(box: Box, items: Sequence[Any]) -> tuple[list[tuple[Poly, int]], list[Poly]]:
    """Common factors with exponents, and what is left of the generators."""
    factors: list[tuple[Poly, int]] = []
    whole: Poly = {(0, 0): Fraction(1)}
    least = min(map(degree, box.generators))
    for terms, m in items:
        p = read(terms, 2)
        need(type(m) is int and m >= 1 and degree(p) >= 1, "box: a factor has no exponent")
        need(m * degree(p) <= least, "box: the degree of a factor is too high")
        factors.append((p, m))
        whole = multiply(whole, power(p, m, 2))
    cofactors = []
    for g in box.generators:
        quotient = divide(g, whole)
        if quotient is None:
            raise CertificateError("box: the factors do not divide K")
        cofactors.append(quotient)
    return factors, cofactors


def _systems(
    box: Box, factors: list[tuple[Poly, int]], cofactors: list[Poly], combinations_: Any
) -> list[tuple[tuple[Poly, Poly], list[Poly]]]:
    """Pairs of polynomials, finitely many common zeros each, and all that vanishes there."""
    found: list[tuple[tuple[Poly, Poly], list[Poly]]] = []
    walls: list[list[Poly]] = [
        [{_unit(i): Fraction(1), (0, 0): -a} if a else {_unit(i): Fraction(1)} for a in side]
        for i, side in enumerate(box.sides)
    ]
    axes: list[Poly] = [{_unit(i): Fraction(1)} for i, h in enumerate(box.prior) if h < 0]
    for p, _ in factors:
        slope = partial(p, 1)
        if slope:
            found.append(((p, slope), [p, slope]))
        else:
            # Vertical lines, each of which meets the lower wall.
            flat = eliminant(p, partial(p, 0), 0)
            need(len(flat) == 1, "box: a factor is not squarefree")
        for wall in walls[0] + walls[1] + axes:
            if not _proportional(p, wall):
                found.append(((p, wall), [p, wall]))
    found += [((p, q), [p, q]) for (p, _), (q, _) in combinations(factors, 2)]
    found += [((v, w), list(box.generators)) for v in walls[0] for w in walls[1]]
    if all(degree(c) for c in cofactors):
        need(combinations_ is not None, "box: the common zeros of the cofactors are left out")
        need(len(combinations_) == 2, "box: two combinations are needed")
        pair = []
        for row in combinations_:
            need(
                len(row) == len(cofactors) and all(type(a) is int for a in row),
                "box: a combination has the wrong length",
            )
            pair.append(add(*(scale(c, a) for c, a in zip(cofactors, row, strict=True))))
        need(all(pair), "box: a combination is zero")
        found.append(((pair[0], pair[1]), cofactors))
    return found


def _unit(axis: int) -> tuple[int, int]:
    return (1, 0) if axis == 0 else (0, 1)


def _proportional(p: Poly, q: Poly) -> bool:
    lead = max(q)
    return lead in p and scale(q, p[lead] / q[lead]) == p


def _candidates(box: Box, system: tuple[Poly, Poly]) -> list[tuple[Root, Root]]:
    """Pairs of coordinates among which are those of all common zeros in the box."""
    rows: list[list[Root]] = []
    for axis, (low, high) in enumerate(box.sides):
        p = eliminant(*system, axis)
        need(bool(p), "box: two polynomials share a factor, or one has a double one")
        rows.append(roots_between(p, low, high))
        if not rows[-1]:
            return []
    return [(x, y) for x in rows[0] for y in rows[1]]


def _bounded(
    conditions: Sequence[Poly],
    factors: Sequence[tuple[Poly, int]],
    cofactors: Sequence[Poly],
    x: Root,
    y: Root,
    most: int,
) -> bool:
    """Show that a candidate is no critical point (False), or that K has a low order (True)."""
    for bits in _PRECISIONS:
        if any(_nonzero(p, x, y, bits) for p in conditions):
            return False
        if most:
            total = min((_order(c, x, y, bits, most) for c in cofactors), default=0)
            for p, m in factors:
                total += m * _order(p, x, y, bits, most // m)
            if total <= most:
                return True
    raise CertificateError("box: a critical point is missing, or its order is too high")


def _nonzero(p: Poly, x: Root, y: Root, bits: int) -> bool:
    low, high = enclosure(p, x, y, bits)
    return low > 0 or high < 0


def _order(p: Poly, x: Root, y: Root, bits: int, most: int) -> int:
    """A bound on the order of vanishing; more than `most` if none is found."""
    layer = [p]
    for k in range(most + 1):
        if any(_nonzero(q, x, y, bits) for q in layer):
            return k
        following = [partial(layer[0], 0), *(partial(q, 1) for q in layer)]
        layer = [q for q in following if q]
        if not layer:
            break
    return most + 1


def _crossed(box: Box, factors: Sequence[tuple[Poly, int]], item: Any) -> Pair:
    """A factor that takes both signs inside the box vanishes there along a curve."""
    chosen, points = item
    p, m = factors[index(chosen, len(factors), "box: no such factor")]
    values = []
    for texts in points:
        point = [fraction(a) for a in texts]
        need(
            len(point) == 2
            and all(low < a < high for a, (low, high) in zip(point, box.sides, strict=True)),
            "box: a point of a sign change is not inside",
        )
        values.append(constant(at(p, dict(enumerate(point)))))
    need(len(values) == 2 and values[0] * values[1] < 0, "box: the signs are not opposite")
    axes = [box.prior[i] for i in (0, 1) if all(e[i] for e in p)]
    h = axes[0] if axes and degree(p) == 1 else max([Fraction(0), *axes])
    return Pair((1 + h) / (box.scale * m), 1)
