"""Sums of products have poles of high order: θ is tried up to the number of parameters."""

import numpy as np
import pytest

import rlct
from rlct.answers.targets import target_of
from rlct.sampling.ladders import attempts, priors
from rlct.sampling.ladders.attempts import LadderAttempts, fit_target
from rlct.sampling.ladders.joint_fit import fit
from rlct.sampling.ladders.tempering import tempering_ladder


@pytest.fixture(scope="module")
def five():
    """Target, and a ladder; λ = 5/2 and θ = 5 · 2 + 1, products of three factors in their own."""
    exact = rlct.poly("+".join(f"(a{i}*b{i}*c{i})**2" for i in range(5)))
    assert (exact.lam, exact.theta) == (5 / 2, 11)
    target = target_of(exact)
    return target, tempering_ladder(target, rng=np.random.default_rng(1))


@pytest.mark.study
def test_the_interval_allows_for_a_pole_of_high_order(five) -> None:
    """It held λ with each of six seeds; with θ up to 8, the control, with none."""
    target, ladder = five
    found = fit_target(target, ladder)
    low, high = found.interval(0.95)
    assert low <= 2.5 <= high
    assert max(found.thetas) == target.dimension
    assert found.thetas[11] > 0.02
    _, high = fit(ladder, range(1, 9)).interval(0.95)
    assert high < 2.5


@pytest.mark.study
def test_lambda_is_right_where_theta_is_known(five) -> None:
    target, ladder = five
    assert fit_target(target, ladder, theta=11).lam == pytest.approx(2.5, rel=0.03)


@pytest.mark.parametrize(("most", "told"), [(6, True), (15, False)])
def test_orders_that_were_not_tried_are_told_of(five, monkeypatch, most, told) -> None:
    target, ladder = five
    monkeypatch.setattr(priors, "MOST_THETAS", most)
    monkeypatch.setattr(LadderAttempts, "_run", lambda *_: ladder)
    made = LadderAttempts(target, 1, 0.95, None, 1.0, None, None, None).attempt("tempering")
    assert (attempts.UNTRIED_THETAS in made.answer.warnings) == told
