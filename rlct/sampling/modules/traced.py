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
    calls: list[tuple[Any, Any, Any, Any]] = []
    mode: Any = torch.overrides.TorchFunctionMode

    class Recording(mode):  # type: ignore[misc]
        """Of this thread alone, which `torch.fx` is not."""

        def __torch_function__(
            self, call: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            found = call(*args, **(kwargs or {}))
            calls.append((call, args, kwargs or {}, found))
            return found

    parameters = function.parameters(torch.zeros_like(function.centre))
    try:
        with torch.no_grad(), Recording():
            out = function.outputs(parameters, x)
    except Exception:  # of any kind: a module may refuse to be watched
        return None
    names = {id(held): name for name, held in parameters.items()}
    last, kinds, own = x, [], []
    for call, args, options, found in calls:
        if not args or args[0] is not last:
            return None
        kind = _kind(getattr(call, "__name__", ""), args, options)
        if kind == LAYER:
            own += [id(held) for held in args[1:] if held is not None]
        kinds.append(kind)
        last = found
    if out is not last or any(held not in names for held in own):
        return None
    kinds = [kind for kind in kinds if kind != SAME]
    if "" in kinds or LAYER not in kinds:
        return None
    first, *between, end = (part.strip() for part in " ".join(kinds).split(LAYER))
    activation = (between[0] if between else "") or "linear"
    even = len({*between}) < 2 and activation in ACTIVATIONS
    if not even or first not in ("", FLAT) or end not in ("", SQUEEZED):
        return None
    return [names[held] for held in own], activation


def _kind(name: str, args: Any, options: Any) -> str:
    """What a call does; nothing at all where that is not known."""
    others = args[1:]
    if name == "linear":
        return LAYER if len(others) == 2 and not options else ""
    if name in ("dropout", "_dropout"):
        return "" if others or options.get("training", True) else SAME
    if name in ("mul", "__mul__") and len(others) == 1 and others[0] is args[0]:
        return "quadratic"
    if name in ("pow", "__pow__") and [type(k) for k in others] == [int] and others[0] == 2:
        return "quadratic"
    if name == "flatten" and others in ((1,), (1, -1)):
        return FLAT
    if name == "squeeze" and others in ((-1,), (1,)):
        return SQUEEZED
    plain = not others and set(options) <= {"inplace"}
    known = {"relu": "relu", "tanh": "tanh", "silu": "silu", "square": "quadratic"}
    return known.get(name, "") if plain else ""
