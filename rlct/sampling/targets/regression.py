"""Linear-network regression on data: empirical loss, full and mini-batch gradients."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rlct.sampling.arrays import Arrays
from rlct.sampling.checks import check_count, check_scale, check_seed
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.target import Floats

CHUNK_RESIDUALS = 2**22  # residuals held at once


class RegressionTarget(LinearNetworkTarget):
    """L_n(w) − L_n(w₀) for Y = BX + noise, at the same w₀ and prior as the population K.

    L_n = (1/2n) Σ ‖y_i − f_w(x_i)‖² is −(1/n) log-likelihood for unit noise.  Its
    difference from L_n(w₀) may be negative: w₀ is the truth, not the empirical minimum.

    Parameters
    ----------
    widths, rank, bias, sigma
        As in :class:`LinearNetworkTarget`.
    samples : int
        Number n of pairs (x_i, y_i), x_i standard Gaussian.
    noise : float
        Standard deviation of the noise in each output.
    seed : int
        Seed of the data.

    Examples
    --------
    >>> data = RegressionTarget([2, 1, 2], rank=0, samples=50, noise=0.0, seed=0)
    >>> data.divergence(np.zeros((1, 4)))
    array([0.])
    """

    def __init__(
        self,
        widths: Sequence[int],
        rank: int,
        *,
        samples: int,
        noise: float = 1.0,
        bias: bool = False,
        sigma: float = 1.0,
        seed: int = 0,
    ) -> None:
        super().__init__(widths, rank, bias=bias, sigma=sigma)
        check_count("samples", samples, 1)
        check_scale("noise", noise, zero=True)
        check_seed(seed)
        rng = np.random.default_rng(seed)
        x = rng.standard_normal((samples, self.widths[0]))
        if bias:
            x = np.column_stack([x, np.ones(samples)])
        self._take(x, x @ self.truth.T + noise * rng.standard_normal((samples, self.widths[-1])))

    def _take(self, x: Floats, y: Floats) -> None:
        self.x, self.y, self.samples = x, y, len(x)
        # The loss depends on the data through these moments only: cost free of n.
        self._second = x.T @ x / len(x)
        self._noise = y - x @ self.truth.T
        self._cross = self._noise.T @ x / len(x)

    def on(self, x: Floats, y: Floats) -> RegressionTarget:
        """The loss on other data, at the same w₀."""
        target = copy.copy(self)
        target._take(x, y)
        return target

    def part(self, rows: NDArray[np.intp]) -> RegressionTarget:
        """The loss on these samples alone, at the same w₀."""
        return self.on(self.x[rows], self.y[rows])

    @property
    def resolution(self) -> float:
        """Where rounding of moments hides what the redraw must tell apart."""
        return self._gram_resolution

    def _loss(self, residual: Floats) -> Floats:
        """L_n(w) − L_n(w₀)."""
        quadratic = np.einsum("nij,jk,nik->n", residual, self._second, residual)
        return np.asarray(0.5 * quadratic - np.einsum("nij,ij->n", residual, self._cross))

    def gradient(self, w: Floats) -> Floats:
        """Gradient of L_n on all samples."""
        return self.backpropagate(w, lambda p: self._outer_gradient(self._residual(p)))

    def batch(self, w: Floats, size: int, arrays: Arrays) -> tuple[Floats, Floats]:
        """Loss and gradient on one batch per point, from the batch's moments."""
        chosen = arrays.batches(self.samples, size).draw(len(w), arrays.rng, self._moments)
        second, cross = chosen
        value: list[Floats] = []

        def outer(product: Floats) -> Floats:
            change = self._residual(product)
            half = change @ second
            value.append(np.einsum("nij,nij->n", change, 0.5 * half - cross))
            return np.asarray(half - cross)

        slope = self.backpropagate(w, outer)
        return value[0], slope

    def _moments(self, rows: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Moments of batches given by their rows, shape ``(batches, size)``."""
        x, noise = self.x[rows], self._noise[rows]
        transposed = x.transpose(0, 2, 1) / rows.shape[1]
        return transposed @ x, (transposed @ noise).transpose(0, 2, 1)

    def pointwise(self, w: Floats, rows: NDArray[np.intp] | None = None) -> Floats:
        """½|Δx|² − noise·Δx for each sample, Δ the error of the product."""
        change = self._residual(self.product(w))
        if rows is not None:
            gap = self.x[rows] @ change.transpose(0, 2, 1)
            return np.asarray((gap * (0.5 * gap - self._noise[rows])).sum(axis=2))
        parts = []
        step = max(1, CHUNK_RESIDUALS // (len(w) * self.widths[-1]))
        for i in range(0, self.samples, step):
            error = change @ self.x[i : i + step].T
            parts.append((error * (0.5 * error - self._noise[i : i + step].T)).sum(axis=1))
        return np.concatenate(parts, axis=1)

    def _second_moment(self) -> Floats:
        return self._second

    def _outer_gradient(self, residual: Floats) -> Floats:
        return np.asarray(residual @ self._second - self._cross)
