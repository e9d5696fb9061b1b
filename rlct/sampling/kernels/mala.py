"""Metropolis-adjusted Langevin chains at several nβ, all in one array."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.ladders.rungs import as_ladder, rungs
from rlct.sampling.markov_chains.chains import Progress, sample_chains
from rlct.sampling.markov_chains.metropolis import MetropolisKernel
from rlct.sampling.targets.target import Target

__all__ = ["Mala", "mala_ladder"]


class Mala(MetropolisKernel):
    """w′ = w + (ε/2)∇log π(w) + √ε ξ with a Metropolis test.

    References
    ----------
    Roberts, Rosenthal (1998), Optimal scaling of discrete approximations to Langevin
    diffusions, JRSS B 60.
    """

    name = "mala"
    langevin = True
    wanted_acceptance = 0.574  # best in many dimensions

    def step(self, number: int, in_burnin: bool) -> Array:
        """One proposal for every chain."""
        on, xp = self.arrays, self.arrays.xp
        size = self._variances()
        noise = xp.sqrt(size) * on.normal(tuple(self.w.shape))
        drift = 0.5 * size * self._turned(self._force)
        proposal = self.w + self._turned(drift) + self._turned(noise)
        k, log, force = self._evaluate(proposal, number)
        moved = self.w - proposal if self._root is None else -drift - noise  # in units of steps
        back = moved - 0.5 * size * self._turned(force)
        change = log - self._log
        change = change - ((back * back).sum(-1) - (noise * noise).sum(-1)) / (2 * size[:, 0])
        accepted, chance = self._decide(change, proposal, k, log, force)
        if in_burnin:
            self._adapt(chance, number)
        return accepted


KERNEL = Mala


def mala_ladder(
    target: Target,
    *,
    rng: np.random.Generator,
    draws: int = 2000,
    num_chains: int = 8,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Tempered means on a ladder of nβ by :func:`mala`."""
    levels, unit = rungs(target, rng)
    mala_chains = sample_chains(
        "mala",
        target,
        levels,
        rng=rng,
        num_chains=num_chains,
        num_draws=draws,
        thin=3,
        checkpoint=checkpoint,
        progress=progress,
    )
    return as_ladder(mala_chains, unit, "tempered mean (MALA)")
