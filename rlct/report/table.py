"""Tables of architectures as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlct.answers.table import Row, Table

__all__ = ["bounds_text", "contents", "to_text"]


def to_text(table: Table) -> str:
    """Columns for a terminal: the case, d, d/2, λ and θ; what is the same everywhere below.

    Parameters
    ----------
    table : Table
    """
    heads, lines, below = contents(table)
    left = {0} if heads[0] == "architecture" else set()
    left |= {k for k, head in enumerate(heads) if head in ("status", "method")}
    cells = [heads, *lines]
    sizes = [max(len(line[k]) for line in cells) for k in range(len(heads))]
    shown = [
        "  ".join(
            cell.ljust(size) if k in left else cell.rjust(size)
            for k, (cell, size) in enumerate(zip(line, sizes, strict=True))
        ).rstrip()
        for line in cells
    ]
    return "\n".join([*shown, *below])


def contents(table: Table) -> tuple[list[str], list[list[str]], list[str]]:
    """Heads, lines of equal length, and what is said below them.

    Parameters
    ----------
    table : Table
    """
    varying = list(dict.fromkeys(name for row in table.rows for name in row.coordinates))
    places = [tuple(row.coordinates.items()) for row in table.rows]
    # Rows that the ranges tell apart need no name.
    told = len(set(places)) == len(places) and () not in places
    sized = any(row.parameters is not None for row in table.rows)
    heads = [] if told else ["architecture"]
    heads += [*varying, *(["parameters", "d/2"] if sized else []), "λ", "θ"]
    methods = list(dict.fromkeys(row.method for row in table.rows))
    wheres = list(dict.fromkeys(row.where for row in table.rows))
    lines = []
    for row in table.rows:
        line = [] if told else [row.architecture]
        line += [str(row.coordinates.get(name, "")) for name in varying]
        if sized:
            line += ["" if x is None else str(x) for x in (row.parameters, row.half)]
        line += bounds_text(row)
        if not row.exact:
            line.append("bounds")
        if len(methods) > 1:
            line += ["exact"] * row.exact + [row.method]
        lines.append(line)
    if any(len(line) > len(heads) for line in lines):
        heads.append("status")
        if len(methods) > 1:
            heads.append("method")
    lines = [[*line, *[""] * (len(heads) - len(line))] for line in lines]
    shown = []
    if len(methods) == 1:
        shown.append(f"by {methods[0]}")
    if len(wheres) > 1:
        shown.append("asked at different kinds of parameter:")
    shown += wheres
    if table.left_out:
        count, first = len(table.left_out), table.left_out[0]["reason"]
        shown.append(f"{count} case{'s' * (count > 1)} left out, the first: {first}")
    shown += [f"note: {note}" for note in table.notes]
    return heads, lines, shown


def bounds_text(row: Row) -> list[str]:
    """λ and θ of a row; intervals where they are not settled."""
    low, high = row.lower, row.upper
    if low is not None and high is not None and low.lam == high.lam:
        # More singular means larger θ, so the upper pair has the smaller one.
        theta = str(low.theta) if low == high else f"{high.theta}..{low.theta}"
        return [str(low.lam), theta]
    bottom = "0" if low is None else str(low.lam)
    return [f"{bottom}..{'∞' if high is None else high.lam}", ""]
