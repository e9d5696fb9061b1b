"""Functional variance and singular fluctuation at any inverse temperature."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from rlct.criteria.draws import Draws
from rlct.criteria.inputs import count_of
from rlct.criteria.statistic import FloatArray, Statistic
from rlct.errors import InputError

__all__ = ["functional_variance", "singular_fluctuation"]


def functional_variance(
    log_likelihood: Any,
    *,
    beta: float = 1.0,
    observations: int | None = None,
    log_masses: Any = None,
) -> Statistic:
    """V = Σ_i Var_w log p(X_i|w), the sum over all observations of posterior variances.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, m) or (draws, m)
        log p(X_i|w) at posterior draws.
    beta : float
        Inverse temperature of the posterior.
    observations : int, optional
        Number n ≥ m of observations of the data, if the array holds a random part of them:
        V is then estimated by n/m times its sum, without bias. The part is to be the same at
        every draw; parts that change from draw to draw add their own variance to V.
    log_masses : array, shape (chains, draws) or (draws,), optional
        Log of posterior masses, for nodes of exact integration instead of draws.

    Returns
    -------
    Statistic
        ``data_error`` is the error of taking a part, and None if all observations are there:
        the terms share one posterior, so that their scatter does not say how V changes from
        data set to data set. In singular models V does not settle as n grows. Use
        ``Statistic.over_data``.

    Raises
    ------
    InputError
        If the log-likelihood has the wrong shape or an entry that is not finite, or there are
        more columns than observations.

    Notes
    -----
    Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594.

    Examples
    --------
    In N(w, 1) with posterior N(0, s²), log p varies by (x² + s²/2)·s²: 1·(4 + ½) for x = 2, s = 1.

    >>> import numpy as np
    >>> w = np.linspace(-9, 9, 4001)
    >>> table = -((2.0 - w[:, None]) ** 2) / 2
    >>> round(functional_variance(table, log_masses=-(w**2) / 2).value, 9)
    4.5
    """
    draws = Draws(log_likelihood, beta, log_masses)
    observation_count = (
        draws.n if observations is None else count_of(observations, "the observations")
    )
    if observation_count < draws.n:
        raise InputError(f"{draws.n} columns for {observation_count} observations")

    def terms(block: FloatArray) -> tuple[FloatArray, FloatArray]:
        square = (block - draws.masses @ block) ** 2
        variance = draws.masses @ square
        return variance[None], (square - variance).sum(axis=1)

    (variance,), influence = draws.collect(terms)
    used_variance = draws.statistic("functional-variance", variance, influence)
    whole = _times(observation_count, used_variance)
    part = None
    if observation_count > draws.n and whole.data_error is not None:
        part = whole.data_error * math.sqrt(1.0 - draws.n / observation_count)
    details = {"beta": draws.beta, "observations": observation_count, "used": draws.n}
    return replace(whole, data_error=part, details=details, pointwise=used_variance.pointwise)


def _times(factor: float, statistic: Statistic) -> Statistic:
    """A multiple of it, with its errors."""
    errors, terms = statistic.data_error, statistic.pointwise
    return replace(
        statistic,
        value=factor * statistic.value,
        error=factor * statistic.error,
        data_error=None if errors is None else factor * errors,
        pointwise=None if terms is None else factor * terms,
    )


def singular_fluctuation(
    log_likelihood: Any,
    *,
    beta: float = 1.0,
    observations: int | None = None,
    log_masses: Any = None,
) -> Statistic:
    """Estimate of the singular fluctuation ν(β) = lim (β/2) E V from one data set, βV/2.

    Parameters
    ----------
    log_likelihood, beta, observations, log_masses
        As in :func:`functional_variance`.

    Returns
    -------
    Statistic
        Its expectation over data tends to ν(β), itself it need not: average over data sets
        with ``Statistic.over_data``. A regular model that contains the truth has ν = d/2 at
        every β.

    Raises
    ------
    InputError
        As :func:`functional_variance`.

    Notes
    -----
    Watanabe, S. (2010), Journal of Machine Learning Research 11:3571–3594.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=1000)
    >>> w = x.mean() + rng.normal(size=(4, 500, 1)) / np.sqrt(1000)
    >>> found = singular_fluctuation(-((x - w) ** 2) / 2)
    >>> bool(abs(found.value - 0.5) < 0.1)
    True
    """
    data_variance = functional_variance(
        log_likelihood, beta=beta, observations=observations, log_masses=log_masses
    )
    details = {**data_variance.details, "functional_variance": data_variance.value}
    half = _times(data_variance.details["beta"] / 2.0, data_variance)
    return replace(half, name="singular-fluctuation", details=details)
