"""Linear layers and activations read from what a torch module does."""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import Any

from rlct.sampling.activations import ACTIVATIONS
from rlct.sampling.torch_arrays import import_torch

__all__ = ["traced_layers"]

LAYER, FLAT, SQUEEZED, SAME = "layer", "flat", "squeezed", "same"


def traced_layers(module: Any) -> tuple[list[Any], str] | None:
    """Linear layers in turn, and the one activation between them.

    Inputs may be flattened first, and an output squeezed at the end.

    Parameters
    ----------
    module : torch.nn.Module
        In evaluation mode.

    Returns
    -------
    tuple of list of torch.nn.Linear and str, optional
        With a name of `rlct.sampling.activations.ACTIVATIONS`; None where more happens, or where
        somebody changed what a layer does.

    Examples
    --------
    >>> from torch import nn
    >>> class Net(nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.one, self.two = nn.Linear(2, 3), nn.Linear(3, 1)
    ...
    ...     def forward(self, x):
    ...         return self.two(self.one(x).relu())
    >>> layers, activation = traced_layers(Net())
    >>> layers[0], activation
    (Linear(in_features=2, out_features=3, bias=True), 'relu')
    >>> traced_layers(nn.Sequential(nn.Linear(2, 3), nn.LayerNorm(3)))
    """
    torch = import_torch()
    if any(map(_changed, module.modules())):
        return None
    root = torch.nn.Sequential(module)  # whose parts are not looked into if torch has them
    try:
        nodes = [*torch.fx.Tracer().trace(root).nodes]
    except Exception:  # of any kind: its way may depend on the data
        return None
    if nodes[0].op != "placeholder" or nodes[-1].op != "output":
        return None
    for before, node in pairwise(nodes):
        if [*before.users] != [node] or not node.args or node.args[0] is not before:
            return None
    steps = [(node, _kind(node, root)) for node in nodes[1:-1]]
    kinds = [kind for _, kind in steps if kind != SAME]
    if "" in kinds or LAYER not in kinds:
        return None
    first, *between, last = (part.strip() for part in " ".join(kinds).split(LAYER))
    activation = (between[0] if between else "") or "linear"
    same = len({*between}) < 2 and activation in ACTIVATIONS
    if not same or first not in ("", FLAT) or last not in ("", SQUEEZED):
        return None
    return [root.get_submodule(node.target) for node, kind in steps if kind == LAYER], activation


def _changed(module: Any) -> bool:
    return bool(module._forward_hooks or module._forward_pre_hooks or "forward" in vars(module))


def _kind(node: Any, root: Any) -> str:
    """What a recorded step does; nothing at all for a step that is not known."""
    torch = import_torch()
    nn, own = torch.nn, torch.nn.functional
    others, options = node.args[1:], node.kwargs
    if node.op == "call_module":
        part = root.get_submodule(node.target)
        if type(part) is nn.Flatten:
            return FLAT if (part.start_dim, part.end_dim) == (1, -1) else ""
        known = {nn.Linear: LAYER, nn.ReLU: "relu", nn.Tanh: "tanh", nn.SiLU: "silu"}
        known |= dict.fromkeys((nn.Identity, nn.Dropout), SAME)
        return "" if others or options else known.get(type(part), "")
    if node.op not in ("call_function", "call_method"):
        return ""
    name = node.target
    if name in (operator.mul, torch.mul, "mul") and others == (node.args[0],):
        return "quadratic"
    if name in (operator.pow, torch.pow, "pow") and others == (2,):
        return "quadratic"
    if name in (torch.flatten, "flatten") and others == (1,):
        return FLAT
    if name in (torch.squeeze, "squeeze") and others in ((-1,), (1,)):
        return SQUEEZED
    functions = {
        "relu": (torch.relu, own.relu, "relu"),
        "tanh": (torch.tanh, own.tanh, "tanh"),
        "silu": (own.silu,),
        "quadratic": (torch.square, "square"),
    }
    found = [kind for kind, spelled in functions.items() if name in spelled]
    return found[0] if found and not others and set(options) <= {"inplace"} else ""
