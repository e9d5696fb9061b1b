"""Where batches come from: rows of data, held on the device or read as needed, into held room."""

from __future__ import annotations

import copy
from typing import Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.datasets import HELD_BYTES, open_data
from rlct.sampling.modules.losses import counted_samples, target_factor
from rlct.sampling.modules.torch_arrays import import_torch


class TensorSamples:
    """Samples as two tensors of n rows; those whose every target the loss ignores are left out.

    Data of up to a GiB are held on the device.  Larger ones stay where they are, and rows are read
    as they are needed; then each of them must have a target that counts.  Data are as in
    `rlct.sampling.modules.datasets.open_data`.

    >>> import torch
    >>> samples = TensorSamples((torch.eye(3), torch.tensor([2, -100, 0])))
    >>> samples.drop_ignored("cross_entropy")
    >>> len(samples), samples.take(torch.tensor([1]))[0].tolist()
    (2, [[0.0, 0.0, 1.0]])
    """

    def __init__(self, data: Any) -> None:
        self._rows = open_data(data)
        self.layout, self.batch_size = self._rows.layout, self._rows.batch_size
        self._held: tuple[Array, Array] | None = None
        self._loss: Any = None
        self._kind: tuple[Any, Any, Any] = None, None, None
        if self._rows.size <= HELD_BYTES:
            inputs, targets = self._rows.whole()
            self._held = inputs.detach(), targets.detach()

    @property
    def held(self) -> bool:
        """Whether all are on the device."""
        return self._held is not None

    def copied(self) -> TensorSamples:
        """The same, to be placed elsewhere."""
        return copy.copy(self)

    def part(self, rows: Array) -> TensorSamples:
        """These rows alone, which are held."""
        found = copy.copy(self)
        found._held = self.take(rows)
        return found

    def block(self, rows: slice) -> tuple[Array, Array]:
        """Successive rows, without a copy of what is held."""
        if self._held is not None:
            return self._held[0][rows], self._held[1][rows]
        return self.take(import_torch().arange(*rows.indices(len(self))))

    @property
    def row_bytes(self) -> int:
        """Bytes of a sample."""
        return sum(part[0].numel() * part.element_size() for part in self.room(1))

    def __len__(self) -> int:
        return len(self._rows) if self._held is None else len(self._held[0])

    @property
    def targets(self) -> Array:
        """Those by which a loss is fixed: all that are held, or one of which all are like."""
        return self.take(import_torch().arange(1))[1] if self._held is None else self._held[1]

    def drop_ignored(self, loss: Any) -> None:
        """Leave out the samples that this loss ignores; InputError if none is left."""
        self._loss = loss
        if self._held is None:
            return
        inputs, targets = self._held
        kept = counted_samples(loss, targets)
        if not bool(kept.all()):
            self._held = inputs[kept.to(inputs.device)], targets[kept]
        if not len(self):
            raise InputError("every target is one that the loss ignores")

    def place(self, device: Any, dtype: Any, loss_dtype: Any) -> None:
        """Have them on a device, real inputs in one precision, targets in that of losses."""
        self._kind = device, dtype, loss_dtype
        if self._held is not None:
            self._held = self._placed(*self._held)

    def _placed(self, inputs: Array, targets: Array) -> tuple[Array, Array]:
        device, dtype, loss_dtype = self._kind
        return (
            inputs.to(device, dtype if inputs.is_floating_point() else None),
            targets.to(device, loss_dtype if targets.is_floating_point() else None),
        )

    def room(self, *shape: int) -> tuple[Array, Array]:
        """Uninitialised tensors for so many samples, shape (*shape, …)."""
        inputs, targets = (
            part.new_empty((*shape, *part.shape[1:]))
            for part in self._held or self.take(import_torch().arange(1))
        )
        return inputs, targets

    def take(self, rows: Array, out: tuple[Array, Array] | None = None) -> tuple[Array, Array]:
        """Inputs and targets of these rows, on request into room that is held."""
        if self._held is None:
            return self._read(rows, out)
        select = import_torch().index_select
        index = rows.to(self._held[0].device)
        if out is None:
            return select(self._held[0], 0, index), select(self._held[1], 0, index)
        for held, place in zip(self._held, out, strict=True):
            select(held, 0, index, out=place)
        return out

    def _read(self, rows: Array, out: tuple[Array, Array] | None) -> tuple[Array, Array]:
        inputs, targets = self._rows.read(rows.cpu())
        if self._loss is not None and (
            target_factor(self._loss, targets) != 1.0
            or not bool(counted_samples(self._loss, targets).all())
        ):
            raise InputError(
                "data of more than 1 GiB are read by rows, where each target counts alike: leave "
                "out samples whose targets are ignored, and weights of classes"
            )
        if out is None:
            return self._placed(inputs, targets)
        for part, place in zip((inputs, targets), out, strict=True):
            place.copy_(part)
        return out
