"""Multiples of generators with one term taken from the others."""

from dataclasses import replace
from typing import Any

from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.germs.simplify import subtract_monomials


def subtract_from_others(cell: LiteralCell) -> tuple[dict[str, object], list[LiteralCell]] | None:
    """The ideal is that of generators from which multiples of others are subtracted.

    Without a condition: each can be undone.  Those of single terms keep all scalings.
    """
    generators, operations = list(cell.generators), list[dict[str, Any]]()
    for _ in cell.generators:
        done = len(operations)
        subtract_monomials(generators, operations)
        if len(operations) == done:
            break
    if not operations:
        return None
    left = tuple(g for g in generators if g)
    return {"operations": operations}, [replace(cell, generators=left)]
