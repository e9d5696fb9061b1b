"""Metropolis-adjusted Langevin chains at several nβ, all in one array."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.sampling.ladder import Ladder
from rlct.sampling.target import Floats, Target

__all__ = ["Chains", "mala", "mala_ladder", "rungs"]

Progress = Callable[[float, str], object]
WANTED_ACCEPTANCE = 0.574
ADAPTATION = 0.66


@dataclass(frozen=True)
class Chains:
    """Draws of nβK after burn-in.

    Parameters
    ----------
    n_beta : array, shape (rungs,)
    draws : array, shape (rungs, chains, draws)
        nβK, or nβ(L_n(w) − L_n(w₀)) on data.
    acceptance : array, shape (rungs, chains)
        NaN for samplers without a Metropolis step.
    lr : array, shape (rungs, chains)
        Step size after burn-in, the variance of the injected noise.
    w : array, shape (rungs, chains, d)
        Last state.
    """

    n_beta: Floats
    draws: Floats
    acceptance: Floats
    lr: Floats
    w: Floats


def mala(
    target: Target,
    n_beta: Floats,
    *,
    rng: np.random.Generator,
    num_chains: int = 8,
    num_draws: int = 2000,
    num_burnin: int | None = None,
    localization: float = 0.0,
    thin: int = 1,
    progress: Progress | None = None,
) -> Chains:
    """Sample exp(−nβK − γ|w|²/2)·prior by Langevin proposals with a Metropolis test.

    w′ = w + (ε/2)∇log π(w) + √ε ξ.  The step ε of every chain follows its acceptance
    (towards 0.574) during burn-in and is frozen afterwards, so that the draws that are
    kept come from a fixed, exactly invariant kernel.

    Parameters
    ----------
    target : Target
    n_beta : array, shape (rungs,)
    rng : numpy.random.Generator
    num_chains, num_draws, num_burnin : int
        Chains per nβ, draws kept per chain, steps discarded (as many as kept by default).
    localization : float
        γ.
    thin : int
        Steps per draw.
    progress : callable, optional

    References
    ----------
    Roberts, Rosenthal (1998), Optimal scaling of discrete approximations to Langevin
    diffusions, JRSS B 60.

    Examples
    --------
    >>> from rlct.sampling.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2
    >>> found = mala(target, np.array([100.0]), rng=np.random.default_rng(0))
    >>> bool(abs(found.draws.mean() - 0.495) < 0.05)
    True
    """
    grid = np.atleast_1d(np.asarray(n_beta, dtype=float))
    if num_chains < 1 or num_draws < 1 or thin < 1 or not (grid > 0).all():
        raise InputError("mala needs positive n_beta, num_chains, num_draws and thin")
    burnin = num_draws if num_burnin is None else num_burnin
    rows = len(grid) * num_chains
    strength = np.repeat(grid, num_chains)

    def density(w: Floats) -> tuple[Floats, Floats]:
        k = target.divergence(w)
        log = -strength * k + target.log_prior(w)
        return k, log - 0.5 * localization * np.einsum("nd,nd->n", w, w)

    def drift(w: Floats) -> Floats:
        slope = -strength[:, None] * target.gradient(w) + target.log_prior_gradient(w)
        return np.asarray(slope - localization * w)

    # Starts spread over all scales, so that agreement of the chains means something.
    w = target.sample_prior(rows, rng) * rng.random((rows, 1)) ** 2
    log_step = np.log(target.scale**2 / (1.0 + strength * target.scale**2))
    draws = np.empty((num_draws, rows))
    accepted = np.zeros(rows)
    total = burnin + num_draws * thin
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        k, log = density(w)
        force = drift(w)
        for step in range(total):
            size = np.exp(log_step)[:, None]
            noise = np.sqrt(size) * rng.standard_normal(w.shape)
            proposal = w + 0.5 * size * force + noise
            k_new, log_new = density(proposal)
            force_new = drift(proposal)
            back = w - proposal - 0.5 * size * force_new
            change = log_new - log
            change -= (np.einsum("nd,nd->n", back, back) - np.einsum("nd,nd->n", noise, noise)) / (
                2 * size[:, 0]
            )
            # NaN comes from overflow far outside: such a proposal is refused.
            accept = np.log(rng.random(rows)) < np.where(np.isnan(change), -np.inf, change)
            w = np.where(accept[:, None], proposal, w)
            k, log = np.where(accept, k_new, k), np.where(accept, log_new, log)
            force = np.where(accept[:, None], force_new, force)
            if step < burnin:
                chance = np.exp(np.minimum(0.0, np.where(np.isnan(change), -np.inf, change)))
                log_step += (chance - WANTED_ACCEPTANCE) * (1.0 + step) ** -ADAPTATION * 3.0
            else:
                accepted += accept
                if (step - burnin + 1) % thin == 0:
                    draws[(step - burnin) // thin] = strength * k
            if progress is not None and step % 100 == 0:
                progress(step / total, f"mala: step {step} of {total}")
    shape = (len(grid), num_chains)
    return Chains(
        n_beta=grid,
        draws=draws.T.reshape(*shape, num_draws),
        acceptance=(accepted / (num_draws * thin)).reshape(shape),
        lr=np.exp(log_step).reshape(shape),
        w=w.reshape(*shape, -1),
    )


def rungs(target: Target, rng: np.random.Generator, count: int = 10) -> tuple[Floats, float]:
    """Levels of nβ that chains can still mix at, and the unit L is measured from."""
    unit = 1.0 / float(np.median(np.abs(target.divergence(target.sample_prior(2000, rng)))))
    if not np.isfinite(unit):
        raise InputError("K is zero on more than half of the prior: there is no threshold")
    levels = np.minimum(unit * np.exp(np.linspace(2.5, 8.5, count)), target.resolution)
    return levels, unit


def as_ladder(found: Chains, unit: float, kind: str) -> Ladder:
    """Tempered means per chain as point slopes, with the last rung for diagnostics."""
    length = np.log(found.n_beta / unit)
    return Ladder(
        start=length,
        stop=length,
        slopes=found.draws.mean(axis=2).T,
        unit=unit,
        draws=_worst(found.draws),
        means=found.draws.mean(axis=(1, 2)),
        kind=kind,
        acceptance=float(np.mean(found.acceptance)),
    )


def _worst(draws: Floats) -> Floats:
    """Draws of the rung whose chains disagree most, relative to their spread."""
    means = draws.mean(axis=2)
    spread = draws.std(axis=(1, 2))
    return np.asarray(draws[int(np.argmax(means.std(axis=1) / np.maximum(spread, 1e-300)))])


def mala_ladder(
    target: Target,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    num_chains: int = 8,
    progress: Progress | None = None,
) -> Ladder:
    """Tempered means on a ladder of nβ by :func:`mala`."""
    levels, unit = rungs(target, rng)
    found = mala(
        target, levels, rng=rng, num_chains=num_chains, num_draws=draws, thin=3, progress=progress
    )
    return as_ladder(found, unit, "tempered mean (MALA)")
