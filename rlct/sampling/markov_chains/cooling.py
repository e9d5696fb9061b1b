"""One level of a population that is cooled: how far, its weights, and its moves."""

import numpy as np
from numpy.typing import NDArray

from rlct.sampling.markov_chains.moves import ParticlePopulation, multiscale_moves
from rlct.sampling.targets.line_draws import linear_blocks, redraw_blocks
from rlct.sampling.targets.localized import LocalizedTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import ConditionalTarget, Floats, Target, starting_n_beta


def cool_to(
    target: Target,
    population: ParticlePopulation,
    now: float,
    n_beta: float,
    rng: np.random.Generator,
    *,
    sweeps: int = 4,
) -> None:
    """Take a population from one nβ to a larger one, by as many levels as it needs."""
    unit = starting_n_beta(population.divergence)
    while now < n_beta:
        after = next_level(population.divergence, now, unit, n_beta)
        cool_level(target, population, now, after, sweeps, rng)
        now = after


def cool_level(
    target: Target,
    population: ParticlePopulation,
    now: float,
    after: float,
    sweeps: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats, float]:
    """Take a population from one nβ to the next; the rise of −log Z by island, and acceptance.

    Second comes by how much the rise is too large on average if the particles are independent.
    """
    log_weights = -(after - now) * population.divergence.reshape(population.islands, -1)
    peak = log_weights.max(axis=1, keepdims=True)
    weights = np.exp(log_weights - peak)
    population.keep(resample(weights, rng))
    rate = move_population(target, population, after, sweeps, rng)
    return np.asarray(-peak[:, 0] - np.log(weights.mean(axis=1))), excess_of(weights), rate


def excess_of(weights: Floats) -> Floats:
    """By how much −log of the mean of independent weights is too large on average, by row."""
    if weights.shape[1] < 2:
        return np.zeros(len(weights))
    relative = weights.var(axis=1, ddof=1) / weights.mean(axis=1) ** 2
    return np.asarray(0.5 * relative / weights.shape[1])


def correct_bias(heights: Floats) -> Floats:
    """Correct −log Z of each island, shape ``(islands, levels)``, for being a logarithm.

    Z is estimated without bias, −log Z is too large by half its variance, which grows along the
    ladder, most where moves mix badly.  The variance between islands is taken off, to each island
    its share, so that their scatter holds the noise of the correction too.

    >>> noise = np.random.default_rng(0).normal(0.0, 0.6, (100_000, 1))
    >>> z = np.exp(noise - 0.18)                # mean 1
    >>> bool(abs(correct_bias(-np.log(z)).mean()) < 0.01 < 0.17 < (-np.log(z)).mean())
    True
    """
    gaps = heights - heights.mean(axis=0)
    return np.asarray(heights - 0.5 * gaps**2 * len(heights) / (len(heights) - 1))


def next_level(divergence: Floats, now: float, unit: float, top: float) -> float:
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


def move_population(
    target: Target,
    population: ParticlePopulation,
    n_beta: float,
    sweeps: int,
    rng: np.random.Generator,
) -> float:
    """Moves that leave exp(−nβK)·prior invariant; the fraction that was accepted."""
    if isinstance(target, ConditionalTarget):
        # An exact draw goes further than a Metropolis step; more of them buy little.
        for _ in range(max(1, sweeps // 2)):
            population.w = target.redraw(population.w, n_beta, rng)
        population.evaluate(target)
        return 1.0
    localization = target.localization if isinstance(target, LocalizedTarget) else 0.0
    inner_target = target.target if isinstance(target, LocalizedTarget) else target
    finest_step = 0.1 * target.scale / np.sqrt(1.0 + (n_beta + localization) * target.scale**2)

    def density(divergence: Floats, log_prior: Floats) -> Floats:
        return -n_beta * divergence + log_prior

    move_rounds = 1 + target.dimension
    if not isinstance(inner_target, PolynomialTarget):
        return multiscale_moves(target, population, density, finest_step, sweeps * move_rounds, rng)
    blocks, joint_scalings = linear_blocks(inner_target), inner_target.scalings
    if not blocks:
        return multiscale_moves(
            target, population, density, finest_step, sweeps * move_rounds, rng, joint_scalings
        )
    if sum(map(len, blocks)) == target.dimension:
        move_rounds = -(-move_rounds // 2)  # no variable waits for Metropolis' alone
    accepted = 0.0
    for _ in range(sweeps):
        population.w = redraw_blocks(inner_target, blocks, population.w, n_beta, rng, localization)
        population.evaluate(target)
        accepted += multiscale_moves(
            target, population, density, finest_step, move_rounds, rng, joint_scalings
        )
    return accepted / sweeps
