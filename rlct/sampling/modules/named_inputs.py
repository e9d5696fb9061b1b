"""Named inputs of a module, as of Hugging Face, packed into one tensor: what moves sees only one.

Each name takes some columns of 64 bits, which hold its numbers as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.torch_arrays import import_torch

COLUMN_BYTES = 8  # bytes


@dataclass(frozen=True)
class InputLayout:
    """Where each named input stands among the columns.

    >>> import torch
    >>> named = {"ids": torch.tensor([[1, 2], [3, 4]]), "mask": torch.ones(2, 3)}
    >>> layout = InputLayout.of(named)
    >>> packed = layout.pack(named)
    >>> packed.shape, layout.unpack(packed[1:], torch.float64)["mask"]
    (torch.Size([2, 4]), tensor([[1., 1., 1.]], dtype=torch.float64))
    """

    #: Of one sample.
    fields: Mapping[str, tuple[tuple[int, ...], Any]]

    @classmethod
    def of(cls, named_tensors: Mapping[str, Array]) -> InputLayout:
        """The layout of these tensors, of one row for each sample."""
        return cls(
            {name: (tuple(held.shape[1:]), held.dtype) for name, held in named_tensors.items()}
        )

    def pack(self, named_tensors: Mapping[str, Array]) -> Array:
        """One tensor of shape (samples, columns); InputError if samples differ in shape or kind."""
        torch = import_torch()
        if InputLayout.of(named_tensors) != self:
            raise InputError("samples differ in names, shapes or kinds: pad them to one length")
        parts = []
        for held in named_tensors.values():
            flat = held.detach().reshape(len(held), -1).contiguous()
            lacking = -flat.shape[1] * flat.element_size() % COLUMN_BYTES // flat.element_size()
            parts.append(torch.nn.functional.pad(flat, (0, lacking)).view(torch.int64))
        return torch.cat(parts, dim=1)

    def unpack(self, packed: Array, dtype: Any) -> dict[str, Array]:
        """The named tensors, real ones in this precision."""
        named_tensors, first_column = {}, 0
        for name, (shape, kind) in self.fields.items():
            count = prod(shape)
            width = -(-count * kind.itemsize // COLUMN_BYTES)
            part = packed[..., first_column : first_column + width]
            if kind != packed.dtype:
                part = part.view(kind)[..., :count]
            part = part.reshape(*packed.shape[:-1], *shape)
            named_tensors[name] = part.to(dtype) if kind.is_floating_point else part
            first_column += width
        return named_tensors
