"""How much a target computes for a gradient on all data, which decides what can be afforded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rlct.sampling.torch_arrays import import_torch

if TYPE_CHECKING:
    from rlct.sampling.target import DataTarget

__all__ = ["RESULT", "data_work", "products_computed"]

RESULT = 10  # products of matrices that take as long as a number of a result to be made and kept


def data_work(target: DataTarget) -> float:
    """Products that one gradient on all data takes as long as: 0.1 to 0.5 ns each.

    A sample enters one product for each parameter.  A target whose samples cost more says how
    much in an attribute ``sample_work``: activations cost more than the products of small layers,
    and attention and convolutions use their parameters often.

    Examples
    --------
    >>> import numpy as np
    >>> from rlct.sampling.regression import RegressionTarget
    >>> data_work(RegressionTarget([3, 2, 3], 1, samples=50))
    600.0
    """
    each: float = getattr(target, "sample_work", target.dimension)
    return float(target.samples * each)


def products_computed(function: Callable[[], Any]) -> float:
    """How many products operations of torch take as long as, by the shapes of their results.

    Examples
    --------
    >>> import torch
    >>> a, b = torch.ones(2, 5), torch.ones(5, 3)
    >>> products_computed(lambda: (a @ b).tanh())
    150.0
    """
    torch = import_torch()
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
    from torch.utils.flop_counter import FlopCounterMode

    sizes: list[int] = []

    def dispatch(
        mode: Any, operation: Any, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        found = operation(*arguments, **(named or {}))
        held = (part for part in tree_leaves(found) if isinstance(part, torch.Tensor))
        sizes.extend(part.numel() for part in held)
        return found

    counting: Any = type("Counting", (TorchDispatchMode,), {"__torch_dispatch__": dispatch})
    flops: Any = FlopCounterMode(display=False)
    # Attention in one operation is not counted on every device.
    with sdpa_kernel(SDPBackend.MATH), counting(), flops:
        function()
    return float(RESULT * sum(sizes) + flops.get_total_flops() / 2)
