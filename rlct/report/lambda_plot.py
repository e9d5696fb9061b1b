"""λ against width, depth or rank, with d/2 beside it; or architectures side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rlct.errors import InputError
from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    SERIES_STYLES,
    new_figure,
    tidy_axes,
)

if TYPE_CHECKING:
    from rlct.answers.table import Row, Table

_MOST_SERIES: Final = len(SERIES_STYLES)
_MOST_ROWS: Final = 40  # that fit on a page
_MANY_POINTS: Final = 40  # points of a line beyond which it has no markers
_WIDE_RATIO: Final = 15  # of the largest d/2 to the least λ beyond which the axis is logarithmic
_AXIS_LABELS: Final = {"rank": "rank of the true map", "layers": "layers of weights"}


def draw_table(table: Table, against: str | None = None) -> Any:
    """Draw a table against a coordinate, that with most values by default, or row by row."""
    ends = [
        f"{row.architecture}: λ = {row.lower.lam}, d/2 = {row.half}"
        for row in (table.rows[0], table.rows[-1])
        if row.lower is not None and row.exact
    ]
    alt = "; ".join((f"λ and d/2 of {len(table.rows)} architectures", *ends))
    if not any(row.coordinates for row in table.rows):
        figure = new_figure(6.4, 1.5 + 0.36 * min(len(table.rows), _MOST_ROWS), alt=alt)
        plot_rows(figure.add_subplot(), table)
    else:
        figure = new_figure(6.4, 4.4, alt=alt)
        plot_against(figure.add_subplot(), table, against)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def plot_against(axes: Any, table: Table, coordinate: str | None = None) -> None:
    """Plot λ and d/2 against one coordinate into axes, a line for each value of the others."""
    names = list(dict.fromkeys(name for row in table.rows for name in row.coordinates))
    if not names:
        raise InputError("this table has no range to plot against")
    if coordinate is None:
        coordinate = max(names, key=lambda name: len({r.coordinates.get(name) for r in table.rows}))
    elif coordinate not in names:
        raise InputError(f"a picture is against {' or '.join(names)}, not {coordinate[:40]!r}")
    lines: dict[str, list[Row]] = {}
    for row in table.rows:
        if coordinate not in row.coordinates:
            raise InputError(f"{row.architecture} has no range of {coordinate}: draw it apart")
        coordinate_texts = [f"{k} {v}" for k, v in row.coordinates.items() if k != coordinate]
        label = ", ".join([*([row.family] if row.family else []), *coordinate_texts])
        lines.setdefault(label, []).append(row)
    if len(lines) > _MOST_SERIES:
        raise InputError(f"{len(lines)} lines: a picture shows at most {_MOST_SERIES}")
    for k, (label, rows) in enumerate(lines.items()):
        rows.sort(key=lambda row: row.coordinates[coordinate])
        _line(axes, rows, coordinate, label, k)
    counted_rows = [row for row in table.rows if row.half is not None]
    halves = {(row.coordinates[coordinate], row.half) for row in counted_rows}
    if len({x for x, _ in halves}) == len(halves):
        # One curve serves all lines.
        _half(axes, sorted(halves), "d/2", FAINT_COLOR, "")
    else:
        for k, (label, rows) in enumerate(lines.items()):
            points = [
                (row.coordinates[coordinate], row.half) for row in rows if row in counted_rows
            ]
            _half(axes, points, f"d/2, {label}", *SERIES_STYLES[k][:2])
    _finish(axes, table.rows)
    axes.set_xlabel(_AXIS_LABELS.get(coordinate, coordinate))
    axes.set_ylabel(f"$\\lambda${' and d/2' if counted_rows else ''}")


def _half(axes: Any, points: Sequence[Any], label: str, shade: str, mark: str) -> None:
    axes.plot(
        [x for x, _ in points],
        [float(y) for _, y in points],
        linestyle=(0, (5, 3)),
        color=shade,
        linewidth=1.2,
        marker=mark if len(points) <= _MANY_POINTS else "",
        markerfacecolor="white",
        markersize=5,
        label=label,
        zorder=2,
    )


def _line(axes: Any, rows: Sequence[Row], coordinate: str, label: str, k: int) -> None:
    lam_values = []
    line_color, marker_style, line_style = SERIES_STYLES[k]
    for row in rows:
        pair, high = row.lower, row.upper
        # The line breaks where λ is not settled.
        known = pair is not None and high is not None and pair.lam == high.lam
        lam_values.append(float(pair.lam) if known and pair else math.nan)
    axes.plot(
        [row.coordinates[coordinate] for row in rows],
        lam_values,
        color=line_color,
        marker=marker_style if len(rows) <= _MANY_POINTS else "",
        linestyle=line_style,
        markersize=5,
        linewidth=1.6,
        label=f"$\\lambda$, {label}" if label else "$\\lambda$",
        zorder=3,
    )
    for row, height in zip(rows, lam_values, strict=True):
        if math.isnan(height) and row.upper is not None:
            low = float(row.lower.lam) if row.lower else 0.0
            ends = [low, float(row.upper.lam)]
            axes.plot([row.coordinates[coordinate]] * 2, ends, "_-", color=line_color, zorder=3)


def plot_rows(axes: Any, table: Table) -> None:
    """Plot λ and d/2 of every row into axes, from top to bottom."""
    if len(table.rows) > _MOST_ROWS:
        raise InputError(f"{len(table.rows)} rows: a picture shows at most {_MOST_ROWS}")
    row_heights = range(len(table.rows))
    for y, row in zip(row_heights, table.rows, strict=True):
        low = float(row.lower.lam) if row.lower else 0.0
        if row.half is not None:
            axes.plot([low, float(row.half)], [y, y], color=FAINT_COLOR, linewidth=1, zorder=1)
        if row.upper is not None and float(row.upper.lam) > low:
            axes.plot(
                [low, float(row.upper.lam)], [y, y], color=ACCENT_COLOR, linewidth=4, zorder=2
            )
    known = [(y, r) for y, r in zip(row_heights, table.rows, strict=True) if r.lower is not None]
    axes.plot(
        [float(r.lower.lam) for _, r in known if r.lower],
        [y for y, _ in known],
        "o",
        color=ACCENT_COLOR,
        label="$\\lambda$" if table.status == "exact" else "$\\lambda$, or its bounds",
        zorder=3,
    )
    half_counts = [
        (y, r.half) for y, r in zip(row_heights, table.rows, strict=True) if r.half is not None
    ]
    axes.plot(
        [float(half) for _, half in half_counts],
        [y for y, _ in half_counts],
        "|",
        color=INK_COLOR,
        markersize=11,
        markeredgewidth=1.6,
        label="d/2",
        zorder=3,
    )
    axes.set_yticks(list(row_heights), [row.architecture for row in table.rows], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel(f"$\\lambda${' and d/2' if half_counts else ''}")
    axes.margins(y=0.12)
    tidy_axes(axes, grid="x")


def _finish(axes: Any, rows: Sequence[Row]) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    values = [float(row.lower.lam) for row in rows if row.lower is not None and row.lower.lam]
    halves = [float(row.half) for row in rows if row.half is not None]
    if values and halves and max(halves) > _WIDE_RATIO * min(values):
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
    tidy_axes(axes, integers="x")
