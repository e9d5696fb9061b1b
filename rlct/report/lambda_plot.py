"""λ against width, depth or rank, with d/2 beside it; or architectures side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rlct.errors import InputError
from rlct.report.picture import ACCENT, FAINT, INK, SERIES, new_figure, tidy

if TYPE_CHECKING:
    from rlct.answers.table import Row, Table

__all__ = ["draw", "plot_against", "plot_rows"]

_MOST_SERIES: Final = len(SERIES)
_MOST_ROWS: Final = 40
_MANY: Final = 40  # points of a line beyond which it has no markers
_RATIO: Final = 15  # of the largest d/2 to the least λ beyond which the axis is logarithmic
_LABELS: Final = {"rank": "rank of the true map", "layers": "layers of weights"}


def draw(table: Table, against: str | None = None) -> Any:
    """Draw a table.

    Parameters
    ----------
    table : Table
    against : str, optional
        The coordinate on the horizontal axis; by default the one with most values.  A table
        without coordinates is drawn row by row.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If there is too much for one picture, or no matplotlib.
    """
    if not any(row.coordinates for row in table.rows):
        figure = new_figure(6.4, 1.5 + 0.36 * min(len(table.rows), _MOST_ROWS))
        plot_rows(figure.add_subplot(), table)
    else:
        figure = new_figure(6.4, 4.4)
        plot_against(figure.add_subplot(), table, against)
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def plot_against(axes: Any, table: Table, against: str | None = None) -> None:
    """Plot λ and d/2 against one coordinate into axes, a line for each value of the others.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    table : Table
    against : str, optional
        As in `draw`.

    Raises
    ------
    InputError
        If there is no such coordinate, or too many lines.
    """
    names = list(dict.fromkeys(name for row in table.rows for name in row.coordinates))
    if not names:
        raise InputError("this table has no range to plot against")
    if against is None:
        against = max(names, key=lambda name: len({r.coordinates.get(name) for r in table.rows}))
    elif against not in names:
        raise InputError(f"a picture is against {' or '.join(names)}, not {against[:40]!r}")
    lines: dict[str, list[Row]] = {}
    for row in table.rows:
        if against not in row.coordinates:
            raise InputError(f"{row.architecture} has no range of {against}: draw it apart")
        lines.setdefault(_label(row, against), []).append(row)
    if len(lines) > _MOST_SERIES:
        raise InputError(f"{len(lines)} lines: a picture shows at most {_MOST_SERIES}")
    for k, (label, rows) in enumerate(lines.items()):
        rows.sort(key=lambda row: row.coordinates[against])
        _line(axes, rows, against, label, k)
    sized = [row for row in table.rows if row.half is not None]
    halves = {(row.coordinates[against], row.half) for row in sized}
    if len({x for x, _ in halves}) == len(halves):
        # One curve serves all lines.
        _half(axes, sorted(halves), "d/2", FAINT, "")
    else:
        for k, (label, rows) in enumerate(lines.items()):
            points = [(row.coordinates[against], row.half) for row in rows if row in sized]
            _half(axes, points, f"d/2, {label}", *SERIES[k][:2])
    _finish(axes, table.rows)
    axes.set_xlabel(_LABELS.get(against, against))
    axes.set_ylabel(f"$\\lambda${' and d/2' if sized else ''}")


def _label(row: Row, against: str) -> str:
    rest = [f"{k} {v}" for k, v in row.coordinates.items() if k != against]
    return ", ".join([*([row.family] if row.family else []), *rest])


def _half(axes: Any, points: Sequence[Any], label: str, shade: str, mark: str) -> None:
    axes.plot(
        [x for x, _ in points],
        [float(y) for _, y in points],
        linestyle=(0, (5, 3)),
        color=shade,
        linewidth=1.2,
        marker=mark if len(points) <= _MANY else "",
        markerfacecolor="white",
        markersize=5,
        label=label,
        zorder=2,
    )


def _line(axes: Any, rows: Sequence[Row], against: str, label: str, k: int) -> None:
    heights = []
    shade, mark, dashes = SERIES[k]
    for row in rows:
        pair, high = row.lower, row.upper
        # The line breaks where λ is not settled.
        known = pair is not None and high is not None and pair.lam == high.lam
        heights.append(float(pair.lam) if known and pair else math.nan)
    axes.plot(
        [row.coordinates[against] for row in rows],
        heights,
        color=shade,
        marker=mark if len(rows) <= _MANY else "",
        linestyle=dashes,
        markersize=5,
        linewidth=1.6,
        label=f"$\\lambda$, {label}" if label else "$\\lambda$",
        zorder=3,
    )
    for row, height in zip(rows, heights, strict=True):
        if math.isnan(height) and row.upper is not None:
            low = float(row.lower.lam) if row.lower else 0.0
            ends = [low, float(row.upper.lam)]
            axes.plot([row.coordinates[against]] * 2, ends, "_-", color=shade, zorder=3)


def plot_rows(axes: Any, table: Table) -> None:
    """Plot λ and d/2 of every row into axes, from top to bottom.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
    table : Table

    Raises
    ------
    InputError
        If there are too many rows.
    """
    if len(table.rows) > _MOST_ROWS:
        raise InputError(f"{len(table.rows)} rows: a picture shows at most {_MOST_ROWS}")
    heights = range(len(table.rows))
    for y, row in zip(heights, table.rows, strict=True):
        low = float(row.lower.lam) if row.lower else 0.0
        if row.half is not None:
            axes.plot([low, float(row.half)], [y, y], color=FAINT, linewidth=1, zorder=1)
        if row.upper is not None and float(row.upper.lam) > low:
            axes.plot([low, float(row.upper.lam)], [y, y], color=ACCENT, linewidth=4, zorder=2)
    known = [(y, r) for y, r in zip(heights, table.rows, strict=True) if r.lower is not None]
    axes.plot(
        [float(r.lower.lam) for _, r in known if r.lower],
        [y for y, _ in known],
        "o",
        color=ACCENT,
        label="$\\lambda$" if table.status == "exact" else "$\\lambda$, or its bounds",
        zorder=3,
    )
    sized = [(y, r.half) for y, r in zip(heights, table.rows, strict=True) if r.half is not None]
    axes.plot(
        [float(half) for _, half in sized],
        [y for y, _ in sized],
        "|",
        color=INK,
        markersize=11,
        markeredgewidth=1.6,
        label="d/2",
        zorder=3,
    )
    axes.set_yticks(list(heights), [row.architecture for row in table.rows], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel(f"$\\lambda${' and d/2' if sized else ''}")
    axes.margins(y=0.12)
    tidy(axes, grid="x")


def _finish(axes: Any, rows: Sequence[Row]) -> None:
    from matplotlib.ticker import LogLocator, NullFormatter

    values = [float(row.lower.lam) for row in rows if row.lower is not None and row.lower.lam]
    halves = [float(row.half) for row in rows if row.half is not None]
    if values and halves and max(halves) > _RATIO * min(values):
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
    tidy(axes, integers="x")
