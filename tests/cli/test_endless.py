"""Input without an end, and work without one, are refused in one line."""

import io
import json
import subprocess
import sys

import pytest

from rlct.cli.main import main
from rlct.errors import InputError
from rlct.questions.problem import Problem
from rlct.system import files

ENDLESS = "/dev/zero"


@pytest.fixture
def small(monkeypatch):
    """A limit that is reached at once."""
    real = files.read_bounded

    def read(source, **options):
        return real(source, **{**options, "most": 1000})

    monkeypatch.setattr("rlct.cli.files.read_bounded", read)


@pytest.mark.parametrize(
    "words",
    [
        ["verify", ENDLESS],
        ["net", "linear", "--weights", ENDLESS],
        ["net", "quadratic", "--weights", ENDLESS],
        ["net", "relu", "--weights", ENDLESS],
        ["reference", "score", ENDLESS],
    ],
)
def test_files(words, small, capsys):
    assert main(words) == 2
    assert "/dev/zero holds more than" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["poly", "-"], ["ideal", "-"], ["verify", "-"]])
def test_standard_input(words, small, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("x+" * 1000))
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("rlct: error: standard input holds more than")


def test_the_limit_holds_as_it_is():
    process = subprocess.run(
        [sys.executable, "-m", "rlct", "verify", ENDLESS], capture_output=True, timeout=60
    )
    assert process.returncode == 2
    assert process.stderr == b"rlct: error: /dev/zero holds more than 2 million characters\n"


def test_newton_keeps_its_time(capsys, monkeypatch):
    def spin(problem):
        while True:
            pass

    monkeypatch.setattr("rlct.report.newton.describe_polyhedron", spin)
    words = ["newton", "--timeout", "0.3", "ideal", "x**2-y**3"]
    assert main(words) == 3
    assert capsys.readouterr().out == "undecided: the faces were not all found within 0.3 s\n"
    assert main([*words, "--json"]) == 3
    assert '"kind": "newton"' in capsys.readouterr().out


def test_newton_with_too_many_faces(capsys, monkeypatch):
    monkeypatch.setattr("rlct.report.newton._MOST_FACES", 2)
    words = ["newton", "x**3", "x*y", "y**3"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "polyhedron   λ = 1/2, θ = 2 for K = Σ f² if non-degenerate on every " in out
    note = "the Newton polyhedron has more than 2 compact faces: they are not listed"
    assert out.endswith(f"\nnote         {note}\n")
    assert main([*words, "--json"]) == 0
    description = json.loads(capsys.readouterr().out)
    assert (description["note"], description["faces"]) == (note, [])
    assert description["lambda_polyhedron"] == "1/2"


@pytest.mark.slow
@pytest.mark.parametrize(
    "generators",
    [
        ["((d+1)**87-1)**43"],
        ["+".join(f"((d+1)**40-1)**{k}" for k in range(20, 60))],
        ["*".join(["(x+y+z+1)**20"] * 3)],
        [f"((x{k}+1)**60-1)**20" for k in range(30)],
    ],
)
def test_expanding_has_an_end(generators):
    with pytest.raises(InputError, match="too large to expand"):
        Problem.ideal(generators)


def test_zero_to_the_power_zero():
    one, other = Problem.poly("(x-x)**0*y**2"), Problem.poly("0*x + y**2")
    assert one.generators == other.generators
