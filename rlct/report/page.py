"""A result as a fragment of HTML, for notebooks and pages."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rlct.answers.document import claim

if TYPE_CHECKING:
    from rlct.answers.result import Result


def result_html(result: Result) -> str:
    """The answer, a table of the routes, and the argument folded away.

    >>> import rlct
    >>> print(result_html(rlct.poly("x**2")).splitlines()[1])
    <p><strong>λ = 1/2, θ = 1</strong> (exact; at the origin)</p>
    """
    answer_text, _, _ = str(result).partition(" (")
    rows = []
    for route in result.routes:
        answer = claim(route.lower, route.upper)
        top = answer["upper"] or "∞"
        lam = answer["lambda"] or f"[{answer['lower']}, {top}]"
        theta = "" if answer["theta"] is None else str(answer["theta"])
        rows.append(
            f'<tr><th scope="row">{escape(route.method)}</th><td>{lam}</td><td>{theta}</td></tr>'
        )
    return "\n".join(
        [
            '<div class="rlct-result">',
            f"<p><strong>{escape(answer_text)}</strong> "
            f"({escape(result.standing)}; {escape(result.where)})</p>",
            '<table><thead><tr><th scope="col">route</th><th scope="col">λ</th>'
            '<th scope="col">θ</th></tr></thead>',
            f"<tbody>{''.join(rows)}</tbody></table>",
            f"<details><summary>Argument</summary>{result.explain('html')}</details>",
            "</div>",
        ]
    )
