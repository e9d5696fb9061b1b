"""A run in a file, from which a killed one goes on."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays, value_and_gradient
from rlct.sampling.targets.target import DataTarget, Floats, Target
from rlct.system.files import check_folder, replace_file
from rlct.system.interrupts import hold_interrupt

SECONDS_BETWEEN_SAVES = 30.0  # a convention: so much work is lost at most
PROBE_POINTS = 3  # points at which a loss is recognised
SAME_LOSSES = 1e-4  # of the largest; single precision repeats itself to 1e-6
MOST_GROUPS = 10_000  # of samples, whose losses are kept


def probed_losses(target: Target, on: Arrays) -> dict[str, Floats]:
    """K and the size of its gradient at a few points, and losses of samples at one of them.

    Another model or other data differ there.  Of many samples losses are added up in groups.
    """
    rng = np.random.default_rng(0)
    places = on.asarray(0.3 * target.scale * rng.standard_normal((PROBE_POINTS, target.dimension)))
    places = target.reflect(places)
    k, slope = value_and_gradient(target, places)
    probed = {"k": on.numpy(k), "slope": on.numpy(on.lengths(slope))}
    if isinstance(target, DataTarget):
        losses = on.numpy(target.pointwise(places[:1]))[0]
        groups = np.array_split(losses, min(len(losses), MOST_GROUPS))
        probed["losses"] = np.array([group.sum() for group in groups])
    return probed


def _alike(held_losses: Floats, own_losses: Floats) -> bool:
    """Whether numbers repeat themselves, as those that are none do."""
    is_finite = np.isfinite(held_losses)
    if held_losses.shape != own_losses.shape or (is_finite != np.isfinite(own_losses)).any():
        return False
    gap = np.abs(held_losses[is_finite] - own_losses[is_finite])
    return bool((gap <= SAME_LOSSES * np.abs(held_losses[is_finite]).max(initial=0.0)).all())


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

    A file belongs to a run if settings, seed, and the loss at a few points are the same.  Settings
    go by name; random numbers before the first step tell seeds apart.  Losses are those of
    `probed_losses`.
    """

    def __init__(
        self, path: str | Path, settings: Mapping[str, Any], probed: Mapping[str, Floats]
    ) -> None:
        self.path = check_file(path)
        self.key = json.dumps(settings)
        self.probed = {f"probed_{name}": np.asarray(v, float) for name, v in probed.items()}
        self.saved = time.monotonic()

    @contextmanager
    def read(self) -> Iterator[dict[str, Any] | None]:
        """What the file holds, None without one.

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
        except (ValueError, KeyError, TypeError, IndexError) as problem:
            if isinstance(problem, InputError):
                raise
            raise InputError(
                f"{self.path} is not a checkpoint of such a run, or of another version: name "
                "another file or remove it"
            ) from None

    def _others(self, content: Mapping[str, Any]) -> str:
        """Names of the settings that differ from those of the file."""
        held, own = (json.loads(str(key)) for key in (content["key"], self.key))
        if not isinstance(held, dict) or held.keys() != own.keys():
            return "method or version"
        names = [name for name in own if held[name] != own[name]]
        # Of these others follow.
        return next((name for name in names if name in ("method", "num_draws")), ", ".join(names))

    @property
    def due(self) -> bool:
        """Whether it is time to write again."""
        return time.monotonic() - self.saved >= SECONDS_BETWEEN_SAVES

    def write(self, content: dict[str, Any]) -> None:
        """Replace the file."""
        write_archive(self.path, {"key": np.array(self.key), **self.probed, **content})
        self.saved = time.monotonic()
