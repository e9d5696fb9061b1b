"""Singular fluctuation from random mini-batches: sums by observation, and what they tell."""

from __future__ import annotations

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.burnin import step_halves, without_step
from rlct.sampling.posterior import TemperedPosterior
from rlct.sampling.target import DataTarget, Floats

__all__ = ["BatchFluctuation", "mean_variance", "variance_of_sums"]


def variance_of_sums(sums: Floats) -> tuple[float, float]:
    """Functional variance V and its standard error, by a jackknife over the chains.

    V̂ = n Σ_i Σ_t (ℓ_it − ℓ̄_i)² / Σ_i (m_i − 1) over the observations i seen m_i ≥ 2 times.

    Parameters
    ----------
    sums : array, shape (3, chains, n)
        How often each chain saw each observation, and the sums of its losses and their squares.

    Returns
    -------
    (float, float)
        V is NaN if no observation was seen twice.

    Examples
    --------
    >>> sums = np.array([[[4.0], [4.0]], [[0.0], [0.0]], [[7.0], [7.0]]])   # ±1 or so, eight times
    >>> variance_of_sums(sums)[0]
    2.0
    """

    def variance(part: Floats) -> float:
        return float(samples * mean_variance(part)[0])

    total = sums.sum(axis=1)
    _, chains, samples = sums.shape
    left = np.array([variance(total - sums[:, c]) for c in range(chains)])
    error = np.sqrt((chains - 1) / chains * ((left - left.mean()) ** 2).sum())
    return variance(total), float(error)


def mean_variance(sums: Floats) -> tuple[float, int]:
    """Variance within places, pooled, and its degrees of freedom Σ (m − 1); NaN for none.

    Parameters
    ----------
    sums : array, shape (3, ...)
        How many numbers each place has, their sums and the sums of their squares.
    """
    count, first, second = sums.reshape(3, -1)
    often = count >= 2
    squares = second[often] - first[often] ** 2 / count[often]
    freedom = int((count[often] - 1).sum())
    return float(squares.sum() / freedom) if freedom else float("nan"), freedom


class BatchFluctuation:
    """Looks at the losses of other samples for each chain and draw.

    Draws are compared only where they saw the same sample: the variance of a mini-batch's mean
    would hold the scatter between samples.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of a single rung, on a target with data.
    size : int
        Samples for each chain and draw, with replacement.
    """

    def __init__(self, posterior: TemperedPosterior, size: int) -> None:
        assert isinstance(posterior.target, DataTarget)
        self.posterior, self.size, self.target = posterior, size, posterior.target
        self.sums: Floats = np.zeros((3, posterior.rows, self.target.samples))

    def __call__(self, w: Array) -> None:
        """Look at one draw of all chains."""
        on, (_, chains, n) = self.posterior.arrays, self.sums.shape
        rows = on.rng.integers(n, size=(chains, self.size))
        losses = np.asarray(on.numpy(self.target.pointwise(w, rows)), dtype=float).reshape(-1)
        flat = (rows + n * np.arange(chains)[:, None]).reshape(-1)
        for k, weights in enumerate((None, losses, losses**2)):
            self.sums[k] += np.bincount(flat, weights, chains * n).reshape(chains, n)

    @property
    def repeats(self) -> float:
        """How often a sample was seen on average."""
        return float(self.sums[0].sum() / self.sums.shape[2])

    def singular_fluctuation(self, *, halved: bool = False) -> tuple[float, float] | None:
        """ν = βV/2 and its standard error; None if no sample was seen twice."""
        parts = [self.sums[:, part] for part in step_halves(halved)]
        if any(part[0].sum(axis=0).max(initial=0) < 2 for part in parts):
            return None
        half = 0.5 * float(self.posterior.n_beta[0]) / self.target.samples
        value, error = without_step([variance_of_sums(part) for part in parts])
        return half * value, half * error
