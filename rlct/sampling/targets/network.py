"""Networks in NumPy with data: layers, activations and squared error, all chains in one call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays, Scratch, aligned_array
from rlct.sampling.batches import Batches
from rlct.sampling.checks import check_scale, real_array
from rlct.sampling.targets.activations import NAMED_ACTIVATIONS
from rlct.sampling.targets.affine import AffineLoss
from rlct.sampling.targets.effort import GRADIENT_PASSES, RESULT_PRODUCTS
from rlct.sampling.targets.passes import Layers, NetworkPass
from rlct.sampling.targets.target import Floats, NormalPriorTarget
from rlct.system.options import brief_repr

CHUNK_NUMBERS = 2**18  # numbers of one activation held at once: of which the cache bears some
KEPT_ARRAYS = 4  # arrays of the size of what a layer returns, in a gradient
CACHED_BYTES = 2**18  # bytes of it that stay in the cache while gradients are passed back


class NetworkTarget(NormalPriorTarget):
    """L_n(w) − L_n(w₀) of a fully connected network, L = ½|y − f_w(x)|²: unit Gaussian noise.

    Parameters
    ----------
    layers : sequence of array, shapes (width, previous width [+ 1])
        w₀; with ``bias`` the last column of each is its bias.
    x, y : array, shapes (n, inputs) and (n, outputs)
    activation : {"linear", "relu", "tanh", "quadratic", "silu"}
        Between the layers; the last is linear.  Where all are, a step costs the same whatever the
        number of samples: moments of data and batches are all that it takes.
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
        if not isinstance(activation, str) or activation not in NAMED_ACTIVATIONS:
            raise InputError(
                f"unknown activation {brief_repr(activation)}: {', '.join(NAMED_ACTIVATIONS)}"
            )
        check_scale("sigma", sigma, zero=False)
        if not any(dtype == kind for kind in (float, np.float32, np.float64, np.longdouble)):
            raise InputError(f"dtype must be float32 or float64, not {brief_repr(dtype)}")
        self.x, self.y = real_array("x", x, dtype, 2), real_array("y", y, dtype, 2)
        if not len(self.x) or len(self.x) != len(self.y):
            flat = np.ndim(x) == 1 or np.ndim(y) == 1
            cure = ": a vector is one sample, a column is v[:, None]" if flat else ""
            raise InputError(
                f"{len(self.x)} inputs and {len(self.y)} outputs: give as many of both{cure}"
            )
        matrices = [real_array(f"layer {k}", a, dtype, 2) for k, a in enumerate(layers, 1)]
        if not matrices or not all(a.ndim == 2 and a.size for a in (self.x, self.y, *matrices)):
            raise InputError("data and layers must be matrices, and one layer at least")
        if not all(np.isfinite(a).all() for a in (self.x, self.y, *matrices)):
            raise InputError("data and weights must be finite numbers")
        width = self.x.shape[1]
        for k, matrix in enumerate(matrices):
            if matrix.shape[1] != width + bias:
                raise InputError(
                    f"layer {k + 1} has {matrix.shape[1]} columns, not {width + bias} for its "
                    f"{width} inputs{' and a bias' * bias}"
                )
            width = matrix.shape[0]
        if width != self.y.shape[1]:
            raise InputError(f"the last layer has {width} outputs, the data {self.y.shape[1]}")
        self.bias, self.sigma = bool(bias), float(sigma)
        self._shapes = [m.shape for m in matrices]
        self._ends = np.cumsum([m.size for m in matrices])
        self.centre = np.empty(self._ends[-1], dtype)
        own = self._views(self.centre[None])
        for k, matrix in enumerate(matrices):
            own.weights[k][0] = matrix[:, : matrix.shape[1] - self.bias]
            if self.bias:
                own.biases[k][0] = matrix[:, -1:]
        self.activation, self._activation = activation, NAMED_ACTIVATIONS[activation]
        zero = np.zeros((1, self.dimension), dtype=dtype)
        self._start = self._losses(zero)[0]
        self._affine: AffineLoss | None = None
        if activation == "linear":
            start = lambda inputs: self._outputs(zero, inputs)[0]  # noqa: E731
            affine = AffineLoss(self.x, self.y, self.bias, start)
            self._affine = affine if affine.resolved else None

    @cached_property
    def doubled(self) -> NetworkTarget:
        """The same loss in double precision."""
        if self.x.dtype != np.float32:
            return self
        return self._copy(self.x, self.y)

    def part(self, rows: NDArray[np.intp]) -> NetworkTarget:
        """The loss on these samples alone, at the same w₀."""
        return self._copy(self.x[rows], self.y[rows], self.x.dtype)

    def _copy(self, x: Floats, y: Floats, dtype: Any = np.float64) -> NetworkTarget:
        weights, biases = self._views(self.centre[None])
        layers = [w[0] for w in weights]
        if self.bias:
            layers = [np.hstack([w, b[0]]) for w, b in zip(layers, biases, strict=True)]
        options = {"bias": self.bias, "sigma": self.sigma, "dtype": dtype}
        return NetworkTarget(layers, x, y, self.activation, **options)

    @property
    def dimension(self) -> int:
        """Number of weights and biases."""
        return len(self.centre)

    @property
    def samples(self) -> int:
        """Number n of samples."""
        return len(self.x)

    @property
    def sample_work(self) -> int:
        """How long the gradient on one sample takes, see `rlct.sampling.targets.effort`."""
        units = sum(int(rows) for rows, _ in self._shapes)
        return GRADIENT_PASSES * self.dimension + RESULT_PRODUCTS * KEPT_ARRAYS * units

    @property
    def resolution(self) -> float:
        """Rounding errors of the loss in this precision."""
        return 1e-3 / float(np.finfo(self.x.dtype).eps)

    def _views(self, w: Floats) -> Layers:
        layer_views = Layers([], [])
        for (rows, columns), end in zip(self._shapes, self._ends, strict=True):
            block, inputs = w[:, end - rows * columns : end], columns - self.bias
            whole = block.reshape(-1, rows, columns)
            layer_views.weights.append(whole[:, :, :inputs])
            if self.bias:
                layer_views.biases.append(whole[:, :, inputs:])
        return layer_views

    def _pass(self, layers: Layers, samples: int, room: Scratch | None = None) -> NetworkPass:
        return NetworkPass(layers, samples, self._activation, room or Scratch(self.x.dtype))

    def _outputs(self, w: Floats, x: Floats) -> Floats:
        """Outputs at each point, ``(points, width, samples)``, of inputs with samples last."""
        return self._pass(self._views(w + self.centre), x.shape[-1]).forward(x)

    def _gap(self, outputs: Floats, y: Floats) -> Floats:
        """What is squared, written over the outputs; its gradient is passed back as it is."""
        return np.subtract(outputs, y, out=outputs)

    def _slices(self, points: int) -> list[slice]:
        step = max(1, CHUNK_NUMBERS // (points * max(max(s) for s in self._shapes)))
        return [slice(i, i + step) for i in range(0, self.samples, step)]

    def _losses(self, w: Floats) -> Floats:
        layers, parts = self._views(w + self.centre), []
        for part in self._slices(len(w)):
            x, y = self.x[part].T, self.y[part].T
            gap = self._gap(self._pass(layers, x.shape[-1]).forward(x), y)
            parts.append(0.5 * np.einsum("nps,nps->ns", gap, gap))
        return np.concatenate(parts, axis=1)

    def _moments(self, samples: int) -> AffineLoss | None:
        """The loss from moments, where that is less work than from so many samples."""
        affine = self._affine
        return affine if affine is not None and 2 * affine.count <= samples else None

    def pointwise(self, w: Floats, rows: NDArray[np.intp] | None = None) -> Floats:
        """Loss of each sample less that at w₀."""
        if rows is None:
            return np.asarray(self._losses(w) - self._start)
        x, y, _ = self._pool(rows)
        gap = self._gap(self._outputs(w, x), y)
        return np.asarray(0.5 * np.einsum("nps,nps->ns", gap, gap) - self._start[rows])

    def divergence(self, w: Floats) -> Floats:
        """L_n(w) − L_n(w₀)."""
        affine = self._moments(self.samples)
        if affine is not None:
            return affine.change(self._outputs(w, affine.nodes), *affine.whole)[0].astype(float)
        return np.asarray(self.pointwise(w).mean(axis=1, dtype=float))

    def value_and_gradient(self, w: Floats) -> tuple[Floats, Floats]:
        """L_n(w) − L_n(w₀) and its gradient on all data."""
        value: Floats = np.zeros(len(w))
        slope, g = np.zeros((2, *w.shape), dtype=self.x.dtype)
        layers, slopes = self._views(w + self.centre), self._views(g)
        affine = self._moments(self.samples)
        if affine is not None:
            one = self._pass(layers, affine.count)
            return affine.both(one, affine.whole, slopes).astype(float), g
        for part in self._slices(len(w)):
            x, y = self.x[part].T, self.y[part].T
            share = len(self.x[part]) / self.samples
            start = self._start[part].mean(dtype=float)
            value += share * (self._both(self._pass(layers, x.shape[-1]), x, y, slopes) - start)
            slope += share * g
        return value, slope

    def gradient(self, w: Floats) -> Floats:
        """Gradient of L_n."""
        return self.value_and_gradient(w)[1]

    def batch(self, w: Floats, size: int, arrays: Arrays) -> tuple[Floats, Floats]:
        """Loss and gradient, which the next call overwrites, on a random batch for each point."""
        batches, affine = arrays.batches(self.samples, size), self._moments(size)
        if affine is not None:
            return self._batch_of_moments(w, affine, batches, arrays)
        widest = max(max(s) for s in self._shapes)
        step = max(1, min(batches.count, CACHED_BYTES // (size * widest * self.x.itemsize)))

        def prepare(rows: NDArray[np.intp]) -> tuple[Floats, ...]:
            return self._pool(np.resize(rows, (len(rows) + step - 1, size)))  # round and round

        def parts() -> tuple[Any, ...]:
            shifted_w, slope = (aligned_array(w.shape, self.x.dtype) for _ in range(2))
            layers, slopes = self._views(shifted_w), self._views(slope)
            part_passes = []
            for first_point in range(0, len(w), step):
                at = slice(first_point, min(first_point + step, len(w)))
                part_pass = self._pass(layers.part(at), size, arrays.scratch)
                part_passes.append((at, part_pass, slopes.part(at)))
            return shifted_w, slope, part_passes, *divmod(np.arange(len(w)), step)

        shifted_w, slope, part_passes, part, place_in_part = arrays.once(
            (self, len(w), size), parts
        )
        # Points of one part take neighbouring batches from a random one on: nothing is copied.
        (x, y, start), chosen = batches.choose(len(part_passes), arrays.rng, prepare)
        np.add(w, self.centre, out=shifted_w)
        squares = np.empty(len(w), self.x.dtype)
        for (at, part_pass, own), first_point in zip(part_passes, chosen.tolist(), strict=True):
            taken = slice(first_point, first_point + at.stop - at.start)
            flat = self._slopes(part_pass, x[taken], y[taken], own)
            np.vecdot(flat, flat, out=squares[at])
        return squares * (0.5 * size) - start[chosen[part] + place_in_part], slope

    def _batch_of_moments(
        self, w: Floats, affine: AffineLoss, batches: Batches, arrays: Arrays
    ) -> tuple[Floats, Floats]:
        def views() -> tuple[Floats, Floats, NetworkPass, Layers]:
            shifted, slope = (aligned_array(w.shape, self.x.dtype) for _ in range(2))
            network_pass = self._pass(self._views(shifted), affine.count, arrays.scratch)
            return shifted, slope, network_pass, self._views(slope)

        shifted, slope, network_pass, own = arrays.once((self, len(w), "moments"), views)
        np.add(w, self.centre, out=shifted)
        moments = batches.draw(len(w), arrays.rng, affine.moments)
        return affine.both(network_pass, moments, own), slope

    def _pool(self, rows: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        """Inputs and outputs of batches, samples last, and the loss at w₀."""
        x, y = (_samples_last(v[rows]) for v in (self.x, self.y))
        return x, y, self._start[rows].mean(axis=1, dtype=float)

    def _both(self, network_pass: NetworkPass, x: Floats, y: Floats, slopes: Layers) -> Floats:
        """Mean loss, and its gradient into ``slopes``."""
        flat = self._slopes(network_pass, x, y, slopes)
        return np.asarray(np.vecdot(flat, flat) * (0.5 * x.shape[-1]))

    def _slopes(self, network_pass: NetworkPass, x: Floats, y: Floats, slopes: Layers) -> Floats:
        """Write the gradient of the mean loss; return that by the outputs, a row for each point.

        Half the number of samples times its square is the mean loss.
        """
        gap = self._gap(network_pass.forward(x), y)
        gap *= 1.0 / gap.shape[-1]
        network_pass.back(x, gap, slopes)
        return gap.reshape(len(gap), -1)

    def arrays(self, rng: np.random.Generator) -> Arrays:
        """NumPy in the chosen precision."""
        return Arrays(rng, self.x.dtype)


def _samples_last(values: Floats) -> Floats:
    turned = values.transpose(0, 2, 1)
    return np.positive(turned, out=aligned_array(turned.shape, turned.dtype))
