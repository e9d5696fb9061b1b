"""Rank of the derivative of a table of probabilities, from some of its cells."""

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, Final, Protocol

from rlct.algebra.exact_rank import residue_rank

_MOST_PRODUCTS: Final = 10**9  # of an elimination, a few seconds
_MANY_SIZES: Final = 64  # of two or more, whose product exceeds every number of parameters


class TableModel(Protocol):
    """A model of a table: what is asked of it for a rank."""

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """Length of the table in each direction."""

    def cell_derivative(self, cells: Any) -> Any:
        """Derivative of some cells at a random parameter, modulo 2³¹ − 1: a row for each cell."""


@lru_cache(maxsize=512)
def table_rank(model: TableModel) -> int:
    """Rank of the derivative of cells at a random parameter, 0 if that is too large.

    Modulo a prime, and of some cells: a proved lower bound of the largest rank.
    """
    count, sizes = model.parameter_count + 1, model.table_sizes
    cell_count = prod(sizes[:_MANY_SIZES])
    if cell_count > 4 * count:
        cell_count = 2 * count
    if count * cell_count * min(count, cell_count) > _MOST_PRODUCTS:
        return 0
    return residue_rank(model.cell_derivative(sampled_cells(sizes, cell_count)))


def sampled_cells(sizes: Sequence[int], count: int) -> Any:
    """As many cells of a table, a row each; all if it has no more.

    Each index comes in each direction equally often, up to one, so that no parameter is missed.

    >>> sampled_cells((2, 3), 6)[:2].tolist(), len(sampled_cells((9,) * 30, 5))
    ([[0, 0], [0, 1]], 5)
    """
    import numpy as np

    if prod(sizes[:_MANY_SIZES]) <= count:
        return np.indices(sizes).reshape(len(sizes), -1).T
    rng = np.random.default_rng(count)
    return np.stack([rng.permutation(count) % size for size in sizes], axis=1)
