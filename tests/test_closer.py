"""`rlct.llc` of a polynomial is about its point, not about a worse zero in the box."""

import pytest

import rlct
from rlct.sampling import run
from rlct.targets import target_of

LANDSCAPE = "x**2*(x - 1/4)**4"


@pytest.mark.parametrize(
    ("question", "worse"),
    [
        (rlct.poly(LANDSCAPE), True),
        (rlct.poly(LANDSCAPE, at={"x": "1/4"}), False),
        (rlct.poly("x**2*(x - 1/40)**4"), True),  # nearer than a quarter of the box
        (rlct.ideal(["x*(y**2 + (x - 1/4)**2)**2"]), True),
        (rlct.ideal(["x*(1 - 4*x)**2", "y"]), True),
        (rlct.ideal(["x*y - z*w"]), False),
    ],
    ids=str,
)
def test_the_answer_is_that_of_the_point(question, worse):
    lam = question.pair.lam
    found = rlct.llc(question, seed=3)
    assert found.interval[0] <= lam <= found.interval[1]
    assert any("has a smaller λ" in words for words in found.warnings) == worse
    if worse:  # the usual box alone would have misled
        assert run.estimate(target_of(question), seed=3).interval[1] < lam


def test_an_interrupted_comparison_keeps_the_estimate(monkeypatch):
    whole = run.estimate(target_of(rlct.poly(LANDSCAPE)))
    calls = []

    def stopped(target, **options):
        calls.append(target)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return whole

    monkeypatch.setattr(run, "estimate", stopped)
    found = rlct.llc(rlct.poly(LANDSCAPE))
    assert found.lam == whole.lam
    assert found.interrupted


def test_no_end_of_an_interval_is_negative():
    found = rlct.llc(rlct.poly("x**100"))
    assert found.interval[0] == 0
    assert found.interval[1] > 1 / 100
