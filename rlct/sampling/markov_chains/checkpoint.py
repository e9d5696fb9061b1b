"""A run in a file, and Ctrl-C between two steps of chains instead of inside one."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays, value_and_gradient
from rlct.sampling.targets.target import DataTarget, Floats, Target
from rlct.system.files import check_folder, replace_file
from rlct.system.interrupts import hold_interrupt

if TYPE_CHECKING:
    from rlct.sampling.markov_chains.kernel import DrawObserver, Kernel

__all__ = [
    "Checkpoint",
    "RunFile",
    "check_file",
    "read_archive",
    "unreadable_archive",
    "write_archive",
]

SECONDS_BETWEEN_SAVES = 30.0  # a convention: so much work is lost at most
PROBES = 3  # points at which a loss is recognised
SAME = 1e-4  # of the largest; single precision repeats itself to 1e-6
MOST_GROUPS = 10_000  # of samples, whose losses are kept


def _probed(target: Target, on: Arrays) -> dict[str, Floats]:
    """K and the size of its gradient at a few points, and losses of samples at one of them.

    Another model or other data differ there.  Of many samples losses are added up in groups.
    """
    rng = np.random.default_rng(0)
    places = on.asarray(0.3 * target.scale * rng.standard_normal((PROBES, target.dimension)))
    places = target.reflect(places)
    k, slope = value_and_gradient(target, places)
    found = {"k": on.numpy(k), "slope": on.numpy(on.lengths(slope))}
    if isinstance(target, DataTarget):
        losses = on.numpy(target.pointwise(places[:1]))[0]
        groups = np.array_split(losses, min(len(losses), MOST_GROUPS))
        found["losses"] = np.array([group.sum() for group in groups])
    return {f"probed_{name}": values.astype(float) for name, values in found.items()}


def _alike(one: Floats, other: Floats) -> bool:
    """Whether numbers repeat themselves, as those that are none do."""
    known = np.isfinite(one)
    if one.shape != other.shape or (known != np.isfinite(other)).any():
        return False
    gap = np.abs(one[known] - other[known])
    return bool((gap <= SAME * np.abs(one[known]).max(initial=0.0)).all())


def check_file(path: str | Path) -> Path:
    """Refuse what cannot be a checkpoint by its name, or has no folder to lie in."""
    file = Path(path)
    if file.suffix != ".npz":
        raise InputError(f"a checkpoint is an .npz file: {str(path)!r} is not one")
    check_folder(file)
    return file


def unreadable_archive(path: Path, kind: str) -> InputError:
    """One line for an archive that does not hold what it should."""
    return InputError(
        f"{path} cannot be read as {kind}: it is damaged or no such file; name another or remove it"
    )


def read_archive(path: Path, kind: str) -> dict[str, Any]:
    """Arrays of an ``.npz`` file by name; InputError if it is none."""
    try:
        # NumPy does not close a file of its own that turns out to be damaged.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as held:
            return {name: held[name] for name in held.files}
    except Exception:  # a damaged archive raises whatever it likes
        raise unreadable_archive(path, kind) from None


def write_archive(path: Path, content: Mapping[str, Any]) -> None:
    """Replace an ``.npz`` file as a whole; Ctrl-C waits for it."""
    try:
        with hold_interrupt(), replace_file(path) as stream:
            np.savez(stream, **content)
    except OSError as problem:
        raise InputError(f"cannot write {path}: {problem.strerror}") from None


class RunFile:
    """Arrays of one run in an ``.npz`` file, replaced atomically.

    A file belongs to a run if settings, seed, and the loss at a few points are the same.

    Parameters
    ----------
    path : path
    target : Target
    on : Arrays
        Of the run: its random numbers before the first step tell one seed from another.
    settings : mapping
        What else identifies the run, by name.
    """

    def __init__(
        self, path: str | Path, target: Target, on: Arrays, settings: Mapping[str, Any]
    ) -> None:
        self.path = check_file(path)
        self.arrays = on
        self.key = json.dumps({**settings, "seed": on.state()})
        self.probed = _probed(target, on)
        self.saved = time.monotonic()

    @contextmanager
    def read(self) -> Iterator[dict[str, Any] | None]:
        """What the file holds, None without one; the random numbers go on from there.

        Whatever is missing or wrong inside the block makes it no checkpoint.
        """
        if not self.path.exists():
            yield None
            return
        try:
            file_content = read_archive(self.path, "a checkpoint")
            # Settings that are found, as steps are, differ on other data, too.
            if not all(_alike(values, file_content[name]) for name, values in self.probed.items()):
                raise InputError(
                    f"{self.path} holds a run on another loss or other data: name another file or "
                    "remove it"
                )
            if str(file_content["key"]) != self.key:
                others = self._others(file_content)
                raise InputError(
                    f"{self.path} holds a run with other settings ({others}): name another file or "
                    "remove it"
                )
            yield file_content
            self.arrays.restore(json.loads(str(file_content["random"])))
        except (ValueError, KeyError, TypeError, IndexError) as problem:
            if isinstance(problem, InputError):
                raise
            raise InputError(f"{self.path} is not a checkpoint of such a run") from None

    def _others(self, found: Mapping[str, Any]) -> str:
        """Names of the settings that differ from those of the file."""
        held, own = (json.loads(str(key)) for key in (found["key"], self.key))
        if not isinstance(held, dict) or held.keys() != own.keys():
            return "method or version"
        names = [name for name in own if held[name] != own[name]]
        # Of these others follow.
        return next((name for name in names if name in ("method", "num_draws")), ", ".join(names))

    @property
    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self.saved >= SECONDS_BETWEEN_SAVES

    def random(self) -> Floats:
        """The random numbers as they are now, for the file."""
        return np.array(json.dumps(self.arrays.state()))

    def write(self, content: dict[str, Any]) -> None:
        """Replace the file; ``content`` holds ``random``, too."""
        write_archive(self.path, {"key": np.array(self.key), **self.probed, **content})
        self.saved = time.monotonic()


class Checkpoint:
    """State of a kernel, draws and random numbers in a file.

    Parameters
    ----------
    path : path
    kernel : Kernel
    lengths : (int, int, int)
        Draws, burn-in and thinning; with the kernel's settings they identify the run.
    observer : DrawObserver, optional
        Kept, too.
    """

    def __init__(
        self,
        path: str | Path,
        kernel: Kernel,
        lengths: tuple[int, int, int],
        observer: DrawObserver | None = None,
    ) -> None:
        self.kernel, self.observer = kernel, observer
        self.posterior = posterior = kernel.posterior
        settings = {"method": kernel.name, **posterior.settings()}
        settings |= dict(zip(("num_draws", "num_burnin", "thin"), lengths, strict=True))
        settings |= {"lr": kernel.sizes().tolist(), **kernel.notes()}
        if observer is not None:
            settings |= observer.settings()
        self.file = RunFile(path, posterior.target, posterior.arrays, settings)

    def load(self, record: dict[str, Floats]) -> int:
        """Fill the record and the kernel from the file, if there is one; steps done so far."""
        with self.file.read() as file_content:
            if file_content is None:
                return 0
            for name, values in record.items():
                values[...] = file_content[f"record_{name}"]
            for prefix, part in (("kernel_", self.kernel), ("observer_", self.observer)):
                if part is not None:
                    skip = len(prefix)
                    part.restore(
                        {n[skip:]: v for n, v in file_content.items() if n.startswith(prefix)}
                    )
            self.posterior.gradients = int(file_content["gradients"])
            return int(file_content["done"])

    def save(self, done: int, record: dict[str, Floats], *, now: bool) -> None:
        """Write the file if it is time to, or ``now``."""
        if not now and not self.file.due:
            return
        content: dict[str, Any] = {f"record_{name}": values for name, values in record.items()}
        content |= {f"kernel_{name}": values for name, values in self.kernel.state().items()}
        if self.observer is not None:
            content |= {f"observer_{name}": v for name, v in self.observer.state().items()}
        content["gradients"], content["done"] = self.posterior.gradients, done
        self.file.write(content | {"random": self.file.random()})
