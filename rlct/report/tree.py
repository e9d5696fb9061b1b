"""A blow-up as text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rlct.blowup.pole import Pole
from rlct.report.question import subject_of
from rlct.report.text import answer_lines

if TYPE_CHECKING:
    from rlct.answers.blow_up import BlowUp

_LONGEST_GERM = 100  # characters of a germ
_TITLE_COLUMN, _TEXT_WIDTH = 13, 85


def tree_text(blowup: BlowUp) -> str:
    """Lines: the answer, the tree with its charts, the poles, the leading coefficient."""
    lines = [answer_lines(blowup.result)]
    if blowup.coordinates:
        lines.append(f"coordinates  {blowup.coordinates}")
    lines += [f"tree for {tree_subject(blowup)}", *_branch(blowup.graph, 0, "  ", "  ")]
    lines += poles_text(blowup.poles)
    if blowup.leading is not None:
        lines.append(f"leading      {blowup.leading}")
    return "\n".join(lines)


def tree_subject(blowup: BlowUp) -> str:
    """What the tree is of, and what brackets in it mean."""
    subject = subject_of(blowup.result.question)
    return subject + ", where (f, …) stands for Σ f²" * (subject == "K")


def _branch(graph: Any, number: int, first_indent: str, next_indent: str) -> list[str]:
    node = graph.nodes[number]
    lines = [f"{first_indent}{node['rule']}: {statement_text(node)}; {pair_text(node)}"]
    children = list(graph.successors(number))
    bar = next_indent + ("│  " if children else "   ")
    if node["chart"]:
        lines.append(f"{bar}[{node['chart']}]")
    if node["evidence"]:
        lines.append(f"{bar}{', '.join(f'{k} {v}' for k, v in node['evidence'].items())}")
    lines += [f"{bar}{line}" for line in _charts(node)]
    for child in children:
        last = child == children[-1]
        lines += _branch(
            graph,
            child,
            next_indent + ("└─ " if last else "├─ "),
            next_indent + ("   " if last else "│  "),
        )
    return lines


def statement_text(node: Any) -> str:
    """The germ of a node, with its prior."""
    if not node["kind"]:
        return "(a step whose germ is not shown)"
    whole = ", ".join(node["germ"])
    if len(whole) > _LONGEST_GERM:
        whole = f"{whole[:_LONGEST_GERM]}…"
    text = f"({whole})" if node["kind"] == "ideal" else f"K = {whole}"
    named = zip(node["variables"], node["prior"], strict=True)
    prior = "*".join(f"|{n}|" if h == "1" else f"|{n}|^{h}" for n, h in named if h != "0")
    text = f"{text}, prior {prior}" if prior else text
    return f"{text}, parameters {', '.join(node['parameters'])}" if node["parameters"] else text


def pair_text(node: Any) -> str:
    """The pair of a node, or its bounds."""
    low, high = node["lower"], node["upper"]
    if low == high:
        return f"λ = {low[0]}, θ = {low[1]}"
    if high is None:
        return f"{low[0]} ≤ λ"
    if low[0] == high[0]:
        return f"λ = {low[0]}, {high[1]} ≤ θ ≤ {low[1]}"
    return f"{low[0]} ≤ λ ≤ {high[0]}"


def attains_pair(node: Any, chart: Any) -> bool:
    """Whether a chart gives the pair of its node: at its origin, or at a zero of f/u^k."""
    return node["lower"] in ([chart["lambda"], chart["theta"]], chart["at_zeros"])


def _charts(node: Any) -> list[str]:
    if node.get("note"):
        return [node["note"]]
    charts = node.get("charts", [])
    if not charts:
        return []
    rows = [["chart", "k", "h", "(1+h)/2k", ""]]
    for chart in charts:
        thresholds = [t or "-" for t in chart["thresholds"]]
        decides_mark = "<-" if attains_pair(node, chart) else ""
        if decides_mark and [chart["lambda"], chart["theta"]] != node["lower"]:
            decides_mark = "<- where f/u^k = 0"
        rows.append(
            [
                chart["map"],
                " ".join(map(str, chart["k"])),
                " ".join(chart["h"]),
                " ".join(thresholds),
                decides_mark,
            ]
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(f"{x:{w}}" for x, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def poles_text(poles: Sequence[Pole]) -> list[str]:
    """Poles a line each; what is none, or open, by its reason; behind a column of titles."""
    lines = []
    for pole in poles:
        if pole.status == "pole":
            lines.append(("poles", f"{pole.z}, order {pole.order}: {pole.why}"))
            if pole.functional is not None:
                lines.append(("poles", f"   {functional_text(pole)}"))
    for status, title in (("none", "no poles"), ("open", "open")):
        numbers: dict[str, list[str]] = {}
        for pole in poles:
            if pole.status == status:
                bound = f" (order ≤ {pole.order})" if pole.order > 1 else ""
                numbers.setdefault(pole.why, []).append(f"{pole.z}{bound}")
        lines += [(title, f"{', '.join(group)}: {why}") for why, group in numbers.items()]
    if len(poles) == 1:
        lines.append(("open", "all below: not read off this tree"))
    rows = []
    for k, (title, text) in enumerate(lines):
        shown = "" if k and lines[k - 1][0] == title else title
        # "(order ≤ 2)" stays in one piece.
        joined = text.replace(" ≤ ", "\0").replace(" (order", "\1").replace(" φ", "\2")
        for line in wrap(joined, _TEXT_WIDTH, subsequent_indent="   " * text.startswith(" ")):
            whole = line.replace("\0", " ≤ ").replace("\1", " (order").replace("\2", " φ")
            rows.append(f"{shown:{_TITLE_COLUMN}}{whole}")
            shown = ""
    return rows


def functional_text(pole: Pole) -> str:
    """The leading coefficient by Taylor coefficients of φ, and for φ = 1."""
    parts = [
        f"{(c.low + c.high) / 2:.7g} φ_{','.join(c.taylor_index)}"
        for c in pole.functional or ()
        if not c.low <= 0 <= c.high
    ]
    shown = " + ".join(parts).replace("+ -", "- ")
    return f"coefficient {shown}; for φ = 1: {sum(pole.value or ()) / 2:.7g}"
