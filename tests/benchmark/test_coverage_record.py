"""The record of coverage is about the present set, and its totals follow from its rows."""

import importlib.util
import json
from pathlib import Path

import pytest

from rlct.benchmark import all_problems, get_problem

FOLDER = Path(__file__).parents[2] / "validation" / "coverage"
RECORD = json.loads((FOLDER / "results.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("coverage_run", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_record_is_about_this_set():
    run = [row["id"] for row in RECORD["problems"]]
    assert [p.id for p in all_problems() if p.id not in RECORD["not_run"]] == run
    assert all(get_problem(name).dimension > 100 for name in RECORD["not_run"])
    for row in RECORD["problems"]:
        problem = get_problem(row["id"])
        assert (row["lambda"], row["theta"]) == (str(problem.pair.lam), problem.pair.theta)
        assert 0 <= row["held"] <= row["runs"]


def test_totals_follow_from_rows(program):
    assert program.summary(RECORD["problems"]) == RECORD["summary"]


def test_readme_shows_the_record(program):
    assert program.table(RECORD) in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_what_the_record_claims():
    """Figures that README and theory quote; a new record that is worse fails here."""
    summary = RECORD["summary"]
    assert summary["below_nominal"] == []
    assert summary["small"]["median_error"] <= 0.02
    assert summary["sampled"]["held"]["count"] >= 0.93 * summary["sampled"]["held"]["of"]


def test_wrong_intervals_lower_the_coverage(program):
    """The same rows with intervals moved by their width: coverage is seen to fail."""
    problem = get_problem("tanh-2-1")
    run = {
        "lambda": 1.25,
        "interval": [1.2, 1.3],
        "theta_interval": [1, 2],
        "given_theta": [1.25, 0.02],
        "degrees": 19.0,
        "method": "tempering",
        "warnings": [],
        "cpu_seconds": 1.0,
    }
    right = program.row_of(problem, [run] * 20)
    assert (right["held"], right["near_misses_rejected"]) == (20, 40)
    moved = program.row_of(problem, [{**run, "interval": [1.4, 1.5]}] * 20)
    assert moved["held"] == 0
    assert "tanh-2-1" in program.summary([moved, right])["below_nominal"]


def test_finished_runs_are_not_repeated(program, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"id": "xy", "seed": 0, "method": "quadrature"}\n'
        '{"id": "tanh-2-1", "seed": 0, "method": "tempering"}\n'
        '{"id": "tanh-2-1", "se',
        encoding="utf-8",
    )
    chosen = [get_problem("xy"), get_problem("tanh-2-1")]
    todo = list(program.outstanding(chosen, range(2), program.read(log)))
    assert todo == [("tanh-2-1", 1)]
