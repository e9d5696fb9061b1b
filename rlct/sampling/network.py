"""Networks in NumPy with data: layers, activations and squared error, all chains in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays
from rlct.sampling.target import Floats

__all__ = ["ACTIVATIONS", "NetworkTarget"]

Function = Callable[[Floats], Floats]


def _sigmoid(z: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * z)))


#: Activations with their derivatives, both as functions of the input.
ACTIVATIONS: dict[str, tuple[Function, Function]] = {
    "linear": (lambda z: z, np.ones_like),
    "relu": (lambda z: np.maximum(z, 0), lambda z: (z > 0).astype(z.dtype)),
    "tanh": (np.tanh, lambda z: 1 - np.tanh(z) ** 2),
    "quadratic": (np.square, lambda z: 2 * z),
    "silu": (
        lambda z: z * _sigmoid(z),
        lambda z: _sigmoid(z) * (1 + z * (1 - _sigmoid(z))),
    ),
}
CHUNK = 2**22  # numbers of one activation held at once
CACHED = 2**19  # bytes of it that stay in the cache while gradients are passed back


class NetworkTarget:
    """L_n(w) − L_n(w₀) of a fully connected network, L = ½|y − f_w(x)|²: unit Gaussian noise.

    Parameters
    ----------
    layers : sequence of array, shapes (width, previous width [+ 1])
        w₀; with ``bias`` the last column of each is its bias.
    x, y : array, shapes (n, inputs) and (n, outputs)
    activation : {"linear", "relu", "tanh", "quadratic", "silu"}
        Between the layers; the last is linear.
    bias : bool
    sigma : float
        Standard deviation of the Gaussian prior around w₀.
    dtype : numpy dtype
        ``float32`` is about twice as fast and good to 10⁻⁶ of the loss.

    Examples
    --------
    >>> target = NetworkTarget([[[1.0]], [[1.0]]], [[1.0]], [[1.0]], "quadratic")
    >>> target.divergence(np.array([[1.0, 0.0]])), target.gradient(np.array([[1.0, 0.0]]))
    (array([4.5]), array([[12., 12.]]))
    """

    def __init__(
        self,
        layers: Sequence[Any],
        x: Any,
        y: Any,
        activation: str = "relu",
        *,
        bias: bool = False,
        sigma: float = 1.0,
        dtype: Any = np.float64,
    ) -> None:
        if activation not in ACTIVATIONS:
            raise InputError(f"unknown activation {activation!r}: {', '.join(ACTIVATIONS)}")
        if not 0 < sigma < np.inf:
            raise InputError(f"sigma must be a positive number, not {sigma}")
        self.x, self.y = np.array(x, dtype=dtype, ndmin=2), np.array(y, dtype=dtype, ndmin=2)
        if not len(self.x) or len(self.x) != len(self.y):
            raise InputError(
                f"{len(self.x)} inputs and {len(self.y)} outputs: give as many of both"
            )
        matrices = [np.array(a, dtype=dtype, ndmin=2) for a in layers]
        width = self.x.shape[1]
        for k, matrix in enumerate(matrices):
            if matrix.shape[1] != width + bias:
                raise InputError(
                    f"layer {k + 1} has {matrix.shape[1]} columns, not {width + bias} for its "
                    f"{width} inputs{' and a bias' * bias}"
                )
            width = matrix.shape[0]
        if not matrices or width != self.y.shape[1]:
            raise InputError(f"the last layer has {width} outputs, the data {self.y.shape[1]}")
        self.bias, self.sigma = bool(bias), float(sigma)
        self._shapes = [m.shape for m in matrices]
        self._ends = np.cumsum([m.size for m in matrices])
        self.centre = np.concatenate([m.reshape(-1) for m in matrices])
        self._act, self._slope = ACTIVATIONS[activation]
        self._start = self._losses(np.zeros((1, self.dimension), dtype=dtype))[0]

    @property
    def dimension(self) -> int:
        """Number of weights and biases."""
        return len(self.centre)

    @property
    def samples(self) -> int:
        """Number n of samples."""
        return len(self.x)

    @property
    def resolution(self) -> float:
        """Rounding errors of the loss in this precision."""
        return 1e-3 / float(np.finfo(self.x.dtype).eps)

    @property
    def scale(self) -> float:
        """Standard deviation of the prior."""
        return self.sigma

    def _matrices(self, w: Floats) -> list[Floats]:
        moved = w + self.centre
        return [
            moved[:, end - rows * columns : end].reshape(-1, rows, columns)
            for (rows, columns), end in zip(self._shapes, self._ends, strict=True)
        ]

    def _forward(self, layers: list[Floats], x: Floats) -> tuple[list[Floats], list[Floats]]:
        """Inputs of each layer and what it makes of them, ``(points, samples, width)``."""
        inputs: list[Floats] = [x]
        outputs: list[Floats] = []
        for k, layer in enumerate(layers):
            weight = layer[:, :, :-1] if self.bias else layer
            z = inputs[-1] @ weight.transpose(0, 2, 1)
            if self.bias:
                z = z + layer[:, None, :, -1]
            outputs.append(z)
            if k + 1 < len(layers):
                inputs.append(self._act(z))
        return inputs, outputs

    def _gap(self, outputs: Floats, y: Floats) -> Floats:
        """What is squared, ``(points, samples, outputs)``; its gradient is passed back as it is."""
        return np.asarray(outputs - y)

    def _slices(self, points: int) -> list[slice]:
        step = max(1, CHUNK // (points * max(max(s) for s in self._shapes)))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def _losses(self, w: Floats) -> Floats:
        layers = self._matrices(w)
        parts = []
        for part in self._slices(len(w)):
            gap = self._gap(self._forward(layers, self.x[part])[1][-1], self.y[part])
            parts.append(0.5 * np.einsum("nsp,nsp->ns", gap, gap))
        return np.concatenate(parts, axis=1)

    def pointwise(self, w: Floats) -> Floats:
        """Loss of each sample less that at w₀."""
        return np.asarray(self._losses(w) - self._start)

    def divergence(self, w: Floats) -> Floats:
        """L_n(w) − L_n(w₀)."""
        return np.asarray(self.pointwise(w).mean(axis=1, dtype=float))

    def value_and_gradient(self, w: Floats) -> tuple[Floats, Floats]:
        """L_n(w) − L_n(w₀) and its gradient on all data."""
        value: Floats = np.zeros(len(w))
        slope = np.zeros(w.shape, dtype=self.x.dtype)
        for part in self._slices(len(w)):
            share = len(self.x[part]) / self.samples
            v, g = self._both(w, self.x[part], self.y[part], self._start[part])
            value, slope = value + share * v, slope + share * g
        return value, slope

    def gradient(self, w: Floats) -> Floats:
        """Gradient of L_n."""
        return self.value_and_gradient(w)[1]

    def batch(self, w: Floats, size: int, arrays: Arrays) -> tuple[Floats, Floats]:
        """Loss and gradient on a random batch for each point."""
        x, y, start = arrays.batches(self.samples, size).draw(len(w), arrays.rng, self._rows)
        widest = max(max(s) for s in self._shapes)
        step = max(1, CACHED // (size * widest * self.x.itemsize))
        if len(w) <= step:
            return self._both(w, x, y, start)
        value, slope = np.empty(len(w)), np.empty(w.shape, dtype=self.x.dtype)
        for i in range(0, len(w), step):
            at = slice(i, i + step)
            value[at], slope[at] = self._both(w[at], x[at], y[at], start[at])
        return value, slope

    def _rows(self, rows: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        return self.x[rows], self.y[rows], self._start[rows]

    def _both(self, w: Floats, x: Floats, y: Floats, start: Floats) -> tuple[Floats, Floats]:
        layers = self._matrices(w)
        inputs, outputs = self._forward(layers, x)
        gap = self._gap(outputs[-1], y)
        count = gap.shape[1]
        value = 0.5 * np.einsum("nsp,nsp->n", gap, gap) / count - start.mean(axis=-1)
        slope = np.empty(w.shape, dtype=self.x.dtype)
        back = gap / count
        for k in range(len(layers) - 1, -1, -1):
            rows, columns = self._shapes[k]
            at = slice(int(self._ends[k]) - rows * columns, int(self._ends[k]))
            own = slope[:, at].reshape(-1, rows, columns)
            turned = back.transpose(0, 2, 1)
            if self.bias:
                own[:, :, :-1] = turned @ inputs[k]
                own[:, :, -1] = back.sum(axis=1)
            else:
                own[...] = turned @ inputs[k]
            if k:
                weight = layers[k][:, :, :-1] if self.bias else layers[k]
                back = (back @ weight) * self._slope(outputs[k - 1])
        return np.asarray(value, dtype=float), slope

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

    def arrays(self, rng: np.random.Generator) -> Arrays:
        """NumPy in the chosen precision."""
        return Arrays(rng, self.x.dtype)
