"""Which weights of a network move: by name, by pattern, by index, by head of attention."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.system.options import brief_repr

if TYPE_CHECKING:
    import torch

WeightChoice = str | Sequence[str] | Mapping[str, Any] | Callable[[str, Any], Any]


def choose_weights(chosen_weights: WeightChoice, module: torch.nn.Module) -> dict[str, Array]:
    """A mask of bools for each tensor of which some entries move.

    They are names of parameters or patterns of them, as ``"blocks.0.*"``; or a mapping from such to
    True or a mask of the shape of the parameter; or a function of name and parameter that returns
    one of these or False.  What is not named stays as it is.  InputError if a name fits no
    parameter, a mask has another shape, or nothing is left to move.

    >>> import torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
    >>> {name: int(mask.sum()) for name, mask in choose_weights("0.*", net).items()}
    {'0.weight': 6, '0.bias': 3}
    """
    torch = import_torch()
    moving_parameters = {name: p for name, p in module.named_parameters() if p.requires_grad}
    if callable(chosen_weights):
        values = {
            name: chosen_weights(name, parameter) for name, parameter in moving_parameters.items()
        }
    else:
        if isinstance(chosen_weights, str) or not isinstance(chosen_weights, Iterable):
            chosen_weights = [chosen_weights]
        asked = (
            chosen_weights
            if isinstance(chosen_weights, Mapping)
            else dict.fromkeys(chosen_weights, True)
        )
        values = {}
        for pattern, value in asked.items():
            fitting = [name for name in moving_parameters if fnmatchcase(name, str(pattern))]
            if not fitting:
                raise InputError(
                    f"weights: {brief_repr(pattern)} fits no parameter that requires a gradient; "
                    f"there are {brief_repr(', '.join(moving_parameters))}"
                )
            values |= dict.fromkeys(fitting, value)
    masks = {}
    for name, value in values.items():
        shape = moving_parameters[name].shape
        try:
            mask_values = torch.as_tensor(value).detach().cpu()
            mask_values = (
                mask_values.expand(shape) if isinstance(value, bool | np.bool_) else mask_values
            )
            fits = mask_values.shape == shape and bool(
                ((mask_values == 0) | (mask_values == 1)).all()
            )
        except (TypeError, ValueError, RuntimeError):
            fits = False
        if not fits:
            raise InputError(
                f"weights: the mask of {name} must be True, or of 0 and 1 and the shape "
                f"{tuple(shape)}, not {brief_repr(value)}"
            )
        if bool(mask_values.any()):
            masks[name] = mask_values.bool()
    if not masks:
        raise InputError("weights: no weight is left to move")
    return masks


def head_mask(parameter: Array, heads: int, chosen_heads: Sequence[int], axis: int = 0) -> Array:
    """Mask of the entries that belong to some heads, which split an axis evenly and in order.

    ``heads`` are all along the axis; three times as many where queries, keys and values are
    stacked.  The axis is 0 of what makes queries, keys and values, 1 of what joins the heads again.

    >>> import torch
    >>> head_mask(torch.zeros(4, 1), heads=2, chosen_heads=[1])[:, 0].tolist()
    [False, False, True, True]
    """
    torch = import_torch()
    size = parameter.shape[axis]
    if size % heads or not all(0 <= head < heads for head in chosen_heads):
        raise InputError(
            f"{heads} heads do not split an axis of {size} evenly, or {list(chosen_heads)} are not "
            "all of them"
        )
    flags = torch.zeros(heads, dtype=torch.bool)
    flags[list(chosen_heads)] = True
    shape = [1] * parameter.ndim
    shape[axis] = size
    spread = flags.repeat_interleave(size // heads).reshape(shape)
    return spread.expand(parameter.shape).clone()
