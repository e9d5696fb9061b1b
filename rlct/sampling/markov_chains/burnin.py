"""Where a chain has forgotten its start, and whether it still moves away from it."""

from __future__ import annotations

import numpy as np
from scipy.stats import t as student

from rlct.sampling.markov_chains.chains import Chains
from rlct.sampling.targets.target import Floats

__all__ = [
    "SettledDraws",
    "chain_mean",
    "distance_growth",
    "draws_to_drop",
    "truncated_mean",
]

BATCH = 5  # draws of a mean, which the 5 of MSER-5 is (White 1997)
FALSE_ALARM, TRANSIENT = 1e-3, 0.05
MOST = 3.0  # times its error by which the choice of a truncation counts as moving a mean
# Of what free diffusion gains: a tenth of the distance in the second half of a run.  Chains from w*
# in linear networks had λ̂ too low by 2 % (median; 15 % at most) where they gained more than that,
# and by 0.5 % (4 %) where they gained less than half of it.
GROWTH_ALLOWED = 0.35


def draws_to_drop(draws: Floats) -> tuple[int, bool]:
    """Find how many draws to drop by the marginal standard error rule (MSER-5).

    Of all truncations up to half of the run it takes the one that leaves the smallest estimated
    error of the mean: what is dropped costs draws, what is kept of the transient costs spread.
    The run has settled unless the chains agree that the last quarter of it differs from the one
    before (Student's t over the chains; false alarm 1 in 1000).

    Parameters
    ----------
    draws : array, shape (chains, draws)

    Returns
    -------
    (int, bool)
        Draws to drop, the same for all chains; and whether the run has settled.

    References
    ----------
    White (1997), An effective truncation heuristic for bias reduction, Simulation 69.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws_to_drop(rng.normal(size=(4, 400)) + 20 * np.exp(-np.arange(400) / 10))
    (50, True)
    >>> draws_to_drop(rng.normal(size=(4, 400)) + np.arange(400))[1]
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
    quarter = draws.shape[1] // 4
    change = draws[:, -quarter:].mean(axis=1) - draws[:, -2 * quarter : -quarter].mean(axis=1)
    spread = float(change.std(ddof=1)) / np.sqrt(len(change)) if len(change) > 1 else np.inf
    limit = float(student.isf(FALSE_ALARM / 2, max(len(change) - 1, 1)))
    return int(np.argmin(error[: count // 2])) * BATCH, bool(abs(change.mean()) <= limit * spread)


def distance_growth(distance: Floats, num_burnin: int) -> float:
    """By what share chains went farther from w₀ while draws were taken; 0 where that is no news.

    The first and the last quarter of the second half of the run are compared, its burn-in
    included, or of the draws if these are fewer.  Free diffusion goes as the root of the number of
    steps, 29 % farther in the second half.  It is news if it is a third of that at least, and the
    chains agree that it is no chance (Student's t over the chains; false alarm 1 in 1000).

    Parameters
    ----------
    distance : array, shape (chains, draws)
    num_burnin : int
        Steps before them.

    Examples
    --------
    >>> steps = np.random.default_rng(0).normal(size=(8, 800, 20))
    >>> walk = np.linalg.norm(steps.cumsum(axis=1), axis=2)
    >>> 0.1 < distance_growth(walk[:, 400:], 400) < 0.5
    True
    >>> distance_growth(np.linalg.norm(steps, axis=2), 0)
    0.0
    """
    start = max(0, distance.shape[1] - num_burnin) // 2
    late_distance = distance[:, start:]
    quarter = late_distance.shape[1] // 4
    if quarter < 1 or len(late_distance) < 2 or not np.isfinite(late_distance).all():
        return 0.0
    steps = num_burnin + np.array([start, distance.shape[1] - quarter]) + quarter / 2
    free = float(np.sqrt(steps[1] / steps[0])) - 1.0
    before = late_distance[:, :quarter].mean(axis=1)
    change, error = chain_mean(late_distance[:, -quarter:].mean(axis=1) - before)
    share = change / max(float(before.mean()), 1e-300)
    limit = float(student.isf(FALSE_ALARM, len(late_distance) - 1))
    return share if share > GROWTH_ALLOWED * free and change > limit * error else 0.0


def chain_mean(values: Floats) -> tuple[float, float]:
    """Mean over chains, and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.inf
    return float(values.mean()), float(error)


def truncated_mean(values: Floats, drop: int) -> tuple[float, float]:
    """Mean over chains without the first draws, and its standard error, that of this choice too.

    `draws_to_drop` chooses what leaves the smallest error, and where there was no transient that is
    chance: the mean has then moved as noise does, and the scatter of what is left is too small.
    Where what is dropped surely differs from what is left (Student's t over the chains, 5 %), at
    most half of the variance is for the choice; else at most nine tenths, as two or three chains
    that agree by chance have no scatter to speak of.

    Examples
    --------
    >>> values = np.array([[3.0, 0.0, 2.0, 1.0], [0.0, 3.0, 2.0, 3.0]])
    >>> mean, error = truncated_mean(values, 2)
    >>> mean, round(error, 3)                       # 1/2 of the scatter and 1/4 of the choice
    (2.0, 0.559)
    """
    late_means = values[:, drop:].mean(axis=1)
    mean, error = chain_mean(late_means)
    if not drop or len(late_means) < 2:
        return mean, error
    moved = abs(mean - float(values.mean()))
    gap, noise = chain_mean(late_means - values[:, :drop].mean(axis=1))
    sure = abs(gap) > float(student.isf(TRANSIENT / 2, len(late_means) - 1)) * noise
    return mean, float(np.hypot(error, min(moved, (1.0 if sure else MOST) * error)))


class SettledDraws:
    """Mean of the settled draws, less what the sampler adds to it, with its errors."""

    def __init__(self, chains: Chains) -> None:
        self.chains = chains
        self.growth = distance_growth(chains.distance[0], chains.num_burnin)
        self.dropped, self.calm = draws_to_drop(chains.draws[0])
        self.draws = chains.draws[0, :, self.dropped :]
        self.distance = chains.distance[0, :, self.dropped :]
        unbiased = chains.unbiased[0]
        late_unbiased = unbiased[:, self.dropped :]
        self.excess = 0.0
        if chains.excess is not None:
            self.excess = float(chains.excess[0, :, self.dropped :].mean())
        self.unremoved = float(chains.unremoved(self.dropped)[0])
        self.lam, error = truncated_mean(unbiased, self.dropped)
        # Few chains may agree by chance; no better than independent draws.
        self.error = max(
            error, float(np.sqrt(late_unbiased.var(axis=1).mean() / late_unbiased.size))
        )
        self.degrees = float(len(late_unbiased) - 1)
