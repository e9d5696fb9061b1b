"""A run of chains in a file, and Ctrl-C between two steps instead of inside one."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.target import Floats

if TYPE_CHECKING:
    from rlct.sampling.chains import Kernel, Observer
    from rlct.sampling.posterior import TemperedPosterior

__all__ = ["Checkpoint", "deferred_interrupt"]

SECONDS_BETWEEN_SAVES = 30.0
PROBES = 3  # points at which a loss is recognised
SAME = 1e-4  # of the largest; single precision repeats itself to 1e-6


@contextmanager
def deferred_interrupt() -> Iterator[list[int]]:
    """Note the first Ctrl-C in the list that is yielded; a second one interrupts at once.

    A kernel that is stopped inside a step has moved half of its state, and neither its draws nor
    its file would be worth anything.  Outside the main thread nothing is deferred.
    """
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number: int, frame: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


def _probed(posterior: TemperedPosterior) -> Floats:
    """K and the size of its gradient at a few points: another model or other data differ there."""
    on, target = posterior.arrays, posterior.target
    rng = np.random.default_rng(0)
    places = on.asarray(0.3 * target.scale * rng.standard_normal((PROBES, target.dimension)))
    k, slope = value_and_gradient(target, target.reflect(places))
    return np.asarray([on.numpy(k), on.numpy(on.lengths(slope))], dtype=float)


def _alike(one: Floats, other: Floats) -> bool:
    size = np.nanmax(np.abs(one), axis=1, initial=0.0)
    gap = np.abs(one - other)
    return one.shape == other.shape and bool((~(gap > SAME * size[:, None])).all())


class Checkpoint:
    """State of a kernel, draws and random numbers in one ``.npz`` file, replaced atomically.

    A file belongs to a run if settings, seed, and the loss at a few points are the same.

    Parameters
    ----------
    path : path
    kernel : Kernel
    lengths : (int, int, int)
        Draws, burn-in and thinning; with the kernel's settings they identify the run.
    observer : Observer, optional
        Kept, too.
    """

    def __init__(
        self,
        path: str | Path,
        kernel: Kernel,
        lengths: tuple[int, int, int],
        observer: Observer | None = None,
    ) -> None:
        self.path = Path(path)
        if self.path.suffix != ".npz":
            raise InputError(f"a checkpoint is an .npz file: {self.path.name} is not one")
        self.kernel, self.observer = kernel, observer
        self.posterior = kernel.posterior
        settings = [*kernel.posterior.settings(), kernel.sizes().tolist(), kernel.notes()]
        if observer is not None:
            settings += observer.settings()
        # The random numbers before the first step tell one seed from another.
        begin = self.posterior.arrays.state()
        self.key = json.dumps([kernel.name, *kernel.posterior.shape, *lengths, *settings, begin])
        self.probed = _probed(self.posterior)
        self.saved = time.monotonic()

    def load(self, record: dict[str, Floats]) -> int:
        """Fill the record and the kernel from the file, if there is one; steps done so far."""
        if not self.path.exists():
            if not self.path.parent.is_dir():
                raise InputError(f"cannot write {self.path}: there is no such folder")
            return 0
        try:
            with np.load(self.path, allow_pickle=False) as held:
                found = {name: held[name] for name in held.files}
            key, done = str(found["key"]), int(found["done"])
            if key != self.key:
                raise InputError(
                    f"{self.path} holds a run with other settings: name another file or remove it"
                )
            if not _alike(self.probed, found["probed"]):
                raise InputError(
                    f"{self.path} holds a run on another loss or other data: name another file or "
                    "remove it"
                )
            for name, values in record.items():
                values[...] = found[f"record_{name}"]
            for prefix, part in (("kernel_", self.kernel), ("observer_", self.observer)):
                if part is not None:
                    skip = len(prefix)
                    part.restore({n[skip:]: v for n, v in found.items() if n.startswith(prefix)})
            self.posterior.gradients = int(found["gradients"])
            self.posterior.arrays.restore(json.loads(str(found["random"])))
        except (OSError, ValueError, KeyError, EOFError) as problem:
            if isinstance(problem, InputError):
                raise
            raise InputError(f"{self.path} is not a checkpoint of a run of chains") from None
        return done

    def save(self, done: int, record: dict[str, Floats], *, now: bool) -> None:
        """Write the file if it is time to, or ``now``."""
        if not now and time.monotonic() - self.saved < SECONDS_BETWEEN_SAVES:
            return
        content: dict[str, Any] = {f"record_{name}": values for name, values in record.items()}
        content |= {f"kernel_{name}": values for name, values in self.kernel.state().items()}
        if self.observer is not None:
            content |= {f"observer_{name}": v for name, v in self.observer.state().items()}
        content["key"], content["done"] = np.array(self.key), np.array(done)
        content["probed"] = self.probed
        content["gradients"] = np.array(self.posterior.gradients)
        content["random"] = np.array(json.dumps(self.posterior.arrays.state()))
        beside = self.path.with_name(f"{self.path.stem}.part.npz")
        try:
            with beside.open("wb") as stream:
                np.savez(stream, **content)
            os.replace(beside, self.path)
        except OSError as problem:
            raise InputError(f"cannot write {self.path}: {problem.strerror}") from None
        self.saved = time.monotonic()
