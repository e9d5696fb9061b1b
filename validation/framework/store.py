"""Finished pieces of work, one file each, which no way of ending the process spoils."""

import hashlib
import inspect
import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import rlct
from rlct.system.files import write_whole
from validation.framework.experiment import Data, Experiment, Rows

__all__ = ["Store", "generator", "key", "plain", "rows_by_unit", "unit_text"]

_KEPT_DIGITS = 8


def plain(value: Any) -> Any:
    """Return a JSON value with numbers to eight digits; numpy scalars and arrays become Python's.

    Examples
    --------
    >>> plain({"a": np.float64(1 / 3), "b": np.arange(2)})
    {'a': 0.33333333, 'b': [0, 1]}
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return float(f"{value:.{_KEPT_DIGITS}g}")
    return value


@lru_cache
def _digest(folder: Path) -> str:
    """Digest of the Python files of a folder."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        whole.update(path.read_bytes())
    return whole.hexdigest()


def key(experiment: Experiment, settings: Data, unit: Data) -> str:
    """Return what identifies a piece of work: experiment, code, seed, settings and unit.

    What other code has finished says nothing about this code: a mistake would hide behind it.
    """
    own = Path(inspect.getfile(experiment.run)).parent
    # An experiment may import what lies beside the folder of all experiments.
    whole = next((one for one in own.parents if one.name == "validation"), own)
    code = [_digest(folder) for folder in (Path(rlct.__file__).parent, whole)]
    parts = [experiment.id, experiment.version, experiment.seed, *code, settings, unit]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


def _digest_of(held: Any) -> str:
    text = json.dumps(held, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def unit_text(unit: Data) -> str:
    """Return the text that a piece of work is known by."""
    return json.dumps(plain(dict(unit)), ensure_ascii=False)


def rows_by_unit(experiment: Experiment, settings: Data, rows: Rows) -> dict[str, Data]:
    """Return rows, in the order of their pieces of work, by `unit_text` of these.

    A row that does not say what its piece of work does is of another order of settings, and left
    out.
    """
    pairs = zip(experiment.units(settings), rows, strict=False)
    return {unit_text(unit): row for unit, row in pairs if plain(dict(unit)).items() <= row.items()}


def generator(experiment: Experiment, unit: Data) -> np.random.Generator:
    """Return the random generator of a unit, which does not depend on the order of work."""
    text = json.dumps([experiment.id, unit], sort_keys=True).encode()
    words = np.frombuffer(hashlib.sha256(text).digest()[:16], dtype=np.uint32)
    return np.random.default_rng([experiment.seed, *words.tolist()])


class Store:
    """A folder of results of finished units, made if it does not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def load(self, name: str) -> dict[str, Any] | None:
        """Return ``{"result", "seconds"}`` of a unit, or None if it is not finished.

        A file that is not as `save` left it counts for nothing.
        """
        try:
            held = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
            whole = bool(held.pop("digest") == _digest_of(held))
        except (AttributeError, KeyError, OSError, ValueError):
            return None
        return held if whole else None

    def save(
        self, name: str, result: Data, seconds: float, *, taken_over: bool = False
    ) -> dict[str, Any]:
        """Keep the result of a unit, and return what `load` will.

        The name is from `key`, seconds are of processor time, and ``taken_over`` says that it is of
        an earlier recording, and not of this code.  ValueError if a number is not finite.
        """
        held = plain({"result": dict(result), "seconds": round(seconds, 3)})
        held |= {"taken_over": True} if taken_over else {}
        loaded: dict[str, Any] = json.loads(json.dumps(held, allow_nan=False))
        text = json.dumps({**loaded, "digest": _digest_of(loaded)}, ensure_ascii=False)
        write_whole(self.folder / f"{name}.json", text.encode())
        return loaded
