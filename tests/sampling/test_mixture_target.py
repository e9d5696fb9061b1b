"""Mixtures with data: gradients, the tempered mean against quadrature, clear errors."""

import numpy as np
import pytest
from scipy.stats import norm

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.mixture import GaussianMixtureTarget
from rlct.sampling.targets.target import DataTarget


def singular(samples: int = 200, **options) -> GaussianMixtureTarget:
    """Two components at the one cluster of the data."""
    x = np.random.default_rng(5).normal(size=samples)
    return GaussianMixtureTarget([0.5, 0.5], [[0.0], [0.0]], x, **options)


def test_gradients_against_differences() -> None:
    rng = np.random.default_rng(0)
    centres = [[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]]
    x = rng.normal(size=(40, 2))
    target = GaussianMixtureTarget([0.2, 0.5, 0.3], centres, x, spread=0.7)
    assert isinstance(target, DataTarget)
    assert target.dimension == 8
    w = 0.4 * rng.normal(size=(5, 8))
    steps = 1e-5 * np.eye(8)
    slope = [(target.divergence(w + e) - target.divergence(w - e)) / 2e-5 for e in steps]
    assert target.gradient(w) == pytest.approx(np.array(slope).T, abs=1e-8)
    assert target.value_and_gradient(w)[0] == pytest.approx(target.divergence(w))


def test_losses_are_those_of_the_density(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.random.default_rng(1).normal(size=30)
    target = GaussianMixtureTarget([0.3, 0.7], [[-1.0], [1.0]], x, spread=0.5)
    w = np.array([[0.4, 0.1, -0.2]])
    p = 1 / (1 + np.exp(-(np.log(3 / 7) + 0.4)))
    new = p * norm.pdf(x, -0.9, 0.5) + (1 - p) * norm.pdf(x, 0.8, 0.5)
    old = 0.3 * norm.pdf(x, -1, 0.5) + 0.7 * norm.pdf(x, 1, 0.5)
    assert target.pointwise(w)[0] == pytest.approx(-np.log(new / old))
    whole = target.value_and_gradient(w)
    monkeypatch.setattr("rlct.sampling.targets.mixture.CHUNK_NUMBERS", 10)
    for a, b in zip(target.value_and_gradient(w), whole, strict=True):
        assert a == pytest.approx(b)
    assert target.pointwise(w)[0] == pytest.approx(-np.log(new / old))


def test_batches_of_all_observations_are_the_whole() -> None:
    target = singular(30)
    w = 0.3 * np.random.default_rng(2).normal(size=(4, 3))
    on = Arrays(np.random.default_rng(3))
    for a, b in zip(target.batch(w, 30, on), target.value_and_gradient(w), strict=True):
        assert a == pytest.approx(b)


@pytest.fixture(scope="module")
def exact() -> float:
    """The tempered mean at a singular point by a sum over a grid in all three parameters."""
    target = singular(100)
    axes = np.linspace(-4, 4, 33), np.linspace(-3, 3, 76), np.linspace(-3, 3, 76)
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    k = np.concatenate([target.divergence(part) for part in np.array_split(grid, 200)])
    n_beta = target.samples / np.log(target.samples)
    log = -n_beta * k - 0.5 * (grid**2).sum(axis=1) * 2  # prior and localization
    mass = np.exp(log - log.max())
    return float(n_beta * (mass @ k) / mass.sum())


@pytest.mark.study
@pytest.mark.parametrize("method", ["hmc", "mala", "sgld"])
def test_tempered_mean_is_that_of_quadrature(method: str, exact: float) -> None:
    """False alarm 1e-4 a method; d/2 is rejected.  SGLD may keep a tenth as bias of its step."""
    draws = {"hmc": 300, "mala": 3000, "sgld": 3000}[method]
    found = estimate_llc(singular(100), method=method, num_draws=draws, num_chains=16, seed=1)
    allowed = 5.5 * found.errors["chains"] + (0.1 * exact if method == "sgld" else 0.0)
    assert abs(found.lam - exact) < allowed < 0.4
    assert abs(found.lam - 1.5) > allowed


@pytest.mark.parametrize(
    ("weights", "centres", "data", "words"),
    [
        ([0.5, 0.6], [[0.0], [1.0]], [[0.0]], "sum to 1"),
        ([1.0], [0.0], [[0.0]], "one row"),
        ([1.0], [[0.0]], [[0.0, 1.0]], "columns"),
        ([1.0], [[0.0]], [], "columns"),
        ([1.0], [[0.0]], [np.nan], "finite"),
        (["a"], [[0.0]], [0.0], "weights must be an array of real numbers"),
        ([0.5, 0.5], [[0.0], [1.0, 2.0]], [0.0], "centres must be an array of real numbers"),
        ([1.0], [[0.0]], [1j], "data must be an array of real numbers"),
    ],
)
def test_bad_input(weights, centres, data, words: str) -> None:
    with pytest.raises(InputError, match=words):
        GaussianMixtureTarget(weights, centres, data)
