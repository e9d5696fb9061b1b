"""Trees that unfold: the charts of a blow-up and the cells of a fibre, as nested details."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from rlct.report.tree import attains_pair, pair_text, tree_subject
from rlct.serve.mathml import formula_html

if TYPE_CHECKING:
    from rlct.answers.blow_up import BlowUp
    from rlct.explain.strata import Strata
    from rlct.explain.stratum import Stratum

_MOST_GENERATORS: Final = 12  # generators of one node that are shown
_DECIDES_MARK: Final = '<strong class="decides">decides</strong>'


def _formulas(texts: Sequence[str]) -> str:
    more = ", …" if len(texts) > _MOST_GENERATORS else ""
    return ", ".join(map(formula_html, texts[:_MOST_GENERATORS])) + more


def _node(summary: str, inside: str, is_open: bool = False) -> str:
    state = " open" if is_open else ""
    return f"<details{state}><summary>{summary}</summary><div>{inside}</div></details>"


def charts_html(blow_up: BlowUp) -> str:
    """The tree of a proof; a node holds its charts and the nodes below it."""
    start = f"<p>For {escape(tree_subject(blow_up))}.</p>"
    if blow_up.coordinates:
        start += f"<p>Coordinates: {formula_html(blow_up.coordinates)}</p>"
    return start + _step(blow_up.graph, 0, False)


def _step(graph: Any, number: int, can_decide: bool) -> str:
    node = graph.nodes[number]
    germ = _formulas(node["germ"])
    germ = f"({germ})" if node["kind"] == "ideal" else f"{formula_html('K =')} {germ}"
    mark = f" {_DECIDES_MARK}" if can_decide else ""
    node_title = f"{escape(node['rule'])}: {germ}; {formula_html(pair_text(node))}{mark}"
    node_body = f"<p>{formula_html(node['chart'])}</p>" if node["chart"] else ""
    prior = [
        f"|{name}^{{{h}}}|" if h != "1" else f"|{name}|"
        for name, h in zip(node["variables"], node["prior"], strict=True)
        if h != "0"
    ]
    if prior:
        node_body += f"<p>Prior × Jacobian: {formula_html('*'.join(prior))}</p>"
    if node.get("note"):
        node_body += f"<p>{escape(node['note'])}</p>"
    node_body += "".join(
        _chart(node, k, chart) for k, chart in enumerate(node.get("charts", ()), 1)
    )
    node_body += "".join(
        _step(graph, child, graph.number_of_nodes() > 2 and graph.edges[number, child]["attains"])
        for child in graph.successors(number)
    )
    return _node(node_title, node_body, is_open=number == 0)


def _chart(node: Any, number: int, chart: Any) -> str:
    """A toric chart: |f| is comparable with |u|^k where its strict transform is not 0."""
    decides_mark = f" {_DECIDES_MARK}" if attains_pair(node, chart) else ""
    monomial = "*".join(f"u{i}^{k}" if k > 1 else f"u{i}" for i, k in enumerate(chart["k"], 1) if k)
    jacobian = "*".join(
        f"|u{i}^{{{h}}}|" if h != "1" else f"|u{i}|"
        for i, h in enumerate(chart["h"], 1)
        if h != "0"
    )
    candidates = [
        f"(1+{h})/(2·{k}) = {t}"
        for k, h, t in zip(chart["k"], chart["h"], chart["thresholds"], strict=True)
        if t is not None
    ]
    rows = [
        ("Generators", f"{formula_html(monomial or '1')} times functions without a common factor"),
        ("Prior × Jacobian", formula_html(jacobian or "1")),
        (formula_html("(1+h)/2k"), ", ".join(map(formula_html, candidates)) or "none"),
        ("At the origin", formula_html(f"λ = {chart['lambda']}, θ = {chart['theta']}")),
    ]
    if chart["at_zeros"]:
        lam, theta = chart["at_zeros"]
        rows.append((f"Where {formula_html('f/u^k = 0')}", formula_html(f"λ = {lam}, θ = {theta}")))
    entries = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in rows)
    return _node(
        f"Chart {number}: {formula_html(chart['map'])}{decides_mark}", f"<dl>{entries}</dl>"
    )


def cells_html(strata: Strata) -> str:
    """The cells of a fibre; a cell holds those below it, a chain of rules is one."""
    return _cell(strata, strata.cells[0], is_open=True)


def _cell(strata: Strata, first: Stratum, is_open: bool = False) -> str:
    chain = strata.chain(first)
    end = chain[-1]
    cell_literals = _formulas([text for cell in chain for text in cell.new]) or "all values"
    decides_mark = f" {_DECIDES_MARK}" if end.deepest else ""
    steps = " → ".join(escape(cell.rule_text) for cell in chain)
    claim = escape(end.claim) if end.rule == "absent" else formula_html(end.claim)
    inside = f"<p>{steps}</p>"
    if end.equations and end.rule != "absent":
        inside += f"<p>Equations, each 0: {_formulas(end.equations)}</p>"
    if end.settled:
        inside += f"<p>Settled: {escape(end.settled)}</p>"
    inside += "".join(_cell(strata, cell) for cell in strata.below(end))
    return _node(f"{end.number}: {cell_literals}; {claim}{decides_mark}", inside, is_open)
