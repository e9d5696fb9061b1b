"""Settings found from the target: curvature, gradient noise, step sizes, and which sampler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.sampling.arrays import Array, Arrays
from rlct.sampling.posterior import TemperedPosterior
from rlct.sampling.target import DataTarget

__all__ = ["Landscape", "look_around", "recommended_method", "recommended_step"]

FULL_BATCH_WORK = 2e8  # numbers touched by one gradient of all chains on all data
BATCH = 256
STIFFNESS = 0.4  # of the step against the sharpest direction
NOISE = 0.1  # gradient noise against injected noise


@dataclass(frozen=True)
class Landscape:
    """What the loss looks like at w₀.

    Parameters
    ----------
    curvature : float
        Largest eigenvalue of the Hessian of L, by power iteration.
    gradient : float
        Norm of the full gradient.
    noise : float
        Variance of the gradient of one sample, averaged over the parameters; 0 without data.
    """

    curvature: float
    gradient: float
    noise: float

    def descent(self, n_beta: float) -> float:
        """Lower nβL by at least this much with one gradient step: ≪ 1 at a minimum."""
        return 0.5 * n_beta * self.gradient**2 / max(self.curvature, 1e-300)

    def noise_ratio(self, n_beta: float, lr: float, batch_size: int) -> float:
        """Variance that mini-batches add to a step, against the injected ε."""
        return 0.25 * lr * n_beta**2 * self.noise / batch_size


def look_around(posterior: TemperedPosterior, *, rounds: int = 12) -> Landscape:
    """Curvature, gradient and gradient noise at w₀, from a few gradients."""
    target, on = posterior.target, posterior.arrays
    xp = on.xp
    origin = on.zeros((1, target.dimension))
    base = target.gradient(origin)
    size = 1e-3 * min(target.scale, 1.0)  # a nearly flat prior has no scale of use here
    w = on.normal((4, target.dimension))
    curvature = 0.0
    for _ in range(rounds):
        w = w / xp.sqrt((w * w).sum(-1))[:, None]
        # A flat point has no Hessian to speak of; a difference over a finite step has.
        pushed = (target.gradient(size * w) - target.gradient(-size * w)) / (2 * size)
        length = _largest(on, pushed)
        curvature = max(curvature, length)
        if not length > 0:
            break
        w = pushed + 1e-12 * curvature * on.normal(tuple(w.shape))
    noise = 0.0
    if isinstance(target, DataTarget):
        size_of_batch = min(64, target.samples)
        many = on.zeros((32, target.dimension))
        _, slopes = target.batch(many, size_of_batch, on)
        noise = float(((slopes - base) ** 2).mean()) * size_of_batch
    return Landscape(curvature, _largest(on, base), noise)


def _largest(on: Arrays, vectors: Array) -> float:
    return float(np.sqrt(np.asarray(on.numpy((vectors**2).sum(-1)), dtype=float)).max())


def recommended_method(target: DataTarget, num_chains: int) -> str:
    """Trajectories on all data where one gradient of it is cheap, else mini-batches."""
    work = float(target.samples) * target.dimension * num_chains
    return "hmc" if work <= FULL_BATCH_WORK else "sgld"


def recommended_step(
    landscape: Landscape, n_beta: float, localization: float, batch_size: int | None
) -> float:
    """ε that the sharpest direction bears and that keeps mini-batch noise below a tenth."""
    stiff = STIFFNESS / (n_beta * landscape.curvature + localization + 1e-300)
    if batch_size is None or landscape.noise <= 0:
        return stiff
    quiet = NOISE * 4.0 * batch_size / (n_beta**2 * landscape.noise)
    return min(stiff, quiet)
