"""What operations of torch compute, counted by the shapes of their results."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.targets.effort import RESULT_PRODUCTS


class TorchWork(NamedTuple):
    """What operations of torch compute."""

    #: Products of matrices that would take as long.
    products: float
    #: Number of operations.
    calls: int


def counted_work(function: Callable[[], Any]) -> TorchWork:
    """Count what a function computes in torch, by the shapes of results.

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
        result = operation(*arguments, **(named or {}))
        aliases = [part.alias_info for part in operation._schema.returns]
        if all(alias is None or alias.is_write for alias in aliases):  # no view of what there is
            held = (part for part in tree_leaves(result) if isinstance(part, torch.Tensor))
            flops = flop_registry.get(operation._overloadpacket, lambda *_, **__: 0)
            both = flops(*arguments, **(named or {}), out_val=result)  # products and sums
            products.append(RESULT_PRODUCTS * sum(part.numel() for part in held) + both / 2)
        return result

    # Attention in one operation is not counted on every device.
    counting: Any = type("Counting", (TorchDispatchMode,), {"__torch_dispatch__": dispatch})
    with sdpa_kernel(SDPBackend.MATH), counting():
        function()
    return TorchWork(float(sum(products)), len(products))
