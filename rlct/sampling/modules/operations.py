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
#: Operations that may write over their first argument.
IN_PLACE = ("add.Tensor", "div.Tensor", "mul.Tensor", "relu.default", "sub.Tensor", "tanh.default")


def simplify_graph(graph: Any, arguments: Iterable[Any]) -> None:
    """Compute what is known or was computed before once, and write over what is not used again.

    Parameters
    ----------
    graph : torch.fx.GraphModule
        Recorded by ``make_fx``; changed in place.
    arguments : tensors
        Of the call that was recorded; shapes and strides are what counts.
    """
    if any(_mutable(node) for node in _calls(graph)):
        return  # what is written twice must be computed twice
    held = tuple(arguments)
    values = _values(graph, held)
    _fold(graph, values)
    _merge(graph, values)
    _double(graph, values)
    graph.graph.eliminate_dead_code()
    _reuse(graph, _values(graph, held))  # what was merged shares memory now
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
        view_key = (
            (_memory(value), value.storage_offset(), *_layout(value)) if _tensor(value) else None
        )
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


def _double(graph: Any, values: dict[Any, Any]) -> None:
    """Turn x + x, the derivative of a square, into a product with a doubled small factor."""
    import torch

    aten_ops = torch.ops.aten

    def smallest(node: Any) -> tuple[int, Any, int]:
        """Size of the smallest factor, the product it stands in, and where."""
        factor_sizes = []
        for k, factor in enumerate(node.args):
            if not isinstance(factor, torch.fx.Node) or not _tensor(values.get(factor)):
                continue
            factor_sizes.append((values[factor].numel(), node, k))
            if (
                factor.target in (aten_ops.mul.Tensor, aten_ops.bmm.default)
                and len(factor.users) == 1
            ):
                factor_sizes.append(smallest(factor))
        return min(factor_sizes, key=lambda f: f[0])

    for node in _calls(graph):
        if (
            node.target is not aten_ops.add.Tensor
            or node.kwargs
            or node.args[0] is not node.args[1]
        ):
            continue
        product = node.args[0]
        if product.target is not aten_ops.mul.Tensor or len(product.users) > 1:
            continue
        size, holder, k = smallest(product)
        if 2 * size > values[node].numel() or _layout(values[product]) != _layout(values[node]):
            continue
        factor = holder.args[k]
        with graph.graph.inserting_before(holder):
            twice = graph.graph.call_function(aten_ops.add.Tensor, (factor, factor))
        values[twice] = values[factor]  # in shape
        holder.args = (*holder.args[:k], twice, *holder.args[k + 1 :])
        node.replace_all_uses_with(product)
        graph.graph.erase_node(node)


def _reuse(graph: Any, values: dict[Any, Any]) -> None:
    """Let operations element by element write over an argument whose memory nothing else needs."""
    nodes = list(graph.graph.nodes)
    order = {node: k for k, node in enumerate(nodes)}
    last_use: dict[int, int] = {}  # use of each piece of memory
    given_memory: set[int] = set()
    for node in nodes:
        if _tensor(values.get(node)):
            memory = _memory(values[node])
            last_use[memory] = max([last_use.get(memory, 0), *(order[user] for user in node.users)])
            if node.op != "call_function":
                given_memory.add(memory)
    in_place_names = {_operator(name): name.replace(".", "_.") for name in IN_PLACE}
    moved_memory: dict[int, int] = {}  # from where results would be to where they are

    def memory_of(node: Any) -> int:
        found = _memory(values[node])
        while found in moved_memory:
            found = moved_memory[found]
        return found

    for node in nodes:
        if node.op != "call_function" or node.target not in in_place_names or node.kwargs:
            continue
        first, *later_inputs = node.all_input_nodes
        if first is not node.args[0] or not _tensor(values.get(first)):
            continue
        before, after, memory = values[first], values[node], memory_of(first)
        whole = before.untyped_storage().nbytes() == before.numel() * before.element_size()
        free = memory not in given_memory and last_use[memory] <= order[node]
        apart = all(_tensor(values.get(n)) and memory_of(n) != memory for n in later_inputs)
        if whole and free and apart and _layout(before) == _layout(after):
            node.target = _operator(in_place_names[node.target])
            last_use[memory] = last_use[_memory(after)]
            moved_memory[_memory(after)] = memory


def _memory(value: Any) -> int:
    return int(value.untyped_storage()._cdata)


def _layout(value: Any) -> tuple[Any, ...]:
    return value.shape, value.stride(), value.dtype


def _operator(name: str) -> Any:
    import torch

    packet, overload = name.split(".")
    return getattr(getattr(torch.ops.aten, packet), overload)


def _bind(graph: Any) -> None:
    import torch

    direct = {_operator(name): getattr(torch, name.split(".")[0]) for name in DIRECT_NAMES}
    for node in _calls(graph):
        node.target = direct.get(node.target, node.target)
