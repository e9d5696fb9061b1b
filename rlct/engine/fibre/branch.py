"""A variable is 0 or not, and cells without zeros."""

from dataclasses import replace

from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.torus import scaling_weights


def branch(cell: LiteralCell, i: int) -> tuple[dict[str, object], list[LiteralCell]]:
    """The zeros with x_i ≠ 0 and those with x_i = 0 are all zeros of the cell.

    Without a condition.
    """
    return {"variable": i}, [
        replace(cell, nonzero=cell.nonzero | {i}),
        cell.with_zeros(frozenset({i})),
    ]


def empty_generator(cell: LiteralCell) -> int | None:
    """A generator that vanishes nowhere on the cell.

    If its terms have one sign on each orthant, and one of them is not 0 on the cell.
    """
    for k, g in enumerate(cell.generators):
        if g and any(not left for left in _undecided(cell, k)):
            return k
    return None


def next_variable(cell: LiteralCell) -> int | None:
    """A variable to branch on: one whose term has to vanish, else one that a scaling moves."""
    candidates: list[list[int]] = []
    for k in range(len(cell.generators)):
        candidates += _undecided(cell, k)
    if candidates:
        return min(min((len(left), left) for left in candidates)[1])
    basis = scaling_weights(cell)
    for i in range(cell.width):
        if i not in cell.zeros | cell.nonzero and any(basis[:, i]):
            return i
    return None


def _undecided(cell: LiteralCell, k: int) -> list[list[int]]:
    """Undecided variables of each term of a generator that no other term can cancel."""
    terms = cell.on_cell(cell.generators[k])
    if not terms:
        return []
    first = next(iter(terms))
    alike = all((a - b) % 2 == 0 for m in terms for a, b in zip(m, first, strict=True))
    if not alike or len({c > 0 for c in terms.values()}) > 1:
        return []
    return [[i for i, e in enumerate(m) if e and i not in cell.nonzero] for m in terms]
