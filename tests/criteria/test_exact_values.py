"""Every statistic against closed forms in N(w, 1), at several temperatures: no statistical error.

The posterior at inverse temperature β is N(m, s²), and for d = x − m
log E_w p(x|w)^α = −½ log(1 + αs²) − ½ αd²/(1 + αs²) − ½ α log 2π, from which all follows.
"""

import math

import numpy as np
import pytest

from rlct.criteria.cumulants import cumulants
from rlct.criteria.fluctuation import functional_variance, singular_fluctuation
from rlct.criteria.free_energy import free_energy_expansion
from rlct.criteria.loo import loo
from rlct.criteria.state import equation_of_state
from rlct.criteria.waic import waic
from rlct.criteria.wbic import wbic

pytestmark = pytest.mark.light

TAU = 1.7  # standard deviation of the prior
N = 25
LOG_TWO_PI = math.log(2 * math.pi)
BETAS = [0.3, 1.0, 2.5]


@pytest.fixture(scope="module")
def data():
    return np.random.default_rng(3).normal(0.4, 1.2, size=N)


def posterior(x, beta):
    """Mean and variance of the posterior."""
    variance = 1 / (len(x) * beta + TAU**-2)
    return variance * beta * x.sum(), variance


def nodes(x, beta):
    """Log-likelihoods at nodes, and log masses of the posterior."""
    mean, variance = posterior(x, beta)
    w = mean + math.sqrt(variance) * np.linspace(-12, 12, 1201)
    table = -((x - w[:, None]) ** 2) / 2 - LOG_TWO_PI / 2
    return w, table, beta * table.sum(axis=1) - w**2 / (2 * TAU**2)


def generating(x, mean, variance, alpha):
    """Log E_w p(x|w)^α."""
    width = 1 + alpha * variance
    return -np.log(width) / 2 - alpha * (x - mean) ** 2 / (2 * width) - alpha * LOG_TWO_PI / 2


def kappa(x, mean, variance, k):
    """k-th cumulant of log p(x|w), from the series of the generating function."""
    sign = (-1) ** k
    found = math.factorial(k) * sign * variance ** (k - 1)
    found = found * (variance / (2 * k) + (x - mean) ** 2 / 2)
    return found - (LOG_TWO_PI / 2 if k == 1 else 0)


@pytest.mark.parametrize("beta", BETAS)
def test_waic_and_its_parts(data, beta):
    mean, variance = posterior(data, beta)
    _, table, log_masses = nodes(data, beta)
    found = waic(table, beta=beta, log_masses=log_masses)
    training = -generating(data, mean, variance, 1.0)
    v = (data - mean) ** 2 * variance + variance**2 / 2
    assert found.value == pytest.approx((training + beta * v).mean(), abs=1e-12)
    assert found.details["training_loss"] == pytest.approx(training.mean(), abs=1e-12)
    assert found.details["functional_variance"] == pytest.approx(v.sum(), abs=1e-10)
    gibbs = ((data - mean) ** 2 + variance) / 2 + LOG_TWO_PI / 2
    assert found.details["gibbs_training_loss"] == pytest.approx(gibbs.mean(), abs=1e-12)
    assert found.error == 0
    assert found.ess is None
    assert found.data_error == pytest.approx((training + beta * v).std(ddof=1) / math.sqrt(N))


@pytest.mark.parametrize("beta", BETAS)
def test_loo_is_the_posterior_without_the_observation(data, beta):
    _, table, log_masses = nodes(data, beta)
    found = loo(table, beta=beta, log_masses=log_masses)
    direct = []
    for i in range(N):
        mean, variance = posterior(np.delete(data, i), beta)
        direct.append(-generating(data[i], mean, variance, 1.0))
    assert found.value == pytest.approx(np.mean(direct), abs=1e-10)
    np.testing.assert_allclose(found.pointwise, direct, atol=1e-9)
    # The plain mean of 1/p, right at β = 1, is wrong elsewhere.
    mean, variance = posterior(data, beta)
    wrong = generating(data, mean, variance, -1.0).mean()
    assert (abs(found.value - wrong) < 1e-9) == (beta == 1)


@pytest.mark.parametrize("beta", BETAS)
def test_cumulants(data, beta):
    mean, variance = posterior(data, beta)
    _, table, log_masses = nodes(data, beta)
    found = cumulants(table, beta=beta, log_masses=log_masses)
    for k, y in enumerate(found.Y, 1):
        assert y.value == pytest.approx(kappa(data, mean, variance, k).mean(), rel=1e-9), k


@pytest.mark.slow
@pytest.mark.parametrize("beta", BETAS)
def test_expansions_have_the_errors_of_the_next_term(beta):
    """As n grows tenfold each remainder beyond the fourth cumulant falls by 10^(−5/2) or more."""
    rest = []
    for n in (200, 2000):
        x = 0.4 + np.tile([-0.5, -0.5, -0.5, -0.5, 2.0], n // 5)  # third moment not 0
        _, table, log_masses = nodes(x, beta)
        options = {"beta": beta, "log_masses": log_masses}
        series = cumulants(table, **options)
        exact = waic(table, **options)
        losses = (exact.details["training_loss"], exact.value, loo(table, **options).value)
        expansions = (series.bayes_loss(), series.waic(), series.loo())
        rest.append([v + t - right for right, (v, t) in zip(losses, expansions, strict=True)])
        for right, (value, fourth) in zip(losses, expansions, strict=True):
            assert abs(value - right) < 1.2 * abs(fourth) + 1e-14
        # With the cumulants of −log p in the same places nothing fits.
        wrong = -series.Y[0].value
        assert abs(-wrong - losses[0]) > 1
    for early, late in zip(*rest, strict=True):
        assert abs(late) < abs(early) * 10**-2.4


def test_functional_variance_of_a_part(data):
    """V from a fixed part of the observations: unbiased over parts, with the error it states."""
    _, table, log_masses = nodes(data, 1.0)
    whole = functional_variance(table, log_masses=log_masses)
    assert whole.data_error is None
    rng = np.random.default_rng(0)
    found = []
    for _ in range(2000):
        part = rng.choice(N, size=15, replace=False)
        one = functional_variance(table[:, part], observations=N, log_masses=log_masses)
        found.append([one.value, one.data_error**2])
    values, squares = np.array(found).T
    # False alarm about 1e-4: four standard errors; 15 % is four of the ratio of variances. Without
    # the factor for a finite population the ratio would be 2.5.
    assert abs(values.mean() - whole.value) < 4 * values.std() / math.sqrt(2000)
    assert squares.mean() / values.var() == pytest.approx(1, abs=0.15)
    nu = singular_fluctuation(table, beta=3.0, log_masses=log_masses)
    assert nu.value == pytest.approx(1.5 * whole.value)


def test_wbic_and_the_temperature_change(data):
    beta = 1 / math.log(N)
    mean, variance = posterior(data, beta)
    right = ((data - mean) ** 2 + variance).sum() / 2 + N * LOG_TWO_PI / 2
    _, table, log_masses = nodes(data, beta)
    found = wbic(table, baseline=0.0, log_masses=log_masses)
    assert found.value == pytest.approx(right, abs=1e-10)
    assert found.details["lambda"] == pytest.approx(right * beta)
    # The same nodes with the masses of β = 0.4, changed to 1/log n.
    w, table, _ = nodes(data, beta)
    other = 0.4 * table.sum(axis=1) - w**2 / (2 * TAU**2)
    again = wbic(table, beta=0.4, log_masses=other)
    assert again.value == pytest.approx(right, abs=1e-9)
    assert wbic(table, log_masses=other).value != pytest.approx(right, abs=1e-2)


def test_lambda_from_the_variance_of_the_loss():
    """β² Var nL_n → λ: ½ here, with d = 2 parameters 1."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=1000)
    beta = 1 / math.log(1000)
    _, table, log_masses = nodes(x, beta)
    one = wbic(table, log_masses=log_masses)
    assert one.details["lambda_variance"] == pytest.approx(0.5, abs=0.01)
    assert one.details["deviation"] == pytest.approx(math.sqrt(0.5 * math.log(1000) / 2), rel=0.02)


@pytest.mark.parametrize("beta", BETAS)
def test_equation_of_state_parts(data, beta):
    mean, variance = posterior(data, beta)
    w, table, log_masses = nodes(data, beta)
    x, mass = np.polynomial.hermite_e.hermegauss(60)
    test = -((x - w[:, None]) ** 2) / 2 - LOG_TWO_PI / 2
    truth, base = (-(v**2) / 2 - LOG_TWO_PI / 2 for v in (data, x))
    found = equation_of_state(
        table, truth, test, base, beta=beta, log_masses=log_masses, held_out_masses=mass
    )
    bg = math.log(1 + variance) / 2 + (1 + mean**2) / (2 * (1 + variance)) - 0.5
    assert found.details["generalisation_error"] == pytest.approx(bg, abs=1e-10)
    cv = loo(table, beta=beta, log_masses=log_masses).value + truth.mean()
    assert found.details["leave_one_out_error"] == pytest.approx(cv, abs=1e-12)
    v = functional_variance(table, beta=beta, log_masses=log_masses).value
    right = N * beta / 2 * (bg + cv - (beta - 1) * v / N)
    assert found.value == pytest.approx(right, abs=1e-9)


def test_free_energy_expansion(data):
    """F = nL_n(ŵ) + ½ log n + O(1): the rest settles as n grows."""
    rest = []
    for n in (100, 10_000, 1_000_000):
        x_bar, square = 0.3, 1.2  # mean, and mean square about it
        variance = 1 / (n + TAU**-2)
        energy = n * (square + x_bar**2) / 2 + n * LOG_TWO_PI / 2
        energy -= (n * x_bar) ** 2 * variance / 2 + math.log(variance) / 2 - math.log(TAU)
        loss = square / 2 + LOG_TWO_PI / 2
        rest.append(energy - free_energy_expansion(n, loss, 0.5))
    assert abs(rest[2] - rest[1]) < abs(rest[1] - rest[0]) / 50 < 0.01
    assert free_energy_expansion(100, 1.0, 2, 3) == pytest.approx(
        100 + 2 * math.log(100) - 2 * math.log(math.log(100))
    )
