"""Every row of the audit reproduces its evidence, and one that does not is noticed."""

import json
import re
import shlex
from dataclasses import replace
from fractions import Fraction

import pytest
from audit_table import PAGE, TABLE

import validation.audit
from rlct.cli.commands import build_parser
from rlct.cli.main import main
from validation.audit import all_rows, get
from validation.audit.page import table
from validation.audit.row import Row, Verdict, claims, close, exact
from validation.audit.sources import AUDITED_SOURCES

ROWS = all_rows()
JUDGED = [row for row in ROWS if row.verdict is not Verdict.UNVERIFIABLE]
WRONG = (Verdict.CORRECTED, Verdict.REFUTED)


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_row(row):
    """The evidence holds; it contradicts the printed claim exactly if the verdict says so."""
    ok, facts = row.reproduce()
    assert ok, "\n".join(map(str, facts))
    assert facts, "nothing is checked"
    assert any(fact.refutes for fact in facts) == (row.verdict in WRONG)
    if row.verdict is not Verdict.UNVERIFIABLE:
        other = Verdict.REFUTED if row.verdict is Verdict.CONFIRMED else Verdict.CONFIRMED
        planted = replace(row, verdict=other, check=lambda: iter(facts))
        assert not planted.reproduce()[0], "the same facts bear out the opposite verdict"


def test_ids_are_unique_and_speak_of_a_source():
    assert len({row.id for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert re.fullmatch(r"00[0-5]-[a-z0-9.-]+", row.id), row.id
        assert row.source in AUDITED_SOURCES
        for text in (row.claim, row.statement, row.evidence):
            assert text
            assert "\n" not in text
            assert text == text.strip()


def test_every_claim_has_a_check():
    assert {row.id for row in ROWS} == {
        name for number in AUDITED_SOURCES for name in claims(number)
    }


def numbers(text):
    """Numbers of equations that a text mentions, as (7) or as a range (14)-(17)."""
    found = {int(n) for n in re.findall(r"\((\d+)\)", text)}
    for low, high in re.findall(r"\((\d+)\)-\((\d+)\)", text):
        found |= set(range(int(low), int(high) + 1))
    return found


@pytest.mark.parametrize(("source", "last"), [("000", 3), ("001", 21), ("002", 35)])
def test_every_numbered_equation_has_a_row(source, last):
    covered = set()
    for row in ROWS:
        if row.source == source:
            covered |= numbers(row.claim)
            covered |= {int(n) for n in re.findall(r"-equation-(\d+)", row.id)}
    assert set(range(1, last + 1)) <= covered


@pytest.mark.parametrize(
    "name",
    [
        *(f"002-theorem-{t}" for t in ("4.1", "4.2", "5.1", "5.2", "5.5")),
        *(f"002-theorem-{t}" for t in ("e.1", "f.1", "g.1", "g.2", "g.5", "g.6")),
        *(f"002-lemma-e.{k}" for k in (2, 3, 4, 5)),
        *("002-proposition-e.7", "002-proposition-g.4", "002-corollary-5.3", "002-corollary-f.2"),
        *("002-remark-5.4", "002-remark-e.6", "002-example-g.3", "001-lemma-a.1", "001-lemma-a.2"),
        *(f"001-table-{k}" for k in (1, 2, 3, 4, 5)),
        *("000-theorem-3", "000-theorem-4", "000-theorem-5", "000-theorem-6", "000-definition-4"),
    ],
)
def test_every_theorem_and_table_has_a_row(name):
    assert any(row.id == name or row.id.startswith(f"{name}-") for row in ROWS)


@pytest.mark.parametrize("command", sorted({row.direct for row in ROWS if row.direct}))
def test_direct_commands_run(command, capsys):
    program, *arguments = shlex.split(command)
    assert program == "rlct"
    assert main(arguments) == 0, capsys.readouterr()


def test_commands_parse():
    for row in ROWS:
        for part in row.command.split("; "):
            build_parser().parse_args(shlex.split(part)[1:])
        assert row.command.startswith(f"rlct audit {row.id}")


def planted(*facts, verdict=Verdict.CONFIRMED, check=None):
    return Row("000-planted", verdict, "c", "s", "e", check or (lambda: iter(facts)))


PLANTED = {
    "not as stated": planted(exact("λ", Fraction(1, 4), Fraction(1, 2))),
    "beyond the tolerance": planted(close("λ", 0.25, 0.3, 0.01)),
    "too coarse for its control": planted(close("λ", 0.25, 0.25, 0.1, control=0.3)),
    "confirmed, and contradicted": planted(exact("λ", 1, 1, printed=2)),
    "confirmed by nothing": planted(),
    "refuted, and as printed": planted(exact("λ", 1, 1, printed=1), verdict=Verdict.REFUTED),
    "corrected by nothing": planted(exact("λ", 1, 1), verdict=Verdict.CORRECTED),
    "two wrong statements": planted(exact("λ", 2, 1, printed=3), verdict=Verdict.CORRECTED),
    "within the margin": planted(close("λ", 1.0, 1.0, 0.1, printed=1.2), verdict=Verdict.REFUTED),
    "unverifiable, a false fact": planted(exact("λ", 1, 2), verdict=Verdict.UNVERIFIABLE),
    "not a number": planted(close("λ", float("nan"), 1.0, 0.1)),
    "an error": planted(check=lambda: iter([exact("λ", 1 // 0, 0)])),
}


@pytest.mark.parametrize("row", PLANTED.values(), ids=PLANTED)
def test_a_planted_row_makes_exit_1(row, monkeypatch, capsys):
    right = get("000-lambda")
    monkeypatch.setattr(validation.audit, "all_rows", lambda: (right, row))
    assert main(["audit"]) == 1
    out = capsys.readouterr().out
    assert "1 DO NOT REPRODUCE" in out
    assert out.count("EVIDENCE DOES NOT REPRODUCE") == 1
    assert main(["audit", "--json"]) == 1
    answers = json.loads(capsys.readouterr().out)["rows"]
    assert [answer["reproduced"] for answer in answers] == [True, False]


def test_two_rows_with_one_id_are_refused(monkeypatch):
    monkeypatch.setattr("validation.audit.local_coefficient.lam", get("000-lambda"))
    all_rows.cache_clear()
    try:
        with pytest.raises(RuntimeError, match="000-lambda"):
            all_rows()
    finally:
        monkeypatch.undo()
        all_rows.cache_clear()
        all_rows()


def test_command_line(capsys):
    assert main(["audit", "000-lambda", "002-theorem-4.2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["schema"] == "rlct/1"
    keys = {"id", "source", "claim", "verdict", "statement", "evidence", "command"}
    keys |= {"place", "beside"}
    assert all(keys <= set(row) for row in answer["rows"])
    assert [row["verdict"] for row in answer["rows"]] == ["refuted", "refuted"]
    assert main(["audit", "--source", "004", "--verdict", "corrected"]) == 0
    assert "004-lambda" in capsys.readouterr().out
    assert main(["audit", "003-escape-rate"]) == 0
    assert "Beside    003-figure-1: " in capsys.readouterr().out
    assert "(Beside the experiment 003-figure-1: " in table(ROWS)
    assert main(["audit", "--list", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["rows"]) == len(ROWS)
    assert main(["audit", "--list", "--quick"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == sum(not row.slow for row in ROWS) < len(ROWS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["000-lamda"], "nearest: 000-lambda"),
        (["--source", "007"], "no source '007'"),
        (["000-lambda", "--verdict", "confirmed"], "no row of the audit fits"),
        (["--verdict", "wrong"], "invalid choice"),
    ],
)
def test_bad_input_is_one_line(arguments, message, capsys):
    try:
        code = main(["audit", *arguments])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.startswith("rlct: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_the_page_lists_the_rows():
    """If this fails, ``make index`` renews the page."""
    assert TABLE.search(PAGE.read_text(encoding="utf-8"))[0] == table(ROWS)
