"""What distances from w₀ say: directions that chains have not filled, and other minima."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rlct.sampling.local.observables import DataMoments
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.diagnostics import RHAT_ALLOWED, rhat
from rlct.sampling.targets.target import Floats

__all__ = ["UnfilledDirections", "outward_fall", "unfilled_directions"]

FALSE_ALARM = 5e-3  # of directions that are not filled
UNSURE = 0.05  # of a regression that says what they matter
FEWEST = 10  # draws
BY_CHANCE = 1e-3  # of chains that seem to be in two places


class UnfilledDirections(NamedTuple):
    """Directions that chains have not filled.

    Parameters
    ----------
    missing, error : float
        How many of them, with its standard error; 0 where chains are too short, or stand still.
    most : float
        What λ̂ may lack by them, 0 where they are not sure, or the chains not at a minimum.
    """

    missing: float = 0.0
    error: float = 0.0
    most: float = 0.0


def unfilled_directions(
    settled_draws: SettledDraws, moments: DataMoments | None
) -> UnfilledDirections:
    """Count what is not filled, and ask the draws whether λ̂ depends on it.

    In directions where L is flat, γ|w|² has mean one each: |w|² lacks missing/γ.  What that does
    to λ̂ is its regression on |w|² over all draws, and no more than half of each direction.

    Parameters
    ----------
    settled_draws : Settled
    moments : DataMoments, optional
        Of the same draws.
    """
    if (
        moments is None
        or settled_draws.draws.shape[1] < FEWEST
        or not np.ptp(settled_draws.distance, axis=1).all()
    ):
        return UnfilledDirections()  # nothing is known, and the diagnostics say so
    confining_precision = moments.posterior.confining
    unfilled_count, error = moments.unfilled(settled_draws.dropped)
    d = moments.target.dimension
    sure = unfilled_count > float(student.isf(FALSE_ALARM, settled_draws.degrees)) * error
    if not sure or unfilled_count > d or settled_draws.lam <= 0:
        return UnfilledDirections(unfilled_count, error)
    slope, scatter = _regression(settled_draws.draws, settled_draws.distance**2)
    reach = slope + float(student.isf(UNSURE, len(settled_draws.draws) - 1)) * scatter
    most = min(unfilled_count / 2, d / 2 - settled_draws.lam)
    if confining_precision:
        most = min(most, reach * unfilled_count / confining_precision)
    return UnfilledDirections(unfilled_count, error, max(most, 0.0))


def outward_fall(settled_draws: SettledDraws) -> float:
    """By how much nβL is lower where the farthest chain is than where the nearest is.

    Around one minimum it rises with the distance from w*.  0 where chains are equally far (split
    R-hat), or do not agree that it falls (one in 1000).
    """
    distance = settled_draws.distance
    if distance.shape[1] < FEWEST or len(distance) < 3 or not rhat(distance) > RHAT_ALLOWED:
        return 0.0
    if not np.ptp(distance, axis=1).all():
        return 0.0
    slope, scatter = _regression(settled_draws.draws, distance**2)
    if slope + float(student.isf(BY_CHANCE, len(distance) - 1)) * scatter >= 0:
        return 0.0
    return -slope * float(np.ptp((distance**2).mean(axis=1)))


def _regression(y: Floats, x: Floats) -> tuple[float, float]:
    """Slope of y by x over the draws of all chains, and its standard error by a jackknife."""

    def slope(rows: NDArray[np.intp]) -> float:
        gap = x[rows] - x[rows].mean()
        square = float((gap**2).sum())
        return float((gap * y[rows]).sum() / square) if square else 0.0

    chains = np.arange(len(y))
    left = np.array([slope(np.delete(chains, k)) for k in chains])
    error = np.sqrt((1 - 1 / len(left)) * ((left - left.mean()) ** 2).sum())
    return slope(chains), float(error)
