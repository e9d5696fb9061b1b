"""Tables of observations as they come: names, words, gaps, counts; covariances in their place."""

import math
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from rlct.criteria.inputs import count_of
from rlct.criteria.reading import check_widths, csv_lines, is_number
from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.system.options import brief_repr

_FEW_ROWS: Final = 5  # rows whose numbers may be values
_LARGEST_ENTRY: Final = 1e100  # of a table: its square is a number, too
_MOST_ROWS: Final = 10**7  # rows that a column of counts may stand for
_GAP_TEXTS: Final = {"", "NA", "N/A", "NaN", "nan", "<NA>", "NaT", "null", "NULL", "None", "."}
_ROW_HEADS: Final = {"", "rownames", "row.names", "row_names", "unnamed: 0"}
_COUNT_HEADS: Final = {"freq", "frequency", "count", "counts"}


#: From data, what a family takes and whether covariances do, to rows and n.
TableReader = Callable[[Any, str, bool], tuple[FloatArray, int]]


@dataclass(frozen=True, eq=False)
class NamedTable:
    """Observations in rows; nan is a gap, and words are numbered in the order of the alphabet."""

    columns: tuple[str, ...]
    values: FloatArray
    #: A word of each column that has some.
    words: Mapping[str, str]

    def taken(self, chosen: Sequence[int]) -> "NamedTable":
        """Some columns, in this order."""
        return NamedTable(
            tuple(self.columns[k] for k in chosen), self.values[:, chosen], self.words
        )


def read_observations(path: str) -> NamedTable:
    """Read a file with a line of names and a line for each observation.

    Commas, semicolons or tabs are between the entries.  A first column that names or numbers the
    rows, as R and pandas write it, is left out.  InputError if there are no names.
    """
    lines = csv_lines(path, ",;\t")
    if len(lines) < 2:
        raise InputError(f"{path} needs a line of names and lines of numbers below it")
    columns, *entries = lines
    if all(len(line) == len(columns) + 1 for line in entries) and _differ(entries):
        columns = ["", *columns]
    check_widths(path, [columns, *entries], 1)
    if all(map(is_number, columns)):
        raise InputError(f"{path}: the first line holds numbers: put names of the columns above it")
    table = _named(columns, np.array(entries, dtype=object))
    head = table.columns[0]
    named = head.lower() in _ROW_HEADS or (head in table.words and _differ(entries))
    return table.taken(range(1, len(columns))) if named and len(columns) > 1 else table


def _differ(entries: Sequence[Sequence[str]]) -> bool:
    """Whether the first cells are names of rows."""
    return len({line[0] for line in entries}) == len(entries)


def _named(columns: Iterable[str], cells: Any) -> NamedTable:
    names = tuple(name.strip() for name in columns)
    numbers, words = zip(*map(_numbers, cells.T), strict=True)
    said = {name: word for name, word in zip(names, words, strict=True) if word}
    return NamedTable(names, np.stack(numbers, axis=1), said)


def _numbers(cells: Any) -> tuple[FloatArray, str]:
    """Numbers of a column, nan in its gaps; of words those of the alphabet, with the first word."""
    try:
        return np.asarray(cells, dtype=float), ""
    except (TypeError, ValueError):
        texts = [str(cell).strip() for cell in cells]
    texts = ["nan" if text in _GAP_TEXTS else text for text in texts]
    words = [text for text in texts if not is_number(text)]
    if not words:
        return np.array(texts, dtype=float), ""
    numbers = {text: float(k) for k, text in enumerate(sorted({*texts} - {"nan"}))}
    return np.array([numbers.get(text, math.nan) for text in texts]), words[0]


def named_table(data: Any) -> NamedTable:
    """Read a data frame, an array or nested lists."""
    if isinstance(data, NamedTable):
        return data
    names = [str(name) for name in getattr(data, "columns", ())]
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(float), np.nan)
    try:
        cells = np.asarray(data)
    except ValueError:
        raise InputError("the rows of the data differ in length") from None
    if cells.ndim != 2 or not cells.size:
        raise InputError(
            f"data have rows of observations and columns, not the shape {cells.shape}; one column "
            "is data.reshape(-1, 1)"
        )
    return _named(names or [f"column {k + 1}" for k in range(cells.shape[1])], cells)


def observations_of(
    data: Any,
    takes: str,
    covariances: bool,
    *,
    use: Sequence[str] | str | None,
    drop_missing: bool,
    counts: str | None,
    n: int | None,
) -> tuple[FloatArray, int]:
    """Rows of the ``"numbers"``, ``"categories"`` or ``"counts"`` that a family takes, and n.

    Of a covariance matrix, where the family takes one, rows with this covariance, fewer than n.
    InputError if a table does not do, with the option that helps.
    """
    table = named_table(data)
    used = [name for name in table.columns if name != counts]
    if use is not None:
        used = [str(name).strip() for name in (use.split(",") if isinstance(use, str) else use)]
    for name in (*used, *([] if counts is None else [counts])):
        if name not in table.columns:
            shown = ", ".join(table.columns)
            raise InputError(f"there is no column {brief_repr(name)}: there are {shown}")
    chosen = [table.columns.index(name) for name in used]
    values = table.values
    if values.shape[0] == values.shape[1] > 1 and np.array_equal(values, values.T):
        return _of_covariance(values[np.ix_(chosen, chosen)], covariances, n)
    repeats = None if counts is None else values[:, table.columns.index(counts)]
    table = table.taken(chosen)
    if repeats is None and takes != "numbers" and len(chosen) > 1:
        for name in table.columns:
            if name.lower() in _COUNT_HEADS:
                raise InputError(f"{name} may say how often a row was seen: add --counts {name}")
    _check_columns(table, takes, repeats is not None)
    rows = _rows_of(table, repeats, drop_missing)
    if n not in (None, len(rows)):
        raise InputError(f"n = {n}, but there are {len(rows)} observations: leave n out")
    return rows, len(rows)


def _rows_of(table: NamedTable, repeats: FloatArray | None, drop_missing: bool) -> FloatArray:
    """Rows without gaps, as often as they were seen."""
    values = table.values if repeats is None else np.column_stack([table.values, repeats])
    gaps = np.isnan(values)
    bad_rows = np.flatnonzero(gaps.any(axis=1))
    if len(bad_rows) and not drop_missing:
        first = (*table.columns, "the counts")[int(gaps[bad_rows[0]].argmax())]
        raise InputError(
            f"row {bad_rows[0] + 1} has no value in {first}, gaps in {len(bad_rows)} of "
            f"{len(values)} rows: add --drop-missing, or fill them"
        )
    values = np.delete(values, bad_rows, axis=0)
    if repeats is not None:
        values, counted = values[:, :-1], values[:, -1]
        if (counted < 0).any() or (counted % 1).any() or counted.sum() > _MOST_ROWS:
            raise InputError(f"the counts are no numbers of rows, {_MOST_ROWS} at most")
        values = np.repeat(values, counted.astype(int), axis=0)
    if len(values) < 2:
        raise InputError(f"{len(values)} rows without gaps are too few")
    return values


def _check_columns(table: NamedTable, takes: str, counted: bool) -> None:
    """Refuse columns that the family cannot take, with those that it can."""
    for row, k in np.argwhere(np.abs(table.values) >= _LARGEST_ENTRY)[:1].tolist():
        raise InputError(
            f"row {row + 1} has {table.values[row, k]:g} in {table.columns[k]}: write it in "
            f"another unit, below {_LARGEST_ENTRY:g}"
        )
    reasons = [
        _reason(column[~np.isnan(column)], table.words.get(name, ""), takes, counted)
        for name, column in zip(table.columns, table.values.T, strict=True)
    ]
    if takes == "counts" and not any(reasons):
        reasons[1:] = ["is a second column of counts"] * (len(reasons) - 1)
    if any(reasons):
        first = next(k for k, reason in enumerate(reasons) if reason)
        usable = table.taken([k for k, reason in enumerate(reasons) if not reason])
        gaps = " --drop-missing" if np.isnan(usable.values).any() else ""
        named = f"add --use {shlex.quote(','.join(usable.columns))}{gaps}"
        hint = named if usable.columns else "leave it out"
        raise InputError(f"{table.columns[first]} {reasons[first]}: {hint}")


def _reason(column: FloatArray, word: str, takes: str, counted: bool) -> str:
    """Why a column without its gaps cannot be taken, or nothing."""
    various = len(np.unique(column))
    if word and takes != "categories":
        return f"holds text, as {word[:40]!r}"
    if not various or np.ptp(column) <= 1e-12 * np.abs(column).max():
        return "has one value alone" if various else "has no values"
    if takes == "categories" and not counted and various > len(column) // 4:
        return f"has {various} values, too many for its rows"
    if takes == "counts" and ((column < 0).any() or (column % 1).any()):
        return "holds no counts"
    numbered = len(column) > _FEW_ROWS and bool((np.diff(column) == 1).all())
    return "numbers the rows" if numbered and takes == "numbers" else ""


def _of_covariance(covariance: FloatArray, taken: bool, n: int | None) -> tuple[FloatArray, int]:
    """Rows ±√p L of mean 0, for L Lᵀ the covariance."""
    if not taken:
        raise InputError("a covariance matrix does not do for this family: give observations")
    if n is None:
        raise InputError("a symmetric table is read as a covariance matrix: add --n N")
    try:
        root = math.sqrt(len(covariance)) * np.linalg.cholesky(covariance).T
    except np.linalg.LinAlgError:
        raise InputError("the covariance matrix is not positive definite") from None
    return np.vstack([root, -root]), count_of(n, "the number of observations", 3)
