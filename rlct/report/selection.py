"""Sizes of a family of models side by side: as text, in notebooks and as a figure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    SECOND_COLOR,
    new_figure,
    tidy_axes,
)
from rlct.report.table import aligned_text
from rlct.selection.families import get_family

if TYPE_CHECKING:
    from rlct.criteria.statistic import Statistic
    from rlct.selection.outcome import Selection

_COLUMN_HEADS: Final = (
    *("size", "log-likelihood", "dimension"),
    *("AIC", "BIC", "sBIC", "P(BIC)", "P(sBIC)"),
)
_DRAW_HEADS: Final = {"waic": "elpd WAIC", "loo": "elpd LOO", "wbic": "−WBIC"}


def selection_cells(selection: Selection) -> tuple[list[str], list[list[str]], list[str]]:
    """Heads of the columns, a row for each size, and what is said below."""
    column_heads = [*_COLUMN_HEADS, *(_DRAW_HEADS[name] for name in selection.of_draws)]
    rows = [
        [
            str(size),
            f"{selection.log_likelihood[at]:.2f}",
            str(selection.dimension[at]),
            f"{selection.aic[at]:.2f}",
            f"{selection.bic[at]:.2f}",
            _range(selection.sbic[at], 2),
            f"{selection.bic_probability[at]:.4f}",
            _range(selection.probability[at], 4),
            *(_larger_is_better(found[at]) for found in selection.of_draws.values()),
        ]
        for at, size in enumerate(selection.sizes)
    ]
    assumption = f"λ assumes truths that are generic for their sizes; {selection.assumed}"
    notes = [f"Note: {note}" for note in (assumption, *selection.notes)]
    advice = [selection.advice] if selection.advice else []
    return column_heads, rows, [selection.verdict, *advice, *notes]


def selection_text(selection: Selection) -> str:
    """The table with aligned columns."""
    return aligned_text(*selection_cells(selection))


def _larger_is_better(statistic: Statistic) -> str:
    """Of all observations, as the other criteria, with the error of the draws."""
    n = 1 if statistic.elpd is None else statistic.details["observations"]
    return f"{-n * statistic.value:.2f} ± {n * statistic.error:.2g}"


def _range(ends: tuple[float, float], digits: int) -> str:
    low, high = (f"{end:.{digits}f}" for end in ends)
    return low if low == high else f"{low}..{high}"


def draw_selection(selection: Selection) -> Any:
    """Criteria, probabilities and penalties by size."""
    alt = f"Criteria, probabilities and penalties by size; {selection.verdict}"
    figure = new_figure(10.5, 3.8, alt=alt)
    criteria_axes, weight_axes, penalty_axes = figure.subplots(1, 3)
    sizes = selection.sizes
    top = max(high for _, high in selection.sbic)
    size_name = get_family(selection.family).size
    for name, values, color, mark in (
        ("AIC", selection.aic, FAINT_COLOR, "^"),
        ("BIC", selection.bic, SECOND_COLOR, "s"),
    ):
        criteria_axes.plot(
            sizes, [value - top for value in values], mark + "-", color=color, label=name
        )
    _bars(criteria_axes, sizes, [(low - top, high - top) for low, high in selection.sbic], "sBIC")
    criteria_axes.set_ylabel("criterion, less the largest sBIC")
    criteria_axes.set_ylim(bottom=max(-60.0, criteria_axes.get_ylim()[0]))
    weight_axes.plot(
        sizes, selection.bic_probability, "s", color=SECOND_COLOR, label="BIC", zorder=2
    )
    _bars(weight_axes, sizes, selection.probability, "sBIC")
    weight_axes.set_ylabel("posterior probability")
    weight_axes.set_ylim(-0.03, 1.03)
    _penalties(penalty_axes, selection)
    for axes in (criteria_axes, weight_axes, penalty_axes):
        tidy_axes(axes, integers="x")
        axes.set_xlabel(size_name)
        axes.legend(fontsize=8.5)
    return figure


def _bars(axes: Any, sizes: Any, ranges: Any, label: str) -> None:
    """A point where λ is exact, and a bar over what its bounds leave open."""
    low_ends, high_ends = zip(*ranges, strict=True)
    for ends in (low_ends, high_ends):
        axes.plot(sizes, ends, "-", color=ACCENT_COLOR, linewidth=0.8)
    axes.fill_between(sizes, low_ends, high_ends, color=ACCENT_COLOR, alpha=0.12, linewidth=0)
    for at, low, high in zip(sizes, low_ends, high_ends, strict=True):
        mark = "o-" if math.isclose(low, high, abs_tol=1e-3) else "_-"
        axes.plot([at, at], [low, high], mark, color=ACCENT_COLOR, label=label, zorder=3)
        label = ""


def _penalties(axes: Any, selection: Selection) -> None:
    """λ log n − (θ − 1) log log n at each smaller truth, beside d/2 log n of BIC."""
    regular = [dimension / 2 * math.log(selection.n) for dimension in selection.dimension]
    axes.plot(selection.sizes, regular, "s-", color=SECOND_COLOR, label="d/2 log n")
    label = "λ log n − (θ − 1) log log n,\nof each true size"
    for (model, truth), cell in selection.truths.items():
        ends = cell.penalties(selection.n)
        axes.plot([model, model], ends, "d-", color=ACCENT_COLOR, markersize=4, label=label)
        axes.annotate(
            str(truth), (model, ends[1]), (5, 0), textcoords="offset points", va="center",
            fontsize=7, color=INK_COLOR,
        )  # fmt: skip
        label = ""
    axes.set_ylabel("penalty")
