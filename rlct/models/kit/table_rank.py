"""Rank of the derivative of a table of probabilities, from some of its cells."""

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, Final

from rlct.algebra.exact_rank import RESIDUE_PRIME, pivot_columns

_MOST_PRODUCTS: Final = 10**9  # of an elimination, a few seconds


@lru_cache(maxsize=512)
def table_rank(model: Any, sizes: tuple[int, ...]) -> int:
    """Rank of the derivative of cells at a random parameter, 0 if that is too large.

    The model has ``cell_derivative(cells)``, residues modulo 2³¹ − 1 with a row for each cell of a
    table of these sizes.  The rank of some cells is a proved lower bound of the largest.
    """
    count, cell_count = model.parameter_count + 1, prod(sizes)
    if cell_count > 4 * count:
        cell_count = 2 * count
    if count * cell_count * min(count, cell_count) > _MOST_PRODUCTS:
        return 0
    derivative = model.cell_derivative(sampled_cells(sizes, cell_count))
    return len(pivot_columns(derivative, RESIDUE_PRIME))


def sampled_cells(sizes: Sequence[int], count: int) -> Any:
    """As many cells of a table, a row each; all if it has no more.

    Each index comes in each direction equally often, up to one, so that no parameter is missed.

    >>> sampled_cells((2, 3), 6)[:2].tolist(), len(sampled_cells((9,) * 30, 5))
    ([[0, 0], [0, 1]], 5)
    """
    import numpy as np

    if prod(sizes) <= count:
        return np.indices(sizes).reshape(len(sizes), -1).T
    rng = np.random.default_rng(count)
    return np.stack([rng.permutation(count) % size for size in sizes], axis=1)
