"""Where batches come from: tensors of which any rows may be taken, into room that is held."""

from __future__ import annotations

from typing import Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.losses import counted_samples
from rlct.sampling.modules.torch_arrays import import_torch

__all__ = ["TensorSamples"]


class TensorSamples:
    """Samples as two tensors of n rows; those whose every target the loss ignores are left out.

    Parameters
    ----------
    inputs, targets : torch.Tensor
    loss : str or callable

    Examples
    --------
    >>> import torch
    >>> held = TensorSamples(torch.eye(3), torch.tensor([2, -100, 0]), "cross_entropy")
    >>> len(held), held.take(torch.tensor([1]))[0].tolist()
    (2, [[0.0, 0.0, 1.0]])
    """

    def __init__(self, inputs: Array, targets: Array, loss: Any) -> None:
        kept = counted_samples(loss, targets)
        if not bool(kept.all()):
            inputs, targets = inputs[kept.to(inputs.device)], targets[kept]
        if not len(targets):
            raise InputError("every target is one that the loss ignores")
        self.inputs, self.targets = inputs.detach(), targets.detach()

    @property
    def row_bytes(self) -> int:
        """Bytes of a sample."""
        return sum(held[0].numel() * held.element_size() for held in (self.inputs, self.targets))

    def __len__(self) -> int:
        return len(self.inputs)

    def place(self, device: Any, dtype: Any) -> None:
        """Move them to a device, real numbers in this precision."""

        def placed(values: Array) -> Array:
            values = values.to(device)
            return values.to(dtype) if values.is_floating_point() else values

        self.inputs, self.targets = placed(self.inputs), placed(self.targets)

    def room(self, *shape: int) -> tuple[Array, Array]:
        """Uninitialised tensors for so many samples, shape (*shape, …)."""
        return tuple(
            held.new_empty((*shape, *held.shape[1:])) for held in (self.inputs, self.targets)
        )

    def take(self, rows: Array, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
        """Inputs and targets of these rows, on request into room that is held."""
        select = import_torch().index_select
        index = rows.to(self.inputs.device)
        if out is None:
            return select(self.inputs, 0, index), select(self.targets, 0, index)
        for held, place in zip((self.inputs, self.targets), out, strict=True):
            select(held, 0, index, out=place)
        return out
