"""One set of array operations and random draws for samplers on NumPy and on torch."""

import math
from collections.abc import Callable, Hashable
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

import numpy as np
from scipy.special import ndtri

from rlct.sampling.batches import Batches

CACHE_LINE = 64  # bytes of the cache that are moved at once
TABLE_BITS = 15  # a table of pairs that stays in the cache beside the chains
LATTICE_GENERATOR = 14489  # odd; mixed moments are near those of independent draws
BLOCK_NUMBERS = 2**14  # random numbers that stay in the cache with all they are made from

#: A NumPy array or a torch tensor; samplers use only what both spell alike.
Array: TypeAlias = Any

Made = TypeVar("Made")


class Scratch:
    """Arrays by name whose memory the next call uses again, so that it stays in the cache.

    >>> scratch = Scratch(np.float32)
    >>> scratch("layer", (4, 3)).base is scratch("layer", (2, 3)).base
    True
    """

    def __init__(self, dtype: Any) -> None:
        self._dtype = dtype
        self._held: dict[str, np.ndarray[Any, Any]] = {}

    def __call__(self, name: str, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        """Whatever the last call left there."""
        size = math.prod(shape)
        if name not in self._held or self._held[name].size < size:
            self._held[name] = aligned_array((size,), self._dtype)
        return self._held[name][:size].reshape(shape)


def aligned_array(shape: tuple[int, ...], dtype: Any) -> np.ndarray[Any, Any]:
    """Room that begins with a line of the cache, where matrices multiply up to a third faster.

    >>> found = aligned_array((2, 3), np.float32)
    >>> found.shape, found.ctypes.data % CACHE_LINE
    ((2, 3), 0)
    """
    size = math.prod(shape)
    held = np.empty(size + CACHE_LINE // np.dtype(dtype).itemsize, dtype)
    skip = -held.ctypes.data % CACHE_LINE // held.itemsize
    return held[skip : skip + size].reshape(shape)


@cache
def _pairs() -> np.ndarray[Any, Any]:
    """Pairs of normal quantiles on a lattice, which is its own mirror image, shape (2¹⁶,).

    Each of a pair takes all 2¹⁵ quantiles.  Odd moments vanish, and mixed ones are those of
    independent draws to 0.001 up to the fourth, and to 0.011 up to the sixth.

    >>> x, y = _pairs().reshape(-1, 2).T
    >>> moments = [x * y, x * x * y, x**3 * y, x * y**3, x**2 * y**2 - 1]
    >>> bool(np.max(np.abs([m.mean() for m in moments])) < 1e-3)
    True
    """
    count = 2**TABLE_BITS
    quantiles = ndtri((np.arange(count) + 0.5) / count)
    quantiles /= np.sqrt((quantiles**2).mean())
    k = np.arange(count)
    other = (k * LATTICE_GENERATOR + (LATTICE_GENERATOR - 1) // 2) % count
    return np.stack([quantiles, quantiles[other]], axis=1).reshape(-1)


class Arrays:
    """NumPy with a seeded generator; `rlct.sampling.modules.module` has the same for torch.

    >>> on = Arrays(np.random.default_rng(0))
    >>> on.normal((2, 3)).shape, on.asarray([1.0]).dtype
    ((2, 3), dtype('float64'))
    """

    xp: ModuleType = np

    def __init__(self, rng: np.random.Generator, dtype: Any = np.float64) -> None:
        self.rng, self.dtype = rng, dtype
        self.scratch = Scratch(dtype)
        self._table, self._size = np.empty(0), math.nan  # quantiles times the size of the noise
        self._batches: dict[int, Batches] = {}
        self._once: dict[Hashable, Any] = {}

    def normal(self, shape: tuple[int, ...]) -> Array:
        """Independent standard normal draws."""
        return self.rng.standard_normal(shape, dtype=self.dtype)

    def noise(self, shape: tuple[int, ...], size: Array | float) -> Array:
        """Normal draws rounded to 2¹⁵ quantiles, many times as fast, times ``size``.

        For chains without a Metropolis test, whose own error is of first order in the step: the
        moments up to the sixth are those of the normal distribution to 0.4 %, and neighbours as
        independent as `_pairs` are, far more than weak convergence of that order asks for.
        """
        if isinstance(size, float):
            return self._even_noise(shape, size)
        found = self._even_noise(shape, 1.0)
        found *= size
        return found

    def _even_noise(self, shape: tuple[int, ...], size: float) -> Array:
        return self._rounded(shape, self.dtype, size)

    def _rounded(self, shape: tuple[int, ...], dtype: Any, size: float) -> np.ndarray[Any, Any]:
        pair = np.result_type(dtype, np.complex64)
        if self._size != size:
            self._table, self._size = (size * _pairs()).astype(dtype).view(pair), size
        count = math.prod(shape)
        numbers = aligned_array((count + count % 2,), dtype)
        pairs = numbers.view(pair)
        # Four pairs from each word: seven times as fast as the same bytes.
        words = self.rng.integers(0, 2**64, -(-len(pairs) // 4), dtype=np.uint64).view(np.uint16)
        words >>= 16 - TABLE_BITS
        for i in range(0, len(pairs), BLOCK_NUMBERS):
            part = pairs[i : i + BLOCK_NUMBERS]
            # No pair is beyond the table; without "clip" NumPy would look, and copy.
            self._table.take(words[i : i + len(part)], out=part, mode="clip")
        return numbers[:count].reshape(shape)

    def lengths(self, w: Array) -> Array:
        """Euclidean norm of each row."""
        return np.sqrt(np.vecdot(w, w))

    def uniform(self, shape: tuple[int, ...]) -> Array:
        """Independent draws between 0 and 1."""
        return self.rng.random(shape)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """Zeros."""
        return np.zeros(shape, dtype=self.dtype)

    def asarray(self, values: Any) -> Array:
        """Move NumPy values to where the chains live."""
        return np.asarray(values, dtype=self.dtype)

    def numpy(self, values: Array) -> np.ndarray[Any, Any]:
        """Move values of the chains to NumPy."""
        return np.asarray(values)

    def batches(self, samples: int, size: int) -> Batches:
        """Mini-batches of this size; they belong to the run, so that a run repeats itself."""
        if size not in self._batches:
            self._batches[size] = Batches(samples, size, int(self.rng.integers(2**62)))
        return self._batches[size]

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What was made for this key: views and memory that each step of a run uses again."""
        if key not in self._once:
            self._once[key] = make()
        found: Made = self._once[key]
        return found

    def state(self) -> dict[str, Any]:
        """Everything that decides the next draws, as plain values."""
        return {
            "numpy": self.rng.bit_generator.state,
            "batches": [held.state() for held in self._batches.values()],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        self.rng.bit_generator.state = state["numpy"]
        self._batches = {held[1]: Batches.restored(held) for held in state["batches"]}


def arrays_of(target: Any, rng: np.random.Generator) -> Arrays:
    """Where the points of a target live: NumPy unless the target says otherwise."""
    make = getattr(target, "arrays", Arrays)
    found: Arrays = make(rng)
    return found


def value_and_gradient(target: Any, w: Array) -> tuple[Array, Array]:
    """K and its gradient, in one pass where the target has one."""
    both = getattr(target, "value_and_gradient", None)
    if both is not None:
        found: tuple[Array, Array] = both(w)
        return found
    return target.divergence(w), target.gradient(w)
