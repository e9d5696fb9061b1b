"""The argument on the page of a theorem, read from the folder ``theory`` of the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import rlct
from rlct.errors import InputError
from rlct.explain.prose import mark_formulas

__all__ = ["ProofPassage", "argument", "theory_folder"]

#: Labels of what is no argument for the value.
_OTHER = re.compile(
    "Statement|Hypothes.*|Where|Which λ|Recognised|Warning|Free variance|Consequences|The engine.*"
)
#: Sections that hold arguments; the others are tables and lists.
_SECTIONS = ("Why", "Proofs")
_LABEL = re.compile(r"\*\*(.+?)\*\*\s*")


@dataclass(frozen=True)
class ProofPassage:
    """A part of an argument.

    Parameters
    ----------
    label : str
        How the page calls it.
    text : tuple of str
        Its paragraphs, with formulas between backticks.
    pages : tuple of str
        Other pages that it refers to.
    """

    label: str
    text: tuple[str, ...]
    pages: tuple[str, ...]


def theory_folder() -> Path:
    """The folder of the theory: installed it lies in the package, else beside it."""
    package = Path(rlct.__file__).parent
    installed = package / "theory"
    return installed if installed.is_dir() else package.parent / "theory"


@cache
def argument(page: str) -> tuple[ProofPassage, ...]:
    """Why what a page states is true, in the words of the page.

    Parameters
    ----------
    page : str
        Name of the page of a theorem.

    Raises
    ------
    InputError
        If the installation lacks the page.

    Examples
    --------
    >>> [passage.label for passage in argument("tanh-network")]
    ['K as an ideal', 'The groups', 'Where the spare units go']
    """
    try:
        whole = (theory_folder() / f"{page}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"this installation lacks theory/{page}.md: install rlct from its wheel or source"
        ) from error
    labelled_lines = [
        (label, [line for block in blocks for line in _paragraphs(block)])
        for label, blocks in _labelled(whole)
        if not _OTHER.fullmatch(label)
    ]
    return tuple(
        ProofPassage(
            _plain(label),
            tuple(mark_formulas(_plain(line)) for line in lines),
            tuple(dict.fromkeys(re.findall(r"\]\(([\w-]+)\.md", " ".join(lines)))),
        )
        for label, lines in labelled_lines
        if lines
    )


def _labelled(page_text: str) -> Iterator[tuple[str, list[str]]]:
    """The blocks of text below each label in bold."""
    # An example is a promise of the sentence before it.
    page_text = re.sub(
        r"(?:(?<=\. )[^.\n]*:)?\n\n```.*?^```$", "", page_text, flags=re.MULTILINE | re.DOTALL
    )
    first, *others = re.split(r"^## ", page_text, flags=re.MULTILINE)
    bodies = [first, *(s.partition("\n")[2] for s in others if s.partition("\n")[0] in _SECTIONS)]
    label, label_blocks = "", [""]
    for block in (b.strip() for body in bodies for b in re.split(r"\n\s*\n", body)):
        found = _LABEL.match(block)
        if found:
            yield label, label_blocks
            # Without a full stop it begins the sentence.
            label, label_blocks = found[1].rstrip("."), []
            block = block[found.end() if found[1].endswith(".") else 0 :]
        label_blocks.append(block)
    yield label, label_blocks


def _paragraphs(block: str) -> list[str]:
    """The items of a list one by one, another block as a whole."""
    items = re.split(r"\n(?=\s*(?:[-*]|\d+\.) )", block.strip())
    return [" ".join(item.split()) for item in items if item and not item.startswith("#")]


def _plain(text: str) -> str:
    """Text without marks: links by their names, code and emphasis as words."""
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text.replace(r"\*", "\0"))
    text = re.sub(r"(?<![\w*])\*(?!\s)([^*]+?)(?<!\s)\*(?![\w*])", r"\1", text)
    text = text.replace("**", "").replace("`", "").replace("\0", "*")
    return re.sub(r"\\([_|])", r"\1", text).replace(" ∎", "")
