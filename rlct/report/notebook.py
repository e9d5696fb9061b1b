"""Tables, trees, estimates and verdicts as fragments of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from rlct.report.table import table_cells
from rlct.report.tree import pair_text, poles_text, statement_text, tree_subject

if TYPE_CHECKING:
    from rlct.answers.blow_up import BlowUp
    from rlct.answers.table import Table
    from rlct.sampling.comparison import Comparison
    from rlct.sampling.estimate import Estimate


def table_html(table: Table) -> str:
    """A row for every case, and below it what is the same for all.

    >>> import rlct
    >>> shown = table_html(rlct.compare([rlct.LinearNetwork((2, 2), 1)]))
    >>> "<td>2</td>" in shown
    True
    """
    return rows_html(*table_cells(table))


def rows_html(
    heads: Iterable[str], lines: Iterable[Iterable[str]], below: Iterable[str], above: str = ""
) -> str:
    """A table of cells, an answer above it if there is one, and paragraphs below it.

    >>> "<td>a&amp;b</td>" in rows_html(["x"], [["a&b"]], [])
    True
    """
    head = [f"<p><strong>{escape(above)}</strong></p>"] if above else []
    return _fragment([*head, _table(heads, lines), *map(_paragraph, below)])


def estimate_html(estimate: Estimate) -> str:
    """The estimate with its interval, its diagnostics and its warnings."""
    head = f"<p><strong>{escape(estimate.headline)}</strong></p>"
    warnings = (f"warning: {words}" for words in estimate.warnings)
    return _fragment([head, _numbers(_estimate_numbers(estimate)), *map(_paragraph, warnings)])


def comparison_html(comparison: Comparison) -> str:
    """The verdict, the claim, the estimate beside it and the planted wrong value.

    >>> import rlct
    >>> print(comparison_html(rlct.check(rlct.poly("x**2"), progress=False)).splitlines()[1])
    <p><strong>agrees</strong>: λ = 1/2 fits and the planted wrong value 0.625 does not</p>
    """
    estimate, planted = comparison.estimate, comparison.control
    least, most = comparison.allowed
    rejected = "rejected" if planted.rejected else "not rejected"
    numbers = {
        "claim": f"{comparison.claimed}, z = {comparison.z:+.2f}",
        "estimate": estimate.headline,
        "not refuted": f"λ from {least:.4g} to {most:.4g}",
        "planted wrong value": f"{planted.lam:.4g}, z = {planted.z:+.2f}, {rejected}",
        **_estimate_numbers(estimate),
    }
    head = f"<p><strong>{comparison.verdict}</strong>: {escape(comparison.reason)}</p>"
    warnings = (f"warning: {words}" for words in estimate.warnings)
    return _fragment([head, _numbers(numbers), *map(_paragraph, warnings)])


def _numbers(numbers: Mapping[str, str]) -> str:
    """A table of named numbers, without those that are not known."""
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(text)}</td></tr>'
        for name, text in numbers.items()
        if text
    )
    return f"<table><tbody>{rows}</tbody></table>"


def _estimate_numbers(estimate: Estimate) -> dict[str, str]:
    return {
        "interval": estimate.interval_text,
        "standard error": f"{estimate.error:.2g}",
        **{f"error, {name.replace('_', ' ')}": f"{x:.2g}" for name, x in estimate.errors.items()},
        "effective sample size": "" if estimate.ess is None else f"{estimate.ess:.0f}",
        "R-hat": "" if estimate.rhat is None else f"{estimate.rhat:.3f}",
        "seconds": f"{estimate.seconds:.1f}",
        "seed": str(estimate.seed),
    }


def blowup_html(blowup: BlowUp) -> str:
    """The answer, the tree of germs as nested lists, and the poles."""
    head, _, details = str(blowup.result).partition(" (")
    parts = [f"<p><strong>{escape(head)}</strong> ({escape(details)}</p>"]
    parts += map(_paragraph, filter(None, [f"for {tree_subject(blowup)}", blowup.coordinates]))
    parts.append(f"<ul>{_branch(blowup.graph, 0)}</ul>")
    poles = [line.split("  ", 1) for line in poles_text(blowup.poles)]
    if blowup.leading is not None:
        poles.append(["leading", str(blowup.leading)])
    parts += [_paragraph(" ".join(filter(None, map(str.strip, words)))) for words in poles]
    return _fragment(parts)


def _branch(graph: Any, root: int) -> str:
    """Without recursion: a tree may be deep."""
    html_parts: list[str] = []
    open_items: list[int | str] = [root]
    while open_items:
        item = open_items.pop()
        if isinstance(item, str):
            html_parts.append(item)
            continue
        node = graph.nodes[item]
        chart = f" [{escape(node['chart'])}]" if node["chart"] else ""
        words = f"{escape(statement_text(node))}; {escape(pair_text(node))}{chart}"
        html_parts.append(f"<li><strong>{escape(node['rule'])}</strong>: {words}")
        children = list(graph.successors(item))
        open_items.append("</ul></li>" if children else "</li>")
        if children:
            html_parts.append("<ul>")
            open_items += reversed(children)
    return "".join(html_parts)


def _table(heads: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _fragment(parts: Iterable[str]) -> str:
    return "\n".join(['<div class="rlct-result">', *parts, "</div>"])
