"""Chains by the moves of a cooled population, where gradients lose their way."""

from itertools import takewhile
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.cooling import cool_to, move_population
from rlct.sampling.markov_chains.gibbs import anneal
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.moves import ParticlePopulation
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import ConditionalTarget, DataTarget, Floats, starting_n_beta

CHAIN_WALKERS = 16  # of a chain; a convention


class Walkers(Kernel):
    """Every chain is a few walkers, cooled from the prior; they are drawn in turn.

    A ridge of length 1 and width (nβ)^{−1/2} is not crossed by gradient steps of either size, and
    chains that each stay on theirs agree about nβK.  Walkers move at all scales at once, along the
    differences of others of their own chain (`rlct.sampling.markov_chains.moves`), or by exact
    conditional draws where the target has them.  Walkers of different chains never interact.

    The posterior is of a population, at one nβ, without localization; InputError for others.
    """

    name = "moves"
    usual_draws, usual_chains, gradients_per_draw = 200, 16, 0
    on_data = False

    def __init__(self, posterior: TemperedPosterior) -> None:
        super().__init__(posterior)
        target, n_beta = posterior.target, posterior.n_beta
        if isinstance(target, DataTarget) or posterior.localization:
            raise InputError("moves start from a prior: for data or localization take hmc or mala")
        if len(n_beta) != 1:
            raise InputError("moves run at one nβ")
        if n_beta[0] > target.resolution:
            raise InputError(f"nβ = {n_beta[0]:g} is beyond the rounding errors of K")
        self._each = 1 if isinstance(target, ConditionalTarget) else CHAIN_WALKERS
        self._population = ParticlePopulation.draw(
            target, self._each, posterior.rows, self.arrays.rng
        )
        self._cool(float(n_beta[0]))
        self._report(0)

    def _cool(self, n_beta: float) -> None:
        held, target, rng = self._population, self.posterior.target, self.arrays.rng
        if isinstance(target, ConditionalTarget):
            climb = anneal(target, held.w, starting_n_beta(held.divergence), rng)
            for _, w in takewhile(lambda step: step[0] < n_beta, climb):
                held.w = w
            held.w = target.redraw(held.w, n_beta, rng)
            held.divergence, held.log_prior = target.divergence(held.w), target.log_prior(held.w)
        else:
            cool_to(target, held, 0.0, n_beta, rng)

    def _report(self, turn: int) -> None:
        chosen = np.arange(self.posterior.rows) * self._each + turn % self._each
        self.w: Array = self._population.w[chosen]
        self.k: Array = self._population.divergence[chosen]

    def step(self, number: int, in_burnin: bool) -> Array | None:
        """Move all walkers, and look at the next one of every chain."""
        move_population(
            self.posterior.target, self._population, float(self.posterior.n_beta[0]), 1, self.rng
        )
        self._report(number)
        return None

    @property
    def rng(self) -> np.random.Generator:
        """Of the posterior, which a file restores."""
        return self.arrays.rng

    def notes(self) -> dict[str, Any]:
        """Walkers of each chain."""
        return {"walkers": self._each}

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step."""
        return {"population": self._population.w, "w": self.w}

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        target, w = self.posterior.target, state["population"]
        self._population = ParticlePopulation(
            w, target.divergence(w), target.log_prior(w), self.posterior.rows
        )
        self.w, self.k = state["w"], target.divergence(state["w"])


KERNEL = Walkers
