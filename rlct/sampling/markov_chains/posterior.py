"""The tempered posterior exp(−nβK − γ|w|²/2)·prior that chains of all rungs sample."""

from functools import cached_property
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array, arrays_of, value_and_gradient
from rlct.sampling.checks import check_count, real_array
from rlct.sampling.markov_chains.settings import check_localization
from rlct.sampling.targets.target import Floats, Target


class TemperedPosterior:
    """Log density and force at many points, one row for each chain of each rung.

    nβ is a number or of shape (rungs,), each with ``num_chains``, and γ is the strength of the pull
    towards w₀. ``arrays`` are where the chains live, with their random numbers; ``gradients`` were
    evaluated so far, per chain.
    """

    def __init__(
        self,
        target: Target,
        n_beta: Floats | float,
        *,
        rng: np.random.Generator,
        num_chains: int,
        localization: float = 0.0,
    ) -> None:
        self.n_beta: Floats = real_array("n_beta", n_beta, ndmin=1)
        if self.n_beta.ndim != 1 or not (self.n_beta > 0).all():
            raise InputError("chains need positive n_beta")
        check_count("num_chains", num_chains, 1)
        check_localization(localization)
        if not isinstance(rng, np.random.Generator):
            raise InputError("rng must be a numpy.random.Generator, as numpy.random.default_rng(0)")
        self.target, self.localization = target, float(localization)
        self.arrays = arrays_of(target, rng)
        self.shape = (len(self.n_beta), int(num_chains))
        self.rows = self.shape[0] * self.shape[1]
        self.strength = self.arrays.asarray(np.repeat(self.n_beta, num_chains))
        self.gradients = 0

    @cached_property
    def prior_precision(self) -> float:
        """1/σ² of a normal prior, which pulls along every direction alike; 0 of any other."""
        if getattr(self.target, "flat", False) or not self._begins_at_centre:
            return 0.0
        target, on = self.target, self.arrays
        size = 1e-3 * min(target.scale, 1.0)
        ends = on.asarray(size * np.array([[1.0], [-1.0]]) * np.ones((1, target.dimension)))
        above, below = on.numpy(target.log_prior_gradient(ends)).astype(float)
        return max(0.0, float((below - above).mean()) / (2 * size))

    @property
    def confining(self) -> float:
        """γ and the precision of a normal prior together."""
        return self.localization + self.prior_precision

    @property
    def stronger(self) -> float:
        """γ or the precision of a normal prior, whichever is larger."""
        return max(self.localization, self.prior_precision)

    @cached_property
    def _begins_at_centre(self) -> bool:
        """Whether the prior neither vanishes at w₀ nor has a pole there."""
        centre = self.arrays.zeros((1, self.target.dimension))
        return bool(np.isfinite(float(self.target.log_prior(centre)[0])))

    def settings(self) -> dict[str, Any]:
        """What identifies it in a file."""
        return {
            "n_beta": self.n_beta.tolist(),
            "localization": self.localization,
            "dimension": self.target.dimension,
            "num_chains": self.shape[1],
        }

    def start(self, spread: bool) -> Array:
        """First states: draws of the prior, shrunk at random over all scales; or all w₀.

        Where the prior vanishes at w₀, or has a pole there, no chain can begin at it.
        """
        w = self.arrays.zeros((self.rows, self.target.dimension))
        if not spread and self._begins_at_centre:
            return w
        # Starts spread over all scales, so that agreement of the chains means something.
        rng = self.arrays.rng
        w = self.target.sample_prior(self.rows, rng) * rng.random((self.rows, 1)) ** 2
        return self.arrays.asarray(w)

    def evaluate(self, w: Array) -> tuple[Array, Array, Array]:
        """K, log density and its gradient."""
        k, slope = value_and_gradient(self.target, w)
        self.gradients += 1
        log = -self.strength * k + self.target.log_prior(w)
        log = log - 0.5 * self.localization * (w * w).sum(-1)
        force = self.target.log_prior_gradient(w) - self.strength[:, None] * slope
        return k, log, force - self.localization * w
