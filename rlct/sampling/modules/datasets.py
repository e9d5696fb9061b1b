"""Data as people have them: two tensors, arrays or lists, a torch Dataset or a DataLoader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlct.errors import InputError
from rlct.sampling.modules.torch_arrays import import_torch

__all__ = ["tensors_of"]

TWICE = 8  # samples that are read twice


def tensors_of(data: Any) -> tuple[Any, Any]:
    """Inputs and targets as two tensors of equal length.

    Parameters
    ----------
    data : (inputs, targets), torch.utils.data.Dataset or DataLoader
        Of a loader the whole dataset counts, each sample once, whatever its batches and order.

    Raises
    ------
    InputError
        If there are no such two tensors, or the loader does not take every sample alike.

    Examples
    --------
    >>> import torch
    >>> pairs = torch.utils.data.TensorDataset(torch.eye(3), torch.arange(3))
    >>> [tuple(part.shape) for part in tensors_of(torch.utils.data.DataLoader(pairs))]
    [(3, 3), (3,)]
    """
    torch = import_torch()
    if isinstance(data, torch.utils.data.DataLoader):
        data = _whole(data)
    if isinstance(data, torch.utils.data.Dataset):
        data = _collected(data)
    try:
        inputs, targets = data
        inputs, targets = torch.as_tensor(inputs), torch.as_tensor(targets)
    except (TypeError, ValueError, RuntimeError):
        parts = (data, *data) if isinstance(data, tuple | list) else (data,)
        frames = [type(part).__name__ for part in parts if hasattr(part, "to_numpy")]
        raise InputError(
            "data are a pair (inputs, targets) of tensors or arrays, or a Dataset of such pairs"
            + (f": of a {frames[0]} give .to_numpy()" if frames else "")
        ) from None
    for name, held in (("inputs", inputs), ("targets", targets)):
        if held.is_meta:
            raise InputError(f"the {name} are on the device meta, which holds no numbers")
        if held.is_nested or held.layout is not torch.strided:
            raise InputError(f"the {name} are sparse or nested: give a dense tensor, to_dense()")
    if not inputs.ndim or not targets.ndim:
        raise InputError("inputs and targets need one row for each sample")
    if not len(inputs) or len(inputs) != len(targets):
        raise InputError(
            f"{len(inputs)} inputs and {len(targets)} targets: the data need as many of both, "
            "one for each sample along their first axes (batch_first=True)"
        )
    return inputs, targets


def _whole(loader: Any) -> Any:
    """The dataset of a loader that takes every sample alike and joins them as torch does."""
    torch_data = import_torch().utils.data
    if isinstance(loader.dataset, torch_data.IterableDataset):
        return loader.dataset
    batches = loader.batch_sampler
    sampler = loader.sampler if batches is None else getattr(batches, "sampler", batches)
    known = isinstance(sampler, torch_data.SequentialSampler | torch_data.RandomSampler)
    if not known or {len(sampler), len(sampler.data_source)} != {len(loader.dataset)}:
        part = f" {len(sampler)} of {len(loader.dataset)} samples" if known else ""
        raise InputError(
            f"the loader draws{part} by {type(sampler).__name__}, but here every sample counts "
            "once: give loader.dataset, or a torch.utils.data.Subset of it, which may repeat some"
        )
    if loader.collate_fn not in (torch_data.default_collate, torch_data.default_convert):
        raise InputError(
            "the loader has a collate_fn of its own: give what it makes of all samples"
        )
    return loader.dataset


def _collected(dataset: Any) -> Any:
    torch = import_torch()
    if isinstance(dataset, torch.utils.data.IterableDataset):
        raise InputError(
            "an IterableDataset has no length: give its samples as two tensors (inputs, targets)"
        )
    if isinstance(dataset, torch.utils.data.TensorDataset):
        return dataset.tensors
    try:
        if not len(dataset):
            raise InputError("the dataset holds no samples")
        join = torch.utils.data.default_collate
        items = [dataset[k] for k in range(len(dataset))]
        again = [dataset[k] for k in range(min(len(dataset), TWICE))]
        if not _same(join(items[:TWICE]), join(again)):
            raise InputError(
                "the dataset gives other values each time that it is read, as random augmentation "
                "does: give one copy of all samples as two tensors (inputs, targets)"
            )
        return join(items)
    except (TypeError, NotImplementedError, RuntimeError, IndexError) as problem:
        words = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise InputError(f"the dataset cannot be read as a whole: {words}") from None


def _same(one: Any, other: Any) -> bool:
    """Whether tensors in the same nest of lists and mappings are equal, NaN to NaN."""
    if isinstance(one, Mapping):
        return all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return all(map(_same, one, other))
    if not hasattr(one, "ndim"):
        return bool(one == other)
    alike = (one == other) | ((one != one) & (other != other))
    return one.shape == other.shape and bool(alike.all())
