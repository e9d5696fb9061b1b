"""The command group, through argparse alone."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import rlct
from rlct.answers.confirm_theorem import evaluate_all, evaluate_case
from rlct.cli.parser import Parser
from rlct.cli.theorems.theorem import _MEANT_NAMES, register
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.evidence import BY_ENGINE, TheoremBounds


def run(*words: str) -> int:
    parser = Parser(prog="rlct")
    register(parser.add_subparsers())
    options = parser.parse_args(["theorem", *words])
    code: int = options.run(options)
    return code


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert "deep-linear" in capsys.readouterr().out
    assert run("list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["schema"] == "rlct/1"
    assert set(listed["theorems"][0]) == {"id", "title", "model", "kind", "sources"}


def test_list_of_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "Quadratic", "bias", "--json") == 0
    listed = json.loads(capsys.readouterr().out)["theorems"]
    assert {"quadratic-single", "quadratic-sphere"} <= {entry["id"] for entry in listed}
    assert all("quadratic" in f"{e['id']} {e['title']}".lower() for e in listed)
    with pytest.raises(InputError, match="no theorem matches 'no such model'"):
        run("list", "no such model")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("topic models", "latent-dirichlet-allocation"),
        ("mixtures of Gaussians", "gaussian-mixture"),
        ("toy", "landscape-plane"),
        ("hidden Markov models", "hidden-markov-bound"),
        ("the factor analysis model", "factor-analysis"),
        ("naive Bayes", "naive-bayes"),
    ],
)
def test_what_people_say_finds_what_they_mean(
    words: str, found: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("list", *words.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert found in {line.split()[0] for line in lines}
    assert len(lines) < 12


@pytest.mark.parametrize("word", sorted(_MEANT_NAMES))
def test_every_abbreviation_finds_something(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", word) == 0
    assert run("list", _MEANT_NAMES[word]) == 0
    found = capsys.readouterr().out.splitlines()
    assert found[: len(found) // 2] == found[len(found) // 2 :]


def test_eval_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eval", "deep-linear", "widths=5,3,5", "rank=1", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    expected = {
        "schema": "rlct/1",
        "status": "exact",
        "lambda": "8",
        "theta": 1,
        "lower": "8",
        "upper": "8",
        "method": "theorem deep-linear",
    }
    assert {key: answer[key] for key in expected} == expected
    truths = [hypothesis["truth"] for hypothesis in answer["hypotheses"]]
    assert truths == ["true", "true", "given", "given"]
    assert answer["sources"]


def test_eval_text_and_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eval", "deep-linear", "widths=5,3,5", "rank=1") == 0
    assert capsys.readouterr().out.startswith("λ = 8, θ = 1  [exact if: the inputs have")
    words = ("eval", "deep-linear", "widths=5,3,5", "rank=1", "interior=undecided")
    assert run(*words) == 3
    out = capsys.readouterr().out
    assert "open: the deepest parameter" in out
    assert "if it is true, λ = 8, θ = 1" in out
    assert run(*words, "--json") == 3
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["lambda"], answer["upper"]) == ("bounds", None, None)


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "monomial-ideal") == 0
    text = capsys.readouterr().out
    assert "the formula says λ = 1, θ = 1, the truth is λ = 1/2, θ = 1" in text
    assert run("show", "monomial-ideal", "--json") == 0
    details = json.loads(capsys.readouterr().out)
    assert len(details["instances"]) >= 3
    assert details["counterexamples"]


def test_bad_input_is_an_input_error() -> None:
    with pytest.raises(InputError, match="no theorem"):
        run("eval", "nothing")
    with pytest.raises(InputError, match="rank 3, smallest width 2"):
        run("eval", "deep-linear", "widths=5,2,5", "rank=3")


def test_check(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("check", "normal-crossing", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["way"] for row in found["rows"]} == {"formula", "engine", "simulation"}
    assert all(row["verdict"] == "confirmed" for row in found["rows"])
    theorem = get_theorem("normal-crossing")
    wrong = replace(theorem.instances[0], pair=Pair.of("1/2", 1), confirmed=(BY_ENGINE,))
    fake = replace(theorem, instances=(wrong,))
    monkeypatch.setattr("rlct.cli.theorems.theorem_check.get_theorem", lambda name: fake)
    assert run("check", "normal-crossing") == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line[:23] for line in lines if line.startswith("refuted")] == [
        "refuted      formula   ",
        "refuted      engine    ",
    ]


@pytest.mark.slow
def test_check_all(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    few = [get_theorem("regular"), get_theorem("product-rule")]
    monkeypatch.setattr("rlct.cli.theorems.theorem_check.all_theorems", lambda: few)
    assert run("check", "--all", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["id"] for entry in found["theorems"]] == ["regular", "product-rule"]
    assert found["processor_seconds"] > 0
    assert run("check", "--all", "--jobs", "1") == 0
    assert capsys.readouterr().out.splitlines()[-2].startswith("2 theorems: ")
    for words in (("check",), ("check", "regular", "--all"), ("check", "--all", "--jobs", "0")):
        with pytest.raises(InputError, match=r"check takes|--jobs"):
            run(*words)


def test_a_formula_is_compared_with_what_is_known() -> None:
    theorem = get_theorem("normal-crossing")
    assert {row["verdict"] for row in evaluate_all(theorem)} == {"confirmed"}
    wrong = replace(theorem.instances[0], pair=Pair.of("1/3", 1))
    assert evaluate_case(theorem, wrong).verdict == "refuted"
    example = theorem.counterexamples[0]
    harmless = replace(example, truth=theorem.formula(**example.arguments))
    assert evaluate_case(theorem, harmless).verdict == "refuted"
    applies = replace(example, arguments=theorem.instances[0].arguments)
    assert evaluate_case(theorem, applies).verdict == "refuted"
    bound = get_theorem("nmf-bound")
    assert {row["verdict"] for row in evaluate_all(bound)} == {"confirmed"}
    below = replace(bound.instances[0], pair=Pair.of(100))
    assert evaluate_case(bound, below).verdict == "refuted"


def test_bounds(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = TheoremBounds("only one side", upper=Pair.of(8))
    theorem = replace(get_theorem("deep-linear"), kind="bound", value=lambda arguments: bounds)
    monkeypatch.setattr("rlct.cli.theorems.theorem.get_theorem", lambda name: theorem)
    monkeypatch.setattr("rlct.answers.exact.get_theorem", lambda name: theorem)
    words = ("eval", "deep-linear", "widths=5,3,5", "rank=1")
    assert run(*words) == 3
    assert capsys.readouterr().out.startswith("0 ≤ λ ≤ 8 (only one side)  [bounds if: the in")
    assert run(*words, "--json") == 3
    answer = json.loads(capsys.readouterr().out)
    assert (answer["status"], answer["lower"], answer["upper"]) == ("bounds", "0", "8")
    assert answer["rule"] == "only one side"
    result = rlct.theorem("deep-linear", widths=[5, 3, 5], rank=1)
    assert str(result).startswith("0 ≤ λ ≤ 8 (bounds if: the inputs have second moments")
    assert (result.status, result.lower, result.upper, result.pair) == ("bounds", 0, 8, None)
    assert result.to_dict()["lower"] == "0"
    # What is still proved when a hypothesis is open.
    open_ = replace(get_theorem("deep-linear"), fallback=lambda arguments: bounds)
    monkeypatch.setattr("rlct.cli.theorems.theorem.get_theorem", lambda name: open_)
    assert run(*words, "second_moment=undecided") == 3
    assert "0 ≤ λ ≤ 8 (only one side)" in capsys.readouterr().out
