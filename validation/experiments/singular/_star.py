"""The networks of section 6: two layers, the truth a star of m units, a wide Gaussian prior."""

from math import cos, pi, sin
from typing import Any

import numpy as np

from rlct.sampling.targets.activations import Activation
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.target import Floats

__all__ = ["Star", "star"]

SILU_TAU = 100.0  # of the SiLU of the source, x/(1 + exp(−τx))
FAR_ARGUMENT = 40.0  # beyond this τ|x| the difference from ReLU is below 10⁻¹⁷


def _silu(z: Floats, out: Floats | None = None) -> Floats:
    found = np.maximum(z, 0, out=out)
    near = np.abs(z) < FAR_ARGUMENT / SILU_TAU
    found[near] = z[near] / (1 + np.exp(-SILU_TAU * z[near]))
    return found


def _silu_slope(z: Floats, a: Floats) -> Floats:
    slopes = (z > 0).astype(z.dtype)
    near = np.abs(z) < FAR_ARGUMENT / SILU_TAU
    share = 1 / (1 + np.exp(-SILU_TAU * z[near]))
    slopes[near] = share * (1 + SILU_TAU * z[near] * (1 - share))
    return slopes


class Star(NetworkTarget):
    """L_n(w) − L_n(s_m) with a Gaussian prior around the weights 0, not around s_m.

    The truth has m hidden units and the model ``units`` of them, ReLU or SiLU.
    """

    def __init__(
        self, m: int, units: int, x: Any, y: Any, activation: str, sigma: float, dtype: Any
    ) -> None:
        hidden, outer = np.zeros((units, 3)), np.zeros((1, units + 1))
        for i in range(m):
            angle = 2 * pi * (i + 0.5) / m
            hidden[i] = cos(angle), sin(angle), -1 / 3
            outer[0, i] = 1.0
        super().__init__([hidden, outer], x, y, "relu", bias=True, sigma=sigma, dtype=dtype)
        if activation == "silu":
            self._activation = Activation(_silu, _silu_slope)
            self._start = self._losses(np.zeros((1, self.dimension), dtype=dtype))[0]

    def log_prior(self, w: Floats) -> Floats:
        """As of a prior around 0: w is the offset from s_m."""
        return super().log_prior(w + self.centre)

    def log_prior_gradient(self, w: Floats) -> Floats:
        """Its gradient."""
        return super().log_prior_gradient(w + self.centre)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Draws around 0, as offsets from s_m."""
        return super().sample_prior(count, rng) - self.centre

    def outputs(self, w: Floats) -> Floats:
        """f(x) at each point, shape ``(points, n)``."""
        return self._outputs(w, self.x.T)[:, 0]


def star(
    m: int,
    activation: str,
    rng: np.random.Generator,
    *,
    units: int = 5,
    n: int = 1000,
    noise: float = 1.0,
    sigma: float = 50.0,
    dtype: Any = np.float64,
) -> Star:
    """Data of q_m: x uniform on [−1, 1]², y = s_m(x) plus Gaussian noise."""
    x = rng.uniform(-1, 1, (n, 2))
    bare = Star(m, units, x, np.zeros((n, 1)), activation, sigma, np.float64)
    truth = bare.outputs(np.zeros((1, bare.dimension)))[0][:, None]
    y = truth + noise * rng.standard_normal((n, 1))
    return Star(m, units, x, y, activation, sigma, dtype)
