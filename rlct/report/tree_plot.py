"""The tree of a proof as a picture: a box for every step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from rlct.errors import InputError
from rlct.report.mathematics import latex_math
from rlct.report.picture import (
    ACCENT_COLOR,
    FAINT_COLOR,
    INK_COLOR,
    PALE_COLOR,
    SECOND_COLOR,
    new_figure,
)
from rlct.report.question import subject_of
from rlct.report.tree import attains_pair, pair_text, statement_text

if TYPE_CHECKING:
    from rlct.answers.result import Result

_MOST_NODES: Final = 60  # that can be read on one page
_MOST_LINES: Final = 3  # of the germ
_BOX_WIDTH: Final = 3.3  # inches
_INNER_WIDTH: Final = 3.1  # inches, for text
_SMALL_FONT: Final = 8.0  # points
_LINE_HEIGHT: Final = 0.165  # inches, with indices and powers
_LEVEL_GAP: Final = 0.45  # inches between levels
_NARROWEST_FIGURE: Final = 4.5  # inches of the figure
_CHARTS_SHOWN: Final = 2  # shown in a box
_LINKING_WORDS: Final = "near points where|where|at|prior|parameters"  # around formulas


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
    lines: dict[int, list[str]]
    notes: dict[int, list[str]]
    centres: dict[int, float]
    tops: dict[int, float]
    width: float
    height: float


def draw_tree(drawn: DrawnTree) -> Any:
    """Draw the tree of a blow-up, or of the cells of a fibre, if it is not too large to be read."""
    layout = _layout(drawn)
    head, count = _head(drawn), len(layout.graph)
    alt = f"Tree of a proof with {count} step{'s' * (count > 1)}: {head}"
    figure = new_figure(layout.width, layout.height, by_hand=True, alt=alt)
    plot_tree(figure.add_axes((0, 0, 1, 1)), drawn)
    return figure


def _head(drawn: DrawnTree) -> str:
    subject = subject_of(drawn.result.question)
    return str(drawn.result).partition(" (")[0] + f" for {subject}" * ("=" in subject)


def plot_tree(axes: Any, blow_up: DrawnTree) -> None:
    """Plot the tree of a blow-up into axes.

    Each box has the rule, the germ and its pair; k and h of its exceptional divisors
    (K = u^(2k)·…, prior × Jacobian |u|^h) and of the charts of a polyhedron that attain λ, or come
    nearest to it.  Edges carry the substitution, and are strong where the child can decide the
    pair.
    """
    tree_layout = _layout(blow_up)
    window = axes.get_window_extent()
    inches = window.width / axes.figure.dpi, window.height / axes.figure.dpi
    scale = min(1.0, inches[0] / tree_layout.width, inches[1] / tree_layout.height)
    axes.set(xlim=(0, tree_layout.width), ylim=(0.6 - tree_layout.height, 0.6), aspect="equal")
    axes.axis("off")
    title = "  for ".join(map(_formula, _head(blow_up).split(" for ")))
    _write(axes, tree_layout.width / 2, 0.3, title, 12 * scale, color=ACCENT_COLOR)
    for parent, child in tree_layout.graph.edges:
        _edge(axes, tree_layout, (parent, child), scale)
    for node in tree_layout.graph:
        _box(axes, tree_layout, node, scale)


def _edge(axes: Any, tree_layout: _Layout, edge_ends: tuple[int, int], scale: float) -> None:
    """Down from the parent, across, and down to the child through its substitution."""
    parent, child = edge_ends
    bottom = tree_layout.tops[parent] - _height(tree_layout.lines[parent])
    turn, x = bottom - 0.4 * _LEVEL_GAP, tree_layout.centres[child]
    strong = tree_layout.graph.edges[edge_ends]["attains"]
    axes.plot(
        [tree_layout.centres[parent], tree_layout.centres[parent], x, x],
        [bottom, turn, turn, tree_layout.tops[child]],
        color=INK_COLOR if strong else FAINT_COLOR,
        linewidth=(1.6 if strong else 0.9) * scale,
        linestyle="-" if strong else (0, (4, 3)),
        zorder=2 if strong else 1,
    )
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5 * scale}
    for k, line in enumerate(reversed(tree_layout.notes[child])):
        y = tree_layout.tops[child] + 0.16 + k * _LINE_HEIGHT
        _write(axes, x, y, line, 7.5 * scale, bbox=box)


def _box(axes: Any, tree_layout: _Layout, number: int, scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    node, lines = tree_layout.graph.nodes[number], tree_layout.lines[number]
    x, top, height = tree_layout.centres[number], tree_layout.tops[number], _height(lines)
    is_exact = node["lower"] == node["upper"]
    axes.add_patch(
        FancyBboxPatch(
            (x - _BOX_WIDTH / 2, top - height),
            _BOX_WIDTH,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=PALE_COLOR if is_exact else "white",
            edgecolor=SECOND_COLOR if is_exact else ACCENT_COLOR,
            linestyle="-" if is_exact else "--",
            linewidth=1.1 * scale,
            zorder=3,
        )
    )
    _write(axes, x, top - 0.75 * _LINE_HEIGHT, node["rule"], 9 * scale, fontweight="bold")
    for k, line in enumerate(lines):
        _write(axes, x, top - (1.85 + k) * _LINE_HEIGHT, line, _SMALL_FONT * scale)


def _write(axes: Any, x: float, y: float, text: str, size: float, **options: Any) -> None:
    style = {"ha": "center", "va": "center", "color": INK_COLOR, "zorder": 4, **options}
    axes.text(x, y, text, fontsize=size, **style)


def _layout(blow_up: DrawnTree) -> _Layout:
    graph = blow_up.graph
    if len(graph) > _MOST_NODES:
        raise InputError(f"the tree has {len(graph)} nodes: a picture shows at most {_MOST_NODES}")
    lines = {n: list(_lines(graph.nodes[n])) for n in graph}
    notes = {n: _filled(_terms(graph.nodes[n]["chart"])) for n in graph}
    tree_columns = _columns(graph)
    depth = _depths(graph)
    levels = range(max(depth.values()) + 1)
    level_heights = [max(_height(lines[n]) for n in graph if depth[n] == level) for level in levels]
    note_lines = [max(len(notes[n]) for n in graph if depth[n] == level) for level in levels]
    level_tops = [0.0]
    for level in levels[1:]:
        above = level_heights[level - 1] + _LEVEL_GAP + _LINE_HEIGHT * note_lines[level]
        level_tops.append(level_tops[-1] - above)
    tree_width = (max(tree_columns.values()) + 1) * (_BOX_WIDTH + 0.3) + 0.3
    width = max(tree_width, _NARROWEST_FIGURE)
    shift = (width - tree_width) / 2
    return _Layout(
        graph,
        lines,
        notes,
        {n: shift + 0.3 + (tree_columns[n] + 0.5) * (_BOX_WIDTH + 0.3) - 0.15 for n in graph},
        {n: level_tops[depth[n]] for n in graph},
        width,
        level_heights[-1] - level_tops[-1] + 0.8,
    )


def _lines(node: Any) -> Iterator[str]:
    """Lines of a box below its rule, with formulas that no line breaks."""
    germ = _filled(_terms(statement_text(node)))
    if len(germ) > _MOST_LINES:
        germ = [*germ[: _MOST_LINES - 1], f"{germ[_MOST_LINES - 1]} …"]
    yield from germ
    yield _formula(pair_text(node))
    for divisor in node.get("divisors", []):
        value = (1 + Fraction(divisor["h"])) / (2 * divisor["k"])
        numbers = f"k = {divisor['k']}, h = {divisor['h']}, (1+h)/2k = {value}"
        yield f"{_formula(divisor['name'])}: {_formula(numbers)}"
    # One monomial is its own chart.
    charts = node.get("charts", []) if len(node["germ"]) > 1 or node["rule"] == "newton" else []
    deciding_charts = [chart for chart in charts if attains_pair(node, chart)]
    # Where λ comes from a child, the charts that come nearest to it.
    least = min((Fraction(c["lambda"]) for c in charts if c["lambda"]), default=None)
    nearest = [c for c in charts if c["lambda"] and Fraction(c["lambda"]) == least]
    shown_charts = (deciding_charts or nearest)[:_CHARTS_SHOWN]
    for chart in shown_charts:
        yield from _filled(["chart", *_terms(chart["map"])])
        k, h = (", ".join(map(str, chart[name])) for name in ("k", "h"))
        ratios = ", ".join(t or "–" for t in chart["thresholds"])
        exponents = [f"{_formula(f'k = ({k})')},", f"{_formula(f'h = ({h})')},"]
        yield from _filled([*exponents, _formula("(1+h)/2k:"), _formula(ratios)])
        if deciding_charts and [chart["lambda"], chart["theta"]] != node["lower"]:
            yield f"and {_formula('f/u^k = 0')} is smooth: {_formula('1/2')}"
    if len(deciding_charts) > _CHARTS_SHOWN:
        yield f"and {len(deciding_charts) - _CHARTS_SHOWN} more charts that reach it"
    elif not deciding_charts and len(charts) > len(shown_charts):
        more = len(charts) - len(shown_charts)
        yield f"and {more} more, {_formula('(1+h)/2k')} no smaller"


def _formula(text: str) -> str:
    r"""Mathtext with fractions on the line; a sign that begins it stands apart.

    >>> print(_formula("λ = 7/20"), _formula("- u1^2"))
    $\lambda = 7/20$ $-\ u_{1}^{2}$
    """
    flat = re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", latex_math(text))
    apart = re.sub(r"^([-+]) ", r"\1\\ ", flat).replace(", ", r",\ ")
    return f"${apart}$"


def _terms(text: str) -> list[str]:
    r"""Pieces of a statement that stay whole: words, and the terms of its formulas.

    >>> print(*_terms("x = u1, y = u1^2*(1 + u2)"))
    $x = u_{1}$, $y = u_{1}^{2}\,(1 + u_{2})$
    >>> print(*_terms("(x - y^3), prior |x|"))
    $(x$ $-\ y^{3})$, prior $|x|$
    """
    if text.startswith("(a step"):
        return [text]
    pieces: list[str] = []
    for part in filter(None, re.split(rf"(?<=[,;:]) |({_LINKING_WORDS}) ", text)):
        # An equation stays whole, a polynomial breaks before its signs.
        whole = "=" in part.removeprefix("K = ")
        for piece in [part] if whole else re.split(r" (?=[-+] )", part):
            bare = piece.rstrip(",;:")
            is_word = re.fullmatch(_LINKING_WORDS, bare)
            pieces.append(piece if is_word else _formula(bare) + piece[len(bare) :])
    return pieces


def _filled(pieces: list[str]) -> list[str]:
    """Lines of pieces that fit into a box; a piece that is wider has a line of its own."""
    lines: list[str] = []
    room = 0.0
    for piece in filter(None, pieces):
        width = _width(piece) + 0.04
        if lines and width <= room:
            lines[-1] += f" {piece}"
        else:
            lines.append(piece)
            room = _INNER_WIDTH
        room -= width
    return lines


@cache
def _width(text: str) -> float:
    """Inches of a piece of text."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=_SMALL_FONT)  # that of the boxes: what is typeset is kept
    return float(text_to_path.get_text_width_height_descent(text, font, "$" in text)[0]) / 72


def _height(lines: list[str]) -> float:
    return _LINE_HEIGHT * (1.55 + len(lines))


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
