"""Recorded operations of torch made cheaper without a change of any bit."""

from collections.abc import Iterable
from typing import Any

#: Bindings that cost half of the operator's own where tensors are small.
DIRECT_NAMES = (
    "add.Tensor",
    "bmm.default",
    "cat.default",
    "mean.dim",
    "mul.Tensor",
    "sub.Tensor",
    "sum.dim_IntList",
    "transpose.int",
)
LARGEST_TENSOR = 2**20  # numbers in a tensor that is computed beforehand


def simplify_graph(graph: Any, arguments: Iterable[Any]) -> None:
    """Compute what is known or was computed before once, in a graph that ``make_fx`` recorded.

    Of the arguments of the call that was recorded shapes and strides are what counts.
    """
    if any(_mutable(node) for node in _calls(graph)):
        return  # what is written twice must be computed twice
    values = _values(graph, arguments)
    _fold(graph, values)
    _merge(graph, values)
    graph.graph.eliminate_dead_code()
    _bind(graph)
    graph.recompile()


def _calls(graph: Any) -> list[Any]:
    return [node for node in graph.graph.nodes if node.op == "call_function"]


def _mutable(node: Any) -> bool:
    schema = getattr(node.target, "_schema", None)
    return schema is not None and bool(schema.is_mutable)


def _values(graph: Any, arguments: Iterable[Any]) -> dict[Any, Any]:
    """Shape and memory of every result, without the numbers."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    mode = FakeTensorMode()  # keeps the device, which operations that make tensors name

    class Shapes(torch.fx.Interpreter):  # type: ignore[misc, unused-ignore]
        def fetch_attr(self, target: str) -> Any:
            return mode.from_tensor(super().fetch_attr(target))

    run = Shapes(graph, garbage_collect_values=False)
    with mode:
        run.run(*(mode.from_tensor(argument) for argument in arguments))
    return dict(run.env)


def _tensor(value: Any) -> bool:
    import torch

    return isinstance(value, torch.Tensor)


def _fold(graph: Any, values: dict[Any, Any]) -> None:
    """Turn products with a tensor of equal numbers, known beforehand, into those with a number."""
    import torch

    aten_ops = torch.ops.aten
    fill_operations = (
        aten_ops.ones_like.default,
        aten_ops.zeros_like.default,
        aten_ops.full_like.default,
    )
    known_tensors: dict[Any, Any] = {}
    for node in _calls(graph):
        value: Any = values.get(node)
        if not _tensor(value) or not 0 < value.numel() <= LARGEST_TENSOR:
            continue
        if node.target in fill_operations:
            like = torch.zeros((), dtype=value.dtype).expand(value.shape)
            folded_tensor = node.target(like, *node.args[1:], **node.kwargs)
        elif node.all_input_nodes and all(n in known_tensors for n in node.all_input_nodes):
            folded_tensor = node.target(
                *torch.fx.map_arg(node.args, lambda n: known_tensors[n]),
                **torch.fx.map_arg(node.kwargs, lambda n: known_tensors[n]),
            )
        else:
            continue
        if _tensor(folded_tensor) and bool((folded_tensor == folded_tensor.reshape(-1)[0]).all()):
            known_tensors[node] = folded_tensor
    for node in _calls(graph):
        if node.target is aten_ops.mul.Tensor and len(node.all_input_nodes) == 2:
            first, second = sorted(node.args, key=lambda n: n in known_tensors)
            same = values[first].shape == values[node].shape
            if second in known_tensors and first not in known_tensors and same:
                node.args = (first, float(known_tensors[second].reshape(-1)[0]))


def _merge(graph: Any, values: dict[Any, Any]) -> None:
    """Leave one node for each view of each tensor, and for each operation on the same arguments."""
    node_of_view: dict[Any, Any] = {}
    node_of_call: dict[Any, Any] = {}
    for node in list(graph.graph.nodes):
        value: Any = values.get(node)
        view_key: tuple[Any, ...] | None = None
        if _tensor(value):
            memory = value.untyped_storage()._cdata
            view_key = (memory, value.storage_offset(), value.shape, value.stride(), value.dtype)
        if node.op != "call_function":
            node_of_view.setdefault(view_key, node)
            continue
        key = node.target, repr(node.args), repr(node.kwargs)
        earlier_node = node_of_call.get(key, node)
        if earlier_node is node and view_key is not None:
            earlier_node = node_of_view.setdefault(view_key, node)
        node_of_call[key] = earlier_node
        if earlier_node is not node:
            node.replace_all_uses_with(earlier_node)
            graph.graph.erase_node(node)


def _operator(name: str) -> Any:
    import torch

    packet, overload = name.split(".")
    return getattr(getattr(torch.ops.aten, packet), overload)


def _bind(graph: Any) -> None:
    import torch

    direct = {_operator(name): getattr(torch, name.split(".")[0]) for name in DIRECT_NAMES}
    for node in _calls(graph):
        node.target = direct.get(node.target, node.target)
