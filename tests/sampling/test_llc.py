"""Runs at one nβ: right where they should be, and every failure signature is noticed."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from scipy.signal import lfilter
from scipy.stats import t as student

import rlct
from rlct.errors import DivergedError, InputError
from rlct.sampling.kernels.sgld import Sgld
from rlct.sampling.ladders.quadrature import density_of_states
from rlct.sampling.ladders.run import estimate
from rlct.sampling.ladders.tempering import tempered_means, tempering_ladder
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains.chains import sample_chains
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.run_summary import summarize_run
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget


def squares(*generators) -> PolynomialTarget:
    return PolynomialTarget(generators, squared=True)


def agreement(samples: np.ndarray, exact: float) -> float:
    """Two-sided p-value of the mean of independent samples."""
    z = (samples.mean() - exact) / (samples.std(ddof=1) / np.sqrt(len(samples)))
    return float(2 * student.sf(abs(z), len(samples) - 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    [squares({(1, 2): 1}), squares({(2, 0): 1, (0, 3): -1}), squares({(1, 0): 1}, {(0, 2): 1})],
    ids=["x2y4", "cusp", "x2+y4"],
)
def test_hmc_agrees_with_quadrature(target: PolynomialTarget) -> None:
    """Means of 24 chains at a moderate nβ; false alarm 1e-4.  Control: a thirtieth of nβ."""
    found = sample_chains(
        "hmc", target, 60.0, rng=np.random.default_rng(2), num_chains=24, num_draws=700
    )
    means = found.draws[0].mean(axis=1)
    states = density_of_states(target)
    assert agreement(means, float(states.mean(np.array([60.0]))[0])) > 1e-4
    assert agreement(means, float(states.mean(np.array([2.0]))[0])) < 1e-4
    assert 0.6 < found.acceptance.mean() < 0.95


def test_hmc_with_localization_is_exact_on_a_gaussian() -> None:
    """K = w²/2 with γ and prior: nβE[K] = nβ/(2(nβ + γ + 1)); false alarm 1e-4."""
    target = LinearNetworkTarget([1, 1], rank=0)
    rng = np.random.default_rng(4)
    found = sample_chains(
        "hmc",
        target,
        10.0,
        rng=rng,
        num_chains=24,
        num_draws=500,
        localization=9.0,
        leapfrog_steps=4,
    )
    assert agreement(found.draws[0].mean(axis=1), 10 / 40) > 1e-4
    assert agreement(found.draws[0].mean(axis=1), 10 / 22) < 1e-4


@pytest.mark.slow
def test_hmc_rungs_are_chains_of_their_own() -> None:
    grid = np.array([3.0, 300.0])
    target = LinearNetworkTarget([1, 1], rank=0)
    found = sample_chains(
        "hmc", target, grid, rng=np.random.default_rng(5), num_chains=24, num_draws=800
    )
    for nb, draws in zip(grid, found.draws, strict=True):
        assert agreement(draws.mean(axis=1), nb / (2 * (nb + 1))) > 1e-4
    assert found.lr[0, 0] > 3 * found.lr[1, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "n_beta"),
    [(squares({(1, 2): 1}), 1e6), (squares({(2, 0): 1, (0, 3): -1}), 1e4)],
    ids=["x2y4", "cusp"],
)
def test_moves_cross_ridges(target: PolynomialTarget, n_beta: float) -> None:
    """The default at one nβ, against quadrature; false alarm 1e-4.  Control: nβ = 100."""
    found = estimate_llc(target, n_beta=n_beta, num_chains=24, num_draws=100, num_burnin=20, seed=3)
    assert found.method == "moves"
    states = density_of_states(target)
    means = found.draws.mean(axis=1)
    assert agreement(means, float(states.mean(np.array([n_beta]))[0])) > 1e-4
    assert agreement(means, float(states.mean(np.array([100.0]))[0])) < 1e-4


def test_moves_of_linear_networks_are_exact_draws(tmp_path) -> None:
    """K = w²/2: nβE[K] = nβ/(2(nβ + 1)); false alarm 1e-4; and a run goes on from its file."""
    target = LinearNetworkTarget([1, 1], rank=0)
    options = {"n_beta": 3.0, "num_chains": 24, "num_draws": 100, "seed": 5}
    found = estimate_llc(target, checkpoint=tmp_path / "run.npz", **options)
    assert agreement(found.draws.mean(axis=1), 3 / 8) > 1e-4
    assert agreement(found.draws.mean(axis=1), 1 / 2) < 1e-4
    assert estimate_llc(target, checkpoint=tmp_path / "run.npz", **options).lam == found.lam
    with pytest.raises(InputError, match="hmc or mala"):
        estimate_llc(target, n_beta=3.0, method="moves", localization=1.0)
    with pytest.raises(InputError, match="hmc or mala"):
        estimate_llc(RegressionTarget([1, 1], 0, samples=50), method="moves")


@pytest.mark.slow
def test_exact_means_by_three_routes() -> None:
    """Quadrature, exact conditionals and long trajectories of (ab)²; 5 standard errors."""
    target = squares({(1, 1): 1})
    assert tempered_mean(target, 16e3).value == pytest.approx(0.387, abs=5e-4)
    network = LinearNetworkTarget([1, 1, 1], rank=0)
    gibbs = tempered_mean(network, 200.0, localization=3.0)
    long = sample_chains(
        "hmc",
        network,
        200.0,
        rng=np.random.default_rng(3),
        localization=3.0,
        num_chains=48,
        num_draws=500,
        thin=2,
    )
    means = long.draws[0].mean(axis=1)
    assert agreement(means, gibbs.value) > 1e-4
    assert gibbs.error < 0.01
    # Without γ the mean is another one.
    assert abs(tempered_mean(network, 200.0).value - gibbs.value) > 5 * gibbs.error


@pytest.mark.parametrize(
    ("power", "prior", "n_beta", "localization", "exact"),
    [
        (1, 0, 1e4, 1e4, 1 / 3),  # a Gaussian: λ nβ/(nβ + γ/2)
        (1, 3, 1e3, 50.0, 2 / 1.025),  # the prior vanishes where chains would begin
        (2, 0, 1e3, 50.0, 0.150664987),
    ],
)
def test_the_mean_of_one_variable_under_a_pull(
    power: int, prior: int, n_beta: float, localization: float, exact: float
) -> None:
    target = PolynomialTarget([{(power,): 1}], squared=True, prior=[prior])
    found = tempered_mean(target, n_beta, localization=localization)
    assert found.method == "quadrature"
    assert abs(found.value - exact) < found.error < 1e-3


@pytest.mark.study
@pytest.mark.parametrize(
    ("generators", "prior", "n_beta", "localization", "exact"),
    [
        # The prior vanishes on x = 0 and y = 0, which chains from 0 do not cross.
        ([{(1, 0): 1, (0, 1): 2}], [1, 2], 30.0, 3.0, 0.59883),
        # A second zero, at x = 1/4 with 7/4, has most of the mass; at 0 alone it is 2.
        (
            [{(3, 0, 0, 0): 1, (2, 0, 0, 0): -0.5, (1, 0, 0, 0): 0.0625}]
            + [{tuple(row): 1} for row in np.eye(4, dtype=int)[1:].tolist()],
            [0, 0, 0, 0],
            1e6,
            1.0,
            1.85067,
        ),
    ],
)
def test_the_mean_under_a_pull_has_all_the_mass(generators, prior, n_beta, localization, exact):
    """Against integrals over two variables: |z| of Student's t with 11 degrees, 4.4 one in 10³."""
    target = PolynomialTarget(
        generators, squared=True, prior=prior, nonneg=[prior[0] == 1] + [False] * (len(prior) - 1)
    )
    rng = np.random.default_rng(5)
    [(mean, error)] = tempered_means(target, [n_beta], localization=localization, rng=rng)
    assert abs(mean - exact) < 4.4 * error < 0.05
    around = tempered_mean(target, n_beta, localization=localization)
    assert abs(around.value - exact) < 4.4 * around.error


@pytest.mark.slow
def test_no_chain_begins_where_the_prior_vanishes() -> None:
    """At w = 0 its log density would be −∞, and it would stay there."""
    target = PolynomialTarget([{(1, 0): 1}, {(0, 1): 1}], squared=True, prior=[3, 0])
    found = estimate_llc(target, n_beta=100.0, localization=1.0, method="hmc", seed=0)
    assert abs(found.lam - 2.5 / 1.005) < 5 * found.error < 1.0


def test_response_is_the_derivative_of_the_exact_mean() -> None:
    """dE[nβK]/d log γ on a Gaussian, against the formula; 5 standard errors."""
    gamma, nb = 5.0, 20.0
    x = np.random.default_rng(0).normal(size=(16, 20_000)) / np.sqrt(nb + gamma)
    options = {"gauge_every": 1, "moving_weights": 1, "localization": gamma, "level": 0.95}
    found = summarize_run(nb * x**2 / 2, 0 * x, (nb + gamma) * x**2, x**2, **options)
    exact = -nb * gamma / (2 * (nb + gamma) ** 2)
    assert abs(found.response - exact) < 5 * found.response_error
    assert abs(found.response + exact) > 5 * found.response_error


@pytest.mark.study
def test_sgld_of_a_linear_network_on_given_data_finds_the_exact_mean() -> None:
    """Against exact conditional draws on the same data; 5 standard errors of 64 chains, 1e-5.

    Control: the mean at four times the nβ.
    """
    data = RegressionTarget([4, 2, 4], 1, samples=300, seed=1)
    layers = [layer[0] for layer in data.layers(np.zeros((1, data.dimension)))]
    own = NetworkTarget(layers, data.x, data.y, "linear")
    found = estimate_llc(own, n_beta=80.0, method="sgld", num_chains=64, num_draws=4000, seed=1)
    for n_beta, fits in ((80.0, True), (320.0, False)):
        exact = tempered_mean(data, n_beta, localization=1.0)
        error = np.hypot(found.errors["chains"], exact.error)
        assert (abs(found.lam - exact.value) < 5 * error) == fits


@pytest.mark.slow
def test_the_draws_as_a_datatree() -> None:
    """What ArviZ computes from the tree is what the estimate says."""
    array_stats = pytest.importorskip("arviz_stats.base.array").array_stats
    found = estimate_llc(LinearNetworkTarget([1, 1], rank=0), n_beta=10.0, method="hmc", seed=1)
    tree = found.to_datatree()
    steps = estimate_llc(
        LinearNetworkTarget([1, 1], rank=0), n_beta=10.0, method="sgld", lr=0.05, seed=1
    )
    parts = steps.to_datatree()["posterior"]
    assert float(parts["llc"].mean()) == pytest.approx(steps.lam)
    assert float(parts["energy"].mean()) == pytest.approx(steps.lam + steps.run.excess)
    draws = found.chains.draws.shape[2]
    assert dict(tree["posterior"].sizes) == {"chain": 8, "draw": draws}
    assert float(tree["posterior"]["energy"].mean()) == pytest.approx(found.lam)
    energy = tree["posterior"]["energy"].transpose("chain", "draw").to_numpy()
    assert float(array_stats.ess(energy)) == pytest.approx(found.ess)
    attributes = tree["posterior"].attrs
    assert (attributes["n_beta"], attributes["standard_error"]) == (10.0, found.error)
    assert attributes["error_chains"] == found.errors["chains"]
    assert [attributes[name] for name in ("ess", "r_hat", "degrees")] == [
        found.ess,
        found.rhat,
        found.degrees,
    ]
    assert "theta_interval" not in attributes
    assert attributes["interval"] == list(found.interval)
    assert attributes["warnings"] == "\n".join(found.warnings)
    short = estimate_llc(
        LinearNetworkTarget([1, 1], rank=0), n_beta=10.0, method="hmc", num_draws=20
    )
    assert short.to_datatree()["posterior"].attrs["warnings"].split("\n") == [*short.warnings]
    assert short.warnings


@pytest.mark.study
@pytest.mark.parametrize(
    ("question", "target", "sizes"),
    [
        (rlct.poly("x**2*y**4"), squares({(1, 2): 1}), (1, 97)),
        (rlct.LinearNetwork((2, 1, 2), 0), LinearNetworkTarget([2, 1, 2], 0), (24, 12)),
    ],
    ids=["quadrature", "gibbs"],
)
def test_a_ladder_as_a_datatree(question, target, sizes) -> None:
    """The slope at the first nβ is the tempered mean there, and λ̂ the mean over θ."""
    pytest.importorskip("arviz_base")
    found = rlct.llc(question)
    tree = found.to_datatree()
    ladder, fit = tree["ladder"], tree["fit"]
    slope, mean, error = (ladder[name] for name in ("slope", "slope_mean", "slope_error"))
    assert (slope.sizes["chain"], slope.sizes["level"]) == sizes
    assert slope.mean("chain").values == pytest.approx(mean.values)
    if sizes[0] > 1:
        assert (slope.std("chain", ddof=1) / sizes[0] ** 0.5).values == pytest.approx(error.values)
    exact = tempered_mean(target, float(np.exp(ladder["log_n_beta_start"][0])))
    assert abs(float(mean[0]) - exact.value) < 5 * np.hypot(float(error[0]), exact.error)
    assert float((fit["probability"] * fit["lambda_hat"]).sum("theta")) == pytest.approx(found.lam)
    attributes = ladder.attrs
    assert attributes["lambda_hat"] == found.lam
    assert attributes["interval"] == list(found.interval)
    assert attributes.get("theta") == found.theta
    assert attributes["theta_interval"] == list(found.theta_interval)
    assert attributes["degrees"] == found.degrees
    assert (attributes.get("ess"), attributes.get("r_hat")) == (found.ess, found.rhat)
    matrix = found.fit.covariance
    assert np.linalg.eigvalsh(matrix).min() >= -1e-12
    assert (matrix[0, 1] > 0) == (len(found.fit.thetas) > 1)
    assert attributes["theta_probabilities"] == fit["probability"].values.tolist()
    assert (attributes["sampler"], attributes["seed"]) == (found.method, found.seed)


@pytest.mark.slow
def test_volumes_as_a_datatree() -> None:
    """Levels are named by log 1/t, one after the other."""
    pytest.importorskip("arviz_base")
    ladder = rlct.llc(rlct.poly("x**2"), method="splitting").to_datatree()["ladder"]
    start, stop = ladder["log_inverse_t_start"].values, ladder["log_inverse_t_stop"].values
    assert start[1:] == pytest.approx(stop[:-1])
    # K = x² on [0, 1/2]: the first level is the median, t = 1/16.
    assert start[0] == pytest.approx(np.log(16), abs=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "options", "levels"),
    [
        (squares({(1, 2): 1}), {}, 97),
        (LinearNetworkTarget([2, 1, 2], 0), {}, 12),
        (LinearNetworkTarget([2, 1, 2], 0), {"theta": 2}, 12),
    ],
    ids=["thinned", "whole", "θ is given"],
)
def test_the_table_of_a_ladder(target, options, levels) -> None:
    """Every row is a level of the ladder, the last one is among them, and the fit is below."""
    found = estimate(target, **options)
    lines = found.table().splitlines()
    cells = [line.split() for line in lines]
    (end,) = (k for k, row in enumerate(cells) if row[0] == "λ̂")
    assert end - 1 == min(levels, 20)
    ladder, fit = found.measured
    known = {
        f"{decade:.2f}": (f"{slope:.4g}", fitted)
        for decade, slope, fitted in zip(
            ladder.decades, ladder.slope, fit.uses(ladder), strict=True
        )
    }
    assert {row[0]: (row[1], row[-1] == "fitted") for row in cells[1:end]}.items() <= known.items()
    assert cells[end - 1][0] == list(known)[-1]
    assert cells[end][1] == f"{found.lam:.4g}"
    assert (f"20 of {levels} levels are shown" in lines) == (levels > 20)
    thetas = [line for line in lines if line.strip().startswith("θ =")]
    if options:
        assert [line.split()[-1] for line in thetas] == ["assumed"]
    else:
        (line,) = (line for line in thetas if line.split()[2] == str(fit.theta))
        assert line.endswith(f"{fit.thetas[fit.theta]:.0%}")


# Failure signatures


def words(found, *needles: str) -> bool:
    return all(any(n in line for line in found.warnings) for n in needles)


def good(**options):
    """Two directions at the least squares of 400 samples."""
    return estimate_llc(at_minimum(400), method="hmc", num_draws=150, seed=0, **options)


def at_minimum(samples: int, seed: int = 1) -> NetworkTarget:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(samples, 2)), rng.normal(size=(samples, 1))
    return NetworkTarget([np.linalg.lstsq(x, y, rcond=None)[0].T], x, y, "linear", sigma=1e3)


@pytest.mark.slow
def test_a_sound_run_has_no_warnings() -> None:
    found = good()
    assert (found.warnings, found.verdict) == ((), "usable")


@pytest.mark.slow
def test_negative_estimates_and_starts_that_are_no_minimum() -> None:
    data = RegressionTarget([2, 2], 1, samples=400, seed=1)
    data._cross = data._cross + 0.5  # the truth has moved away from w₀
    found = estimate_llc(data, method="hmc", num_draws=150, seed=0)
    assert found.lam < 0
    assert (found.verdict, len(found.warnings)) == ("not a minimum", 1)


@pytest.mark.slow
def test_a_loss_above_its_minimum_along_a_flat_direction() -> None:
    """1.5 above the minimum of nβL, where the curvature is a hundredth of the largest.

    A single gradient step lowers nβL by 0.015 only, and λ̂ = 1 − 1.5 + O(γ/nβh).
    """
    data = RegressionTarget([2, 1], 1, samples=4000, seed=1)
    data._second = np.diag([1.0, 0.01])
    n_beta = 4000 / np.log(4000)
    assert _from(data, np.zeros(2)).verdict == "usable"
    above = _from(data, np.array([0.0, 0.01 * np.sqrt(2 * 1.5 / n_beta / 0.01)]))
    assert above.verdict == "not a minimum"
    assert above.run.descent == pytest.approx(1.5, rel=0.01)


def _from(data: RegressionTarget, slope: np.ndarray):
    """A run whose start has this gradient."""
    data._cross = -slope[None]
    return estimate_llc(data, method="hmc", num_draws=200, localization=1e-3, seed=0)


def test_a_loss_that_does_not_depend_on_the_parameters() -> None:
    data = RegressionTarget([1, 1], 1, samples=100, seed=1)
    data._second, data._cross = np.zeros((1, 1)), np.zeros((1, 1))
    found = estimate_llc(data, method="hmc", num_draws=50, num_chains=4, seed=0)
    assert (found.lam, found.verdict) == (0.0, "usable")


@pytest.mark.parametrize("lr", [1e-12, None])
def test_a_step_that_is_too_small(lr) -> None:
    found = estimate_llc(at_minimum(400), method="sgld", lr=lr, num_draws=300, seed=0)
    assert words(found, "too short: the chains have explored 0% of the directions") == bool(lr)


@pytest.mark.slow
def test_chains_that_hardly_left_are_too_short() -> None:
    """Where noise is 10⁶ times the rest λ̂ is negative by chance, at the minimum itself."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 3))
    y = x @ [[1.0], [2.0], [0.0]] + 1e3 * rng.standard_t(4, size=(400, 1))
    minimum = np.linalg.lstsq(x, y, rcond=None)[0].T
    found = estimate_llc(
        NetworkTarget([minimum], x, y, "linear"),
        method="sgld",
        seed=0,
        num_draws=Sgld.usual_draws,  # it would not stop by itself
    )
    assert found.verdict == "too short"
    assert words(found, "chains have not explored")


@pytest.mark.parametrize("kept", [0.5, 1.0])
def test_a_damaged_checkpoint_is_one_line(kept: float, tmp_path) -> None:
    """Half of a file, or all of it with some bytes changed."""
    options = {"n_beta": 10.0, "num_draws": 20, "checkpoint": tmp_path / "run.npz"}
    estimate_llc(LinearNetworkTarget([2, 2, 2], 0), **options)
    content = bytearray(options["checkpoint"].read_bytes())
    content[1000:1040] = bytes(40)
    options["checkpoint"].write_bytes(content[: int(kept * len(content))])
    with pytest.raises(InputError, match="damaged"):
        estimate_llc(LinearNetworkTarget([2, 2, 2], 0), **options)


def test_localization_that_decides() -> None:
    found = good(localization=300.0)
    assert found.verdict == "localized"
    assert words(found, "if localization doubles from 300")


@pytest.mark.study
def test_a_long_step_on_all_data_adds_nothing() -> None:
    """By four errors; control: a step whose noise is not averaged adds a fifth and more."""
    data = at_minimum(400)
    fine = estimate_llc(data, method="hmc", num_draws=300, seed=0)
    for lr in (3e-2, 1.2e-2):
        found = estimate_llc(data, method="sgld", lr=lr, batch_size=400, num_draws=3000, seed=0)
        error = np.hypot(found.error, fine.error)
        assert abs(found.draws.mean() - fine.lam) < 4 * error < 0.2 * fine.lam
        assert abs(found.lam - fine.lam) < 4 * error
        assert found.diagnostics["effect of biased"] < 0.05


def test_chains_without_a_test_have_no_acceptance() -> None:
    data = RegressionTarget([2, 2], 1, samples=400, seed=1)
    found = estimate_llc(data, method="sgld", lr=1e-3, batch_size=50, num_draws=100, seed=0)
    assert np.isnan(found.chains.acceptance).all()
    assert "—" in found.table()
    assert "0%" not in found.table()


@pytest.mark.study
def test_mini_batches_as_temperature() -> None:
    """Of their noise is what they add: a fifth of the injected one adds a fifth to λ̂."""
    data = at_minimum(400)
    found = estimate_llc(data, method="sgld", lr=1e-2, batch_size=2, seed=0)
    assert (found.verdict, len(found.warnings)) == ("biased", 1)
    warm = estimate_llc(data, method="sgld", lr=7e-4, batch_size=5, num_draws=3000, seed=0)
    full = estimate_llc(data, method="sgld", lr=7e-4, batch_size=400, num_draws=3000, seed=0)
    assert full.verdict == "usable"
    assert warm.run.excess > 3 * full.run.excess
    rise = warm.draws.mean() - full.draws.mean() - warm.run.excess + full.run.excess
    assert abs(rise) < 4 * np.hypot(*(one.errors["chains"] for one in (warm, full)))


def test_divergence_is_an_error_that_names_the_step() -> None:
    data = RegressionTarget([2, 2, 2], 1, samples=400, seed=1)
    with pytest.raises(DivergedError, match=r"at step \d+"):
        estimate_llc(data, method="sgld", lr=10.0, seed=0)


def test_a_run_that_still_rises() -> None:
    rng = np.random.default_rng(0)
    options = {"gauge_every": 1, "moving_weights": 1, "localization": 1.0, "level": 0.95}

    def sure_gain(draws, filled=None):
        virial = None if filled is None else np.broadcast_to(filled, draws.shape)
        return summarize_run(draws, 0 * draws, virial, draws**2, **options).sure_gain

    rising = rng.normal(size=(4, 400)) + np.linspace(0, 40, 400)
    assert sure_gain(rising) == pytest.approx(20, 0.1)
    # Filled from 0.2 to 0.6, of halves 0.3 and 0.5, there are 0.5 to come, 2.5 times what came.
    filled = np.linspace(0.2, 0.6, 400) + 0.001 * rng.normal(size=(4, 400))
    assert sure_gain(rising, filled) == pytest.approx(50, 0.1)
    # Stationary noise is called a rise once in 1000 runs: in 500 more than 5 times with 1e-5.
    assert sum(sure_gain(rng.normal(size=(4, 400))) > 0 for _ in range(500)) <= 5


@pytest.mark.study
def test_no_burn_in_is_chosen_for_its_noise() -> None:
    """Chains without a transient whose draws have long tails: Σ v⁴/4 of two autoregressions.

    Of 1500 intervals of 95 % 91 % is four errors below, and 97 % above.
    """
    rng = np.random.default_rng(3)
    options = {"gauge_every": 1, "moving_weights": 2, "localization": 1.0, "level": 0.95}
    held = 0
    for _ in range(1500):
        noise = np.sqrt(0.19) * rng.normal(size=(8, 500, 2))
        v = lfilter([1.0], [1.0, -0.9], noise, axis=1)[:, 100:]
        draws = 0.25 * (v**4).sum(axis=2)
        found = summarize_run(draws, 0 * draws, None, (v**2).sum(axis=2), **options)
        held += abs(found.lam - 1.5) < found.half_width
    assert 0.91 < held / 1500 < 0.97


# Interruption


def test_ctrl_c_keeps_the_draws() -> None:
    target = LinearNetworkTarget([2, 2, 2], 0)
    handler = signal.getsignal(signal.SIGINT)  # none, if a shell started the tests with &
    pid = os.getpid()

    def strike() -> None:
        time.sleep(0.1)
        os.kill(pid, signal.SIGINT)

    started = []

    def progress(fraction: float, text: str) -> None:
        if fraction > 0.3 and not started:
            started.append(threading.Thread(target=strike))
            started[0].start()

    found = estimate_llc(
        target,
        n_beta=10.0,
        method="hmc",
        num_burnin=50,
        num_draws=100_000,
        progress=lambda f, text: progress(1.0 if "step 200 " in text else 0.0, text),
    )
    started[0].join()
    assert words(found, "interrupted after")
    assert 20 <= found.chains.draws.shape[2] < 100_000
    assert signal.getsignal(signal.SIGINT) is handler


def test_an_early_ctrl_c_is_passed_on_and_files_of_other_runs_are_refused(tmp_path) -> None:
    target = LinearNetworkTarget([2, 2, 2], 0)

    def stop(fraction: float, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"^in the burn-in$"):
        estimate_llc(target, n_beta=10.0, method="hmc", progress=stop)
    with pytest.raises(KeyboardInterrupt, match=r"^before 20 draws of each chain$"):
        estimate_llc(target, n_beta=10.0, method="hmc", num_burnin=0, progress=stop)
    path = tmp_path / "x.npz"
    path.write_bytes(b"not a file of ours")
    with pytest.raises(InputError, match="damaged"):
        estimate_llc(target, n_beta=10.0, checkpoint=path)
    with pytest.raises(InputError, match=r"\.npz"):
        estimate_llc(target, n_beta=10.0, checkpoint=tmp_path / "x.txt")


@pytest.mark.parametrize("method", ["mala", "sgld", "hmc"])
def test_a_finished_run_is_read_from_its_file(tmp_path, method: str) -> None:
    data = RegressionTarget([2, 2], 1, samples=100, seed=1)
    path = tmp_path / "run.npz"
    options = {"method": method, "num_draws": 40, "num_burnin": 20, "seed": 3}
    first = estimate_llc(data, checkpoint=path, **options)
    second = estimate_llc(data, checkpoint=path, **options)
    assert (first.chains.draws == second.chains.draws).all()
    assert [p.name for p in tmp_path.iterdir()] == ["run.npz"]


@pytest.mark.parametrize(
    ("data", "change", "words"),
    [
        ({"seed": 2}, {}, "other data"),
        ({"seed": 1, "noise": 0.5}, {}, "other data"),
        ({"seed": 2}, {"lr": 2e-3}, "other data"),
        ({"seed": 1}, {"seed": 4}, r"other settings \(seed\)"),
        ({"seed": 1}, {"batch_size": 8}, r"other settings \(batch_size\)"),
        ({"seed": 1}, {"method": "hmc", "lr": None, "batch_size": None}, r"settings \(method"),
    ],
)
def test_the_file_of_another_run_is_refused(tmp_path, data, change, words: str) -> None:
    """Equal dimension, nβ and steps do not make it the same run."""
    path = tmp_path / "run.npz"
    options = {"method": "sgld", "lr": 1e-3, "batch_size": 16, "num_draws": 40, "seed": 3}
    kept = estimate_llc(
        RegressionTarget([2, 2], 1, samples=100, seed=1), checkpoint=path, **options
    )
    with pytest.raises(InputError, match=words):
        estimate_llc(
            RegressionTarget([2, 2], 1, samples=100, **data), checkpoint=path, **options | change
        )
    again = estimate_llc(
        RegressionTarget([2, 2], 1, samples=100, seed=1), checkpoint=path, **options
    )
    assert again.lam == kept.lam


@pytest.mark.parametrize("change", ["one input moved", "two samples exchanged"])
def test_the_file_of_a_run_on_nearly_the_same_data_is_refused(tmp_path, change: str) -> None:
    """K and its gradient differ by less than rounding may, or not at all."""
    x = np.random.default_rng(0).normal(size=(300, 1))
    options = {"num_draws": 20, "num_burnin": 5, "num_chains": 4, "method": "hmc"}

    def run(x):
        target = NetworkTarget([np.ones((1, 1)), np.ones((1, 1))], x, x**2, "tanh")
        return estimate_llc(target, checkpoint=tmp_path / "run.npz", **options).lam

    kept = run(x)
    other = x.copy()
    if change == "one input moved":
        other[7] += 1e-2
    else:
        other[[3, 4]] = x[[4, 3]]
    with pytest.raises(InputError, match="other data"):
        run(other)
    assert run(x) == kept


def test_a_checkpoint_that_cannot_be_written_is_noticed_before_the_run(tmp_path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        estimate_llc(
            LinearNetworkTarget([1, 1], rank=0),
            n_beta=10.0,
            num_draws=10**6,
            checkpoint=tmp_path / "none" / "run.npz",
        )


def test_mini_batches_go_on_where_they_stopped(tmp_path, monkeypatch) -> None:
    """A run stopped in the middle, and one that was not: the same draws, batches included."""
    options = {"n_beta": 20.0, "lr": 1e-3, "batch_size": 7, "method": "sgld", "seed": 3}
    options |= {"num_draws": 60, "num_burnin": 10}
    data = RegressionTarget([2, 2], 1, samples=100, seed=1)
    whole = estimate_llc(data, **options)
    assert (estimate_llc(data, **options).chains.draws == whole.chains.draws).all()

    def stop(fraction: float, text: str) -> None:
        if fraction > 0.5:
            raise KeyboardInterrupt

    monkeypatch.setattr("rlct.sampling.markov_chains.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)
    path = tmp_path / "run.npz"
    part = estimate_llc(data, checkpoint=path, progress=stop, **options)
    assert part.chains.interrupted
    assert part.chains.draws.shape[2] < 60
    resumed = estimate_llc(
        RegressionTarget([2, 2], 1, samples=100, seed=1), checkpoint=path, **options
    )
    assert (resumed.chains.draws == whole.chains.draws).all()
    assert resumed.nu == whole.nu


@pytest.mark.parametrize(
    ("options", "needle"),
    [
        (
            {"method": "tempering"},
            "unknown method 'tempering': choose barker, hmc, mala, nuts, sgld$",
        ),
        ({"num_chains": 1}, "at least two chains"),
        ({"method": "hmc", "lr": 0.1}, "adapts its own step"),
        ({"localization": -1.0}, "localization"),
        ({"localization": 1e300}, "localization must be at most 1e[+]20, not 1e[+]300: beyond"),
        ({"n_beta": 1e160}, "n_beta must be at most 1e[+]100, not 1e[+]160: beyond, its squares"),
        ({"n_beta": 10**400}, "n_beta must be positive and finite"),
        ({"method": "sgnht"}, "method 'sgnht' is not offered: its one thermostat takes"),
        ({"errors": "all"}, "errors must be chains, batches or data, not 'all'"),
        ({"method": "hmc", "errors": "batches"}, "errors='batches' are sgld's"),
        ({"num_draws": 0}, "num_draws"),
        ({"level": 1.0}, "level"),
        ({"method": "sgld", "batch_size": 500}, "between 1 and the 100 samples"),
    ],
)
def test_settings_are_refused_in_one_line(options, needle: str) -> None:
    with pytest.raises(InputError, match=needle):
        estimate_llc(RegressionTarget([2, 2], 1, samples=100), **options)
    with pytest.raises(InputError, match="name n_beta"):
        estimate_llc(squares({(1,): 1}))


def test_there_is_no_bounding_box() -> None:
    with pytest.raises(InputError, match="there is no bounding box, as chains that walls keep"):
        rlct.llc(rlct.linear([1, 1], rank=0), n_beta=10.0, bounding_box_size=1.0)


def test_methods_that_a_population_takes_are_listed() -> None:
    plane = squares({(1,): 1})
    with pytest.raises(InputError, match=r"choose barker, hmc, mala, moves, nuts, sgld$"):
        estimate_llc(plane, n_beta=9.0, method="gibbs")
    with pytest.raises(InputError, match=r"choose barker, hmc, mala, nuts, sgld$"):
        estimate_llc(plane, n_beta=9.0, method="gibbs", localization=1.0)


# Origins of the error of a ladder


@pytest.mark.slow
def test_the_error_of_a_ladder_has_three_parts() -> None:
    """Few particles make noise, not finite n; a sampler without weights has a bias of its own."""
    target = LinearNetworkTarget([2, 2, 2], 0)
    many = estimate(target, seed=1)
    for found in (many, estimate(squares({(1, 2): 1}), seed=1)):
        assert np.linalg.norm(list(found.errors.values())) == pytest.approx(found.error)
    assert 0 < many.errors["sampler"] < 0.02
    few = estimate(target, seed=1, effort=0.1)
    assert few.errors["monte_carlo"] > 1.5 * many.errors["monte_carlo"]
    assert "sampler" not in estimate(target, seed=1, method="mala", effort=0.05).errors


def test_slow_moves_are_noise_and_no_bias(monkeypatch: pytest.MonkeyPatch) -> None:
    """log Z without any move, 300 islands: unbiased Z; 1e-4.  Control: Z at half the nβ."""
    monkeypatch.setattr("rlct.sampling.markov_chains.cooling.multiscale_moves", lambda *a, **k: 0.0)
    target = squares({(1,): 1})
    ladder = tempering_ladder(
        target, rng=np.random.default_rng(0), particles=64, islands=300, top=40.0, sweeps=1
    )
    log_z = -(ladder.slopes * (ladder.stop - ladder.start)).sum(axis=1)
    states = density_of_states(target)
    first, last = ladder.unit * np.exp([ladder.start[0], ladder.stop[-1]])
    exact = float(
        np.diff(
            [
                np.log((np.exp(-nb * np.exp(states.log_k)) * states.mass).sum())
                for nb in (first, last)
            ]
        )[0]
    )
    assert abs(log_z.mean() - exact) < 4 * log_z.std() / np.sqrt(300)
    assert abs(log_z.mean() - exact + 0.5 * np.log(2)) > 4 * log_z.std() / np.sqrt(300)


@pytest.mark.study
@pytest.mark.parametrize(
    ("generator", "rough", "hopeless"),
    [
        ({(1, 2): 1}, 4e-3, 3e-2),
        ({(1, 1): 1}, 1e-3, 4e-3),
        ({(1, 0): 1, (0, 1): 1}, 5e-5, 1e-3),
    ],
)
def test_a_step_that_curvature_does_not_bear_is_named(generator, rough, hopeless) -> None:
    """In a box no chain runs away: where it is unstable, one step is farther than it is wide.

    A step whose noise is of one step alone is biased where the rough ones are right to five errors.
    """
    target = PolynomialTarget([generator], squared=True)
    found = estimate_llc(target, n_beta=1e4, method="sgld", lr=rough, num_chains=64)
    exact = tempered_mean(target, 1e4).value
    assert abs(found.lam - exact) < 5 * found.error < 0.1 * exact
    assert found.verdict != "biased"
    with pytest.raises(DivergedError, match=r"at step \d+, farther than its box is wide"):
        estimate_llc(target, n_beta=1e4, method="sgld", lr=hopeless, num_chains=64)


def test_chains_that_are_far_from_any_posterior_are_no_estimate() -> None:
    """Chains that got far may stay there; while they settle they may come from afar."""
    target = PolynomialTarget([{(1,): 1}], squared=True)
    rng = np.random.default_rng(0)
    posterior = TemperedPosterior(target, 1e6, rng=rng, num_chains=2, localization=0.0)
    kernel = Sgld(posterior, lr=1e-9)
    kernel.w[1] = 0.4
    kernel.step(7, in_burnin=True)
    with pytest.raises(DivergedError, match=r"at step 8 to nβL = 1\.6e\+05"):
        kernel.step(8, in_burnin=False)


def test_chains_go_on_until_they_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to eight times the usual draws; draws that were named are as many as they were."""
    target = LinearNetworkTarget([1, 1], 0)
    usual = estimate_llc(target, n_beta=100.0)
    monkeypatch.setattr("rlct.sampling.verdict.USABLE_SHARE", 0.0)
    longer = estimate_llc(target, n_beta=100.0)
    assert usual.chains is not None
    assert longer.chains is not None
    count = usual.chains.draws.shape[2]
    assert longer.chains.draws.shape[2] == longer.chains.distance.shape[2] == 8 * count
    assert np.array_equal(longer.chains.draws[:, :, :count], usual.chains.draws)
    assert longer.error < usual.error
    named = estimate_llc(target, n_beta=100.0, num_draws=count)
    assert named.chains is not None
    assert named.chains.draws.shape[2] == count


@pytest.mark.slow
def test_small_data_have_many_chains() -> None:
    """f = a·b·x: chains in the arms of the cross scatter. At five errors 10⁻⁵ is a false alarm."""
    x, y = np.random.default_rng(5).normal(size=(2, 400, 1))
    data = NetworkTarget([[[0.0]], [[0.0]]], x, y, "linear")
    found = estimate_llc(data)
    exact = tempered_mean(data, found.run.n_beta, localization=1.0)
    error = np.hypot(found.errors["chains"], exact.error)
    assert abs(found.lam - exact.value) < 5 * error
    assert abs(found.lam - 1.4 * exact.value) > 5 * error
    assert found.chains.draws.shape[1] == 64


def test_one_draw_tells_nothing_of_the_step() -> None:
    found = rlct.llc(rlct.linear([2, 2, 2], rank=1), nbeta=100, num_draws=1, num_burnin=5)
    assert found.run.n_beta == 100
    assert found.ess == 0
    assert not any("never moved" in words for words in found.warnings)


@pytest.mark.study
@pytest.mark.parametrize(
    ("target", "exact"),
    [
        (LinearNetworkTarget([3, 2, 3], 0), 2.416),
        (PolynomialTarget([{(2, 2): 1}], squared=True), 0.07143),
        (PolynomialTarget([{(5,): 1}], squared=True), 0.05949),
    ],
    ids=["linear", "x⁴y⁴", "x¹⁰"],
)
def test_sgld_finds_its_step_where_the_loss_is_flat_at_the_point(target, exact) -> None:
    """The step that w₀ bears is 10²² for x¹⁰.  4.5 errors and a tenth for the step's own bias."""
    found = estimate_llc(target, method="sgld", n_beta=1000.0, seed=0)
    error = max(found.errors.values())
    assert abs(found.lam - exact) < 4.5 * error + 0.1 * exact
    assert error < 0.7 * exact
    with pytest.raises(DivergedError, match="lower lr"):
        estimate_llc(target, method="sgld", n_beta=1000.0, seed=0, lr=1e4)


@pytest.mark.study
def test_sgld_finds_its_step_where_the_localization_leaves_it_large() -> None:
    """All weights are 0: ε = 0.4/γ = 40 before, and λ̂ = −1 ± 10.  4.5 errors."""
    rng = np.random.default_rng(8)
    x = rng.normal(size=(300, 2))
    y = rng.normal(size=(300, 2))
    y -= x @ np.linalg.lstsq(x, y, rcond=None)[0]
    target = NetworkTarget([np.zeros((2, 2))] * 2, x, y, "linear", sigma=1e6)
    found = estimate_llc(target, method="sgld", localization=0.01, seed=1)
    exact = estimate_llc(target, method="hmc", localization=0.01, seed=1, num_draws=400)
    error = np.hypot(max(found.errors.values()), exact.errors["chains"])
    assert abs(found.lam - exact.lam) < 4.5 * error < exact.lam


@pytest.mark.slow
def test_sgld_finds_its_step_on_a_population() -> None:
    """E[nβK] = 1/2 of w²/2; one interval of twenty misses it, all of three one time in 8 000."""
    target = LinearNetworkTarget([1, 1], 0)
    found = [
        estimate_llc(target, n_beta=1e3, method="sgld", localization=1.0, seed=s) for s in range(3)
    ]
    assert sum(one.interval[0] <= 0.5 <= one.interval[1] for one in found) >= 1
    assert all(one.interval[1] - one.interval[0] < 0.4 for one in found)
    assert all(abs(one.lam - 0.75) > abs(one.lam - 0.5) for one in found)


def test_a_loss_without_parameters_has_chains_that_agree() -> None:
    class Nothing(LinearNetworkTarget):
        """K = 0."""

        def divergence(self, w):
            """Zero."""
            return 0.0 * super().divergence(w)

    found = estimate_llc(Nothing([1, 1], 0), n_beta=10.0)
    assert (found.lam, found.verdict) == (0.0, "usable")
