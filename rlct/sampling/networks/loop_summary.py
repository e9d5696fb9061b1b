"""What the traces of a loop say: λ̂ without the bias of the step, its error, and what may move it.

λ̂ = E[nβ(L_B(w) − L_B(w*))] − (ε/8)·E[nβ∇L_B·∇U_B]; at stationarity E[(w − w*)·∇U] = d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from rlct.sampling.markov_chains.diagnostics import ess, rhat
from rlct.sampling.networks.langevin_loop import GAUGE_EVERY, Floats, LoopTraces

__all__ = ["LoopSummary", "summarize_loop"]


@dataclass(frozen=True)
class LoopSummary:
    """λ̂ and what is known of it from the traces alone.

    Parameters
    ----------
    lam, error : float
        λ̂ and its standard error by the scatter of the chains.
    batch_error : float
        The part of it that mini-batches make at each step anew.
    half_width : float
        Of the interval of the scatter of the chains, by Student's t.
    excess : float
        What was taken off the mean of nβL.
    virial, virial_error : float
        Mean of (w − w*)·∇U, d at stationarity, and its standard error.
    unfilled : float
        What λ̂ may still gain while flat directions fill.
    response, response_error : float
        dλ̂/d log γ, and its standard error.
    ess, rhat : float
        Of means of nβL over eight steps.
    distance : float
        Root of E|w − w*|².
    """

    lam: float
    error: float
    batch_error: float
    half_width: float
    excess: float
    virial: float
    virial_error: float
    unfilled: float
    response: float
    response_error: float
    ess: float
    rhat: float
    distance: float


def summarize_loop(
    traces: LoopTraces, moving_weights: int, localization: float, level: float
) -> LoopSummary:
    """Summarize the draws after the burn-in.

    Parameters
    ----------
    traces : LoopTraces
    moving_weights : int
        Weights that move.
    localization, level : float
        γ; probability of the interval.
    """
    losses = traces.losses[:, traces.burnin :]
    first = traces.burnin // GAUGE_EVERY
    excess, virial_draws, squares = (
        values[:, first:] for values in (traces.excess, traces.virial, traces.squares)
    )
    by_chain = traces.chain_means
    chains = len(by_chain)
    error = float(by_chain.std(ddof=1) / np.sqrt(chains))
    blocks = _blocks(losses)
    virial_chain = virial_draws.mean(axis=1)
    virial_error = float(virial_chain.std(ddof=1) / np.sqrt(chains))
    response = -0.5 * localization * _covariances(blocks, squares[:, : blocks.shape[1]])
    return LoopSummary(
        lam=float(by_chain.mean()),
        error=error,
        batch_error=float(np.diff(losses, axis=1).std() / np.sqrt(2.0 * losses.size)),
        half_width=float(student.ppf(0.5 + level / 2, chains - 1)) * error,
        excess=float(excess.mean()),
        virial=float(virial_chain.mean()),
        virial_error=virial_error,
        unfilled=_unfilled(blocks, excess, virial_draws, moving_weights),
        response=float(response.mean()),
        response_error=float(response.std(ddof=1) / np.sqrt(chains)),
        ess=ess(blocks),
        rhat=rhat(blocks),
        distance=float(np.sqrt(squares.mean())),
    )


def _blocks(losses: Floats) -> Floats:
    """Means of a few successive steps: single batches are mostly noise, which mixes at once."""
    count = losses.shape[1] // GAUGE_EVERY
    if not count:
        return losses
    parts = losses[:, : count * GAUGE_EVERY].reshape(len(losses), count, -1)
    return np.asarray(parts.mean(axis=2))


def _covariances(one: Floats, other: Floats) -> Floats:
    """Contribution of each chain to the covariance over all draws, whose mean it is.

    A line in time is taken off each chain: what chains gain together while they still move away
    from w* is no covariance of the posterior.
    """
    size = min(one.shape[1], other.shape[1])
    times = np.arange(size) - (size - 1) / 2.0
    squares = max(float((times**2).sum()), 1.0)
    centred = []
    for values in (one[:, :size], other[:, :size]):
        slopes = values @ times / squares
        centred.append(values - values.mean() - slopes[:, None] * times)
    return np.asarray((centred[0] * centred[1]).mean(axis=1))


def _unfilled(blocks: Floats, excess: Floats, virials: Floats, moving_weights: int) -> float:
    """How much λ̂ gains until the virial is d, at the pace at which it gained with it so far.

    In a direction where the loss is quadratic half of the virial at most is nβL.
    """
    half_count = min(blocks.shape[1], virials.shape[1]) // 2
    if half_count < 2:
        return 0.0
    lacking = moving_weights - virials[:, half_count : 2 * half_count]
    by_chain = lacking.mean(axis=1)
    left = float(by_chain.mean())
    if left <= 2.0 * float(by_chain.std(ddof=1)) / np.sqrt(len(by_chain)):
        return 0.0
    filled = float(virials[:, half_count : 2 * half_count].mean() - virials[:, :half_count].mean())
    values = blocks[:, : 2 * half_count] - excess[:, : 2 * half_count]
    gained = float(values[:, half_count:].mean() - values[:, :half_count].mean())
    if filled <= 0 or gained <= 0:
        return 0.0
    return min(gained / filled, 0.5) * left
