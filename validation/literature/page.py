"""The census of published learning coefficients as a page of the guides.

``python validation/literature/page.py`` renews ``docs/literature.md``.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rlct.system.bibliography import versioned_number

__all__ = ["LITERATURE_PAGE", "STATUS_MEANINGS", "census", "page"]

ROOT = Path(__file__).parents[2]
LITERATURE_PAGE = ROOT / "docs" / "literature.md"

#: What each status of an entry means, in the order of the page.
STATUS_MEANINGS = {
    "theorem": "exact, by a theorem of the [catalogue](../theory/index.md)",
    "engine": "exact, by the engine: each function is asked for itself",
    "bounds": "proved bounds, by a theorem",
    "variational": "λ_VB, which is not λ but at least λ: [variational](../theory/variational.md)",
    "not yet": "not answered, with the reason",
}

_PAGE_INTRODUCTION = """\
# What is published

Learning coefficients of the literature: what a work says, in our words, and how this program \
answers it. λ is that of K; a threshold (lct) of an ideal or a function is twice the λ of its \
square. The table is made from `validation/literature/census.json`, and a test asks each question \
that stands in the last column. A preprint has the version that was read, or says that none is \
recorded. Is one missing, or wrong? [Tell us](contributing.md)."""

_PAGE_MARK = """\
† Title, year or authors come from memory: no copy of the work or of its record was read."""


def census() -> list[dict[str, Any]]:
    """Return the entries of the census, in the order of the file."""
    text = Path(__file__).with_name("census.json").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = json.loads(text)["entries"]
    return entries


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*")


def _work(entry: Mapping[str, Any]) -> str:
    """Who, when, what and where; a link if it is on arXiv."""
    venue = entry["venue"]
    if venue.startswith("arXiv:"):
        number = venue.removeprefix("arXiv:")
        read = f"{number}, version read: {entry['version']}" if "version" in entry else None
        text = read or versioned_number(number)  # of an entry of the bibliography
        venue = f"[arXiv:{text}](https://arxiv.org/abs/{text.partition(',')[0]})"
    names = [name.partition(",")[0] for name in entry["authors"].split(" and ")]
    who = names[0] + (f" and {names[1]}" if len(names) == 2 else " et al." * (len(names) > 2))
    mark = "" if entry["confirmed"] else " †"
    return f"{who} ({entry['year']}){mark}. *{_cell(entry['title'])}*. {venue}"


def _answer(answer: Mapping[str, Any]) -> str:
    if "lambda" in answer:
        return f"λ = {answer['lambda']}, θ = {answer['theta']}"
    if answer["lower"] == answer["upper"]:  # of a status whose answers are no λ
        return f"λ_VB = {answer['upper']}"
    lower = f"{answer['lower']} ≤ " if answer["lower"] != "0" else ""
    return f"{lower}λ ≤ {answer['upper']}"


def _here(entry: Mapping[str, Any]) -> str:
    """Theorems, the question with its answer, and what else is to be said."""
    parts = [f"**{entry['status']}**"]
    ids = entry.get("theorems", ())
    if ids:
        parts[0] += ": " + ", ".join(f"[{name}](../theory/{name}.md)" for name in ids)
    if "question" in entry:
        question = entry["question"].replace("|", "\\|")
        parts.append(f"`rlct {question}`: {_answer(entry['answer'])}")
    parts += [_cell(entry[key]) for key in ("note", "reason") if key in entry]
    return ". ".join(parts)


def _counts(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    lines = ["| status | entries | meaning |", "|---|---|---|"]
    for status, meaning in STATUS_MEANINGS.items():
        number = sum(entry["status"] == status for entry in entries)
        lines.append(f"| {status} | {number} | {meaning} |")
    return lines


def page(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the page as Markdown: a table for each group of entries.

    Entries are as `census` returns them; KeyError if one lacks a field.

    Examples
    --------
    >>> print(page(census()).splitlines()[0])
    # What is published
    """
    lines = [_PAGE_INTRODUCTION, "", *_counts(entries), "", _PAGE_MARK]
    for group in dict.fromkeys(entry["group"] for entry in entries):
        lines += ["", f"## {group}", "", "| work | about | published | here |", "|---|---|---|---|"]
        for entry in entries:
            if entry["group"] == group:
                said = f"{entry['kind']}: {entry['statement']}"
                cells = (_work(entry), _cell(entry["about"]), _cell(said), _here(entry))
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    LITERATURE_PAGE.write_text(page(census()), encoding="utf-8")
