"""Functions of torch tensors as flat lists of operations, free of what torch.func costs a call."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from rlct.sampling.modules.operations import simplify_graph

OFTEN_CALLED = 40  # calls with arguments of one shape: recording takes as long as dozens of them
MOST_SHAPES = 32  # held at once

Function = Callable[..., tuple[Any, Any]]


class FlattenedFunction:
    """A function of tensors that gets rid of its overhead once it is called often.

    ``torch.func`` interprets every operation anew, which costs more than the operation where
    networks are small.  After some calls the operations are recorded, for tensors of just this
    shape.  The record takes over if it repeats the answer to the next call bit by bit, so that a
    run does not depend on when it began; else nothing changes.  The function goes from tensors to
    two tensors, by operations that depend on the shapes alone.

    >>> import torch
    >>> square = FlattenedFunction(torch.func.vmap(lambda x: (x * x, x)))
    >>> [int(square(torch.tensor([k]))[0]) for k in range(44)][-1], square.recorded
    (1849, 1)
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self._calls: Counter[Any] = Counter()
        self._trials: dict[Any, Function] = {}
        self._records: dict[Any, Function] = {}

    @property
    def recorded(self) -> int:
        """Number of shapes whose operations are recorded."""
        return sum(held is not self.function for held in self._records.values())

    def __call__(self, *arguments: Any) -> tuple[Any, Any]:
        """What the function says."""
        shape = tuple((a.shape, a.stride()) for a in arguments)
        held = self._records.get(shape)
        if held is not None:
            return held(*arguments)
        value = self.function(*arguments)
        self._calls[shape] += 1
        if shape in self._trials:
            trial = self._trials.pop(shape)
            self._records[shape] = trial if _agrees(trial, arguments, value) else self.function
        elif self._calls[shape] >= OFTEN_CALLED and len(self._records) < MOST_SHAPES:
            self._trials[shape] = _recorded(self.function, arguments)
        return value


def _recorded(function: Function, arguments: Any) -> Function:
    """The operations of a call, or the function if torch cannot record it."""
    from torch.fx.experimental.proxy_tensor import make_fx

    try:
        # Without numbers, which would need memory; make_fx unwraps functions that it knows.
        record = make_fx(
            lambda *tensors: function(*tensors), tracing_mode="fake", _allow_non_fake_inputs=True
        )
        graph = record(*arguments)
        simplify_graph(graph, arguments)
    except Exception:  # of any kind: what cannot be recorded runs as before
        return function
    found: Function = graph
    return found


def _agrees(trial: Function, arguments: Any, answer: tuple[Any, Any]) -> bool:
    import torch

    try:
        again = trial(*arguments)
    except RuntimeError:
        return False
    return all(torch.equal(a, b) for a, b in zip(again, answer, strict=True))
