"""Leaves that are alike: the same germs with other names of the variables."""

from __future__ import annotations

from collections.abc import Sequence

from rlct.algebra.polynomial import Polynomial
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.resolution.symmetry import matching_permutation

__all__ = ["earlier_leaf"]


def earlier_leaf(cell: LiteralCell, leaves: Sequence[LiteralCell]) -> dict[str, object] | None:
    """The number of an earlier leaf with the same germs, and π: x_i there is x_π(i) here.

    If the permutation takes generators up to signs, prior and literals of one to the other.
    """
    for number, earlier in enumerate(leaves):
        if (
            earlier.width != cell.width
            or len(earlier.generators) != len(cell.generators)
            or sorted(map(len, earlier.generators)) != sorted(map(len, cell.generators))
        ):
            continue
        image = matching_permutation(_plain(earlier), _plain(cell), _roles(earlier), _roles(cell))
        if image is not None:
            return {"leaf": number, "permutation": image}
    return None


def _plain(cell: LiteralCell) -> tuple[Polynomial, ...]:
    """Generators in one ring, whatever the names are."""
    names = [f"x{k}" for k in range(cell.width)]
    ring = cell.ring.clone(symbols=names)
    return tuple(ring.from_dict(dict(g.terms())) for g in cell.generators)


def _roles(cell: LiteralCell) -> list[tuple[object, ...]]:
    return [(i in cell.zeros, i in cell.nonzero, h) for i, h in enumerate(cell.prior)]
