"""The audit of the sources: every numbered formula, with a check that recomputes its evidence.

What a source says, the verdict on it and the reason stand in ``claims``, a file for each source; a
module of this package holds the check of each claim, under ``@row(ID)``.
"""

import difflib
import importlib
import pkgutil
from functools import cache

from rlct.errors import InputError
from validation.audit.row import Row

__all__ = ["all_rows", "get"]


@cache
def all_rows() -> tuple[Row, ...]:
    """Return every row, source by source, in the order of the modules."""
    rows: dict[str, Row] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for value in vars(module).values():
            if not isinstance(value, Row):
                continue
            if value.id in rows:
                raise RuntimeError(f"two rows of the audit have the id {value.id}")
            rows[value.id] = value
    return tuple(sorted(rows.values(), key=lambda row: row.source))


def get(name: str) -> Row:
    """Return the row with an id.

    Raises
    ------
    InputError
        If there is none; the message names the nearest ids.

    Examples
    --------
    >>> get("002-theorem-4.2").verdict.value
    'refuted'
    """
    rows = {row.id: row for row in all_rows()}
    if name in rows:
        return rows[name]
    near = difflib.get_close_matches(name, rows, n=3, cutoff=0.3)
    shown = name if len(name) <= 40 else name[:40] + "…"
    hint = f"; nearest: {', '.join(near)}" if near else "; see 'rlct audit --list'"
    raise InputError(f"no row {shown!r}{hint}")
