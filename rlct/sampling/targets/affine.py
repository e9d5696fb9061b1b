"""Squared error of networks without activations, from moments of the samples."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rlct.sampling.targets.passes import Layers, NetworkPass
from rlct.sampling.targets.target import Floats

RESOLVED_ROUNDING = 1e-3  # relative rounding of K in the direction that the data show least
SEEN_SHARE = 1e-13  # of the largest eigenvalue, below which there is none
ROWS_TOGETHER = 2**14  # at once in double precision
WIDEST_INPUTS = 512  # inputs: to find whether so many are resolved takes a second


def moments_resolved(second: Floats, precision: float) -> bool:
    """Whether a loss from these moments is exact enough in every direction that the data show.

    Moments are squares: K = ½⟨ΔS, Δ⟩ in a direction of small variance is the difference of large
    terms, as where inputs are far from 0 beside their spread, which no sample by itself is.

    ``second`` is the second moment of (1, x) in double precision, ``precision`` ε of the numbers
    that the loss is computed in.

    >>> near, far = (np.array([[1.0, mean], [mean, mean**2 + 1.0]]) for mean in (3.0, 300.0))
    >>> single = float(np.finfo(np.float32).eps)
    >>> moments_resolved(near, single), moments_resolved(far, single)
    (True, False)
    >>> moments_resolved(far, single**2)
    True
    """
    sizes = np.sqrt(second.diagonal())
    sizes[sizes == 0] = 1.0  # of units: rounding is relative to each input's own size
    values = np.linalg.eigvalsh(second / np.outer(sizes, sizes))
    seen = values[values > SEEN_SHARE * values[-1]]
    return bool(len(seen)) and bool(precision * values[-1] <= RESOLVED_ROUNDING * seen[0])


class AffineLoss:
    """L(w) − L(w₀) of f_w(x) = b + Bx, at a cost free of the number of samples.

    Nodes pass through the network instead of samples: the unit vectors, which give B, and with
    biases before them 0.  If Δ is the change of (b, B) since w₀, the loss has changed by
    ½⟨ΔS, Δ⟩ − ⟨Δ, N⟩, where S is the second moment of (1, x) and N that of y − f_{w₀}(x) with
    (1, x).  w₀ need not be a minimum.

    ``start`` gives outputs at w₀, ``(outputs, m)``, of inputs ``(inputs, m)``.

    >>> x, y = np.array([[1.0], [3.0]]), np.array([[1.0], [4.0]])
    >>> loss = AffineLoss(x, y, True, lambda inputs: inputs)  # f(x) = x at w₀
    >>> loss.nodes
    array([[0., 1.]])
    >>> loss.change(np.array([[[0.5, 1.5]]]), *loss.whole)[0]  # f(x) = x + 1/2
    array([-0.125])
    """

    def __init__(self, x: Floats, y: Floats, bias: bool, start: Callable[[Floats], Floats]) -> None:
        self._bias = bias
        self._x = np.insert(x, 0, 1.0, axis=1) if bias else x
        unit = np.eye(x.shape[1], dtype=x.dtype)
        self.nodes: Floats = np.insert(unit, 0, 0.0, axis=1) if bias else unit
        self._start = start(self.nodes)
        self._residual = y - self._x @ self._map(self._start.copy()).T

    @property
    def count(self) -> int:
        """Number of nodes."""
        return len(self.nodes) + self._bias

    def moments(self, rows: NDArray[np.intp] | slice) -> tuple[Floats, Floats]:
        """S and N of batches given by their rows, shape ``(batches, size)``, or of one slice."""
        x, rest = self._x[rows], self._residual[rows]
        turned = x.mT / x.shape[-2]
        return turned @ x, (turned @ rest).mT

    @cached_property
    def _totals(self) -> tuple[Floats, Floats]:
        """Moments of all samples in double precision."""
        second = np.zeros((self._x.shape[1],) * 2)
        cross = np.zeros((self._residual.shape[1], self._x.shape[1]))
        for at in range(0, len(self._x), ROWS_TOGETHER):
            x = self._x[at : at + ROWS_TOGETHER].astype(float)
            second += x.T @ x
            cross += self._residual[at : at + ROWS_TOGETHER].T.astype(float) @ x
        return second / len(self._x), cross / len(self._x)

    @cached_property
    def whole(self) -> tuple[Floats, Floats]:
        """Moments of all samples."""
        second, cross = (total.astype(self._x.dtype) for total in self._totals)
        return second, cross

    @property
    def resolved(self) -> bool:
        """Whether rounding hides nothing that samples would show."""
        narrow = self._x.shape[1] <= WIDEST_INPUTS
        return narrow and moments_resolved(self._totals[0], float(np.finfo(self._x.dtype).eps))

    def _map(self, outputs: Floats) -> Floats:
        """(b, B) in the place of outputs at the nodes."""
        if self._bias:
            outputs[..., 1:] -= outputs[..., :1]
        return outputs

    def change(self, outputs: Floats, second: Floats, cross: Floats) -> tuple[Floats, Floats]:
        """L(w) − L(w₀) from outputs at the nodes, and its gradient by these, points first."""
        delta = self._map(outputs - self._start)
        slope = delta @ second
        slope -= cross
        flat = (v.reshape(len(v), -1) for v in (delta, slope - cross))
        value = np.asarray(0.5 * np.vecdot(*flat))
        if self._bias:
            slope[..., 0] -= slope[..., 1:].sum(axis=-1)
        return value, slope

    def both(self, network_pass: NetworkPass, moments: Sequence[Floats], slopes: Layers) -> Floats:
        """L(w) − L(w₀), and its gradient by the weights into ``slopes``."""
        value, back = self.change(network_pass.forward(self.nodes), *moments)
        network_pass.back(self.nodes, back, slopes)
        return value
