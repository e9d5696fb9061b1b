"""Squared error of torch modules without activations, from moments of the samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.sampling.arrays import Array
from rlct.sampling.modules.functional import FunctionalModule
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.targets.affine import WIDEST_INPUTS, moments_resolved

if TYPE_CHECKING:
    import torch

__all__ = ["AffineModule"]

CHUNK = 2**22  # numbers of the data that are copied at once
SAMPLES, ROUNDINGS = 100, 100  # on which the module is seen to be affine, and how well


class AffineModule:
    """L(w) − L(w*) of f_w(x) = b + Bx, at a cost free of the number of samples.

    As `rlct.sampling.targets.affine.AffineLoss`, by the module itself: it sees 0 and the unit
    vectors instead of the samples.

    Parameters
    ----------
    function : FunctionalModule
    x, y : torch.Tensor, shapes (n, inputs) and (n, outputs)
    factor : float
        Of ½|y − f|² in the loss.

    Examples
    --------
    >>> import torch
    >>> net = torch.nn.Linear(1, 1)
    >>> x = torch.tensor([[1.0], [3.0]])
    >>> with torch.no_grad():
    ...     y = net(x)
    >>> moments = AffineModule(FunctionalModule(net, "gaussian", y), x, y, 1.0)
    >>> slope, value = moments.whole_both(torch.tensor([[0.0, 0.5]]))  # f + 1/2
    >>> value.round(decimals=4)
    tensor([0.1250])
    """

    def __init__(self, function: FunctionalModule, x: Array, y: Array, factor: float) -> None:
        torch = import_torch()
        self._function, self._x, self._y, self._factor = function, x, y, factor
        origin = torch.zeros_like(function.centre)
        unit = torch.eye(x.shape[1], dtype=function.dtype, device=function.device)
        self._nodes = torch.cat([unit.new_zeros(1, len(unit)), unit])
        with torch.no_grad():
            self._start = function.outputs(function.parameters(origin), self._nodes)
        self._both = function.for_points(torch.func.grad(self._change, has_aux=True), shared=2)

    @classmethod
    def of(
        cls, function: FunctionalModule, loss: str | Callable[..., Any], x: Array, y: Array
    ) -> AffineModule | None:
        """The loss from moments, or None where it is no squared error of an affine function."""
        factor = _squared_error_factor(loss, y)
        plain = x.is_floating_point() and x.ndim == y.ndim == 2 and y.shape[1] > 0
        if (
            factor is None
            or not plain
            or x.shape[1] > WIDEST_INPUTS
            or not _affine(function.module)
        ):
            return None
        found = cls(function, x, y, factor)
        second = found._totals[0].cpu().numpy().astype(float)
        enough = moments_resolved(second, import_torch().finfo(function.dtype).eps)
        return found if enough and found._agrees() else None

    def _agrees(self) -> bool:
        """Whether outputs are where the nodes say, away from w*: hooks on all modules may act."""
        torch, function = import_torch(), self._function
        x = self._x[:SAMPLES]
        with torch.no_grad():
            w = function.parameters(torch.linspace(-1, 1, len(function.centre)).to(self._nodes))
            out, affine_map = function.outputs(w, x), self._map(function.outputs(w, self._nodes))
        size = 1 + x.abs().sum(1).max() * affine_map[1:].abs().max() + affine_map[0].abs().max()
        gap = (out - affine_map[0] - x @ affine_map[1:]).abs().max()
        return bool(gap <= ROUNDINGS * torch.finfo(x.dtype).eps * size)

    @property
    def count(self) -> int:
        """Number of nodes."""
        return len(self._nodes)

    @cached_property
    def _totals(self) -> tuple[Array, Array]:
        """Moments of all samples in double precision, where the device has it."""
        torch = import_torch()
        kind = torch.float32 if self._x.device.type == "mps" else torch.float64
        step = max(1, CHUNK // self.count)
        second = cross = 0.0
        for at in range(0, len(self._x), step):
            rows = slice(at, at + step)
            share = len(self._x[rows]) / len(self._x)
            parts = self.moments(self._x[rows].to(kind), self._y[rows])
            second, cross = second + share * parts[0], cross + share * parts[1]
        return second, cross

    @cached_property
    def whole(self) -> tuple[Array, Array]:
        """Moments of all samples."""
        second, cross = (total.to(self._x.dtype) for total in self._totals)
        return second, cross

    def moments(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Second moment of (1, x), and that of (1, x) with y − f at w*."""
        torch = import_torch()
        x = torch.cat([torch.ones_like(x[..., :1]), x], dim=-1)
        turned = x.mT * (self._factor / x.shape[-2])
        return turned @ x, turned @ (y - x @ self._map(self._start).to(x.dtype))

    def whole_both(self, w: Array) -> tuple[Array, Array]:
        """Slopes and values on all data."""
        found: tuple[Array, Array] = self._both(w, *self.whole)
        return found

    @staticmethod
    def _map(outputs: Array) -> Array:
        """Rows b and B, from outputs at the nodes."""
        return import_torch().cat([outputs[:1], outputs[1:] - outputs[:1]])

    def _change(
        self, parameters: Mapping[str, Array], second: Array, cross: Array
    ) -> tuple[Array, Array]:
        """A function with the gradient of the loss, and the loss."""
        delta = self._map(self._function.outputs(parameters, self._nodes) - self._start)
        slope = (second @ delta - cross).detach()
        return (delta * slope).sum(), (delta.detach() * (slope - cross)).sum() / 2


def _squared_error_factor(loss: str | Callable[..., Any], y: Array) -> float | None:
    """Of ½|y − f|² in the loss, or None for other losses."""
    if loss == "gaussian":
        return 1.0
    mean = type(loss) is import_torch().nn.MSELoss and getattr(loss, "reduction", "") == "mean"
    return 2.0 / y.shape[-1] if mean or loss == "mse" else None


def _affine(module: torch.nn.Module) -> bool:
    """Whether nothing but linear layers acts, one after another; not if somebody changed them."""
    nn = import_torch().nn
    if module._forward_hooks or module._forward_pre_hooks or "forward" in vars(module):
        return False
    if type(module) is nn.Sequential:
        return all(map(_affine, module.children()))
    return type(module) in (nn.Linear, nn.Identity)
