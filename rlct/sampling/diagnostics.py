"""Effective sample size, split R-hat, and the sentences that say a run cannot be believed."""

from __future__ import annotations

import numpy as np

from rlct.sampling.target import Floats

__all__ = ["ess", "rhat", "warnings_for"]

ESS_NEEDED = 100.0
RHAT_ALLOWED = 1.1


def ess(draws: Floats) -> float:
    """Bulk effective sample size of draws, shape ``(chains, draws)``.

    Examples
    --------
    >>> bool(ess(np.random.default_rng(0).normal(size=(4, 500))) > 1000)
    True
    """
    # Imported here because the import is slow and most commands never sample.
    from arviz_stats.base.array import array_stats

    if draws.shape[1] < 4 or not np.isfinite(draws).all() or np.ptp(draws) == 0:
        return 0.0
    return float(array_stats.ess(draws, chain_axis=0, draw_axis=1))  # type: ignore[no-untyped-call]


def rhat(draws: Floats) -> float:
    """Rank-normalised split R-hat of draws, shape ``(chains, draws)``; inf when stuck.

    Examples
    --------
    >>> bool(rhat(np.random.default_rng(0).normal(size=(4, 500))) < 1.02)
    True
    """
    from arviz_stats.base.array import array_stats

    if draws.shape[1] < 4 or not np.isfinite(draws).all() or np.ptp(draws) == 0:
        return float("inf")
    return float(array_stats.rhat(draws, chain_axis=0, draw_axis=1))  # type: ignore[no-untyped-call]


def warnings_for(draws: Floats, *, effective: float, disagreement: float) -> tuple[str, ...]:
    """Sentences about draws of nβK that should not be trusted, none when all is well.

    Parameters
    ----------
    draws : array, shape (chains, draws)
        nβK, or nβ(L_n(w) − L_n(w₀)) when sampling on data.
    effective, disagreement : float
        Their effective sample size and split R-hat.

    Examples
    --------
    >>> warnings_for(np.ones((2, 10)), effective=0.0, disagreement=float("inf"))[0]
    '2 of 2 chains never moved: the step size is too large or the posterior too narrow'
    """
    found: list[str] = []
    stuck = int((np.ptp(draws, axis=1) == 0).sum())
    if stuck:
        found.append(
            f"{stuck} of {len(draws)} chains never moved: "
            "the step size is too large or the posterior too narrow"
        )
    if draws.mean() < 0:
        found.append(
            "the estimate is negative: w₀ is not a minimum, or the chains left its neighbourhood"
        )
    if disagreement > RHAT_ALLOWED:
        found.append(f"chains disagree: split R-hat {disagreement:.3f} exceeds {RHAT_ALLOWED}")
    if effective < ESS_NEEDED:
        found.append(f"effective sample size {effective:.0f} is below {ESS_NEEDED:.0f}")
    return tuple(found)
