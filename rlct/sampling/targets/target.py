"""What a sampler needs to know about a loss: its value, gradient, prior and support."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.arrays import Array, Arrays

Floats: TypeAlias = NDArray[np.floating[Any]]
EXACT_RESOLUTION = 1e200  # resolution where no rounding matters


@runtime_checkable
class Target(Protocol):
    """A divergence K ≥ 0 with a prior, both evaluated on many points at once.

    The point under study is the origin; K vanishes there.  Arrays of points have shape
    ``(n, d)``, values ``(n,)``.
    """

    @property
    def dimension(self) -> int:
        """Number of parameters d."""
        ...

    @property
    def resolution(self) -> float:
        """Largest nβ at which rounding errors of K still do not matter (nβ·error ≪ 1)."""
        ...

    @property
    def scale(self) -> float:
        """Typical size of a prior draw in one coordinate."""
        ...

    def divergence(self, w: Floats) -> Floats:
        """K at each point."""
        ...

    def gradient(self, w: Floats) -> Floats:
        """Gradient of K at each point, shape ``(n, d)``."""
        ...

    def log_prior(self, w: Floats) -> Floats:
        """Log of the prior up to a constant; −inf outside its support."""
        ...

    def log_prior_gradient(self, w: Floats) -> Floats:
        """Gradient of the log prior inside the support, shape ``(n, d)``."""
        ...

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Independent draws from the prior, shape ``(count, d)``."""
        ...

    def reflect(self, w: Floats) -> Floats:
        """Fold points that left the support back into it (identity if unbounded)."""
        ...


@runtime_checkable
class ConditionalTarget(Protocol):
    """A target whose tempered posterior has blocks that can be drawn exactly."""

    def redraw(self, w: Floats, n_beta: float, rng: np.random.Generator) -> Floats:
        """One Gibbs sweep that leaves exp(−nβ K)·prior invariant, shape ``(n, d)``."""
        ...


@runtime_checkable
class ExpectedTarget(ConditionalTarget, Protocol):
    """One whose conditional draws also know the mean of nβK that they scatter around."""

    def sweep(self, w: Floats, n_beta: float, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """One Gibbs sweep, and for each point a value whose expectation is that of nβK."""
        ...


@runtime_checkable
class DataTarget(Target, Protocol):
    """An average loss over data, L_n(w) − L_n(w₀), which may be negative.

    Points may be torch tensors; the target then has a method ``arrays`` that says where they
    live, see `rlct.sampling.arrays`.  One that may be in single precision has an attribute
    ``doubled``, the same in double precision.
    """

    @property
    def samples(self) -> int:
        """Number n of samples."""
        ...

    def batch(self, w: Array, size: int, arrays: Arrays) -> tuple[Array, Array]:
        """L_B(w) − L_B(w₀) and its gradient on a random batch B of its own for each point.

        Both use the same batch, so that the noise of L_B(w₀) cancels.
        """
        ...

    def pointwise(self, w: Array, rows: NDArray[np.intp] | None = None) -> Array:
        """ℓ_i(w) − ℓ_i(w₀) for each sample i, shape ``(points, n)``; their mean is K.

        With ``rows``, shape ``(points, size)``, for these samples alone, others for each point.
        """
        ...

    def part(self, rows: NDArray[np.intp]) -> DataTarget:
        """The loss on these samples alone, at the same w₀."""
        ...


class BoxTarget:
    """The prior of a target that is uniform on a box around the origin.

    Its radius is half the side of the box.
    """

    def __init__(self, dimension: int, radius: float) -> None:
        self.dimension, self.radius = dimension, float(radius)

    @property
    def scale(self) -> float:
        """Half the side of the box."""
        return self.radius

    def log_prior(self, w: Floats) -> Floats:
        """0 in the box, −inf outside."""
        inside = (np.abs(w) <= self.radius).all(axis=1)
        return np.where(inside, 0.0, -np.inf)

    def log_prior_gradient(self, w: Floats) -> Floats:
        """0."""
        return np.zeros_like(w, dtype=float)

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Uniform draws."""
        return np.asarray(rng.uniform(-self.radius, self.radius, (count, self.dimension)))

    def reflect(self, w: Floats) -> Floats:
        """Fold points back into the box."""
        r = self.radius
        return np.asarray(np.abs((w - r) % (4 * r) - 2 * r) - r)


class NormalPriorTarget:
    """The prior of a target that is normal around w₀, of deviation ``sigma`` in each coordinate."""

    sigma: float

    @property
    def dimension(self) -> int:
        """Number of parameters."""
        raise NotImplementedError

    @property
    def scale(self) -> float:
        """Standard deviation of the prior."""
        return self.sigma

    def log_prior(self, w: Floats) -> Floats:
        """−|w|²/2σ²."""
        return np.asarray(-0.5 * np.einsum("nd,nd->n", w, w) / self.sigma**2)

    def log_prior_gradient(self, w: Floats) -> Floats:
        """−w/σ²."""
        return -w / self.sigma**2

    def sample_prior(self, count: int, rng: np.random.Generator) -> Floats:
        """Gaussian draws."""
        return self.sigma * rng.standard_normal((count, self.dimension))

    def reflect(self, w: Floats) -> Floats:
        """Nothing to fold: the support is everything."""
        return w


def starting_n_beta(divergence: Floats) -> float:
    """Where cooling a population begins to matter, nβK = 1 at its median; huge where K is 0."""
    return 1.0 / max(float(np.median(divergence)), 1e-300)


def typical_divergence(divergence: Floats) -> float:
    """Median of K over draws from the prior, which a ladder of nβ is measured from.

    InputError if it is 0 or underflows.

    >>> typical_divergence(np.array([0.5, 2.0, 1.0]))
    1.0
    """
    median = float(np.median(divergence))
    if not median >= np.finfo(float).tiny:
        raise InputError(
            "K is 0, or too small for floats, on more than half of the prior: "
            "if its powers are high, multiply the variables by a constant"
        )
    return median
