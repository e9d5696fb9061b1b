"""Data as people have them: tensors, arrays, mappings of these, a torch Dataset or a DataLoader."""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rlct.errors import InputError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.losses import IGNORED_LABEL
from rlct.sampling.modules.named_inputs import InputLayout
from rlct.sampling.modules.torch_arrays import import_torch

HELD_BYTES = 2**30  # of data that are held on the device; a convention that users are told
READ_TWICE = 8  # samples that are read twice
READ_TOGETHER = 1024  # samples that are read at once, where all are
LABEL_NAMES = ("labels", "label", "targets")  # names of targets; what is left goes to the module


class SampleRows:
    """Samples of which any rows can be read.

    ``read_batch`` takes row numbers, a tensor, to a pair (inputs, targets) or a mapping of names to
    tensors; ``whole_batch`` are all samples, where memory holds them anyway, and ``batch_size`` is
    that of the loader that the data came with.  ``layout`` is of inputs that have names, and
    ``size`` are bytes of all samples.

    >>> import torch
    >>> rows = open_data({"input_ids": torch.arange(6).reshape(3, 2)})
    >>> x, y = rows.read(torch.tensor([2]))
    >>> x.tolist(), y.tolist(), list(rows.layout.fields)
    ([[4, 5]], [[4, 5]], ['input_ids'])
    """

    def __init__(
        self,
        count: int,
        read_batch: Callable[[Array], Any],
        *,
        whole_batch: Any = None,
        batch_size: int | None = None,
    ) -> None:
        self._count, self._read_batch, self._whole = count, read_batch, whole_batch
        self.batch_size = batch_size
        first = read_batch(import_torch().arange(1))
        inputs, _ = _parted(first)
        self.layout = InputLayout.of(inputs) if isinstance(inputs, dict) else None
        parts = self._packed(first)
        self._shapes = [part.shape[1:] for part in parts]
        self.size = count * sum(part.numel() * part.element_size() for part in parts)

    def __len__(self) -> int:
        return self._count

    def read(self, rows: Array) -> tuple[Array, Array]:
        """Inputs, packed where they have names, and targets of these rows."""
        found = self._packed(self._read_batch(rows))
        if [part.shape[1:] for part in found] != self._shapes:
            raise InputError("samples differ in shape: pad them to one")
        return found

    def whole(self) -> tuple[Array, Array]:
        """Those of all rows."""
        torch = import_torch()
        if self._whole is not None:
            return self._packed(self._whole)
        whole: tuple[Array, ...] = ()
        for first in range(0, self._count, READ_TOGETHER):
            rows = torch.arange(first, min(first + READ_TOGETHER, self._count))
            parts = self.read(rows)
            whole = whole or tuple(part.new_empty((self._count, *part.shape[1:])) for part in parts)
            for held, part in zip(whole, parts, strict=True):
                held[rows] = part
        return whole[0], whole[1]

    def _packed(self, batch: Any) -> tuple[Array, Array]:
        inputs, targets = _parted(batch)
        targets = targets.long() if targets.dtype is import_torch().uint8 else targets
        return (inputs if self.layout is None else self.layout.pack(inputs)), targets


def open_data(data: Any) -> SampleRows:
    """Samples of data of any usual kind.

    They are (inputs, targets), tensors or arrays, memory-mapped ones, too; or a mapping of such by
    name (input_ids, attention_mask, labels, …), whose targets are its labels, label or targets, or,
    of input_ids alone, these; or a dataset whose samples are one of both.  Of a loader the whole
    dataset counts, each sample once, whatever its order.  InputError in one line.
    """
    torch_data = import_torch().utils.data
    if isinstance(data, torch_data.DataLoader):
        return _loader_rows(data)
    if isinstance(data, torch_data.IterableDataset):
        return _dataset_rows(_streamed(data))
    if isinstance(data, torch_data.TensorDataset):
        data = data.tensors
    listed = isinstance(data, list) and bool(data) and isinstance(data[0], Mapping)
    if (
        isinstance(data, torch_data.Dataset)
        or hasattr(data, "__getitems__")
        or (listed and (len(data) != 2 or isinstance(data[1], Mapping)))
    ):
        return _dataset_rows(data)
    columns = _columns(data)
    held = list(columns.values()) if isinstance(columns, dict) else columns

    def picked(rows: Array) -> Any:
        parts = [column.index_select(0, rows.to(column.device)) for column in held]
        return dict(zip(columns, parts, strict=True)) if isinstance(columns, dict) else parts

    return SampleRows(len(held[0]), picked, whole_batch=columns)


def _columns(data: Any) -> Any:
    """Tensors of equal length, by name or as a pair."""
    torch = import_torch()
    if isinstance(data, list | tuple) and len(data) == 2 and isinstance(data[0], Mapping):
        data = {**data[0], LABEL_NAMES[0]: data[1]}
    by_name = isinstance(data, Mapping)
    try:
        names = list(data) if by_name else ["inputs", "targets"]
        inputs_and_targets = list(data.values()) if by_name else list(data)
        columns = dict(zip(names, map(_tensor, inputs_and_targets), strict=True))
    except (TypeError, ValueError, RuntimeError):
        parts = (data, *data) if isinstance(data, tuple | list) else (data,)
        frames = [type(part).__name__ for part in parts if hasattr(part, "to_numpy")]
        raise InputError(
            "data are a pair (inputs, targets) of tensors or arrays, a mapping of names to such, "
            "or a Dataset of such pairs"
            + (f": of a {frames[0]} give .to_numpy()" if frames else "")
        ) from None
    for name, held in columns.items():
        if held.is_meta:
            raise InputError(f"the {name} are on the device meta, which holds no numbers")
        if held.is_nested or held.layout is not torch.strided:
            raise InputError(f"the {name} are sparse or nested: give a dense tensor, to_dense()")
        if not held.ndim:
            raise InputError(f"{' and '.join(names)} need one row for each sample")
    counts = [len(held) for held in columns.values()]
    if not any(counts):
        raise InputError("the data hold no samples")
    if len(set(counts)) != 1:
        found = " and ".join(f"{k} {name}" for name, k in zip(names, counts, strict=True))
        raise InputError(
            f"{found}: the data need as many of both, "
            "one for each sample along their first axes (batch_first=True)"
        )
    return columns if by_name else list(columns.values())


def _tensor(values: Any) -> Array:
    """As a tensor, without a copy of what memory or a file holds."""
    with warnings.catch_warnings():  # of arrays that only can be read, of which rows are copied
        warnings.filterwarnings("ignore", "The given NumPy array is not writ", UserWarning)
        return import_torch().as_tensor(values)


def _parted(batch: Any) -> tuple[Any, ...]:
    """Inputs, by name if they have names, and targets of a batch."""
    torch = import_torch()
    columns = _columns(batch)
    if not isinstance(columns, dict):
        return tuple(map(_indexable, columns))
    columns = {name: _indexable(held) for name, held in columns.items()}
    label_name = next((name for name in LABEL_NAMES if name in columns), None)
    if label_name is not None:
        targets = columns.pop(label_name)
    elif "input_ids" in columns:
        targets = columns["input_ids"]
        mask = columns.get("attention_mask")
        if mask is not None and mask.shape == targets.shape:
            targets = torch.where(mask != 0, targets, IGNORED_LABEL)
    else:
        raise InputError(f"of {', '.join(columns)} none is called labels: name the targets so")
    return columns, targets


def _indexable(held: Array) -> Array:
    """Whole numbers as classes and embeddings want them; bytes, as of images, stay small."""
    torch = import_torch()
    is_real = held.is_floating_point() or held.is_complex()
    return held if is_real or held.dtype in (torch.bool, torch.uint8) else held.long()


def _joined(items: Sequence[Any]) -> Any:
    """Samples as a batch: numbers and lists of a mapping become rows of tensors."""
    if not isinstance(items[0], Mapping):
        return import_torch().utils.data.default_collate(list(items))
    for name, value in items[0].items():
        if isinstance(value, str):
            raise InputError(f"{name} holds text: leave it out of the data")
    return {
        name: import_torch().stack([_tensor(item[name]) for item in items]) for name in items[0]
    }


def _loader_rows(loader: Any) -> SampleRows:
    """Rows of the dataset of a loader that takes every sample alike."""
    torch_data, dataset = import_torch().utils.data, loader.dataset
    joins_as_torch = loader.collate_fn in (torch_data.default_collate, torch_data.default_convert)
    join_items = _joined if joins_as_torch else loader.collate_fn
    if isinstance(dataset, torch_data.IterableDataset):
        return _dataset_rows(_streamed(dataset), join_items, loader.batch_size)
    batches = loader.batch_sampler
    sampler = loader.sampler if batches is None else getattr(batches, "sampler", batches)
    known = isinstance(sampler, torch_data.SequentialSampler | torch_data.RandomSampler)
    if not known or {len(sampler), len(sampler.data_source)} != {len(dataset)}:
        part = f" {len(sampler)} of {len(dataset)} samples" if known else ""
        raise InputError(
            f"the loader draws{part} by {type(sampler).__name__}, but here every sample counts "
            "once: give loader.dataset, or a torch.utils.data.Subset of it, which may repeat some"
        )
    if joins_as_torch and isinstance(dataset, torch_data.TensorDataset):
        rows = open_data(dataset)
        rows.batch_size = loader.batch_size
        return rows
    return _dataset_rows(dataset, join_items, loader.batch_size)


def _dataset_rows(
    dataset: Any, join_items: Callable[[Any], Any] = _joined, batch_size: int | None = None
) -> SampleRows:
    """Rows of a map-style dataset, of which the first are read twice."""
    torch = import_torch()
    read_items = getattr(dataset, "__getitems__", lambda rows: [dataset[k] for k in rows])

    def read(rows: Array) -> Any:
        try:
            return join_items(read_items(rows.tolist()))
        except (TypeError, NotImplementedError, RuntimeError, IndexError, KeyError) as problem:
            words = (str(problem).splitlines() or [type(problem).__name__])[0]
            cure = "; pad them to one length" if "equal size" in words else ""
            raise InputError(f"samples of the dataset cannot be joined: {words}{cure}") from None

    try:
        count = len(dataset)
    except (TypeError, NotImplementedError):
        raise InputError("the dataset has no length: give one with len()") from None
    if not count:
        raise InputError("the dataset holds no samples")
    some = torch.arange(min(count, READ_TWICE))
    first = read(some)
    if not isinstance(first, Mapping) and (not isinstance(first, list | tuple) or len(first) != 2):
        raise InputError("the dataset, or the collate_fn of its loader, gives no pairs or mappings")
    if not _same(first, read(some)):
        raise InputError(
            "the dataset gives other values each time that it is read, as random augmentation "
            "does: give one copy of all samples as two tensors (inputs, targets)"
        )
    return SampleRows(count, read, batch_size=batch_size)


def _streamed(dataset: Iterable[Any]) -> list[Any]:
    """All samples of a stream, if memory holds them: chains need them in any order."""
    samples: list[Any] = []
    most = 1
    for sample in dataset:
        samples.append(sample)
        if len(samples) == 1:
            most = max(HELD_BYTES // max(_dataset_rows(samples).size, 1), 1)
        if len(samples) > most:
            raise InputError(
                f"the IterableDataset has more than the {most} samples that fit into 1 GiB, and "
                "chains need them in any order: write them to a file and give "
                "np.load(file, mmap_mode='r')"
            )
    if not samples:
        raise InputError("the IterableDataset holds no samples")
    return samples


def _same(first: Any, second: Any) -> bool:
    """Whether tensors in the same nest of lists and mappings are equal, NaN to NaN."""
    if isinstance(first, Mapping):
        return all(_same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return all(map(_same, first, second))
    if not hasattr(first, "ndim"):
        return bool(first == second)
    alike = (first == second) | ((first != first) & (second != second))
    return first.shape == second.shape and bool(alike.all())
