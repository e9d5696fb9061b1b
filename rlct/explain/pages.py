"""The page of a theorem, read from the folder ``theory`` of the package: what it says, and why."""

import re
from dataclasses import dataclass
from functools import cache

from rlct.errors import InputError
from rlct.report.mathematics import text
from rlct.system.bibliography import theory_folder

#: Labels of what is no argument for the value.
_NO_ARGUMENT = re.compile(
    "Statement|Remarks|Hypothes.*|Where|Which λ|Recognised|Warning|Free variance|Consequences"
    "|The engine.*"
)
#: Sections that hold arguments; the others are tables and lists.
_ARGUMENT_SECTIONS = ("Why", "Proofs")
_LABEL_PATTERN = re.compile(r"\*\*(.+?)\*\*\s*")
#: The head and the rows of a table of values or of counterexamples.
_VALUE_TABLE = re.compile(r"^\| arguments \| (.*)\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class ProofPassage:
    """A part of an argument."""

    #: How the page calls it, with formulas as in the text.
    label: str
    #: Its paragraphs, with formulas in LaTeX between dollars.
    text: tuple[str, ...]
    #: Other pages that it refers to.
    pages: tuple[str, ...]


def theorem_statement(page: str) -> str:
    """What a page states, in one paragraph.

    >>> print(theorem_statement("frozen-features"))
    λ = p·rank(F)/2 and θ = 1 for p outputs; F without its column means if centred.
    """
    return text(marked_statement(page))


def marked_statement(page: str) -> str:
    r"""What a page states, with its formulas between dollars as it has them.

    >>> print(marked_statement("regular"))
    $\lambda = d/2$ and $\theta = 1$ for $d$ parameters.
    """
    blocks = dict(_labelled(page))["Statement"]
    lines = [line.removeprefix("- ") for block in blocks for line in _paragraphs(block)]
    return _plain(" ".join(lines))


@cache
def argument(page: str) -> tuple[ProofPassage, ...]:
    """Why what a page states is true, in the words of the page.

    >>> [passage.label for passage in argument("tanh-network")]
    ['$K$ as an ideal', 'The groups', 'Where the spare units go']
    """
    labelled_lines = [
        (label, [line for block in blocks for line in _paragraphs(block)])
        for label, blocks in _labelled(page)
        if not _NO_ARGUMENT.fullmatch(text(label))
    ]
    return tuple(
        ProofPassage(
            _plain(label),
            tuple(_plain(line) for line in lines),
            tuple(dict.fromkeys(re.findall(r"\]\(([\w-]+)\.md", " ".join(lines)))),
        )
        for label, lines in labelled_lines
        if lines
    )


def failure_reasons(page: str) -> tuple[str, ...]:
    """Why the formula of a theorem is wrong at each of its counterexamples, in their order.

    >>> failure_reasons("additive-rule")
    ('K = x²(y² + z²), a product: the smaller of ½ and 1.', 'A prior x² adds 1 to λ₁.')
    """
    return tuple(reason for _, reason in _rows(page, "formula "))


def value_origins(page: str) -> tuple[tuple[str, str], ...]:
    """Arguments of the values that a page lists, each with how the value is known.

    >>> value_origins("additive-rule")[:2]
    (('exponents=1;2', 'K = x² + y⁴'), ('exponents=1,1;1,1', 'K = x²y² + z²w²'))
    """
    return _rows(page, "$\\lambda$ ") + _rows(page, "lower ")


def _rows(page: str, kind: str) -> tuple[tuple[str, str], ...]:
    """First and last cells of the tables whose second column begins with ``kind``."""
    rows = (
        row.strip("| ").split(" | ")
        for head, table in _VALUE_TABLE.findall(_page_text(page))
        for row in table.splitlines()
        if head.startswith(kind)
    )
    return tuple((cells[0].strip("`"), text(_plain(cells[-1]))) for cells in rows)


def _page_text(page: str) -> str:
    try:
        return (theory_folder() / f"{page}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"this installation lacks theory/{page}.md: install rlct from its wheel or source"
        ) from error


@cache
def _labelled(page: str) -> tuple[tuple[str, list[str]], ...]:
    """The blocks of text below each label in bold."""
    page_text = _page_text(page)
    # An example is a promise of the sentence before it.
    page_text = re.sub(
        r"(?:(?<=\. )[^.\n]*:)?\n\n```.*?^```$", "", page_text, flags=re.MULTILINE | re.DOTALL
    )
    page_text = re.sub(r"\$\$\s*(.*?)\s*\$\$", r"$\1$", page_text, flags=re.DOTALL)
    try:
        text(page_text)
    except InputError as error:
        raise InputError(f"theory/{page}.md: {error}") from error
    first, *later_sections = re.split(r"^## ", page_text, flags=re.MULTILINE)
    titled = (section.partition("\n") for section in later_sections)
    bodies = [first, *(body for title, _, body in titled if title in _ARGUMENT_SECTIONS)]
    label, label_blocks, earlier_labels = "", [""], []
    for block in (b.strip() for body in bodies for b in re.split(r"\n\s*\n", body)):
        label_match = _LABEL_PATTERN.match(block)
        if label_match:
            earlier_labels.append((label, label_blocks))
            # Without a full stop it begins the sentence.
            label, label_blocks = label_match[1].rstrip("."), []
            block = block[label_match.end() if label_match[1].endswith(".") else 0 :]
        label_blocks.append(block)
    return (*earlier_labels, (label, label_blocks))


def _paragraphs(block: str) -> list[str]:
    """The items of a list one by one, another block but a table as a whole."""
    items = re.split(r"\n(?=\s*(?:[-*]|\d+\.) )", block.strip())
    return [" ".join(item.split()) for item in items if item and item[0] not in "#|"]


def _plain(block: str) -> str:
    """Text without marks, but for formulas: links by their names, code and emphasis as words."""
    formulas = re.findall(r"\$[^$]*\$", block)
    block = re.sub(r"\$[^$]*\$", "\1", block)
    block = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", block.replace(r"\*", "\0"))
    block = re.sub(r"(?<![\w*])\*(?!\s)([^*]+?)(?<!\s)\*(?![\w*])", r"\1", block)
    block = block.replace("**", "").replace("`", "").replace("\0", "*")
    block = re.sub(r"\\([_|])", r"\1", block).replace(" ∎", "")
    return re.sub("\1", lambda _: formulas.pop(0), block)
