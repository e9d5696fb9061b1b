"""ν from mini-batches: exact where V is, and not the scatter between observations."""

import numpy as np
import pytest
from scipy.stats import binom, norm
from scipy.stats import t as student

from rlct.criteria.fluctuation import singular_fluctuation
from rlct.criteria.minibatch import minibatch_fluctuation
from rlct.errors import InputError

N, CHAINS = 300, 16


def draws(rng, beta=1.0, draws=400, batch=10):
    """A mean with known posterior: log-likelihoods of batches, their rows, and the data."""
    x = rng.normal(size=N)
    w = x.mean() + rng.normal(size=(CHAINS, draws, 1)) / np.sqrt(beta * N)
    rows = rng.integers(N, size=(CHAINS, draws, batch))
    return x, w, rows, -((x[rows] - w) ** 2) / 2


@pytest.mark.parametrize("beta", [1.0, 0.2])
def test_it_is_that_of_the_exact_posterior(beta: float) -> None:
    """V = Σ (x − m)² s² + n s⁴/2; t-test, 1e-4; the variance of batch means is rejected."""
    x, _, rows, values = draws(np.random.default_rng(0), beta)
    s = 1 / (beta * N)
    exact = beta / 2 * (((x - x.mean()) ** 2).sum() * s + N * s**2 / 2)
    found = minibatch_fluctuation(values, rows, N, beta=beta)
    limit = student.ppf(1 - 0.5e-4, CHAINS - 1)
    assert abs(found.value - exact) < limit * found.error < 0.2 * exact
    naive = beta / 2 * N * values.reshape(CHAINS, -1).var(axis=1).mean()
    assert abs(naive - exact) > 10 * limit * found.error


def test_it_is_that_of_all_data_at_the_same_draws() -> None:
    x, w, rows, values = draws(np.random.default_rng(1))
    whole = singular_fluctuation(-((x - w) ** 2) / 2)
    part = minibatch_fluctuation(values, rows, N)
    assert abs(part.value - whole.value) < 4 * np.hypot(part.error, whole.error)
    assert part.error > whole.error  # it saw a thirtieth


def test_errors_are_honest_and_values_unbiased() -> None:
    """200 data sets, 13 repeats of an observation each: mean of z at 1e-4, its variance at 1e-3."""
    z = []
    for seed in range(200):
        x, _, rows, values = draws(np.random.default_rng([7, seed]), draws=25)
        exact = 0.5 * (((x - x.mean()) ** 2).mean() + 1 / N / 2)
        found = minibatch_fluctuation(values, rows, N)
        z.append((found.value - exact) / found.error)
    z = np.array(z)
    assert abs(z.mean()) < -norm.ppf(0.5e-4) * z.std() / np.sqrt(len(z))
    # t with 15 degrees of freedom has variance 15/13; the bounds are 3.4 errors away and more.
    assert 0.7 < z.var() < 1.8


def test_few_repeats_are_said() -> None:
    _, _, rows, values = draws(np.random.default_rng(2), draws=4)
    assert "2.1 times" in minibatch_fluctuation(values, rows, N).warnings[0]


@pytest.mark.parametrize("chains", [2, 4])
def test_intervals_of_few_chains_hold_with_the_quantile_that_is_said(chains: int) -> None:
    """400 data sets: binomial test of 95 %, 1e-3; ± 1.96 errors do not hold."""
    scores = []
    for seed in range(400):
        x, _, rows, values = draws(np.random.default_rng([9, chains, seed]), draws=150)
        exact = 0.5 * (((x - x.mean()) ** 2).mean() + 1 / N / 2)
        found = minibatch_fluctuation(values[:chains], rows[:chains], N)
        scores.append(abs(found.value - exact) / found.error)
    (warning,) = found.warnings[-1:]
    assert found.details["degrees"] == chains - 1
    assert f"{chains} chains: a 95% interval is ± " in warning
    quantile = float(warning.split("± ")[1].split()[0])
    assert quantile == pytest.approx(student.ppf(0.975, chains - 1), rel=1e-3)
    low, high = binom.ppf([0.5e-3, 1 - 0.5e-3], 400, 0.95)
    assert low <= np.sum(np.array(scores) < quantile) <= high
    assert np.sum(np.array(scores) < 1.96) < low


def test_eight_chains_carry_no_warning() -> None:
    _, _, rows, values = draws(np.random.default_rng(3))
    assert minibatch_fluctuation(values[:8], rows[:8], N).warnings == ()
    assert "7 chains" in minibatch_fluctuation(values[:7], rows[:7], N).warnings[0]


@pytest.mark.parametrize(
    ("values", "rows", "n", "words"),
    [
        (np.zeros((2, 3)), np.zeros((2, 3), int), 5, "one shape"),
        (np.zeros((2, 3, 1)), np.zeros((2, 3, 2), int), 5, "one shape"),
        (np.zeros((1, 3, 1)), np.zeros((1, 3, 1), int), 5, "two chains"),
        (np.zeros((2, 3, 1)), np.full((2, 3, 1), 5), 5, "from 0 to 4"),
        (np.zeros((2, 3, 1)), np.zeros((2, 3, 1)), 5, "whole numbers"),
        (np.full((2, 3, 1), np.nan), np.zeros((2, 3, 1), int), 5, "finite"),
        (np.zeros((2, 1, 1)), np.array([[[0]], [[1]]]), 5, "seen twice"),
    ],
)
def test_bad_input(values, rows, n, words: str) -> None:
    with pytest.raises(InputError, match=words):
        minibatch_fluctuation(values, rows, n)


def test_chains_that_disagree_are_said() -> None:
    """One of four sits two standard deviations off, which makes ν 1.8 times what it is.

    Of 50 honest runs none is blamed: R-hat is 1.01 at most, and it moves by 0.001 or so.
    """
    for seed in range(50):
        x, w, rows, values = draws(np.random.default_rng([5, seed]))
        found = minibatch_fluctuation(values, rows, N)
        assert found.warnings == ()
        assert 0.99 < found.rhat < 1.02
    w = w.copy()
    w[0] += 2 / np.sqrt(N)
    found = minibatch_fluctuation(-((x[rows] - w) ** 2)[:4] / 2, rows[:4], N)
    assert "chains disagree: split R-hat 1." in found.warnings[-1]
    few = minibatch_fluctuation(values[:, :10], rows[:, :10], N)
    assert few.rhat is None
    assert not any("disagree" in words for words in few.warnings)


def test_a_chain_that_drifts_is_said() -> None:
    """Its halves differ from each other, as those of every chain do here."""
    x, w, rows, _ = draws(np.random.default_rng(6))
    w = w + np.linspace(-3, 3, w.shape[1])[:, None] / np.sqrt(N)
    found = minibatch_fluctuation(-((x[rows] - w) ** 2) / 2, rows, N)
    assert "chains disagree" in found.warnings[-1]
