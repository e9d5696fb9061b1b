"""The corpus: its record is one of its cases, and a wrong truth or answer would be seen."""

import importlib
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

import rlct

FOLDER = Path(__file__).parents[2] / "validation" / "corpus"
RECORD = json.loads((FOLDER / "results.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def cases():
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module("cases").corpus()
    finally:
        sys.path.remove(str(FOLDER))


@pytest.mark.slow
def test_the_record_has_every_case_with_its_truth(cases):
    known = {(c["list"], c["id"]): [c["lambda"], c["theta"]] for c in cases}
    assert len(known) == len(cases)
    assert known == {(row["list"], row["id"]): row["truth"] for row in RECORD["rows"]}


def test_none_is_wrong_and_nearly_all_are_exact():
    verdicts = Counter(row["verdict"] for row in RECORD["rows"])
    assert not verdicts["WRONG"]
    assert verdicts["exact"] / len(RECORD["rows"]) >= 0.97
    assert not [row["id"] for row in RECORD["rows"] if row["verified"] is False]


def test_a_wrong_truth_is_seen(cases):
    judge = importlib.import_module("validation.reference.run").judge
    case = next(c for c in cases if c["id"] == "Kolibri")
    lower, upper = rlct.poly(case["expr"]).bounds
    found = {"lower": [str(lower.lam), lower.theta], "upper": [str(upper.lam), upper.theta]}
    assert judge(case, found) == "exact"
    for wrong in ({"lambda": "5/12"}, {"theta": 2}, {"lambda": "7/12", "theta": 1}):
        assert judge({**case, **wrong}, found) == "WRONG"


def test_every_case_names_its_source_and_its_argument(cases):
    for case in cases:
        assert len(case["source"]) > 10, case["id"]
        assert case["list"] == "reference" or case["source"][:1].isupper() or ":" in case["source"]


def test_the_page_of_names_is_made_from_the_cases(cases):
    made = importlib.import_module("validation.corpus.page")
    renew = "python validation/corpus/page.py renews it"
    assert made.CORPUS_PAGE.read_text(encoding="utf-8") == made.page(cases), renew
    assert "| E8 | `x**3 + y**5` | 4/15 | 1 |" in made.page(cases)
    assert made.page(cases[1:]) != made.page(cases)
