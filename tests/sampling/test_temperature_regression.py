"""The regressions of the field: what they are worth where the truth is known exactly."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from rlct.errors import InputError
from rlct.sampling.ladders.quadrature import density_of_states
from rlct.sampling.markov_chains.chains import Chains
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from validation.framework.temperature_regression import intercept_in_log, slope_in_temperature


def chains(n_beta, means, error, seed=0, count=20) -> Chains:
    """Chains whose means scatter, so that theirs has a given standard error, around exact ones."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((len(n_beta), count))
    noise *= np.sqrt(count) * np.broadcast_to(error, len(n_beta))[:, None]
    draws = np.repeat((np.asarray(means)[:, None] + noise)[:, :, None], 3, axis=2)
    blank = np.zeros(draws.shape[:2])
    return Chains(np.asarray(n_beta), draws, blank, blank, blank[..., None], np.zeros(draws.shape))


def test_a_regular_model_is_right_and_its_error_covers() -> None:
    """λ = 3/2 from 200 noisy ladders: z has unit variance (χ², 1e-4); λ = 1.55 has not."""
    grid = np.geomspace(50, 500, 6)
    found = [slope_in_temperature(chains(grid, np.full(6, 1.5), 0.02, s)) for s in range(200)]
    z = np.array([(f.lam - 1.5) / f.error for f in found])
    assert 0.62 < z.var() < 1.5  # with estimated errors of 19 degrees of freedom
    assert np.mean([(f.lam - 1.55) ** 2 / f.error**2 for f in found]) > 1.5


@pytest.mark.study
@pytest.mark.parametrize("regression", [slope_in_temperature, intercept_in_log])
@pytest.mark.parametrize("rising", [1.0, 4.0])  # variance of the last rung over the first
@pytest.mark.parametrize("count", [2, 3, 8])
def test_few_chains_have_honest_intervals(regression, rising: float, count: int) -> None:
    """500 straight ladders: intervals hold 95 % and 5 % of p are below 0.05, but for 2 points.

    Binomial tests, 1e-3 each.  The weights of least squares with errors taken as known fail.
    """
    grid = np.geomspace(1e4, 1e6, 6)
    error = 0.02 * np.sqrt(np.geomspace(1.0, rising, 6))
    ladders = [chains(grid, np.full(6, 1.5), error, s, count) for s in range(500)]
    found = [regression(ladder) for ladder in ladders]
    held = sum(low < 1.5 < high for low, high in (f.interval() for f in found))
    assert binom.ppf(0.5e-3, 500, 0.93) <= held <= binom.isf(0.5e-3, 500, 0.97)
    small = sum(f.p_value < 0.05 for f in found)
    assert binom.ppf(0.5e-3, 500, 0.03) <= small <= binom.isf(0.5e-3, 500, 0.07)
    if count < 8:
        x = grid / 1e6 if regression is slope_in_temperature else 1 / np.log(grid)
        held = 0
        for ladder in ladders:
            means = ladder.draws[:, :, 0]
            known = np.sqrt(count) / means.std(axis=1, ddof=1)
            line, covariance = np.polyfit(x, means.mean(axis=1), 1, w=known, cov="unscaled")
            held += abs(line[1] - 1.5) < 1.96 * np.sqrt(covariance[1, 1])
        assert held < binom.ppf(0.5e-3, 500, 0.8)


@pytest.mark.study
@pytest.mark.parametrize("regression", [slope_in_temperature, intercept_in_log])
def test_few_chains_of_a_sampler(regression) -> None:
    """K = |w|²/2 in two dimensions, λ = 1, 500 ladders of two chains: as above, 1e-3 each."""
    target, grid = LinearNetworkTarget([2, 1], rank=0), np.geomspace(1e4, 1e6, 6)
    run = gibbs(target, grid, rng=np.random.default_rng(5), num_chains=1000, num_draws=25)
    parts = [run.draws[:, k : k + 2] for k in range(0, 1000, 2)]
    found = [regression(replace(run, draws=part)) for part in parts]
    held = sum(low < 1 < high for low, high in (f.interval() for f in found))
    assert binom.ppf(0.5e-3, 500, 0.93) <= held <= binom.isf(0.5e-3, 500, 0.97)
    small = sum(f.p_value < 0.05 for f in found)
    assert binom.ppf(0.5e-3, 500, 0.03) <= small <= binom.isf(0.5e-3, 500, 0.07)
    wrong = 1 + 2 * found[0].error
    held = sum(low < wrong < high for low, high in (f.interval() for f in found))
    assert held < binom.ppf(0.5e-3, 500, 0.9)


def test_a_bend_is_seen() -> None:
    """A parabola of six errors through four chains: p < 0.05 in most ladders."""
    grid = np.geomspace(1e4, 1e6, 6)
    bent = 1.5 + 0.06 * np.linspace(-1, 1, 6) ** 2
    found = [intercept_in_log(chains(grid, bent, 0.01, s, 4)) for s in range(200)]
    assert np.mean([f.p_value < 0.05 for f in found]) > 0.9


def test_what_finite_n_does_to_each() -> None:
    """x²y² on [0, 1]²: λ = 1/2, θ = 2.  Exact means; both are biased, the slope more."""
    target = PolynomialTarget([{(1, 1): 1}], squared=True, nonneg=[True, True], radius=1.0)
    grid = np.geomspace(1e3, 1e5, 7)
    exact = density_of_states(target).mean(grid)
    slope = slope_in_temperature(chains(grid, exact, 1e-6))
    intercept = intercept_in_log(chains(grid, exact, 1e-6))
    assert 0.3 < slope.lam < 0.42
    assert 0.47 < intercept.lam < 0.5
    assert -1 < intercept.second < -0.6  # −(θ − 1)/(1 + b/L)², below one in size
    # Both know that a straight line does not fit exact values.
    assert slope.p_value < 1e-6
    assert intercept.p_value < 1e-6


def test_too_little_is_refused() -> None:
    with pytest.raises(InputError, match="three nβ"):
        slope_in_temperature(chains([10.0, 20.0], [1.0, 1.0], 0.1))
    with pytest.raises(InputError, match="above one"):
        intercept_in_log(chains([1.0, 20.0, 30.0], [1.0, 1.0, 1.0], 0.1))
    with pytest.raises(InputError, match="moved"):
        intercept_in_log(chains([10.0, 20.0, 30.0], [1.0, 1.0, 1.0], 0.0))


@pytest.mark.parametrize("regression", [slope_in_temperature, intercept_in_log])
def test_a_ladder_without_steps_or_numbers_is_refused(regression) -> None:
    """Nothing is extrapolated from one temperature; two of them among three rungs are a line."""
    means = [1.0, 1.0, 1.0]
    for last in (1e3, 1e3 * (1 + 1e-12)):
        with pytest.raises(InputError, match="the same, or too close"):
            regression(chains([1e3, 1e3, last], means, 0.1))
    assert np.isfinite(regression(chains([1e3, 1e3, 2e3], means, 0.1)).error)
    for wrong in (-10.0, 0.0, np.nan, np.inf):
        with pytest.raises(InputError, match="nβ must be positive and finite"):
            regression(chains([wrong, 1e3, 1e4], means, 0.1))
    for wrong in (np.nan, np.inf):
        found = chains([1e2, 1e3, 1e4], means, 0.1)
        found.draws[1, 3, 0] = wrong
        with pytest.raises(InputError, match="finite: at nβ = 1000 some are not"):
            regression(found)
    with pytest.raises(InputError, match="two chains each"):
        regression(replace(found, draws=found.draws[:, :, :0]))


def test_the_slope_is_the_variance() -> None:
    """Near one nβ, exact means of x²y² on [0, 1]² at 10⁴: Var(nβK), and not E − Var."""
    target = PolynomialTarget([{(1, 1): 1}], squared=True, nonneg=[True, True], radius=1.0)
    grid = 1e4 * np.exp([-0.02, -0.01, 0.0, 0.01, 0.02])
    mean = density_of_states(target).mean(grid)
    variance = mean[2] - (mean[3] - mean[1]) / 0.02
    found = slope_in_temperature(chains(grid, mean, 1e-9))
    assert found.lam == pytest.approx(variance, rel=1e-3)
    assert abs(found.lam - (mean[2] - variance)) > 0.3


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, float("nan")])
def test_a_level_that_is_no_probability_is_refused(level) -> None:
    found = slope_in_temperature(chains([1e2, 1e3, 1e4], [1.0, 1.0, 1.0], 0.1))
    with pytest.raises(InputError, match="level must lie between 0 and 1"):
        found.interval(level)


def test_a_chain_that_got_lost_shows_in_r_hat_alone() -> None:
    """Its rung counts for nothing in the p-value, as its variance is large."""
    grid, rng = np.geomspace(10, 1e6, 8), np.random.default_rng(0)
    run = chains(grid, np.full(8, 0.5), 0.02, count=8)
    noise = rng.standard_normal((8, 8, 100))
    sound = replace(run, draws=run.draws.mean(axis=2, keepdims=True) + noise)
    assert slope_in_temperature(sound).rhat < 1.1
    lost = sound.draws.copy()
    lost[3, 2] += 400.0
    found = slope_in_temperature(replace(sound, draws=lost))
    assert found.rhat > 1.1
    assert found.p_value > 0.05
    assert np.isnan(slope_in_temperature(run).rhat)
