"""Tempered means on a ladder of nβ by chains of exact conditional draws."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import TOO_SHORT, Ladder
from rlct.sampling.ladders.levels import Levels
from rlct.sampling.ladders.tempering import MANY_PARAMETERS
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.gibbs import BURN_FACTOR, anneal, refuse_spoilt
from rlct.sampling.markov_chains.moves import ParticlePopulation
from rlct.sampling.targets.target import (
    ConditionalTarget,
    ExpectedTarget,
    Floats,
    Target,
    typical_divergence,
)

Sweep = Callable[[Floats, float, np.random.Generator], tuple[Floats, Floats | None]]
# Sweeps at each nβ before those that count, besides a quarter of their number.  With 6, λ̂ of
# [5,3,5] was 1.5 % too large, and that of [30,20,30] 0.5 %, more than its interval knew.
BURN_SWEEPS = 12
USUAL_RUNGS, FEW_RUNGS = 12, 6  # few where the burn-in of many parameters outweighs the draws
FEWEST_RUNGS = 6  # that a fit can use after Ctrl-C


def gibbs_ladder(
    target: Target,
    *,
    rng: np.random.Generator,
    num_chains: int = 24,
    num_draws: int = 40,
    top: float,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Record tempered means of nβK by chain while nβ climbs to ``top``.

    L is measured from the median of K under the prior.  With hundreds of parameters that says
    little about where the asymptotics begin: from where the mean of nβK is half of what it becomes.

    At each nβ ``num_draws`` sweeps count, after a quarter as many, and a few more, that do not.
    With a hundred parameters and fewer draws than sweeps of the burn-in there are fewer nβ.
    ``independent`` is from the sweeps that do not count, but for the first quarter of them, and the
    earlier half of those that do, which know more of the rung before: where chains mix slowly it
    differs.  A checkpoint is as in `rlct.sampling.ladders.tempering.tempering_ladder`.

    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, w ~ N(0, 1) before
    >>> ladder = gibbs_ladder(target, rng=np.random.default_rng(0), top=1e10)
    >>> bool(abs(ladder.slopes.mean() - 0.5) < 0.03)
    True
    """
    if not isinstance(target, ConditionalTarget):
        raise InputError("gibbs needs a target with blocks that can be drawn exactly")
    top = min(top, target.resolution)
    settling_sweeps, sweep = BURN_SWEEPS + num_draws // 4, _sweeper(target)
    costly = target.dimension >= MANY_PARAMETERS and num_draws < BURN_SWEEPS
    rungs = FEW_RUNGS if costly else USUAL_RUNGS
    waiting_sweeps = settling_sweeps // 4
    settings = {"method": "gibbs, settled", "num_chains": num_chains, "draws": num_draws}
    finished_levels = Levels(checkpoint, target, rng, settings | {"top": top})
    population = ParticlePopulation.draw(target, 1, num_chains, rng)
    finished_levels.load(population)
    warnings: tuple[str, ...] = ()
    try:
        if not finished_levels.rows:
            unit, rung_lengths = _climb(target, population, top, rungs, rng)
        else:
            unit = float(finished_levels.rows[0][0])
            rung_lengths = _lengths(unit, top, rungs)
        for rung_length in rung_lengths[len(finished_levels.rows) :]:
            n_beta = float(unit * np.exp(rung_length))
            for _ in range(waiting_sweeps):
                population.w = target.redraw(population.w, n_beta, rng)
            sweep_means = np.zeros((2, num_chains, settling_sweeps - waiting_sweeps + num_draws))
            for k in range(-sweep_means.shape[2], 0):
                population.w, expected = sweep(population.w, n_beta, rng)
                if expected is None or k >= -num_draws:
                    sweep_means[1, :, k] = n_beta * target.divergence(population.w)
                sweep_means[0, :, k] = sweep_means[1, :, k] if expected is None else expected
            refuse_spoilt(float(sweep_means[0].mean()), n_beta, target.dimension)
            finished_levels.add(population, unit, rung_length, sweep_means)
            if progress is not None:
                text = f"gibbs: nβ = {n_beta:.3g}, mean nβK = {sweep_means[0].mean():.3f}"
                progress(len(finished_levels.rows) / len(rung_lengths), text)
    except KeyboardInterrupt:
        if len(finished_levels.rows) < FEWEST_RUNGS:
            raise KeyboardInterrupt(TOO_SHORT) from None
        reached = unit * np.exp(finished_levels.rows[-1][1])
        warnings = (f"interrupted at nβ = {reached:.2g}: a whole ladder says more",)
    finally:
        finished_levels.save()
    return _ladder(finished_levels.rows, num_draws, warnings)


def _sweeper(target: ConditionalTarget) -> Sweep:
    """One sweep, and its means of nβK given all other blocks as far as they are known."""
    if isinstance(target, ExpectedTarget):
        return target.sweep
    return lambda w, n_beta, rng: (target.redraw(w, n_beta, rng), None)


def _climb(
    target: Target, population: ParticlePopulation, top: float, rungs: int, rng: np.random.Generator
) -> tuple[float, Floats]:
    """Anneal to the first rung; the unit and the rungs that follow from what is met on the way."""
    assert isinstance(target, ConditionalTarget)
    unit = start = 1.0 / typical_divergence(population.divergence)
    levels: list[float] = []
    means: list[float] = []
    for n_beta, w in anneal(target, population.w, start, rng):
        population.w = w
        levels.append(n_beta)
        means.append(float(n_beta * target.divergence(w).mean()))
        if target.dimension >= MANY_PARAMETERS:
            unit = levels[int(np.argmax(np.array(means) >= 0.5 * means[-1]))]
        lengths = _lengths(unit, top, rungs)
        if n_beta * BURN_FACTOR > unit * np.exp(lengths[0]):
            break
    return unit, lengths


def _lengths(unit: float, top: float, rungs: int) -> Floats:
    """L of the rungs, all of which a fit uses."""
    end = float(np.log(top / unit))
    return np.linspace(max(priors.LEAST_LEFT_OUT, priors.LEFT_OUT * end), end, rungs)


def _ladder(rows: list[tuple[Any, ...]], num_draws: int, warnings: tuple[str, ...]) -> Ladder:
    units, lengths, sweep_means = (np.array(column) for column in zip(*rows, strict=True))
    mean_energies, draws = sweep_means[:, 0], sweep_means[:, 1, :, -num_draws:]
    earlier_count = mean_energies.shape[2] - max(num_draws // 2, 2)
    return Ladder(
        start=lengths,
        stop=lengths,
        slopes=mean_energies[:, :, -num_draws:].mean(axis=2).T,
        unit=float(units[0]),
        draws=np.concatenate(draws, axis=1),
        means=mean_energies[:, :, -num_draws:].mean(axis=(1, 2)),
        kind="tempered mean (gibbs)",
        acceptance=1.0,
        warnings=warnings,
        independent=mean_energies[:, :, :earlier_count].mean(axis=2).T,
    )
