"""Tempered means on a ladder of nβ by chains of exact conditional draws."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.ladder import BEGINNING, LEAST_BEGINNING, Ladder
from rlct.sampling.levels import Levels
from rlct.sampling.moves import Population
from rlct.sampling.target import Conditional, Floats, Target, typical

__all__ = ["anneal", "gibbs_ladder"]

Progress = Callable[[float, str], object]
FACTOR = 4.0  # between one sweep of the burn-in and the next
RUNGS = 24
FEWEST_RUNGS = 6  # that a fit can use after Ctrl-C


def anneal(
    target: Target, w: Floats, start: float, stop: float, rng: np.random.Generator
) -> Floats:
    """Take chains from nβ = ``start`` to ``stop`` by one sweep at every factor of four.

    Exact conditional draws forget K in a sweep, whatever nβ was before: unlike the levels of
    `rlct.sampling.tempering.temper`, those of a burn-in carry no weights and need not be close.
    """
    assert isinstance(target, Conditional)
    for n_beta in np.geomspace(
        start, stop, 1 + int(np.ceil(np.log(stop / start) / np.log(FACTOR)))
    ):
        w = target.redraw(w, float(n_beta), rng)
    return w


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

    L is measured from where the mean of nβK is half of what it becomes: with hundreds of
    parameters the median of K under the prior says little about where the asymptotics begin.

    Parameters
    ----------
    target : Target
        With exact conditional draws.
    rng : numpy.random.Generator
    num_chains, num_draws : int
        Chains, which never interact, and sweeps that each is recorded for at each nβ, after a
        quarter as many that are not.
    top : float
        Last nβ; lowered to the resolution of the target.
    checkpoint : path, optional
        File (.npz) that holds the rungs that are done; if it exists the ladder goes on from
        there, and ends as one that was never stopped.
    progress : callable, optional
        Called with the fraction done and a line of text.

    Returns
    -------
    Ladder
        ``independent`` is from the later half of the draws of each rung, which knows less of the
        rung before: where chains mix slowly the two differ.

    Raises
    ------
    InputError
        If the target has no conditional draws.

    Examples
    --------
    >>> from rlct.sampling.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, w ~ N(0, 1) before
    >>> ladder = gibbs_ladder(target, rng=np.random.default_rng(0), top=1e10)
    >>> bool(abs(ladder.slopes.mean() - 0.5) < 0.03)
    True
    """
    if not isinstance(target, Conditional):
        raise InputError("gibbs needs a target with blocks that can be drawn exactly")
    top = min(top, target.resolution)
    done = Levels(checkpoint, target, rng, ["gibbs ladder", num_chains, num_draws, top])
    population = Population.draw(target, 1, num_chains, rng)
    done.load(population)
    warnings: tuple[str, ...] = ()
    try:
        if not done.rows:
            unit, lengths = _climb(target, population, top, rng)
        else:
            unit = float(done.rows[0][0])
            lengths = _lengths(unit, top)
        for length in lengths[len(done.rows) :]:
            n_beta = float(unit * np.exp(length))
            for _ in range(num_draws // 4):
                population.w = target.redraw(population.w, n_beta, rng)
            draws = np.empty((num_chains, num_draws))
            for k in range(num_draws):
                population.w = target.redraw(population.w, n_beta, rng)
                draws[:, k] = n_beta * target.divergence(population.w)
            done.add(population, unit, length, draws)
            if progress is not None:
                text = f"gibbs: nβ = {n_beta:.3g}, mean nβK = {draws.mean():.3f}"
                progress(len(done.rows) / len(lengths), text)
    except KeyboardInterrupt:
        if len(done.rows) < FEWEST_RUNGS:
            raise
        reached = unit * np.exp(done.rows[-1][1])
        warnings = (f"interrupted at nβ = {reached:.2g}: a whole ladder tells more",)
    finally:
        done.save()
    return _ladder(done.rows, warnings)


def _climb(
    target: Target, population: Population, top: float, rng: np.random.Generator
) -> tuple[float, Floats]:
    """Anneal to the first rung; the unit and the rungs that follow from what is met on the way."""
    assert isinstance(target, Conditional)
    n_beta = 1.0 / typical(population.divergence)
    levels: list[float] = []
    means: list[float] = []
    while True:
        population.w = target.redraw(population.w, n_beta, rng)
        levels.append(n_beta)
        means.append(float(n_beta * target.divergence(population.w).mean()))
        unit = levels[int(np.argmax(np.array(means) >= 0.5 * means[-1]))]
        lengths = _lengths(unit, top)
        if n_beta * FACTOR > unit * np.exp(lengths[0]):
            return unit, lengths
        n_beta *= FACTOR


def _lengths(unit: float, top: float) -> Floats:
    """L of the rungs, all of which a fit uses."""
    end = float(np.log(top / unit))
    return np.linspace(max(LEAST_BEGINNING, BEGINNING * end), end, RUNGS)


def _ladder(rows: list[tuple[Any, ...]], warnings: tuple[str, ...]) -> Ladder:
    units, lengths, draws = (np.array(column) for column in zip(*rows, strict=True))
    return Ladder(
        start=lengths,
        stop=lengths,
        slopes=draws.mean(axis=2).T,
        unit=float(units[0]),
        draws=np.concatenate(draws, axis=1),
        means=draws.mean(axis=(1, 2)),
        kind="tempered mean (gibbs)",
        acceptance=1.0,
        warnings=warnings,
        independent=draws[:, :, draws.shape[2] // 2 :].mean(axis=2).T,
    )
