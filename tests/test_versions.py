"""Each preprint that is cited names the version that was read, or says that none is recorded."""

import re
from pathlib import Path

import pytest
from version_table import PREPRINTS, REFERENCES, TABLE, versions_table

import rlct
from rlct.system.bibliography import entries, full_citation, versioned_number
from rlct.theorems import all_theorems
from validation.audit import all_rows
from validation.audit.page import table
from validation.audit.sources import AUDITED_SOURCES

THEORY = Path(__file__).parents[1] / "theory"
NUMBER = re.compile(r"arXiv:(\d{4}\.\d{4,5})(?:v\d+)?")

#: Of these nobody wrote down which version was read. Take a number out when it was read again;
#: nothing is added.
UNRECORDED = {
    "1011.1930",
    "1310.4154",
    "1812.03510",
    "1912.13289",
    "2203.06884",
    "2303.05731",
    "2303.09154",
    "2303.15739",
    "2307.01417",
    "2308.12108",
    "2310.06301",
    "2403.09206",
    "2406.02646",
    "2411.13392",
    "2411.19920",
    "2412.11309",
    "2501.12747",
    "2603.12785",
}


def unversioned(text):
    """Numbers that a text mentions with no version, or with another than was read."""
    return [
        m[0]
        for m in NUMBER.finditer(text)
        if not text.startswith(versioned_number(m[1]), m.start(1))
    ]


def test_each_preprint_of_the_bibliography_names_a_version():
    assert all(fields.get("version") for fields in PREPRINTS.values())
    unrecorded = {f["eprint"] for f in PREPRINTS.values() if f["version"] == "not recorded"}
    assert unrecorded == UNRECORDED
    assert len(UNRECORDED) <= 18


def test_the_table_of_versions_is_the_bibliography():
    shown = TABLE.search(REFERENCES.read_text(encoding="utf-8"))[1]
    assert shown == versions_table(), "make index renews it"


@pytest.mark.parametrize("page", sorted(THEORY.glob("*.md")), ids=lambda page: page.stem)
def test_pages_name_the_version(page):
    assert unversioned(page.read_text(encoding="utf-8")) == []


def test_theorems_name_a_version_that_is_known():
    for theorem in all_theorems():
        for number in unversioned(" ".join(theorem.sources)):
            assert ", version read: " in versioned_number(number.removeprefix("arXiv:")), theorem.id


def test_verdicts_name_the_version():
    for row in all_rows():
        source = row.to_dict()["source"]
        assert source == AUDITED_SOURCES[row.source]
        assert re.search(r"arXiv:\d{4}\.\d{5}(v\d|, version read: )|dated|recorded date", source)
        assert unversioned(source) == []
        assert unversioned(" ".join((row.claim, row.statement, row.evidence))) == []
    assert "arXiv:2603.01192v1 " in AUDITED_SOURCES["002"]
    assert "arXiv:2603.01192v1 " in table(all_rows())


def test_what_is_about_v3_says_so_and_that_it_is_quoted():
    later = [row for row in all_rows() if "-v3-" in row.id]
    assert len(later) == 4
    assert all(row.claim.startswith("v3, ") and "as quoted" in row.claim for row in later)
    for row in all_rows():
        if row.source == "002" and row not in later and re.search(r"\bv3\b", row.statement):
            assert "quoted" in row.statement


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("arXiv:2603.01192v1, theorem 5.2", []),
        ("arXiv:2603.01192, theorem 5.2", ["arXiv:2603.01192"]),
        ("arXiv:2603.01192v3.", ["arXiv:2603.01192v3"]),
        ("arXiv:2501.12747, version read: not recorded, theorem 5.", []),
        ("arXiv:2501.12747, theorem 5.", ["arXiv:2501.12747"]),
    ],
)
def test_a_missing_or_wrong_version_is_seen(text, numbers):
    assert unversioned(text) == numbers


def test_citations_and_bibtex_carry_the_version():
    assert "arXiv:2603.01192v1." in full_citation("cullen2026")
    assert "version = {v1}" in entries()["cullen2026"].bibtex


@pytest.mark.parametrize(
    ("theorem", "values"),
    [
        ("deep-linear", {"widths": [5, 3, 5], "rank": 1}),
        ("cp-zero", {"dims": [2, 2, 2], "terms": 1}),
    ],
)
def test_the_sources_of_an_answer_name_the_version(theorem, values):
    answer = rlct.theorem(theorem, **values)
    preprints = [source for source in answer.sources if "arXiv:" in source]
    assert preprints
    for source in preprints:
        assert not unversioned(source)
    printed = [source for source in answer.sources if "arXiv:" not in source]
    assert not any("version read" in source for source in printed)
