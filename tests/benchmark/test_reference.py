"""Reference values that do not come from the engine: every answer must contain them.

The cases are those of ``validation/reference/engine.json``, whose README says where each value
comes from; those that took long in ``results.json`` are left to the command there.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest

import rlct

FOLDER = Path(__file__).parents[2] / "validation" / "reference"
CASES = {case["id"]: case for case in json.loads((FOLDER / "engine.json").read_text())}
RESULTS = json.loads((FOLDER / "results.json").read_text())
QUICK = [row["id"] for row in RESULTS if row["verdict"] == "exact" and row["seconds"] < 0.4]


def answer(case):
    options = dict(case["options"])
    if case["kind"] == "poly":
        return rlct.poly(case["expr"], **options)
    return rlct.ideal(case["generators"], **options)


def test_most_cases_are_quick():
    assert len(QUICK) > 0.7 * len(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_reference_value(name):
    case = CASES[name]
    result = answer(case)
    assert result.status == "exact"
    assert result.lam == Fraction(case["lambda"])
    assert case["theta"] in (None, result.theta)
    assert rlct.verify(result.certificate)
