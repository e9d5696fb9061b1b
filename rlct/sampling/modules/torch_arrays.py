"""Samplers' arrays and random draws on torch."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Array, Arrays


def import_torch() -> Any:
    """Torch, or one line that says how to get it."""
    try:
        import torch
    except ImportError:
        raise InputError(
            "networks in torch need the extra: pip install 'rlct[torch]', or torch itself"
        ) from None
    return torch


@contextmanager
def without_vmap_remark() -> Iterator[None]:
    """Without torch's remark, at each call, that a layer takes long for many points."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "There is a performance drop", UserWarning)
        yield


@contextmanager
def single_thread(when: bool) -> Iterator[None]:
    """One thread where it is asked for: operations of small networks are too short to share."""
    torch = import_torch()
    threads = torch.get_num_threads()
    if when:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class TorchArrays(Arrays):
    """Torch tensors on one device, with a generator seeded from NumPy's."""

    def __init__(self, rng: np.random.Generator, device: Any, dtype: Any) -> None:
        self.xp = import_torch()
        #: The same precision in NumPy, which shares memory on a processor.
        self._numpy = {self.xp.float32: np.float32, self.xp.float64: np.float64}.get(dtype)
        super().__init__(rng, self._numpy or np.float32)
        self.dtype = dtype
        self.device = device
        self.generator = self.xp.Generator(device=device)
        self.generator.manual_seed(int(rng.integers(2**62)))

    def normal(self, shape: tuple[int, ...]) -> Array:
        """Independent standard normal draws."""
        return self.xp.randn(shape, generator=self.generator, device=self.device, dtype=self.dtype)

    def _even_noise(self, shape: tuple[int, ...], size: float) -> Array:
        """As in NumPy on a processor; :meth:`normal` is fast on a graphics card."""
        if self.device.type != "cpu" or self._numpy is None:
            return size * self.normal(shape)
        return self.xp.from_numpy(self._rounded(shape, self._numpy, size))

    def lengths(self, w: Array) -> Array:
        """Euclidean norm of each row."""
        return self.xp.linalg.vector_norm(w, dim=-1)

    def uniform(self, shape: tuple[int, ...]) -> Array:
        """Independent draws between 0 and 1."""
        return self.xp.rand(shape, generator=self.generator, device=self.device, dtype=self.dtype)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """Zeros."""
        return self.xp.zeros(shape, device=self.device, dtype=self.dtype)

    def asarray(self, values: Any) -> Array:
        """Move NumPy values to the device."""
        return self.xp.tensor(np.asarray(values), device=self.device, dtype=self.dtype)

    def numpy(self, values: Array) -> np.ndarray[Any, Any]:
        """Move values of the chains to NumPy."""
        values = values.detach().cpu()
        # NumPy has no bfloat16.
        return np.asarray(values.float() if values.dtype is self.xp.bfloat16 else values)

    def state(self) -> dict[str, Any]:
        """Everything that decides the next draws, as plain values."""
        return {**super().state(), "torch": self.generator.get_state().tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        super().restore(state)
        self.generator.set_state(self.xp.tensor(state["torch"], dtype=self.xp.uint8))
