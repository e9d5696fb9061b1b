"""Passes forward and back through a fully connected network, in memory used again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from rlct.sampling.activations import Activation
from rlct.sampling.target import Floats

__all__ = ["Pass"]


class Pass:
    """Outputs and gradients at some points: views of their weights, and room for the rest.

    Making the views costs as much as small products of matrices, so that samplers make them once.

    Parameters
    ----------
    layers : sequence of array, shapes (points, width, previous width [+ 1])
        What they hold when a pass begins counts; with ``bias`` the last column is the bias.
    samples : int
    activation : Activation
        Between the layers; the last is linear.
    bias : bool
    room : callable
        From a name and a shape to an array, whose memory may be shared with other passes.

    Examples
    --------
    >>> from rlct.sampling.activations import ACTIVATIONS
    >>> from rlct.sampling.arrays import Scratch
    >>> layers = [np.array([[[2.0]]]), np.array([[[1.0]]])]
    >>> one = Pass(layers, 3, ACTIVATIONS["quadratic"], False, Scratch(float))
    >>> one.forward(np.array([[0.0, 1.0, 2.0]]))
    array([[[ 0.,  4., 16.]]])
    """

    def __init__(
        self,
        layers: Sequence[Floats],
        samples: int,
        activation: Activation,
        bias: bool,
        room: Callable[[str, tuple[int, ...]], Any],
    ) -> None:
        self._activation = activation
        self._weights = [layer[:, :, :-1] if bias else layer for layer in layers]
        self._biases = [layer[:, :, -1:] for layer in layers] if bias else []
        shapes = [(*weight.shape[:2], samples) for weight in self._weights]
        self._outputs = [room(f"z{k}", shape) for k, shape in enumerate(shapes)]
        self._inputs = self._outputs[:-1]
        if activation.slope is not None:
            self._inputs = [room(f"a{k}", shape) for k, shape in enumerate(shapes[:-1])]
        self._scaled = [
            room(f"w{k}", w.shape) if activation.factor != 1 else w
            for k, w in enumerate(self._weights)
        ]

    def forward(self, x: Floats) -> Floats:
        """Outputs, ``(points, width, samples)``, of inputs ``([points,] width, samples)``."""
        below, z = x, x
        for k, (weight, z) in enumerate(zip(self._weights, self._outputs, strict=True)):
            # Samples last: small matrices with long rows are multiplied faster.
            _times(weight, below, z)
            if self._biases:
                z += self._biases[k]
            if k < len(self._inputs):
                below = self._activation.function(z, out=self._inputs[k])
        return z

    def back(self, x: Floats, back: Floats, slopes: Sequence[Floats]) -> None:
        """Write the gradients, by layers, of what has the gradient ``back`` by the outputs.

        It follows one :meth:`forward` at the same inputs, whose room it overwrites.
        """
        for k in range(len(slopes) - 1, -1, -1):
            below, own = self._inputs[k - 1] if k else x, slopes[k]
            if self._biases:
                own[:, :, :-1], own[:, :, -1] = back @ below.swapaxes(-1, -2), back.sum(axis=2)
            else:
                np.matmul(back, below.swapaxes(-1, -2), out=own)
            if k:
                slope = self._activation.slope
                # The room of what a layer took in is not needed again once its gradient is known.
                factor = None if slope is None else slope(self._outputs[k - 1], below)
                weight = self._scaled[k]
                if weight is not self._weights[k]:
                    np.multiply(self._weights[k], self._activation.factor, out=weight)
                back = _times(weight.swapaxes(1, 2), back, below)
                if factor is not None:
                    back *= factor


def _times(a: Floats, b: Floats, out: Floats) -> Floats:
    """Matrix products; NumPy's own are seven times slower where single columns meet rows."""
    if a.shape[-1] == 1:
        a = np.concatenate([a, np.zeros_like(a)], axis=-1)
        b = np.concatenate([b, np.zeros_like(b)], axis=-2)
    return np.matmul(a, b, out=out)
