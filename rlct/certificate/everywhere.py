"""The checker on boxes: a bound at every zero of K in a set that contains the box."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import Poly, taylor_shift
from rlct.certificate.cells import factors_of, smooth_zero
from rlct.certificate.family import GermFamily
from rlct.certificate.plane_box import Box, read_box_point, statement_at, substitution_exponent
from rlct.certificate.statement import PairBounds, need

__all__ = ["everywhere_rule", "family_over"]

_WALLS = ("", "low", "high")


def everywhere_rule(
    box: Box, proof: Mapping[str, Any], replay_child: Callable[..., PairBounds]
) -> PairBounds:
    """Least pair ≥ the lower bound of the family (s·g(ψ(u))), s local and u free; ≤ as for cells.

    If ψ maps the u onto a set that contains the box, and the prior of s is large enough
    (``theory/points.md``).
    """
    data = proof["data"]
    first, *children = proof["children"]
    lower, _ = replay_child(family_over(box, data["walls"]), first)
    lower = lower if box.is_ideal else lower / Fraction(1, 2)
    box_points = [read_box_point(box, item) for item in data.get("points", [])]
    need(len(box_points) == len(children), "box: as many points as proofs are needed")
    upper_pairs = []
    for (place, field), child in zip(box_points, children, strict=True):
        _, upper = replay_child(statement_at(box, place, field), child)
        upper_pairs += [] if upper is None else [upper]
    factors = factors_of(box, data.get("factors", []))
    upper_pairs += [smooth_zero(box, factors, item) for item in data.get("smooth", [])]
    return lower, min(upper_pairs) if upper_pairs else None


def family_over(box: Box, walls: Sequence[str]) -> GermFamily:
    """Generators s·g near s = 0 and all u, where x_i is u_i^q, low + u_i^q or high − u_i^q.

    The prior of s is so large that the pair where g ≠ 0 is above that at any zero of g.
    """
    need(len(walls) == len(box.sides), "box: one wall or none for every variable")
    moved_generators: list[Poly] = list(box.generators)
    free_priors = []
    for i, (wall, h, (low, high)) in enumerate(zip(walls, box.prior, box.sides, strict=True)):
        need(wall in _WALLS, "box: no such wall")
        start = {"": Fraction(0), "low": low, "high": high}[wall]
        if start:
            # In the box the prior is bounded: a larger one is as good for a lower bound.
            need(h >= 0 or low > 0 or high < 0, "box: the prior is not bounded")
            h = Fraction(0)
        q = substitution_exponent(h, wall=bool(wall))
        free_priors.append(q * (h + 1) - 1)
        sign = -1 if wall == "high" else 1
        terms = sum(map(len, moved_generators))
        cost.charge(terms * (15 + len(walls) // 3), "a change of coordinates")
        place = [start if k == i else Fraction(0) for k in range(len(walls))]
        moved_generators = [
            {
                (*m[:i], q * m[i], *m[i + 1 :]): c * sign ** m[i]
                for m, c in taylor_shift(g, place).items()
            }
            for g in moved_generators
        ]
    # H = Σ (1 + η_i) is at least twice the λ at any zero, since g² ≤ C·|u − u₀|² there.
    prior = sum((1 + h for h in free_priors), Fraction(0))
    empty = GermFamily((), (prior,), tuple(free_priors), 0, ())
    return empty.with_generators([{(1, *m): c for m, c in g.items()} for g in moved_generators])
