"""Metropolis-adjusted Langevin chains at several nβ, all in one array."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.ladders.rungs import as_ladder, rungs
from rlct.sampling.local.spectrum import Units
from rlct.sampling.markov_chains.chains import ChainOptions, Chains, Progress, sample_chains
from rlct.sampling.markov_chains.metropolis import MetropolisChains
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import Floats, Target

__all__ = ["Mala", "mala", "mala_ladder"]

WANTED_ACCEPTANCE = 0.574  # mean probability, best in many dimensions (Roberts, Rosenthal 1998)
ADAPTATION = 0.66  # power of the step number by which gains fall: above 1/2 (Robbins, Monro)
# Mean of log(ε of the chain / ε of a proposal), exponentially distributed.  With one ε a chain
# whose burn-in ended in the open never entered a narrow valley: nβK of the cusp was 10 % too small.
SHORTENED = 1.0


class Mala(MetropolisChains):
    """w′ = w + (ε/2)∇log π(w) + √ε ξ with a Metropolis test.

    The step ε of every chain follows its acceptance (towards 0.574) during burn-in and is frozen
    afterwards, so that the draws that are kept come from a fixed, exactly invariant kernel.  Each
    proposal shortens it at random, so that no narrow valley keeps a chain in or out.

    Parameters
    ----------
    posterior : TemperedPosterior
    spread : bool
        Start from the prior, shrunk at random; else all chains start at w₀.
    units : Units, optional
        Of steps; without it those of w.

    References
    ----------
    Roberts, Rosenthal (1998), Optimal scaling of discrete approximations to Langevin
    diffusions, JRSS B 60.
    """

    name = "mala"
    #: Rate per step at which the sharpest direction would forget, were it slow.
    FASTEST = 0.25

    def __init__(
        self, posterior: TemperedPosterior, *, spread: bool = True, units: Units | None = None
    ) -> None:
        super().__init__(posterior, spread, units)
        scale = posterior.target.scale
        strength = np.repeat(posterior.n_beta, posterior.shape[1])
        self.log_step = np.log(scale**2 / (1.0 + strength * scale**2))
        if units is not None:
            self.log_step = np.zeros(len(strength))

    def step(self, number: int, in_burnin: bool) -> Array:
        """One proposal for every chain."""
        on, xp = self.arrays, self.arrays.xp
        shortened = on.rng.exponential(SHORTENED, len(self.log_step))
        size = on.asarray(np.exp(self.log_step - shortened))[:, None]
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
            self.log_step += (chance - WANTED_ACCEPTANCE) * (1.0 + number) ** -ADAPTATION * 3.0
        return accepted

    def settle(self) -> None:
        """Nothing to do: the last step size stays."""

    def sizes(self) -> Floats:
        """ε per row, the variance of the injected noise, before it is shortened."""
        return np.asarray(np.exp(self.log_step))

    def notes(self) -> dict[str, Any]:
        """Nothing beyond the step size."""
        return {}

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step."""
        return super().state() | {"log_step": self.log_step}

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        super().restore(state)
        self.log_step = state["log_step"]


def mala(
    target: Target,
    n_beta: Floats | float,
    *,
    spread: bool = True,
    **options: Unpack[ChainOptions],
) -> Chains:
    """Sample exp(−nβK − γ|w|²/2)·prior by Langevin proposals with a Metropolis test.

    Parameters
    ----------
    target : Target
    n_beta : float or array, shape (rungs,)
    spread
        As in :class:`Mala`.
    **options
        `rng`, and what else :class:`~rlct.sampling.markov_chains.chains.ChainOptions` names; 2000
        draws of each chain by default.

    Returns
    -------
    Chains

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2
    >>> found = mala(target, np.array([100.0]), rng=np.random.default_rng(0))
    >>> bool(abs(found.draws.mean() - 0.495) < 0.05)
    True
    """
    return sample_chains(partial(Mala, spread=spread), target, n_beta, 2000, **options)


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
    mala_chains = mala(
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
