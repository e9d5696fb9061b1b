"""Effective sample size, split R-hat, and what draws alone say against believing them."""

from functools import cache
from typing import Any

import numpy as np

from rlct.sampling.targets.target import Floats
from rlct.system.interrupts import hold_interrupt

ESS_NEEDED = 100.0  # draws in effect, of all chains together; a convention
RHAT_ALLOWED = 1.1  # split R-hat; the usual convention (Gelman and Rubin 1992)


@cache
def array_stats() -> Any:
    """ArviZ's statistics of arrays; their import is slow, and most commands never sample."""
    with hold_interrupt():
        from arviz_stats.base.array import array_stats as found
    return found


def chain_mean(values: Floats) -> tuple[float, float]:
    """Mean over chains, and its standard error."""
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.inf
    return float(values.mean()), float(error)


def ess(draws: Floats) -> float:
    """Bulk effective sample size of draws, shape ``(chains, draws)``.

    >>> bool(ess(np.random.default_rng(0).normal(size=(4, 500))) > 1000)
    True
    """
    if draws.shape[1] < 4 or not np.isfinite(draws).all() or np.ptp(draws) == 0:
        return 0.0
    return float(array_stats().ess(draws, chain_axis=0, draw_axis=1))


def rhat(draws: Floats) -> float:
    """Rank-normalised split R-hat of draws, shape ``(chains, draws)``; inf when stuck.

    >>> bool(rhat(np.random.default_rng(0).normal(size=(4, 500))) < 1.02)
    True
    """
    if draws.shape[1] < 4 or not np.isfinite(draws).all() or np.ptp(draws) == 0:
        return float("inf")
    return float(array_stats().rhat(draws, chain_axis=0, draw_axis=1))


def warnings_for(draws: Floats, *, effective_size: float, split_rhat: float) -> tuple[str, ...]:
    """Sentences about draws of nβK that should not be trusted, none when all is well.

    Draws have the shape (chains, draws).

    >>> warnings_for(np.ones((2, 10)), effective_size=0.0, split_rhat=float("inf"))[0]
    '2 of 2 chains never moved: the step is far too large or small, or the posterior too narrow'
    """
    warning_texts: list[str] = []
    stuck = int((np.ptp(draws, axis=1) == 0).sum())
    if stuck:
        warning_texts.append(
            f"{stuck} of {len(draws)} chains never moved: "
            "the step is far too large or small, or the posterior too narrow"
        )
    if draws.mean() < 0:
        warning_texts.append("the estimate is negative: rounding hides K")
    if split_rhat > RHAT_ALLOWED:
        warning_texts.append(
            f"chains disagree: split R-hat {split_rhat:.3f} exceeds {RHAT_ALLOWED}; take more draws"
        )
    if effective_size < ESS_NEEDED:
        warning_texts.append(
            f"effective sample size {effective_size:.1f} is below {ESS_NEEDED:.0f}: take more draws"
        )
    return tuple(warning_texts)
