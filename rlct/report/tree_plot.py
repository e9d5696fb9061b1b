"""The tree of a proof as a picture: a box for every step."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Protocol

from rlct.errors import InputError
from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    PALE_COLOR,
    SECOND_COLOR,
    new_figure,
)
from rlct.report.tree import attains_pair, pair_text, statement_text

if TYPE_CHECKING:
    from rlct.answers.result import Result

__all__ = ["draw_tree", "plot_tree"]

_MOST_NODES = 60  # that can be read on one page
_WIDTH = 38  # characters in a box
_LINES = 3  # of the germ
_INCH = 0.083  # per character
_LINE = 0.165  # inches per line
_LINE_OF_GERM = 0.142  # inches: eight points and the space below
_GAP = 0.4  # inches between levels
_NARROWEST = 4.5  # inches of the figure
_CHARTS = 2  # shown in a box


class DrawnTree(Protocol):
    """A tree with the attributes of `rlct.blowup.tree.graph_of`, and the answer above it."""

    @property
    def graph(self) -> Any:
        """Nodes 0, 1, … of networkx, parents before children."""

    @property
    def result(self) -> Result:
        """Its first line is the title."""


@dataclass(frozen=True)
class _Layout:
    """Places in inches: x to the right, y up from the top of the first box at 0."""

    graph: Any
    texts: dict[int, str]
    centres: dict[int, float]
    tops: dict[int, float]
    width: float
    height: float


def draw_tree(found: DrawnTree) -> Any:
    """Draw the tree of a blow-up, or of the cells of a fibre.

    Parameters
    ----------
    found : BlowUp or Strata

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    InputError
        If the tree is too large to be read, or there is no matplotlib.
    """
    layout = _layout(found)
    figure = new_figure(layout.width, layout.height, by_hand=True)
    plot_tree(figure.add_axes((0, 0, 1, 1)), found)
    return figure


def plot_tree(axes: Any, blow_up: DrawnTree) -> None:
    """Plot the tree of a blow-up into axes.

    Each box has the rule, the germ and its pair; k and h of its exceptional divisors
    (K = u^(2k)·…, prior × Jacobian |u|^h) and of the charts of a polyhedron that attain λ, or come
    nearest to it.  Edges carry the substitution, and are strong where the child can decide the
    pair.

    Parameters
    ----------
    axes : matplotlib.axes.Axes
        Text is made smaller where the tree does not fit.
    blow_up : BlowUp or Strata

    Raises
    ------
    InputError
        If the tree is too large to be read.
    """
    tree_layout = _layout(blow_up)
    graph, texts, box_centres, box_tops = (
        tree_layout.graph,
        tree_layout.texts,
        tree_layout.centres,
        tree_layout.tops,
    )
    window = axes.get_window_extent()
    inches = window.width / axes.figure.dpi, window.height / axes.figure.dpi
    tree_height = tree_layout.height + 0.2  # the boxes of the last row reach below their centres
    scale = min(1.0, inches[0] / tree_layout.width, inches[1] / tree_height)
    axes.set(xlim=(0, tree_layout.width), ylim=(0.6 - tree_height, 0.6), aspect="equal")
    axes.axis("off")
    axes.text(
        tree_layout.width / 2,
        0.3,
        str(blow_up.result).partition(" (")[0],
        ha="center",
        va="center",
        fontsize=12 * scale,
        color=ACCENT_COLOR,
    )
    box = (_WIDTH + 2) * _INCH
    for a, b in graph.edges:
        strong = graph.edges[a, b]["attains"]
        axes.plot(
            [box_centres[a], box_centres[b]],
            [box_tops[a] - _height(texts[a]), box_tops[b]],
            color=INK_COLOR if strong else FAINT_COLOR,
            linewidth=(1.6 if strong else 0.9) * scale,
            linestyle="-" if strong else (0, (4, 3)),
            zorder=1,
        )
        note = _note(graph.nodes[b])
        if note:
            axes.text(
                box_centres[b],
                box_tops[b] + 0.12,
                "\n".join(note),
                ha="center",
                va="bottom",
                fontsize=7.5 * scale,
                color=INK_COLOR,
                style="italic",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5 * scale},
                zorder=2,
            )
    for n in graph:
        _box(axes, box_centres[n], box_tops[n], box, texts[n], graph.nodes[n], scale)


def _layout(blow_up: DrawnTree) -> _Layout:
    graph = blow_up.graph
    if len(graph) > _MOST_NODES:
        raise InputError(f"the tree has {len(graph)} nodes: a picture shows at most {_MOST_NODES}")
    texts = {n: _text(graph.nodes[n]) for n in graph}
    tree_columns = _columns(graph)
    depth = _depths(graph)
    box = (_WIDTH + 2) * _INCH
    levels = range(max(depth.values()) + 1)
    level_heights = [max(_height(texts[n]) for n in graph if depth[n] == level) for level in levels]
    notes = [
        max(len(_note(graph.nodes[n])) for n in graph if depth[n] == level) for level in levels
    ]
    level_tops = [0.0]
    for level in levels[1:]:
        level_tops.append(level_tops[-1] - level_heights[level - 1] - _GAP - _LINE * notes[level])
    tree_width = (max(tree_columns.values()) + 1) * (box + 0.3) + 0.3
    width = max(tree_width, _NARROWEST)
    shift = (width - tree_width) / 2
    return _Layout(
        graph,
        texts,
        {n: shift + 0.3 + (tree_columns[n] + 0.5) * (box + 0.3) - 0.15 for n in graph},
        {n: level_tops[depth[n]] for n in graph},
        width,
        level_heights[-1] - level_tops[-1] + 0.75,
    )


def _text(node: Any) -> str:
    germ = wrap(statement_text(node), _WIDTH)
    if len(germ) > _LINES:
        germ = [*germ[: _LINES - 1], germ[_LINES - 1][: _WIDTH - 1] + "…"]
    lines = [*germ, pair_text(node)]
    for divisor in node.get("divisors", []):
        value = (1 + Fraction(divisor["h"])) / (2 * divisor["k"])
        lines.append(
            f"{divisor['name']}: k = {divisor['k']}, h = {divisor['h']}, (1+h)/2k = {value}"
        )
    # One monomial is its own chart.
    charts = node.get("charts", []) if len(node["germ"]) > 1 or node["rule"] == "newton" else []
    deciding_charts = [chart for chart in charts if attains_pair(node, chart)]
    # Where λ comes from a child, the charts that come nearest to it.
    least = min((Fraction(c["lambda"]) for c in charts if c["lambda"]), default=None)
    nearest = [c for c in charts if c["lambda"] and Fraction(c["lambda"]) == least]
    shown_charts = (deciding_charts or nearest)[:_CHARTS]
    for chart in shown_charts:
        lines += wrap(f"chart {chart['map']}", _WIDTH)
        k, h = (", ".join(map(str, chart[name])) for name in ("k", "h"))
        ratios = ", ".join(t or "–" for t in chart["thresholds"])
        lines += wrap(f"k = ({k}), h = ({h}), (1+h)/2k: {ratios}", _WIDTH)
        if deciding_charts and [chart["lambda"], chart["theta"]] != node["lower"]:
            lines += wrap("and f/u^k = 0 is smooth: 1/2", _WIDTH)
    if len(deciding_charts) > _CHARTS:
        lines.append(f"and {len(deciding_charts) - _CHARTS} more charts that reach it")
    elif not deciding_charts and len(charts) > len(shown_charts):
        lines.append(f"and {len(charts) - len(shown_charts)} more, (1+h)/2k no smaller")
    return "\n".join(lines)


def _note(node: Any) -> list[str]:
    return wrap(node["chart"], _WIDTH)


def _height(text: str) -> float:
    return _LINE * 1.6 + _LINE_OF_GERM * (text.count("\n") + 1)


def _box(
    axes: Any, x: float, box_top: float, width: float, text: str, node: Any, scale: float
) -> None:
    from matplotlib.patches import FancyBboxPatch

    is_exact = node["lower"] == node["upper"]
    height = _height(text)
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, box_top - height),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=PALE_COLOR if is_exact else "white",
            edgecolor=SECOND_COLOR if is_exact else ACCENT_COLOR,
            linestyle="-" if is_exact else "--",
            linewidth=1.1 * scale,
            zorder=3,
        )
    )
    axes.text(
        x,
        box_top - 0.7 * _LINE,
        node["rule"],
        ha="center",
        va="center",
        fontsize=9 * scale,
        fontweight="bold",
        color=INK_COLOR,
        zorder=4,
    )
    axes.text(
        x,
        box_top - 1.25 * _LINE,
        text,
        ha="center",
        va="top",
        fontsize=8 * scale,
        linespacing=1.25,
        color=INK_COLOR,
        zorder=4,
    )


def _depths(graph: Any) -> dict[int, int]:
    depths = {0: 0}
    for a, b in graph.edges:  # parents come before children
        depths[b] = depths[a] + 1
    return depths


def _columns(graph: Any) -> dict[int, float]:
    """Leaves side by side, parents in the middle of their children."""
    columns: dict[int, float] = {}
    used = 0
    for n in reversed(list(graph)):
        children = list(graph.successors(n))
        if children:
            columns[n] = (columns[children[0]] + columns[children[-1]]) / 2
        else:
            columns[n] = -used
            used += 1
    return {n: c + used - 1 for n, c in columns.items()}
