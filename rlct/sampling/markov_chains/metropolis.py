"""What chains with a Metropolis test share: their places, the test, and steps that adapt."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.kernel import Kernel, RunSettings
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import Spectrum, Units, units
from rlct.sampling.markov_chains.tuning import LossLandscape
from rlct.sampling.targets.target import DataTarget, Floats

ADAPTATION_POWER = 0.66  # power of the step number by which gains fall: above 1/2 (Robbins, Monro)
# Mean of log(variance of the chain / variance of a proposal), exponentially distributed.  With one
# variance a chain whose burn-in ended in the open never entered a narrow valley: nβK of the cusp
# was 10 % too small.
MEAN_SHORTENING = 1.0


class MetropolisKernel(Kernel):
    """Chains of all rungs, with the density and the force where they are.

    A step proposes places to :meth:`accept`.  In the burn-in the size of every chain follows its
    acceptance and is frozen afterwards, so that the draws that are kept come from a fixed, exactly
    invariant kernel.

    With ``spread`` chains start from the prior, shrunk at random; else all start at w₀.  Without
    ``units`` steps have those of w.
    """

    #: Mean probability with which proposals are accepted that steps adapt to.
    wanted_acceptance: ClassVar[float]
    #: Rate per step at which the sharpest direction would forget, were it slow.
    fastest: ClassVar[float] = 0.25
    changing: ClassVar[tuple[str, ...]] = ("log_step",)
    #: Whether chains on a population start from the prior.
    spread_start: ClassVar[bool] = True

    def __init__(
        self, posterior: TemperedPosterior, *, spread: bool = True, units: Units | None = None
    ) -> None:
        super().__init__(posterior)
        self._root = None if units is None else self.arrays.asarray(units.root)
        scale, strength = posterior.target.scale, np.repeat(posterior.n_beta, posterior.shape[1])
        #: Of the variance of a proposal, by row.
        self.log_step: Floats = np.log(scale**2 / (1.0 + strength * scale**2))
        if units is not None:
            self.log_step = np.zeros(len(strength))
        self._place(posterior.start(spread))

    @classmethod
    def begin(
        cls,
        posterior: TemperedPosterior,
        run_settings: RunSettings,
        landscape: LossLandscape | None,
        spectrum: Spectrum | None,
    ) -> MetropolisKernel:
        """Make the kernel with units by the curvatures at w₀."""
        spread = cls.spread_start and not isinstance(posterior.target, DataTarget)
        return cls(posterior, spread=spread, units=units(spectrum, cls.fastest, cls.usual_draws))

    def _place(self, w: Array) -> None:
        self.w = w
        self.k, self._log, self._force = self.posterior.evaluate(w)

    def _evaluate(self, w: Array, number: int) -> tuple[Array, Array, Array]:
        """K, log density and force at proposals; K that is no number is counted."""
        evaluation = self.posterior.evaluate(w)
        lost = self.arrays.xp.isnan(evaluation[0])
        if bool(lost.any()):
            self.undefined.note(self.arrays, w[lost], self.w, number)
        return evaluation

    @property
    def virial(self) -> Floats:
        """w·∇U of every chain."""
        return self.arrays.numpy(-(self.w * self._force).sum(-1))

    def sizes(self) -> Floats:
        """Variance of a proposal per row, before it is shortened."""
        return np.asarray(np.exp(self.log_step))

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        super().restore(state)
        self._place(self.w)

    def _turned(self, values: Array) -> Array:
        """Forces or velocities, from the units of w to those of the steps or back."""
        return values if self._root is None else values @ self._root

    def _variances(self) -> Array:
        """Those of the proposals of a step, (rows, 1): no narrow valley keeps a chain in or out."""
        shortened = self.arrays.rng.exponential(MEAN_SHORTENING, len(self.log_step))
        return self.arrays.asarray(np.exp(self.log_step - shortened))[:, None]

    def _adapt(self, chance: Floats, number: int) -> None:
        """Follow the acceptance of every chain."""
        gain = 3.0 * (1.0 + number) ** -ADAPTATION_POWER
        self.log_step = self.log_step + (chance - self.wanted_acceptance) * gain

    def _decide(
        self, change: Array, w: Array, k: Array, log: Array, force: Array
    ) -> tuple[Array, Floats]:
        """Accept proposals by the change of log density, Jacobians and momenta included.

        Which are accepted, and the probability with which each was to be, both of shape (rows,).
        """
        on, xp = self.arrays, self.arrays.xp
        # NaN is refused, as the prior were zero there.
        change = xp.where(xp.isfinite(change), change, xp.zeros_like(change) - np.inf)
        accepted = xp.log(on.uniform((len(change),))) < change
        self.w = xp.where(accepted[:, None], w, self.w)
        self.k = xp.where(accepted, k, self.k)
        self._log = xp.where(accepted, log, self._log)
        self._force = xp.where(accepted[:, None], force, self._force)
        return accepted, np.exp(np.minimum(0.0, on.numpy(change)))
