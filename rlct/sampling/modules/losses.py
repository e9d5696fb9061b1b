"""Losses of torch modules by sample."""

import copy
from collections.abc import Callable
from typing import Any

from rlct.errors import InputError
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.system.options import brief_repr

TOKEN_LOSSES = ("next_token", "token")
IGNORED_LABEL = -100  # the target that torch leaves out where none is named
LOSS_TOLERANCE = 1e-3  # of the mean size of a sample's loss; rounding is far below it
LOSS_ROUNDINGS = 10  # in units of the last place, where these are larger


def usual_loss(targets: Any) -> str:
    """``"cross_entropy"`` for whole numbers, which are classes; ``"gaussian"`` for real targets.

    >>> import torch
    >>> usual_loss(torch.tensor([0, 2])), usual_loss(torch.tensor([0.5, 1.5]))
    ('cross_entropy', 'gaussian')
    """
    return "gaussian" if targets.is_floating_point() else "cross_entropy"


def _ignored(loss: str | Callable[..., Any]) -> int | None:
    """The class that a cross-entropy leaves out, or None for other losses."""
    nn = import_torch().nn
    if isinstance(loss, str):
        return IGNORED_LABEL if loss in ("cross_entropy", *TOKEN_LOSSES) else None
    return int(loss.ignore_index) if isinstance(loss, nn.CrossEntropyLoss | nn.NLLLoss) else None


def counted_samples(loss: str | Callable[..., Any], targets: Any) -> Any:
    """Which samples count: all but those of which every target is ignored.

    >>> import torch
    >>> counted_samples("cross_entropy", torch.tensor([2, -100, 0])).tolist()
    [True, False, True]
    """
    ignored = _ignored(loss)
    if ignored is None or targets.is_floating_point():
        return targets.new_ones(len(targets)).bool()
    if loss == "next_token":
        targets = targets[:, 1:]
    return (targets != ignored).reshape(len(targets), -1).any(1)


def target_factor(loss: str | Callable[..., Any], targets: Any) -> float:
    """Number of targets over the sum of their weights, by which torch divides instead.

    It is constant in the weights of the network, so that losses of single samples times this
    factor average to the value of torch on all data.
    """
    ignored = _ignored(loss)
    if ignored is None or targets.is_floating_point() or loss in TOKEN_LOSSES:
        return 1.0
    valid = targets[targets != ignored]
    weight = getattr(loss, "weight", None)
    if weight is None:
        return float(targets.numel() / max(valid.numel(), 1))
    weight = weight.to(targets.device).double()
    # Torch itself refuses a class that does not exist.
    total = float(weight[valid.clamp(0, len(weight) - 1)].sum())
    return targets.numel() / total if total else float("nan")


def check_average(loss: str | Callable[..., Any], outputs: Any, y: Any) -> None:
    """Refuse a loss whose value on all data is not the mean of what its samples are taken for.

    Outputs are those at w*, of all data or so many that memory holds them.  InputError if the loss
    sums, or weighs its samples; names mean what they say.
    """
    if isinstance(loss, str):
        return
    torch = import_torch()
    pointwise_losses = pointwise_loss(loss, y)
    # Where all losses are 0 a sum equals a mean, so other outputs are tried.  They stay
    # between 0 and 1 where the outputs are probabilities.
    shifts = torch.linspace(0.0, 1.0, outputs.numel(), device=outputs.device, dtype=outputs.dtype)
    far = ((outputs.real if outputs.is_complex() else outputs) < 0.5).to(outputs.dtype) - outputs
    bound = max(LOSS_TOLERANCE, LOSS_ROUNDINGS * torch.finfo(outputs.dtype).eps)
    for tried_outputs in (outputs, outputs + shifts.reshape(outputs.shape) * far):
        try:
            whole = torch.as_tensor(loss(tried_outputs, y)).double().mean()
            each = pointwise_losses(tried_outputs, y).double()
        except (RuntimeError, ValueError):
            continue  # a loss may take probabilities only; misfits are refused elsewhere
        # Not a number on both sides is refused elsewhere, too.
        if abs(whole - each.mean()) > bound * each.abs().mean() or (
            whole.isfinite() and not each.mean().isfinite()
        ):
            raise InputError(
                "the loss of all data is not the mean over its samples: use the mean, not the sum, "
                "and targets of the outputs' shape; weights of classes and targets to ignore only "
                "as nn.CrossEntropyLoss(weight=…, ignore_index=…)"
            )


def check_targets(loss: str | Callable[..., Any], outputs: Any, y: Any) -> None:
    """Refuse targets of another kind than the loss needs.

    InputError if truth values are no numbers yet, if a network with one output is to tell classes
    by cross-entropy, or if real values are no probabilities of the classes.
    """
    torch = import_torch()
    nn = torch.nn
    binary = isinstance(loss, nn.BCEWithLogitsLoss | nn.BCELoss)
    is_cross_entropy = loss == "cross_entropy" or isinstance(loss, nn.CrossEntropyLoss)
    if loss in TOKEN_LOSSES and (y.is_floating_point() or outputs.shape[:-1] != y.shape):
        raise InputError(
            f"{loss} needs labels (samples, tokens) as whole numbers and outputs (samples, tokens, "
            f"classes), not {tuple(y.shape)} and {tuple(outputs.shape)}"
        )
    if binary and not y.is_floating_point():
        raise InputError(
            f"{type(loss).__name__} needs targets as real numbers: y.float(), of the outputs' shape"
        )
    if (
        is_cross_entropy
        and not y.is_floating_point()
        and (outputs.ndim < 2 or outputs.shape[1] == 1)
    ):
        raise InputError(
            "cross_entropy needs one output for each class; for one output and two classes there "
            "is nn.BCEWithLogitsLoss(), with targets 0.0 and 1.0 of the outputs' shape"
        )
    if y.dtype is torch.bool and (isinstance(loss, str) or hasattr(loss, "reduction")):
        raise InputError(
            "targets are true or false: give numbers, y.long() for classes, y.float() for values"
        )
    if not is_cross_entropy or not y.is_floating_point():
        return
    fits = y.ndim > 1 and y.shape[1:] == outputs.shape[1:] and bool((y >= 0).all())
    if not fits or not bool(torch.isclose(y.sum(1), y.new_ones(()), atol=1e-3).all()):
        raise InputError(
            "cross_entropy needs classes as whole numbers, or their probabilities, not real "
            "values: for these there is loss='gaussian' or 'mse'"
        )


def token_losses(loss: str, out: Any, y: Any) -> Any:
    """Cross-entropy of each label that is compared, shape (samples, tokens); 0 where it is ignored.

    >>> import torch
    >>> out, y = torch.zeros(2, 3, 4), torch.ones(2, 3, dtype=torch.int64)
    >>> token_losses("token", out, y).shape, token_losses("next_token", out, y).shape
    (torch.Size([2, 3]), torch.Size([2, 2]))
    """
    torch = import_torch()
    if loss == "next_token":
        out, y = out[:, :-1], y[:, 1:]
    out = out.to(torch.promote_types(out.dtype, torch.float32))
    values = torch.nn.functional.cross_entropy(
        out.reshape(-1, out.shape[-1]), y.reshape(-1), reduction="none"
    )
    return values.reshape(y.shape)


def _token_loss(out: Any, y: Any) -> Any:
    """Mean cross-entropy of the tokens of each sample that are not ignored."""
    return token_losses("token", out, y).sum(-1) / (y != IGNORED_LABEL).sum(-1)


def _next_token_loss(out: Any, y: Any) -> Any:
    """The same where each output foretells the label after its own: the last foretells none."""
    return _token_loss(out, import_torch().nn.functional.pad(y[:, 1:], (0, 1), value=IGNORED_LABEL))


def _broadcast(out: Any, y: Any) -> str:
    if len(out) != len(y):
        return (
            f"{len(out)} outputs for {len(y)} samples: the first axis of the inputs and outputs "
            "is that of samples (batch_first=True)"
        )
    classes = out.ndim == y.ndim + 1 and out.shape[1] > 1 and bool((y == y.round()).all())
    return (
        f"outputs of shape {tuple(out.shape[1:])} for each sample do not match targets of shape "
        f"{tuple(y.shape[1:])}: "
        + ("classes are whole numbers, y.long()" if classes else "reshape the targets")
    )


def pointwise_loss(loss: str | Callable[..., Any], targets: Any) -> Callable[[Any, Any], Any]:
    """One loss per sample from the ways in which people name a loss.

    It is a name, a loss module of torch, or a function that averages over samples.  Of tokens,
    ``"next_token"`` compares outputs with the label after, ``"token"`` with that of their own
    place, each averaged over the labels of a sample that are not −100. Targets of all data fix, by
    their weights and those to ignore, by what torch divides.  Over all data the mean of what is
    returned, a function of (outputs, targets), is the value of the loss.  InputError if it is no
    such loss.

    >>> import torch
    >>> loss = torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
    >>> out, y = torch.tensor([[0.0, 1.0], [2.0, 0.0]]), torch.tensor([0, 1])
    >>> bool(torch.isclose(pointwise_loss(loss, y)(out, y).mean(), loss(out, y)))
    True
    """
    torch = import_torch()
    torch_functional = torch.nn.functional

    def average(values: Any) -> Any:
        return values.reshape(len(values), -1).mean(-1)

    def square(out: Any, y: Any) -> Any:
        if out.shape != y.shape:
            raise InputError(_broadcast(out, y))
        gap = out - y
        return gap * gap  # the derivative of gap**2 costs as much as a layer

    factor = target_factor(loss, targets)

    def scaled(values: Any) -> Any:
        return values if factor == 1.0 else factor * values

    unknown_loss = InputError(
        f"unknown loss {brief_repr(loss)}: cross_entropy, next_token, token, mse, gaussian, or a "
        "function of (outputs, targets)"
    )
    if not isinstance(loss, str) and not callable(loss):
        raise unknown_loss
    if loss == "cross_entropy":
        return lambda out, y: scaled(
            average(torch_functional.cross_entropy(out, y, reduction="none"))
        )
    if loss in TOKEN_LOSSES:
        return _next_token_loss if loss == "next_token" else _token_loss
    if loss == "mse":
        return lambda out, y: average(square(out, y))
    if loss == "gaussian":
        return lambda out, y: 0.5 * square(out, y).reshape(len(out), -1).sum(-1)
    if isinstance(loss, type):
        raise InputError(f"{loss.__name__} is a class: give an instance, {loss.__name__}()")
    if isinstance(loss, str):
        raise unknown_loss
    if getattr(loss, "reduction", None) == "mean":
        single: Any = copy.copy(loss)
        single.reduction = "none"

        wise = (torch.nn.MSELoss, torch.nn.L1Loss, torch.nn.SmoothL1Loss, torch.nn.HuberLoss)

        def of_batch(out: Any, y: Any) -> Any:
            if isinstance(single, wise) and out.shape != y.shape:
                raise InputError(_broadcast(out, y))
            return scaled(average(single(out, y)))

        return of_batch
    if getattr(loss, "reduction", None) == "sum":
        raise InputError("the loss sums over the batch: use its mean, so that n means samples")
    each = torch.func.vmap(lambda out, y: loss(out[None], y[None]))
    return lambda out, y: average(each(out, y))
