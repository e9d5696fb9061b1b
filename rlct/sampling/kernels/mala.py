"""Metropolis-adjusted Langevin chains at several nβ, all in one array."""

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.metropolis import MetropolisKernel


class Mala(MetropolisKernel):
    """w′ = w + (ε/2)∇log π(w) + √ε ξ with a Metropolis test.

    Roberts, Rosenthal (1998), Optimal scaling of discrete approximations to Langevin
    diffusions, JRSS B 60.
    """

    name = "mala"
    ladder_draws, langevin = 2000, True
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
