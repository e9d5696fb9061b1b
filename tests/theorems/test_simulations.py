"""The table of theory against simulation is complete, current and what its rows say."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from scipy.stats import binom

from rlct.theorems import all_theorems

FOLDER = Path(__file__).parents[2] / "validation" / "theorems"
HELD = json.loads((FOLDER / "simulations.json").read_text(encoding="utf-8"))
ROWS = HELD["rows"]


@pytest.fixture(scope="module")
def simulate():
    """The script that made the table."""
    spec = spec_from_file_location("simulate", FOLDER / "simulate.py")
    module = module_from_spec(spec)
    sys.modules["simulate"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["simulate"]


def test_every_theorem_has_its_row(simulate) -> None:
    """As the catalogue is now: a changed claim or a new theorem has to be simulated."""
    wanted = [(t.id, simulate.shown(c), str(p.lam), p.theta) for t, c, p in simulate.cases()]
    assert [simulate.key(row) for row in ROWS] == wanted
    assert {row["theorem"] for row in ROWS} == {theorem.id for theorem in all_theorems()}


def test_every_row_is_whole() -> None:
    seeds = {row["seed"] for row in ROWS}
    assert len(seeds) == 1  # one for all: none was chosen by its outcome
    for row in ROWS:
        low, high = row["interval"]
        assert low < row["estimate"] < high
        assert row["seconds"] > 0
        assert row["control"]["lambda"] != pytest.approx(float(row["estimate"]), abs=0)
        assert (row["ess"] is None) == (row["method"] == "quadrature")
        rejected = abs(row["control"]["z"]) > row["critical"]
        assert row["control"]["rejected"] == rejected
        if row["verdict"] == "agrees":
            assert rejected
            assert abs(row["z"]) <= row["critical"]
        if row["verdict"] == "refuted":
            assert abs(row["z"]) > row["critical"]


def test_planted_thetas_are_rejected_or_the_deciding_n_beta_is_named() -> None:
    """At least 95 % of θ − 1 and θ + 1, each polynomial once."""
    summary = HELD["summary"]
    assert summary["thetas_rejected"] >= 0.95 * summary["thetas_planted"] > 0
    for row in ROWS:
        trial = row["theta_control"]
        assert trial["planted"] or row["theta"] == 1, row["theorem"]
        assert trial["planted"] == trial["rejected"] or trial["deciding_n_beta"] > 1e15


def test_no_more_false_alarms_than_stated(simulate) -> None:
    """Refuted at 1 % each: more than the 99.9 % quantile would refute the table as a whole."""
    refuted = sum(row["verdict"] == "refuted" for row in ROWS)
    assert refuted <= binom.ppf(0.999, len(ROWS), 0.01)
    assert not [row for row in ROWS if abs(row["z"]) > simulate.family_quantile(row, ROWS)]


def test_the_table_is_what_the_rows_say(simulate) -> None:
    assert HELD["summary"] == pytest.approx(simulate.summary(ROWS))
    text = (FOLDER / "simulations.md").read_text(encoding="utf-8")
    assert text == simulate.table(ROWS, HELD["summary"])
