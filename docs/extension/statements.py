"""Theory pages as a book sets them: statements in a box, formulas that may break, names to search.

The pages hold their formulas as LaTeX, which MathJax sets.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

__all__ = ["Statements", "in_lines"]

#: A sign of a relation or a sum, after which a line may break.
_BREAK = re.compile(r" (=|\\leq|\\geq|\\to|\\in|\+|-) ")
_LONG = 40  # characters of a formula that need not break
#: What MathJax loads while it sets a page: itself and its letters.
_LOADED = ("tex-chtml.js", "output/chtml/fonts/woff-v2")


def in_lines(tex: str) -> Iterator[str]:
    r"""Cut a long formula into parts, between which a narrow screen may break the line.

    >>> list(in_lines(r"F = n L(w_{0}) + \lambda \log n + O_{p}(1) - (\theta - 1) \log \log n"))
    ['F = n L(w_{0}) + \\lambda \\log n + O_{p}(1)\\: -', '(\\theta - 1) \\log \\log n']
    """
    start = 0
    for match in _BREAK.finditer(tex):
        before = re.sub(r"\\lbrace", "(", re.sub(r"\\rbrace", ")", tex[: match.start()]))
        inside = sum(before.count(c) for c in "([{") - sum(before.count(c) for c in ")]}")
        if inside == 0 and match.start() - start > _LONG and len(tex) - match.end() > 2:
            # Before a sum sign at an end TeX wants a space of its own.
            space = r"\:" if match[1] in "+-" else ""
            yield f"{tex[start : match.start()]}{space} {match[1]}"
            start = match.end()
    yield tex[start:]


class Statements(SphinxTransform):
    """Box the statements of the theory pages, cut their formulas, and list their names."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Change the pages of the folder ``theory``."""
        folder, _slash, name = self.env.docname.rpartition("/")
        if folder != "theory":
            return
        _list_name(self.document, name)
        _box_statement(self.document)
        for formula in list(self.document.findall(nodes.math)):
            found: list[nodes.Node] = []
            for tex in in_lines(formula.astext()):
                found += [nodes.Text(" ")] * bool(found) + [nodes.math(tex, tex)]
            formula.replace_self(found)


def _list_name(document: nodes.document, name: str) -> None:
    """Put the name of a page into the index, where the search finds it first."""
    top = next(document.findall(nodes.section))
    names = dict.fromkeys((name, name.replace("-", " ")))
    entries = [("single", entry, top["ids"][0], "main", None) for entry in names]
    top.insert(1, addnodes.index(entries=entries))


def _box_statement(document: nodes.document) -> None:
    """Draw a box around a statement: up to the next paragraph that begins with a label."""
    for first in list(document.findall(nodes.paragraph)):
        if _label(first) != "Statement.":
            continue
        parent, start = first.parent, first.parent.index(first)
        end = start + 1
        while end < len(parent) and not (
            isinstance(parent[end], nodes.section) or _label(parent[end])
        ):
            end += 1
        box = nodes.container("", *parent[start:end], classes=["statement"])
        parent[start:end] = [box]


def _label(node: nodes.Node) -> str:
    """The words in bold that a paragraph begins with."""
    if not isinstance(node, nodes.paragraph):
        return ""
    first = next((child for child in node.children if child.astext()), None)
    return first.astext() if isinstance(first, nodes.strong) else ""


def copy_mathjax(app: Sphinx, exception: Exception | None) -> None:
    """Put MathJax beside the pages, which load nothing from a network."""
    found = importlib.util.find_spec("sphinx-mathjax-offline")
    if exception is not None or found is None or found.origin is None:
        return
    source, target = Path(found.origin).parent / "static", Path(app.outdir, "_static")
    for name in _LOADED:
        here, there = source / "mathjax" / name, target / "mathjax" / name
        there.parent.mkdir(parents=True, exist_ok=True)
        if here.is_dir():
            shutil.copytree(here, there, dirs_exist_ok=True)
        else:
            shutil.copy(here, there)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_transform(Statements)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
