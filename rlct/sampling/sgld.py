"""Stochastic-gradient Langevin chains: the published local learning coefficient estimator."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rlct.errors import InputError
from rlct.sampling.ladder import Ladder
from rlct.sampling.mala import Chains, as_ladder, rungs
from rlct.sampling.regression import RegressionTarget
from rlct.sampling.target import Floats, Target

__all__ = ["DivergedError", "sgld", "sgld_ladder"]

Progress = Callable[[float, str], object]


class DivergedError(RuntimeError):
    """A chain left every bound; the message names the step and what to change."""


def sgld(
    target: Target,
    n_beta: Floats | float,
    *,
    lr: Floats | float,
    rng: np.random.Generator,
    localization: float = 0.0,
    num_chains: int = 8,
    num_draws: int = 2000,
    num_burnin: int | None = None,
    batch_size: int | None = None,
    use_prior: bool = True,
    progress: Progress | None = None,
) -> Chains:
    """Run Δw = (ε/2)[−nβ∇L(w) − γ w + ∇log φ(w)] + √ε ξ without a Metropolis test.

    λ̂ is the mean of nβ(L(w) − L(w₀)), here ``draws.mean()``.  The chain samples another
    distribution than the tempered posterior by O(ε), and mini-batch noise acts as extra
    temperature; neither is visible in the spread of the draws.

    Parameters
    ----------
    target : Target
        With ``batch_size``, a :class:`RegressionTarget`.
    n_beta : float or array, shape (rungs,)
    lr : float or array broadcastable to (rungs, chains)
        ε.
    rng : numpy.random.Generator
    localization : float
        γ, the strength of the pull towards w₀ = 0.
    num_chains, num_draws, num_burnin : int
        As in :func:`rlct.sampling.mala.mala`.
    batch_size : int, optional
        Samples per gradient, drawn anew for each chain and step.
    use_prior : bool
        Whether the prior of the target acts beside γ; the published estimator has none.
    progress : callable, optional

    Raises
    ------
    DivergedError
        At the first step where a weight or loss is not finite or absurdly large.

    References
    ----------
    Welling, Teh (2011), ICML; Lau, Furman, Wang, Murfet, Wei (2023), arXiv:2308.12108.

    Examples
    --------
    >>> from rlct.sampling.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, λ = 1/2
    >>> found = sgld(target, 100.0, lr=1e-4, localization=1.0, rng=np.random.default_rng(0))
    >>> bool(abs(found.draws.mean() - 0.5) < 0.1)
    True
    """
    grid = np.atleast_1d(np.asarray(n_beta, dtype=float))
    if num_chains < 1 or num_draws < 1 or not (grid > 0).all() or not (np.asarray(lr) > 0).all():
        raise InputError("sgld needs positive n_beta, lr, num_chains and num_draws")
    if batch_size is not None and not isinstance(target, RegressionTarget):
        raise InputError("mini-batches need a target with data")
    burnin = num_draws if num_burnin is None else num_burnin
    shape = (len(grid), num_chains)
    rows = shape[0] * shape[1]
    strength = np.repeat(grid, num_chains)[:, None]
    step_size = np.ascontiguousarray(np.broadcast_to(lr, shape), dtype=float).reshape(rows, 1)
    w: Floats = np.zeros((rows, target.dimension))
    draws = np.empty((num_draws, rows))
    total = burnin + num_draws
    bound = 1e6 * (1.0 + target.scale)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for step in range(total):
            if batch_size is not None and isinstance(target, RegressionTarget):
                chosen = rng.integers(target.samples, size=(rows, batch_size))
                slope = target.batch_gradient(w, chosen)
            else:
                slope = target.gradient(w)
            force = -strength * slope - localization * w
            if use_prior:
                pull = target.log_prior_gradient(w)
                # A singular prior pushes infinitely hard at its pole, where chains start.
                force += np.where(np.isfinite(pull), pull, 0.0)
            w = w + 0.5 * step_size * force + np.sqrt(step_size) * rng.standard_normal(w.shape)
            if not (np.abs(w) < bound).all():
                raise DivergedError(
                    f"a chain diverged at step {step}: lower lr, now up to {step_size.max():.2g}"
                )
            w = target.reflect(w)
            if step >= burnin:
                draws[step - burnin] = strength[:, 0] * target.divergence(w)
            if progress is not None and step % 100 == 0:
                progress(step / total, f"sgld: step {step} of {total}")
    return Chains(
        n_beta=grid,
        draws=draws.T.reshape(*shape, num_draws),
        acceptance=np.full(shape, np.nan),
        lr=step_size.reshape(shape),
        w=w.reshape(*shape, -1),
    )


def sgld_ladder(
    target: Target,
    *,
    rng: np.random.Generator,
    draws: int = 4000,
    num_chains: int = 8,
    progress: Progress | None = None,
) -> Ladder:
    """Tempered means on a ladder of nβ by :func:`sgld` on the population K.

    Every other chain runs at half the step, so that the bias of the step shows up as
    disagreement between chains.
    """
    levels, unit = rungs(target, rng)
    sample = target.sample_prior(2000, rng)
    steepness = np.linalg.norm(target.gradient(sample), axis=1) / np.linalg.norm(sample, axis=1)
    curvature = float(np.quantile(steepness, 0.9))
    lr = 0.2 / (levels * curvature + target.scale**-2)
    halves = np.where(np.arange(num_chains) % 2, 0.5, 1.0)
    found = sgld(
        target,
        levels,
        lr=lr[:, None] * halves,
        rng=rng,
        num_chains=num_chains,
        num_draws=draws,
        progress=progress,
    )
    return as_ladder(found, unit, "tempered mean (SGLD)")
