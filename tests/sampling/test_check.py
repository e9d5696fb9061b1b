"""Verdicts: truth agrees, near misses are refuted, doubt is said to be doubt."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rlct
from rlct.answers.check import _contradiction
from rlct.errors import InputError
from rlct.pair import Pair
from rlct.sampling.comparison import ThetaTrial
from rlct.sampling.estimate import Estimate
from rlct.sampling.ladders import check, quadrature
from rlct.sampling.ladders.check import check_target, estimate, near_miss
from rlct.sampling.ladders.joint_fit import theta_chances
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.ladders.priors import REJECTED_ODDS
from rlct.sampling.ladders.theta_trial import theta_trial
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget
from rlct.sampling.targets.target import Target


def squares(*generators) -> PolynomialTarget:
    return PolynomialTarget(generators, squared=True)


# Combination rules by hand; the cusp 5/12; Aoyagi (2005, 2024) for the networks.
PROBLEMS: dict[str, tuple[Target, Pair]] = {
    "x2y4": (squares({(1, 2): 1}), Pair.of("1/4")),
    "x2y2z2": (squares({(1, 1, 1): 1}), Pair.of("1/2", 3)),
    "cross": (squares({(2, 0): 1, (0, 2): -1}), Pair.of("1/2", 2)),
    "cusp": (squares({(2, 0): 1, (0, 3): -1}), Pair.of("5/12")),
    "sum": (squares({(1, 0, 0): 1}, {(0, 2, 0): 1}, {(0, 0, 3): 1}), Pair.of("11/12")),
    "cross and line": (
        squares({(2, 0, 0): 1, (0, 2, 0): -1}, {(0, 0, 1): 1}),
        Pair.of(1, 2),
    ),
    "four variables": (squares({(1, 1, 0, 0): 1, (0, 0, 1, 1): 1}), Pair.of("1/2")),
    "[2,2,2]": (LinearNetworkTarget([2, 2, 2], 0), Pair.of("3/2")),
    "[2,2,2] bias": (LinearNetworkTarget([2, 2, 2], 0, bias=True), Pair.of("5/2")),
    "[1,1,1,1]": (LinearNetworkTarget([1, 1, 1, 1], 0), Pair.of("1/2", 3)),
    "[2,1,2]": (LinearNetworkTarget([2, 1, 2], 0), Pair.of(1, 2)),
}


@pytest.fixture
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimate once with the same options: a seed gives the same answer, whatever is claimed."""
    kept: dict[str, Estimate] = {}

    def estimated(target: Target, *, progress: object = None, **options: Any) -> Estimate:
        key = repr(sorted(options.items()))
        if key not in kept:
            kept[key] = estimate(target, **options)
        return kept[key]

    monkeypatch.setattr(check, "estimate", estimated)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROBLEMS)
def test_truth_agrees_and_a_near_miss_is_refuted(name: str, once: None) -> None:
    """A doubtful run is repeated once, and refutes a truth with probability ≤ 1 %.

    The first run alone refutes beyond 3 critical values only.  Eleven cases: about 1 % in
    all that a truth is called in doubt twice.  The near miss is the control.
    """
    target, truth = PROBLEMS[name]
    found = check_target(target, truth, seed=2)
    assert found.verdict == "agrees", found.reason
    assert found.control.rejected
    assert abs(found.control.lam - float(truth.lam)) == pytest.approx(float(near_miss(truth.lam)))
    wrong = Pair(truth.lam + near_miss(truth.lam), truth.theta)
    assert check_target(target, wrong, seed=2).verdict == "refuted"


@pytest.mark.parametrize(
    ("powers", "theta"), [((2, 2), 2), ((4, 6), 1), ((2, 2, 2), 3), ((4, 4, 2), 2)]
)
def test_a_wrong_theta_is_refuted_by_simulation_alone(
    powers: tuple[int, ...], theta: int, once: None
) -> None:
    """At the right λ; what says nothing of θ still agrees."""
    target = PolynomialTarget([{powers: 1}], squared=False)
    lam = Fraction(1, max(powers))
    right = check_target(target, Pair(lam, theta))
    assert right.verdict == "agrees"
    assert right.theta_trial is not None
    assert right.theta_trial.planted
    assert not right.theta_trial.survivors
    for wrong_theta in right.theta_trial.planted:
        wrong = check_target(target, Pair(lam, wrong_theta))
        assert wrong.verdict == "refuted", wrong.reason
    assert check_target(
        target, Pair(lam, right.theta_trial.planted[0]), free_theta=True
    ).verdict == ("agrees")


def test_the_logarithm_alone_gives_theta_where_lam_is_known() -> None:
    """Exact slopes of x₁²⋯x_θ² with the noise of a ladder: θ is kept, its neighbours are not.

    Twelve ladders of each θ.  Were a right θ rejected in 1 %, two of 48 would have chance 8 %.
    """
    rng = np.random.default_rng(20_261_130)
    start = np.arange(0.0, 34.0, 0.5)
    false_alarms = planted = rejected = 0
    for theta in (1, 2, 3, 4):
        base = start + (theta + 2 / 3) / 0.5
        slopes = 0.5 - (theta - 1) * np.log((base + 0.5) / base) / 0.5
        for _ in range(12):
            noisy = slopes + 0.02 * rng.standard_normal((12, len(start)))
            ladder = Ladder(start, start + 0.5, noisy, 1.0, "free energy")
            chances = theta_chances(ladder, range(1, 7), 0.5, variables=6)
            least = REJECTED_ODDS * max(chances.values())
            false_alarms += chances[theta] < least
            planted += 2 - (theta == 1)
            rejected += sum(chances.get(t, 1.0) < least for t in (theta - 1, theta + 1))
    assert false_alarms <= 1
    assert rejected >= 0.9 * planted


def test_the_main_network_within_seconds() -> None:
    """[5,3,5] rank 1: λ = 8 agrees, 15 = d/2 and 31/4 are refuted; false alarm 1 %."""
    target = LinearNetworkTarget([5, 3, 5], 1)
    calls: list[tuple[float, str]] = []
    found = check_target(
        target, Pair.of(8), seed=1, progress=lambda done, text: calls.append((done, text))
    )
    assert found.verdict == "agrees", found.reason
    low, high = found.estimate.interval
    assert low < 8 < high
    assert high - low < 0.6
    assert found.estimate.ess is not None
    assert found.estimate.ess > 500
    assert len(calls) >= 10
    assert calls[-1][0] == pytest.approx(1.0)
    # The same run judges other claims: z is affine in the claim.
    assert abs(15 - found.estimate.lam) > 50 * found.estimate.error
    assert found.control.rejected


def test_regular_half_dimension_is_refuted_for_a_singular_model() -> None:
    found = check_target(LinearNetworkTarget([2, 2, 2], 0), Pair.of(4), seed=0)
    assert found.verdict == "refuted"
    assert found.z < -20


@pytest.mark.study
def test_too_few_draws_are_inconclusive_and_not_agreement() -> None:
    """Chains that barely move cannot confirm the truth."""
    target = PROBLEMS["x2y4"][0]
    found = check_target(target, Pair.of("1/4"), seed=0, method="sgld")
    assert found.verdict == "inconclusive"
    assert found.estimate.warnings


@pytest.mark.slow
def test_same_seed_same_answer_and_json() -> None:
    target, truth = PROBLEMS["[1,1,1,1]"]
    first, second = (check_target(target, truth, seed=5) for _ in range(2))
    assert first.estimate.lam == second.estimate.lam
    assert check_target(target, truth, seed=6).estimate.lam != first.estimate.lam
    answer = json.loads(json.dumps(first.to_dict()))
    assert answer["schema"] == "rlct/1"
    assert answer["kind"] == "estimate"
    assert answer["claim"] == {"lambda": "1/2", "theta": 3}
    assert answer["verdict"] == "agrees"
    keys = {"lambda", "interval", "level", "theta", "ess", "rhat", "seconds", "seed", "warnings"}
    assert keys <= set(answer)


@pytest.mark.study
def test_quadrature_settles_theta_in_two_variables() -> None:
    for name, theta in (("x2y4", 1), ("cross", 2), ("cusp", 1)):
        found = estimate(PROBLEMS[name][0], seed=0)
        assert found.method == "quadrature"
        assert found.theta_interval is not None
        assert found.theta_interval[0] <= theta <= found.theta_interval[1]
        low, high = found.interval
        assert low <= PROBLEMS[name][1].lam <= high
        assert high - low < 0.1


@pytest.mark.slow
def test_unresolved_quadrature_falls_back_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quadrature, "MOST_EVALUATIONS", quadrature.MOST_EVALUATIONS // 10)
    off = squares({(0, 6): 1, (0, 3): -Fraction(1, 20)}, {(4, 0): 1, (1, 0): -Fraction(1, 20)})
    found = estimate(off, seed=0, effort=0.25)
    assert found.method == "tempering"
    with pytest.raises(InputError, match="tempering"):
        estimate(off, seed=0, method="quadrature")


@pytest.mark.study
def test_what_quadrature_leaves_wide_is_tempered() -> None:
    """x¹⁰y⁸ has poles at 1/10 and 1/8: 19 % wide up to where quadrature ends."""
    target = squares({(5, 4): 1})
    wide = estimate(target, seed=0, method="quadrature")
    found = estimate(target, seed=0, effort=0.1)
    assert found.method == "tempering"
    assert found.remark.startswith("by quadrature [0.08")
    assert found.interval[1] - found.interval[0] < wide.interval[1] - wide.interval[0]
    assert found.interval[0] < 0.1 < found.interval[1]


@pytest.mark.slow
def test_ctrl_c_ends_a_check() -> None:
    """A ladder that is long enough for a fit is kept, and not run once more with more draws."""
    seen = []

    def stopping(fraction, text):
        seen.append(fraction)
        if fraction > 0.7:
            raise KeyboardInterrupt

    target = squares({(1, 0, 0, 0): 1}, {(0, 1, 0, 0): 1}, {(0, 0, 1, 1): 1})
    found = check_target(target, Pair(Fraction(3, 2), 2), seed=4, progress=stopping)
    assert found.verdict == "inconclusive"
    assert found.reason.startswith("diagnostics failed: interrupted")
    assert seen == sorted(seen)


@pytest.mark.slow
def test_quadrature_of_a_tiny_polynomial() -> None:
    """K < 10⁻¹¹ on the whole box: no tempered mean is asked for beyond the last nβ."""
    low, high = estimate(squares({(10, 9): 1}), seed=0, method="quadrature").interval
    assert low < 1 / 20 < high


@pytest.mark.slow
def test_llc_at_one_temperature() -> None:
    """K = |a|²|b|²/2 has (1, 2): at nβ = 1000 the tempered mean is well below λ = 1."""
    found = estimate_llc(LinearNetworkTarget([2, 1, 2], 0), n_beta=1000.0, seed=1)
    assert 0.5 < found.lam < 1.0
    data = RegressionTarget([2, 2], 1, samples=500, seed=0)
    again = estimate_llc(data, n_beta=80.0, method="sgld", lr=1e-3, batch_size=100, seed=0)
    assert again.method == "sgld"
    assert again.ess is not None
    for options, words in (
        ({"method": "gibbs"}, "unknown method"),
        ({"lr": 1.0}, "adapts its own"),
        ({"num_chains": 1}, "two chains"),
    ):
        with pytest.raises(InputError, match=words):
            estimate_llc(data, n_beta=10.0, **options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "nuts"}, "unknown method"),
        ({"level": 1.0}, "level"),
        ({"seed": -1}, "seed"),
        ({"seed": True}, "seed"),
        ({"theta": 0}, "θ"),
        ({"level": "0.9"}, "level must be a number"),
        ({"top": "1e20"}, "top must be a number"),
    ],
)
def test_bad_options_are_one_clear_line(options, words: str) -> None:
    with pytest.raises(InputError, match=words):
        estimate(PROBLEMS["x2y4"][0], **options)


@pytest.mark.study
@pytest.mark.usefixtures("few_draws")
def test_poles_close_to_the_first_refute_nothing() -> None:
    """At nβ = 10¹⁵ the pole at 1/8 outweighs that at 1/10: λ was refuted at z = −6."""
    target = PolynomialTarget([{(10, 8): 1}], squared=False)
    found = check_target(target, Pair(Fraction(1, 10), 1), method="tempering")
    assert (found.verdict, found.control.rejected) == ("agrees", True)
    assert found.estimate.ladder.stop[-1] > 90.0


@pytest.mark.parametrize(
    ("generator", "nonneg", "resolved"),
    [
        ({(4, 2): 1, (0, 4): 2}, None, True),
        ({(4, 2): 1, (0, 4): 2, (2, 2): -1}, None, False),
        ({(4, 1): 1, (0, 4): 2}, [False, True], True),
        ({(3, 2): 1}, None, True),
    ],
)
def test_sums_that_cannot_cancel_are_resolved(generator, nonneg, resolved: bool) -> None:
    target = PolynomialTarget([generator], squared=True, nonneg=nonneg)
    assert (target.resolution > 1e100) == resolved


def test_data_are_not_a_population() -> None:
    with pytest.raises(InputError, match="llc"):
        estimate(RegressionTarget([2, 2], 1, samples=5))


def test_quadrature_is_for_few_variables() -> None:
    with pytest.raises(InputError, match="three variables"):
        estimate(LinearNetworkTarget([1, 1], 0), method="quadrature")


@pytest.mark.study
def test_a_second_run_ends_where_rounding_hides_k() -> None:
    """The first ladder ended there, and its end in nβ is rounded."""
    target = squares({(5, 0): 1, (0, 11): 1})
    found = estimate(target, theta=1, method="tempering")
    rounded = replace(found.ladder, unit=target.resolution * 1.01, stop=np.zeros(1))
    again = replace(found, ladder=rounded)
    for theta_open in (False, True):
        assert check._longer(again, target, theta_open) == target.resolution


def test_no_theta_beyond_the_number_of_parameters():
    """It was taken for settled where the ladder was not fitted with it."""
    found = rlct.check(rlct.poly("x**2"), claim="1/2,2")
    assert found.verdict == "refuted"
    assert "at most 1, the number of parameters" in found.reason


@pytest.mark.study
@pytest.mark.usefixtures("few_draws")
def test_a_box_without_the_late_term_is_not_preferred():
    """x − y and y⁶ generate it, λ = 7/12; on a smaller box y⁶ does not show: 1/2."""
    question = rlct.ideal(["x - y", "(x - y)*(1 + 2*x + 5*y) + y**6"])
    found = rlct.llc(question, seed=0)
    assert found.interval[0] < 7 / 12 < found.interval[1]
    assert any("late term" in words for words in found.warnings)


@pytest.mark.parametrize(
    "question",
    [
        rlct.poly("x**2*(1 + 3*x)"),
        rlct.poly("x*y**2", nonneg=["x"], at={"x": "1/10", "y": "0"}),
    ],
)
def test_k_is_sampled_where_it_is_not_negative(question):
    assert rlct.check(question).verdict == "agrees"
    with pytest.raises(InputError, match=r"negative somewhere within 0\.5 of the point"):
        rlct.llc(question, n_beta=100)


@pytest.mark.study
def test_an_interval_wider_than_the_estimate_is_told():
    found = rlct.llc(rlct.poly("x**400"))
    assert found.warnings[-1].startswith("the interval is wider than λ̂")


@pytest.mark.study
@pytest.mark.usefixtures("few_draws")
def test_a_claim_beyond_proved_bounds_is_refuted() -> None:
    """Simulation alone agrees with 3/5 here, which is more than what is proved."""
    question = rlct.ideal(["(x**9 - 2*y**9)**2 + z**19", "u"])
    lower, upper = question.bounds
    assert lower is not None
    assert upper is not None
    assert lower.lam < upper.lam < Fraction(3, 5)
    found = rlct.check(question, claim="3/5", progress=False)
    assert found.verdict == "refuted"
    assert f"theory proves λ ≤ {upper.lam}" in found.reason


@pytest.mark.parametrize(
    ("pair", "free", "told"),
    [
        (Pair(1, 1), False, ""),
        (Pair(1, 3), False, "at least"),
        (Pair(1, 3), True, ""),
        (Pair(Fraction(1, 2), 1), True, "λ ≥ 1"),
        (Pair(2, 1), False, "at most"),
        (Pair(2, 1), True, ""),
        (Pair(3, 1), True, "λ ≤ 2"),
    ],
)
def test_what_bounds_exclude(pair: Pair, free: bool, told: str) -> None:
    """1 ≤ λ ≤ 2, with θ ≤ 2 at either end: pairs are ordered by λ, then by θ downwards."""
    found = _contradiction(pair, free, Pair(1, 2), Pair(2, 2))
    assert found.startswith(told) if told else not found
    assert _contradiction(pair, free, None, None) == ""


@pytest.mark.study
@pytest.mark.usefixtures("few_draws")
def test_a_smaller_box_has_no_zero_on_its_wall() -> None:
    """A zero at y = 1/20, as near as the coefficients allow: 0.58 ± 0.03 for 1/2."""
    question = rlct.poly("(y - 20*y**2)**2 + x**4*y**6")
    found = rlct.llc(question, seed=0, progress=False)
    assert found.interval[0] < 0.5 < found.interval[1]
    assert found.interval[1] < 0.51


@pytest.mark.slow
def test_the_range_that_a_check_leaves_is_that_of_z() -> None:
    question = rlct.poly("x**2*y**4")
    least, most = rlct.check(question, claim="1/4").allowed
    assert 0 < least < 0.25 < most
    for at, low, high in ((least, False, True), (most, True, False)):
        for factor, inside in ((1 - 1e-4, low), (1 + 1e-4, high)):
            claim = Fraction(at * factor).limit_denominator(10**8)
            found = rlct.check(question, claim=claim)  # theory refutes both
            assert (abs(found.z) <= found.critical) == inside


@pytest.mark.slow
def test_a_claim_outside_of_the_interval_does_not_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """λ = 0.483 for ∏ x_i², d = 3: not refuted with θ = 2, but outside what all θ together say.

    Control: 1/2.  No draws are needed: the estimate is that of a run.
    """
    target = squares({(1,) * 3: 1})
    found = estimate(target, seed=2)
    monkeypatch.setattr(check, "estimate", lambda *_, **__: found)
    low, _ = found.interval
    allowed = check_target(target, Pair(Fraction(1, 2), 3), free_theta=True)
    assert allowed.verdict == "agrees"
    assert allowed.allowed[0] < low
    between = Fraction((low + allowed.allowed[0]) / 2).limit_denominator(10**6)
    outside = check_target(target, Pair(between, 3), free_theta=True)
    assert (outside.verdict, "outside the interval" in outside.reason) == ("inconclusive", True)


def test_thetas_that_are_not_told_apart_are_named_with_the_ladder_that_would() -> None:
    """Expected slopes of x²y²z² to L = 12; to the nβ that is named θ = 3 is left alone."""
    target, claim = squares({(1, 1, 1): 1}), Pair(Fraction(1, 2), 3)
    rng = np.random.default_rng(7)

    def trial(length: float) -> ThetaTrial:
        start = np.arange(0.0, length, 0.5)
        base = start + (3 + 2 / 3) / 0.5
        slopes = 0.5 - 2 * np.log((base + 0.5) / base) / 0.5
        noisy = slopes + 0.02 * rng.standard_normal((12, len(start)))
        return theta_trial(target, Ladder(start, start + 0.5, noisy, 1.0, "free energy"), claim)

    short = trial(12.0)
    assert (short.refuted, short.survivors) == (False, (2,))
    assert short.deciding_n_beta is not None
    end = f"a ladder to nβ = {short.deciding_n_beta:.0e} would do it"
    assert short.words == f"; the draws do not distinguish θ = 3 and 2: {end}"
    assert trial(np.log(short.deciding_n_beta)).survivors == ()
