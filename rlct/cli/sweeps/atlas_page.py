"""The atlas as files: CSV, JSON and pages that need no network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

import rlct
from rlct.sweep.atlas import csv_text, json_text
from rlct.system.files import replace_file
from rlct.theorems.index import THEOREM_INDEX

if TYPE_CHECKING:
    from rlct.sweep.atlas import AtlasRow

_COLUMN_HEADINGS: Final = ("Question", "λ", "θ", "d/2", "By", "Certificate")
_LONG_QUESTION: Final = 40  # letters of a question that need no break but at spaces
_VERIFIED_TEXTS: Final = {
    "true": "verified",
    "in part": "verified in part",
    "false": "does not hold",
    "no certificate": "none",
}


def write_pages(
    folder: Path, families: Sequence[tuple[str, str]], rows: Sequence[AtlasRow], theory: str = ""
) -> None:
    """Write the tables, the index and a page for each family.

    ``families`` has id and title of each page; ``theory`` is the address of the folder of theory
    pages, to which names of theorems lead; none if empty.
    """
    home = files("rlct.cli.sweeps")
    style = files("rlct.serve").joinpath("static", "style.css").read_text(encoding="utf-8")
    texts = {
        "style.css": style + home.joinpath("atlas.css").read_text(encoding="utf-8"),
        "filter.js": home.joinpath("filter.js").read_text(encoding="utf-8"),
        "index.html": _index(families, rows),
        "atlas.csv": csv_text(rows),
        "atlas.json": json_text(rows),
    }
    for name, title in families:
        own = [row for row in rows if row.family == name]
        texts[f"atlas-{name}.html"] = _family(title, own, theory)
    for name, text in texts.items():
        with replace_file(folder / name) as file:
            file.write(text.encode())


def _index(families: Sequence[tuple[str, str]], rows: Sequence[AtlasRow]) -> str:
    lines = []
    for name, title in families:
        own = [row for row in rows if row.family == name]
        exact = sum(row.status == "exact" for row in own)
        proved = sum(row.verified == "true" for row in own if row.status == "exact")
        cells = "".join(f'<td class="number">{count}</td>' for count in (len(own), exact, proved))
        lines.append(
            f'<tr><th scope="row"><a href="atlas-{name}.html">{escape(title)}</a></th>{cells}'
        )
    heading_cells = "".join(
        f'<th scope="col"{" class=number" * (k > 0)}>{text}</th>'
        for k, text in enumerate(("Family", "Rows", "Exact", "Verified"))
    )
    total = f"{len(rows)} rows, {sum(row.status == 'exact' for row in rows)} of them exact"
    body = (
        f"<h1>Atlas of learning coefficients</h1><p>{total}, by rlct {rlct.__version__}. All of "
        'them: <a href="atlas.csv" download>atlas.csv</a>, '
        '<a href="atlas.json" download>atlas.json</a>.</p>'
        f"{_table('Families', heading_cells, lines)}"
    )
    return _document("Atlas", body)


def _family(title: str, rows: Sequence[AtlasRow], theory: str) -> str:
    heading_cells = "".join(f'<th scope="col">{text}</th>' for text in _COLUMN_HEADINGS)
    table = _table(title, heading_cells, (_row(row, theory) for row in rows))
    body = (
        f'<p><a href="index.html">Atlas</a></p><h1>{escape(title)}</h1>'
        '<p class="filter" hidden><label for="filter">Show rows with (commas between parts)</label>'
        '<input id="filter" type="search" autocomplete="off" placeholder="rank 1, verified">'
        f'<output id="shown" for="filter">{len(rows)} of {len(rows)} rows</output></p>{table}'
    )
    return _document(title, body, '<script src="filter.js" defer></script>\n')


def _table(title: str, heading_cells: str, lines: Iterable[str]) -> str:
    body = "\n".join(lines)
    return (
        f'<div class="wide" role="region" tabindex="0" aria-label="{escape(title)}"><table>'
        f"<thead><tr>{heading_cells}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _row(row: AtlasRow, theory: str) -> str:
    lam = row.lam or f"{row.lower or '0'} to {row.upper or '∞'}"
    numbers = "".join(
        f'<td class="number">{escape(text) or "–"}</td>'
        for text in (lam, row.theta, row.half_parameters)
    )
    python = f"<br><code>{_broken(row.python)}</code>" if row.python else ""
    return (
        f'<tr><th scope="row"><code>rlct {_broken(row.question)}</code>{python}</th>{numbers}'
        f"<td>{_method(row.method, theory)}</td><td>{_VERIFIED_TEXTS[row.verified]}</td>"
    )


def _broken(text: str) -> str:
    """Let a line break at spaces and after commas, never within an option or its value."""
    words = re.sub(r"--[\w-]+(?: [^\s-]\S*)?", r'<span class="word">\g<0></span>', escape(text))
    return re.sub(r",(?=\S)", ",<wbr>", words) if len(text) > _LONG_QUESTION else words


def _method(text: str, theory: str) -> str:
    """Link the theorem to its page."""
    head, _, name = text.partition(" ")
    short, _, rest = name.partition(" ")
    if not theory or head != "theorem" or short not in THEOREM_INDEX:
        return escape(text)
    return f'theorem <a href="{theory}/{short}.html">{short}</a> {escape(rest)}'.rstrip()


def _document(title: str, body: str, script_tag: str = "") -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)} · rlct</title>
<link rel="stylesheet" href="style.css">
{script_tag}</head>
<body class="atlas">
<main>
{body}
</main>
<footer>
<p>λ is the real log canonical threshold of K, the learning coefficient; θ its multiplicity; d the
number of parameters. A regular model has λ = d/2. A certificate is a proof that a second program
has replayed; where there is none, the theorem stands alone.</p>
</footer>
</body>
</html>
"""
