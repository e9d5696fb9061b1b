"""Mixtures of Gaussians with data: −log-likelihood and its gradient, all chains in one call."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, logsumexp

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays
from rlct.sampling.checks import check_scale, real_array
from rlct.sampling.targets.target import Floats, NormalPriorTarget

CHUNK_NUMBERS = 2**22  # numbers of one array held at once


class GaussianMixtureTarget(NormalPriorTarget):
    """L_n(w) − L_n(w₀) of Σ_k p_k N(μ_k, s²I) on data, with a Gaussian prior around w₀.

    Parameters are offsets of the logits of p (that of the last component is 0) and then of the
    centres, component by component.  With more components than the data have clusters w₀ is a
    singular point: put components on one another.

    Parameters
    ----------
    weights : array, shape (K,)
        p at w₀: positive, of sum 1.
    centres : array, shape (K, D)
        μ_k at w₀.
    data : array, shape (n, D) or (n,)
    spread : float
        s, known.
    sigma : float
        Standard deviation of the prior of every parameter.

    Raises
    ------
    InputError
        If shapes do not fit or weights are no probabilities.

    Examples
    --------
    >>> target = GaussianMixtureTarget([0.5, 0.5], [[0.0], [0.0]], [[0.0], [1.0]])
    >>> target.dimension, target.samples
    (3, 2)
    >>> target.divergence(np.array([[0.0, 0.5, 0.5], [0.0, 0.0, 1.0]])).round(3)
    array([-0.125, -0.031])
    """

    def __init__(
        self, weights: Any, centres: Any, data: Any, *, spread: float = 1.0, sigma: float = 1.0
    ) -> None:
        p = real_array("weights", weights)
        self._centres = real_array("centres", centres)
        self.x: Floats = real_array("data", data)
        if self.x.ndim == 1:
            self.x = self.x[:, None]
        if p.ndim != 1 or not (p > 0).all() or abs(p.sum() - 1) > 1e-9:
            raise InputError("weights must be positive and sum to 1")
        if self._centres.ndim != 2 or len(self._centres) != len(p):
            raise InputError(f"centres need one row for each of the {len(p)} weights")
        if self.x.ndim != 2 or not self.x.size or self.x.shape[1] != self._centres.shape[1]:
            raise InputError(f"data need {self._centres.shape[1]} columns, and a row at least")
        if not (np.isfinite(self.x).all() and np.isfinite(self._centres).all()):
            raise InputError("data and centres must be finite")
        check_scale("spread", spread, zero=False)
        check_scale("sigma", sigma, zero=False)
        self.spread, self.sigma = float(spread), float(sigma)
        self._logits = np.log(p[:-1] / p[-1])
        self._start = self._losses(np.zeros((1, self.dimension)), self.x[None])[0]

    @property
    def dimension(self) -> int:
        """K − 1 logits and K·D coordinates."""
        return int(len(self._logits) + self._centres.size)

    @property
    def samples(self) -> int:
        """Number n of observations."""
        return len(self.x)

    @property
    def resolution(self) -> float:
        """Rounding errors of the loss."""
        return 1e12

    def _unpacked(self, w: Floats) -> tuple[Floats, Floats]:
        """Log-probabilities and centres, shapes (points, K) and (points, K, D)."""
        free = len(self._logits)
        logits = np.zeros((len(w), free + 1))
        logits[:, :-1] = self._logits + w[:, :free]
        centres = self._centres + w[:, free:].reshape(-1, *self._centres.shape)
        return log_softmax(logits, axis=1), centres

    def _terms(self, w: Floats, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Log of p_k N(x; μ_k, s²) but for a constant, x − μ_k, and p; x (1 or points, m, D)."""
        log_p, centres = self._unpacked(w)
        gap = x[:, :, None, :] - centres[:, None]
        joint = log_p[:, None] - 0.5 * (gap**2).sum(-1) / self.spread**2
        return joint, gap, np.exp(log_p)

    def _losses(self, w: Floats, x: Floats) -> Floats:
        return np.asarray(-logsumexp(self._terms(w, x)[0], axis=-1))

    def _both(self, w: Floats, x: Floats, start: Floats) -> tuple[Floats, Floats]:
        joint, gap, p = self._terms(w, x)
        total = logsumexp(joint, axis=-1)
        share = np.exp(joint - total[..., None])
        value = -(total + start).mean(axis=-1)
        logits = p[:, :-1] - share[..., :-1].mean(axis=1)
        centres = -(share[..., None] * gap).mean(axis=1) / self.spread**2
        return value, np.concatenate([logits, centres.reshape(len(w), -1)], axis=1)

    def _slices(self, points: int) -> list[slice]:
        step = max(1, CHUNK_NUMBERS // (points * self._centres.size))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def pointwise(self, w: Floats, rows: NDArray[np.intp] | None = None) -> Floats:
        """Loss of each observation less that at w₀."""
        if rows is not None:
            return np.asarray(self._losses(w, self.x[rows]) - self._start[rows])
        parts = [self._losses(w, self.x[None, part]) for part in self._slices(len(w))]
        return np.asarray(np.concatenate(parts, axis=1) - self._start)

    def part(self, rows: NDArray[np.intp]) -> GaussianMixtureTarget:
        """The loss on these observations alone, at the same w₀."""
        found = copy.copy(self)
        found.x, found._start = self.x[rows], self._start[rows]
        return found

    def divergence(self, w: Floats) -> Floats:
        """L_n(w) − L_n(w₀)."""
        return np.asarray(self.pointwise(w).mean(axis=1))

    def value_and_gradient(self, w: Floats) -> tuple[Floats, Floats]:
        """L_n(w) − L_n(w₀) and its gradient on all data."""
        value, slope = np.zeros(len(w)), np.zeros(w.shape)
        for part in self._slices(len(w)):
            share = len(self._start[part]) / self.samples
            v, g = self._both(w, self.x[None, part], self._start[part])
            value, slope = value + share * v, slope + share * g
        return value, slope

    def gradient(self, w: Floats) -> Floats:
        """Gradient of L_n."""
        return self.value_and_gradient(w)[1]

    def batch(self, w: Floats, size: int, arrays: Arrays) -> tuple[Floats, Floats]:
        """Loss and gradient on a random batch for each point."""
        prepare: Callable[[NDArray[np.intp]], tuple[Floats, Floats]]
        prepare = lambda rows: (self.x[rows], self._start[rows])  # noqa: E731
        x, start = arrays.batches(self.samples, size).draw(len(w), arrays.rng, prepare)
        return self._both(w, x, start)
