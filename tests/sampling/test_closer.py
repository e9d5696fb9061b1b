"""`rlct.llc` of a polynomial is about its point, not about a worse zero in the box."""

from dataclasses import replace

import pytest

import rlct
from rlct.answers.targets import target_of
from rlct.sampling.ladders import run

LANDSCAPE = "x**2*(x - 1/4)**4"


@pytest.mark.study
@pytest.mark.parametrize(
    ("question", "worse"),
    [
        (rlct.poly(LANDSCAPE), True),
        (rlct.poly(LANDSCAPE, at={"x": "1/4"}), False),
        (rlct.poly("x**2*(x - 1/8)**4"), True),
        (rlct.ideal(["x*(y**2 + (x - 1/4)**2)**2"]), True),
        (rlct.ideal(["x*(1 - 4*x)**2", "y"]), True),
        (rlct.ideal(["x*y - z*w"]), False),
    ],
    ids=str,
)
@pytest.mark.usefixtures("few_draws")
def test_the_answer_is_that_of_the_point(question, worse, monkeypatch):
    boxes = []

    def kept(target, **options):
        boxes.append((target.radius, estimate(target, **options)))
        return boxes[-1][1]

    estimate = run.estimate
    monkeypatch.setattr(run, "estimate", kept)
    lam = question.pair.lam
    found = rlct.llc(question, seed=3)
    assert found.interval[0] <= lam <= found.interval[1]
    assert any("has a smaller λ" in words for words in found.warnings) == worse
    if worse:  # the usual box alone would have misled
        radius, usual = boxes[0]
        assert radius == target_of(question).radius
        assert usual.interval[1] < lam


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("text", ["x**2*y**4", LANDSCAPE])
@pytest.mark.usefixtures("few_draws")
def test_quadrature_keeps_no_checkpoint_and_says_so(text, tmp_path):
    """Once, also where a smaller box is answered."""
    question, path = rlct.poly(text), tmp_path / "run.npz"
    found = rlct.llc(question, checkpoint=path)
    told = [words for words in found.warnings if "has no checkpoint" in words]
    assert [words.split()[0] for words in told] == ["quadrature"]
    assert not path.exists()
    assert found.lam == pytest.approx(rlct.llc(question).lam, rel=0.05)
    tempered = rlct.llc(question, checkpoint=path, method="tempering")
    assert not any("has no checkpoint" in words for words in tempered.warnings)


@pytest.mark.slow
def test_no_end_of_an_interval_is_negative():
    found = rlct.llc(rlct.poly("x**400"), method="quadrature")
    assert found.interval[0] == 0
    assert found.interval[1] > 1 / 400


@pytest.mark.slow
def test_a_zero_nearer_than_the_first_comparison_shows():
    """1/30 is in a quarter of the usual box, too: half of the box where x dominates is answered."""
    found = rlct.llc(rlct.poly("x**2*(x - 1/30)**4"))
    assert found.lam == pytest.approx(0.5, rel=0.01)
    assert "near 0.25: this is the estimate within 0.001" in found.warnings[0]
    unseen = rlct.llc(rlct.poly("x**2*(x - 1/10**7)**2"))
    assert "one may be closer still" in unseen.warnings[0]


def test_smaller_boxes_refute_nothing_where_the_estimate_falls(monkeypatch):
    """Four tanh units: chains were slow in the usual box, 10¹⁵ too small an nβ in a tiny one."""
    question = rlct.poly("x**2*y**4")
    whole = rlct.check(question)

    def scripted(answers):
        left = iter(answers)

        def check(target, pair, **options):
            lam, verdict = next(left)
            z = (lam - float(pair.lam)) / 0.01
            return replace(whole, estimate=replace(whole.estimate, lam=lam), z=z, verdict=verdict)

        monkeypatch.setattr("rlct.sampling.ladders.check.check_target", check)
        return rlct.check(question)

    slow = (0.24, "inconclusive")
    falling = [(0.2, "refuted"), (0.15, "refuted"), (0.1, "refuted")]
    assert scripted([slow, *falling]).estimate.lam == 0.24
    assert scripted([slow, *falling]).verdict == "inconclusive"
    near = [(0.1, "refuted"), (0.099, "refuted"), (0.25, "agrees")]
    assert scripted(near).verdict == "agrees"
    wrong = [(0.1, "refuted"), (0.11, "refuted"), (0.1, "refuted"), (0.1, "refuted")]
    assert scripted(wrong).verdict == "refuted"
