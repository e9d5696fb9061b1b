"""The command group, through argparse alone."""

from __future__ import annotations

import argparse
import json

import pytest

from rlct.cli.theorem import register
from rlct.errors import InputError


def run(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="rlct")
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
    assert all(hypothesis["truth"] == "true" for hypothesis in answer["hypotheses"])
    assert answer["sources"]


def test_eval_text_and_undecided(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("eval", "deep-linear", "widths=5,3,5", "rank=1") == 0
    assert capsys.readouterr().out.startswith("λ = 8, θ = 1  [exact; theorem deep-linear]\n")
    words = ("eval", "deep-linear", "widths=5,3,5", "rank=1", "interior=undecided")
    assert run(*words) == 3
    assert "undecided: the deepest parameter" in capsys.readouterr().out
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
