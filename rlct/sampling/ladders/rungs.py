"""Chains at several nβ as a ladder that (λ, θ) can be fitted to."""

from typing import Any

import numpy as np

from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.markov_chains.chains import Chains, sample_chains
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.targets.target import Floats, Target, typical_divergence

RUNG_CHAINS, DRAW_MOVES = 8, 3  # at each nβ; moves with a test from a draw to the next
STEP_STIFFNESS, STEEP_QUANTILE = 0.2, 0.9  # of a step without a test against this curvature


def chain_ladder(
    kernel: type[Kernel], target: Target, *, rng: np.random.Generator, draws: int, **options: Any
) -> Ladder:
    """Tempered means on a ladder of nβ by eight chains of a kernel at each.

    Of a kernel without a test every other chain runs at half the step, so that what is left of its
    bias shows up as disagreement between chains.  Options are checkpoint and progress, as of
    `rlct.sampling.markov_chains.chains.run_chains`.
    """
    levels, unit = rungs(target, rng)
    if kernel.on_batches:
        sample = target.sample_prior(2000, rng)
        slopes = np.linalg.norm(target.gradient(sample), axis=1)
        curvature = float(np.quantile(slopes / np.linalg.norm(sample, axis=1), STEEP_QUANTILE))
        lr = STEP_STIFFNESS / (levels * curvature + target.scale**-2)
        options["lr"] = lr[:, None] * np.where(np.arange(RUNG_CHAINS) % 2, 0.5, 1.0)
    else:
        options["thin"] = DRAW_MOVES
    options |= {"rng": rng, "num_chains": RUNG_CHAINS, "num_draws": draws}
    chains = sample_chains(kernel, target, levels, **options)
    return as_ladder(chains, unit, f"tempered mean ({kernel.name.upper()})")


def rungs(target: Target, rng: np.random.Generator, count: int = 10) -> tuple[Floats, float]:
    """Levels of nβ that chains can still mix at, and the unit L is measured from."""
    unit = 1.0 / typical_divergence(np.abs(target.divergence(target.sample_prior(2000, rng))))
    levels = np.minimum(unit * np.exp(np.linspace(2.5, 8.5, count)), target.resolution)
    return levels, unit


def as_ladder(chains: Chains, unit: float, kind: str) -> Ladder:
    """Tempered means per chain as point slopes, with the last rung for diagnostics."""
    stop_warning = (
        f"interrupted after {chains.draws.shape[2]} draws of each chain: a whole run says more"
    )
    length = np.log(chains.n_beta / unit)
    means = chains.unbiased.mean(axis=2)
    return Ladder(
        start=length,
        stop=length,
        slopes=means.T,
        unit=unit,
        draws=_worst(chains.draws),
        means=means.mean(axis=1),
        kind=kind,
        acceptance=float(np.mean(chains.acceptance)),
        warnings=(stop_warning,) if chains.interrupted else (),
    )


def _worst(draws: Floats) -> Floats:
    """Draws of the rung whose chains disagree most, relative to their spread."""
    means = draws.mean(axis=2)
    spread = draws.std(axis=(1, 2))
    return np.asarray(draws[int(np.argmax(means.std(axis=1) / np.maximum(spread, 1e-300)))])
