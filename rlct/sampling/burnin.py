"""Where a chain has forgotten its start."""

from __future__ import annotations

import numpy as np

from rlct.sampling.target import Floats

__all__ = ["settled"]

BATCH = 5


def settled(draws: Floats) -> tuple[int, bool]:
    """Find how many draws to drop by the marginal standard error rule (MSER-5).

    Of all truncations it takes the one that leaves the smallest estimated error of the mean:
    what is dropped costs draws, what is kept of the transient costs spread.

    Parameters
    ----------
    draws : array, shape (chains, draws)

    Returns
    -------
    (int, bool)
        Draws to drop, the same for all chains; and whether the rule found its minimum before
        half of the run, without which the run has not settled.

    References
    ----------
    White (1997), An effective truncation heuristic for bias reduction, Simulation 69.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> settled(rng.normal(size=(4, 400)) + 20 * np.exp(-np.arange(400) / 10))
    (45, True)
    >>> settled(rng.normal(size=(4, 400)) + np.arange(400))[1]
    False
    """
    mean = draws.mean(axis=0)
    count = len(mean) // BATCH
    if count < 8:
        return 0, True
    blocks = mean[: count * BATCH].reshape(count, BATCH).mean(axis=1)
    left = np.arange(count, 0, -1)
    tail = np.cumsum(blocks[::-1])[::-1] / left
    square = np.cumsum(blocks[::-1] ** 2)[::-1] / left
    error = np.maximum(square - tail**2, 0.0) / left
    best = int(np.argmin(error[: count - 3]))
    if best > count // 2:
        return count // 2 * BATCH, False
    return best * BATCH, True
