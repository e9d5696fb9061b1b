"""Hamiltonian Monte Carlo that finds its step."""

from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.metropolis import MetropolisKernel
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import Units
from rlct.sampling.targets.target import Floats

LEAST_STEPS, MOST_STEPS = 4, 32  # mean leapfrog steps of a trajectory
# Mean of log(step of the rung / step of a trajectory), exponentially distributed for each chain.
# Far along an axis of a·b·x the curvature of the loss is a², and a chain that got far stands still
# with one step.
MEAN_SHORTENING = 0.5


class Hmc(MetropolisKernel):
    """Leapfrog trajectories with a Metropolis test, for all chains of all rungs at once.

    While it adapts, the step of each rung follows its acceptance (dual averaging).  The number
    of leapfrog steps is uniform between 1 and twice the mean, so that no period of the dynamics
    can trap a chain, and each chain shortens its step at random, so that no narrow valley can.

    With ``spread`` chains start from the prior, shrunk at random; else all start at w₀.
    ``leapfrog_steps`` is the mean number in a trajectory; by default as many as cross the flattest
    direction that γ or the prior leaves, within bounds.  Without ``units``, of momenta and steps,
    they have those of w.

    Hoffman, Gelman (2014), The No-U-Turn sampler, JMLR 15, section 3.2; Neal (2011), MCMC using
    Hamiltonian dynamics, on random steps.
    """

    name = "hmc"
    usual_draws, gradients_per_draw = 120, 32
    wanted_acceptance = 0.8  # the default of Stan
    fastest = MOST_STEPS**2 / 4
    spread_start = False
    changing = ("log_step", "_mean_log_step", "_error", "_adapted")

    def __init__(
        self,
        posterior: TemperedPosterior,
        *,
        spread: bool = True,
        leapfrog_steps: int | None = None,
        units: Units | None = None,
    ) -> None:
        if leapfrog_steps is not None and leapfrog_steps < 1:
            raise InputError(f"leapfrog_steps must be positive, not {leapfrog_steps}")
        super().__init__(posterior, spread=spread, units=units)
        self.leapfrog_steps = leapfrog_steps
        self._flattest = None if units is None else units.flattest
        scale = posterior.target.scale
        self.log_step = np.log(scale / np.sqrt(1.0 + posterior.n_beta * scale**2))
        if units is not None:
            self.log_step = np.zeros(len(posterior.n_beta))
        self._anchor = self.log_step + np.log(10.0)
        self._mean_log_step: Floats = self.log_step.copy()
        self._error: Floats = np.zeros(len(posterior.n_beta))
        self._adapted = 0

    def step(self, number: int, in_burnin: bool) -> Array:
        """One trajectory of every chain."""
        on = self.arrays
        sizes = np.exp(self.log_step if in_burnin else self._mean_log_step)
        steps = int(on.rng.integers(1, 2 * self._mean_steps(sizes), endpoint=True))
        rows = np.repeat(sizes, self.posterior.shape[1])
        size = on.asarray(rows * np.exp(-on.rng.exponential(MEAN_SHORTENING, len(rows))))[:, None]
        p = on.normal(tuple(self.w.shape))
        energy = self._log - 0.5 * (p * p).sum(-1)
        w, force = self.w, self._force
        for _ in range(steps):
            p = p + 0.5 * size * self._turned(force)
            w = w + size * self._turned(p)
            k, log, force = self._evaluate(w, number)
            p = p + 0.5 * size * self._turned(force)
        change = log - 0.5 * (p * p).sum(-1) - energy
        accepted, chance = self._decide(change, w, k, log, force)
        if in_burnin:
            self._adapt(chance.reshape(self.posterior.shape), number)
        return accepted

    def _mean_steps(self, sizes: Floats) -> int:
        if self.leapfrog_steps is not None:
            return self.leapfrog_steps
        flat = self.posterior.localization or self.posterior.target.scale**-2
        if self._flattest is not None:
            flat = self._flattest
        quarter = 0.5 * np.pi / (np.sqrt(flat) * float(np.median(sizes)))
        return int(np.clip(quarter, LEAST_STEPS, MOST_STEPS))

    def _adapt(self, chance: Floats, number: int) -> None:
        """Dual averaging by rung."""
        self._adapted += 1
        t = self._adapted
        gain = 1.0 / (t + 10.0)
        self._error = (1 - gain) * self._error + gain * (
            self.wanted_acceptance - chance.mean(axis=1)
        )
        self.log_step = self._anchor - np.sqrt(t) / 0.05 * self._error
        share = t**-0.75
        self._mean_log_step = share * self.log_step + (1 - share) * self._mean_log_step

    def settle(self) -> None:
        """Freeze the step size at its average."""
        if not self._adapted:
            self._mean_log_step = self.log_step.copy()

    def sizes(self) -> Floats:
        """Leapfrog step per row, before it is shortened."""
        return np.repeat(np.exp(self._mean_log_step), self.posterior.shape[1])

    def notes(self) -> dict[str, Any]:
        """Mean number of leapfrog steps."""
        return {"leapfrog_steps": self._mean_steps(np.exp(self._mean_log_step))}


KERNEL = Hmc
