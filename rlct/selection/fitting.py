"""Maximised log-likelihoods of every size, from data or from fits of another library."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.selection.fit_readers import read_fit
from rlct.selection.fitters import FAMILY_FITTERS

__all__ = ["FittedSizes", "NamedTable", "fit_sizes", "read_fits", "read_observations"]


@dataclass(frozen=True)
class FittedSizes:
    """What a family was fitted to, and how well.

    Parameters
    ----------
    log_likelihood : mapping
        By size.
    n : int or None
        Number of observations, where it is known.
    facts : mapping
        What all sizes share, as far as the data tell.
    warnings : tuple of str
    """

    log_likelihood: Mapping[int, float]
    n: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamedTable:
    """Observations in rows, with the names of the columns.

    Parameters
    ----------
    columns : tuple of str
    rows : tuple of tuple of float
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.rows, dtype=dtype)


def read_observations(path: str) -> NamedTable:
    """Read a CSV file with a line of names and a line for each observation.

    Raises
    ------
    InputError
        If it cannot be read, or an entry is text.  An empty entry is a gap.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if line]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error):
        raise InputError(f"{path} is no table of comma-separated values") from None
    if len(lines) < 2:
        raise InputError(f"{path} needs a line of names and lines of numbers below it")
    columns, *entries = lines
    rows = []
    for number, line in enumerate(entries, 2):
        if len(line) != len(columns):
            raise InputError(
                f"{path}: line {number} has {len(line)} entries, the first {len(columns)}"
            )
        try:
            rows.append(tuple(float(entry) if entry.strip() else math.nan for entry in line))
        except ValueError:
            raise InputError(
                f"{path}: line {number} holds text: leave out columns that are no numbers"
            ) from None
    return NamedTable(tuple(columns), tuple(rows))


def read_fits(
    fits: Sequence[Any], n: int | None, facts: Mapping[str, Any]
) -> tuple[str, FittedSizes]:
    """Family and log-likelihoods of fitted objects of other libraries, as `read_fit` does it.

    Raises
    ------
    InputError
        If one of them cannot be read, differs from the first in more than its size, or does not
        tell what neither ``n`` nor ``facts`` do.
    """
    read_ones = [read_fit(fit) for fit in fits]
    if not read_ones:
        raise InputError("the list of fits is empty")
    kind = read_ones[0].kind
    family, shared_facts, seen_n = kind
    given = {"n": n, **facts}
    log_likelihoods: dict[int, float] = {}
    notes = []
    for read_one in read_ones:
        if read_one.kind != kind:
            raise InputError(
                "the fits differ in kind, variables, covariance_type or number of observations"
            )
        if missing := [name for name in read_one.needed if given.get(name) is None]:
            raise InputError(f"{read_one.reason}, name {' and '.join(missing)}")
        if read_one.mean and n is None:
            raise InputError("name the number of observations, n")
        if None not in (n, seen_n) and n != seen_n:
            raise InputError(f"n = {n}, but the fits are of {seen_n} observations: leave n out")
        if read_one.size in log_likelihoods:
            raise InputError(f"two fits have size {read_one.size}: give the better one")
        if read_one.doubt:
            notes.append(f"the fit of size {read_one.size} {read_one.doubt}")
        share = (n or 1) if read_one.mean else 1
        log_likelihoods[read_one.size] = share * read_one.log_likelihood
    return family, FittedSizes(log_likelihoods, seen_n, shared_facts, tuple(notes))


def fit_sizes(
    data: Any,
    family: str,
    sizes: Sequence[int],
    *,
    facts: Mapping[str, Any],
    restarts: int,
    seed: int,
    progress: Callable[[float, str], object] | None,
) -> FittedSizes:
    """Fit every size to a table of observations, from several starts.

    Ctrl-C keeps the sizes that are done.

    Raises
    ------
    InputError
        If the data cannot be fitted, or the family is not fitted here.
    KeyboardInterrupt
        Before the first size is done.
    """
    if family not in FAMILY_FITTERS or facts.get("covariance") == "known":
        raise InputError(
            f"{family} is not fitted here: give the maximised log-likelihood of each size, as in "
            "{1: -320.5, 2: -310.2}"
        )
    fitter = FAMILY_FITTERS[family]
    table = _table_of(data)
    shared_facts = fitter.facts_of(table, facts)
    fitter.load()
    log_likelihoods: dict[int, float] = {}
    notes = []
    try:
        for size_index, size in enumerate(sizes):
            log_likelihoods[size], doubt = fitter.fit(table, shared_facts, size, restarts, seed)
            if doubt:
                notes.append(f"the fit of size {size} {doubt}")
            if progress is not None:
                progress((size_index + 1) / len(sizes), f"size {size}")
    except KeyboardInterrupt:
        if not log_likelihoods:
            raise
        left_out = ", ".join(str(size) for size in sizes if size not in log_likelihoods)
        notes.append(f"interrupted: not fitted were {left_out}")
    return FittedSizes(log_likelihoods, len(table), shared_facts, tuple(notes))


def _table_of(data: Any) -> FloatArray:
    """Rows of observations without gaps, whose columns vary."""
    names = [str(name) for name in getattr(data, "columns", ())]
    try:
        table = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        raise InputError("the data hold text: give columns of numbers alone") from None
    if table.ndim != 2 or not table.size:
        raise InputError(f"data have rows of observations and columns, not the shape {table.shape}")
    n, variables = table.shape

    def column(which: int) -> str:
        return names[which] if names else f"column {which + 1}"

    gaps = np.argwhere(~np.isfinite(table))
    if len(gaps):
        row, which = gaps[0].tolist()
        raise InputError(
            f"row {row + 1} has no number in {column(which)}, and {len(gaps) - 1} other entries "
            "have none: drop or fill such rows"
        )
    constant = np.flatnonzero(table.std(axis=0) <= 1e-12 * np.abs(table).max(axis=0))
    if len(constant):
        raise InputError(f"{column(int(constant[0]))} has one value alone: leave it out")
    if n <= variables:
        raise InputError(
            f"{n} rows are too few for {variables} columns: the likelihood is unbounded"
        )
    return table
