"""Exact conditional draws, block after block, on a ladder of nβ that is climbed from below."""

from collections.abc import Iterator

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains.chains import Chains, Progress, run_chains
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import ConditionalTarget, Floats, Target

BURN_FACTOR = 4.0  # between one sweep of the burn-in and the next


class Gibbs(Kernel):
    """Sweeps of conditional draws that leave exp(−nβK)·prior invariant; no step size.

    The posterior has one rung and no localization: what confines the chains is the prior.  Chains
    start at ``start``, shape (chains, d), or at draws of the prior without it.
    """

    name = "gibbs"

    def __init__(self, posterior: TemperedPosterior, start: Floats | None = None) -> None:
        if not isinstance(posterior.target, ConditionalTarget):
            raise InputError("gibbs needs a target with blocks that can be drawn exactly")
        if len(posterior.n_beta) > 1 or posterior.localization:
            raise InputError("gibbs takes one nβ at a time and no localization")
        super().__init__(posterior)
        self._target, on = posterior.target, posterior.arrays
        if start is None:
            start = posterior.target.sample_prior(posterior.rows, on.rng)
        self.w = on.asarray(start)
        self.k = on.zeros((posterior.rows,))

    def step(self, number: int, in_burnin: bool) -> None:
        """One sweep of every chain."""
        self.w = self._target.redraw(
            self.w, float(self.posterior.n_beta[0]), self.posterior.arrays.rng
        )
        self.k = self.posterior.target.divergence(self.w)

    def sizes(self) -> Floats:
        """No step has a size."""
        return np.full(self.posterior.rows, np.nan)


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

    Examples
    --------
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
    num_burnin: int | None = None,
    start: Floats | None = None,
    progress: Progress | None = None,
) -> Chains:
    """Sample exp(−nβK)·prior at increasing nβ, every rung from where the last one ended.

    At large nβ the posterior falls into parts with different ranks, between which even exact
    conditional draws seldom move; cooled from the prior the chains arrive where the mass is.  The
    target has exact conditional draws, as `~rlct.sampling.targets.linear.LinearNetworkTarget` and
    `~rlct.sampling.modules.linear_module.LinearModuleTarget` have.  At each rung ``num_draws``
    sweeps are kept, after ``num_burnin`` that are not, half as many by default.  Chains start at
    ``start``, shape (chains, d), or at draws of the prior without it.  InputError if the target has
    no conditional draws, nβ does not increase, or rounding errors of K or of the draws hide it.

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, w ~ N(0, 1) before
    >>> found = gibbs(target, 100.0, rng=np.random.default_rng(0), num_draws=1000)
    >>> bool(abs(found.draws.mean() - 50 / 101) < 0.04)
    True
    """
    levels: Floats = np.atleast_1d(np.asarray(n_beta, dtype=float))
    if (np.diff(levels) <= 0).any():
        raise InputError("gibbs climbs: the nβ must increase")
    if levels[-1] > target.resolution:
        raise InputError(f"nβ = {levels[-1]:g} is beyond the rounding errors of K")
    rung_chains: list[Chains] = []
    for level in levels:
        posterior = TemperedPosterior(target, level, rng=rng, num_chains=num_chains)
        kernel = Gibbs(posterior, rung_chains[-1].w[0] if rung_chains else start)
        burnin = num_draws // 2 if num_burnin is None else num_burnin
        try:
            part = run_chains(kernel, num_draws=num_draws, num_burnin=burnin)
        except KeyboardInterrupt:
            if not rung_chains:
                raise
            break
        if part.interrupted and rung_chains:
            break  # a rung counts as a whole
        mean = float(part.draws.mean())
        refuse_spoilt(mean, level, target.dimension)
        rung_chains.append(part)
        if part.interrupted:
            break
        if progress is not None:
            progress(
                len(rung_chains) / len(levels), f"gibbs: nβ = {level:.3g}, mean nβK = {mean:.6g}"
            )
    return Chains(
        n_beta=levels[: len(rung_chains)],
        draws=np.concatenate([part.draws for part in rung_chains]),
        acceptance=np.concatenate([part.acceptance for part in rung_chains]),
        lr=np.concatenate([part.lr for part in rung_chains]),
        w=rung_chains[-1].w,
        distance=np.concatenate([part.distance for part in rung_chains]),
        interrupted=len(rung_chains) < len(levels) or rung_chains[-1].interrupted,
    )
