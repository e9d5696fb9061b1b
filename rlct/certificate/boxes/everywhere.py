"""The checker on boxes: a bound at every zero of K in a set that contains the box."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.boxes.cells import factors_of, smooth_zero
from rlct.certificate.boxes.plane_box import (
    Box,
    bounds_at_points,
    sign_of_powers,
    substitution_exponent,
)
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.fibre.tree import bound_of_cell
from rlct.certificate.numbers.arithmetic import Poly, taylor_shift
from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import PairBounds, need

_WALL_NAMES = ("", "low", "high")


@checked_rule(
    "everywhere",
    "{walls: [string | null], factors?: [(polynomial, positive)], points?: [place], "
    "smooth?: [smooth]}",
    RuleScope.BOX,
    sign=sign_of_powers,
)
def everywhere_rule(
    box: Box, proof: Mapping[str, Any], replay_child: Callable[..., PairBounds]
) -> PairBounds:
    """Least pair ≥ the lower bound at the zeros of g(ψ(u)) for all real u; ≤ as for cells.

    If ψ maps the u onto a set that contains the box (``theory/points.md``).
    """
    data = proof["data"]
    # A leaf is a cell of another ideal: what its germ is in the question, no step says.
    need(
        "attained" not in data,
        "box: a certificate of an earlier version, with a leaf for a point: make it again",
    )
    lower = bound_of_cell(cell_over(box, data["walls"]), proof["children"][0], replay_child, [])
    scale = Fraction(1) if box.is_ideal else Fraction(1, 2)
    lower = lower / scale
    at_points = bounds_at_points(box, proof, replay_child, first=1)
    upper_pairs = [upper for _, (_, upper) in at_points if upper is not None]
    factors = factors_of(box, data.get("factors", []))
    upper_pairs += [smooth_zero(box, factors, item) for item in data.get("smooth", [])]
    return lower, min(upper_pairs) if upper_pairs else None


def cell_over(box: Box, walls: Sequence[str]) -> FibreCell:
    """The ideal in all u, where x_i is u_i^q, low + u_i^q or high − u_i^q."""
    need(len(walls) == len(box.sides), "box: one wall or none for every variable")
    moved_generators: list[Poly] = list(box.generators)
    free_priors = []
    for i, (wall, h, (low, high)) in enumerate(zip(walls, box.prior, box.sides, strict=True)):
        need(wall in _WALL_NAMES, "box: no such wall")
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
        corner = [start if k == i else Fraction(0) for k in range(len(walls))]
        moved_generators = [
            {
                (*m[:i], q * m[i], *m[i + 1 :]): c * sign ** m[i]
                for m, c in taylor_shift(g, corner).items()
            }
            for g in moved_generators
        ]
    return FibreCell.whole(moved_generators, free_priors)
