"""Tables of architectures as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rlct.answers.table import Row, Table


def table_text(table: Table) -> str:
    """Columns for a terminal: the case, d, d/2, λ and θ; what is the same everywhere below."""
    return aligned_text(*table_cells(table))


def aligned_text(header_cells: list[str], lines: list[list[str]], notes_below: list[str]) -> str:
    """Columns of words to the left, of numbers to the right, and lines below them.

    >>> print(aligned_text(["status", "n"], [["exact", "10"], ["bounds", "5"]], ["below"]))
    status   n
    exact   10
    bounds   5
    below
    """
    left_columns = {0} if header_cells[0] == "architecture" else set()
    left_columns |= {k for k, head in enumerate(header_cells) if head in ("status", "method")}
    cells = [header_cells, *lines]
    sizes = [max(len(line[k]) for line in cells) for k in range(len(header_cells))]
    shown = [
        "  ".join(
            cell.ljust(size) if k in left_columns else cell.rjust(size)
            for k, (cell, size) in enumerate(zip(line, sizes, strict=True))
        ).rstrip()
        for line in cells
    ]
    return "\n".join([*shown, *notes_below])


def table_cells(table: Table) -> tuple[list[str], list[list[str]], list[str]]:
    """Heads, lines of equal length, and what is said below them."""
    varying_names = list(dict.fromkeys(name for row in table.rows for name in row.coordinates))
    places = [tuple(row.coordinates.items()) for row in table.rows]
    # Rows with different coordinates need no name.
    named_by_coordinates = len(set(places)) == len(places) and () not in places
    has_counts = any(row.parameters is not None for row in table.rows)
    header_cells = [] if named_by_coordinates else ["architecture"]
    header_cells += [*varying_names, *(["parameters", "d/2"] if has_counts else []), "λ", "θ"]
    methods = list(dict.fromkeys(row.method for row in table.rows))
    row_places = list(dict.fromkeys(row.where for row in table.rows))
    lines = []
    for row in table.rows:
        line = [] if named_by_coordinates else [row.architecture]
        line += [str(row.coordinates.get(name, "")) for name in varying_names]
        if has_counts:
            line += ["" if x is None else str(x) for x in (row.parameters, row.half)]
        line += bounds_text(row)
        if not row.exact:
            line.append("bounds")
        if len(methods) > 1:
            line += ["exact"] * row.exact + [row.method]
        lines.append(line)
    if any(len(line) > len(header_cells) for line in lines):
        header_cells.append("status")
        if len(methods) > 1:
            header_cells.append("method")
    lines = [[*line, *[""] * (len(header_cells) - len(line))] for line in lines]
    notes_below = []
    if len(methods) == 1:
        notes_below.append(f"by {methods[0]}")
    assumption_sets = list(dict.fromkeys(row.assumptions for row in table.rows))
    if any(assumption_sets):
        union = dict.fromkeys(text for assumptions in assumption_sets for text in assumptions)
        some = " (not every row needs all)" if len(assumption_sets) > 1 else ""
        notes_below.append(f"if: {' and '.join(union)}{some}")
    if len(row_places) > 1:
        notes_below.append("asked at different kinds of parameter:")
    notes_below += row_places
    if table.left_out:
        count, first = len(table.left_out), table.left_out[0]["reason"]
        notes_below.append(f"{count} case{'s' * (count > 1)} left out, the first: {first}")
    notes_below += [f"note: {note}" for note in table.notes]
    return header_cells, lines, notes_below


def bounds_text(row: Row) -> list[str]:
    """λ and θ of a row; intervals where they are not settled."""
    low, high = row.lower, row.upper
    if low is not None and high is not None and low.lam == high.lam:
        # More singular means larger θ, so the upper pair has the smaller one.
        theta = str(low.theta) if low == high else f"{high.theta}..{low.theta}" * bool(high.theta)
        return [str(low.lam), theta]
    bottom = "0" if low is None else str(low.lam)
    return [f"{bottom}..{'∞' if high is None else high.lam}", ""]
