"""Checkpoints of one network: what they are called, whether they fit, and one of them at a time."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from numbers import Real
from pathlib import Path
from typing import Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.system.options import brief_repr

CheckpointStep = int | float | str

WRAPPER_KEYS = "state_dict", "model_state_dict", "model"  # where training programs keep weights


class CheckpointStates:
    """Weights of a network at several steps; of files one is in memory at a time.

    Checkpoints are a sequence, or a mapping from steps, of ``state_dict()``, modules, or paths of
    files that ``torch.load(weights_only=True)`` reads; weights under ``"state_dict"``,
    ``"model_state_dict"`` or ``"model"`` are found.  Steps that are numbers are put in order; those
    of a sequence are 0, 1, 2, ….  Weights have the names and shapes of the module.  InputError if
    there are none, one cannot be read, or one does not fit.

    >>> import torch
    >>> net = torch.nn.Linear(2, 1)
    >>> held = CheckpointStates({20: net, 10: {"model": net.state_dict()}}, net)
    >>> held.steps, list(held.load(0)), held.digests[0] == held.digests[1]
    ((10, 20), ['weight', 'bias'], True)
    """

    def __init__(self, checkpoints: Any, module: Any) -> None:
        sources = _by_step(checkpoints)
        if not sources:
            raise InputError("there are no checkpoints: give at least one")
        self.steps: tuple[CheckpointStep, ...] = tuple(sources)
        self._sources = list(sources.values())
        state = module.state_dict()
        self._shapes = {n: v.shape for n, v in state.items() if hasattr(v, "shape")}
        self._optional = state.keys() - self._shapes.keys()
        #: One text for each, by which its weights are known.
        self.digests = [tensor_digest(self.load(k)) for k in range(len(self.steps))]

    def load(self, index: int) -> Mapping[str, Array]:
        """The weights and buffers of one of them, by name."""
        its_name = f"checkpoint {self.steps[index]}"
        state = self._unwrapped(_held(self._sources[index], its_name), its_name)
        for name, shape in self._shapes.items():
            if name not in state:
                raise InputError(f"{its_name} does not fit the module: it lacks {name}")
            found = getattr(state[name], "shape", None)
            if found != shape:
                shown = brief_repr(state[name]) if found is None else tuple(found)
                raise InputError(
                    f"{its_name} does not fit the module: {name} is {shown}, not {tuple(shape)}"
                )
        for name in state:
            if name not in self._shapes and name not in self._optional:
                raise InputError(
                    f"{its_name} does not fit the module, which has no {brief_repr(name)}"
                )
        return {name: state[name] for name in self._shapes}

    def _unwrapped(self, state: Any, its_name: str) -> Mapping[str, Any]:
        """The weights themselves, of what may hold more than these."""
        if isinstance(state, Mapping) and not self._shapes.keys() & state.keys():
            inner = [name for name in WRAPPER_KEYS if isinstance(state.get(name), Mapping)]
            if len(inner) > 1:
                raise InputError(
                    f"{its_name} holds {' and '.join(inner)}: give the one that is meant"
                )
            if inner:
                state = state[inner[0]]
        if not isinstance(state, Mapping):
            raise InputError(
                f"{its_name} is no state_dict, module or path of a file: {brief_repr(state)}"
            )
        return state


def _by_step(checkpoints: Any) -> dict[CheckpointStep, Any]:
    """What was given by step, in order."""
    torch = import_torch()
    single = isinstance(checkpoints, torch.nn.Module | str | os.PathLike) or (
        isinstance(checkpoints, Mapping)
        and any(isinstance(value, torch.Tensor) for value in checkpoints.values())
    )
    if single or not isinstance(checkpoints, Iterable):
        raise InputError(
            "checkpoints are a list or a mapping from steps, of state_dicts, modules or paths"
            + (": give [checkpoint] for a single one" if single else "")
        )
    if not isinstance(checkpoints, Mapping):
        return dict(enumerate(checkpoints))
    steps = {}
    for step, source in checkpoints.items():
        plain = step.item() if hasattr(step, "item") else step
        if not isinstance(plain, int | float | str) or plain != plain:
            raise InputError(f"steps of checkpoints are numbers or names, not {brief_repr(step)}")
        steps[plain] = source
    if all(isinstance(step, Real) for step in steps):
        return dict(sorted(steps.items()))
    return steps


def _held(source: Any, its_name: str) -> Any:
    """A mapping of tensors, of a module, or of what a file holds."""
    torch = import_torch()
    if isinstance(source, torch.nn.Module):
        return source.state_dict()
    if not isinstance(source, str | os.PathLike):
        return source
    path = Path(source)
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except OSError as problem:
        raise InputError(f"{its_name}: cannot read {path}: {problem.strerror or problem}") from None
    except Exception:  # pickles and archives that are damaged raise whatever they like
        raise InputError(
            f"{its_name}: {path} is no file that torch.load(weights_only=True) reads: save the "
            "state_dict() of the module"
        ) from None


def tensor_digest(tensors: Mapping[str, Array]) -> str:
    """A short text that differs where names, shapes or numbers of tensors do.

    >>> import torch
    >>> one, two = ({"x": torch.full((2,), value)} for value in (1.0, 2.0))
    >>> tensor_digest(one) == tensor_digest(one), tensor_digest(one) == tensor_digest(two)
    (True, False)
    """
    torch = import_torch()
    digest = hashlib.blake2b(digest_size=16)
    for name, tensor in tensors.items():
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        plain = tensor.detach().cpu().contiguous().reshape(-1)
        digest.update(plain.view(torch.uint8).numpy())
    return digest.hexdigest()
