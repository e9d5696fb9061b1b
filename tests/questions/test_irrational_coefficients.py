"""Coefficients in a number field: pairs do not change when a variable is scaled."""

import json
import pickle
import random

import numpy as np
import pytest

import rlct
from rlct.answers.document import problem_question
from rlct.answers.targets import target_of
from rlct.errors import CertificateError, InputError, NegativeError
from rlct.pair import Pair
from rlct.questions.problem import Problem

TEXTS = [
    ("poly", "(x**2-y**3)**2"),
    ("poly", "x**2*y**4 + x**6 + y**8"),
    ("poly", "((x-y)**2*(x+y)**2 + y**6)*(1+x)"),
    ("poly", "(x**2-y**3)**2 + z**2"),
    ("ideal", "x**2-y**2; x*z**2"),
    ("ideal", "x*y-z**2; y*z"),
    ("ideal", "(x+y+z)*(x-y)*(y-z)*(x+z)"),
    ("ideal", "x**2+y**2-z**2"),
]


@pytest.mark.parametrize(("kind", "text"), TEXTS)
@pytest.mark.parametrize("number", ["sqrt(2)", "root(t^3-2, 1..2)", "(1-sqrt(3)/2)"])
def test_a_scaled_variable_changes_no_pair(kind, text, number):
    def ask(texts):
        return rlct.poly(texts[0]) if kind == "poly" else rlct.ideal(texts)

    rational = ask(text.split(";"))
    answer = ask(text.replace("y", f"({number}*y)").split(";"))
    assert rational.pair is not None
    assert answer.pair == rational.pair
    assert rlct.verify(answer.certificate)


def test_the_root_that_is_meant_decides():
    positive, negative = "root(t^2-2, 1..2)", "root(t^2-2, -2..-1)"
    assert rlct.ideal([f"x**2+{positive}*y**2"]).pair == Pair.of("1/2", 1)
    answer = rlct.ideal([f"x**2+{negative}*y**2"])
    assert answer.pair == Pair.of("1/2", 2)
    with pytest.raises(NegativeError):
        rlct.poly(f"x**2+{negative}*y**2")
    forged = json.loads(json.dumps(dict(answer.certificate)))
    forged["question"]["field"]["interval"] = ["1", "2"]
    with pytest.raises(CertificateError):
        rlct.verify(forged)


def test_points_walls_and_priors_go_with_them():
    at = {"x": "sqrt(2)", "y": "sqrt(3)"}
    answer = rlct.poly("(sqrt(2)*x-2)**2 + (y-sqrt(3))**4", at=at)
    assert answer.pair == Pair.of("3/4", 1)
    assert rlct.verify(answer.certificate)
    assert rlct.poly("(x-sqrt(2)*y)**2", at=("sqrt(2)", 1)).pair == Pair.of("1/2", 1)
    assert rlct.poly("x/sqrt(2) + y**2", nonneg=["x"], prior="y").pair == Pair(2, 1)
    assert rlct.poly("(sqrt(2)*x - x*sqrt(8)/2 + x)**2").pair == Pair.of("1/2", 1)


@pytest.mark.parametrize("power", ["²", "**2", " ^2"])
def test_a_power_behind_a_root_belongs_to_the_root(power):
    # x/2 − x/2 + y² is no smooth generator; x·√2/4 − x/2 + y² would be.
    with pytest.raises(InputError, match="division by a variable"):
        rlct.ideal([f"x/sqrt(2){power} - x/2 + y**2"])
    with pytest.raises(InputError, match="division by a variable"):
        rlct.poly("(4*x-2)**2", at={"x": f"1/sqrt(2){power}"})


def test_a_division_by_a_root_may_end_a_text_and_be_multiplied():
    assert rlct.poly("y**2 + x**2/sqrt(2)").pair == Pair(1, 1)
    assert rlct.poly("x**2/sqrt(2)*y**2").pair == Pair.of("1/2", 2)
    assert rlct.poly("(2*x**2-1)**2", at={"x": "1/sqrt(2)"}).pair == Pair.of("1/2", 1)


def test_such_questions_are_sampled():
    target = target_of(Problem.poly("x**2-sqrt(2)*x*y+y**2"))
    assert target.divergence(np.array([[0.5, 0.5]]))[0] == pytest.approx(0.5 - 0.25 * 2**0.5)


def test_such_questions_are_portable():
    rng = random.Random(0)
    terms = [f"({rng.randint(1, 9)}+sqrt({rng.choice([2, 3])}))*x**{k}*y**2" for k in (2, 4)]
    problem = Problem.poly("+".join(terms))
    again = pickle.loads(pickle.dumps(problem))
    assert problem_question(again) == problem_question(problem)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("sqrt(x)*y", {}, "is not a polynomial"),
        ("sqrt(2)*x**2 + sqrt(-1)*y", {}, "is not a polynomial"),
        ("root(t^2-2)*x**2", {}, "is not of the form root"),
        ("sqrt(2)-sqrt(2)", {}, "K is a constant"),
        ("(sqrt(2)-sqrt(2))*x", {}, "K is the zero polynomial"),
        ("(sqrt(2)*ab)**2", {}, r"write '\(sqrt\(2\)\*a\*b\)"),
        ("sqrt(2)*x**2", {"at": {"u": 0}}, r"does not occur in K \(x\)"),
        ("sqrt(2)*x**2", {"nonneg": ["u"]}, r"does not occur in K \(x\)"),
        ("sqrt(2)*x**2", {"over": (-1, 1)}, "not over a box"),
        ("sqrt(2)*x**2", {"nonneg": ["1-x"]}, "leave one out"),
        ("x**2/sqrt(2)**3", {}, "division by a variable"),
    ],
)
def test_what_is_not_read(text, options, words):
    with pytest.raises(InputError, match=words):
        rlct.poly(text, **options)
