"""Metropolis moves at every length scale at once, for a whole population of particles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rlct.sampling.targets.target import Floats, Target

Density = Callable[[Floats, Floats], Floats]
LOG_STRETCH = -2.0, 0.7  # log size of a stretch along a ridge, itself a logarithm


@dataclass
class ParticlePopulation:
    """Particles with the values a move needs; changed in place by moves.

    Rows are ordered island by island; particles of different islands never interact.
    """

    w: Floats
    divergence: Floats
    log_prior: Floats
    islands: int

    @classmethod
    def draw(
        cls, target: Target, count: int, islands: int, rng: np.random.Generator
    ) -> ParticlePopulation:
        """Independent particles from the prior, ``count`` in each island."""
        w = target.sample_prior(count * islands, rng)
        return cls(w, target.divergence(w), target.log_prior(w), islands)

    def evaluate(self, target: Target) -> None:
        """Bring the values up to date with the points."""
        self.divergence = target.divergence(self.w)
        self.log_prior = target.log_prior(self.w)

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Replace the particles by the given rows (resampling)."""
        self.w = self.w[rows]
        self.divergence = self.divergence[rows]
        self.log_prior = self.log_prior[rows]


def multiscale_moves(
    target: Target,
    population: ParticlePopulation,
    density: Density,
    finest_length: float,
    round_count: int,
    rng: np.random.Generator,
    scalings: Sequence[Floats] = (),
) -> float:
    """Metropolis moves that leave exp(density(K, log prior)) invariant.

    A singular posterior has structure at all scales between the prior and (nβ)^{−1/2}
    and no single step size fits it.  Step lengths are therefore drawn log-uniformly,
    independently of the state, which keeps every proposal symmetric.  Five kinds take
    turns: one coordinate, all coordinates, the stretch of one coordinate, opposite
    stretches of two coordinates (along ridges such as xy = const), and the difference of
    two other particles (along oblique ridges).  Where there are scalings, they take every other
    turn of the opposite stretches.

    The population is changed in place; ``density`` is of the arrays of K and of the log prior, and
    scalings are as from `rlct.sampling.targets.scalings.scalings`.  Steps are as long as the scale
    of the prior at most.  Returned is the fraction of proposals that were accepted.
    """
    count = len(population.w)
    per_island = count // population.islands
    half = per_island // 2
    index = np.arange(count).reshape(population.islands, per_island)
    halves = (index[:, :half].ravel(), index[:, half:].ravel())
    accepted_count = 0
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(round_count):
            for kind in range(5 if target.dimension > 1 else 3):
                # Differences come from the other half, so that the half that moves is
                # conditionally independent of the directions it moves in.
                for here, there in (halves, halves[::-1]):
                    partners = there.reshape(population.islands, -1)
                    accepted_count += _step(
                        target,
                        population,
                        density,
                        finest_length,
                        kind,
                        here,
                        partners,
                        rng,
                        scalings,
                    )
    return accepted_count / max(1, round_count * count * (5 if target.dimension > 1 else 3))


def _step(
    target: Target,
    population: ParticlePopulation,
    density: Density,
    finest_length: float,
    kind: int,
    rows: NDArray[np.intp],
    partner_rows: NDArray[np.intp],
    rng: np.random.Generator,
    scalings: Sequence[Floats],
) -> int:
    proposal = population.w[rows]
    n, d = proposal.shape
    all_rows = np.arange(n)
    axis = rng.integers(d, size=n)
    log_length = rng.uniform(np.log(min(finest_length, target.scale)), np.log(target.scale), n)
    log_jacobian: Floats | float = 0.0
    if kind == 0:
        proposal[all_rows, axis] += np.exp(log_length) * rng.standard_normal(n)
    elif kind == 1:
        proposal += (np.exp(log_length) / np.sqrt(d))[:, None] * rng.standard_normal((n, d))
    elif kind == 2:
        log_jacobian = rng.standard_normal(n) * np.exp(rng.uniform(-3.0, 0.5, n))
        proposal[all_rows, axis] *= np.exp(log_jacobian)
    elif kind == 3 and scalings and rng.random() < 0.5:
        basis = scalings[int(rng.integers(len(scalings)))]
        stretches = np.exp(rng.uniform(*LOG_STRETCH, n))[:, None] * rng.standard_normal(
            (n, len(basis))
        )
        logs = stretches @ basis
        proposal *= np.exp(logs)
        log_jacobian = logs.sum(axis=1)
    elif kind == 3:
        second_axis = (axis + rng.integers(1, d, size=n)) % d
        ratio = np.array([0.5, 1.0, 2.0])[rng.integers(3, size=n)]
        stretch = rng.standard_normal(n) * np.exp(rng.uniform(*LOG_STRETCH, n))
        proposal[all_rows, axis] *= np.exp(stretch)
        proposal[all_rows, second_axis] *= np.exp(-ratio * stretch)
        log_jacobian = stretch * (1.0 - ratio)
    else:
        pool = partner_rows.shape[1]
        island = np.repeat(np.arange(len(partner_rows)), n // len(partner_rows))
        first = partner_rows[island, rng.integers(pool, size=n)]
        second = partner_rows[island, rng.integers(pool, size=n)]
        reach = np.exp(rng.uniform(-3.0, 0.3, n))[:, None]
        proposal += reach * (population.w[first] - population.w[second])
    divergence = target.divergence(proposal)
    log_prior = target.log_prior(proposal)
    now = density(population.divergence[rows], population.log_prior[rows])
    change = density(divergence, log_prior) - now + log_jacobian
    accept = np.log(rng.random(n)) < change
    chosen = rows[accept]
    population.w[chosen] = proposal[accept]
    population.divergence[chosen] = divergence[accept]
    population.log_prior[chosen] = log_prior[accept]
    return int(accept.sum())
