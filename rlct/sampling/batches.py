"""Random mini-batches: every chain its own, what depends on a batch alone computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError

LEAST_BATCHES = 16  # batches to choose from
UNEVEN_SHARE = 0.05  # of their noise, of halves at most: what the mean of a pool may add while kept


class Batches:
    """Pools of batches, renewed as soon as each was used once a chain.

    A batch is uniform among all of its size, and each chain at each step takes one at random.
    Batches are drawn from a pool, so that their moments, or whatever else a target computes from a
    batch, serve all chains.  While a pool is kept its mean pushes all one way: samples take turns,
    so that all are in it equally often but for one time.  The seed is of the partitions; which
    chain takes which batch is drawn elsewhere.

    >>> rng = np.random.default_rng(0)
    >>> (chosen,) = Batches(6, 2, seed=0).draw(3, rng, lambda rows: (rows,))
    >>> chosen.shape
    (3, 2)
    """

    def __init__(self, samples: int, size: int, seed: int) -> None:
        if not 1 <= size <= samples:
            raise InputError(f"batch_size must lie between 1 and the {samples} samples, not {size}")
        self.samples, self.size, self.seed = samples, size, seed
        self._round = self._batches_left = 0
        self._pool: tuple[Any, ...] = ()
        # As few batches in the pool as samples are in it evenly.
        least = max(LEAST_BATCHES, samples // size)
        counts = np.arange(least, least + LEAST_BATCHES)
        once = counts * size % samples / samples  # a share of samples that is in it once more
        # Variance of the mean of the pool, times its uses, over that of a batch.
        uneven = once * (1 - once) * samples / (counts * max(samples - size, 1)) * samples / size
        # Batches of more than half of the samples have less noise, which is that much less news.
        uneven *= min(1.0, (samples - size) / size)
        self.count = int(counts[(uneven <= UNEVEN_SHARE).argmax()])

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

        ``prepare`` takes rows of batches, shape ``(batches, size)``, to arrays with a leading axis
        of batches.
        """
        if not self._batches_left:
            self._round += 1
            self._pool = ()
        if not self._pool:
            self._pool = prepare(self._rows())
            self._batches_left = self._batches_left or self.count
        self._batches_left -= 1
        return self._pool, rng.integers(self.count, size=points)

    @property
    def copies(self) -> int:
        """Samples of all batches in the pool against all samples, rounded up."""
        return -(-self.count * self.size // self.samples)

    def _rows(self) -> NDArray[np.intp]:
        """Rows of this round's batches: the same whenever they are asked for."""
        rng = np.random.default_rng([self.seed, self._round])
        rows = np.empty((self.count, self.size), dtype=np.intp)
        waiting_samples = rng.permutation(self.samples)
        for row in rows:
            if len(waiting_samples) < self.size:  # all of these, and some of the others
                others = np.ones(self.samples, dtype=bool)
                others[waiting_samples] = False
                order = rng.permutation(np.flatnonzero(others))
                more = self.size - len(waiting_samples)
                row[:] = np.concatenate([waiting_samples, order[:more]])
                waiting_samples = rng.permutation(np.concatenate([waiting_samples, order[more:]]))
            else:
                row[:], waiting_samples = waiting_samples[: self.size], waiting_samples[self.size :]
        return rows

    def state(self) -> list[int]:
        """Everything that decides the next batches."""
        return [self.samples, self.size, self.seed, self._round, self._batches_left]

    @classmethod
    def restored(cls, state: list[int]) -> Batches:
        """Batches as they were at a :meth:`state`."""
        found = cls(*state[:3])
        found._round, found._batches_left = state[3:]
        return found
