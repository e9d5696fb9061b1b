"""More draws until the chains agree on λ̂."""

from __future__ import annotations

from dataclasses import replace

from scipy.stats import t as student

from rlct.sampling.local.data_error import NO_DATA
from rlct.sampling.local.filling import unfilled_directions
from rlct.sampling.local.observables import DataMoments
from rlct.sampling.local.run_warnings import exceeds_share
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.chains import Progress, run_chains
from rlct.sampling.markov_chains.diagnostics import rhat
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.length import MOST_WORK
from rlct.sampling.targets.target import DataTarget

__all__ = ["until_chains_agree"]

RHAT_WANTED = 1.05  # split R-hat, between 1.01 (Vehtari et al. 2021) and the usual 1.1
PRECISION = 0.15  # of λ̂: half of the interval that the scatter of the chains alone gives
DOUBLINGS = 3  # of the default number of draws, until these are as wanted


def until_chains_agree(
    settled_draws: SettledDraws,
    kernel: Kernel,
    moments: DataMoments | None,
    progress: Progress | None,
) -> SettledDraws:
    """Double the draws until the chains agree, a few times and a few minutes at most."""
    target, work = kernel.posterior.target, 0.0
    if isinstance(target, DataTarget):
        size = getattr(kernel, "batch_size", None) or target.samples
        work = data_work(target) * len(settled_draws.draws) * size / target.samples
    for _ in range(DOUBLINGS):
        earlier_chains = settled_draws.chains
        if earlier_chains.interrupted or _agree(settled_draws, moments):
            break
        if 2 * earlier_chains.gradients * work > MOST_WORK:
            break
        try:
            later_chains = run_chains(
                kernel,
                num_draws=earlier_chains.draws.shape[2],
                num_burnin=0,
                observer=moments,
                progress=progress,
            )
        except KeyboardInterrupt:
            return SettledDraws(replace(earlier_chains, interrupted=True))
        settled_draws = SettledDraws(earlier_chains.followed_by(later_chains))
    return settled_draws


def _agree(found: SettledDraws, moments: DataMoments | None) -> bool:
    """Whether chains agree on λ̂, and have filled what may change it as far as is known."""
    if rhat(found.draws) > RHAT_WANTED:
        return False
    # Steps without a test are small, and free diffusion along flat directions is slow.
    if found.chains.excess is not None and rhat(found.distance) > RHAT_WANTED:
        return False
    scatter = NO_DATA if moments is None else moments.data_error()
    quantile, wanted = float(student.ppf(0.975, found.degrees)), PRECISION * abs(found.lam)
    if not scatter.resolved:  # then it is noise of the draws
        if 2.0 * scatter.value > wanted:
            return False
    else:
        wanted = max(wanted, 2.0 * scatter.value)
    if quantile * found.error > wanted:
        return False
    return not exceeds_share(unfilled_directions(found, moments).most, found.lam)
