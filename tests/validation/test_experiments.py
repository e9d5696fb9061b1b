"""The experiments: the quick suite, the committed results, and the table of all places.

``make index`` writes verdicts, pages and table anew from the results.
"""

import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from validation.audit import all_rows
from validation.framework import catalogue, record, store
from validation.framework.report import assess
from validation.framework.work import Done

ROOT = Path(__file__).parents[2] / "validation"
ENTRIES = list(catalogue.all_entries(ROOT).values())
HELD = [entry for entry in ENTRIES if record.read(entry) is not None]


def name(entry):
    return entry.experiment.id


@pytest.mark.study
def test_the_quick_suite_reproduces(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rlct", "validate", "--output", str(tmp_path), "--json"],
        cwd=ROOT.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    report = json.loads(done.stdout)
    assert all(one["status"] in ("reproduces", "not run") for one in report["experiments"])


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_an_experiment_is_complete(entry):
    experiment = entry.experiment
    known = catalogue.places(ROOT)
    assert experiment.places, "it speaks of no table or figure"
    assert set(experiment.places) <= set(known)
    assert json.loads(json.dumps(dict(experiment.full))) == experiment.full
    assert json.loads(json.dumps(dict(experiment.quick))) == experiment.quick
    units = list(experiment.units(experiment.full))
    assert units
    texts = [json.dumps(unit, sort_keys=True) for unit in units]
    assert len(set(texts)) == len(texts)


@pytest.mark.slow
@pytest.mark.parametrize("entry", HELD, ids=name)
def test_committed_results(entry):
    """They were made by the present settings, and bear out what is published."""
    experiment, held = entry.experiment, record.read(entry)
    assert held["settings"] == experiment.full
    assert (held["version"], held["seed"]) == (experiment.version, experiment.seed)
    units = [store.plain(dict(unit)) for unit in experiment.units(experiment.full)]
    assert [{key: row[key] for key in unit} for row, unit in zip(held["rows"], units, strict=True)
            ] == units, "the command would write other rows"  # fmt: skip
    assert 0 <= held["taken_over"] <= len(units)
    assert entry.beside(".json").stat().st_size < 300_000
    answer = assess(entry, "full", Done(held["rows"], held["seconds"]))
    assert answer["status"] == "reproduces", answer
    estimates = [one for finding in answer["findings"] for one in finding["estimates"]]
    assert not any(one["coarse"] for one in estimates)
    assert held["verdicts"] == {one["place"]: one["verdict"] for one in answer["findings"]}
    for name in ("why", "unfit"):
        assert held[name] == {one["place"]: one[name] for one in answer["findings"]}
    parts = {one["place"]: [list(part) for part in one["parts"]] for one in answer["findings"]}
    assert held["parts"] == parts, "parts of a claim come out otherwise"
    assert {found["place"] for found in answer["findings"]} == set(experiment.places)


@pytest.mark.parametrize(
    ("experiment", "key", "wrong"),
    [("001-volume", "lambda", "3"), ("001-volume", "theta", 2), ("state-equations", "exact", 1.1)],
)
def test_exact_values_of_a_run_are_those_of_the_record(experiment, key, wrong):
    """Where a judge compares with λ computed anew, a wrong one in the rows was not seen."""
    (entry,) = (one for one in HELD if name(one) == experiment)
    rows = [dict(row) for row in record.read(entry)["rows"]]
    row = next(row for row in rows if key in row)
    assert row[key] != wrong
    row[key] = wrong
    answer = assess(entry, "full", Done(rows, 1.0), record.verdicts(entry))
    assert answer["status"] == "refuted"
    said = [words for one in answer["findings"] for words in one["against"]]
    assert any(words.startswith(f"{key} {wrong}, recorded: ") for words in said), said


THEORETICAL = {"lambda", "theta", "exact", "half_rank", "generic"}  # of a row, not measured
#: What takes long to integrate, with fewer cells, and to what share it is right then.
COARSE = {
    "sgd-escape": (lambda space, row: space["_hazard"].rate(
        *(row[key] for key in ("at", "rate", "batch", "noise")), cells=200, k=row.get("k", 2)),
        0.2),
    "004-gamma": (lambda space, row: space["exact_mean"](
        space["EXPERIMENT"].full["n_beta"], row["gamma"], 300), 0.01),
}  # fmt: skip


def entries_of(held, *place):
    """Numbers and texts of a row, with where they stand."""
    if isinstance(held, dict | list):
        for name, one in held.items() if isinstance(held, dict) else enumerate(held):
            yield from entries_of(one, *place, name)
    else:
        yield place, held


def theory(entry, row):
    """What a row should hold."""
    found = entry.experiment.theory
    return dict(entries_of(store.plain(dict(found(entry.experiment.full, row))))) if found else {}


def unlike(right, row):
    """Where a row differs from what it should hold."""
    held = dict(entries_of(row))
    return [
        place
        for place, value in right.items()
        if not (
            math.isclose(held[place], value, rel_tol=1e-6)
            if isinstance(value, float)
            else held[place] == value
        )
    ]


@pytest.mark.slow
@pytest.mark.parametrize("entry", HELD, ids=name)
def test_recorded_theory_is_recomputed(entry):
    """Every λ and θ of a record, with a wrong one planted in each place."""
    for row in record.read(entry)["rows"]:
        right = theory(entry, row)
        assert not unlike(right, row)
        for place, value in entries_of(row):
            if value is None or name(entry) in COARSE or not THEORETICAL & set(place):
                continue
            wrong = json.loads(json.dumps(row))
            *way, last = place
            inner = wrong
            for key in way:
                inner = inner[key]
            inner[last] = str(Fraction(value) / 2) if isinstance(value, str) else value + 1
            assert unlike(right, wrong) == [place]


@pytest.mark.slow
@pytest.mark.parametrize("entry", [one for one in HELD if name(one) in COARSE], ids=name)
def test_recorded_integrals_are_computed_again(entry):
    compute, share = COARSE[name(entry)]
    for row in record.read(entry)["rows"]:
        again = compute(entry.experiment.judge.__globals__, row)
        assert row["exact"] == pytest.approx(again, rel=share)


@pytest.mark.slow
@pytest.mark.parametrize("entry", HELD, ids=name)
def test_pages_are_current(entry):
    assert entry.beside(".md").read_text(encoding="utf-8") == record.page(ROOT, entry)
    if entry.experiment.draw is not None:
        text = entry.beside(".svg").read_text(encoding="utf-8")
        assert text.startswith("<?xml")
        assert len(text) < 400_000


AGREES = {
    "confirmed": "confirmed",
    "corrected": "differs",
    "refuted": "differs",
    "unverifiable": "undecided",
}
LINKED = [row for row in all_rows() if row.place_id]


@pytest.fixture(scope="module")
def verdicts():
    """What became of each place, by every experiment that speaks of it."""
    found = {}
    for entry in HELD:
        for place, held in record.verdicts(entry).items():
            found.setdefault(place, set()).add(held.verdict.value)
    return found


@pytest.mark.parametrize("row", LINKED, ids=lambda row: row.id)
def test_audit_and_experiments_have_one_verdict(row, verdicts):
    assert verdicts[row.place_id] == {AGREES[row.verdict.value]}


def test_a_claim_with_one_name_is_linked():
    places = catalogue.places(ROOT)
    same = {row.id for row in all_rows() if row.id in places}
    assert same == {row.id for row in LINKED if row.place_id == row.id}
    assert {row.place_id for row in LINKED} <= set(places)


NUMBERED = re.compile(r"\b(figure|table)s?[ -]([0-9]+)(?:(?:,? and | to )([0-9]+))?", re.IGNORECASE)


def numbered(row):
    """Places of its own source that the claim or the name of an audit row speaks of."""
    for text in (row.id, row.claim):
        for kind, first, last in NUMBERED.findall(text):
            for number in range(int(first), int(last or first) + 1):
                yield f"{row.source}-{kind.lower()}-{number}"


def test_rows_about_numbered_figures_and_tables_are_linked():
    """To the same claim, or to another one about it, which is said to be another."""
    places = catalogue.places(ROOT)
    about = [row for row in all_rows() if set(numbered(row)) & set(places)]
    assert len(about) > 10
    for row in about:
        assert row.place_id or row.beside, row.id
    for row in all_rows():
        if row.beside:
            place, _, other = row.beside.partition(": ")
            assert place in places, row.beside
            assert other, row.beside
            assert not row.place_id


@pytest.mark.slow
@pytest.mark.parametrize("entry", HELD, ids=name)
def test_what_is_said_is_short_and_every_claim_has_a_range(entry):
    for found in record.committed(entry)["findings"]:
        assert len(found["ours"]) <= 160, found["ours"]
        assert found["claims"], found["place"]
        assert json.dumps(found), "a number of numpy's is no JSON"
        # What is confirmed was put beside something that the same check rejects.
        if found["verdict"] == "confirmed":
            assert all("planted" in one for one in found["claims"]), found["claims"]


@pytest.mark.slow
def test_the_table_is_current():
    assert (ROOT / "README.md").read_text(encoding="utf-8") == record.renewed(ROOT)


@pytest.mark.slow
def test_every_place_is_in_the_table():
    text = record.table(ROOT)
    for place in catalogue.places(ROOT).values():
        assert f"| {place.source}, {place.where} | {place.claim}" in text
        assert len(place.claim) <= 160, "a table is to be read"


def test_the_list_has_every_numbered_table_and_figure():
    known = set(catalogue.places(ROOT))
    numbered = {
        "001": {"figure": 9, "table": 5},
        "002": {"figure": 14},
        "003": {"figure": 7},
    }
    for source, kinds in numbered.items():
        for kind, count in kinds.items():
            assert {f"{source}-{kind}-{n}" for n in range(1, count + 1)} <= known
