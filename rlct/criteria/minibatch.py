"""Functional variance and singular fluctuation from the mini-batches that chains see anyway."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.stats import t as student

from rlct.criteria.inputs import count_of, read_reals, temperature
from rlct.criteria.statistic import FloatArray, Statistic
from rlct.errors import InputError
from rlct.sampling.local.fluctuation import mean_variance, variance_of_sums
from rlct.sampling.markov_chains.diagnostics import RHAT_ALLOWED

__all__ = ["minibatch_fluctuation"]

_LEAST_FREEDOM = 1000  # degrees of freedom within halves of chains, for R-hat
_FEWEST_REPEATS = 10  # repeats an observation should have had on average
_FEWEST_CHAINS = 8  # from here on ± 1.96 errors hold 90 % at least, and not 95 %


def minibatch_fluctuation(
    log_likelihood: Any, rows: Any, observations: int, *, beta: float = 1.0
) -> Statistic:
    """ν = βV/2 from log-likelihoods of a random mini-batch at each draw.

    The variance of a mini-batch's mean over the draws is no estimate of V: it holds the scatter
    between observations.  Here draws are compared only where they saw the same observation,
    V̂ = n Σ_i Σ_t (ℓ_it − ℓ̄_i)² / Σ_i (m_i − 1) over the observations i seen m_i ≥ 2 times.  It is
    unbiased for independent draws, as batches are drawn without regard to w; and since
    observations come back only after about n / batch steps, autocorrelation matters less than
    on full data.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, batch)
        log p(X_i|w) at each draw for the observations of its batch; a batch that is also used
        for the next step will do, as the draw does not depend on it.
    rows : array of int, shape (chains, draws, batch)
        Which observations these are, from 0 to ``observations`` − 1.
    observations : int
        n.
    beta : float
        Inverse temperature of the posterior.

    Returns
    -------
    Statistic
        ``error``: jackknife over the chains, two at least. It is an estimate with one degree
        of freedom less than there are chains, ``degrees`` in ``details``: an interval is the
        value ± the error times Student's quantile, which is 12.7 at 95 % for two chains. Fewer
        than eight carry a warning. ``details`` also has the functional variance and
        ``mean_repeats``, how often an observation was seen on average. ``rhat`` compares the
        functional variance with that within halves of chains, and is None where these saw the
        same observation too seldom to show it; above 1.1 it carries a warning. What the noise
        of mini-batches did to the chains themselves is not corrected.

    Raises
    ------
    InputError
        If shapes do not fit, a row is out of range, an entry is not finite, or no observation
        was seen twice.

    Notes
    -----
    ν is the singular fluctuation of Watanabe (2010), Journal of Machine Learning Research
    11:3571–3594.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=400)
    >>> w = x.mean() + rng.normal(size=(8, 500, 1)) / 20       # posterior of a mean: ν = 1/2
    >>> rows = rng.integers(400, size=(8, 500, 16))
    >>> found = minibatch_fluctuation(-((x[rows] - w) ** 2) / 2, rows, 400)
    >>> bool(abs(found.value - 0.5) < 0.1)
    True
    """
    count = count_of(observations, "the observations")
    beta = temperature(beta)
    values, batch_rows = _batches(log_likelihood, rows, count)
    # About a common level for each observation, so that sums of squares lose no digits.
    times_drawn = np.bincount(batch_rows.reshape(-1), minlength=count)
    sums = np.bincount(batch_rows.reshape(-1), values.reshape(-1), count)
    level = sums / np.maximum(times_drawn, 1)
    half_sums = np.zeros((3, 2 * len(values), count))  # of every chain
    for c, (own, picked) in enumerate(zip(values, batch_rows, strict=True)):
        for h, part in enumerate(np.array_split(np.arange(len(own)), 2), 2 * c):
            flat = picked[part].reshape(-1)
            gap = own[part].reshape(-1) - level[flat]
            for k, weights in enumerate((None, gap, gap**2)):
                half_sums[k, h] = np.bincount(flat, weights, count)
    v, error = variance_of_sums(half_sums.reshape(3, len(values), 2, count).sum(axis=2))
    if not np.isfinite(v):
        raise InputError("no observation was seen twice: more draws or larger batches")
    half_beta, mean_repeats = beta / 2.0, float(times_drawn.mean())
    warnings = []
    if len(values) < _FEWEST_CHAINS:
        quantile = float(student.ppf(0.975, len(values) - 1))
        warnings.append(
            f"the error is from {len(values)} chains: a 95% interval is ± {quantile:.3g} times it, "
            "by Student's quantile"
        )
    if mean_repeats < _FEWEST_REPEATS:
        warnings.append(f"an observation was seen {mean_repeats:.1f} times on average: draw more")
    disagreement = _split_rhat(half_sums)
    if disagreement is not None and disagreement > RHAT_ALLOWED:
        warnings.append(f"chains disagree: split R-hat {disagreement:.3f} exceeds {RHAT_ALLOWED}")
    return Statistic(
        name="singular-fluctuation",
        value=half_beta * v,
        error=float(half_beta * error) if np.isfinite(error) else float("inf"),
        rhat=disagreement,
        warnings=tuple(warnings),
        details={
            "beta": beta,
            "observations": count,
            "functional_variance": v,
            "repeats": mean_repeats,
            "degrees": len(values) - 1,
        },
    )


def _batches(log_likelihood: Any, rows: Any, count: int) -> tuple[FloatArray, Any]:
    """Log-likelihoods of mini-batches, and the observations that these are."""
    values = np.asarray(read_reals(log_likelihood, "the log-likelihood"), dtype=float)
    batch_rows = read_reals(rows, "rows")
    if values.ndim != 3 or values.shape != batch_rows.shape or not values.size:
        raise InputError(
            "log-likelihoods and rows need one shape (chains, draws, batch), not "
            f"{values.shape} and {batch_rows.shape}"
        )
    if len(values) < 2:
        raise InputError("the error needs two chains or more")
    if batch_rows.dtype.kind not in "iu" or batch_rows.min() < 0 or batch_rows.max() >= count:
        raise InputError(f"rows must be whole numbers from 0 to {count - 1}")
    if not np.isfinite(values).all():
        raise InputError("every log-likelihood must be finite")
    return values, batch_rows


def _split_rhat(halves: FloatArray) -> float | None:
    """Root of the variance over all draws over that within halves of chains, as split R-hat is.

    It is taken at single observations: batch means would hold the scatter between these.
    """
    within, freedom = mean_variance(halves)
    overall, _ = mean_variance(halves.sum(axis=1))
    if freedom < _LEAST_FREEDOM or not within > 0:
        return None
    return math.sqrt(overall / within)
