"""errors="data": the scatter of λ̂ over data sets with trained weights, and where it is none."""

from __future__ import annotations

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.local import data_scatter
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.network import NetworkTarget

SETS = 40


def covered(found: list[Estimate]) -> int:
    """How many of the intervals hold the mean over all data sets."""
    mean = np.mean([e.lam for e in found])
    return sum(e.interval[0] <= mean <= e.interval[1] for e in found)


def fitted(samples: int, dimension: int, seed: int) -> NetworkTarget:
    """Linear regression at its least squares."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, dimension))
    y = x.sum(axis=1, keepdims=True) + rng.normal(size=(samples, 1))
    return NetworkTarget([np.linalg.lstsq(x, y, rcond=None)[0].T], x, y, "linear")


def narrow(x: np.ndarray, y: np.ndarray) -> NetworkTarget:
    """a·b·x at the point a = |b| of the minimum, where gradient flow from near 0 leads."""
    c = (x.T @ y).item() / (x.T @ x).item()
    root = np.sqrt(abs(c))
    return NetworkTarget([[[root]], [[np.sign(c) * root]]], x, y, "linear")


@pytest.mark.study
def test_at_a_regular_minimum_data_sets_add_nothing() -> None:
    """Intervals hold the mean over data sets: at least 34 of 40, fewer by a chance of 0.4 %."""
    options = {"method": "hmc", "num_chains": 8, "num_draws": 100, "num_burnin": 20}
    found = [
        estimate_llc(fitted(200, 1, seed), errors="data", seed=seed, **options)
        for seed in range(SETS)
    ]
    assert covered(found) >= 34
    assert np.median([e.errors["data"] for e in found]) < 0.5 * np.median([e.error for e in found])
    (usual,) = [estimate_llc(fitted(200, 1, 0), seed=0, **options)]
    assert set(usual.errors) == {"chains"}
    assert (usual.error_kind, found[0].error_kind) == ("chains", "data")
    assert "with the scatter over data sets" in found[0].headline


@pytest.mark.study
def test_near_a_singular_point_lambda_scatters_as_halves_of_the_data_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At least 34 of 40: of 95 % intervals fewer do by a chance of 0.4 %.

    Control: the first order, whose slope in z is none at 0, leaves out more than four of 40 by
    the scatter over data sets alone; of the chains' scatter alone more than seven are too narrow.
    """
    found, squares = [], []
    whole = data_scatter.first_order_square

    def kept(*given):
        squares.append(whole(*given))
        return squares[-1]

    monkeypatch.setattr(data_scatter, "first_order_square", kept)
    for seed in range(SETS):
        x, y = np.random.default_rng(seed).normal(size=(2, 400, 1))
        options = {"num_chains": 32, "num_draws": 100, "num_burnin": 50, "seed": seed}
        found.append(estimate_llc(narrow(x, y), errors="data", **options))
    first = np.sqrt(np.maximum(squares, 0.0))
    assert covered(found) >= 34
    mean = np.mean([e.lam for e in found])
    gaps = zip(found, first, strict=True)
    assert sum(abs(e.lam - mean) > 1.96 * scatter for e, scatter in gaps) > 4
    assert sum(abs(e.lam - mean) > 2.04 * e.errors["chains"] for e in found) > 7
    # No more than is needed: their root mean square against the scatter that there is.
    stated = np.sqrt(np.mean([e.errors["data"] ** 2 for e in found]))
    assert stated < 2 * np.std([e.lam for e in found])


@pytest.mark.slow
def test_where_all_draws_would_hang_on_few_a_share_of_the_halves_says_the_same() -> None:
    """Sixty regular parameters: log-weights vary by 2βλ̂ = 10, and λ̂ does not move at all."""
    found = estimate_llc(fitted(500, 60, 0), errors="data", seed=0)
    assert found.errors["data"] < 0.05 * found.lam


@pytest.mark.study
def test_the_noise_of_draws_is_no_scatter_of_data_sets() -> None:
    """λ̂ = 1.99 scatters by 0.001 over data sets of unit noise; of noise of 10³ the draws hide that.

    Influences are products of residuals and noise of the draws; what they hide is in the interval.
    """
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x = np.c_[rng.normal(size=(2000, 3)), np.ones(2000)]
        y = x @ [[1.0], [2.0], [3.0], [4.0]] + rng.normal(size=(2000, 1))
        for scale in (1.0, 1e3):
            w = np.linalg.lstsq(x, scale * y, rcond=None)[0].T
            target = NetworkTarget([w], x, scale * y, "linear", sigma=1e8)
            found = estimate_llc(target, num_chains=16, num_draws=200, seed=seed, errors="data")
            assert found.interval[0] < 1.992 < found.interval[1]  # false alarm 5e-2, each
            assert found.errors["data"] < 0.1 or scale > 1


@pytest.mark.slow
def test_targets_of_any_scale() -> None:
    """House prices: noise of 5·10⁴ at the least squares, where λ̂ = 1.99 whatever the unit."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        x = np.c_[rng.normal(size=(2000, 3)), np.ones(2000)]
        y = 5e4 * (x @ [[1.0], [2.0], [3.0], [4.0]] + rng.normal(size=(2000, 1)))
        w = np.linalg.lstsq(x, y, rcond=None)[0].T
        target = NetworkTarget([w], x, y, "linear", sigma=1e8)
        found = estimate_llc(target, num_chains=16, num_draws=200, seed=seed)
        assert abs(found.lam - 1.992) < 5 * found.error < 0.5


def test_no_overflow_at_the_largest_inverse_temperature() -> None:
    x = np.random.default_rng(0).normal(size=(50, 1))
    target = NetworkTarget([[[1.0]]], x, x, "linear")
    found = estimate_llc(target, n_beta=1e99, num_draws=10, num_chains=4, errors="data")
    assert np.isfinite(found.error)


def test_one_sample_has_no_halves() -> None:
    for samples in (1, 2):
        x = np.ones((samples, 1))
        target = NetworkTarget([[[1.0]]], x, 2 * x, "linear")
        options = {"n_beta": 5.0, "num_draws": 10, "num_chains": 4, "errors": "data"}
        if samples == 1:
            with pytest.raises(InputError, match="a single sample does not show"):
                estimate_llc(target, **options)
        else:
            assert np.isfinite(estimate_llc(target, **options).error)


def test_a_population_has_no_data_sets() -> None:
    with pytest.raises(InputError, match="errors='data' needs a target with data"):
        estimate_llc(LinearNetworkTarget([1, 1], 0), n_beta=10.0, errors="data")
