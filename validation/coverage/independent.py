"""E[nβK] by independent draws, from the prior and from smaller copies of it, with weights.

A third of the draws are from the prior. In a third all coordinates are shrunk by one factor of
`WIDTH_SCALES`, in a third each by a factor of its own: near coordinate planes through the origin
singular models have much of their mass at large nβ. The weight of a draw is prior/proposal, at
most 3 whatever the target (Hesterberg 1995, weighted average importance sampling and defensive
mixture distributions), so that its variance can be trusted where a share of the draws counts.
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlct.benchmark import ReferenceProblem
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.relu import ReluTarget
from rlct.sampling.targets.target import Target

WIDTH_SCALES = 4.0 ** -np.arange(6.0)
HEAVIEST_DRAW = 3.0  # weight of a draw
CHUNK_DRAWS = 3 * 2**13
PILOT_DRAWS = 32 * CHUNK_DRAWS
MOST_DRAWS = 1024 * CHUNK_DRAWS  # draws, half a minute or less for all but networks
MOST_PARAMETERS = 30  # parameters; with more hardly a draw counts
GOAL_ERROR = 0.001  # relative standard error that is aimed at
ENOUGH_ERROR = (
    0.005  # relative standard error, as the pilot foresees it, beyond which chains are run
)
FEWEST_DRAWS = 100  # draws of the pilot that must count, for its errors to mean anything
# A region that no draw has met is, with 95 % confidence, met by less than three in as many draws:
# it holds less than ENOUGH of the whole mass where all weights together are so many.
MISSED_MASS = 3 * HEAVIEST_DRAW / ENOUGH_ERROR

Floats = NDArray[np.float64]


def weighted(target: Target, count: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw points, a third of each kind, with their weights prior/proposal."""
    w = target.sample_prior(count, rng)
    third, d = count // 3, target.dimension
    w[third : 2 * third] *= WIDTH_SCALES[rng.integers(len(WIDTH_SCALES), size=(third, 1))]
    w[2 * third :] *= WIDTH_SCALES[rng.integers(len(WIDTH_SCALES), size=(count - 2 * third, d))]
    together, apart = (
        _gaussian(target, w) if isinstance(target, LinearNetworkTarget) else _box(target, w)
    )
    return w, HEAVIEST_DRAW / (1.0 + together + apart)


def _box(target: Target, w: Floats) -> tuple[Floats, Floats]:
    """Densities of both kinds of shrunk draws over that of the prior Π|w_i|^{h_i} on a box."""
    assert isinstance(target, PolynomialTarget | ReluTarget)
    h = target.prior if isinstance(target, PolynomialTarget) else np.zeros(target.dimension)
    # |w| = radius·m·2^e with ½ ≤ m < 1: scales down to the level −e/2 reach as far as w.
    level = np.clip(-np.frexp(np.abs(w.T) / target.radius)[1] // 2, 0, len(WIDTH_SCALES) - 1)
    every = np.cumsum(WIDTH_SCALES ** -(len(h) + h.sum())) / len(WIDTH_SCALES)
    apart = np.ones(len(w))
    for row, power in zip(level, h, strict=True):
        apart *= (np.cumsum(WIDTH_SCALES ** -(1 + power)) / len(WIDTH_SCALES))[row]
    return every[level.min(axis=0)], apart


def _gaussian(target: LinearNetworkTarget, w: Floats) -> tuple[Floats, Floats]:
    """Densities of both kinds of shrunk draws over that of the Gaussian prior."""
    squares = 0.5 * (w.T / target.sigma) ** 2
    together, apart = np.zeros(len(w)), np.zeros_like(squares)
    for scale in WIDTH_SCALES:
        apart += np.exp(squares * (1 - scale**-2)) / scale
        together += np.exp(squares.sum(axis=0) * (1 - scale**-2)) / scale**target.dimension
    return together / len(WIDTH_SCALES), np.prod(apart / len(WIDTH_SCALES), axis=0)


class Ratio(NamedTuple):
    """A mean with its standard error, the sum of the weights, and how many draws count."""

    mean: float
    error: float
    mass: float
    effective: float

    def needed(self, drawn: int, error: float) -> float:
        """Draws that it takes for this relative error, and for nothing large to stay unseen."""
        if self.effective < FEWEST_DRAWS:
            return np.inf
        return max(drawn * (self.error / self.mean / error) ** 2, drawn * MISSED_MASS / self.mass)


def estimate(
    target: Target, n_betas: Sequence[float], count: int, rng: np.random.Generator
) -> list[Ratio]:
    """E[nβK] for each nβ by the same draws, with the standard error of such a ratio."""
    sums = np.zeros((len(n_betas), 5))
    for _ in range(count // CHUNK_DRAWS):
        w, weights = weighted(target, CHUNK_DRAWS, rng)
        divergence = target.divergence(w)
        for row, n_beta in zip(sums, n_betas, strict=True):
            energy = n_beta * divergence
            mass = weights * np.exp(-energy)
            moment = mass * energy
            row += mass.sum(), moment.sum(), mass @ mass, mass @ moment, moment @ moment
    means = []
    for mass, moment, mass2, cross, moment2 in sums:
        if not mass2 > 0:  # no draw counts
            means.append(Ratio(np.nan, np.inf, 0.0, 0.0))
            continue
        mean = moment / mass
        variance = max(moment2 - 2 * mean * cross + mean**2 * mass2, 0.0)
        means.append(Ratio(mean, float(np.sqrt(variance)) / mass, mass, mass**2 / mass2))
    return means


def by_draws(problem: ReferenceProblem, n_betas: Sequence[float]) -> list[list[object] | None]:
    """Means with standard errors, None for an nβ that is left to chains; seeds follow from the id.

    A pilot run decides where and how many: what it foresees with `MOST_DRAWS` draws must be
    within `ENOUGH_ERROR`, with all that `Ratio.needed` asks for, and then there are as many draws
    as `GOAL_ERROR` needs. Its own draws are not used further, so that nothing is chosen by what
    came out.
    """
    target, seed = problem.target(), zlib.crc32(problem.id.encode())
    if target.dimension > MOST_PARAMETERS:
        return [None] * len(n_betas)
    pilot = estimate(target, n_betas, PILOT_DRAWS, np.random.default_rng([seed, 1]))
    fit = [ratio.needed(PILOT_DRAWS, ENOUGH_ERROR) <= MOST_DRAWS for ratio in pilot]
    if not any(fit):
        return [None] * len(n_betas)
    wanted = max(
        r.needed(PILOT_DRAWS, GOAL_ERROR) for r, good in zip(pilot, fit, strict=True) if good
    )
    count = CHUNK_DRAWS * int(np.ceil(min(max(wanted, PILOT_DRAWS), MOST_DRAWS) / CHUNK_DRAWS))
    found = estimate(target, n_betas, count, np.random.default_rng([seed, 2]))
    rows = [
        [n_beta, float(f"{ratio.mean:.6g}"), float(f"{ratio.error:.2g}"), "independent draws"]
        for n_beta, ratio in zip(n_betas, found, strict=True)
    ]
    return [row if good else None for row, good in zip(rows, fit, strict=True)]
