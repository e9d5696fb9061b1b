"""The index and the bibliography of the theory pages are complete."""

import re
from pathlib import Path

import pytest
from theory_table import INDEX, TABLE, theorem_table

from rlct.engine import rules as engine_rules
from rlct.explain import cite
from rlct.theorems import all_theorems
from validation.audit.sources import AUDITED_SOURCES

ROOT = Path(__file__).parents[1]
THEORY = ROOT / "theory"


ENTRIES = {key: entry.fields for key, entry in cite.entries().items()}
keys, plain = cite.keys_of, cite.letters_only


def surnames(entry):
    return [name.partition(",")[0] for name in entry["author"].split(" and ")]


def test_the_bibliography_is_read_whole():
    text = (THEORY / "references.bib").read_text(encoding="utf-8")
    assert text.count("@") == len(ENTRIES) == len(set(re.findall(r"^@\w+\{(\w+),$", text, re.M)))


def special(text):
    """Characters that LaTeX takes for something else in the text of a field."""
    pieces = text.split("$")
    words = " ".join(pieces[::2])
    return re.findall(r"[\\_^&%#~]", words) + ["$"] * (len(pieces) % 2 == 0)


@pytest.mark.parametrize("key", ENTRIES)
def test_latex_can_set_every_entry(key):
    entry = cite.entries()[key]
    lines = entry.bibtex.splitlines()[1:-1]
    assert all(re.fullmatch(r"  \w+ = \{.*\},?", line) for line in lines)
    for line in lines:
        assert line.count("{") == line.count("}")
        if not line.startswith(("  url = ", "  doi = ")):
            assert special(line) == [], line
    assert not any(re.search(r"[${}\\]", value) for value in entry.fields.values())


@pytest.mark.parametrize("title", ["type A_m", "P^n", "50 %", "A & B", "a # b", "~", r"\S", "$x"])
def test_what_latex_would_not_set_is_seen(title):
    assert special(title)


def citations():
    found = [(theorem.id, source) for theorem in all_theorems() for source in theorem.sources]
    found += [(f"audit {number}", source) for number, source in AUDITED_SOURCES.items()]
    engine = [source for rule in engine_rules.STATED_RULES.values() for source in rule.sources]
    found += [("engine", source) for source in [*engine, engine_rules._WATANABE_BOOK]]
    for page in sorted(THEORY.glob("*.md")):
        for line in page.read_text(encoding="utf-8").splitlines():
            if re.match(r"- [A-Z][\w-]+, [A-Z]\. .*\((19|20)\d\d\)", line):
                found.append((page.stem, line))
    return sorted(set(found))


@pytest.mark.parametrize(("place", "citation"), citations())
def test_every_citation_is_one_entry(place, citation):
    assert len(keys(citation)) == 1, keys(citation)


def test_a_wrong_citation_is_none():
    right = "Howald, J. A. (2001). Multiplier ideals of monomial ideals."
    assert keys(right) == ["howald2001"]
    for old, new in (("2001", "2002"), ("Howald", "Lin"), ("Multiplier", "Integral")):
        assert keys(right.replace(old, new)) == []


def test_every_arxiv_number_is_an_entry():
    known = {entry.get("eprint") for entry in ENTRIES.values()}
    for page in THEORY.glob("*.md"):
        for number in re.findall(r"arXiv:(\d{4}\.\d{4,5})", page.read_text(encoding="utf-8")):
            assert number in known, (page.name, number)


def test_names_with_years_in_the_text_are_entries():
    """Such as (Trager 1976), or Rossi, Ann. Math. 78 (1963)."""
    found = set()
    known = {(plain(n).strip(), e["year"]) for e in ENTRIES.values() for n in surnames(e)}
    for page in THEORY.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for names, year in re.findall(
            r"\(((?:[A-Z][\w-]+(?:, | and )?)+) ((?:19|20)\d\d)(?=[,)])", text
        ):
            last = re.split(", | and ", names)[-1]
            found.add((page.name, plain(last).strip(), year))
    assert len(found) > 5
    assert {(n, y) for _, n, y in found} <= known, {x for x in found if x[1:] not in known}


def test_the_table_of_theorems_is_the_catalogue():
    shown = TABLE.search(INDEX.read_text(encoding="utf-8"))[1]
    assert shown == theorem_table(), "make index renews it"


def test_every_page_is_in_the_index():
    text = INDEX.read_text(encoding="utf-8")
    for page in THEORY.glob("*.md"):
        assert page == INDEX or f"({page.name})" in text, page.name
    for name in re.findall(r"\]\(([\w-]+\.\w+)\)", text):
        assert (THEORY / name).exists(), name
