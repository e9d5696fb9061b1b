"""Steps of SGLD add nothing of first order; what mini-batches add is measured and taken off."""

import numpy as np
import pytest
from scipy.special import gamma

from rlct.errors import InputError
from rlct.sampling.batches import Batches
from rlct.sampling.ladders.run import estimate
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains.chains import sample_chains
from rlct.sampling.markov_chains.langevin_step import LangevinStep
from rlct.sampling.run_summary import summarize_run
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget


@pytest.mark.study
@pytest.mark.parametrize(("step", "batch_size"), [(None, 64), (2.5, 500), (2.5, 8)])
def test_what_batches_add_is_taken_off(step: float | None, batch_size: int) -> None:
    """Against exact conditional draws; 5 standard errors of 48 chains, false alarm 1e-5.

    Control: the plain mean of draws on small batches with a large step; on all data it is right.
    """
    data = RegressionTarget([3, 2, 3], 1, samples=500, seed=2)
    exact = tempered_mean(data, 80.0, localization=1.0)
    lr = None if step is None else step * 1.3e-3
    found = estimate_llc(
        data,
        n_beta=80.0,
        method="sgld",
        lr=lr,
        num_chains=48,
        num_draws=2500,
        batch_size=batch_size,
        seed=1,
    )
    error = np.hypot(found.errors["chains"], exact.error)
    assert abs(found.lam - exact.value) < 5 * error
    assert found.interval[0] < exact.value < found.interval[1]
    assert found.to_dict()["excess"] == found.run.excess
    plain_fits = abs(found.draws.mean() - exact.value) < 5 * error
    assert plain_fits == (batch_size == 500 or step is None)


@pytest.mark.slow
def test_of_a_square_steps_add_nothing_at_any_size() -> None:
    """λ̂ = 1/2 at steps that make the variance of usual steps 1.01 to 2 times as large.

    Five standard errors; control: the mean of usual steps at the larger ones, 1/2 over 1 − share.
    """
    target = LinearNetworkTarget([1, 1], rank=0)  # K = w²/2
    for share in (0.01, 0.2, 0.5):
        found = estimate_llc(
            target,
            n_beta=100.0,
            method="sgld",
            lr=4 * share / 101,
            localization=1.0,
            num_chains=200,
            num_draws=2000,
            num_burnin=1000,
        )
        error = found.errors["chains"]
        assert abs(found.lam - 50 / 101) < 5 * error
        assert abs(found.draws.mean() - 50 / 101) < 5 * error
        assert share < 0.1 or 50 / 101 / (1 - share) - 50 / 101 > 5 * error


@pytest.mark.study
def test_of_a_fourth_power_steps_add_nothing_of_first_order() -> None:
    """Control: half of (ε/8)·E|∇nβK|², which usual steps add, is seen."""
    target = PolynomialTarget([{(2,): 1}], squared=True)  # K = x⁴
    exact = tempered_mean(target, 1e3, localization=1.0).value
    found = estimate_llc(
        target,
        n_beta=1e3,
        method="sgld",
        lr=3e-3,
        localization=1.0,
        num_chains=64,
        num_draws=20_000,
    )
    error = found.errors["chains"]
    assert abs(found.lam - exact) < 5 * error
    # |4nβx³|² = 16 (nβ)^(1/2) (nβx⁴)^(3/2), of a Gamma variable of shape 1/4
    square = 16 * 1e3**0.5 * gamma(1.75) / gamma(0.25)
    assert 3e-3 / 16 * square > 5 * error


@pytest.mark.parametrize("num_draws", [1, 4, 9])
def test_what_steps_add_is_seen_in_the_shortest_run(num_draws: int) -> None:
    data = RegressionTarget([2, 2], 1, samples=100, seed=1)
    options = {"lr": 1e-2, "num_burnin": 101, "num_draws": num_draws}
    found = estimate_llc(data, method="sgld", batch_size=10, **options)
    assert found.chains.excess.shape == found.chains.draws.shape
    assert (found.chains.excess != 0).all()


def test_a_prior_that_vanishes_at_the_start_leaves_what_steps_add_a_number() -> None:
    target = PolynomialTarget([{(1, 1): 1}], squared=True, prior=(2, 0))
    found = estimate_llc(target, n_beta=100.0, method="sgld", num_draws=500, num_burnin=0)
    assert np.isfinite(found.chains.excess).all()
    assert found.run.excess != 0


@pytest.mark.study
@pytest.mark.parametrize(
    ("target", "lr", "usual"),
    [
        (PolynomialTarget([{(1,): 1}], squared=False, nonneg=[True]), 5e-7, 2 / 16),
        (PolynomialTarget([{(1, 0): 1, (0, 1): 1}], squared=False, nonneg=[True] * 2), 5e-7, 2 / 8),
        (PolynomialTarget([{(2,): 1}], squared=False, prior=[1]), 2e-4, 0.1),
    ],
    ids=["x", "x+y", "x2 |x|"],
)
def test_at_walls_and_zeros_of_the_prior_steps_add_little(
    target: PolynomialTarget, lr: float, usual: float
) -> None:
    """Of four seeds, 64 chains each, the mean is within four standard errors and 1 % of the exact.

    Control: what usual steps add, by x at a wall 2·(ε/8)(nβ)², is ten times that.
    """
    exact = tempered_mean(target, 1e3).value
    options = {"n_beta": 1e3, "method": "sgld", "lr": lr, "num_chains": 64}
    runs = [estimate_llc(target, seed=seed, **options) for seed in range(4)]
    error = np.sqrt(np.mean([found.error**2 for found in runs]) / 4)
    mean = np.mean([found.lam for found in runs])
    print(mean, exact, error)
    assert abs(mean - exact) < 4 * error + 0.01 * exact
    assert usual > 4 * error + 0.01 * exact


def test_a_step_is_found_where_a_loss_presses_to_a_wall() -> None:
    """K does not bend there; with steps that only curvature bounds chains left their box."""
    target = PolynomialTarget([{(1, 0): 1, (0, 1): 1}], squared=False, nonneg=[True] * 2)
    found = estimate_llc(target, n_beta=1e3, method="sgld")
    assert found.interval[0] < 2.0 < found.interval[1] < 2.6
    assert not found.warnings


@pytest.mark.study
def test_a_step_that_is_found_bears_slopes_of_all_sizes() -> None:
    """xyz at walls: three of four intervals hold, which chance denies in one of 71 sets of seeds.

    With steps twice as large two of these four did.
    """
    target = PolynomialTarget([{(1, 1, 1): 1}], squared=False, nonneg=[True] * 3)
    exact = tempered_mean(target, 1e3, localization=1.0).value
    options = {"n_beta": 1e3, "method": "sgld", "localization": 1.0}
    ends = [estimate_llc(target, seed=seed, **options).interval for seed in range(4)]
    assert sum(low < exact < high for low, high in ends) >= 3


@pytest.mark.study
def test_a_ladder_at_walls_says_that_its_steps_are_too_long() -> None:
    """λ = 2 of x + y, whose means no step finds that crosses the prior, too."""
    walls = PolynomialTarget([{(1, 0): 1, (0, 1): 1}], squared=False, nonneg=[True] * 2)
    found = estimate(walls, method="sgld", seed=0)
    assert found.interval[0] < 2.0 < found.interval[1]
    assert any("slopes still grow" in words for words in found.warnings)


@pytest.mark.parametrize(
    ("samples", "size"), [(100, 51), (100, 99), (100, 97), (100, 40), (1000, 256), (30, 1)]
)
def test_batches_of_any_size_push_no_way_for_long(samples: int, size: int) -> None:
    """The mean of a pool, common to its uses, adds a tenth to the noise of batches at most.

    It is meant to add a twentieth, of larger ones that of halves; 400 pools leave 7 % of that open.
    Control: sixteen independent batches that are kept for sixteen steps add nearly as much again.
    """
    rng = np.random.default_rng(0)
    values = rng.normal(size=samples)
    values -= values.mean()
    single = values.var(ddof=1) / size * (1 - size / samples)
    batches, pools, pushes = Batches(samples, size, seed=1), [], []

    def prepare(rows: np.ndarray) -> tuple[np.ndarray]:
        assert all(len(set(row)) == size for row in rows.tolist())
        pools.append(0)
        pushes.append(values[rows].mean())
        return (rows,)

    while len(pools) <= 400:
        batches.choose(1, rng, prepare)
        pools[-1] += 1
    added = (np.array(pools[:400]) - 1) * np.array(pushes[:400]) ** 2
    assert added.mean() < 0.1 * max(single, values.var(ddof=1) / samples)
    alone = np.array(
        [[rng.permutation(values)[:size].mean() for _ in range(16)] for _ in range(400)]
    )
    assert 15 * (alone.mean(axis=1) ** 2).mean() > 0.7 * single


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"lr": "a"}, "lr must be an array of real numbers"),
        ({"lr": None}, "positive step size"),
        ({"lr": np.ones((3, 9))}, "fit 1 nβ by 8 chains"),
        ({"thin": 1.5}, "thin must be a whole number"),
        ({"num_chains": 2.5}, "num_chains must be a whole number"),
        ({"num_burnin": -1}, "num_burnin must be at least 0"),
        ({"localization": "a"}, "localization must be zero or positive"),
        ({"rng": 3}, "numpy.random.Generator"),
        ({"n_beta": "x"}, "n_beta must be an array of real numbers"),
        ({"batch_size": 2.5}, "batch_size must be a whole number"),
    ],
)
def test_what_chains_cannot_run_with_is_refused_in_a_line(options: dict, said: str) -> None:
    data = RegressionTarget([2, 2], 1, samples=20, seed=1)
    good = {"n_beta": 10.0, "lr": 1e-3, "rng": np.random.default_rng(0)}
    with pytest.raises(InputError, match=said):
        sample_chains("sgld", data, **good | options)


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [1.0, 0.1, 0.03])
def test_a_step_bears_the_prior_too(sigma: float) -> None:
    """½ Σ h/(h + γ + σ⁻²), within three errors; with a step for the loss alone it was 4 times that
    with the narrowest prior.

    What the prior takes is told, and it is not taken for one that vanishes.
    """
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(300, 4)), rng.normal(size=(300, 1))
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    bends = np.linalg.eigvalsh(x.T @ x) / np.log(300)
    exact = 0.5 * float((bends / (bends + 1.0 + sigma**-2)).sum())
    found = estimate_llc(
        NetworkTarget([best.T], x, y, "linear", sigma=sigma), method="sgld", seed=1
    )
    assert abs(found.lam - exact) < 3 * found.errors["chains"] < 0.1 * exact
    assert (found.verdict == "localized") == (sigma < 1)
    assert not any("mislead" in words for words in found.warnings)


@pytest.mark.slow
def test_a_narrow_prior_is_told_where_the_loss_does_not_bend() -> None:
    """a·b·x at 0: λ̂ is a fiftieth of λ.  Control: the usual prior."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2000, 1)), rng.normal(size=(2000, 1))
    layers = [np.zeros((1, 1))] * 2
    for sigma, told in ((0.1, True), (1.0, False)):
        target = NetworkTarget(layers, x, y, "linear", sigma=sigma)
        found = estimate_llc(target, localization=0.0, seed=1)
        assert (found.diagnostics["effect of localized"] > 0.3) == told


def test_the_error_by_batches_is_that_of_their_noise_alone() -> None:
    """Fourth powers move from step to step as much as batches add: within a tenth.

    Control: differences of successive steps alone, which take movement for noise.
    """
    rng = np.random.default_rng(0)
    w, step, steps = 0.2 * rng.normal(size=(64, 1)), LangevinStep(2e-3, None, np.vecdot), 2000
    losses = np.empty((64, steps))
    for k in range(steps):
        noise = step.half_root * rng.normal(size=w.shape)
        w += noise
        losses[:, k] = 100 * w[:, 0] ** 4
        step.finish(w, 400 * w**3 + w, noise)
    sigma = 0.03
    seen = losses + sigma * rng.normal(size=losses.shape)
    options = {"gauge_every": 1, "moving_weights": 1, "localization": 1.0, "level": 0.95}
    error = summarize_run(seen, 0 * seen, None, 0 * seen + 1, **options).batch_error
    exact = sigma / losses.size**0.5
    assert abs(error / exact - 1) < 0.1
    assert np.diff(seen, axis=1).std() / (2 * losses.size) ** 0.5 > 1.2 * exact
