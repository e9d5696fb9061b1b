"""Activations of networks in NumPy, and how gradients pass back through them."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from rlct.sampling.targets.target import Floats


class Activation(NamedTuple):
    """A function of one variable and its derivative.

    >>> square = NAMED_ACTIVATIONS["quadratic"]
    >>> z = np.array([3.0])
    >>> square.function(z), square.derivative(z)
    (array([9.]), array([6.]))
    """

    #: Of the input and, as ``out``, of an array for the output.
    function: Callable[..., Floats]
    #: Of input and output: the derivative but for ``factor``.  None for the identity, whose output
    #: is its input.
    slope: Callable[[Floats, Floats], Floats] | None
    #: Gradients take it on where they are small, before they spread over the units.
    factor: float = 1.0

    def derivative(self, z: Floats) -> Floats:
        """Derivative at z."""
        slope = np.ones_like(z) if self.slope is None else self.slope(z, self.function(z))
        return np.asarray(self.factor * slope)


def _identity(z: Floats, out: Floats | None = None) -> Floats:
    return z


def _relu(z: Floats, out: Floats | None = None) -> Floats:
    return np.maximum(z, 0, out=out)


def _sigmoid(z: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * z)))


def _silu(z: Floats, out: Floats | None = None) -> Floats:
    return np.multiply(z, _sigmoid(z), out=out)


#: Activations by name.
NAMED_ACTIVATIONS: dict[str, Activation] = {
    "linear": Activation(_identity, slope=None),
    "relu": Activation(_relu, lambda z, a: (z > 0).astype(z.dtype)),
    "tanh": Activation(np.tanh, lambda z, a: 1 - a * a),
    "quadratic": Activation(np.square, lambda z, a: z, factor=2.0),
    "silu": Activation(_silu, lambda z, a: _sigmoid(z) * (1 + z - a)),
}
