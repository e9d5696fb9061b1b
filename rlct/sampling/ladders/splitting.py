"""Volume scaling V(t) ~ c t^λ (log 1/t)^{θ−1} by multilevel splitting."""

from functools import partial
from pathlib import Path

import numpy as np

from rlct.errors import InputError
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import TOO_SHORT, Ladder
from rlct.sampling.ladders.levels import Levels
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.cooling import correct_bias, excess_of, resample
from rlct.sampling.markov_chains.moves import ParticlePopulation, multiscale_moves
from rlct.sampling.targets.target import Floats, Target, typical_divergence

SURVIVING_SHARE = 0.4  # share of the particles that a level keeps at least; a convention
LARGEST_STEP = 0.7  # of log t from level to level; a convention


def splitting_ladder(
    target: Target,
    *,
    rng: np.random.Generator,
    particles: int = 160,
    islands: int = 12,
    least_threshold: float = 1e-15,
    sweeps: int = 3,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Follow the prior conditioned on K ≤ t down a ladder of t, and record log V(t).

    Each level keeps the particles below t (at least a fraction 0.4 of them), copies them
    to full strength inside their island, and moves them within {K ≤ t}.

    Slopes of −log V against log(1/t) are by island, whose scatter is the Monte-Carlo error.  The
    last t is raised to the resolution of the target; ``sweeps`` are rounds of moves per level and
    dimension.  A checkpoint is as in `rlct.sampling.ladders.tempering.tempering_ladder`.

    Cérou, Del Moral, Furon, Guyader (2012), Sequential Monte Carlo for rare event
    estimation, Statistics and Computing 22.
    """
    if particles < 8 or islands < 2:
        raise InputError("splitting needs at least 8 particles in each of at least 2 islands")
    least_threshold = max(least_threshold, 1.0 / target.resolution)
    settings = {"method": "splitting, excess", "draws": particles, "num_chains": islands}
    settings |= {"bottom": least_threshold, "sweeps": sweeps}
    finished_levels = Levels(checkpoint, target, rng, settings)
    population = ParticlePopulation.draw(target, particles, islands, rng)
    start = typical_divergence(population.divergence)
    finished_levels.load(population)
    rows = finished_levels.rows
    level, total, excess = rows[-1][:3] if rows else (np.inf, *np.zeros((2, islands)))
    warnings: tuple[str, ...] = ()
    try:
        while level > least_threshold:
            next_threshold = start
            if rows:
                quantile = float(np.quantile(population.divergence, SURVIVING_SHARE))
                next_threshold = max(
                    min(quantile, start), level * np.exp(-LARGEST_STEP), least_threshold
                )
            if not next_threshold < level:
                raise InputError(
                    "K takes one value on too much of the prior: splitting cannot proceed"
                )
            weights = _alive(population, next_threshold)
            total, excess = total - np.log(weights.mean(axis=1)), excess + excess_of(weights)
            population.keep(resample(weights, rng))
            finest = 0.1 * target.scale * np.sqrt(min(1.0, next_threshold))
            rounds = sweeps * (1 + target.dimension)
            rate = multiscale_moves(
                target, population, partial(_below, next_threshold), finest, rounds, rng
            )
            level = next_threshold
            finished_levels.add(population, level, total, excess, rate)
            if progress is not None:
                part = np.log(start / next_threshold) / np.log(start / least_threshold)
                progress(float(part), f"splitting: t = {next_threshold:.3g}")
    except KeyboardInterrupt:
        if not rows or np.log(start / rows[-1][0]) < priors.SHORTEST_LADDER:
            raise KeyboardInterrupt(TOO_SHORT) from None
        warnings = (f"interrupted at t = {rows[-1][0]:.2g}: a whole ladder says more",)
    finally:
        finished_levels.save()
    columns = (np.array(column) for column in zip(*rows, strict=True))
    levels, heights, excesses, move_rates = columns
    edges = np.log(start / levels)
    # Particles may sit on the zero set itself; after Ctrl-C they may be at half a level.
    draws = np.log(level / np.maximum(population.divergence, 1e-300 * level))
    return Ladder(
        start=edges[:-1],
        stop=edges[1:],
        slopes=np.diff(correct_bias(heights.T), axis=1) / np.diff(edges),
        independent=np.diff((heights - excesses).T, axis=1) / np.diff(edges),
        unit=1.0 / start,
        draws=draws.reshape(islands, particles),
        kind="volume",
        acceptance=float(move_rates.mean()),
        warnings=warnings,
    )


def _alive(population: ParticlePopulation, threshold: float) -> Floats:
    """Which particles are below a threshold, 1 or 0 by island; InputError if one has none."""
    alive = (population.divergence <= threshold).reshape(population.islands, -1)
    if not alive.any(axis=1).all():
        raise InputError("an island died out: raise the number of particles")
    return alive.astype(float)


def _below(threshold: float, divergence: Floats, log_prior: Floats) -> Floats:
    """Log density of the prior where K is no larger than a threshold."""
    return np.where(divergence <= threshold, log_prior, -np.inf)
