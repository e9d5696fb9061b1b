"""The tree of a proof as a graph, with toric charts where it ends in a polyhedron."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rlct.blowup.check import check_charts
from rlct.blowup.fan import TooManyChartsError
from rlct.blowup.replay import Node
from rlct.blowup.toric import ToricChart, toric_blow_up
from rlct.blowup.writing import fresh_names, power_text
from rlct.certificate.numbers.arithmetic import Poly
from rlct.certificate.statement import Statement
from rlct.pair import Pair

if TYPE_CHECKING:
    import networkx as nx

MOST_LISTED = 24  # charts listed at one node; nobody reads more

_POLYHEDRAL_RULES = {"monomial", "newton"}
_SMOOTH_THRESHOLD = Fraction(1, 2)  # threshold of a coordinate


def graph_of(root: Node) -> nx.DiGraph:
    """Turn a replayed proof into a directed tree.

    Nodes 0, 1, … stand with parents before children and have JSON-able attributes: ``rule``;
    ``germ`` (texts), ``variables``, ``parameters`` (those of them that need not be 0), ``kind``
    (``"ideal"``: K = Σ g²; ``"K"``: K = |g|), ``prior`` (exponents of prior × Jacobian); ``lower``
    and ``upper`` ([λ, θ]); ``divisors`` ({name, k, h}: the variables that divide all generators);
    ``chart`` (substitution from the parent); ``evidence``; and where the step reads a polyhedron
    ``charts`` (with ``at_zeros``, the pair where the strict transform meets them), ``attained``
    (weights that attain λ) and ``note``.  Edges have ``attains``: whether the child can decide the
    pair.

    >>> import rlct
    >>> graph = rlct.blow_up(rlct.poly("(x**2-y**3)**2")).graph
    >>> [graph.nodes[n]["rule"] for n in graph], list(graph.edges)
    (['squares', 'newton'], [(0, 1)])
    >>> graph.nodes[1]["germ"], graph.nodes[1]["attained"]
    (['x^2 - y^3'], [[3, 2]])
    """
    import networkx as nx

    graph = nx.DiGraph()
    _add(graph, root)
    return graph


def _add(graph: nx.DiGraph, node: Node) -> int:
    number = len(graph)
    graph.add_node(number, **_attributes(node))
    for child in node.children:
        target = _add(graph, child)
        decides = node.rule in ("sum", "enclose") or len(node.children) == 1
        decides |= (
            node.upper is not None
            and child.upper is not None
            and (child.lower.lam <= node.upper.lam)
        )
        graph.add_edge(number, target, attains=decides)
    return number


def _attributes(node: Node) -> dict[str, Any]:
    statement = node.statement
    attributes: dict[str, Any] = {
        "rule": node.rule,
        "germ": list(node.generators),
        "variables": list(node.names),
        "parameters": list(node.parameters),
        "kind": _kind(node),
        "prior": [str(h) for h in node.prior],
        "lower": _pair(node.lower),
        "upper": None if node.upper is None else _pair(node.upper),
        "divisors": _divisors(node),
        "chart": node.chart,
        "evidence": node.evidence,
    }
    if node.rule in _POLYHEDRAL_RULES and isinstance(statement, Statement):
        charts, note = leaf_charts(node)
        zeros = _faces_with_zeros(node)
        attributes["charts"] = [
            chart.to_dict()
            | {"map": chart_text(chart, node.names), "at_zeros": _at_zeros(chart, statement, zeros)}
            for chart in charts
        ]
        # A zero of the strict transform, or a point below, may be worse than every divisor.
        lam = node.lower.lam if node.exact else None
        attained = {
            ray
            for chart in charts
            for ray, t in zip(chart.rays, chart.thresholds, strict=True)
            if t is not None and t == lam
        }
        attributes["attained"] = [list(ray) for ray in sorted(attained)]
        attributes["note"] = note
    return attributes


def _divisors(node: Node) -> list[dict[str, Any]]:
    """Variables that divide all generators of an ideal: K = x^(2k)·…, with prior |x|^h.

    A parameter is none of them: it is not 0 at most points, and its factor is a unit there.
    """
    statement = node.statement
    if statement is None or (isinstance(statement, Statement) and not statement.is_ideal):
        return []
    least = [
        min(column) for column in zip(*(m for g in statement.generators for m in g), strict=True)
    ]
    return [
        {"name": name, "k": k, "h": str(h)}
        for name, k, h in zip(node.names, least, node.prior, strict=True)
        if k and name not in node.parameters
    ]


def _kind(node: Node) -> str:
    if node.statement is None:
        return ""
    function = isinstance(node.statement, Statement) and not node.statement.is_ideal
    return "K" if function else "ideal"


def _pair(pair: Pair) -> list[Any]:
    return [str(pair.lam), pair.theta]


def leaf_charts(node: Node, limit: int = MOST_LISTED) -> tuple[tuple[ToricChart, ...], str]:
    """Toric charts of the polyhedron of an ideal, checked, or a note that there are too many."""
    statement = node.statement
    assert isinstance(statement, Statement)
    exponents = sorted({m for g in statement.generators for m in g})
    try:
        charts = toric_blow_up(exponents, statement.prior, limit=limit).charts
    except TooManyChartsError:
        return (), f"more than {limit} charts, not listed"
    # A chart sends different monomials to different ones: a coefficient may be any but 0.
    generators = [
        {m: c if isinstance(c, Fraction) else Fraction(1) for m, c in g.items()}
        for g in statement.generators
    ]
    check_charts(generators, statement.prior, charts)
    return charts, ""


def _faces_with_zeros(node: Node) -> list[frozenset[tuple[int, ...]]]:
    """Compact faces on which the only generator is known to have smooth real zeros."""
    statement = node.statement
    assert isinstance(statement, Statement)
    if node.rule != "newton" or len(statement.generators) > 1:
        return []
    (f,) = statement.generators
    # Zeros on an edge are counted; on other faces a change of sign shows them.
    weights = [
        face["weight"]
        for face in node.data["faces"]
        if face.get("rank") == 1 and ("cofactors" not in face or "signs" in face)
    ]
    return [_least(f, weight) for weight in weights]


def _least(f: Poly, weight: Sequence[int]) -> frozenset[tuple[int, ...]]:
    values = {m: sum(w * e for w, e in zip(weight, m, strict=True)) for m in f}
    least = min(values.values())
    return frozenset(m for m, value in values.items() if value == least)


def _at_zeros(
    chart: ToricChart, statement: Statement, faces: Sequence[frozenset[tuple[int, ...]]]
) -> list[Any] | None:
    """Least pair where f = u^k·z in a chart, z a coordinate; None if no such point is known.

    On the intersection of some divisors z has the zeros of the face that their rays expose.
    """
    pairs = []
    for face in faces:
        (f,) = statement.generators
        exposed = [_least(f, ray) for ray in chart.rays]
        mine = [j for j, points in enumerate(exposed) if face <= points]
        # Over the origin every coordinate has one of these divisors.
        over = all(any(row[j] for j in mine) for row in chart.matrix)
        if over and frozenset.intersection(*(exposed[j] for j in mine)) == face:
            ratios = [t for j in mine if (t := chart.thresholds[j]) is not None] + [
                _SMOOTH_THRESHOLD
            ]
            pairs.append(Pair(min(ratios), ratios.count(min(ratios))))
    return _pair(min(pairs)) if pairs else None


def chart_text(chart: ToricChart, names: Sequence[str]) -> str:
    """Write the map of a chart.

    >>> from fractions import Fraction
    >>> chart_text(ToricChart(((3, 1), (2, 1)), (6, 2), (Fraction(4), Fraction(1))), ["x", "y"])
    'x = u1^3*u2, y = u1^2*u2'
    """
    new = fresh_names(names, len(names))
    texts = []
    for name, row in zip(names, chart.matrix, strict=True):
        factors = [power_text(u, e) for u, e in zip(new, row, strict=True) if e]
        texts.append(f"{name} = {'*'.join(factors)}")
    return ", ".join(texts)
