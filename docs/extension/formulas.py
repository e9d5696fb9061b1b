"""Theory pages as a book sets them: formulas by MathJax, statements in a box, names for the search.

The pages are written to be read as they are, with formulas in Unicode: this is their one source.
What is a formula `rlct.explain` knows, and how it is written in LaTeX.
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

from rlct.explain.prose import formulas_of
from rlct.report.mathematics import latex_math

__all__ = ["Formulas", "in_nodes", "stacked_fractions"]

#: Text in these is code, a name or a heading.
_KEPT = (
    nodes.literal,
    nodes.literal_block,
    nodes.raw,
    nodes.comment,
    nodes.title,
    nodes.reference,
    nodes.math,
    nodes.Invisible,
)
_SIGNS = set("αβγδεζηθκλμνξπρστφχψωΓΔΘΛΠΣΦΩ≤≥≠∈∞∂√·×±→↦⊂⊗∪∩−∫∘⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉")
#: Signs after which a line may break; before a sum sign TeX wants a space of its own there.
_BREAKS = {" = ": "", " ≤ ": "", " ≥ ": "", " → ": "", " ∈ ": "", " + ": r"\:", " − ": r"\:"}
_LONG = 14  # signs of a formula that need not break
#: What MathJax loads while it sets a page: itself and its letters.
_LOADED = ("tex-chtml.js", "output/chtml/fonts/woff-v2")


def in_nodes(text: str, displayed: bool = False) -> list[nodes.Node]:
    """Text with its formulas set."""
    found: list[nodes.Node] = []
    # A star marks what is true; nothing on these pages is multiplied by one outside code.
    for inside, piece in formulas_of(text.replace("*", "∗")):
        if not inside:
            found.append(nodes.Text(piece.replace("∗", "*")))
            continue
        for k, tex in enumerate(_in_lines(piece)):
            if displayed:
                tex = rf"\displaystyle {stacked_fractions(tex)}"
            found += [nodes.Text(" ")] * (k > 0)
            found.append(nodes.math(tex, tex))
    return found


def _in_lines(formula: str) -> Iterator[str]:
    """A long formula in parts, between which a narrow screen may break the line."""
    start = depth = 0
    for k, sign in enumerate(formula):
        depth += (sign in "([{⌈⌊⟨") - (sign in ")]}⌉⌋⟩")
        mark = formula[k - 2 : k + 1]
        if depth == 0 and k - start > _LONG and mark in _BREAKS and len(formula) - k > 2:
            yield f"{latex_math(formula[start : k - 2])}{_BREAKS[mark]} {latex_math(mark.strip())}"
            start = k + 1
    yield latex_math(formula[start:])


def is_displayed(text: str) -> bool:
    """Whether a paragraph is nothing but equations, with commas between them."""
    pieces = list(formulas_of(text.replace("*", "∗")))
    between = "".join(piece for inside, piece in pieces if not inside)
    equation = any(inside and set("=≤") & set(piece) for inside, piece in pieces)
    return equation and not between.strip(" ,;.\n")


def stacked_fractions(tex: str) -> str:
    r"""What stands before a slash over the number behind it.

    >>> print(stacked_fractions("r(H - r)/2 + ( a + b )/4, e^{1/2}"))
    \frac{r(H - r)}{2} + \frac{a + b}{4}, e^{1/2}
    """
    for match in reversed(list(re.finditer(r"/(\d+)(?!\d)", tex))):
        before, depth = tex[: match.start()], 0
        start = len(before)
        while start and (depth or before[start - 1] not in " ,([{"):
            start -= 1
            depth += (before[start] in ")]}") - (before[start] in "([{")
        above = before[start:]
        if before[:start].count("{") != before[:start].count("}") or not above:
            continue
        group = re.fullmatch(r"\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)|\[([^\[\]]*)\]", above)
        above = (group[1] or group[2]).strip() if group else above
        tex = rf"{before[:start]}\frac{{{above}}}{{{match[1]}}}{tex[match.end() :]}"
    return tex


class Formulas(SphinxTransform):
    """Set the formulas of the theory pages, box their statements, and list their names."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Replace text, and literals that hold nothing but a formula."""
        folder, _slash, name = self.env.docname.rpartition("/")
        if folder != "theory":
            return
        _list_name(self.document, name)
        _box_statement(self.document)
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext()
            if _SIGNS & set(text) and '"' not in text and "=" not in text.partition(" ")[0]:
                literal.replace_self(in_nodes(text))
        for parent in {node.parent: None for node in self.document.findall(nodes.Text)}:
            if _inside_kept(parent):
                continue
            _merge(parent)
            texts = [node for node in parent.children if isinstance(node, nodes.Text)]
            alone = isinstance(parent, nodes.paragraph) and texts == parent.children
            displayed = alone and is_displayed(parent.astext())
            if displayed:
                parent["classes"].append("displayed")
            for node in texts:
                parent.replace(node, in_nodes(node.astext(), displayed))


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


def _inside_kept(node: nodes.Element | None) -> bool:
    while node is not None:
        if isinstance(node, _KEPT):
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
    app.add_transform(Formulas)
    app.connect("build-finished", copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
