"""Free energy and tempered means along a ladder of nβ by sequential Monte Carlo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.ladder import Ladder
from rlct.sampling.moves import Population, multiscale
from rlct.sampling.target import Conditional, Floats, Target

__all__ = ["resample", "temper"]

Progress = Callable[[float, str], object]


def temper(
    target: Target,
    *,
    rng: np.random.Generator,
    particles: int = 160,
    islands: int = 12,
    top: float = 1e10,
    sweeps: int = 4,
    progress: Progress | None = None,
) -> Ladder:
    """Cool a population from the prior to nβ = ``top`` and record −log Z(nβ).

    Each level reweights by exp(−Δ(nβ) K), resamples inside each island, and moves by
    exact conditional draws where the target has them, else by moves at all scales.  The
    islands never interact, so their scatter measures the Monte-Carlo error without any
    model of it.

    Parameters
    ----------
    target : Target
    rng : numpy.random.Generator
    particles, islands : int
        Particles per island, and islands.
    top : float
        Last nβ; lowered to the resolution of the target.
    sweeps : int
        Sweeps of moves per level.
    progress : callable, optional
        Called with the fraction done and a line of text.

    Returns
    -------
    Ladder
        Slopes of −log Z against log nβ between neighbouring levels, per island.

    References
    ----------
    Del Moral, Doucet, Jasra (2006), Sequential Monte Carlo samplers, JRSS B 68.
    """
    if particles < 8 or islands < 2:
        raise InputError("tempering needs at least 8 particles in each of at least 2 islands")
    top = min(top, target.resolution)
    population = Population.draw(target, particles, islands, rng)
    unit = 1.0 / float(np.median(population.divergence))
    if not np.isfinite(unit):
        raise InputError("K is zero on more than half of the prior: there is no threshold")
    levels = [0.0]
    energies: list[Floats] = [np.zeros(islands)]
    means: list[Floats] = []
    rates: list[float] = []
    while levels[-1] < top:
        now = levels[-1]
        after = _next_level(population.divergence, now, unit, top)
        log_weights = -(after - now) * population.divergence.reshape(islands, particles)
        peak = log_weights.max(axis=1, keepdims=True)
        weights = np.exp(log_weights - peak)
        energies.append(energies[-1] - peak[:, 0] - np.log(weights.mean(axis=1)))
        population.keep(resample(weights, rng))
        rates.append(_move(target, population, after, sweeps, rng))
        means.append(after * population.divergence.reshape(islands, particles))
        levels.append(after)
        if progress is not None:
            done = np.log1p(after / unit) / np.log1p(top / unit)
            progress(float(done), f"tempering: nβ = {after:.3g}, mean nβK = {means[-1].mean():.3f}")
    log_levels = np.log(np.array(levels[1:]))
    heights = np.array(energies[1:]).T
    return Ladder(
        start=log_levels[:-1] - np.log(unit),
        stop=log_levels[1:] - np.log(unit),
        slopes=np.diff(heights, axis=1) / np.diff(log_levels),
        unit=unit,
        draws=means[-1],
        means=np.array([m.mean() for m in means]),
        kind="free energy",
        acceptance=float(np.mean(rates)),
    )


def _next_level(divergence: Floats, now: float, unit: float, top: float) -> float:
    """Largest step that keeps half the particles effective, at most a factor of two."""
    low, high = now, min(max(2.0 * now, 0.05 * unit), top)
    if _effective(divergence, high - now) >= 0.5:
        return high
    for _ in range(40):
        middle = 0.5 * (low + high)
        if _effective(divergence, middle - now) >= 0.5:
            low = middle
        else:
            high = middle
    return max(low, now * (1 + 1e-6), 1e-12 * unit)


def _effective(divergence: Floats, step: float) -> float:
    weights = np.exp(-step * (divergence - divergence.min()))
    return float(weights.mean() ** 2 / (weights**2).mean())


def resample(weights: Floats, rng: np.random.Generator) -> NDArray[np.intp]:
    """Systematic resampling inside each island (rows of ``weights``); flat row numbers.

    Copies of one particle stay neighbours, so that correlation between neighbours in the
    final order measures how far the population still descends from few ancestors.
    """
    islands, particles = weights.shape
    edges = np.cumsum(weights, axis=1)
    edges /= edges[:, -1:]
    ticks = (np.arange(particles) + rng.random((islands, 1))) / particles
    chosen = np.empty((islands, particles), dtype=np.intp)
    for k in range(islands):
        chosen[k] = np.searchsorted(edges[k], ticks[k]) + k * particles
    last = np.arange(1, islands + 1)[:, None] * particles - 1
    return np.asarray(np.minimum(chosen, last).ravel(), dtype=np.intp)


def _move(
    target: Target, population: Population, n_beta: float, sweeps: int, rng: np.random.Generator
) -> float:
    if isinstance(target, Conditional):
        for _ in range(sweeps):
            population.w = target.redraw(population.w, n_beta, rng)
        population.divergence = target.divergence(population.w)
        population.log_prior = target.log_prior(population.w)
        return 1.0
    finest = 0.1 * target.scale / np.sqrt(1.0 + n_beta * target.scale**2)

    def density(divergence: Floats, log_prior: Floats) -> Floats:
        return -n_beta * divergence + log_prior

    rounds = sweeps * (1 + target.dimension)
    return multiscale(target, population, density, finest, rounds, rng)
