"""The bibliography: which entry a citation means, and BibTeX of what an answer rests on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rlct.errors import InputError
from rlct.explain.pages import theory_folder

__all__ = [
    "Entry",
    "bibtex",
    "entries",
    "keys_of",
    "letters_only",
    "long_citation",
    "short_citation",
    "unmarked_title",
    "versioned",
]

_FIELD = re.compile(r"^  (\w+) = \{+(.*?)\}+,?$", re.MULTILINE)
_ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}\n", re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """One entry of the bibliography.

    Parameters
    ----------
    key : str
    kind : str
        ``"article"``, ``"book"`` and so on.
    fields : dict
        By name, without braces and dollars.
    bibtex : str
        As it stands in the file.
    """

    key: str
    kind: str
    fields: dict[str, str]
    bibtex: str

    @property
    def surnames(self) -> list[str]:
        """Family names of the authors."""
        return [name.partition(",")[0] for name in self.fields["author"].split(" and ")]


@cache
def entries() -> dict[str, Entry]:
    """All entries by key.

    Raises
    ------
    InputError
        If the installation lacks the file.

    Examples
    --------
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
        m[2]: Entry(m[2], m[1], dict(_FIELD.findall(unmarked_title(m[3]))), m[0].rstrip())
        for m in _ENTRY.finditer(text)
    }


def unmarked_title(text: str) -> str:
    r"""A title without the marks of LaTeX around formulas.

    >>> unmarked_title(r"varieties $P^m \times P^n$")
    'varieties P^m × P^n'
    """
    return text.replace("$", "").replace(r"\times", "×")


def letters_only(text: str) -> str:
    """Letters and digits only: publishers differ in dashes and capitals."""
    text = unicodedata.normalize("NFKD", text.casefold())
    return re.sub(r"[\W_]+", " ", "".join(c for c in text if not unicodedata.combining(c)))


def keys_of(citation: str) -> list[str]:
    """Keys of the entries that a citation means: first author, year, and title or arXiv number.

    >>> keys_of("Howald, J. A. (2001). Multiplier ideals of monomial ideals. Trans. AMS 353.")
    ['howald2001']
    """
    words = letters_only(citation.removeprefix("- ").removeprefix("Summary of "))
    return [
        key
        for key, entry in entries().items()
        if words.startswith(letters_only(entry.surnames[0]))
        and (
            entry.fields.get("eprint", "none") in citation
            or (entry.fields["year"] in citation and letters_only(entry.fields["title"]) in words)
        )
    ]


def short_citation(key: str) -> str:
    """Name and year.

    >>> short_citation("varchenko1976"), short_citation("drton2025")[:6]
    ('Varchenko 1976', 'Drton ')
    """
    entry = entries()[key]
    names = entry.surnames
    shown = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{shown} {entry.fields['year']}"


def long_citation(key: str) -> str:
    """One line with all that is needed to find it, and the version of it that was read.

    >>> long_citation("howald2001")[:65]
    'Howald, J. A. (2001). Multiplier ideals of monomial ideals. Trans'
    >>> long_citation("aoyagi2025")[-44:]
    'arXiv:2501.12747, version read: not recorded.'
    """
    entry_fields = entries()[key].fields
    names = " and ".join(entry_fields["author"].split(" and "))
    parts = [f"{names} ({entry_fields['year']}). {entry_fields['title']}."]
    journal_name = (
        entry_fields.get("journal")
        or entry_fields.get("booktitle")
        or entry_fields.get("publisher")
    )
    journal_name = journal_name or entry_fields.get("school")
    if journal_name:
        volume = f" {entry_fields['volume']}" if "volume" in entry_fields else ""
        pages = f":{entry_fields['pages']}" if "pages" in entry_fields and volume else ""
        parts.append(f"{journal_name}{volume}{pages}.")
    if "eprint" in entry_fields:
        parts.append(f"arXiv:{versioned(entry_fields['eprint'])}.")
    return " ".join(parts)


def versioned(number: str) -> str:
    """A number of arXiv, with the version that was read.

    >>> versioned("2603.01192"), versioned("2501.12747")
    ('2603.01192v1', '2501.12747, version read: not recorded')
    """
    (read,) = (e.fields["version"] for e in entries().values() if e.fields.get("eprint") == number)
    return f"{number}{read}" if re.fullmatch(r"v\d+", read) else f"{number}, version read: {read}"


def bibtex(keys: Iterable[str]) -> str:
    """Entries in the order of their keys, each once.

    >>> bibtex(["watanabe2009"]).splitlines()[0]
    '@book{watanabe2009,'
    """
    return "\n\n".join(entries()[key].bibtex for key in sorted(set(keys)))
