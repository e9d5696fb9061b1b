"""Fully connected networks among torch modules, for the passes of NumPy on the same memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array, Arrays
from rlct.sampling.modules.affine_module import squared_error_factor
from rlct.sampling.modules.functional import FunctionalModule
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.modules.traced import traced_layers
from rlct.sampling.targets.network import NetworkTarget

__all__ = ["LayeredModule"]

SAMPLES = 16  # on which both ways are compared
STEP = 0.3  # from w* to where they are
ROUNDINGS = 1e3  # in units of the last place of the largest slope


class LayeredModule:
    """L(w) − L(w*) of linear layers, one activation and squared error, by `NetworkTarget`.

    It saves what torch costs beside the products of small matrices.  Only on a processor: a
    graphics card has memory of its own.

    Parameters
    ----------
    network : NetworkTarget
    factor : float
        Of ½|y − f|² in the loss.

    Examples
    --------
    >>> import torch
    >>> from torch import nn
    >>> net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    >>> x, y = torch.randn(20, 2), torch.zeros(20, 1)
    >>> found = LayeredModule.of(FunctionalModule(net, "mse", y), "mse", x, y)
    >>> found.network.activation, found.factor
    ('tanh', 2.0)
    """

    def __init__(self, network: NetworkTarget, factor: float) -> None:
        self.network, self.factor = network, factor

    @classmethod
    def of(
        cls, function: FunctionalModule, loss: str | Callable[..., Any], x: Array, y: Array
    ) -> LayeredModule | None:
        """The loss by passes in NumPy, or None where the module is something else."""
        torch = import_torch()
        plain = function.device.type == "cpu" and function.dtype in (torch.float32, torch.float64)
        if not plain or not x.is_floating_point() or not y[0].numel():
            return None
        factor = squared_error_factor(loss, y.reshape(len(y), -1))
        read = None if factor is None else traced_layers(function, x[:2])
        if factor is None or read is None:
            return None
        names, activation = read
        if names != [*function.shapes]:
            return None  # shared or fixed parameters, or those of layers in another order
        parts = [*function.parameters(torch.zeros_like(function.centre)).values()]
        weights = [part for part in parts if part.ndim == 2]
        bias = len(parts) > len(weights)
        if bias:
            if len(parts) != 2 * len(weights):
                return None
            joined = zip(weights, parts[1::2], strict=True)
            weights = [torch.cat([w, b[:, None]], dim=1) for w, b in joined]
        matrices = [_shared(weight) for weight in weights]
        inputs, outputs = (_shared(held.reshape(len(held), -1)) for held in (x, y))
        options: Any = {"bias": bias, "biases_apart": True, "dtype": matrices[0].dtype}
        try:
            network = NetworkTarget(matrices, inputs, outputs, activation, **options)
        except InputError:  # layers act along the last of several axes; infinite inputs
            return None
        found = cls(network, factor)
        return found if found._agrees(function, x[:SAMPLES], y[:SAMPLES]) else None

    def _agrees(self, function: FunctionalModule, x: Array, y: Array) -> bool:
        """Whether torch says the same away from w*: what acts may not be what was read."""
        torch = import_torch()
        d = len(function.centre)
        w = STEP * torch.sin(torch.arange(1.0, 2 * d + 1).to(function.centre)).reshape(2, d)
        known = function.whole_both.function(w, x, y, function.at_start(x, y)[0])
        few = LayeredModule(self.network.part(np.arange(len(x))), self.factor)
        for mine, other in zip(few.value_and_gradient(w)[::-1], known, strict=True):
            gap = (mine - other).abs().max()
            if not gap <= ROUNDINGS * torch.finfo(w.dtype).eps * other.abs().max():
                return False
        return True

    def value_and_gradient(self, w: Array) -> tuple[Array, Array]:
        """L(w) − L(w*) and its gradient on all data."""
        return self._turned(*self.network.value_and_gradient(w.numpy()), w.dtype)

    def batch(self, w: Array, size: int, arrays: Arrays) -> tuple[Array, Array]:
        """The same on a random batch for each point; the next call overwrites the gradient."""
        return self._turned(*self.network.batch(w.numpy(), size, arrays), w.dtype)

    def _turned(self, value: Any, slope: Any, dtype: Any) -> tuple[Array, Array]:
        if self.factor != 1:
            value, slope = value * self.factor, np.multiply(slope, self.factor, out=slope)
        torch = import_torch()
        return torch.from_numpy(value).to(dtype), torch.from_numpy(slope)


def _shared(values: Array) -> Any:
    """A view in NumPy, which knows no lazy signs."""
    return values.detach().resolve_neg().numpy()
