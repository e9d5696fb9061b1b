"""ReLU networks with one hidden layer: K and its gradient by exact integration along lines."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from rlct.errors import InputError
from rlct.sampling.targets.target import BoxTarget, Floats

_LINES_PER_WEIGHT = 6  # through the box, for each weight of a unit: many cross every boundary
Rows: TypeAlias = Sequence[Sequence[float | Fraction]]
_CHUNK_NUMBERS = 2**16  # of outputs that are held at once: few, for the cache


class ReluTarget(BoxTarget):
    """K = E|f − f*|² near given weights, with a uniform prior.

    The inputs x are uniform on an interval, or one of finitely many, or, on a box of more inputs,
    uniform on each of many fixed lines through it.  That K is comparable with the one of a density:
    f − f* is linear on every region that the boundaries of units cut out, and boundaries of two
    units that move apart are seen where lines cross them.

    Parameters are offsets of (w_j, b_j, v_1j, …) of each unit in turn, then of the output
    biases, in a box around the truth.

    ``outer_weights`` have a row for each output, ``box`` has one for each input, or is the
    interval of the only one.

    >>> target = ReluTarget([(1, 0)], [[1]], (-1, 1))
    >>> target.divergence(np.array([[0, 0, 0], [0, 0, 1]])).round(6)
    array([0.      , 0.166667])
    >>> target = ReluTarget([(1, 0)], [[1]], data=[[-1], [0], [2]])
    >>> target.divergence(np.array([[0, 0, 1], [0, 0.5, 0]])).round(6)
    array([1.333333, 0.166667])
    """

    resolution = 1e20  # rounding leaves f − f* right to 1e−16, a millionth of it there

    def __init__(
        self,
        hidden_weights: Rows,
        outer_weights: Rows,
        box: Rows | Sequence[float] = (),
        *,
        data: Rows | None = None,
        bias: bool = True,
        output_bias: bool = False,
        radius: float = 0.25,
    ) -> None:
        self.box = np.atleast_2d(np.array(box, dtype=float))
        inputs = len(self.box) if data is None else len(data[0])
        if {len(row) for row in hidden_weights} != {inputs + bias}:
            raise InputError(f"each hidden unit needs {inputs} weights{' and a bias' * bias}")
        self.bias, self.output_bias = bool(bias), bool(output_bias)
        self.units, self.outputs = len(hidden_weights), len(outer_weights)
        v = np.array(outer_weights, dtype=float)
        rows = [[*map(float, w), *v[:, j]] for j, w in enumerate(hidden_weights)]
        self.truth = np.array([x for row in rows for x in row] + [0.0] * self.outputs * output_bias)
        super().__init__(len(self.truth), radius)
        if data is None:
            starts, directions = _lines(self.box, _LINES_PER_WEIGHT * (inputs + bias))
            ends = (self.box.T[:, None] - starts) / directions
            self._low, self._high = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
        else:  # points are lines that do not move
            starts = np.array(data, dtype=float)
            directions = np.zeros_like(starts)
            self._low, self._high = np.zeros(len(data)), np.ones(len(data))
        # The bias is the weight of an input 1.
        self._starts = np.pad(starts, ((0, 0), (0, bias)), constant_values=1.0)
        self._directions = np.pad(directions, ((0, 0), (0, bias)))
        ends = np.stack([self._low, self._high, *self._kinks(self.truth[None])[:, 0]])
        self._fixed = ends[:, None]

    def _parts(self, w: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Slopes, offsets (units, n, lines), outer weights (units, outputs, n), output biases."""
        width = self._starts.shape[1]
        size = self.units * (width + self.outputs)
        body = w[:, :size].reshape(-1, self.units, width + self.outputs).transpose(1, 0, 2)
        hidden, v = body[:, :, :width], body[:, :, width:].transpose(0, 2, 1)
        c = w[:, size:] if self.output_bias else np.zeros((len(w), self.outputs))
        return hidden @ self._directions.T, hidden @ self._starts.T, v, c.T

    def _kinks(self, w: Floats) -> Floats:
        a, b, _, _ = self._parts(w)
        with np.errstate(all="ignore"):
            kinks = np.minimum(np.fmax(-b / a, self._low), self._high)  # 0/0 becomes an end
        return np.asarray(kinks)

    def _values(self, w: Floats, x: Floats) -> Floats:
        """The outputs at the places x on the lines, of shape (k, n, lines), as (outputs, …)."""
        a, b, v, c = (np.ascontiguousarray(part) for part in self._parts(w))
        outputs = c[:, None, :, None]
        for j in range(self.units):  # few, and a sum over them in one call is slower
            outputs = outputs + v[j][:, None, :, None] * np.maximum(a[j] * x + b[j], 0)
        return np.asarray(outputs)

    def _nodes(self, w: Floats) -> Floats:
        """Ends of the segments on which f and f* are linear, (k, n, lines)."""
        kinks = self._kinks(w)
        fixed = np.broadcast_to(self._fixed, (len(self._fixed), *kinks.shape[1:]))
        return np.sort(np.concatenate([kinks, fixed]), axis=0)

    def divergence(self, w: Floats) -> Floats:
        """E|f − f*|², exactly up to rounding: (p² + pq + q²)/3 from p to q along a line."""
        numbers = self._fixed.size * 2 * self.outputs  # of outputs at one point
        rows = max(1, _CHUNK_NUMBERS // numbers)
        parts = [self._divergence(w[start : start + rows]) for start in range(0, len(w), rows)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _divergence(self, w: Floats) -> Floats:
        moved = np.asarray(w, dtype=float) + self.truth
        nodes = self._nodes(moved)
        gap = self._values(moved, nodes) - self._values(self.truth[None], nodes)
        left, right = gap[:, :-1], gap[:, 1:]
        squares = (left * (left + right) + right**2).sum(axis=0)
        whole = (squares * np.diff(nodes, axis=0)).sum(axis=0) / (3 * (self._high - self._low))
        return np.asarray(whole.mean(axis=1))

    def gradient(self, w: Floats) -> Floats:
        """Gradient; moving a kink contributes nothing, since f is continuous."""
        moved_w = np.asarray(w, dtype=float) + self.truth
        nodes = self._nodes(moved_w)
        middle, half = (nodes[:-1] + nodes[1:]) / 2, (nodes[1:] - nodes[:-1]) / 2
        # Gauss points, two a segment: exact for products of linear functions.
        x = np.concatenate([middle - half / np.sqrt(3), middle + half / np.sqrt(3)])
        share = np.concatenate([half, half]) / (self._high - self._low) / len(self._low)
        gap = 2 * share * (self._values(moved_w, x) - self._values(self.truth[None], x))
        a, b, v, _ = self._parts(moved_w)
        u = a[:, None] * x + b[:, None]
        on = (u > 0).astype(float)
        back = np.einsum("upn,pknl->uknl", v, gap) * on
        inner = (back * x).sum(axis=1) @ self._directions + back.sum(axis=1) @ self._starts
        outer = np.einsum("uknl,pknl->unp", u * on, gap)
        slopes = np.concatenate([inner, outer], axis=2).transpose(1, 0, 2).reshape(len(w), -1)
        if self.output_bias:
            slopes = np.concatenate([slopes, gap.sum(axis=(1, 3)).T], axis=1)
        return np.asarray(slopes)


def _lines(box: Floats, count: int) -> tuple[Floats, Floats]:
    """Points and directions of fixed lines through a box; of one input there is only one."""
    if len(box) == 1:
        return np.zeros((1, 1)), np.ones((1, 1))
    rng = np.random.default_rng(20_261)  # any: the same lines each time
    starts = rng.uniform(box[:, 0], box[:, 1], (count, len(box)))
    return starts, rng.standard_normal(starts.shape) * (box[:, 1] - box[:, 0])
