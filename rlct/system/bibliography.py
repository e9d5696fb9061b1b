"""The bibliography, ``theory/references.bib``: its entries, and citations made of them."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rlct.errors import InputError

_ENTRY_FIELD = re.compile(r"^  (\w+) = \{+(.*?)\}+,?$", re.MULTILINE)
_WHOLE_ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}\n", re.DOTALL)


def theory_folder() -> Path:
    """The folder of the theory: installed it lies in the package, else beside it."""
    package = Path(__file__).parents[1]
    installed = package / "theory"
    return installed if installed.is_dir() else package.parent / "theory"


@dataclass(frozen=True)
class Entry:
    """One entry of the bibliography."""

    key: str
    #: ``"article"``, ``"book"`` and so on.
    kind: str
    #: By name, without braces and dollars.
    fields: dict[str, str]
    #: As it stands in the file.
    bibtex: str

    @property
    def surnames(self) -> list[str]:
        """Family names of the authors."""
        return [name.partition(",")[0] for name in self.fields["author"].split(" and ")]


@cache
def entries() -> dict[str, Entry]:
    """All entries by key.

    >>> entries()["howald2001"].fields["year"]
    '2001'
    """
    try:
        text = (theory_folder() / "references.bib").read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            "this installation lacks references.bib: install rlct from its wheel or source"
        ) from error
    return {
        m[2]: Entry(m[2], m[1], dict(_ENTRY_FIELD.findall(unmarked_title(m[3]))), m[0].rstrip())
        for m in _WHOLE_ENTRY.finditer(text)
    }


def unmarked_title(text: str) -> str:
    r"""A title without the marks of LaTeX around formulas.

    >>> unmarked_title(r"varieties $P^m \times P^n$")
    'varieties P^m × P^n'
    """
    return text.replace("$", "").replace(r"\times", "×")


def versioned_number(number: str) -> str:
    """A number of arXiv, with the version that was read.

    >>> versioned_number("2603.01192"), versioned_number("2501.12747")
    ('2603.01192v1', '2501.12747, version read: not recorded')
    """
    (read,) = (e.fields["version"] for e in entries().values() if e.fields.get("eprint") == number)
    return number + (read if re.fullmatch(r"v\d+", read) else f", version read: {read}")


def full_citation(cited: str) -> str:
    """Write out the work whose key begins a text, and the rest of the text after it.

    >>> full_citation("watanabe2009, chapter 1").removeprefix("Watanabe, S. (2009). ")
    'Algebraic Geometry and Statistical Learning Theory. Cambridge University Press, chapter 1.'
    """
    key = re.split(r"\W", cited, maxsplit=1)[0]
    entry_fields = entries()[key].fields
    *others, last = entry_fields["author"].split(" and ")
    names = f"{', '.join(others)} and {last}" if others else last
    parts = [f"{names} ({entry_fields['year']})", entry_fields["title"]]
    kinds = ("journal", "booktitle", "publisher", "school")
    if printed_in := next((entry_fields[kind] for kind in kinds if kind in entry_fields), ""):
        volume = f" {entry_fields['volume']}" if "volume" in entry_fields else ""
        pages = f":{entry_fields['pages']}" if volume and "pages" in entry_fields else ""
        parts.append(printed_in + volume + pages)
    if "eprint" in entry_fields:
        parts.append(f"arXiv:{versioned_number(entry_fields['eprint'])}")
    return f"{'. '.join(parts)}{cited.removeprefix(key)}."
