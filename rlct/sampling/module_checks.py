"""What can be seen of a module, its loss and its data before chains move it, in one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.losses import check_average
from rlct.sampling.torch_arrays import import_torch

if TYPE_CHECKING:
    from rlct.sampling.functional import FunctionalModule

__all__ = ["check_kept", "check_module"]

NO_RULE = "not yet support"  # in what torch says of a layer
COMPARED = 24  # samples in other company
SAME = 100  # units of the last place by which a sample's outputs in two batches may differ


def check_kept(function: FunctionalModule, x: Array, y: Array) -> None:
    """Refuse a module or a loss that changes its data, which each chain would change again."""
    copies = x[:2].clone(), y[:2].clone()
    function.at_start(*copies)
    for name, copy, held in zip(("inputs", "targets"), copies, (x, y), strict=True):
        if not bool(((copy == held[:2]) | (held[:2] != held[:2])).all()):
            raise InputError(
                f"the module or the loss changes its {name} in place, as x *= 2 does: let it "
                "make new ones, x = x * 2"
            )


def check_module(
    function: FunctionalModule,
    loss: str | Callable[..., Any],
    x: Array,
    y: Array,
    start: Array,
    out: Array,
) -> None:
    """Refuse a loss that is no mean, samples that are mixed, layers that torch.func cannot move.

    Parameters
    ----------
    function : FunctionalModule
        Whose chains run one after another from here on if a layer knows no other way.
    loss : str or callable
    x, y, start : torch.Tensor
        All inputs and targets, and the losses at w*.
    out : torch.Tensor
        The outputs at w* of the first samples, or of all.

    Raises
    ------
    InputError
        In one line.

    Examples
    --------
    >>> import torch
    >>> from rlct.sampling.functional import FunctionalModule
    >>> x, y = torch.ones(4, 2), torch.zeros(4, 1)
    >>> held = FunctionalModule(torch.nn.Linear(2, 1), "gaussian", y)
    >>> check_module(held, "gaussian", x, y, *held.at_start(x, y))
    """
    check_average(loss, out, y[: len(out)])
    _check_apart(function, x, out)
    data = [held[:2] for held in (x, y, start)]
    refused = _refused(function, data)
    # Another reason is a way chosen by the data, which each batch chooses for all its samples.
    if NO_RULE in refused and not function.one_by_one:
        function.separate("a layer that torch.func.vmap does not know is slow")
        refused = _refused(function, data)
    if refused:
        raise InputError(f"torch.func cannot move many chains of this module: {refused}")
    steps = function.centre.new_tensor([0.0, -0.1, 0.1, 0.3, 1.0])
    try:
        slopes, values = function.whole_both.function(
            steps[:, None].expand(-1, len(function.centre)), *data
        )
    except RuntimeError as problem:
        raise InputError(
            "the module cannot be called again with other weights; does it keep a tensor from "
            f"one call to the next? {shorten(str(problem), 160, placeholder=' …')}"
        ) from None
    if (values != values[0]).any() and not slopes.any():
        raise InputError(
            "the loss changes with the weights but torch sees no gradient: leave out "
            "detach(), no_grad() and what rounds or picks classes"
        )


def _refused(function: FunctionalModule, data: Sequence[Array]) -> str:
    """What torch says against two points on two samples, or nothing."""
    torch = import_torch()
    origin = function.centre.new_zeros(2, len(function.centre))
    try:
        function.whole_both.function(origin, *data)
        function.batch_both.function(origin, *(torch.stack([part, part]) for part in data))
        with torch.no_grad():  # some layers take another way here
            function.whole_values(origin, *data[:2])
    except (RuntimeError, NotImplementedError, ValueError, TypeError) as problem:
        if "mutate a captured" in str(problem):
            return "it changes a buffer of its own in place: write self.b = self.b + 1, not +="
        return shorten(str(problem), 160, placeholder=" …") or type(problem).__name__
    return ""


def _check_apart(function: FunctionalModule, x: Array, out: Array) -> None:
    """Refuse a module that mixes the samples of a batch: each has its own loss.

    Thirds of some samples are the subject in turn, before and after each of the other two.
    Where all data have finite outputs the few must, too: those of equal samples may have no
    standard deviation to divide by.
    """
    if len(x) < 2:
        return
    torch = import_torch()
    parameters = function.parameters(function.centre.new_zeros(len(function.centre)))

    def outputs(*parts: Array) -> Any:
        rows = torch.cat(parts)
        with torch.no_grad():
            return function.outputs(parameters, x[rows]).reshape(len(rows), -1)

    width = outputs(torch.arange(2, device=x.device)).shape[1]
    finite = out.reshape(-1, width).isfinite().all(dim=1)
    rows = torch.linspace(0, len(finite) - 1, min(len(finite), COMPARED)).long()
    rows = rows.to(x.device)
    size = max(len(rows) // 3, 1)
    thirds = [rows.roll(-k * size)[:size] for k in range(3)]
    found = {(i, j): outputs(thirds[i], thirds[j]) for i, j in permutations(range(3), 2)}
    for k, subject in enumerate(thirds):
        known, one, other = finite[subject], (k + 1) % 3, (k + 2) % 3
        for first, second in (
            (found[k, one][:size], found[k, other][:size]),
            (found[one, k][size:], found[other, k][size:]),
        ):
            first, second = first[known], second[known]
            rounding = SAME * torch.finfo(first.dtype).eps * first.abs()
            # Of a number that is none every comparison is false.
            if first.numel() and not bool(((first - second).abs() <= rounding.max()).all()):
                raise InputError(
                    "the output for a sample depends on the others of its batch, or on chance: "
                    "the first axis of the inputs is that of samples (batch_first=True)"
                )
