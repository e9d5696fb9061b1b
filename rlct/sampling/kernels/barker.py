"""Barker's proposal: a coordinate goes uphill more often than down, however steep the slope is."""

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.metropolis import MetropolisKernel


class BarkerProposal(MetropolisKernel):
    """w′ᵢ = wᵢ ± σξᵢ, with the sign + of probability 1/(1 + exp(−σξᵢ ∂ᵢlog π)), and a test.

    Livingstone, Zanella (2022), The Barker proposal, JRSS B 84, 496–523.
    """

    name = "barker"
    wanted_acceptance = 0.4  # best in many dimensions

    def step(self, number: int, in_burnin: bool) -> Array:
        """One proposal for every chain."""
        on, xp, shape = self.arrays, self.arrays.xp, tuple(self.w.shape)
        noise = xp.sqrt(self._variances()) * on.normal(shape)
        force = self._turned(self._force)
        uphill = on.uniform(shape) * (1.0 + xp.exp(-noise * force)) < 1.0
        moved = xp.where(uphill, noise, -noise)
        proposal = self.w + self._turned(moved)
        k, log, ahead = self._evaluate(proposal, number)
        zero = xp.zeros_like(moved)
        there, back = (xp.logaddexp(zero, s) for s in (-moved * force, moved * self._turned(ahead)))
        change = log - self._log + (there - back).sum(-1)
        accepted, chance = self._decide(change, proposal, k, log, ahead)
        if in_burnin:
            self._adapt(chance, number)
        return accepted


KERNEL = BarkerProposal
