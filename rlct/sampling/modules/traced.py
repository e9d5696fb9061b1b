"""Linear layers and activations read from what a torch module does."""

from __future__ import annotations

from typing import Any

from rlct.sampling.modules.functional import FunctionalModule
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.targets.activations import ACTIVATIONS

__all__ = ["traced_layers"]

LAYER, FLAT, SQUEEZED, SAME = "layer", "flat", "squeezed", "same"


def traced_layers(function: FunctionalModule, x: Any) -> tuple[list[str], str] | None:
    """Parameters of linear layers in turn, and the one activation between them.

    Every call of torch in one run of the module is seen, those of hooks, too.  Inputs may be
    flattened first, and an output squeezed at the end.

    Parameters
    ----------
    function : FunctionalModule
    x : torch.Tensor
        Some inputs.

    Returns
    -------
    tuple of list of str and str, optional
        Names of weights and biases, and of `rlct.sampling.targets.activations.ACTIVATIONS`; None
        where more happens.

    Examples
    --------
    >>> import torch
    >>> from torch import nn
    >>> class Net(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.one, self.two = nn.Linear(2, 3), nn.Linear(3, 1)
    ...
    ...     def forward(self, x):
    ...         return self.two(self.one(x).relu())
    >>> traced_layers(FunctionalModule(Net(), "mse", torch.zeros(5, 1)), torch.zeros(5, 2))
    (['one.weight', 'one.bias', 'two.weight', 'two.bias'], 'relu')
    """
    torch = import_torch()
    traced_calls: list[tuple[Any, Any, Any, Any]] = []
    mode: Any = torch.overrides.TorchFunctionMode

    class Recording(mode):  # type: ignore[misc]
        """Of this thread alone, which `torch.fx` is not."""

        def __torch_function__(
            self, call: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            call_output = call(*args, **(kwargs or {}))
            traced_calls.append((call, args, kwargs or {}, call_output))
            return call_output

    parameters = function.parameters(torch.zeros_like(function.centre))
    try:
        with torch.no_grad(), Recording():
            module_output = function.outputs(parameters, x)
    except Exception:  # of any kind: a module may refuse to be watched
        return None
    names = {id(tensor): name for name, tensor in parameters.items()}
    last_output, call_kinds, weight_ids = x, [], []
    for call, args, options, call_output in traced_calls:
        if not args or args[0] is not last_output:
            return None
        kind = _kind(getattr(call, "__name__", ""), args, options)
        if kind == LAYER:
            weight_ids += [id(tensor) for tensor in args[1:] if tensor is not None]
        call_kinds.append(kind)
        last_output = call_output
    if module_output is not last_output or any(key not in names for key in weight_ids):
        return None
    call_kinds = [kind for kind in call_kinds if kind != SAME]
    if "" in call_kinds or LAYER not in call_kinds:
        return None
    first, *between, end = (part.strip() for part in " ".join(call_kinds).split(LAYER))
    activation = (between[0] if between else "") or "linear"
    even = len({*between}) < 2 and activation in ACTIVATIONS
    if not even or first not in ("", FLAT) or end not in ("", SQUEEZED):
        return None
    return [names[key] for key in weight_ids], activation


def _kind(name: str, args: Any, options: Any) -> str:
    """What a call does; nothing at all where that is not known."""
    other_args = args[1:]
    if name == "linear":
        return LAYER if len(other_args) == 2 and not options else ""
    if name in ("dropout", "_dropout"):
        return "" if other_args or options.get("training", True) else SAME
    if name in ("mul", "__mul__") and len(other_args) == 1 and other_args[0] is args[0]:
        return "quadratic"
    if name in ("pow", "__pow__") and [type(k) for k in other_args] == [int] and other_args[0] == 2:
        return "quadratic"
    if name == "flatten" and other_args in ((1,), (1, -1)):
        return FLAT
    if name == "squeeze" and other_args in ((-1,), (1,)):
        return SQUEEZED
    plain = not other_args and set(options) <= {"inplace"}
    known = {"relu": "relu", "tanh": "tanh", "silu": "silu", "square": "quadratic"}
    return known.get(name, "") if plain else ""
