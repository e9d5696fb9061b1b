"""The atlas: its pages beside the guides, and the counts of its families in the guide.

The rows are those of ``validation/atlas/atlas.csv``; the lines of Python are written anew.
"""

from __future__ import annotations

import csv
import shlex
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from rlct.cli.asking import CommandAsker
from rlct.cli.sweeps.atlas_page import write_pages
from rlct.cli.sweeps.python_line import python_line
from rlct.sweep.atlas import AtlasRow, default_grids, read_families

TABLE = Path(__file__).parents[2] / "validation" / "atlas" / "atlas.csv"


@cache
def recorded() -> list[dict[str, str]]:
    """The rows of the table, as they are written."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _with_python(row: dict[str, str]) -> AtlasRow:
    asked = CommandAsker().asked(shlex.split(row["question"]))
    cells = {"lam" if name == "lambda" else name: cell for name, cell in row.items()}
    return AtlasRow(python=python_line(*asked), **cells)


def _counts() -> Iterator[tuple[str, str, Counter[str]]]:
    """Yield id, title and counts of each family."""
    for family in read_families(default_grids()):
        own = [row for row in recorded() if row["family"] == family.id]
        counts = Counter({"rows": len(own)})
        for row in own:
            counts[row["status"]] += 1
            counts["verified"] += row["status"] == "exact" and row["verified"] == "true"
        yield family.id, family.title, counts


class Atlas(SphinxDirective):
    """``{atlas}``: how many rows each family has, with links to its page and to all rows."""

    def run(self) -> list[nodes.Node]:
        """Return a sentence and a table."""
        found = list(_counts())
        total = sum((counts for _, _, counts in found), Counter())
        text = nodes.paragraph()
        text += nodes.Text(
            f"There are {total['rows']} rows: {total['exact']} exact, {total['verified']} of them "
            f"with a certificate, and {total['bounds']} between bounds. "
        )
        for k, (address, name) in enumerate(
            (("index.html", "Tables"), ("atlas.csv", "CSV"), ("atlas.json", "JSON"))
        ):
            text += nodes.Text(", " if k else "")
            text += nodes.reference("", name, refuri=f"atlas/{address}", internal=False)
        text += nodes.Text(".")
        return [text, _table(found)]


def _table(found: list[tuple[str, str, Counter[str]]]) -> nodes.table:
    group = nodes.tgroup(cols=4)
    group += [nodes.colspec(colwidth=width) for width in (60, 12, 12, 16)]
    head, body = nodes.thead(), nodes.tbody()
    head += _line(*(nodes.Text(name) for name in ("family", "rows", "exact", "certificate")))
    for name, title, counts in found:
        link = nodes.reference("", title, refuri=f"atlas/atlas-{name}.html", internal=False)
        numbers = (nodes.Text(str(counts[key])) for key in ("rows", "exact", "verified"))
        body += _line(link, *numbers)
    group += [head, body]
    return nodes.table("", group)


def _line(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir) / "docs" / "atlas"
    folder.mkdir(parents=True, exist_ok=True)
    families = [(family.id, family.title) for family in read_families(default_grids())]
    write_pages(folder, families, [_with_python(row) for row in recorded()], "../../theory")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register it."""
    app.add_directive("atlas", Atlas)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
