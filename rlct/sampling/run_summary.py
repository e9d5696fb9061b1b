"""What the draws of chains say: λ̂ without the bias of the step, its error, and what may move it.

λ̂ = E[nβ(L_B(w) − L_B(w*))] − (ε/8)·E[nβ∇L_B·∇U_B]; at stationarity E[(w − w*)·∇U] = d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rlct.sampling.markov_chains.diagnostics import chain_mean, ess, rhat
from rlct.sampling.targets.target import Floats

__all__ = ["RunSummary", "summarize_run"]

FALSE_ALARM = 5e-3  # of directions that are not filled
UNSURE_CHANCE = 0.05  # of a regression that says what they matter
FEWEST_DRAWS = 10  # draws of a regression
LAG_WEIGHTS = (1.875, -1.25, 0.375)  # of a parabola at 0 through its values at ½, 1½ and 2½


@dataclass(frozen=True)
class RunSummary:
    """λ̂ and what is known of it from the draws alone.

    Parameters
    ----------
    lam, error : float
        λ̂ and its standard error by the scatter of the chains.
    batch_error : float
        The part of it that the noise of single draws makes, as that of mini-batches.
    half_width : float
        Of the interval of the scatter of the chains, by Student's t.
    excess : float
        What was taken off the mean of nβL.
    virial : float
        Mean of (w − w*)·∇U, d at stationarity; NaN where no sampler knows it.
    unfilled : float
        What λ̂ may still gain while flat directions fill.
    response, response_error : float
        dλ̂/d log γ, and its standard error.
    ess, rhat : float
        Of nβL, of mini-batches of means over eight steps.
    distance : float
        Root of E|w − w*|².
    localization : float
        γ, or what else confines the chains.
    """

    lam: float
    error: float
    batch_error: float
    half_width: float
    excess: float
    virial: float
    unfilled: float
    response: float
    response_error: float
    ess: float
    rhat: float
    distance: float
    localization: float

    @property
    def share_without_step(self) -> float:
        """What share of the variance of a weight is left without that which steps add.

        They add the excess to ½E[w·∇nβL], which of a quadratic loss is ½Σ h/a/(1 − εa/4),
        a = h + γ being the curvatures: it is right where the directions that bend bend alike.
        """
        inward = 0.5 * (self.virial - self.localization * self.distance**2)
        return float(np.clip(1.0 - self.excess / inward, 0.0, 1.0)) if inward > 0 else 1.0

    def without_step(self, nu: tuple[float, float]) -> tuple[float, float]:
        """ν and its error, less what steps add to variances."""
        share = self.share_without_step
        return share * nu[0], share * nu[1]


def summarize_run(
    losses: Floats,
    excess: Floats,
    virial_draws: Floats | None,
    squares: Floats,
    *,
    gauge_every: int,
    moving_weights: int,
    localization: float,
    level: float,
) -> RunSummary:
    """Summarize the draws after the burn-in.

    Parameters
    ----------
    losses : array, shape (chains, draws)
        nβ(L − L(w*)).
    excess, virial_draws, squares : array, shape (chains, gauges)
        What the step adds, (w − w*)·∇U, if it is known, and |w − w*|².
    gauge_every : int
        Draws from one of these to the next.
    moving_weights : int
        Weights that move.
    localization, level : float
        γ; probability of the interval.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> w = rng.normal(size=(8, 4000)) / np.sqrt(101)                  # nβL = 100 w²/2, γ = 1
    >>> options = {"gauge_every": 1, "moving_weights": 1, "localization": 1.0, "level": 0.95}
    >>> found = summarize_run(50 * w**2, 0 * w, 101 * w**2, w**2, **options)
    >>> abs(found.lam - 50 / 101) < 4 * found.error, abs(found.virial - 1.0) < 0.05
    (True, True)
    """
    by_chain = losses.mean(axis=1) - excess.mean(axis=1)
    chains = len(by_chain)
    error = float(by_chain.std(ddof=1) / np.sqrt(chains))
    blocks = _blocks(losses, gauge_every)
    response = -0.5 * localization * _covariances(losses[:, ::gauge_every], squares)
    still_unfilled, mean_virial = 0.0, float("nan")
    if virial_draws is not None:
        mean_virial = float(virial_draws.mean())
        still_unfilled = _unfilled(
            losses[:, ::gauge_every],
            squares,
            moving_weights - (virial_draws - 2.0 * excess),
            float(by_chain.mean()),
            moving_weights,
            localization,
        )
    return RunSummary(
        lam=float(by_chain.mean()),
        error=error,
        batch_error=_batch_error(losses),
        half_width=float(student.ppf(0.5 + level / 2, chains - 1)) * error,
        excess=float(excess.mean()),
        virial=mean_virial,
        unfilled=still_unfilled,
        response=float(response.mean()),
        response_error=float(response.std(ddof=1) / np.sqrt(chains)),
        ess=ess(blocks),
        rhat=rhat(blocks),
        distance=float(np.sqrt(squares.mean())),
        localization=localization,
    )


def _batch_error(losses: Floats) -> float:
    """By differences of draws one to three steps apart; of fewer than four, not known.

    Noise averaged over two steps moves chains in k steps as far as k − ½ free ones do: differences
    have the variance 2σ² + (k − ½)τ² + …, with σ² that of batches.
    """
    if losses.shape[1] <= len(LAG_WEIGHTS):
        return float("inf")
    variances = [(losses[:, k:] - losses[:, :-k]).var() for k in range(1, 1 + len(LAG_WEIGHTS))]
    noise = 0.5 * float(np.dot(LAG_WEIGHTS, variances))
    return float(np.sqrt(max(noise, 0.0) / losses.size))


def _blocks(losses: Floats, gauge_every: int) -> Floats:
    """Means of a few successive steps: single batches are mostly noise, which mixes at once."""
    count = losses.shape[1] // gauge_every
    if not count:
        return losses
    parts = losses[:, : count * gauge_every].reshape(len(losses), count, -1)
    return np.asarray(parts.mean(axis=2))


def _covariances(first_draws: Floats, second_draws: Floats) -> Floats:
    """Contribution of each chain to the covariance over all draws, whose mean it is.

    A line in time is taken off each chain: what chains gain together while they still move away
    from w* is no covariance of the posterior.
    """
    size = min(first_draws.shape[1], second_draws.shape[1])
    times = np.arange(size) - (size - 1) / 2.0
    squares = max(float((times**2).sum()), 1.0)
    centred = []
    for values in (first_draws[:, :size], second_draws[:, :size]):
        slopes = values @ times / squares
        centred.append(values - values.mean() - slopes[:, None] * times)
    return np.asarray((centred[0] * centred[1]).mean(axis=1))


def _unfilled(
    energies: Floats, squares: Floats, lacking: Floats, lam: float, moving_weights: int, pull: float
) -> float:
    """What λ̂ may lack by directions that chains have surely not filled.

    E[(w − w*)·∇U] = d of chains that know all of exp(−U); a direction in which they are still near
    w* has no part in it.  Where L is flat γ|w − w*|² has mean one in each direction, so that the
    square lacks missing/γ.  What that does to λ̂ is its regression on the square over all draws,
    and no more than half of each direction.
    """
    size = min(energies.shape[1], lacking.shape[1])
    energies, squares, lacking = (part[:, :size] for part in (energies, squares, lacking))
    if size < FEWEST_DRAWS or not np.ptp(squares, axis=1).all() or lam <= 0:
        return 0.0
    missing_count, error = chain_mean(lacking.mean(axis=1))
    freedom = len(energies) - 1
    sure = missing_count > float(student.isf(FALSE_ALARM, freedom)) * error
    if not sure or missing_count > moving_weights:
        return 0.0
    most = min(missing_count / 2, moving_weights / 2 - lam)
    if pull:
        slope, scatter = _regression(energies, squares)
        reach = slope + float(student.isf(UNSURE_CHANCE, freedom)) * scatter
        most = min(most, reach * missing_count / pull)
    return max(most, 0.0)


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
