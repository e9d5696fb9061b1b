"""Exact conditional draws, block after block, on a ladder of nβ that is climbed from below."""

from collections.abc import Iterator

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains.chains import Chains
from rlct.sampling.targets.target import ConditionalTarget, Floats, Target

BURN_FACTOR = 4.0  # between one sweep of the burn-in and the next


def anneal(
    target: ConditionalTarget, w: Floats, start: float, rng: np.random.Generator
) -> Iterator[tuple[float, Floats]]:
    """Chains after one sweep at nβ = ``start`` and at every further factor of four, for ever.

    Exact conditional draws forget K in a sweep, whatever nβ was before: unlike the levels of
    `rlct.sampling.ladders.tempering.tempering_ladder`, those of a burn-in carry no weights and need
    not be close.
    """
    while True:
        w = target.redraw(w, start, rng)
        yield start, w
        start *= BURN_FACTOR


def refuse_spoilt(mean: float, n_beta: float, dimension: int) -> None:
    """Raise where the mean of nβK is above d, twice what it is at most.

    Conditional draws that rounding spoils need not leave the numbers that are finite.

    >>> refuse_spoilt(3.1, 100.0, dimension=2)
    Traceback (most recent call last):
    rlct.errors.InputError: the mean of nβK is 3.1 at nβ = 1e+02: rounding spoils ...
    """
    if not mean <= dimension:
        raise InputError(
            f"the mean of nβK is {mean:.2g} at nβ = {n_beta:.2g}: rounding spoils the conditional "
            "draws; choose method tempering or a lower nβ"
        )


def gibbs(
    target: Target,
    n_beta: Floats | float,
    *,
    rng: np.random.Generator,
    num_chains: int = 8,
    num_draws: int = 100,
    start: Floats | None = None,
) -> Chains:
    """Sample exp(−nβK)·prior at each nβ, from where the last one ended, by sweeps.

    Half as many sweeps come before those that are kept; ``start`` are first states, shape
    (chains, d), instead of draws of the prior.

    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, w ~ N(0, 1) before
    >>> found = gibbs(target, 100.0, rng=np.random.default_rng(0), num_draws=1000)
    >>> bool(abs(found.draws.mean() - 50 / 101) < 0.04)
    True
    """
    levels: Floats = np.atleast_1d(np.asarray(n_beta, dtype=float))
    if not isinstance(target, ConditionalTarget):
        raise InputError("gibbs needs a target with blocks that can be drawn exactly")
    if levels[-1] > target.resolution:
        raise InputError(f"nβ = {levels[-1]:g} is beyond the rounding errors of K")
    w = target.sample_prior(num_chains, rng) if start is None else start
    draws = np.empty((len(levels), num_chains, num_draws))
    for level, kept in zip(levels, draws, strict=True):
        for sweep in range(-(num_draws // 2), num_draws):
            w = target.redraw(w, float(level), rng)
            if sweep >= 0:
                kept[:, sweep] = level * target.divergence(w)
        refuse_spoilt(float(kept.mean()), level, target.dimension)
    none = np.full(draws.shape[:2], np.nan)
    return Chains(levels, draws, none, none, w[None], np.zeros_like(draws))
