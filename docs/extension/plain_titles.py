"""Titles of the bibliography on the site: formulas as they are read, without marks of LaTeX."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from rlct.system.bibliography import unmarked_title


def _citations(app: Sphinx, tree: nodes.document, name: str) -> None:
    for entry in tree.findall(nodes.citation):
        for text in list(entry.findall(nodes.Text)):
            if "$" in text:
                text.parent.replace(text, nodes.Text(unmarked_title(text)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register it."""
    app.connect("doctree-resolved", _citations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
