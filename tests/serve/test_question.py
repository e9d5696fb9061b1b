"""A question as an address and as a command, without a server."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import pytest

from rlct.errors import InputError
from rlct.serve.answer import parts
from rlct.serve.forms import MAIN_FORMS, all_forms
from rlct.serve.question import LONGEST_ADDRESS, PageQuestion, read_address, visible_text


def example(form, values):
    return pytest.param(form.id, values, id=f"{form.id} {next(iter(values.values()))[:20]}")


EXAMPLES = [example(form, values) for form in all_forms().values() for _, values in form.examples]
HOSTILE = {
    "K": "-x^2",
    "at": "x=-1",
    "prior": "x;rm y",
    "nonneg": "$(id)",
    "over": "x='0:1'",
}


def question(kind, **values):
    return read_address(urlencode({"kind": kind, **values}))


def test_the_first_page_asks_nothing():
    assert not read_address("").asked
    assert read_address("").form.id == "poly"
    assert not read_address("kind=linear").asked
    assert not read_address("kind=linear&widths=+&rank=").asked


@pytest.mark.parametrize(("kind", "values"), EXAMPLES)
def test_an_address_says_what_was_asked(kind, values):
    asked = question(kind, **values)
    assert asked.values == values
    assert read_address(asked.query) == asked


def test_one_question_has_one_address():
    one = read_address("kind=linear&rank=1&widths=5+3+5&input_rank=")
    assert one.query == read_address("widths=5%203%205&kind=linear&rank=1").query


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("kind=cubic", "no kind of question 'cubic'"),
        ("kind=poly&K=x^2&K=y^2", "gives 'K' twice"),
        ("kind=poly&file=/etc/passwd", "polynomial: there is no field 'file'"),
        ("kind=linear&bias=maybe", "bias can only be on"),
        ("K=%ff%fe", "cannot be read"),
        ("K=%ED%A0%80", "cannot be read"),
        ("&".join(f"a{k}=1" for k in range(100)), "cannot be read"),
        ("K=" + "x" * LONGEST_ADDRESS, f"the limit is {LONGEST_ADDRESS}"),
    ],
)
def test_what_is_no_question(query, message):
    with pytest.raises(InputError, match=r"^[^\n]+$") as error:
        read_address(query)
    assert message in str(error.value)


def test_a_title_says_what_is_asked():
    assert question("poly", K="x^2*y^2", at="x=1").title == "x^2*y^2"
    assert question("linear", widths="5 3 5", rank="1").title == "5 3 5"
    assert question("hidden-markov", states="2", symbols="3").title.endswith("model 2 3")


def test_what_would_change_how_text_is_read_is_shown():
    assert visible_text("x\u202ey\x00z\r\na\tλ") == "x\\u202ey\\u0000z\na\tλ"


def answer(asked):
    return dict(parts(asked, 40.0))  # pictures have a share of it, also beside other load


def typed(command, folder):
    """Type a command into a shell."""
    shim = folder / "rlct"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -m rlct "$@"\n')
    shim.chmod(0o755)
    root = Path(__file__).parents[2]
    environment = os.environ | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(root),
    }
    return subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("poly", {"K": "(x^2 - y^3)^2", "prior": "x*y", "nonneg": "y"}),
        ("poly", {"K": "-x^2*(x-3)", "over": "x=-1:1"}),
        ("ideal", {"generators": "x*y\n-y*z + x*y\n", "at": "z=1/2"}),
        ("linear", {"widths": "5, 3 5", "rank": "1", "bias": "on"}),
        ("quadratic", {"units": "4", "data": "modular:5", "centred": "on"}),
        ("quadratic", {"weights": '{"hidden": [[1, 0],\n [0, 0]], "outer": [[1, 0], [1, 0]]}'}),
        (
            "relu",
            {
                "weights": '{"hidden": [[1], [1]], "bias": [0, 0], "outer": [["1/2", "1/2"]]}',
                "data": "[[-1], [1], [2]]",
            },
        ),
        ("mixture", {"components": "4", "true": "1", "concentration": "1/2"}),
        ("deep-relu", {"widths": "2,4,1", "true_widths": "2,1,1"}),
    ],
)
def test_the_command_answers_the_same(kind, values, tmp_path):
    asked = question(kind, **values)
    words = " ".join(["rlct", *asked.form.words])
    done = typed(asked.command().replace(words, f"{words} --json"), tmp_path)
    found = answer(asked)["answer"]["document"]
    printed = json.loads(done.stdout)
    keys = ("lambda", "theta", "lower", "upper", "status", "method", "where", "notes")
    assert {k: found[k] for k in keys} == {k: printed[k] for k in keys}


def test_a_command_runs_nothing_but_rlct(tmp_path):
    values = HOSTILE | {"K": "-x^2'; touch stolen; echo '$(touch stolen)`touch stolen`"}
    done = typed(PageQuestion(all_forms()["poly"], values).command(), tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("rlct: error: ")
    assert done.stderr.count("\n") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["rlct"]


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        ("linear", {"rank": "1"}, "Widths is missing"),
        ("linear", {"widths": "5 3 5"}, "Rank of the true map is missing"),
        ("linear", {"widths": "5 3 x", "rank": "1"}, "must be an integer, not 'x'"),
        ("linear", {"widths": "5 3", "rank": "9" * 30}, "must be an integer"),
        ("poly", {"at": "x=1"}, "K is missing"),
        ("poly", {"K": "x^2", "at": "1,y=0"}, "not of the form x=0,y=1"),
        ("poly", {"K": "-"}, "ends too early"),
        ("ideal", {"generators": "x\nsin(y)"}, "is not a polynomial"),
        ("relu", {"weights": "/etc/passwd", "data": "[[1]]"}, "not JSON"),
        ("quadratic", {"units": "3", "data": "/etc/passwd"}, "not JSON"),
        ("mixture", {"components": "4"}, "True is missing"),
    ],
)
def test_errors_are_one_line(kind, values, message):
    with pytest.raises(InputError, match=r"^[^\n]+$") as error:
        answer(question(kind, **values))
    assert message in str(error.value)


def test_pictures_come_with_words():
    found = answer(question("poly", K="(x^2 - y^3)^2"))
    assert list(found) == ["answer", "volume", "certificate", "argument", "polygon", "tree"]
    assert "vertices (0, 3), (2, 0)" in found["polygon"]["alt"]
    assert "t = 6/5" in found["polygon"]["alt"]
    assert "<article" in found["argument"]["html"]
    for name in ("polygon", "tree"):
        assert found[name]["svg"].startswith("<?xml")
        assert "5/12" in found[name]["text"]


def test_what_cannot_be_drawn_is_said():
    found = answer(question("ideal", generators="\n".join("abcd")))
    assert "2 or 3 variables" in found["polygon"]["reason"]
    assert "svg" in found["tree"]
    found = answer(question("poly", K="((x^2-2)^2-y^3)^2", at="x=sqrt(2)"))
    assert "rational coordinates" in found["polygon"]["reason"]
    assert "rational coordinates" in found["tree"]["reason"]


@pytest.mark.slow
def test_parts_that_take_too_long_are_left_out(monkeypatch):
    from rlct.serve import answer as module

    def spin(*_):
        while True:
            pass

    monkeypatch.setattr(module, "_PART_SHARE", 0.05)
    for name in ("verify", "_polygon", "_tree"):
        monkeypatch.setattr(module, name, spin)
    found = answer(question("poly", K="(x^2 - y^3)^2"))
    assert found["answer"]["lambda"] == "5/12"
    assert found["certificate"]["state"] == "not verified: the page leaves it too little time"
    assert json.loads(found["certificate"]["text"])["schema"] == "rlct/1"
    for name in ("polygon", "tree"):
        assert found[name] == {"reason": "the page leaves it too little time", "late": True}


@pytest.mark.slow
def test_a_busy_machine_takes_no_time_of_a_part(monkeypatch):
    """Sleep stands for the other programs, which have the processor."""
    from rlct.serve import answer as module

    def late(*_):
        time.sleep(0.5)
        return {"text": "drawn"}

    monkeypatch.setattr(module, "_PART_SHARE", 0.01)
    monkeypatch.setattr(module, "_tree", late)
    assert answer(question("poly", K="(x^2 - y^3)^2"))["tree"] == {"text": "drawn"}


def test_every_model_has_a_form():
    assert tuple(all_forms())[: len(MAIN_FORMS)] == MAIN_FORMS
    assert {"mixture", "tanh", "naive-bayes"} < set(all_forms())
    for form in all_forms().values():
        assert form.examples
        assert not any(PageQuestion(form, values).missing() for _, values in form.examples)


@pytest.mark.parametrize("kind", ["power", "deep-relu", "markov"])
def test_examples_of_models_are_answered(kind):
    """One with sizes in order, with widths, and with options."""
    ((words, values),) = all_forms()[kind].examples
    asked = question(kind, **values)
    assert "answer" in answer(asked)
    assert set(words.replace("--", " ").split()) & set(values.values()) or "," in str(values)
