"""Parts of a cell where some of several functions that cannot vanish together is not 0."""

from collections.abc import Sequence

from rlct.algebra.polynomial import Polynomial
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.match import matching_cell
from rlct.proof.encode import encode_polynomial, encode_polynomials

CellStep = tuple[dict[str, object], list[LiteralCell]]


def cover_by_sums(cell: LiteralCell) -> CellStep | None:
    """p_1 + … + p_k is a number on the cell, or not 0: nor are all sums of k − 1 of them 0.

    Their sum is k − 1 times it.  One is enough of those that a permutation joins
    (``theory/fibres.md``).
    """
    for parts, generator in _sums(cell):
        total = sum(parts, cell.ring.zero)
        shorter_sums = [total - p for p in parts]
        if any(cell.is_unit(s) for s in shorter_sums):
            continue
        multipliers = [cell.ring.zero] * len(cell.generators)
        if generator is not None:
            multipliers[generator] = cell.ring(1 - len(parts))
        cells = [cell.where(s) for s in shorter_sums]
        images: list[list[int] | None] = [None]
        children = cells[:1]
        for part in cells[1:]:
            image = matching_cell(cells[0], part)
            images.append(image)
            children += [part] if image is None else []
        data: dict[str, object] = {
            "units": encode_polynomials(shorter_sums),
            "multipliers": [encode_polynomial(cell.ring.one)] * len(shorter_sums),
            "generators": encode_polynomials(multipliers),
            "images": images,
        }
        return data, children
    return None


def _sums(cell: LiteralCell) -> list[tuple[Sequence[Polynomial], int | None]]:
    """Terms of a unit, or of a generator on the cell but its number; the generator."""
    pieces: list[tuple[Sequence[Polynomial], int | None]] = []
    for u in cell.units:
        pieces.append((_terms(cell, cell.on_cell(u)), None))
    for k, g in enumerate(cell.generators):
        on_cell = cell.on_cell(g)
        number = on_cell.pop((0,) * cell.width, None)
        if number is not None:
            pieces.append((_terms(cell, on_cell), k))
    return [item for item in pieces if len(item[0]) > 1]


def _terms(cell: LiteralCell, terms: dict[tuple[int, ...], object]) -> list[Polynomial]:
    """Terms one by one, if no two of them share a variable."""
    used: set[int] = set()
    for m in terms:
        here = {i for i, e in enumerate(m) if e}
        if not here or here & used:
            return []
        used |= here
    return [cell.ring.from_dict({m: c}) for m, c in sorted(terms.items())]
