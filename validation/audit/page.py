"""The audit as a page of the theory."""

from collections.abc import Iterable

from validation.audit.row import Row, Verdict
from validation.audit.sources import AUDITED_SOURCES

__all__ = ["table"]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("*", "\\*")


def table(rows: Iterable[Row]) -> str:
    """Return Markdown: a section for each source, with a line for each row.

    Examples
    --------
    >>> from validation.audit import get
    >>> print(table([get("004-lambda")]).splitlines()[-1])
    | `004-lambda` | corrected | λ = min(h_j + 1/(2k_j)) | λ = min_j (h_j + 1)/(2k_j). |
    """
    lines: list[str] = []
    listed = list(rows)
    for number, citation in AUDITED_SOURCES.items():
        own = [row for row in listed if row.source == number]
        if not own:
            continue
        counts = [
            f"{sum(row.verdict is verdict for row in own)} {verdict.value}" for verdict in Verdict
        ]
        lines += [
            f"## {number}",
            "",
            _cell(citation),
            "",
            f"{len(own)} rows: {', '.join(counts)}.",
            "",
            "| row | verdict | printed | true |",
            "|---|---|---|---|",
        ]
        for row in own:
            true = row.statement
            if row.beside:
                true += f" (Beside the experiment {row.beside}.)"
            cells = (f"`{row.id}`", row.verdict.value, _cell(row.claim), _cell(true))
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip("\n")
