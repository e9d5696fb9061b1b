"""A step of Langevin dynamics whose noise is the mean of two, and what mini-batches add to it.

Half of the noise, D = ½√(εs)ξ, comes before slopes are taken and half after: w = x + D and
x' = w − (ε/2)·s·∇U_B(w) + D, with s = 1 or a scaling of coordinates.  Where slopes are exact, w has
the law exp(−U) without an error of first order in ε (Leimkuhler and Matthews 2013).
"""

from collections.abc import Callable
from typing import Any

from rlct.sampling.arrays import Array


class LangevinStep:
    """The step of many chains, on NumPy or torch.

    ε is a number or of shape (chains, 1), and s of (chains, d); ``row_products`` are scalar
    products of rows, as ``np.vecdot``.

    >>> import numpy as np
    >>> rng, w = np.random.default_rng(0), np.zeros((4000, 1))
    >>> step = LangevinStep(0.5, None, np.vecdot)
    >>> for _ in range(40):                               # U = w²/2, by slopes that err by ±1
    ...     noise = step.half_root * rng.normal(size=w.shape)
    ...     w += noise
    ...     slopes = w + rng.choice([-1.0, 1.0], w.shape)
    ...     excess, virial = step.gauge(w, slopes, 0 * w, noise)
    ...     seen = w.copy()
    ...     step.finish(w, slopes, noise)
    >>> round(float((seen**2).mean() / 2 - excess.mean()), 1), round(float(virial.mean()), 1)
    (0.5, 1.1)
    """

    def __init__(
        self, step_size: Array | float, scaling: Array | None, row_products: Callable[..., Array]
    ) -> None:
        self.step_size, self.scaling, self._row_products = step_size, scaling, row_products
        self.half_root = 0.5 * step_size**0.5

    def gauge(self, offset: Array, slopes: Array, pull: Array, noise: Array) -> tuple[Any, Any]:
        """What batches add to nβL, in the mean, and (w − w*)·∇U, by chain.

        Since slopes are taken at x + D, D·∇L is (ε/4)·s·ΔL in the mean, by Stein's identity; of
        exact slopes s∇L·∇U has the mean of sΔL, which noise of batches alone raises.

        ``offset`` is w − w*, ``slopes`` and ``pull`` are nβ∇L_B and what ∇U_B has beside it, and
        ``noise`` is D.  Nothing as large as these is made, but for a scaling.
        """
        along = self._row_products
        scaled = slopes if self.scaling is None else slopes * self.scaling
        pushed = along(scaled, slopes) + along(scaled, pull)
        steps = self.step_size if isinstance(self.step_size, float) else self.step_size[..., 0]
        excess = 0.125 * steps * pushed - 0.5 * along(slopes, noise)
        return excess, along(offset, slopes) + along(offset, pull)

    def finish(self, w: Array, force: Array, noise: Array) -> None:
        """Follow ∇U_B and add the other half of the noise, in place; ``force`` is used up."""
        if self.scaling is not None:
            force *= self.scaling
        force *= 0.5 * self.step_size
        w -= force
        w += noise
