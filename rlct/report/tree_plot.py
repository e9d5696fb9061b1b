"""The tree of a proof as a picture: a box for every step."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError
from rlct.report.picture import ACCENT, FAINT, INK, SECOND, new_figure
from rlct.report.tree import pair_text, statement_text

if TYPE_CHECKING:
    from rlct.blowup.resolution import BlowUp

__all__ = ["draw"]

_MOST_NODES = 60
_WIDTH = 38  # characters in a box
_LINES = 3  # of the germ
_INCH = 0.083  # per character
_LINE = 0.165  # inches per line
_GAP = 0.4  # inches between levels


def draw(found: BlowUp) -> Any:
    """Draw the tree of a blow-up.

    Parameters
    ----------
    found : BlowUp

    Returns
    -------
    matplotlib.figure.Figure
        Each box has the rule, the germ and its pair; edges carry the substitution, and are
        drawn strong where the child can decide the pair.

    Raises
    ------
    InputError
        If the tree is too large to be read, or there is no matplotlib.
    """
    graph = found.graph
    if len(graph) > _MOST_NODES:
        raise InputError(f"the tree has {len(graph)} nodes: a picture shows at most {_MOST_NODES}")
    texts = {n: _text(graph.nodes[n]) for n in graph}
    left = _columns(graph)
    depth = _depths(graph)
    box = (_WIDTH + 2) * _INCH
    heights = [
        max(_height(texts[n]) for n in graph if depth[n] == level)
        for level in range(max(depth.values()) + 1)
    ]
    notes = [
        max((len(_note(graph.nodes[n]))) for n in graph if depth[n] == level)
        for level in range(len(heights))
    ]
    tops = [0.0]
    for level in range(1, len(heights)):
        tops.append(tops[-1] + heights[level - 1] + _GAP + _LINE * notes[level])
    width = (max(left.values()) + 1) * (box + 0.3) + 0.3
    height = tops[-1] + heights[-1] + 0.75
    figure = new_figure(max(width, 4.5), height, by_hand=True)
    axes = figure.add_axes((0, 0, 1, 1))
    shift = max(0.0, (4.5 - width) / 2)
    axes.set(xlim=(-shift, max(width, 4.5) - shift), ylim=(-height + 0.6, 0.6))
    axes.axis("off")
    axes.text(
        width / 2,
        0.3,
        str(found.result).partition(" (")[0],
        ha="center",
        va="center",
        fontsize=12,
        color=ACCENT,
    )
    centre = {n: 0.3 + (left[n] + 0.5) * (box + 0.3) - 0.15 for n in graph}
    for a, b in graph.edges:
        strong = graph.edges[a, b]["attains"]
        start = (centre[a], -tops[depth[a]] - _height(texts[a]))
        axes.plot(
            [start[0], centre[b]],
            [start[1], -tops[depth[b]]],
            color=INK if strong else FAINT,
            linewidth=1.6 if strong else 0.9,
            linestyle="-" if strong else (0, (4, 3)),
            zorder=1,
        )
        note = _note(graph.nodes[b])
        if note:
            axes.text(
                centre[b],
                -tops[depth[b]] + 0.12,
                "\n".join(note),
                ha="center",
                va="bottom",
                fontsize=7.5,
                color=SECOND,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
                zorder=2,
            )
    for n in graph:
        _box(axes, centre[n], -tops[depth[n]], box, texts[n], graph.nodes[n])
    return figure


def _text(node: Any) -> str:
    germ = wrap(statement_text(node), _WIDTH)
    if len(germ) > _LINES:
        germ = [*germ[: _LINES - 1], germ[_LINES - 1][: _WIDTH - 1] + "…"]
    lines = [*germ, pair_text(node)]
    if node.get("attained"):
        rays = ", ".join(f"({', '.join(map(str, ray))})" for ray in node["attained"][:4])
        more = ", …" if len(node["attained"]) > 4 else ""
        lines += wrap(f"attained on {rays}{more}", _WIDTH)
    return "\n".join(lines)


def _note(node: Any) -> list[str]:
    return wrap(node["chart"], _WIDTH)


def _height(text: str) -> float:
    return _LINE * (text.count("\n") + 2.4)


def _box(axes: Any, x: float, top: float, width: float, text: str, node: Any) -> None:
    from matplotlib.patches import FancyBboxPatch

    exact = node["lower"] == node["upper"]
    height = _height(text)
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, top - height),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor="#f4f7fa" if exact else "#fdf3ee",
            edgecolor=SECOND if exact else ACCENT,
            linewidth=1.1,
            zorder=3,
        )
    )
    axes.text(
        x,
        top - 0.7 * _LINE,
        node["rule"],
        ha="center",
        va="center",
        fontsize=9,
        fontweight="bold",
        color=INK,
        zorder=4,
    )
    axes.text(
        x,
        top - 1.25 * _LINE,
        text,
        ha="center",
        va="top",
        fontsize=8,
        linespacing=1.25,
        color=INK,
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
