"""ReLU networks with one input of uniform density: K and its gradient by exact integration."""

from collections.abc import Sequence

import numpy as np

from rlct.errors import InputError
from rlct.sampling.targets.target import BoxTarget, Floats


class ReluDensityTarget(BoxTarget):
    """K = E|f − f*|² for x uniform on an interval, near given weights, with a uniform prior.

    Parameters are offsets of (w_j, b_j, v_1j, …) of each unit in turn, then of the output
    biases, in a box around the truth.

    ``outer_weights`` have a row for each output.

    >>> target = ReluDensityTarget([(1, 0)], [[1]], (-1, 1))
    >>> target.divergence(np.array([[0, 0, 0], [0, 0, 1]])).round(6)
    array([0.      , 0.166667])
    """

    def __init__(
        self,
        hidden_weights: Sequence[Sequence[float]],
        outer_weights: Sequence[Sequence[float]],
        interval: Sequence[float],
        *,
        bias: bool = True,
        output_bias: bool = False,
        radius: float = 0.25,
    ) -> None:
        if len({len(row) for row in hidden_weights} | {1 + bias}) != 1:
            raise InputError("one-dimensional inputs only")
        self.bias, self.output_bias = bool(bias), bool(output_bias)
        self.low, self.high = map(float, interval)
        self.units, self.outputs = len(hidden_weights), len(outer_weights)
        v = np.array(outer_weights, dtype=float)
        rows = [[*map(float, w), *v[:, j]] for j, w in enumerate(hidden_weights)]
        self.truth = np.array([x for row in rows for x in row] + [0.0] * self.outputs * output_bias)
        super().__init__(len(self.truth), radius)
        self._fixed = np.unique([self.low, self.high, *self._kinks(self.truth[None])[0]])

    @property
    def resolution(self) -> float:
        """Rounding leaves f − f* right to 1e−16, a millionth of it where K is 1e−20."""
        return 1e20

    def _parts(self, w: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Slopes, biases (n, units), outer weights (n, outputs, units), output biases."""
        size = 1 + self.bias + self.outputs
        body = w[:, : self.units * size].reshape(-1, self.units, size)
        b = body[:, :, 1] if self.bias else np.zeros(body.shape[:2])
        c = w[:, self.units * size :] if self.output_bias else np.zeros((len(w), self.outputs))
        return body[:, :, 0], b, body[:, :, 1 + self.bias :].transpose(0, 2, 1), c

    def _kinks(self, w: Floats) -> Floats:
        a, b, _, _ = self._parts(w)
        with np.errstate(all="ignore"):
            return np.minimum(np.fmax(-b / a, self.low), self.high)  # 0/0 becomes an end

    def _values(self, w: Floats, x: Floats) -> Floats:
        """The outputs on the inputs x of shape (k, n), as (outputs, k, n)."""
        a, b, v, c = (np.ascontiguousarray(part.T) for part in self._parts(w))
        found = c[:, None]
        for j in range(self.units):  # few, and a sum over them in one call is slower
            found = found + v[j][:, None] * np.maximum(a[j] * x + b[j], 0)
        return np.asarray(found)

    def _nodes(self, w: Floats) -> Floats:
        """Ends of the segments on which f and f* are linear."""
        fixed = np.broadcast_to(self._fixed, (len(w), len(self._fixed)))
        nodes = np.concatenate([self._kinks(w), fixed], axis=1)
        nodes.sort(axis=1)
        return nodes

    def _inputs(self, w: Floats) -> tuple[Floats, Floats]:
        """Gauss points, two a segment: exact for products of linear functions."""
        nodes = self._nodes(w)
        left, right = nodes[:, :-1], nodes[:, 1:]
        middle, half = (left + right) / 2, (right - left) / 2
        share = 2 * half / (self.high - self.low)
        x = np.concatenate([middle - half / np.sqrt(3), middle + half / np.sqrt(3)], axis=1)
        return x, np.concatenate([share, share], axis=1) / 2

    def divergence(self, w: Floats) -> Floats:
        """E|f − f*|², exactly up to rounding: (p² + pq + q²)/3 from p to q along a line."""
        moved = np.asarray(w, dtype=float) + self.truth
        nodes = np.ascontiguousarray(self._nodes(moved).T)
        gap = self._values(moved, nodes) - self._values(self.truth[None], nodes)
        left, right = gap[:, :-1], gap[:, 1:]
        squares = (left * (left + right) + right**2).sum(axis=0)
        return np.asarray(
            (squares * np.diff(nodes, axis=0)).sum(axis=0) / (3 * (self.high - self.low))
        )

    def gradient(self, w: Floats) -> Floats:
        """Gradient; moving a kink contributes nothing, since f is continuous."""
        moved_w = np.asarray(w, dtype=float) + self.truth
        x, share = self._inputs(moved_w)
        output_gap = self._values(moved_w, x.T) - self._values(self.truth[None], x.T)
        output_gap = 2 * output_gap.transpose(2, 0, 1) * share[:, None, :]
        a, b, v, _ = self._parts(moved_w)
        u = a[:, :, None] * x[:, None, :] + b[:, :, None]
        on = (u > 0).astype(float)
        back = np.einsum("npu,npk->nuk", v, output_gap) * on
        columns = [np.einsum("nuk,nk->nu", back, x)[:, :, None]]
        if self.bias:
            columns.append(back.sum(axis=2)[:, :, None])
        columns.append(np.einsum("nuk,npk->nup", u * on, output_gap))
        slopes = np.concatenate(columns, axis=2).reshape(len(moved_w), -1)
        if self.output_bias:
            slopes = np.concatenate([slopes, output_gap.sum(axis=2)], axis=1)
        return np.asarray(slopes)
