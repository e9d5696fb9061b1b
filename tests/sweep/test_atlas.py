"""The atlas: rows, what verifies them, what resumes, and the table that is recorded."""

import csv
import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
import zlib
from argparse import _SubParsersAction
from functools import partial
from pathlib import Path

import pytest

import rlct
from rlct.answers.proved_claim import how_proved
from rlct.cli.asking import CommandAsker
from rlct.cli.commands import build_parser
from rlct.cli.main import main
from rlct.cli.sweeps.atlas import atlas_row
from rlct.cli.sweeps.python_line import python_line
from rlct.sweep.atlas import ATLAS_COLUMNS, default_grids, read_families

ROOT = Path(__file__).parents[2]
RECORDED = ROOT / "validation" / "atlas" / "atlas.csv"
SMALL = """
[shallow]
title = "Shallow networks"

[[shallow.grids]]
ask = "net linear 2 {h} 2 --rank {r}"
grid = { h = "1..2", r = "0..2" }

[cusps]
title = "Cusps & lines"

[[cusps.grids]]
ask = 'ideal "x**{p} - y**3"'
grid = { p = "2..4" }

[[cusps.grids]]
ask = 'theorem eval vandermonde hidden={h}'
grid = { h = [1, 4] }
"""
#: Commands of `rlct net` and `rlct model` that the grids do not ask, and why.
LEFT_OUT = {
    "net torch": "its question is a file of Python",
}


def run(folder, *options, grids=SMALL):
    path = folder / "grids.toml"
    path.write_text(grids, encoding="utf-8")
    return main(["atlas", "--grids", str(path), "--out", str(folder / "atlas"), *options])


def rows_of(folder):
    with (folder / "atlas" / "atlas.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def change(forge, tmp_path):
    return partial(forge, tmp_path / "atlas" / "atlas.sqlite")


def test_a_grid_becomes_tables_and_pages(tmp_path, capsys):
    assert run(tmp_path, "--json") == 0
    counts = json.loads(capsys.readouterr().out)
    assert (counts["rows"], counts["refused"], counts["failed"]) == (10, 1, 0)
    assert counts["verified"] == {"true": 8, "no certificate": 2}
    rows = rows_of(tmp_path)
    assert tuple(rows[0]) == ATLAS_COLUMNS
    found = {row["question"]: row for row in rows}
    assert "net linear 2 1 2 --rank 2" not in found
    linear = found["net linear 2 2 2 --rank 1"]
    assert (linear["lambda"], linear["theta"], linear["half_parameters"]) == ("2", "2", "4")
    assert linear["python"] == "rlct.linear([2, 2, 2], rank=1)"
    cusp = found['ideal "x**2 - y**3"']
    assert (cusp["lambda"], cusp["verified"], cusp["half_parameters"]) == ("5/12", "true", "1")
    written = json.loads((tmp_path / "atlas" / "atlas.json").read_text(encoding="utf-8"))
    assert [{k: str(v) if k == "theta" else v for k, v in row.items()} for row in written["rows"]][
        1
    ] == {k: v or None for k, v in rows[1].items()}
    page = (tmp_path / "atlas" / "atlas-cusps.html").read_text(encoding="utf-8")
    assert "Cusps &amp; lines" in page
    assert page.count('<th scope="row">') == 5
    assert set(re.findall(r'(?:src|href)="([^"]+)"', page)) == {
        "index.html",
        "style.css",
        "filter.js",
    }
    index = (tmp_path / "atlas" / "index.html").read_text(encoding="utf-8")
    for name in re.findall(r'href="([^"]+)"', index):
        assert (tmp_path / "atlas" / name).is_file()


def test_an_answer_is_asked_once(tmp_path, capsys, monkeypatch):
    assert run(tmp_path) == 0
    before = rows_of(tmp_path)
    monkeypatch.setattr(CommandAsker, "answer", lambda self, words: pytest.fail(f"asked {words}"))
    assert run(tmp_path) == 0
    assert rows_of(tmp_path) == before


@pytest.mark.slow
def test_a_kill_loses_no_answer(tmp_path):
    grids = tmp_path / "grids.toml"
    cusps = '[cusps]\ntitle = "Cusps"\n[[cusps.grids]]\nask = \'ideal "x**{p} - y**{q}"\'\n'
    grids.write_text(cusps + 'grid = {p = "2..8", q = "2..8"}\n', encoding="utf-8")
    command = [sys.executable, "-m", "rlct", "atlas", "--grids", str(grids), "--out", "atlas"]
    store = tmp_path / "atlas" / "atlas.sqlite"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        end = time.monotonic() + 60
        while len(stored(store)) < 5:
            assert time.monotonic() < end
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    kept = stored(store)
    assert 5 <= len(kept) < 49
    assert run(tmp_path, grids=grids.read_text(encoding="utf-8")) == 0
    after = stored(store)
    assert len(after) == len(rows_of(tmp_path)) == 49
    assert {key: after[key] for key in kept} == kept


def stored(path):
    if not path.exists():
        return {}
    try:
        with sqlite3.connect(path) as store:
            return dict(store.execute("SELECT key, seconds FROM answers"))
    except sqlite3.OperationalError:  # it is being made
        return {}


@pytest.mark.parametrize(
    ("column", "value"), [("lambda", "1/3"), ("theta", 2), ("upper", "2"), ("status", "bounds")]
)
def test_a_forged_answer_is_found_and_asked_anew(tmp_path, capsys, column, value, change):
    assert run(tmp_path) == 0
    true_rows = rows_of(tmp_path)
    forged = f"\"{column}\" = ? WHERE lambda = '5/12'"
    change(forged, value, seal=False)
    assert run(tmp_path) == 0
    changed = f"1 answer was changed in {tmp_path / 'atlas' / 'atlas.sqlite'} after writing"
    assert changed in capsys.readouterr().err
    assert rows_of(tmp_path) == true_rows
    change(forged, value)
    assert run(tmp_path) == 1
    assert "does not prove" in capsys.readouterr().err
    assert [row["verified"] for row in rows_of(tmp_path)].count("false") == 1
    assert run(tmp_path) == 0
    assert rows_of(tmp_path) == true_rows


def test_the_certificate_of_another_question_proves_nothing(tmp_path, change):
    assert run(tmp_path) == 0
    change(
        "(lambda, lower, upper, certificate) = "
        "(SELECT lambda, lower, upper, certificate FROM answers WHERE lambda = '5/12') "
        "WHERE lambda = '1/3' AND question LIKE 'ideal%'",
    )
    assert run(tmp_path) == 1
    assert [r["verified"] for r in rows_of(tmp_path) if r["family"] == "cusps"].count("false") == 1


def test_a_broken_certificate_proves_nothing(tmp_path, change):
    for broken in (b"no zlib", zlib.compress(b'{"question": {"kind": "ideal"}}')):
        assert run(tmp_path) == 0
        change("certificate = ? WHERE lambda = '5/12'", broken)
        assert run(tmp_path) == 1  # it is left out now, and asked by the next run
    assert run(tmp_path) == 0


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ({}, "true"),
        ({"status": "exact", "lambda": "3", "lower": "3", "upper": "3", "theta": 1}, "in part"),
        ({"lower": "2"}, "in part"),
        ({"lower": "0"}, "false"),
        ({"upper": None}, "false"),
        ({"lower": "4", "upper": "3"}, "false"),
        ({"lambda": "3"}, "false"),
    ],
)
def test_a_certificate_of_part_of_an_answer_is_told_apart(monkeypatch, answer, found):
    bounds = {"status": "bounds", "lambda": None, "theta": None, "lower": "1", "upper": "4"}
    result = rlct.poly("x**2*y**4")
    certificate = {**result.certificate, "claim": bounds}
    assert how_proved(result.question, bounds, certificate) == "false"  # it proves 1/4
    monkeypatch.setattr("rlct.answers.proved_claim.verify", lambda document: True)
    assert how_proved(result.question, {**bounds, **answer}, certificate) == found


@pytest.mark.parametrize(
    ("grids", "message"),
    [
        ("", "there is no family"),
        ("nets = 3", "nets is no family"),
        ('[nets]\ntitle = "Networks"\n', "nets is no family"),
        ('[nets]\ntitle = "T"\ngrids = [1]\n', "nets is no family"),
        ('[nets]\ntitle = "T"\n[nets.grids]\nask = "net tanh 1 1 1"', "nets is no family"),
        (
            '["Deep nets"]\ntitle = "T"\n[["Deep nets".grids]]\nask = "net tanh 1 1 1"',
            "small letters",
        ),
        ('[nets]\ntitle = "T"\n[[nets.grids]]\nask = "net linear 5 {h} 5"', "values of {h}"),
        ('[nets]\ntitle = "T"\n[[nets.grids]]\nask = "net lineal 5 3 5"', "did you mean"),
        ('[nets]\ntitle = "T"\n[[nets.grids]]\nask = "doctor"', "no question with a λ"),
        ("[nets", "not TOML"),
    ],
)
def test_grids_that_are_none_are_refused(tmp_path, capsys, grids, message):
    assert run(tmp_path, grids=grids) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.splitlines()) == 1
    assert not (tmp_path / "atlas").exists()


def test_a_file_that_cannot_be_written_is_named(tmp_path, capsys):
    (tmp_path / "atlas" / "atlas.csv").mkdir(parents=True)
    grids = '[nets]\ntitle = "T"\n[[nets.grids]]\nask = "net linear 5 3 5 --rank 1"\n'
    assert run(tmp_path, grids=grids) == 2
    assert f"cannot write {tmp_path / 'atlas' / 'atlas.csv'}: " in capsys.readouterr().err


def test_other_bad_input_is_refused(tmp_path, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    for words, message in (
        (("--grids", str(tmp_path / "none.toml")), "cannot read"),
        (("--out", str(blocked / "atlas")), "cannot write"),
        (("--out", str(blocked)), "cannot write"),
        (("--out", ""), "--out is empty: name a folder"),
        (("--out", "/proc/atlas"), "cannot write"),
    ):
        assert main(["atlas", *words]) == 2
        assert message in capsys.readouterr().err
    for value in ("0", "-1", "soon"):
        with pytest.raises(SystemExit) as ended:
            main(["atlas", "--timeout", value])
        assert ended.value.code == 2
        assert "positive number of seconds" in capsys.readouterr().err


def recorded():
    with RECORDED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_recorded_table_is_that_of_the_grids():
    rows = recorded()
    assert tuple(rows[0]) == tuple(name for name in ATLAS_COLUMNS if name != "python")
    assert len(rows) >= 5000
    assert sum(row["status"] == "exact" for row in rows) >= 5000
    assert RECORDED.stat().st_size < 650_000
    assert not [row for row in rows if row["verified"] == "false"]
    by_family = {}
    for row in rows:
        by_family.setdefault(row["family"], []).append(row["question"])
    families = read_families(default_grids())
    assert list(by_family) == [family.id for family in families]
    for family in families:
        asked = [shlex.join(g.words(n)) for g in family.grids for n in range(g.count)]
        order = {question: place for place, question in enumerate(asked)}
        places = [order[shlex.join(shlex.split(question))] for question in by_family[family.id]]
        assert places == sorted(set(places)), family.id


@pytest.mark.slow
def test_a_sample_of_the_recorded_rows_is_found_again():
    rows = recorded()
    sample = [rows[k] for k in range(17, len(rows), 97)]
    assert len({row["family"] for row in sample}) > 20
    for row in sample:
        words = shlex.split(row["question"])
        timed = [*words, "--timeout", "2"] if words[0] != "theorem" else words
        found = atlas_row(row["family"], words, CommandAsker().answer(timed)).to_dict()
        assert found["verified"] != "false", row
        names = ["status", "lambda", "theta", "half_parameters"] if row["status"] == "exact" else []
        assert {name: found[name] for name in names} == {name: row[name] for name in names}


def choices(group):
    (groups,) = (a for a in build_parser()._actions if isinstance(a, _SubParsersAction))
    (commands,) = (a for a in groups.choices[group]._actions if isinstance(a, _SubParsersAction))
    return set(commands.choices)


def test_every_family_of_the_program_is_there():
    asked = {" ".join(shlex.split(row["question"])[:2]) for row in recorded()}
    commands = {f"{group} {name}" for group in ("net", "model") for name in choices(group)}
    assert commands - asked == set(LEFT_OUT)


def test_the_line_of_python_asks_the_same():
    first = {}
    for row in recorded():
        command, name = shlex.split(row["question"])[:2]
        if row["status"] == "exact":
            first.setdefault((command, "" if command in ("poly", "ideal") else name), row)
    assert len(first) > 20
    for row in first.values():
        line = python_line(*CommandAsker().asked(shlex.split(row["question"])))
        found = eval(line, {"rlct": rlct})
        assert (str(found.lam), str(found.theta)) == (row["lambda"], row["theta"]), line
