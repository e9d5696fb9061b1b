"""Losses of torch modules by sample."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from rlct.errors import InputError
from rlct.sampling.torch_arrays import import_torch

__all__ = ["check_average", "check_targets", "pointwise_loss", "usual_loss"]

TOLERANCE = 0.05  # two samples that are summed differ from their mean by half


def usual_loss(targets: Any) -> str:
    """``"cross_entropy"`` for whole numbers, which are classes; ``"gaussian"`` for real targets.

    Examples
    --------
    >>> import torch
    >>> usual_loss(torch.tensor([0, 2])), usual_loss(torch.tensor([0.5, 1.5]))
    ('cross_entropy', 'gaussian')
    """
    return "gaussian" if targets.is_floating_point() else "cross_entropy"


def check_average(
    loss: str | Callable[..., Any], pointwise: Callable[[Any, Any], Any], out: Any, y: Any
) -> None:
    """Refuse a function whose value on a batch is not the mean over its samples.

    Parameters
    ----------
    loss : str or callable
        What was given; names and loss modules mean what they say.
    pointwise : callable
        One loss per sample, from `pointwise_loss`.
    out, y : torch.Tensor
        Outputs and targets of a few samples.
    """
    if isinstance(loss, str) or hasattr(loss, "reduction"):
        return
    torch = import_torch()
    # Where all losses are 0 a sum cannot be told from a mean: other outputs tell.
    shifts = torch.linspace(0.0, 1.0, out.numel(), device=out.device, dtype=out.dtype)
    for shown in (out, out + shifts.reshape(out.shape)):
        try:
            whole = torch.as_tensor(loss(shown, y)).double().mean()
            mean = pointwise(shown, y).double().mean()
        except (RuntimeError, ValueError):
            continue  # a loss may take probabilities only; misfits are told elsewhere
        if abs(whole - mean) > TOLERANCE * max(abs(whole), abs(mean)):
            raise InputError(
                "the loss of a batch is not the mean over its samples: use the mean, not the sum, "
                "and targets of the outputs' shape"
            )


def check_targets(loss: str | Callable[..., Any], out: Any, y: Any) -> None:
    """Refuse real-valued targets of a cross-entropy that are no probabilities of the classes.

    Parameters
    ----------
    loss : str or callable
        What was given.
    out : torch.Tensor
        Outputs of a few samples.
    y : torch.Tensor
        All targets.
    """
    torch = import_torch()
    named = loss == "cross_entropy" or isinstance(loss, torch.nn.CrossEntropyLoss)
    if not named or not y.is_floating_point():
        return
    fits = y.ndim > 1 and y.shape[1:] == out.shape[1:] and bool((y >= 0).all())
    if not fits or not bool(torch.isclose(y.sum(1), y.new_ones(()), atol=1e-3).all()):
        raise InputError(
            "cross_entropy needs classes as whole numbers, or their probabilities, not real "
            "values: for these there is loss='gaussian' or 'mse'"
        )


def _broadcast(out: Any, y: Any) -> str:
    return (
        f"outputs of shape {tuple(out.shape)} do not match targets of shape {tuple(y.shape)}: "
        "reshape the targets"
    )


def pointwise_loss(loss: str | Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """One loss per sample from the ways in which people name a loss."""
    torch = import_torch()
    functional = torch.nn.functional

    def average(values: Any) -> Any:
        return values.reshape(len(values), -1).mean(-1)

    def square(out: Any, y: Any) -> Any:
        if out.shape != y.shape:
            raise InputError(_broadcast(out, y))
        gap = out - y
        return gap * gap  # the derivative of gap**2 costs as much as a layer

    if loss == "cross_entropy":
        return lambda out, y: average(functional.cross_entropy(out, y, reduction="none"))
    if loss == "mse":
        return lambda out, y: average(square(out, y))
    if loss == "gaussian":
        return lambda out, y: 0.5 * square(out, y).reshape(len(out), -1).sum(-1)
    if isinstance(loss, type):
        raise InputError(f"{loss.__name__} is a class: give an instance, {loss.__name__}()")
    if isinstance(loss, str) or not callable(loss):
        raise InputError(
            f"unknown loss {loss!r}: cross_entropy, mse, gaussian, or a function of "
            "(outputs, targets)"
        )
    if getattr(loss, "reduction", None) == "mean":
        single: Any = copy.copy(loss)
        single.reduction = "none"

        wise = (torch.nn.MSELoss, torch.nn.L1Loss, torch.nn.SmoothL1Loss, torch.nn.HuberLoss)

        def of_batch(out: Any, y: Any) -> Any:
            if isinstance(single, wise) and out.shape != y.shape:
                raise InputError(_broadcast(out, y))
            return average(single(out, y))

        return of_batch
    if getattr(loss, "reduction", None) == "sum":
        raise InputError("the loss sums over the batch: use its mean, so that n means samples")
    each = torch.func.vmap(lambda out, y: loss(out[None], y[None]))
    return lambda out, y: average(each(out, y))
