"""Long output keeps to the width of the terminal; what programs read is never broken."""

import csv
import json
import os
import shlex
from types import SimpleNamespace

import pytest

from rlct.certificate.verify import verify
from rlct.cli.main import main
from rlct.report.width import columns, fit_width

COMMANDS = (
    "net linear 784 128 64 10 --rank 10 --bias",
    "net linear 5 1..4 5 --rank 0..2",
    "net linear 784 128 64 10 --rank 10 --explain",
    "model naive-bayes --features 4",
    'poly "((x**2 - 2*y**2)**2 + y**5)**2"',
    "newton x*y*z y**2*z z**3*x x**7 --json",
    "newton x*y*z y**2*z z**3*x x**7 x*y**3*z**2 x**2*y**9",
    'blowup "(y-x**2)**2-x**5"',
    "theorem list",
    "theorem show deep-linear",
    "theorem eval deep-linear widths=5,3,5 rank=1",
    "audit --list",
    "reference list",
    "compare 'linear 5 3 5' 'tanh --inputs 1 --hidden 3 --outputs 1 --true-hidden 1' --rank 1",
)


def printed(command, capsys):
    assert main(shlex.split(command)) in (0, 3)
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("width", [60, 100])
def test_no_line_is_wider_than_the_terminal(command, width, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    whole = printed(command, capsys)
    assert columns() is None
    monkeypatch.setenv("COLUMNS", str(width))
    assert columns() == width
    narrow = printed(command, capsys)
    bars = str.maketrans("", "", "│├└─")
    # Words are only moved; a step of a tree may have its bars again.
    if "--explain" not in command:
        assert narrow.translate(bars).split() == whole.translate(bars).split()
    if "--json" in command:
        assert narrow == whole
        return
    for line in narrow.splitlines():
        # One word may be too long, where it stands after its column.
        assert len(line) <= width or " " not in line.strip(" │├└─"), line


def test_a_terminal_has_a_width(monkeypatch, capsys):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    size = SimpleNamespace(get_terminal_size=lambda: os.terminal_size((70, 24)))
    monkeypatch.setattr("rlct.report.width.shutil", size)  # pytest asks the other one
    assert columns() == 70
    assert max(map(len, printed("theorem show rbm", capsys).splitlines())) <= 70


@pytest.mark.parametrize("given", ["0", "-5", "wide", ""])
def test_a_strange_width_is_no_harm(given, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", given)
    assert "5/12" in printed('poly "(x**2-y**3)**2"', capsys)
    assert "deep-linear" in printed("theorem list deep", capsys)


def test_certificates_and_documents_stay_whole(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "40")
    path = tmp_path / "proof.json"
    printed(f'poly "((x**2-2*y**2)**2+y**5)**2" --certificate {path}', capsys)
    assert verify(json.loads(path.read_text(encoding="utf-8")))
    for format in ("latex", "markdown", "html"):
        command = f"net linear 5 3 5 --rank 1 --explain --format {format}"
        narrow = printed(command, capsys)
        monkeypatch.delenv("COLUMNS")
        assert printed(command, capsys) == narrow
        monkeypatch.setenv("COLUMNS", "40")
    table = printed("net linear 5 1..4 5 --rank 1 --csv", capsys)
    assert len({len(row) for row in csv.reader(table.splitlines())}) == 1


def test_lines_go_on_below_their_column():
    line = "             true      the widths are positive and the rank is not larger (3 widths)"
    first, *more = fit_width(line, 50).splitlines()
    assert first == "             true      the widths are positive and"
    assert all(rest.startswith(" " * 23 + rest.strip()[0]) for rest in more)
    assert fit_width(line, None) == line
    assert fit_width("x" * 90, 50) == "x" * 90
