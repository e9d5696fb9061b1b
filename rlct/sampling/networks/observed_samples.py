"""Samples whose losses are looked at, of other data than those that are sampled; and their file."""

from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.samples import TensorSamples
from rlct.sampling.targets.target import Floats


def samples_like(loss: NetworkLoss, data: Any) -> TensorSamples:
    """Other data of the same kind as those of a loss.

    >>> import torch
    >>> loss = NetworkLoss(torch.nn.Linear(3, 2), (torch.zeros(9, 3), torch.zeros(9, 2)))
    >>> len(samples_like(loss, (torch.ones(5, 3), torch.zeros(5, 2))))
    5
    """
    samples = TensorSamples(data)
    samples.drop_ignored(loss.loss)
    samples.place(loss.device, loss.dtype, loss.function.state_dtype)
    both = zip(loss.samples.room(1), samples.room(1), strict=True)
    if any(one.shape != other.shape for one, other in both):
        raise InputError("observed samples differ in shape from those of data")
    return samples


class LossFile:
    """Losses of samples in an ``.npy`` file that is mapped, draw after draw.

    The shape is (chains, draws, samples), or (chains, draws, samples, tokens).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = LossFile(Path(folder, "losses.npy"), (2, 3, 1))
    ...     file.append(np.ones((2, 1)))
    ...     file.whole().shape, len(file)
    ((2, 1, 1), 1)
    """

    def __init__(self, path: str | Path, shape: tuple[int, ...]) -> None:
        if Path(path).suffix != ".npy":
            words = f"traces are kept in a file that ends in .npy, not {str(path)[-40:]!r}"
            raise InputError(words)
        self._count = 0
        try:
            self._room = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
        except (OSError, ValueError) as problem:
            raise InputError(f"cannot write {path}: {problem}") from None

    def __len__(self) -> int:
        return self._count

    def append(self, losses: Floats) -> None:
        """Those of one draw of all chains, of the shape of the file without its draws."""
        self._room[:, self._count] = losses
        self._count += 1

    def clear(self) -> None:
        """Begin anew."""
        self._count = 0

    def whole(self) -> Floats:
        """All draws that there are."""
        self._room.flush()
        return self._room[:, : self._count]
