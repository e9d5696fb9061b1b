"""Pointwise log-likelihoods from files."""

from __future__ import annotations

import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError

__all__ = ["read_log_likelihood"]

_NAME = "log_likelihood"
_OF_THE_DRAW = {"chain", "draw", "iteration", "index"}
_SUFFIXES = (".npy", ".npz", ".csv")


def read_log_likelihood(path: str) -> Any:
    """Read log p(X_i|w) from a file.

    Parameters
    ----------
    path : str
        ``.npy``, mapped and not read into memory; ``.npz`` with one array or with one called
        ``log_likelihood``; ``.csv`` with a line per draw and a column per observation, a
        header or not.  A first line 0, 1, 2, …, as pandas writes it, is a header.

    Returns
    -------
    array, shape (chains, draws, n) or (draws, n)

    Raises
    ------
    InputError
        If the file cannot be read, holds no such array, its lines differ in length, a column
        numbers them, or its name says that it is no observation: chain, draw, iteration or index,
        also with a dot before it, and names that end in ``__``, as Stan's own.
    """
    kind = Path(path).suffix.lower()
    if kind not in _SUFFIXES:
        raise InputError(f"{path} does not end in {', '.join(_SUFFIXES)}")
    try:
        if kind == ".csv":
            return _csv(path)
        if kind == ".npy":
            return np.load(path, mmap_mode="r", allow_pickle=False)
        with np.load(path, allow_pickle=False) as archive:
            return _from_archive(archive, path)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or 'no array'}") from None
    except (ValueError, EOFError, zipfile.BadZipFile):
        raise InputError(f"{path} holds no array of numbers") from None


def _from_archive(archive: Any, path: str) -> Any:
    names = list(archive)
    if _NAME not in names and len(names) != 1:
        shown = ", ".join(names)[:100]
        raise InputError(f"{path} has {len(names)} arrays and none called {_NAME}: {shown}")
    return archive[_NAME if _NAME in names else names[0]]


def _csv(path: str) -> Any:
    text = Path(path).read_text(encoding="utf-8-sig")
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and _is_header(lines[0].split(",")):
        names = [cell.strip(" \"'") for cell in lines.pop(0).split(",")]
        others = [name for name in names if _is_of_the_draw(name)]
        if others:
            shown = ", ".join(others)[:100]
            raise InputError(f"{path}: not observations, leave these columns out: {shown}")
    rows: list[list[float]] = []
    for number, line in enumerate(lines, 1):
        cells = line.split(",")
        bad = next((cell for cell in cells if not _is_number(cell)), None)
        if bad is not None:
            raise InputError(f"{path}: {bad.strip()[:40]!r} in row {number} is not a number")
        rows.append([float(cell) for cell in cells])
        if len(rows[-1]) != len(rows[0]):
            raise InputError(
                f"{path}: row {number} has {len(rows[-1])} columns, the first {len(rows[0])}"
            )
    if not rows:
        raise InputError(f"{path} has no rows")
    found = np.array(rows)
    if found.shape[1] > 1 and len(found) > 1:
        for k, column in enumerate(found.T, 1):
            if _numbers_draws(column.tolist()):
                which = "the first column" if k == 1 else f"column {k}"
                raise InputError(f"{path}: {which} numbers the draws; leave it out (index=False)")
    return found


def _is_header(cells: list[str]) -> bool:
    """Words, or the numbers of columns: as log-likelihoods they would be a draw like no other."""
    if not _is_number(cells[0]):
        return True
    return len(cells) > 1 and all(map(_is_number, cells)) and _counts([*map(float, cells)])


def _counts(values: list[float]) -> bool:
    return values == [*range(len(values))]


def _is_of_the_draw(name: str) -> bool:
    """Whether a column of this name belongs to the draw, not to an observation."""
    return name.endswith("__") or name.lower().lstrip(".") in _OF_THE_DRAW


def _numbers_draws(values: list[float]) -> bool:
    """0, 1, 2, … or 1, 2, 3, … or 1001, 1002, …, which may begin again with each chain."""
    first = values[0]
    if first < 0 or not first.is_integer() or values[1] != first + 1:
        return False
    return all(b == a + 1 or b == first for a, b in pairwise(values))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
