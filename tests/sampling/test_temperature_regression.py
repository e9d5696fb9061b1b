"""The regressions of the field: what they are worth where the truth is known exactly."""

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.sampling.chains import Chains
from rlct.sampling.polynomial import PolynomialTarget
from rlct.sampling.quadrature import density_of_states
from rlct.sampling.temperature_regression import intercept_in_log, slope_in_temperature


def chains(n_beta, means, error, seed=0) -> Chains:
    """Twenty chains whose means scatter by a given standard error around exact ones."""
    rng = np.random.default_rng(seed)
    noise = error * np.sqrt(20) * rng.standard_normal((len(n_beta), 20))
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


def test_what_finite_n_does_to_each() -> None:
    """x²y² on [0, 1]²: λ = 1/2, θ = 2.  Exact means; both are biased, the slope more."""
    target = PolynomialTarget([{(1, 1): 1}], squared=True, nonneg=[True, True], radius=1.0)
    grid = np.geomspace(1e3, 1e5, 7)
    exact = density_of_states(target).mean(grid)
    slope = slope_in_temperature(chains(grid, exact, 1e-6))
    intercept = intercept_in_log(chains(grid, exact, 1e-6))
    assert 0.3 < slope.lam < 0.42
    assert 0.47 < intercept.lam < 0.5
    assert -1 < intercept.other < -0.6  # −(θ − 1)/(1 + b/L)², below one in size
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
