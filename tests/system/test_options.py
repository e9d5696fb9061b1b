"""Wrong types in Python, and mistakes in a point: one line that says what is wrong."""

import runpy
import shutil
from pathlib import Path

import pytest

import rlct
from rlct.errors import InputError
from rlct.sampling.targets.regression import RegressionTarget

BOX = {"x": (-1, 1)}
PLANE = rlct.Problem.poly("x**2*y**4")
DATA = RegressionTarget([4, 2, 4], 1, samples=400)
CLAIMS = [-1, float("nan"), float("inf"), True, [1, 2], b"1", 10**400]
ESTIMATE = rlct.llc(PLANE, n_beta=100.0, num_draws=20)
WRONG = [
    (lambda: rlct.poly("x**2", at=3), "at = 3"),
    (lambda: rlct.poly("x**2", at=[("x", 0)]), "mapping"),
    (lambda: rlct.poly("x**2", nonneg=3), "nonneg = 3"),
    (lambda: rlct.poly("x**2", prior=3), "prior = 3"),
    (lambda: rlct.poly("x**2", timeout="a"), "timeout = 'a'"),
    (lambda: rlct.poly("x**2", timeout=-1), "timeout = -1"),
    (lambda: rlct.poly("x**2", timeout=float("nan")), "timeout = nan"),
    (lambda: rlct.poly("x**2", timeout=True), "timeout = True"),
    (lambda: rlct.poly("x**2", over=3), "over = 3"),
    (lambda: rlct.poly("x**2", over={"x": 3}), "interval of x = 3"),
    (lambda: rlct.poly("x**2", over={"x": (1, 2, 3)}), "two numbers"),
    (lambda: rlct.poly("x**2", over=BOX, timeout="a"), "timeout = 'a'"),
    (lambda: rlct.poly("x**2", over=BOX, nonneg=3), "nonneg = 3"),
    (lambda: rlct.poly("x**2", over=BOX, prior="x**(-1)"), "must be > -1"),
    (lambda: rlct.ideal(None), "generators = None"),
    (lambda: rlct.ideal(3), "generators = 3"),
    (lambda: rlct.blow_up(3), "generators = 3"),
    (lambda: rlct.linear(3, rank=1), "widths = 3"),
    (lambda: rlct.linear([2, 2], rank=1, timeout="a"), "timeout"),
    (lambda: rlct.theorem(3), "no theorem '3'"),
    (lambda: rlct.model(3), "no model '3'"),
    (lambda: rlct.verify(3), "int is not a certificate"),
    (lambda: rlct.verify(None), "NoneType is not a certificate"),
    (lambda: rlct.solve(3), "int is no question"),
    (lambda: rlct.solve(PLANE, progress=3), "progress = 3"),
    (lambda: rlct.compare(3), "questions = 3"),
    (lambda: rlct.compare([3]), "int is no question"),
    (lambda: rlct.compare([PLANE], progress=3), "progress = 3"),
    (lambda: rlct.llc(PLANE, progress=3), "progress = 3"),
    (lambda: rlct.llc(PLANE, method=[3]), "method = [3]"),
    (lambda: rlct.llc(PLANE, n_beta=100, checkpoint=3), "checkpoint = 3"),
    (lambda: rlct.llc(PLANE, n_beta=100, target=3), "no option target"),
    (lambda: rlct.llc(PLANE, n_beta=100, nbeta=100), "n_beta and nbeta are two names of one"),
    (lambda: rlct.llc(PLANE, n_beta=100, lr=[3]), "lr must be a number"),
    (lambda: rlct.llc(PLANE, n_beta=10**400), "n_beta must be positive and finite"),
    (lambda: rlct.llc(PLANE, n_beta=100, level=10**400), "level must lie between"),
    (lambda: rlct.llc(PLANE, n_beta=100, num_draws=10**400), "num_draws must be at most 1e+12"),
    (lambda: rlct.check(PLANE, progress=3), "progress = 3"),
    (lambda: rlct.check(PLANE, method=[3]), "method = [3]"),
    *[
        (lambda claim=claim: rlct.check(PLANE, claim=claim), "is not λ or λ,θ")
        for claim in [*CLAIMS, (1, 2, 3), (1, 2.0), (1, 0), (-1, 1), ("x", 1)]
    ],
    (lambda: rlct.calibrate(DATA, progress=3), "progress = 3"),
    (lambda: rlct.calibrate(DATA, seed="a"), "seed must be"),
    (lambda: rlct.calibrate(DATA, n_beta="a"), "n_beta must be positive"),
    (lambda: rlct.calibrate(DATA, n_beta=0), "n_beta must be positive"),
    (lambda: rlct.calibrate(DATA, localization=-1), "localization must be zero or positive"),
    (lambda: rlct.error_budget(3, ESTIMATE), "int is no question"),
    (lambda: rlct.error_budget(PLANE, 3), "estimate = 3"),
    (lambda: rlct.error_budget(PLANE, ESTIMATE, progress=3), "progress = 3"),
    (lambda: rlct.error_budget(PLANE, ESTIMATE, lam="abc"), "lam 'abc' is not λ"),
]


@pytest.mark.parametrize(("call", "words"), WRONG)
def test_other_types_are_input_errors(call, words):
    with pytest.raises(InputError) as error:
        call()
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("value", ["2**(1/3)", "sqrt(sqrt(2))", "cbrt(2)", "2**x", "sin(1)"])
def test_roots_that_are_not_read_name_the_form_that_is(value):
    with pytest.raises(InputError) as error:
        rlct.poly("x**2-2", at={"x": value})
    message = str(error.value)
    assert message.startswith("x")
    assert "polynomial" not in message
    if "x" not in value:
        assert "root(t^3-2, 1..2)" in message


def test_the_oracle_says_that_its_program_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    path = Path(__file__).parents[2] / "validation" / "oracles" / "macaulay.py"
    assert runpy.run_path(str(path))["main"]() == 2
    assert capsys.readouterr().err == "Macaulay2 is not installed: there is no command M2\n"
