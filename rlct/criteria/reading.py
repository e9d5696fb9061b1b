"""Pointwise log-likelihoods from files."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rlct.criteria.pointwise import is_log_likelihood, log_likelihood_of
from rlct.errors import InputError

_LOSS_NAME = "log_likelihood"
_OF_THE_DRAW = {"chain", "draw", "iteration", "index"}
_FILE_SUFFIXES = (".npy", ".npz", ".csv", ".nc")


def read_chains(paths: Sequence[str]) -> Any:
    """Read log p(X_i|w) from a file, or from one for each chain."""
    chain_tables = [read_log_likelihood(path) for path in paths]
    if len(chain_tables) == 1:
        return chain_tables[0]
    for path, table in zip(paths, chain_tables, strict=True):
        if table.ndim != 2 or table.shape != chain_tables[0].shape:
            raise InputError(
                f"{path} has the shape {table.shape} and {paths[0]} {chain_tables[0].shape}: each "
                "file is one chain, all of the same shape"
            )
    return np.stack(chain_tables)


def read_log_likelihood(path: str) -> Any:
    """Read log p(X_i|w) from a file.

    ``.npy`` is mapped and not read into memory; ``.npz`` has one array or one called
    ``log_likelihood``; ``.csv`` a line per draw and a column per observation, a header or not.  A
    first line 0, 1, 2, …, as pandas writes it, is a header.  Lines that begin with # are comments,
    and where columns are called ``log_lik.1`` or ``log_lik[1]``, as Stan does, only these are read.
    ``.nc`` is read as ArviZ writes it (extra ``arviz``).

    InputError if the file cannot be read, holds no such array, its lines differ in length, a column
    numbers them, or its name says that it is no observation: chain, draw, iteration or index, also
    with a dot before it, and names that end in ``__``, as Stan's own.
    """
    kind = Path(path).suffix.lower()
    if kind not in _FILE_SUFFIXES:
        raise InputError(
            f"{path} does not end in {', '.join(_FILE_SUFFIXES)} (a name of posteriordb is no "
            "data: its draws are parameters, without log p(X_i|w))"
        )
    try:
        if kind == ".csv":
            return _csv(path)
        if kind == ".nc":
            return _netcdf(path)
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
    if _LOSS_NAME not in names and len(names) != 1:
        shown = ", ".join(names)[:100]
        raise InputError(f"{path} has {len(names)} arrays and none called {_LOSS_NAME}: {shown}")
    return archive[_LOSS_NAME if _LOSS_NAME in names else names[0]]


def _netcdf(path: str) -> Any:
    try:
        import h5netcdf  # noqa: F401
        import xarray
    except ImportError:
        raise InputError("files .nc are read with xarray: pip install 'rlct[arviz]'") from None
    with xarray.open_datatree(path, engine="h5netcdf") as tree:
        return log_likelihood_of(tree)


def csv_lines(path: str, marks: str = ",") -> list[list[str]]:
    """Cells of the lines of a file, separated by the mark that is most often in the first line.

    Blank lines and comments, which begin with #, are left out.  Where other marks than commas
    separate entries, numbers may have a decimal comma.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
        mark = max(marks, key=lines[0].count) if lines else ","
        cells = list(csv.reader(lines, skipinitialspace=True, delimiter=mark))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is no table of comma-separated values") from None
    if marks == "," and cells and len(cells[0]) == 1 and any(c in cells[0][0] for c in ";\t"):
        raise InputError(f"{path}: entries are separated by commas, and decimals have a point")
    if mark == ",":
        return cells
    return [[re.sub(r"^(\s*-?\d+),(\d+\s*)$", r"\1.\2", cell) for cell in line] for line in cells]


def check_widths(path: str, lines: Sequence[Sequence[str]], first_number: int) -> None:
    """Refuse lines that differ in length, with an `InputError`."""
    for number, line in enumerate(lines, first_number):
        if len(line) != len(lines[0]):
            raise InputError(
                f"{path}: line {number} has {len(line)} entries, the first {len(lines[0])}"
            )


def _csv(path: str) -> Any:
    lines = csv_lines(path)
    named = bool(lines) and _is_header(lines[0])
    columns = _columns_of(path, lines[0] if named else [])
    body = lines[named:]
    check_widths(path, lines if columns else body, 1 if columns else 1 + named)
    columns = columns or list(range(len(body[0]) if body else 0))
    rows: list[list[float]] = []
    for number, line in enumerate(body, 1 + named):
        cells = [line[k] for k in columns]
        bad = next((cell for cell in cells if not is_number(cell)), None)
        if bad is not None:
            raise InputError(f"{path}: {bad.strip()[:40]!r} in line {number} is not a number")
        rows.append([float(cell) for cell in cells])
    if not rows:
        raise InputError(f"{path} has no rows")
    losses = np.array(rows)
    if losses.shape[1] > 1 and len(losses) > 1:
        for k, column in zip(columns, losses.T, strict=True):
            if _numbers_draws(column.tolist()):
                which = f"column {k + 1}" if k else "the first column"
                raise InputError(f"{path}: {which} numbers the draws; leave it out (index=False)")
    return losses


def _columns_of(path: str, names: Sequence[str]) -> list[int]:
    """Places of the log-likelihoods where some columns are called so."""
    chosen = [k for k, name in enumerate(names) if is_log_likelihood(name.strip(" '"))]
    draw_names = [name for name in names if _is_of_the_draw(name.strip(" '"))]
    if draw_names and not chosen:
        raise InputError(
            f"{path} has no log_lik; not observations, leave these columns out: "
            f"{', '.join(draw_names)[:100]}"
        )
    return chosen


def _is_header(cells: list[str]) -> bool:
    """Words, or the numbers of columns: as log-likelihoods they would be a draw like no other."""
    if not is_number(cells[0]):
        return True
    return len(cells) > 1 and all(map(is_number, cells)) and _counts([*map(float, cells)])


def _counts(values: list[float]) -> bool:
    return values == [*range(len(values))]


def _is_of_the_draw(name: str) -> bool:
    """Whether a column of this name belongs to the draw, not to an observation."""
    return name.endswith("__") or name.lower().lstrip(".") in _OF_THE_DRAW


def _numbers_draws(values: Sequence[float]) -> bool:
    """Whether they are 0, 1, 2, … or 1, 2, 3, … or 1001, 1002, …, which may begin again."""
    first = values[0]
    if first < 0 or not first.is_integer() or values[1] != first + 1:
        return False
    return all(b == a + 1 or b == first for a, b in pairwise(values))


def is_number(cell: str) -> bool:
    """Whether it is one, also nan."""
    try:
        float(cell)
    except ValueError:
        return False
    return True
