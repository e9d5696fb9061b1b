"""What chains with a Metropolis test share: their places, and the test."""

from __future__ import annotations

import numpy as np

from rlct.sampling.arrays import Array, Arrays
from rlct.sampling.local.spectrum import Units
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import Floats

__all__ = ["MetropolisChains", "UndefinedPoints"]

NEARBY = 2.0  # times as far from w₀ as the chain that is farthest


class UndefinedPoints:
    """Points near chains where K is not a number, and the first step that met one."""

    def __init__(self) -> None:
        self.count, self.at = 0, -1

    def note(self, on: Arrays, lost: Array, w: Array, number: int) -> None:
        """Count the points ``lost``, but those far outside chains at ``w``, of overflow."""
        reach = NEARBY * on.lengths(w).max()
        count = int((on.lengths(lost) <= reach).sum())
        if count and not self.count:
            self.at = number
        self.count += count

    def state(self) -> Floats:
        """For a file."""
        return np.array([self.count, self.at], dtype=float)

    def restore(self, state: Floats) -> None:
        """Go back to a :meth:`state`."""
        self.count, self.at = map(int, state)


class MetropolisChains:
    """Chains of all rungs, with the density and the force where they are.

    Parameters
    ----------
    posterior : TemperedPosterior
    spread : bool
        Start from the prior, shrunk at random; else all chains start at w₀.
    units : Units, optional
        Of steps; without it those of w.
    """

    excess = None

    def __init__(
        self, posterior: TemperedPosterior, spread: bool, units: Units | None = None
    ) -> None:
        self.posterior, self.arrays = posterior, posterior.arrays
        self.undefined = UndefinedPoints()
        self._root = None if units is None else self.arrays.asarray(units.root)
        self._place(posterior.start(spread))

    def _place(self, w: Array) -> None:
        self.w = w
        self.k, self._log, self._force = self.posterior.evaluate(w)

    def _evaluate(self, w: Array, number: int) -> tuple[Array, Array, Array]:
        """K, log density and force at proposals; K that is no number is counted."""
        found = self.posterior.evaluate(w)
        lost = self.arrays.xp.isnan(found[0])
        if bool(lost.any()):
            self.undefined.note(self.arrays, w[lost], self.w, number)
        return found

    @property
    def virial(self) -> Floats:
        """w·∇U of every chain."""
        return self.arrays.numpy(-(self.w * self._force).sum(-1))

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step, but for what a sampler adapts."""
        return {"w": self.arrays.numpy(self.w), "undefined": self.undefined.state()}

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        self._place(self.arrays.asarray(state["w"]))
        self.undefined.restore(state["undefined"])

    def _turned(self, values: Array) -> Array:
        """Forces or velocities, from the units of w to those of the steps or back."""
        return values if self._root is None else values @ self._root

    def _decide(
        self, change: Array, w: Array, k: Array, log: Array, force: Array
    ) -> tuple[Array, Floats]:
        """Accept proposals by the change of log density, Jacobians and momenta included.

        Returns
        -------
        accepted : array of bool, shape (rows,)
        chance : numpy.ndarray, shape (rows,)
            Probability with which each proposal was to be accepted.
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
