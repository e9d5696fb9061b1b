"""Passes forward and back through a fully connected network, in memory used again and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from rlct.sampling.targets.activations import Activation
from rlct.sampling.targets.target import Floats


class Layers(NamedTuple):
    """Views of the parameters of many networks, layer by layer; making them takes a while."""

    #: Shapes (points, width, previous width).
    weights: list[Floats]
    #: Shapes (points, width, 1): none at all without biases.
    biases: list[Floats]

    def part(self, at: slice) -> Layers:
        """Of some of the points."""
        return Layers([held[at] for held in self.weights], [held[at] for held in self.biases])


class NetworkPass:
    """Outputs and gradients at some points, in room that samplers make once.

    What the layers hold when a pass begins counts; activations are between them, and the last is
    linear.  ``scratch_array`` takes a name and a shape to an array, whose memory may be shared with
    other passes.

    >>> from rlct.sampling.targets.activations import NAMED_ACTIVATIONS
    >>> from rlct.sampling.arrays import Scratch
    >>> layers = Layers([np.array([[[2.0]]]), np.array([[[1.0]]])], [])
    >>> one = NetworkPass(layers, 3, NAMED_ACTIVATIONS["quadratic"], Scratch(float))
    >>> one.forward(np.array([[0.0, 1.0, 2.0]]))
    array([[[ 0.,  4., 16.]]])
    """

    def __init__(
        self,
        layers: Layers,
        samples: int,
        activation: Activation,
        scratch_array: Callable[[str, tuple[int, ...]], Any],
    ) -> None:
        self._activation = activation
        self._weights, self._biases = layers
        shapes = [(*weight.shape[:2], samples) for weight in self._weights]
        self._outputs = [scratch_array(f"z{k}", shape) for k, shape in enumerate(shapes)]
        self._inputs = self._outputs[:-1]
        if activation.slope is not None:
            self._inputs = [scratch_array(f"a{k}", shape) for k, shape in enumerate(shapes[:-1])]
        self._scaled = [
            scratch_array(f"w{k}", w.shape) if activation.factor != 1 else w
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

    def back(self, x: Floats, back: Floats, slopes: Layers) -> None:
        """Write the gradients of what has the gradient ``back`` by the outputs.

        It follows one :meth:`forward` at the same inputs, whose room it overwrites, but for the
        outputs.
        """
        for k in range(len(slopes.weights) - 1, -1, -1):
            layer_inputs = self._inputs[k - 1] if k else x
            np.matmul(back, layer_inputs.swapaxes(-1, -2), out=slopes.weights[k])
            if slopes.biases:
                np.sum(back, axis=2, keepdims=True, out=slopes.biases[k])
            if k:
                slope = self._activation.slope
                # The room of what a layer took in is not needed again once its gradient is known.
                factor = None if slope is None else slope(self._outputs[k - 1], layer_inputs)
                weight = self._scaled[k]
                if weight is not self._weights[k]:
                    np.multiply(self._weights[k], self._activation.factor, out=weight)
                back = _times(weight.swapaxes(1, 2), back, layer_inputs)
                if factor is not None:
                    back *= factor


def _times(a: Floats, b: Floats, out: Floats) -> Floats:
    """Matrix products; NumPy's own are seven times slower where single columns meet rows."""
    if a.shape[-1] == 1:
        a = np.concatenate([a, np.zeros_like(a)], axis=-1)
        b = np.concatenate([b, np.zeros_like(b)], axis=-2)
    return np.matmul(a, b, out=out)
