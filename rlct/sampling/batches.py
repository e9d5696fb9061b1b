"""Random mini-batches: every chain its own, what depends on a batch alone computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError

__all__ = ["Batches"]

LEAST = 16  # batches to choose from


class Batches:
    """Partitions of the samples into batches, renewed as soon as each was used once a chain.

    A batch is uniform among all of its size, and each chain at each step takes one at random.
    Batches are drawn from a pool, so that their moments, or whatever else a target computes
    from a batch, serve all chains.

    Parameters
    ----------
    samples, size : int
    seed : int
        Of the partitions; which chain takes which batch is drawn elsewhere.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> (chosen,) = Batches(6, 2, seed=0).draw(3, rng, lambda rows: (rows,))
    >>> chosen.shape
    (3, 2)
    """

    def __init__(self, samples: int, size: int, seed: int) -> None:
        if not 1 <= size <= samples:
            raise InputError(f"batch_size must lie between 1 and the {samples} samples, not {size}")
        self.samples, self.size, self.seed = samples, size, seed
        self._round = self._left = 0
        self._pool: tuple[Any, ...] = ()

    def draw(
        self,
        points: int,
        rng: np.random.Generator,
        prepare: Callable[[NDArray[np.intp]], tuple[Any, ...]],
    ) -> tuple[Any, ...]:
        """What ``prepare`` made of one batch for each point; see :meth:`choose`."""
        pool, chosen = self.choose(points, rng, prepare)
        return tuple(part[chosen] for part in pool)

    def choose(
        self,
        points: int,
        rng: np.random.Generator,
        prepare: Callable[[NDArray[np.intp]], tuple[Any, ...]],
    ) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
        """What ``prepare`` made of all batches, and the number of one batch for each point.

        Parameters
        ----------
        points : int
        rng : numpy.random.Generator
        prepare : callable
            From rows of batches, shape ``(batches, size)``, to arrays with a leading axis of
            batches.
        """
        if not self._left:
            self._round += 1
            self._pool = ()
        if not self._pool:
            self._pool = prepare(self._rows())
            self._left = self._left or self.count
        self._left -= 1
        return self._pool, rng.integers(self.count, size=points)

    @property
    def count(self) -> int:
        """Batches in the pool."""
        return self.copies * (self.samples // self.size)

    @property
    def copies(self) -> int:
        """Samples of all batches in the pool against all samples, rounded up."""
        return -(-LEAST // (self.samples // self.size))

    def _rows(self) -> NDArray[np.intp]:
        """Rows of this round's batches: the same whenever they are asked for."""
        rng = np.random.default_rng([self.seed, self._round])
        each = self.samples // self.size
        return np.concatenate(
            [
                rng.permutation(self.samples)[: each * self.size].reshape(each, self.size)
                for _ in range(self.copies)
            ]
        )

    def state(self) -> list[int]:
        """Everything that decides the next batches."""
        return [self.samples, self.size, self.seed, self._round, self._left]

    @classmethod
    def restored(cls, state: list[int]) -> Batches:
        """Batches as they were at a :meth:`state`."""
        found = cls(*state[:3])
        found._round, found._left = state[3:]
        return found
