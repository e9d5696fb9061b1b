"""Formulas in the text of the theory pages: indices lowered, powers raised, letters slanted.

The pages are written to be read as they are, with formulas in Unicode.  What is a formula, and
how it is set, `rlct.explain` knows; no script is needed to show it.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from rlct.explain.formulas import Piece, typeset_formula
from rlct.explain.prose import formulas_of

__all__ = ["Formulas", "in_nodes"]

_NODES = {"italic": nodes.emphasis, "sub": nodes.subscript, "sup": nodes.superscript}
#: Text in these is code, a name or a heading.
_KEPT = (
    nodes.literal,
    nodes.literal_block,
    nodes.raw,
    nodes.comment,
    nodes.title,
    nodes.reference,
    nodes.Invisible,
)
_SIGNS = set("αβγδεζηθκλμνξπρστφχψωΓΔΘΛΠΣΦΩ≤≥≠∈∞∂√·×±→↦⊂⊗∪∩−∫∘⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")


def in_nodes(text: str) -> list[nodes.Node]:
    """Text with its formulas set."""
    found: list[nodes.Node] = []
    # A star marks what is true; nothing on these pages is multiplied by one outside code.
    for inside, piece in formulas_of(text.replace("*", "∗")):
        if inside:
            formula = nodes.inline("", "", classes=["formula"])
            formula += _set(typeset_formula(piece))
            found.append(formula)
        else:
            found.append(nodes.Text(piece.replace("∗", "*")))
    return found


def _set(pieces: tuple[Piece, ...]) -> list[nodes.Node]:
    found: list[nodes.Node] = []
    for style, content in pieces:
        kind = _NODES.get(style)
        inner = [nodes.Text(content)] if isinstance(content, str) else _set(content)
        found += inner if kind is None else [kind("", "", *inner)]
    return found


class Formulas(SphinxTransform):
    """Set the formulas of the theory pages."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Replace text, and literals that hold nothing but a formula."""
        if not self.env.docname.startswith("theory/"):
            return
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            if _SIGNS & set(text) and '"' not in text and "=" not in text.partition(" ")[0]:
                literal.replace_self(in_nodes(text))
        for parent in {node.parent: None for node in self.document.findall(nodes.Text)}:
            if not _inside_kept(parent):
                _merge(parent)
                for node in [n for n in parent.children if isinstance(n, nodes.Text)]:
                    parent.replace(node, in_nodes(node.astext()))


def _inside_kept(node: nodes.Element | None) -> bool:
    while node is not None:
        formula = isinstance(node, nodes.inline) and "formula" in node["classes"]
        if formula or isinstance(node, _KEPT):
            return True
        node = node.parent
    return False


def _merge(parent: nodes.Element) -> None:
    """Texts side by side, cut at an escape, are one."""
    children: list[nodes.Node] = []
    for child in parent.children:
        if children and isinstance(child, nodes.Text) and isinstance(children[-1], nodes.Text):
            child = nodes.Text(children.pop().astext() + child.astext())
        children.append(child)
    parent.children = []
    parent.extend(children)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform."""
    app.add_transform(Formulas)
    return {"parallel_read_safe": True}
