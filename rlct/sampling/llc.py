"""The local learning coefficient as practitioners estimate it: one nβ, Langevin chains."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.stats import t as student

from rlct.errors import InputError
from rlct.sampling import diagnostics
from rlct.sampling.estimate import Estimate
from rlct.sampling.mala import mala
from rlct.sampling.sgld import sgld
from rlct.sampling.target import Target

__all__ = ["llc"]

Progress = Callable[[float, str], object]


def llc(
    target: Target,
    *,
    n_beta: float,
    method: str = "mala",
    lr: float | None = None,
    localization: float = 0.0,
    num_chains: int = 8,
    num_draws: int = 2000,
    num_burnin: int | None = None,
    batch_size: int | None = None,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Estimate:
    """Tempered mean λ̂ = nβ(E[L(w)] − L(w₀)) at one nβ.

    This number depends on nβ: it is λ − (θ−1)/log(nβ) + …, not λ, so the interval covers
    the tempered mean and not λ.  Use :func:`rlct.sampling.run.estimate` for λ.

    Parameters
    ----------
    target : Target
        A population K or a :class:`~rlct.sampling.regression.RegressionTarget`.
    n_beta : float
        On n data points usually n / log n.
    method : {"mala", "sgld"}
    lr : float, optional
        Step of ``"sgld"``, which needs one; ``"mala"`` adapts its own.
    localization, num_chains, num_draws, num_burnin, batch_size
        As in :func:`~rlct.sampling.sgld.sgld`.
    seed : int
    level : float
        Of the interval, from the scatter of the chains.
    progress : callable, optional

    Returns
    -------
    Estimate

    Examples
    --------
    >>> from rlct.sampling.linear import LinearNetworkTarget
    >>> found = llc(LinearNetworkTarget([1, 1], rank=0), n_beta=100.0)
    >>> abs(found.lam - 0.5) < 0.05
    True
    """
    if method not in ("mala", "sgld"):
        raise InputError(f"unknown method {method!r}: choose mala or sgld")
    if num_chains < 2:
        raise InputError("an interval needs at least two chains")
    if method == "sgld" and lr is None:
        raise InputError("sgld needs a step size lr")
    if method == "mala" and (lr is not None or batch_size is not None):
        raise InputError("mala adapts its own step and uses all data: lr and batch_size are sgld's")
    began = time.perf_counter()
    rng = np.random.default_rng(seed)
    grid = np.array([n_beta], dtype=float)
    if method == "mala":
        found = mala(
            target,
            grid,
            rng=rng,
            num_chains=num_chains,
            num_draws=num_draws,
            num_burnin=num_burnin,
            localization=localization,
            progress=progress,
        )
    else:
        found = sgld(
            target,
            grid,
            lr=float(lr or 0.0),
            rng=rng,
            localization=localization,
            num_chains=num_chains,
            num_draws=num_draws,
            num_burnin=num_burnin,
            batch_size=batch_size,
            progress=progress,
        )
    draws = found.draws[0]
    means = draws.mean(axis=1)
    error = float(means.std(ddof=1) / np.sqrt(num_chains))
    half = float(student.ppf(0.5 + level / 2, num_chains - 1)) * error
    effective, disagreement = diagnostics.ess(draws), diagnostics.rhat(draws)
    lam = float(means.mean())
    return Estimate(
        lam=lam,
        interval=(lam - half, lam + half),
        level=level,
        theta=None,
        theta_interval=None,
        error=error,
        degrees=float(num_chains - 1),
        ess=effective,
        rhat=disagreement,
        seconds=time.perf_counter() - began,
        seed=seed,
        method=method,
        warnings=diagnostics.warnings_for(draws, effective=effective, disagreement=disagreement),
        details={
            "n_beta": float(n_beta),
            "localization": localization,
            "lr": found.lr[0].tolist(),
            "acceptance": found.acceptance[0].tolist(),
            "chain_means": means.tolist(),
        },
    )
