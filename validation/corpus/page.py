"""Singularities that have a name as a page of the guides.

``python validation/corpus/page.py`` renews ``docs/singularities.md``.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from cases import Case, corpus

ROOT = Path(__file__).parents[2]
CORPUS_PAGE = ROOT / "docs" / "singularities.md"
LONGEST_FORMULA = 100  # characters

_PAGE_INTRODUCTION = """\
# Singularities by name

λ and θ of K = f² at the origin, for functions f that have a name: plane curves, du Val surfaces, \
the lists of Arnold, surfaces of the gallery, discriminants, determinants, arrangements. Each pair \
has an argument that uses no program; `rlct poly "(f)**2"` gives the same pair, but where the \
table says that it gives bounds. The threshold (lct) of f over C is at most 2λ, and less where the \
zeros that reach it are not real.

The table is made from `validation/corpus/cases.py`; `python validation/corpus/run.py` asks all of \
them, and compares with Singular and Macaulay2."""


def page(cases: Iterable[Case]) -> str:
    """Return the page as Markdown: a table for each source, of the cases that have a name."""
    record = json.loads(Path(__file__).with_name("results.json").read_text("utf-8"))["rows"]
    exact = {row["id"] for row in record if row["verdict"] == "exact"}
    tables: dict[str, list[str]] = {}
    for case in cases:
        title, _, why = case["source"].partition(": ")
        if case["list"] != "named" or not title[0].isupper():  # a kind, and no work
            continue
        f = case["expr"].removeprefix("(").removesuffix(")**2")
        shown = f"`{f}`" if len(f) <= LONGEST_FORMULA else "long"
        argument = why.replace("|", "\\|") + ("" if case["id"] in exact else ". Bounds here")
        cells = (case["id"], shown, case["lambda"], str(case["theta"]), argument)
        tables.setdefault(title, []).append(f"| {' | '.join(cells)} |")
    lines = [_PAGE_INTRODUCTION]
    for title, rows in tables.items():
        lines += ["", f"## {title}", "", "| name | f | λ | θ | argument |", "|---|---|---|---|---|"]
        lines += rows
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    CORPUS_PAGE.write_text(page(corpus()), encoding="utf-8")
