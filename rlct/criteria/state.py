"""The equations of state: learning coefficients from generalisation and training together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rlct.criteria.draws import Draws, log_mean
from rlct.criteria.inputs import array_of
from rlct.criteria.loo import LeaveOneOut
from rlct.criteria.statistic import FloatArray, Statistic, mean_error
from rlct.errors import InputError

__all__ = ["equation_of_state"]

# Errors are λ/n but for a fluctuation of that order, and V is 2ν, of the order of λ.
FAR_ERROR, CERTAIN_ERRORS = 5.0, 4.0


def equation_of_state(
    log_likelihood: Any,
    truth: Any,
    held_out: Any,
    held_out_truth: Any,
    *,
    beta: float = 1.0,
    method: str | None = None,
    log_masses: Any = None,
    held_out_masses: Any = None,
) -> Statistic:
    """Estimate of λ that solves Bg + Cv = (β−1)V/n + 2λ/(βn), which is 2λ/n at β = 1.

    Bg = −E_X log E_w p(X|w) + E_X log p(X|w₀) is the Bayes generalisation error and
    Cv = CvL + (1/n) Σ log p(X_i|w₀) the leave-one-out error: both are losses less that of the
    best parameter w₀, Bg in expectation and Cv on the data. Their sum is free of the fluctuation
    that each has alone.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, n) or (draws, n)
        log p(X_i|w) of the training data at posterior draws.
    truth : array, shape (n,)
        log p(X_i|w₀) of the training data.
    held_out : array, shape (chains, draws, m) or (draws, m)
        log p of other observations at the same draws, in the same order.
    held_out_truth : array, shape (m,)
        ``log p(·|w₀)`` of these.
    beta : float
        Inverse temperature of the posterior.
    method : {"psis", "importance"}, optional
        How observations are left out, as in `rlct.criteria.loo.loo`.
    log_masses : array, shape (chains, draws) or (draws,), optional
        Log of posterior masses, for nodes of exact integration instead of draws.
    held_out_masses : array, shape (m,), optional
        Probabilities of the held-out observations, if these are nodes of an integral over X
        instead of a sample.

    Returns
    -------
    Statistic
        ``error`` is that of the draws, ``data_error`` that of the held-out sample. Neither
        holds the change from one training set to the next, which is o_p(1), nor the distance
        to the limit n → ∞. ``details`` has Bg, Bt, Cv, V, and ``lambda_training``, the
        solution λ of n(Bg + Bt) + V = 2λ/β, and what `rlct.criteria.loo.loo` says of its
        weights. Where that loss is not to be trusted, λ is not either: warnings are the same.

    Raises
    ------
    InputError
        If shapes do not fit, an entry is not finite, or the method does not fit the draws.

    Notes
    -----
    Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594, theorem 2.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x, test = rng.normal(size=100), rng.normal(size=20000)
    >>> w = x.mean() + rng.normal(size=(4, 500, 1)) / 10
    >>> found = equation_of_state(
    ...     -((x - w) ** 2) / 2, -(x**2) / 2, -((test - w) ** 2) / 2, -(test**2) / 2
    ... )
    >>> bool(abs(found.value - 0.5) < 0.2)
    True
    """
    draws, test_draws = Draws(log_likelihood, beta, log_masses), Draws(held_out, beta, log_masses)
    if (draws.chains, draws.draws) != (test_draws.chains, test_draws.draws):
        raise InputError("training and held-out data need the same draws")
    entropy = _row(truth, draws.n, "truth")
    test_entropy = _row(held_out_truth, test_draws.n, "held_out_truth")
    masses = _probabilities(held_out_masses, test_draws.n)
    n, beta, left_out = draws.n, draws.beta, LeaveOneOut(draws, method)

    def train(block: FloatArray) -> tuple[FloatArray, FloatArray]:
        loss, moved, trust = left_out.terms(block)
        predictive, _ = log_mean(draws, block, 1.0)
        square = (block - draws.masses @ block) ** 2
        variance = draws.masses @ square
        influence = moved - (beta - 1.0) * (square - variance)
        return np.stack([loss, -predictive, variance, trust]), influence.sum(axis=1)

    offset = 0

    def test(block: FloatArray) -> tuple[FloatArray, FloatArray]:
        nonlocal offset
        predictive, influence = log_mean(test_draws, block, 1.0)
        part = masses[offset : offset + len(predictive)]
        offset += len(predictive)
        return -predictive[None], -(influence @ part)

    (loss, training_loss, variance, loo_trust), train_influence = draws.collect(train)
    (test_loss,), test_influence = test_draws.collect(test)
    terms = test_loss + test_entropy
    bg, cv = float(masses @ terms), float((loss + entropy).mean())
    bt, v = float((training_loss + entropy).mean()), float(variance.sum())
    data_error = mean_error(terms) if held_out_masses is None else None
    scale = n * beta / 2.0
    value = scale * (bg + cv - (beta - 1.0) * v / n)
    effective_size, split_rhat, draw_warnings = draws.quality
    loo_warnings, loo_details = left_out.judge(loo_trust)
    return Statistic(
        name="lambda-state",
        value=value,
        error=scale * draws.error(train_influence / n + test_influence),
        data_error=None if data_error is None else scale * data_error,
        ess=effective_size,
        rhat=split_rhat,
        warnings=_doubtful(value, cv, bg, data_error or 0.0, v, n) + draw_warnings + loo_warnings,
        details={
            "beta": beta,
            "observations": n,
            "generalisation_error": bg,
            "training_error": bt,
            "leave_one_out_error": cv,
            "functional_variance": v,
            "lambda_training": beta / 2.0 * (n * (bg + bt) + v),
            **loo_details,
        },
    )


def _probabilities(masses: Any, size: int) -> FloatArray:
    """Probabilities of the held-out observations; equal ones if they are a sample."""
    if masses is None:
        return np.full(size, 1.0 / size)
    row = _row(masses, size, "held_out_masses")
    if row.min() < 0 or not 0 < row.sum() < math.inf:
        raise InputError("held_out_masses must be probabilities")
    probabilities: FloatArray = row / row.sum()
    return probabilities


def _doubtful(
    value: float, cv: float, bg: float, data_error: float, v: float, n: int
) -> tuple[str, ...]:
    """Warnings that w₀ is not the best parameter: an error far above V/n, or λ ≤ 0."""
    too_large = tuple(
        f"{name}, {error:.3g}, is far more than V/n = {v / n:.2g}: {row} must be log p(·|w₀) of "
        "these observations, w₀ the best parameter"
        for name, error, noise, row in (
            ("the leave-one-out error", cv, 0.0, "truth"),
            ("the generalisation error", bg, data_error, "held_out_truth"),
        )
        if abs(error) > FAR_ERROR * (v + 1.0) / n + CERTAIN_ERRORS * noise
    )
    if too_large or value > 0:
        return too_large
    return ("that λ is not positive, as every λ is: w₀ is not the best parameter, or n is small",)


def _row(values: Any, size: int, label: str) -> FloatArray:
    array = array_of(values, label)
    try:
        row = np.asarray(array, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"{label} must be a row of {size} numbers") from None
    if row.shape != (size,) or not np.isfinite(row).all():
        raise InputError(f"{label} must be a row of {size} finite numbers")
    return row
