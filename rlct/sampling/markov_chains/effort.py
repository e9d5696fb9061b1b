"""How much a target computes for a gradient on all data, which decides what can be afforded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from rlct.sampling.modules.torch_arrays import import_torch

if TYPE_CHECKING:
    from rlct.sampling.targets.target import DataTarget

__all__ = ["CALL", "GRADIENT_PASSES", "RESULT", "TorchWork", "counted_work", "data_work"]

GRADIENT_PASSES = 3  # one forward, two back: the slopes by the inputs of a layer and by its weights
RESULT = 10  # products of matrices that take as long as a number of a result to be made and kept
CALL = 3e4  # products that take as long as the call of an operation


class TorchWork(NamedTuple):
    """What operations of torch compute.

    Parameters
    ----------
    products : float
        Products of matrices that would take as long.
    calls : int
        Number of operations.
    """

    products: float
    calls: int


def data_work(target: DataTarget) -> float:
    """Products that a gradient on all data takes as long as, for one chain: 0.1 to 0.5 ns each.

    A sample enters a product for each parameter, on each pass.  A target whose samples cost more
    says how much in an attribute ``sample_work``: activations cost more than the products of small
    layers, and attention and convolutions use their parameters often.

    Examples
    --------
    >>> import numpy as np
    >>> from rlct.sampling.targets.regression import RegressionTarget
    >>> data_work(RegressionTarget([3, 2, 3], 1, samples=50))
    1800.0
    """
    each: float = getattr(target, "sample_work", GRADIENT_PASSES * target.dimension)
    return float(target.samples * each)


def counted_work(function: Callable[[], Any]) -> TorchWork:
    """Count what a function computes in torch, by the shapes of results.

    Examples
    --------
    >>> import torch
    >>> a, b = torch.ones(2, 5), torch.ones(5, 3)
    >>> counted_work(lambda: (a @ b).tanh())
    TorchWork(products=150.0, calls=2)
    """
    torch = import_torch()
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
    from torch.utils.flop_counter import flop_registry

    products: list[float] = []

    def dispatch(
        mode: Any, operation: Any, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        found = operation(*arguments, **(named or {}))
        aliases = [part.alias_info for part in operation._schema.returns]
        if all(alias is None or alias.is_write for alias in aliases):  # no view of what there is
            held = (part for part in tree_leaves(found) if isinstance(part, torch.Tensor))
            flops = flop_registry.get(operation._overloadpacket, lambda *_, **__: 0)
            both = flops(*arguments, **(named or {}), out_val=found)  # products and sums
            products.append(RESULT * sum(part.numel() for part in held) + both / 2)
        return found

    # Attention in one operation is not counted on every device.
    counting: Any = type("Counting", (TorchDispatchMode,), {"__torch_dispatch__": dispatch})
    with sdpa_kernel(SDPBackend.MATH), counting():
        function()
    return TorchWork(float(sum(products)), len(products))
