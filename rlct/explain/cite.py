"""The bibliography: which entry a citation means, and BibTeX of what an answer rests on."""

import re
import unicodedata
from collections.abc import Iterable

from rlct.system.bibliography import entries


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


def bibtex(keys: Iterable[str]) -> str:
    """Entries in the order of their keys, each once.

    >>> bibtex(["watanabe2009"]).splitlines()[0]
    '@book{watanabe2009,'
    """
    return "\n\n".join(entries()[key].bibtex for key in sorted(set(keys)))
