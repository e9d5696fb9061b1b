"""The commands ``rlct model`` and the networks of ``rlct net`` that are models."""

from __future__ import annotations

import json

import pytest

import rlct
from rlct.cli.main import main

OPEN = ["model", "hidden-markov", "--states", "3", "--symbols", "3", "--true", "2"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        code = main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_is_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    # A question that the engine decides at once: a slow machine must not change the routes.
    code, out, err = run(capsys, "model", "naive-bayes", "--features", "2", "--json")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert answer["schema"] == "rlct/1"
    assert (answer["status"], answer["lambda"], answer["theta"]) == ("exact", "3/2", 3)
    assert answer == rlct.model("naive-bayes", features=2).to_dict()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "head"),
    [
        (
            "net tanh --inputs 1 --hidden 4 --outputs 1 --true-hidden 1",
            "λ = 5/3, θ = 1   (exact if: the functions",
        ),
        ("net power --hidden 2 --degree 3", "λ = 1/3, θ = 1   (exact)"),
        (
            "net softmax --inputs 3 --hidden 2 --classes 3",
            "λ = 2, θ = 2   (exact if: the second moment",
        ),
        (
            "model mixture --components 3 --true 1 --signed",
            "λ = 1, θ = 2   (exact if: f and all its derivatives",
        ),
        (
            "model mixture --components 2 --true 1 --concentration 1/4",
            "λ = 5/8, θ = 1   (exact if: for every polynomial",
        ),
        ("model naive-bayes --features 2", "λ = 3/2, θ = 3   (exact if: all true probabilities"),
        ("model forest --leaves 3 --edges 1-4,2-4,3-4", "λ = 9/4, θ = 1   (exact)"),
        ("model rbm --visible 3 --hidden 2", "λ = 3/2, θ = 3   (exact)"),
        ("model factor-analysis --variables 3 --factors 2", "λ = 3, θ = 3   (exact)"),
        (
            "model factor-analysis --variables 4 --factors 2 --true-factors 1",
            "λ = 19/4, θ = 1   (exact if: the r true factors are generic)",
        ),
        ("model nmf --rows 2 --inner 2 --columns 2", "λ = 2, θ = 3   (exact)"),
        (
            "model lda --words 3 --topics 2 --documents 2",
            "λ = 3/2, θ = 1   (exact if: the truth is A*B*",
        ),
        ("model cp --dims 2,2,2 --terms 1", "λ = 1, θ = 3   (exact)"),
        (
            "model concept-bottleneck --inputs 3 --concepts 2 --outputs 1",
            "λ = 4, θ = 1   (exact if: the second moment",
        ),
    ],
)
def test_exact_answers(capsys: pytest.CaptureFixture[str], words: str, head: str) -> None:
    code, out, err = run(capsys, *words.split())
    assert (code, err) == (0, "")
    assert out.startswith(head)


@pytest.mark.slow
def test_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, *OPEN, "--timeout", "1")
    assert code == 3
    assert out.startswith("3 ≤ λ ≤ 4   (bounds")
    code, out, _ = run(capsys, *OPEN, "--timeout", "1", "--json")
    assert code == 3
    answer = json.loads(out)
    assert (answer["lower"], answer["upper"]) == ("3", "4")


def test_certificate(capsys: pytest.CaptureFixture[str], tmp_path) -> None:
    path = tmp_path / "proof.json"
    words = ["model", "naive-bayes", "--features", "3", "--certificate"]
    assert run(capsys, *words, str(path))[0] == 0
    assert run(capsys, "verify", str(path))[0] == 0


def test_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["model", "rbm", "--visible", "2", "--hidden", "1", "--check", "--json"]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert json.loads(out)["check"]["verdict"] == "agrees"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("model mixture --components 2 --true 3", "3 true components exceed 2"),
        ("model mixture --components 2", "--true"),
        ("model mixture --components 2 --true 1 --concentration x", "not a fraction"),
        ("model mixture --components two --true 1", "neither an integer"),
        ("model nothing", "invalid choice"),
        ("model forest --leaves 2 --edges 1-3,2-3,1-2", "cycle"),
        ("net tanh --inputs 1 --hidden 0 --outputs 1", "at least 1"),
        ("model rbm --visible 2 --hidden 1 --timeout 0", "positive number of seconds"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: str, message: str
) -> None:
    code, out, err = run(capsys, *words.split())
    assert (code, out) == (2, "")
    assert err.startswith("rlct: error: ")
    assert message in err
    assert err.count("\n") == 1
