"""The frame of the experiments: discovery, kept work, reports, exit codes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rlct.cli.checkout.validate import _line
from validation.audit.row import close, exact
from validation.framework.against import Recorded
from validation.framework.catalogue import Entry
from validation.framework.claim import Verdict, alike, at_least, cells, near
from validation.framework.estimate import estimate
from validation.framework.experiment import Experiment, Finding
from validation.framework.extent import judged, part
from validation.framework.html import _claim
from validation.framework.report import assess, build
from validation.framework.shown import shown
from validation.framework.store import Store, _digest, generator, key
from validation.framework.work import Done

ROOT = Path(__file__).parents[2]
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the toy as its only experiment."""
    folder = tmp_path / "validation" / "experiments" / "toys"
    folder.mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("toy.py"), folder / "toy.py")
    for name in ("__init__.py", "places.toml"):
        shutil.copy(ROOT / "validation" / name, tmp_path / "validation")
    for name in ("audit", "framework"):
        shutil.copytree(ROOT / "validation" / name, tmp_path / "validation" / name)
    page = (
        "# Validation\n\n<!-- every table and figure: written by rlct validate -->\n<!-- end -->\n"
    )
    (tmp_path / "validation" / "README.md").write_text(page, encoding="utf-8")
    return tmp_path


def command(*arguments):
    return [sys.executable, "-m", "rlct", "validate", *arguments]


def environment(**extra):
    return os.environ | {"PYTHONPATH": str(ROOT)} | extra


def validate(folder, *arguments, **extra):
    return subprocess.run(
        command(*arguments),
        cwd=folder,
        env=environment(**extra),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


def test_a_run_writes_both_reports(checkout):
    done = validate(checkout, "--jobs", "1", "--output", "out", "--json")
    assert done.returncode == 0, done.stderr
    assert f"the experiments are those of {checkout / 'validation'}, not of {ROOT}" in done.stderr
    report = json.loads(done.stdout)
    assert json.loads((checkout / "out" / "report.json").read_text("utf-8")) == report
    assert report["reproduced"] is True
    (row,) = report["rows"]
    assert (row["verdict"], row["reproduced"]) == ("differs", True)
    assert row["claims"][0].startswith("sum of squares: 14, claimed: 19.5 to 20.5")
    assert "sum of squares by theory: 14" in row["facts"][0]
    text = (checkout / "out" / "report.html").read_text("utf-8")
    assert "A toy &amp; its &lt;sum&gt;" in text
    assert "rlct validate toy" in text
    assert len(report["open"]) > 40
    assert "[3/3] toy" in done.stderr


def test_a_wrong_value_of_theory_is_a_failure(checkout):
    done = validate(checkout, "--output", "out", TOY_CLAIM="13")
    assert done.returncode == 1
    # One line: what fails, and not what holds.
    assert (
        "\nREFUTED    000-figure-1 (differs; a smaller run; recorded: nothing): sum of squares by "
        "theory: 14, NOT within 0.5 as stated: 13\n"
    ) in done.stdout
    assert "units: 3" not in done.stdout
    assert "REFUTED, exit code 1: toy" in done.stdout
    text = (checkout / "out" / "report.html").read_text("utf-8")
    assert "ours is refuted" in text
    assert "<dt>Refuted by</dt><dd><ul><li>sum of squares by theory: 14, NOT" in text
    assert "<details open" not in text
    assert "what was checked (0 of 1 parts hold, 1 of 2 facts of our theory)" in text
    assert "1 of our experiments refuted: exit code 1" in text


@pytest.mark.slow
def test_a_run_that_contradicts_the_recorded_verdict_is_a_failure(checkout):
    record = ("--suite", "full", "--record", "--output", "out")
    assert validate(checkout, *record).returncode == 0
    done = validate(checkout, "--output", "out")
    assert done.returncode == 0, done.stderr
    assert "nothing is refuted" in done.stdout
    (folder,) = (checkout / "validation" / "experiments").iterdir()
    held = json.loads((folder / "toy.json").read_text("utf-8"))
    assert held["verdicts"] == {"000-figure-1": "differs"}
    # The same rows, judged otherwise: what is recorded is not judged anew with them.
    done = validate(checkout, "--output", "out", TOY_PRINTED="14")
    assert done.returncode == 1
    assert "REFUTED, exit code 1: toy" in done.stdout
    assert "verdict confirmed, recorded: differs" in done.stdout
    text = (checkout / "out" / "report.html").read_text("utf-8")
    assert "<dt>Contradicts the record</dt>" in text
    # Sentences that were written beside another verdict are left out.
    assert (
        "REFUTED    000-figure-1 (held here; 1 of 1 parts; recorded: differs): verdict confirmed, "
        "recorded: differs\n"
    ) in done.stdout
    assert "<dd>sum of squares: 14 (confirmed, recorded: differs)</dd>" in text
    assert "the sum is" not in text


@pytest.mark.slow
def test_a_unit_that_fails_is_told_and_tried_again(checkout):
    done = validate(checkout, "--output", "out", "--jobs", "2", TOY_FAILS="2")
    assert done.returncode == 3
    assert "FAILED, exit code 3: toy" in done.stdout
    assert "ValueError: this one fails" in done.stdout
    told = "Experiments failed, and these of their claims are not judged: 000-figure-1."
    assert told in done.stdout
    assert told in (checkout / "out" / "report.html").read_text("utf-8")
    assert "leaves out" not in done.stdout
    assert "REFUTED" not in done.stdout
    again = validate(checkout, "--output", "out", "--jobs", "2")
    assert again.returncode == 0, again.stderr
    assert "2 of 3 pieces of work were finished earlier" in again.stderr


@pytest.mark.slow
@needs_proc
def test_work_that_is_killed_takes_no_other_along(checkout):
    done = validate(checkout, "--output", "out", "--jobs", "1", TOY_KILLED="2")
    assert done.returncode == 3
    assert "its process was killed" in done.stdout
    assert "REFUTED" not in done.stdout
    assert len(list((checkout / "out" / "units").glob("*.json"))) == 2
    assert validate(checkout, "--output", "out").returncode == 0


@pytest.mark.slow
def test_a_picture_that_cannot_be_drawn_is_told(checkout):
    pytest.importorskip("matplotlib", reason="the extra plot")
    done = validate(checkout, "--output", "out", TOY_DRAWS="1", TOY_BLIND="1")
    assert done.returncode == 0, done.stderr
    assert "toy cannot be drawn: ZeroDivisionError: nothing to draw" in done.stderr
    assert "Traceback" not in done.stderr
    assert "toy cannot be drawn" in (checkout / "out" / "report.html").read_text("utf-8")


@pytest.mark.slow
def test_one_absent_unit_leaves_the_others_judged(checkout):
    given = {"TOY_ABSENT": "1", "TOY_COUNT": "2", "TOY_CLAIM": "13"}
    done = validate(checkout, "--output", "out", **given)
    assert done.returncode == 0, done.stdout
    assert "differs    000-figure-1 (a smaller run; recorded: nothing): the sum is 13" in (
        done.stdout
    )
    assert "toy: 1 pieces of work not run: no such file: fetch it" in done.stdout
    record = ("--suite", "full", "--record", "--output", "full")
    assert "is not recorded" in validate(checkout, *record, **given).stderr


@pytest.mark.slow
def test_a_record_is_resumed_and_says_so(checkout):
    record = ("--suite", "full", "--record", "--output")
    assert validate(checkout, *record, "one").returncode == 0
    (folder,) = (checkout / "validation" / "experiments").iterdir()
    held = json.loads((folder / "toy.json").read_text("utf-8"))
    assert held["taken_over"] == 0
    held["rows"] = held["rows"][:2]
    (folder / "toy.json").write_text(json.dumps(held), "utf-8")
    done = validate(checkout, *record, "two", "--resume")
    assert done.returncode == 0, done.stderr
    assert "2 of 3 pieces of work were finished earlier" in done.stderr
    again = json.loads((folder / "toy.json").read_text("utf-8"))
    assert again["taken_over"] == 2
    assert len(again["rows"]) == 3
    assert "2 of 3 pieces of work are of an earlier run" in (folder / "toy.md").read_text("utf-8")


def test_a_number_that_is_none_is_a_failure(checkout):
    done = validate(checkout, "--output", "out", TOY_NAN="2")
    assert done.returncode == 3
    assert "pieces of work failed" in done.stdout


def start(folder, *arguments, **extra):
    return subprocess.Popen(
        command(*arguments),
        cwd=folder,
        env=environment(**extra),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )


def wait_for(condition, seconds=30):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def alive(pid):
    """Whether a process runs; one that waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@needs_proc
def test_kill_9_loses_no_finished_work(checkout):
    notes = checkout / "notes"
    arguments = ("--suite", "full", "--jobs", "2", "--output", "out")
    running = start(checkout, *arguments, TOY_NOTES=str(notes))
    units = checkout / "out" / "units"
    wait_for(lambda: len(list(units.glob("*.json"))) >= 1)
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=20)
    kept = len(list(units.glob("*.json")))
    begun = [line.split() for line in notes.read_text().splitlines()]
    assert not (checkout / "out" / "report.json").exists()
    # The workers end too, although nobody told them.
    wait_for(lambda: not any(alive(int(pid)) for _, pid in begun))
    done = validate(checkout, *arguments, TOY_NOTES=str(notes))
    assert done.returncode == 0, done.stderr
    if kept < 3:
        assert f"{kept} of 3 pieces of work were finished earlier" in done.stderr
    again = [line.split()[0] for line in notes.read_text().splitlines()[len(begun) :]]
    assert len(again) == 3 - kept, "finished work was repeated"
    before = notes.read_text()
    assert validate(checkout, *arguments, TOY_NOTES=str(notes)).returncode == 0
    assert notes.read_text() == before, "a finished suite was run again"


@pytest.mark.slow
@needs_proc
def test_ctrl_c_keeps_finished_work(checkout):
    arguments = ("--suite", "full", "--jobs", "2", "--output", "out")
    running = start(checkout, *arguments)
    units = checkout / "out" / "units"
    wait_for(lambda: len(list(units.glob("*.json"))) >= 1)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all processes
    _, said = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "run the same command again to resume" in said
    assert "Traceback" not in said
    assert validate(checkout, *arguments).returncode == 0


@pytest.mark.slow
def test_results_do_not_depend_on_processes(checkout):
    for jobs in ("1", "2"):
        assert validate(checkout, "--jobs", jobs, "--output", jobs).returncode == 0
    one, two = (
        {
            path.name: json.loads(path.read_text())["result"]
            for path in (checkout / jobs).rglob("units/*")
        }
        for jobs in ("1", "2")
    )
    assert one == two
    assert len(one) == 3


@pytest.mark.slow
def test_record_writes_results_page_and_table(checkout):
    pytest.importorskip("matplotlib", reason="the extra plot")
    record = ("--suite", "full", "--record", "--output", "out")
    done = validate(checkout, *record, TOY_DRAWS="1")
    assert done.returncode == 0, done.stderr
    folder = checkout / "validation" / "experiments" / "toys"
    held = json.loads((folder / "toy.json").read_text("utf-8"))
    assert [row["square"] for row in held["rows"]] == [1, 4, 9]
    assert (folder / "toy.svg").read_text("utf-8").startswith("<?xml")
    assert "## Figure 1" not in (folder / "toy.md").read_text("utf-8")
    assert "**Found.** the sum is 14" in (folder / "toy.md").read_text("utf-8")
    table = (checkout / "validation" / "README.md").read_text("utf-8")
    assert "the sum is 14" in table
    assert "[differs](experiments/toys/toy.md)" in table
    assert table.count("not run yet |") > 40


def test_without_matplotlib_the_report_says_so(checkout, tmp_path):
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "matplotlib.py").write_text("raise ImportError\n")
    paths = os.pathsep.join([str(tmp_path / "absent"), str(ROOT)])
    done = validate(checkout, "--output", "out", TOY_DRAWS="1", PYTHONPATH=paths)
    assert done.returncode == 0, done.stderr
    text = (checkout / "out" / "report.html").read_text("utf-8")
    assert "Pictures are missing here: a picture needs matplotlib" in text
    assert "<img" not in text


def test_what_is_not_installed_is_not_run_and_no_failure(checkout):
    done = validate(checkout, "--output", "out", TOY_NEEDS="no_such_module")
    assert done.returncode == 0, done.stderr
    assert "toy: needs no_such_module: pip install no_such_module" in done.stdout
    assert "1 not run" in done.stdout
    assert "Experiments were not run, and these of their claims are not judged: 000-figure-1." in (
        done.stdout
    )


@pytest.mark.slow
def test_data_that_are_not_here_are_no_failure(checkout):
    done = validate(checkout, "--output", "out", "--jobs", "2", TOY_ABSENT="2")
    assert done.returncode == 0, done.stderr
    assert "toy: 1 pieces of work not run: no such file: fetch it" in done.stdout
    assert "1 not run" in done.stdout
    both = validate(checkout, "--output", "out", "--jobs", "2", TOY_ABSENT="2", TOY_FAILS="1")
    assert both.returncode == 0, "the first was finished before"
    assert validate(checkout, "--output", "new", TOY_ABSENT="2", TOY_FAILS="1").returncode == 3


def test_list_names_experiments(checkout):
    assert "toy  000  A toy" in validate(checkout, "--list").stdout
    (one,) = json.loads(validate(checkout, "--list", "--json").stdout)["experiments"]
    assert one["places"] == ["000-figure-1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tpy"], "no experiment 'tpy'; nearest: toy"),
        (["002-figure-3"], "no experiment reruns Figure 3 of 002 yet"),
        (["--jobs", "0"], "--jobs must be positive"),
        (["--record"], "they need --suite full"),
        (["--resume"], "it needs --record"),
        (["--output", "validation/places.toml"], "cannot write into"),
    ],
)
def test_bad_input(checkout, arguments, message):
    done = validate(checkout, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (checkout / "build").exists()


@pytest.mark.parametrize("name", ["units", "report.json", "report.html"])
def test_what_cannot_be_written_is_named_before_any_work(checkout, name):
    place = checkout / "out" / name
    place.parent.mkdir()
    place.write_text("", "utf-8") if name == "units" else place.mkdir()
    done = validate(checkout, "--output", "out", TOY_NOTES=str(checkout / "notes"))
    assert done.returncode == 2
    assert f"{Path('out', name)}: " in done.stderr
    assert not (checkout / "notes").exists()


@pytest.mark.parametrize("name", ["toy", "000", "000-figure-1"])
def test_names(checkout, name):
    assert "toy  000" in validate(checkout, name, "--list").stdout


@pytest.mark.parametrize("words", [["audit"], ["audit", "--list"], ["validate"]], ids=" ".join)
def test_without_the_source(tmp_path, words):
    """An installed package has no audit and no experiments, and says so in one line."""
    shutil.copytree(ROOT / "rlct", tmp_path / "site" / "rlct")
    (tmp_path / "elsewhere").mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "rlct", *words],
        cwd=tmp_path / "elsewhere",
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 2
    assert f"rlct {words[0]} works in a checkout of rlct" in done.stderr
    assert "pip download" in done.stderr
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    assert not list((tmp_path / "elsewhere").iterdir())


def toy(**changes):
    given = {
        "id": "t",
        "source": "000",
        "title": "t",
        "places": (),
        "quick": {},
        "full": {},
        "units": lambda settings: [],
        "run": lambda settings, unit, rng: {},
        "judge": lambda settings, rows: [],
    }
    return Experiment(**given | changes)


def test_what_to_install_has_the_name_of_the_package(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert toy(needs=("torch", "sklearn")).missing.endswith("pip install torch scikit-learn")


def test_what_identifies_work():
    settings, unit = {"a": 1}, {"n": 1}
    keys = {
        key(toy(), settings, unit),
        key(toy(version=2), settings, unit),
        key(toy(seed=1), settings, unit),
        key(toy(id="u"), settings, unit),
        key(toy(), {"a": 2}, unit),
        key(toy(), settings, {"n": 2}),
    }
    assert len(keys) == 6
    assert key(toy(), {"b": 1, "a": 1}, unit) == key(toy(), {"a": 1, "b": 1}, unit)


@pytest.mark.slow
def test_a_part_of_the_full_run_says_so(checkout):
    record = ("--suite", "full", "--record", "--output", "out")
    done = validate(checkout, *record)
    assert "differs    000-figure-1: the sum is 14" in done.stdout, done.stderr
    assert "1 experiment; 1 differing; nothing is refuted" in done.stdout
    assert "The quick suite" not in done.stdout
    assert "differs from the source" in (checkout / "out" / "report.html").read_text("utf-8")
    report = json.loads((checkout / "out" / "report.json").read_text("utf-8"))
    assert report["experiments"][0]["ran"] == {"pieces": 3, "of": 3, "whole": True}
    assert report["rows"][0]["ran"]["whole"] is True
    small = {"TOY_QUICK": "2", "TOY_COUNT": "2", "TOY_CLAIM": "5", "TOY_SILENT": "001-figure-3"}
    done = validate(checkout, "--output", "quick", **small)
    first = (
        "The quick suite is a small run, to see if anything has broken. It judges 0 of the claims "
        "as the full run does, and 1 in part or with less work. The verdict on a source is that of "
        "the full run, shown beside it. It leaves out 1 of them: 001-figure-3."
    )
    assert done.stdout.startswith(first + "\n")
    ran = "1 of 1 parts, in a smaller run"
    assert f"differs    000-figure-1 ({ran}; recorded: differs)" in done.stdout
    assert "1 differing in the part that was run" in done.stdout
    report = json.loads((checkout / "quick" / "report.json").read_text("utf-8"))
    assert report["experiments"][0]["ran"] == {"pieces": 2, "of": 3, "whole": False}
    row = report["rows"][0]
    assert row["ran"] == {"parts": 1, "of": 1, "others": 0, "same": False, "whole": False}
    assert row["why"] == "Of the full run: toys count"
    text = (checkout / "quick" / "report.html").read_text("utf-8")
    assert f"differs in what was run: {ran} (full run: differs)" in text
    assert "2 pieces of work, 3 in the full run" in text
    assert '<th>count</th><td>2<br><span class="soft">full run: 3</span></td>' in text
    assert first in text
    done = validate(checkout, "--output", "failed", **small, TOY_FAILS="1")
    assert "leaves out" not in done.stdout, "what failed may be of any claim"
    assert "their claims are not judged: 000-figure-1, 001-figure-3." in done.stdout


@pytest.mark.slow
def test_a_claim_that_a_small_run_judges_as_the_full_one_is_whole(checkout):
    """The settings are others, here of a pause; what is found is the same."""
    record = ("--suite", "full", "--record", "--output", "out")
    assert validate(checkout, *record).returncode == 0
    done = validate(checkout, "--output", "quick")
    assert "\ndiffers    000-figure-1: the sum is 14 <not 15>\n" in done.stdout
    assert "It judges 1 of the claims as the full run does, and 0 in part" in done.stdout
    (row,) = json.loads((checkout / "quick" / "report.json").read_text("utf-8"))["rows"]
    assert row["ran"] == {"parts": 1, "of": 1, "others": 0, "same": True, "whole": True}
    assert row["why"] == "toys count"
    text = (checkout / "quick" / "report.html").read_text("utf-8")
    assert '<span class="mark other">differs from the source</span>' in text
    assert "smaller than the source" not in text


def test_a_claim_of_two_experiments_is_told_once():
    """One of them failed; the quick suite of the other may leave it out."""
    shared = {"command": "", "seconds": 0.0, "findings": []}
    ended = {"lit-tables": "failed", "lit-factorisations": "reproduces"}
    assessed = [{**shared, "id": id, "status": status} for id, status in ended.items()]
    report = build(ROOT / "validation", "quick", assessed)
    assert "lit-topics" in report["not_judged"]["failed"]
    assert report["left_out"] == ["lit-nmf"]


def test_how_much_of_a_claim_was_judged():
    one, two, three = (at_least(name, 2, 1, control=0) for name in "abc")
    full = Finding("p", "all", [one, two, three, exact("two", 2, 2)])

    def said(*parts, ours="all", full=full):
        return part(judged(Finding("p", ours, parts), full, False))

    assert said(one, two, three) == ""
    assert said(one, two, three, ours="other words") == "3 of 3 parts"
    assert said(one, two, replace(three, value=3)) == "3 of 3 parts, in a smaller run"
    assert said(two) == "1 of 3 parts"
    assert said(two, at_least("d", 0, 1)) == "1 of 3 parts, 1 with other settings"
    assert said(at_least("d", 0, 1)) == "none of 3 parts, 1 with other settings"
    assert said() == "none of 3 parts"
    assert said(one, full=None) == "a smaller run"
    assert said(one, two, three, full=replace(full, unfit="too small")) == "3 of 3 parts"
    # What is recorded of the claim must be what its judge says today.
    recorded = Recorded(Verdict.CONFIRMED, tuple((name, Verdict.CONFIRMED) for name in "abc"))
    other = replace(recorded, parts=(("a", Verdict.DIFFERS), *recorded.parts[1:]))
    found = replace(full, checks=[one, two, three])
    assert shown(found, False, recorded, full)["ran"]["whole"]
    assert not shown(found, False, other, full)["ran"]["whole"]


def test_what_fails_is_said_first_and_in_short():
    names = [f"the mean of the {n}th of many data sets" for n in range(48)]
    right = [at_least(name, 2, 1, control=0) for name in names]
    recorded = Recorded(Verdict.CONFIRMED, tuple((name, Verdict.CONFIRMED) for name in names))
    wrong = [*right[:-1], replace(right[-1], value=-1.0, exact=True)]
    found = shown(Finding("p", "all is well", wrong), False, recorded)
    assert found["ours"] == f"{names[-1]}: −1 (differs, recorded: confirmed); 47 more hold"
    row = {**found, "place": "p", "where": "Figure 1", "claim": "they are large"}
    assert (line := _line(row)).startswith("REFUTED    p (differs; a smaller run; recorded: conf")
    assert f"{names[-1]}: " not in line
    assert len(line) <= 200
    text = _claim(row)
    assert text.index("ours is refuted") < text.index("differs in what was run")
    before, fold, after = text.partition("<details>")
    assert names[-1] in before
    assert fold
    assert names[0] not in before
    assert after.index(names[-1]) < after.index(names[0]), "those that hold are last"
    # Many fail: some are named.
    none = [replace(one, value=-1.0) for one in right]
    found = shown(Finding("p", "all is well", none), True, recorded)
    assert found["ours"].endswith("; 45 more differ")
    assert found["why"].endswith("; 45 more.")
    assert "44 more, folded below" in _claim({**row, **found})  # 48 parts and the verdict
    assert len(line := _line({**row, **found})) <= 200
    assert line.endswith("(48 more)")


def test_a_line_says_why_a_claim_is_undecided():
    found = shown(Finding("p", "x is 2", [at_least("x", 2, 1)]), True, None)
    assert _line(found) == ("undecided  p: nothing wrong is planted that could fail: x")
    long = {**found, "unfit": "it is long " * 100}
    assert len(_line(long)) <= 200
    assert _line(long).endswith(" …")


def test_a_changed_exact_value_is_laid_to_the_claim_that_it_enters(tmp_path):
    def judge(settings, rows):
        for place, kind in (("p", "even"), ("q", "odd")):
            own = [row["exact"] for row in rows if row["kind"] == kind]
            yield Finding(place, f"{len(own)} values", [at_least(kind, len(own), 1, control=0)])

    units = [{"kind": kind, "n": n} for kind in ("even", "odd") for n in range(2)]
    rows = [{**unit, "exact": 1.0} for unit in units]
    experiment = toy(units=lambda settings: units, judge=judge)

    def refuted(experiment):
        entry = Entry(experiment, tmp_path / "own.py")
        known = assess(entry, "full", Done(rows))["findings"]
        recorded = {
            one["place"]: Recorded(
                Verdict(one["verdict"]),
                tuple((what, Verdict(word)) for what, word in one["parts"]),
                (*rows[:1], {**rows[1], "exact": 2.0}, *rows[2:]),
            )
            for one in known
        }
        answer = assess(entry, "full", Done(rows), recorded)
        assert answer["status"] == "refuted"
        return {one["place"]: one["against"] for one in answer["findings"] if one["against"]}

    told = ['exact 1.0, recorded: 2.0: {"kind": "even", "n": 1}']
    assert refuted(experiment) == {"p": told}

    def whole(settings, rows):
        if len(rows) < 4:
            raise ValueError("a row is missing")
        return judge(settings, rows)

    # A judge that needs them all does not tell, and either claim may be wrong.
    assert refuted(toy(units=lambda settings: units, judge=whole)) == {"p": told, "q": told}


def test_other_code_is_other_work(tmp_path):
    """A function that is defined elsewhere, and then changed, does not take what is finished."""
    source, found = tmp_path / "own.py", []
    for text in ("def run(settings, unit, rng):\n    return {}\n", "# changed\n"):
        with source.open("a") as stream:
            stream.write(text)
        space = {}
        exec(compile(source.read_text(), str(source), "exec"), space)
        _digest.cache_clear()
        found.append(key(toy(run=space["run"]), {}, {}))
    assert found[0] != found[1]


def test_what_lies_beside_the_experiments_is_code_of_theirs(tmp_path):
    """Experiments import from ``validation/evidence``."""
    own = tmp_path / "validation" / "experiments" / "some" / "own.py"
    beside = tmp_path / "validation" / "evidence" / "models.py"
    for path in (own, beside):
        path.parent.mkdir(parents=True)
        path.write_text("def run(settings, unit, rng):\n    return {}\n")
    space, found = {}, []
    exec(compile(own.read_text(), str(own), "exec"), space)
    for _ in range(2):
        _digest.cache_clear()
        found.append(key(toy(run=space["run"]), {}, {}))
        beside.write_text("# changed\n")
    assert found[0] != found[1]


def test_at_full_size_the_recorded_verdict_comes_out():
    found = Finding("p", "a is large", [at_least("a", 2, 1, control=0)])
    for whole in (False, True):
        assert shown(found, whole, Recorded(Verdict.CONFIRMED))["reproduced"]
        assert shown(found, whole, Recorded(Verdict.UNDECIDED))["reproduced"] is not whole
        assert not shown(found, whole, Recorded(Verdict.DIFFERS))["reproduced"]
        said = shown(found, whole, Recorded(Verdict.UNDECIDED))["verdict"]
        assert said == ("confirmed" if whole else "undecided"), "a smaller run decides it"


def test_a_verdict_that_differs_hides_no_part():
    """A table of ours that is wrong, beside a sampler of the source's that was wrong before."""
    table = cells("cells", ["1/2"], ["1/2"])
    wrong = cells("cells", ["1"], ["1/2"])
    other, missed = at_least("b", 0, 1), at_least("a", 2, 1, control=0)
    parts = (("cells", Verdict.CONFIRMED), ("b", Verdict.DIFFERS), ("a", Verdict.CONFIRMED))
    recorded = Recorded(Verdict.DIFFERS, parts)
    for whole in (False, True):
        right = shown(Finding("p", "1 cell", [table, other, missed]), whole, recorded)
        assert (right["reproduced"], right["ours"]) == (True, "1 cell")
        found = shown(Finding("p", "1 cell", [wrong, other, missed]), whole, recorded)
        assert (found["verdict"], found["reproduced"]) == ("differs", False)
        assert found["ours"] == (
            "cells: 0 (differs, recorded: confirmed); b: 0 (differs); 1 more hold"
        )
        assert found["against"] == ["part differs, recorded: confirmed: cells"]
        small = at_least("a", 0, 1, control=-1)  # what takes size is not seen in a small run
        found = shown(Finding("p", "1 cell", [table, other, small]), whole, recorded)
        assert found["reproduced"] is not whole


def test_what_an_estimate_would_reject():
    right = estimate("λ̂", 5.1, 5, 0.1, allowed=0.05)
    assert right.holds
    assert right.resolution == pytest.approx(0.11)
    assert right.to_dict()["rejects_beyond"] == pytest.approx(0.11)
    wrong = [estimate("λ̂", 5.1, lam, 0.1, allowed=0.05).holds for lam in (4.25, 4.6, 5.6, 5.75)]
    assert wrong == [False] * 4
    vague = estimate("λ̂", 5, 5, 0.2)
    assert "TOO COARSE: 15% is to be rejected" in str(vague)
    assert Finding("p", "", [vague]).holds, "it says nothing, so it refutes nothing"


def test_generators_of_units_differ():
    first, second = (generator(toy(), {"n": n}).random() for n in (1, 2))
    assert first != second
    assert first == generator(toy(), {"n": 1}).random()


def test_a_torn_file_is_no_result(tmp_path):
    store = Store(tmp_path / "units")
    store.save("a", {"x": np.float64(1.5)}, 1.0)
    assert store.load("a") == {"result": {"x": 1.5}, "seconds": 1.0}
    written = (store.folder / "a.json").read_text(encoding="utf-8")
    other = ['{"result": {"x": 1', '{"result": {}, "seconds": 1.0}', written.replace("1.5", "2.5")]
    for text in other:
        (store.folder / "a.json").write_text(text, encoding="utf-8")
        assert store.load("a") is None
    assert store.load("b") is None


RIGHT = at_least("a", 2, 1, control=0)
WRONG = at_least("b", 0, 1, margin=0.5)


@pytest.mark.parametrize(
    ("claims", "verdict"),
    [
        ([RIGHT], "confirmed"),
        ([RIGHT, WRONG], "differs"),
        ([WRONG], "differs"),
        ([], "undecided"),
        ([at_least("without a control", 2, 1)], "undecided"),
        ([at_least("a control that passes, too", 2, 1, control=1.5)], "undecided"),
        ([at_least("a control within the margin", 2, 1, control=0.8, margin=0.5)], "undecided"),
        ([at_least("outside, but within the margin", 0.8, 1, control=0, margin=0.5)], "undecided"),
        ([RIGHT, at_least("without a control", 2, 1)], "undecided"),
        ([near("off by two tolerances or less", 1.2, 1, 0.1, control=2)], "undecided"),
        ([near("off by more", 1.21, 1, 0.1, control=2)], "differs"),
        ([near("no number", float("nan"), 1, 0.1, control=2)], "undecided"),
        ([near("no control", 1, 1, 0.1, control=float("nan"))], "undecided"),
    ],
)
def test_verdicts_are_computed(claims, verdict):
    assert Finding("p", "", claims).verdict.value == verdict
    assert Finding("p", "", claims, unfit="too small").verdict is Verdict.UNDECIDED


def test_what_is_not_told_decides_nothing():
    """A part that comes out both ways, by something that the source does not name, is undecided."""
    for other, verdicts in (
        (at_least("b", 0, 1), ["undecided", "undecided"]),
        (at_least("b", 0.8, 1, margin=0.5), ["confirmed", "undecided"]),  # at the edge, not outside
        (at_least("b", 3, 1, control=0), ["confirmed", "confirmed"]),
    ):
        parts = alike("n", {"n = 1": RIGHT, "n = 2": other})
        assert [part.verdict.value for part in parts] == verdicts
        assert [part.text for part in parts] == ["a, n = 1", "b, n = 2"]
    parts = alike("n", {"n = 1": WRONG, "n = 2": at_least("b", 0.8, 1, margin=0.5)})
    assert {part.depends for part in parts} == {
        "n, which is not told: it is outside by less than the margin for n = 2, not for n = 1"
    }
    failed = [replace(WRONG, text="c"), *alike("n", {"n = 1": RIGHT, "n = 2": WRONG})]
    assert Finding("p", "", failed).verdict is Verdict.DIFFERS, "what fails for all, fails"


def test_what_is_undecided_says_why():
    def why(*claims, unfit=""):
        return shown(Finding("p", "", claims, unfit=unfit), True, None)["unfit"]

    assert why(RIGHT) == why(WRONG) == ""
    assert why(RIGHT, unfit="too small") == "too small"
    assert "it depends on n, which is not told" in why(*alike("n", {"1": RIGHT, "2": WRONG}))
    assert why(at_least("x", 2, 1)) == "nothing wrong is planted that could fail: x"
    passes, edge = (at_least("x", 2, 1, control=1.5), at_least("y", 0.8, 1, control=0, margin=0.5))
    assert why(passes, edge, edge) == (
        "what is planted passes as well: x. "
        "outside of the range by less than the margin: y (1 more)"
    )


def test_verdicts_that_contradict():
    pairs = {(a.value, b.value) for a in Verdict for b in Verdict if a.contradicts(b)}
    assert pairs == {("confirmed", "differs"), ("differs", "confirmed")}


def test_sentences_beside_another_verdict_are_left_out():
    confirmed, differs = (
        Recorded(word, ((RIGHT.text, word),)) for word in (Verdict.CONFIRMED, Verdict.DIFFERS)
    )
    found = Finding("p", "a is large", [RIGHT], why="it grows")
    assert shown(found, False, confirmed)["ours"] == "a is large"
    other = shown(found, False, differs)
    assert (other["ours"], other["reproduced"]) == (
        "a: 2 (confirmed, recorded: differs)",
        False,
    )
    assert other["why"] == (
        "Parts come out otherwise than recorded: a (confirmed, recorded: differs)."
    )
    new = Recorded(Verdict.UNDECIDED, ((RIGHT.text, Verdict.UNDECIDED),))
    full = replace(new, why="it is small", unfit="few data")
    small = shown(found, False, full)
    assert small["unfit"] == "the full run does not decide it. Of the full run: few data"
    assert small["why"].endswith("recorded: undecided). Of the full run: it is small")
    assert shown(found, False, replace(confirmed, why="it rises"))["why"] == (
        "Of the full run: it rises"
    )
    assert shown(found, True, replace(confirmed, why="it rises"))["why"] == "it grows"
    assert shown(found, False, new)["why"] == (
        "Parts come out otherwise than recorded: a (confirmed, recorded: undecided)."
    )
    weak = replace(RIGHT, control=None)  # a smaller run has less power
    assert shown(Finding("p", "", [weak]), False, confirmed)["why"] == ""
    assert shown(Finding("p", "", ()), False, new)["unfit"].startswith("no part of the claim")
    bare = Finding("p", "nothing is claimed", [exact("two", 2, 2)])
    assert shown(bare, False, None)["ours"] == "nothing is claimed"


def test_when_a_finding_holds():
    """Our facts must hold, and reject their controls, whatever becomes of the claims."""
    right, wrong = exact("two", 2, 2), exact("two", 2, 3)
    vague = close("π", 3.14, 3.14159, 1.0, control=3.5)
    assert Finding("p", "", [WRONG, right]).holds
    assert Finding("p", "", [RIGHT]).holds
    assert not Finding("p", "", [RIGHT, wrong]).holds
    assert not Finding("p", "", [RIGHT, vague]).holds, "the control is not rejected"
    assert not Finding("p", "", []).holds
