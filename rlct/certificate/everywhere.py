"""The checker on boxes: a bound at every zero of K in a set that contains the box."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate.arithmetic import Poly, shift
from rlct.certificate.cells import factors_of, smooth_zero
from rlct.certificate.family import Family
from rlct.certificate.plane_box import Box, exponent, read_place, statement_at
from rlct.certificate.statement import Bounds, need

__all__ = ["everywhere", "family_over"]

_WALLS = ("", "low", "high")


def everywhere(box: Box, proof: Mapping[str, Any], local: Callable[..., Bounds]) -> Bounds:
    """Lower bound of a family over all points; upper bounds at points and smooth zeros."""
    data = proof["data"]
    first, *children = proof["children"]
    lower, _ = local(family_over(box, data["walls"]), first)
    lower = lower if box.is_ideal else lower / Fraction(1, 2)
    places = [read_place(box, item) for item in data.get("points", [])]
    need(len(places) == len(children), "box: as many points as proofs are needed")
    uppers = []
    for (place, field), child in zip(places, children, strict=True):
        _, upper = local(statement_at(box, place, field), child)
        uppers += [] if upper is None else [upper]
    factors = factors_of(box, data.get("factors", []))
    uppers += [smooth_zero(box, factors, item) for item in data.get("smooth", [])]
    return lower, min(uppers) if uppers else None


def family_over(box: Box, walls: Sequence[str]) -> Family:
    """Generators s·g near s = 0 and all u, where x_i is u_i^q, low + u_i^q or high − u_i^q.

    The prior of s is so large that the pair where g ≠ 0 is above that at any zero of g.
    """
    need(len(walls) == len(box.sides), "box: one wall or none for every variable")
    moved: list[Poly] = list(box.generators)
    free = []
    for i, (wall, h, (low, high)) in enumerate(zip(walls, box.prior, box.sides, strict=True)):
        need(wall in _WALLS, "box: no such wall")
        start = {"": Fraction(0), "low": low, "high": high}[wall]
        if start:
            # In the box the prior is bounded: a larger one is as good for a lower bound.
            need(h >= 0 or low > 0 or high < 0, "box: the prior is not bounded")
            h = Fraction(0)
        q = exponent(h, wall=bool(wall))
        free.append(q * (h + 1) - 1)
        sign = -1 if wall == "high" else 1
        place = [start if k == i else Fraction(0) for k in range(len(walls))]
        moved = [
            {(*m[:i], q * m[i], *m[i + 1 :]): c * sign ** m[i] for m, c in shift(g, place).items()}
            for g in moved
        ]
    prior = sum((1 + h for h in free), Fraction(0))
    empty = Family((), (prior,), tuple(free), 0, ())
    return empty.with_generators([{(1, *m): c for m, c in g.items()} for g in moved])
