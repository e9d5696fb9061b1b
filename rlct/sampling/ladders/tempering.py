"""Free energy and tempered means along a ladder of nβ by sequential Monte Carlo."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rlct.errors import InputError
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import TOO_SHORT, Ladder
from rlct.sampling.ladders.levels import Levels
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.cooling import (
    cool_level,
    cool_to,
    correct_bias,
    move_population,
    next_level,
)
from rlct.sampling.markov_chains.moves import ParticlePopulation
from rlct.sampling.targets.localized import Distance, LocalizedTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import Target, typical_divergence

LAST_N_BETA = 1e15  # last nβ of a ladder unless said otherwise
MANY_PARAMETERS = 100  # parameters from which particles become fewer
FEWEST_PARTICLES = 24  # particles of an island, however many parameters


def tempering_ladder(
    target: Target,
    *,
    rng: np.random.Generator,
    particles: int = 160,
    islands: int = 12,
    top: float = LAST_N_BETA,
    spare_length: float = 0.0,
    sweeps: int = 4,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Cool a population from the prior to nβ = ``top`` and record −log Z(nβ).

    Each level reweights by exp(−Δ(nβ) K), resamples inside each island, and moves by
    exact conditional draws where the target has them, else by moves at all scales.  The
    islands never interact, so their scatter measures the Monte-Carlo error without any
    model of it.

    Beyond 100 parameters there are fewer ``particles`` in each of the ``islands``, in proportion:
    nβK is then a sum of many terms, and its relative scatter small.  ``top`` is lowered to the
    resolution of the target, and raised so that ``spare_length`` in log nβ is left from where the
    last part of K shows.  A ``checkpoint`` (.npz) holds the levels that are done; if it exists the
    ladder resumes from there, and ends as one that was never stopped.  After Ctrl-C a ladder has
    the levels that were done, and a warning, if a fit can use them.

    Del Moral, Doucet, Jasra (2006), Sequential Monte Carlo samplers, JRSS B 68.
    """
    if particles < 8 or islands < 2:
        raise InputError("tempering needs at least 8 particles in each of at least 2 islands")
    top = min(top, target.resolution)
    particles = _particle_count(particles, target.dimension)
    settings = {"method": "tempering, excess", "draws": particles, "num_chains": islands}
    settings |= {"top": top, "room": spare_length, "sweeps": sweeps}
    finished_levels = Levels(checkpoint, target, rng, settings)
    population = ParticlePopulation.draw(target, particles, islands, rng)
    unit = 1.0 / typical_divergence(population.divergence)
    late_by = _lateness(target, unit)
    top = min(max(top, unit * float(np.exp(late_by + spare_length))), target.resolution)
    if unit >= top:
        raise InputError(
            f"K is so small that nβ up to {top:.1g} does not show it: multiply the variables by a "
            "constant"
        )
    finished_levels.load(population)
    rows = finished_levels.rows
    n_beta, energy, excess = rows[-1][:3] if rows else (0.0, *np.zeros((2, islands)))
    draws = n_beta * population.divergence
    warnings: tuple[str, ...] = ()
    try:
        while n_beta < top:
            next_n_beta = next_level(population.divergence, n_beta, unit, top)
            rise, more_excess, rate = cool_level(
                target, population, n_beta, next_n_beta, sweeps, rng
            )
            energy, excess = energy + rise, excess + more_excess
            n_beta, draws = next_n_beta, next_n_beta * population.divergence
            finished_levels.add(population, n_beta, energy, excess, draws.mean(), rate)
            if progress is not None:
                part = np.log1p(n_beta / unit) / np.log1p(top / unit)
                text = f"tempering: nβ = {n_beta:.3g}, mean nβK = {draws.mean():.3f}"
                progress(float(part), text)
    except KeyboardInterrupt:
        if not rows or rows[-1][0] < unit * np.exp(priors.SHORTEST_LADDER):
            raise KeyboardInterrupt(TOO_SHORT) from None
        warnings = (f"interrupted at nβ = {rows[-1][0]:.2g}: a whole ladder says more",)
    finally:
        finished_levels.save()
    columns = (np.array(column) for column in zip(*rows, strict=True))
    levels, free_energies, energy_excesses, mean_energies, move_rates = columns
    log_levels = np.log(levels)
    lengths = log_levels - np.log(unit)
    late_by = float(np.clip(lengths[-1] - priors.COUNTED_LENGTH, 0.0, late_by))  # may stay hidden
    lengths -= late_by
    return Ladder(
        start=lengths[:-1],
        stop=lengths[1:],
        slopes=np.diff(correct_bias(free_energies.T), axis=1) / np.diff(log_levels),
        independent=np.diff((free_energies - energy_excesses).T, axis=1) / np.diff(log_levels),
        unit=unit * np.exp(late_by),
        late=late_by,
        draws=draws.reshape(islands, particles),
        points=population.w,
        means=mean_energies,
        kind="free energy",
        acceptance=float(move_rates.mean()),
        warnings=warnings,
    )


def _particle_count(particles: int, dimension: int) -> int:
    """Particles of an island: the fewer, the more parameters beyond many."""
    scaled = particles * MANY_PARAMETERS // max(MANY_PARAMETERS, dimension)
    return max(min(particles, FEWEST_PARTICLES), scaled)


def _lateness(target: Target, unit: float) -> float:
    """How far in log nβ the last term of K that matters lies behind K, beyond what is usual.

    Coefficients of very different size make the asymptotic expansion of a sum begin with its
    smallest part: 10⁶(xy)² + (zw)² resembles x²y² until nβ shows z and w.  A part that rounding
    hides is not waited for.
    """
    if not isinstance(target, PolynomialTarget):
        return 0.0
    last = target.last_term()
    if last * target.resolution < np.exp(priors.COUNTED_LENGTH):
        return 0.0
    return max(0.0, -float(np.log(unit * last)) - priors.USUAL_GAP)


def tempered_means(
    target: Target,
    n_betas: Sequence[float],
    *,
    localization: float = 0.0,
    rng: np.random.Generator,
    particles: int = 160,
    islands: int = 12,
    sweeps: int = 4,
    chain_rounds: int = 40,
    progress: Progress | None = None,
) -> list[tuple[float, float]]:
    """Estimate E[nβK] at given nβ by long runs of chains that start from a cooled population.

    Under localization it is cooled from prior·exp(−γ|w|²/2), which is reached from the prior, so
    that chains are wherever this leaves mass: those from w₀ would have to find it.

    At each nβ, which increase, the chains, one for each particle, run for ``chain_rounds`` rounds
    of ``sweeps`` moves that leave exp(−nβK)·prior invariant.  The mean over all draws has a
    standard error from the scatter of the islands.  InputError beyond the resolution of the target.

    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> rng = np.random.default_rng(0)
    >>> [(mean, error)] = tempered_means(LinearNetworkTarget([1, 1], 0), [100.0], rng=rng)
    >>> abs(mean - 50 / 101) < 4 * error < 0.02        # K = w²/2 and w ~ N(0, 1) before
    True
    """
    if list(n_betas) != sorted(set(n_betas)) or not n_betas or n_betas[0] <= 0:
        raise InputError("the nβ must be positive and increase")
    if n_betas[-1] > target.resolution:
        raise InputError(f"nβ = {n_betas[-1]:g} is beyond the rounding errors of K")
    population = ParticlePopulation.draw(target, particles, islands, rng)
    if localization:
        distance = Distance(target)
        population.evaluate(distance)
        cool_to(distance, population, 0.0, localization, rng, sweeps=sweeps)
        target = LocalizedTarget(target, localization)
        population.evaluate(target)
    present_n_beta = 0.0
    mean_estimates: list[tuple[float, float]] = []
    for n_beta in n_betas:
        cool_to(target, population, present_n_beta, n_beta, rng, sweeps=sweeps)
        present_n_beta = n_beta
        total = np.zeros(islands)
        for _ in range(chain_rounds):
            move_population(target, population, n_beta, sweeps, rng)
            total += n_beta * population.divergence.reshape(islands, particles).mean(axis=1)
        means = total / chain_rounds
        mean_estimates.append((float(means.mean()), float(means.std(ddof=1) / np.sqrt(islands))))
        if progress is not None:
            progress(
                len(mean_estimates) / len(n_betas), f"nβ = {n_beta:g}: {mean_estimates[-1][0]:.5g}"
            )
    return mean_estimates
