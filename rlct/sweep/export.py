"""The table of a sweep: a row per question, as CSV or Parquet."""

import csv
import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from io import TextIOWrapper
from itertools import islice
from typing import IO, Any, Final

from rlct.errors import InputError
from rlct.sweep.grid import Grid, Value
from rlct.sweep.store import Store

#: Columns after the parameters; ``lambda`` is exact where the answer is, ``value`` a decimal.
ROW_COLUMNS: Final = (
    "status",
    "lambda",
    "theta",
    "lower",
    "upper",
    "value",
    "method",
    "seconds",
    "message",
    "assumptions",
)
_GROUP_ROWS: Final = 100_000  # rows of a Parquet row group


def answer_rows(grid: Grid, store: Store, sweep: int) -> Iterator[tuple[Any, ...]]:
    """Yield the parameters of each answered question and its `ROW_COLUMNS`."""
    for number, *short, assumptions, seconds, message in store.rows(sweep):
        status, lam, theta, lower, upper, method = short
        values = tuple(_cell(value) for value in grid.values(number).values())
        answer = (status, lam, theta, lower, upper, lam and _decimal(lam), method)
        yield (*values, *answer, seconds, message, _assumed(method, assumptions))


def _cell(value: Value) -> int | float | str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else value


@lru_cache(maxsize=1 << 10)
def _assumed(method: str | None, assumptions: str | None) -> str | None:
    """What an answer rests on; linear networks that were answered as arrays have no document."""
    if assumptions is None and method == "theorem deep-linear":
        from rlct.theorems import get_theorem

        return "; ".join(get_theorem("deep-linear").assumptions_of({}))
    return "; ".join(map(str, json.loads(assumptions or "null") or ())) or None


@lru_cache(maxsize=1 << 16)
def _decimal(text: str) -> float:
    return float(Fraction(text))


def headings(grid: Grid) -> list[str]:
    """Name the columns; a parameter with the name of an answer's column gets an underscore."""
    return [f"{name}_" if name in ROW_COLUMNS else name for name in grid.names] + list(ROW_COLUMNS)


def write_csv(file: IO[bytes], grid: Grid, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write comma-separated values, empty where nothing is known."""
    text = TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings(grid))
    writer.writerows(rows)
    text.flush()
    text.detach()


def write_parquet(file: IO[bytes], grid: Grid, rows: Iterator[tuple[Any, ...]]) -> None:
    """Write Parquet: whole numbers as int64, decimals as double, other values as text."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError("Parquet needs pyarrow: python -m pip install 'rlct[parquet]'") from None
    kinds = {"theta": pa.int64(), "value": pa.float64(), "seconds": pa.float64()}
    column_types = [_type(grid, name, pa) for name in grid.names]
    column_types += [kinds.get(name, pa.string()) for name in ROW_COLUMNS]
    schema = pa.schema(list(zip(headings(grid), column_types, strict=True)))
    with pq.ParquetWriter(file, schema) as writer:
        while group := list(islice(rows, _GROUP_ROWS)):
            columns = [
                pa.array(
                    map(str, column) if k < len(grid.names) and kind == pa.string() else column,
                    kind,
                )
                for k, (column, kind) in enumerate(
                    zip(zip(*group, strict=True), column_types, strict=True)
                )
            ]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))


def _type(grid: Grid, name: str, pa: Any) -> Any:
    axis = next(axis for axis in grid.axes if name in axis.names)
    k = axis.names.index(name)
    found = {type(row[k]) for row in axis.rows}
    if found == {int} and all(abs(row[k]) < 2**63 for row in axis.rows):  # type: ignore[arg-type]
        return pa.int64()
    return pa.float64() if found <= {int, float} else pa.string()
