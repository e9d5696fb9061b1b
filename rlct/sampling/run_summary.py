"""What the draws of chains say: λ̂ without the bias of the step, its error, and what may move it.

λ̂ = E[nβ(L_B(w) − L_B(w*))] − (ε/8)·E[nβ∇L_B·∇U_B]; at stationarity E[(w − w*)·∇U] = d.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from rlct.sampling.markov_chains.diagnostics import chain_mean, ess, rhat
from rlct.sampling.targets.target import Floats

FALSE_ALARM = 1e-3  # of chains that stand still and seem to rise
LAG_WEIGHTS = (1.875, -1.25, 0.375)  # of a parabola at 0 through its values at ½, 1½ and 2½


@dataclass(frozen=True)
class RunSummary:
    """λ̂ and what is known of it from the draws alone."""

    #: λ̂ and its standard error by the scatter of the chains.
    lam: float
    error: float
    #: The part of it that the noise of single draws makes, as that of mini-batches.
    batch_error: float
    #: Of the interval of the scatter of the chains, by Student's t.
    half_width: float
    #: What was taken off the mean of nβL.
    excess: float
    #: Mean of (w − w*)·∇U, d at stationarity; NaN where no sampler knows it.
    virial: float
    #: The same without what the step adds to it, over d, and its standard error.  More than 1 is
    #: impossible at stationarity: such chains are hotter than exp(−U).
    filling: float
    filling_error: float
    #: What λ̂ may still gain, as it rises from the first half of the draws to the second while
    #: directions fill: 0 where it does not surely rise; and at most, at the level.
    sure_gain: float
    most_gain: float
    #: dλ̂/d log γ by the covariance with |w − w*|², and its standard error.
    response: float
    response_error: float
    #: Of nβL, of mini-batches of means over eight steps.
    ess: float
    rhat: float
    #: Root of E|w − w*|².
    distance: float
    #: γ, or what else confines the chains.
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

    Losses, shape (chains, draws), are nβ(L − L(w*)).  Once in ``gauge_every`` draws there are,
    shape (chains, gauges), what the step adds, (w − w*)·∇U, if it is known, and |w − w*|².
    ``localization`` is γ, ``level`` the probability of the interval.

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
    # Steps that move chains far also add much to nβL: what they add is no part of the response.
    unbiased = losses[:, ::gauge_every][:, : excess.shape[1]] - excess
    response = -0.5 * localization * _covariances(unbiased, squares)
    filled, mean_virial = None, float("nan")
    filling, filling_error = float("nan"), 0.0
    if virial_draws is not None:
        mean_virial = float(virial_draws.mean())
        filled = (virial_draws - 2.0 * excess) / max(moving_weights, 1)
        filling, filling_error = chain_mean(filled.mean(axis=1))
    sure_gain, most_gain = _still_rising(unbiased, filled, level)
    return RunSummary(
        lam=float(by_chain.mean()),
        error=error,
        batch_error=_batch_error(losses),
        half_width=float(student.ppf(0.5 + level / 2, chains - 1)) * error,
        excess=float(excess.mean()),
        virial=mean_virial,
        filling=filling,
        filling_error=filling_error,
        sure_gain=sure_gain,
        most_gain=most_gain,
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


def _still_rising(
    energies: Floats, filled: Floats | None, level: float = 0.95
) -> tuple[float, float]:
    """What λ̂ may gain, as nβL rises in proportion to the directions that fill.

    The mean where it surely rises, and the most: of chains that stand still one in 1000
    seems to rise surely, by Student's t.  Where it is not known what is filled, as much may come
    again.

    >>> rng = np.random.default_rng(0)
    >>> energies = rng.normal(size=(8, 400))
    >>> [round(gain) for gain in _still_rising(energies + np.arange(400) / 40, None)]
    [5, 5]
    >>> _still_rising(energies, None)[0]
    0.0
    """
    rises = _rise(energies)
    mean, error = chain_mean(rises)
    if filled is None:
        gain = mean if _is_sure(rises) else 0.0
        return gain, gain
    gained, half = _rise(filled), filled.shape[1] // 2
    if not _is_sure(gained):
        return 0.0, 0.0
    factor = max(1.0 - float(filled[:, half:].mean()), 0.0) / float(gained.mean())
    most = mean + float(student.ppf(0.5 + level / 2, len(rises) - 1)) * error
    return factor * mean if _is_sure(rises) else 0.0, factor * max(most, 0.0)


def _is_sure(rises: Floats) -> bool:
    """Whether a mean over chains exceeds 0."""
    mean, error = chain_mean(rises)
    return mean > float(student.isf(FALSE_ALARM, max(len(rises) - 1, 1))) * error


def _rise(values: Floats) -> Floats:
    """By how much the mean of the second half exceeds that of the first, for each chain."""
    half = values.shape[1] // 2
    if not half:
        return np.zeros(len(values))
    return np.asarray(values[:, -half:].mean(axis=1) - values[:, :half].mean(axis=1))
