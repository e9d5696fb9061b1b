"""The census of published learning coefficients: entries, theorems, answers, page."""

import json
import re
import shlex
from collections import Counter

import pytest

from rlct.cli.main import main
from rlct.explain import cite
from rlct.theorems import all_theorems
from validation.literature.page import LITERATURE_PAGE, STATUS_MEANINGS, census, page

ENTRIES = census()
KINDS = {"exact", "upper bound", "lower bound", "bounds", "rate", "criterion", "method"}
FIELDS = {"id", "authors", "year", "title", "venue", "confirmed", "group", "about", "kind"}
FIELDS |= {"statement", "status"}
ASKED = [entry for entry in ENTRIES if "question" in entry]


def entries(chosen):
    return pytest.mark.parametrize("entry", chosen, ids=[entry["id"] for entry in chosen])


def answer(question, capsys):
    """What the program prints as JSON."""
    code = main([*shlex.split(question), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (code, found["status"]) in {(0, "exact"), (0, "bounds"), (3, "bounds")}
    return found


def told(entry, capsys):
    """Compare with the answer that the census holds, which is worked out from the statement."""
    wanted = entry["answer"]
    assert set(wanted) in ({"lambda", "theta"}, {"lower", "upper"})
    found = answer(entry["question"], capsys)
    variational = entry["status"] == "variational"
    assert (found.get("quantity") == "lambda_VB") is variational
    assert found["status"] == ("exact" if "lambda" in wanted or variational else "bounds")
    assert {key: found[key] for key in wanted} == wanted


def test_there_are_enough_and_none_is_there_twice():
    assert len(ENTRIES) >= 90
    names = Counter(entry["id"] for entry in ENTRIES)
    works = Counter((entry["title"].lower(), entry["about"]) for entry in ENTRIES)
    assert {*names.values(), *works.values()} == {1}


@entries(ENTRIES)
def test_an_entry_is_whole(entry):
    optional = {"theorems", "question", "answer", "note", "reason", "slow", "version"}
    assert set(entry) >= FIELDS
    assert set(entry) <= FIELDS | optional
    assert entry["kind"] in KINDS
    assert entry["status"] in STATUS_MEANINGS
    assert 1950 < entry["year"] < 2030
    assert isinstance(entry["confirmed"], bool)
    assert ("question" in entry) is ("answer" in entry)
    names = entry["authors"].split(" and ")
    assert all(", " in name for name in names) or names == ["authors not recorded"]
    for text in (entry["statement"], entry["title"], entry["about"], entry.get("reason", "x")):
        assert text == text.strip() != ""


def test_a_preprint_has_one_version():
    """In the bibliography, or in the entry if the bibliography does not hold it."""
    bibliography = {entry.fields.get("eprint") for entry in cite.entries().values()}
    unrecorded = 0
    for entry in ENTRIES:
        name, _, number = entry["venue"].partition(":")
        if name == "arXiv" and number:
            assert ("version" in entry) is (number not in bibliography), entry["id"]
        unrecorded += entry.get("version") == "not recorded"
    assert unrecorded <= 35  # nothing is added to these
    text = page(ENTRIES)
    assert "[arXiv:2603.01192v1](https://arxiv.org/abs/2603.01192v1)" in text
    assert "[arXiv:2411.16396, version read: v1, abstract only](" in text
    assert not re.search(r"\[arXiv:[\w./]+\]", text.replace("2603.01192v1]", ""))


@entries(ENTRIES)
def test_a_status_has_what_it_needs(entry):
    kinds = {theorem.id: theorem.kind for theorem in all_theorems()}
    named = [kinds[name] for name in entry.get("theorems", ())]
    if entry["status"] == "theorem":
        assert "exact" in named
    elif entry["status"] == "engine":
        assert not named
        assert "lambda" in entry["answer"]
    elif entry["status"] == "bounds":
        assert "bound" in named
        assert "lower" in entry["answer"]
    elif entry["status"] == "variational":
        assert not named
        assert entry["kind"] == "rate"
        assert entry["answer"]["lower"] == entry["answer"]["upper"]
    else:
        assert not named
        assert "question" not in entry
    assert ("reason" in entry) is (entry["status"] == "not yet")


@entries([entry for entry in ASKED if "slow" not in entry])
def test_questions_are_answered_as_said(entry, capsys):
    told(entry, capsys)


@pytest.mark.slow
@entries([entry for entry in ASKED if "slow" in entry])
def test_dear_questions_are_answered_as_said(entry, capsys):
    told(entry, capsys)


def test_what_the_engine_answers_is_an_answer_of_the_engine(capsys):
    (entry,) = (entry for entry in ENTRIES if entry["id"] == "shibuta-2009")
    assert answer(entry["question"], capsys)["method"].startswith("engine")


@pytest.mark.parametrize("wrong", [{"lambda": "13/9"}, {"theta": 2}])
def test_a_wrong_answer_is_seen(wrong, capsys):
    (entry,) = (entry for entry in ENTRIES if entry["id"] == "shibuta-2009")
    with pytest.raises(AssertionError):
        told(entry | {"answer": entry["answer"] | wrong}, capsys)


def test_the_page_is_made_from_the_census():
    renew = "python validation/literature/page.py renews it"
    assert LITERATURE_PAGE.read_text(encoding="utf-8") == page(ENTRIES), renew
    assert page(ENTRIES[1:]) != page(ENTRIES)
