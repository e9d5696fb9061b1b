"""Leaves that are alike: the same germs with other names of the variables."""

from collections.abc import Sequence

from rlct.algebra.polynomial import Polynomial
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.germs.symmetry import matching_permutation


def earlier_leaf(cell: LiteralCell, leaves: Sequence[LiteralCell]) -> dict[str, object] | None:
    """The number of an earlier leaf with the same germs, and π: x_i there is x_π(i) here.

    If the permutation takes generators up to signs, prior and literals of one to the other.
    """
    for number, earlier in enumerate(leaves):
        image = matching_cell(earlier, cell)
        if image is not None:
            return {"leaf": number, "permutation": image}
    return None


def matching_cell(earlier: LiteralCell, cell: LiteralCell) -> list[int] | None:
    """π with x_i there = x_π(i) here: generators, units up to signs, prior and literals agree."""
    polynomials, images = _plain(earlier), _plain(cell)
    if earlier.width != cell.width or sorted(map(len, polynomials)) != sorted(map(len, images)):
        return None
    if len(earlier.units) != len(cell.units):
        return None
    image = matching_permutation(polynomials, images, _roles(earlier), _roles(cell))
    return None if image is None else image[: cell.width]


def _plain(cell: LiteralCell) -> tuple[Polynomial, ...]:
    """Generators in one ring, whatever the names are, and units times one more variable."""
    names = [f"x{k}" for k in range(cell.width + 1)]
    ring = cell.ring.clone(symbols=names)
    return tuple(
        ring.from_dict({(*m, e): c for m, c in p.terms()})
        for e, polynomials in enumerate((cell.generators, cell.units))
        for p in polynomials
    )


def _roles(cell: LiteralCell) -> list[object]:
    return [*((i in cell.zeros, i in cell.nonzero, h) for i, h in enumerate(cell.prior)), None]
