"""Maximised log-likelihoods of every size, from data or from fits of another library."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from rlct.criteria.reading import check_widths, csv_lines, is_number
from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError
from rlct.selection.families import get_family
from rlct.selection.fit_readers import read_fit
from rlct.selection.fitters import FAMILY_FITTERS
from rlct.system.options import brief_repr

_FEW_ROWS: Final = 5  # rows whose numbers may be values
_LARGEST_ENTRY: Final = 1e100  # of a table: its square is a number, too
_GAP_TEXTS: Final = {"", "NA", "N/A", "NaN", "null", "NULL", "None", "."}


@dataclass(frozen=True)
class FittedSizes:
    """What a family was fitted to, and how well."""

    #: By size.
    log_likelihood: Mapping[int, float]
    #: Number of observations, where it is known.
    n: int | None = None
    #: What all sizes share, as far as the data tell.
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamedTable:
    """Observations in rows, with the names of the columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> FloatArray:
        return np.array(self.rows, dtype=dtype)


def read_observations(path: str) -> NamedTable:
    """Read a CSV file with a line of names and a line for each observation.

    An empty entry or NA is a gap; InputError if an entry is text, or there are no names.
    """
    lines = csv_lines(path)
    if len(lines) < 2:
        raise InputError(f"{path} needs a line of names and lines of numbers below it")
    check_widths(path, lines, 1)
    columns, *entries = lines
    if all(map(is_number, columns)):
        raise InputError(f"{path}: the first line holds numbers: put names of the columns above it")
    rows = []
    for number, line in enumerate(entries, 2):
        cells = ["nan" if cell.strip() in _GAP_TEXTS else cell for cell in line]
        bad = next((k for k, cell in enumerate(cells) if not is_number(cell)), None)
        if bad is not None:
            raise InputError(
                f"{path}: {cells[bad][:40]!r} in line {number} is no number: leave column "
                f"{columns[bad]!r} out, or number its categories"
            )
        rows.append(tuple(map(float, cells)))
    return NamedTable(tuple(columns), tuple(rows))


def read_fits(
    fits: Sequence[Any], n: int | None, facts: Mapping[str, Any]
) -> tuple[str, FittedSizes]:
    """Family and log-likelihoods of fitted objects of other libraries, as `read_fit` does it.

    InputError if one of them cannot be read, differs from the first in more than its size, or does
    not tell what neither ``n`` nor ``facts`` do.
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
        if read_one.size in log_likelihoods:
            raise InputError(f"two fits have size {read_one.size}: give the better one")
        if read_one.doubt:
            notes.append(f"the fit of size {read_one.size} {read_one.doubt}")
        log_likelihoods[read_one.size] = read_one.in_all(n)
    check_same(shared_facts, facts)
    return family, FittedSizes(log_likelihoods, seen_n, shared_facts, tuple(notes))


def check_same(seen_facts: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Refuse facts that are not those of the data or the fits, with an `InputError`."""
    for name, seen in seen_facts.items():
        if name != "categories" and facts.get(name, seen) != seen:
            raise InputError(f"{name} of the data is {seen}, not {brief_repr(facts[name])}")


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

    Ctrl-C keeps the sizes that are done.  KeyboardInterrupt before the first one is done.
    """
    if family not in FAMILY_FITTERS or facts.get("covariance") == "known":
        raise InputError(
            f"{family} is not fitted here: give the maximised log-likelihood of each size, as in "
            "{1: -320.5, 2: -310.2}, or --log-likelihood=-320.5,-310.2"
        )
    sized_fitter = FAMILY_FITTERS[family]
    table = _table_of(data)
    shared_facts = sized_fitter.facts_of(table, facts)
    check_same(shared_facts, facts)
    chosen_family, all_facts = get_family(family), {**facts, **shared_facts}
    chosen_family.check_sizes(all_facts, sizes)
    for size in sizes[:1]:  # a fact that is wrong is refused before the work
        chosen_family.cell(all_facts, size, size)
    if counted := sized_fitter.counted:
        whole = counted == "observations"
        count = len(table if whole else np.unique(table, axis=0))
        for size in sizes:
            if not 1 <= size <= count - whole:  # as many components as observations fit nothing
                what = chosen_family.size
                raise InputError(f"{size} {what} of {count} {counted} cannot be fitted")
    sized_fitter.load()
    log_likelihoods: dict[int, float] = {}
    notes = []
    try:
        for size_index, size in enumerate(sizes):
            log_likelihoods[size], doubt = sized_fitter.fit(
                table, shared_facts, size, restarts, seed
            )
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
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(float), np.nan)
    try:
        table = np.asarray(data, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            "the data hold text, or gaps that are not NaN: give columns of numbers alone"
        ) from None
    if table.ndim != 2 or not table.size:
        raise InputError(
            f"data have rows of observations and columns, not the shape {table.shape}; one column "
            "is data.reshape(-1, 1)"
        )
    n, variables = table.shape

    def column(bad_column: int) -> str:
        return names[bad_column] if names and names[bad_column] else f"column {bad_column + 1}"

    bad_places = np.argwhere(~(np.abs(table) < _LARGEST_ENTRY))
    if len(bad_places):
        row, bad_column = bad_places[0].tolist()
        if np.isfinite(entry := table[row, bad_column]):
            raise InputError(
                f"row {row + 1} has {entry:g} in {column(bad_column)}: write it in another unit, "
                f"below {_LARGEST_ENTRY:g}"
            )
        raise InputError(
            f"row {row + 1} has no number in {column(bad_column)}, gaps in all: "
            f"{len(bad_places)}; drop or fill such rows"
        )
    constant = np.flatnonzero(table.std(axis=0) <= 1e-12 * np.abs(table).max(axis=0))
    if len(constant):
        raise InputError(f"{column(int(constant[0]))} has one value alone: leave it out")
    if n <= variables:
        raise InputError(
            f"{n} rows are too few for {variables} columns: the likelihood is unbounded"
        )
    for bad_column in range(variables):
        if n > _FEW_ROWS and (np.diff(table[:, bad_column]) == 1).all():
            raise InputError(f"{column(bad_column)} numbers the rows: leave it out")
    return table
