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
    half_width : float
        Of the interval of that scatter, by Student's t.
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
    traces: LoopTraces, moving: int, localization: float, level: float
) -> LoopSummary:
    """Summarize the draws after the burn-in.

    Parameters
    ----------
    traces : LoopTraces
    moving : int
        Weights that move.
    localization, level : float
        γ; probability of the interval.
    """
    losses = traces.losses[:, traces.burnin :]
    first = traces.burnin // GAUGE_EVERY
    excess, virial, squares = (
        values[:, first:] for values in (traces.excess, traces.virial, traces.squares)
    )
    by_chain = losses.mean(axis=1) - excess.mean(axis=1)
    chains = len(by_chain)
    error = float(by_chain.std(ddof=1) / np.sqrt(chains))
    blocks = _blocks(losses)
    virial_chain = virial.mean(axis=1)
    virial_error = float(virial_chain.std(ddof=1) / np.sqrt(chains))
    response = -0.5 * localization * _covariances(blocks, squares[:, : blocks.shape[1]])
    return LoopSummary(
        lam=float(by_chain.mean()),
        error=error,
        half_width=float(student.ppf(0.5 + level / 2, chains - 1)) * error,
        excess=float(excess.mean()),
        virial=float(virial_chain.mean()),
        virial_error=virial_error,
        unfilled=_unfilled(blocks, excess, virial, moving),
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
    return losses[:, : count * GAUGE_EVERY].reshape(len(losses), count, -1).mean(axis=2)


def _covariances(one: Floats, other: Floats) -> Floats:
    """Contribution of each chain to the covariance over all draws, whose mean it is."""
    size = min(one.shape[1], other.shape[1])
    one, other = one[:, :size], other[:, :size]
    products: Floats = ((one - one.mean()) * (other - other.mean())).mean(axis=1)
    return products


def _unfilled(blocks: Floats, excess: Floats, virial: Floats, moving: int) -> float:
    """How much λ̂ gains until the virial is d, at the pace at which it gained with it so far.

    In a direction where the loss is quadratic half of the virial at most is nβL.
    """
    half = min(blocks.shape[1], virial.shape[1]) // 2
    if half < 2:
        return 0.0
    lacking = moving - virial[:, half : 2 * half]
    by_chain = lacking.mean(axis=1)
    left = float(by_chain.mean())
    if left <= 2.0 * float(by_chain.std(ddof=1)) / np.sqrt(len(by_chain)):
        return 0.0
    filled = float(virial[:, half : 2 * half].mean() - virial[:, :half].mean())
    values = blocks[:, : 2 * half] - excess[:, : 2 * half]
    gained = float(values[:, half:].mean() - values[:, :half].mean())
    if filled <= 0 or gained <= 0:
        return 0.0
    return min(gained / filled, 0.5) * left
