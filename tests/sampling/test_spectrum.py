"""Inputs of very different scales: chains that cross all directions, or a warning."""

import numpy as np
import pytest
from scipy.stats import t as student

from rlct.sampling.kernels import kernel_class
from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains import metropolis
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import spectrum, units
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.targets.network import NetworkTarget

SCALES = (3.0, 20.0, 20000.0)  # rooms, years, income


def regression(scales, seed: int, samples: int = 2000) -> tuple[NetworkTarget, np.ndarray]:
    """Linear regression at its minimum, and the second moment of the inputs."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, len(scales))) * scales
    y = rng.normal(size=samples)
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    target = NetworkTarget([best[None]], x, y[:, None], "linear", sigma=1e6)
    return target, x.T @ x / samples


def exact(moment: np.ndarray, n_beta: float, pull: float = 1.0) -> float:
    """½ tr (nβS + γ)⁻¹ nβS with γ = 1: the tempered mean of a quadratic loss."""
    bend = n_beta * np.linalg.eigvalsh(moment)
    return float(0.5 * (bend / (bend + pull)).sum())


def test_the_spectrum_is_that_of_the_second_moment() -> None:
    target, moment = regression(SCALES, 0)
    posterior = TemperedPosterior(
        target, 50.0, rng=np.random.default_rng(0), num_chains=2, localization=1.0
    )
    found = spectrum(posterior)
    bend, basis = np.linalg.eigh(50.0 * moment)
    assert found.curvatures == pytest.approx(bend)
    assert np.abs((found.basis * basis).sum(axis=0)) == pytest.approx(1.0)
    assert found.regular == pytest.approx(exact(moment, 50.0))
    root = found.units().root
    assert root @ root == pytest.approx(np.linalg.inv(50.0 * moment + np.eye(3)))


@pytest.mark.study
@pytest.mark.parametrize("method", ["hmc", "mala"])
def test_inputs_of_any_scale_have_the_exact_mean(method, monkeypatch) -> None:
    """λ̂ of each data set, z = −6 … 6 (false alarm 1e-3 with 7 degrees of freedom, each).

    Control: in plain coordinates chains never leave w* in two of three directions, and agree.
    """

    def scores(seeds, **draws):
        found = []
        for seed in range(seeds):
            target, moment = regression(SCALES, seed)
            run = estimate_llc(target, method=method, seed=seed, **draws)
            gap = run.lam - exact(moment, run.run.n_beta)
            found.append(gap / run.errors["chains"])
        return np.abs(found)

    assert scores(6).max() < 6
    monkeypatch.setattr(metropolis, "units", lambda *arguments: None)
    assert (
        np.median(scores(3, num_draws=kernel_class(method).usual_draws)) > 10
    )  # it would not stop by itself


@pytest.mark.study
def test_nuts_crosses_them_too() -> None:
    """False alarm 0.5 % with 3 degrees of freedom; a direction not crossed lacks 1/2."""
    pytest.importorskip("mici")
    target, moment = regression(SCALES, 0)
    found = estimate_llc(target, method="nuts", seed=0)
    gap = found.lam - exact(moment, found.run.n_beta)
    assert abs(gap) < 7.5 * found.errors["chains"]
    assert abs(gap) < 0.4


def test_units_are_plain_where_trajectories_cross_all_directions() -> None:
    for scales, plain in (((1.0, 3.0), True), ((1.0, 3000.0), False)):
        target, _ = regression(scales, 1)
        posterior = TemperedPosterior(
            target, 260.0, rng=np.random.default_rng(0), num_chains=8, localization=1.0
        )
        assert (units(spectrum(posterior), 256.0, 120) is None) == plain


@pytest.mark.slow
def test_a_long_run_of_reference_crosses_them_too() -> None:
    """Five standard errors; without its own units it was off by 1."""
    target, moment = regression(SCALES, 7, samples=300)
    found = tempered_mean(target, 50.0, localization=1.0)
    assert abs(found.value - exact(moment, 50.0)) < 5 * found.error < 0.2


@pytest.mark.slow
def test_steps_without_units_are_warned_of_with_what_is_lacking() -> None:
    """SGLD leaves two directions empty, ½ each, and says so; with like scales it says nothing."""
    for scales, missing in ((SCALES, 1.0), ((1.0, 1.0, 1.0), 0.0)):
        target, moment = regression(scales, 3)
        found = estimate_llc(
            target, method="sgld", seed=3, num_draws=kernel_class("sgld").usual_draws
        )
        assert (found.verdict == "too short") == bool(missing)
        told = found.lam * found.diagnostics["effect of too short"]
        gap = exact(moment, found.run.n_beta) - found.lam
        assert gap == pytest.approx(missing, abs=5 * found.errors["chains"])
        assert not missing or told > 0.9 * gap


def quartics(count: int):
    """Outputs 10⁴·w₀x, w₁²x, …, of x ~ N(0, 1); a target in torch at w* = 0, and its mean."""
    torch = pytest.importorskip("torch")

    class Powers(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(torch.zeros(1 + count, dtype=torch.float64))

        def forward(self, x):
            return x * torch.cat([1e4 * self.w[:1], self.w[1:] ** 2])

    x = np.random.default_rng(1).normal(size=(500, 1))
    target = ModuleTarget(Powers(), (x, np.zeros((500, 1 + count))), "gaussian")
    n_beta = 500 / np.log(500)
    w = np.linspace(-6, 6, 20001)
    k = 0.5 * n_beta * (x**2).mean() * w**4
    density = np.exp(-k - 0.5 * w**2)
    return target, 0.5 + count * float((k * density).sum() / density.sum())


@pytest.mark.study
def test_directions_that_bend_by_higher_powers_are_entered_beside_a_sharp_one(monkeypatch) -> None:
    """Five standard errors (7 degrees of freedom: 2e-3); before, λ̂ was 1/2 and said nothing."""
    target, mean = quartics(6)
    assert mean > 1.9
    found = estimate_llc(target, method="mala", seed=1, num_chains=8)
    assert abs(found.lam - mean) < 5 * found.errors["chains"]
    assert found.lam > 1.3
    assert found.verdict == "usable"
    found = estimate_llc(target, method="sgld", seed=1, num_draws=1000)
    assert found.verdict == "too short"
    assert found.diagnostics["filling"] < 0.25
    monkeypatch.setattr("rlct.sampling.markov_chains.spectrum.UNEVEN_RATIO", np.inf)
    assert (
        estimate_llc(target, method="mala", seed=1, num_draws=kernel_class("mala").usual_draws).lam
        < 0.7
    )


@pytest.mark.slow
def test_the_prior_confines_as_the_localization_does() -> None:
    """½ Σ nβh/(nβh + γ + σ⁻²); steps that the sharpest bears need not cross more than σ.

    By four errors of 16 chains, and w·∇U; batches add a few per cent.
    """
    rng = np.random.default_rng(4)
    x = rng.normal(size=(1000, 3)) * (1000.0, 1.0, 1.0)
    y = rng.normal(size=(1000, 1))
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    for dtype in (np.float64, np.float32):
        target = NetworkTarget([best.T], x, y, "linear", sigma=0.001, dtype=dtype)
        found = estimate_llc(target, method="sgld", seed=4)
        exact_mean = exact(x.T @ x / 1000, found.run.n_beta, 1.0 + 1e6)
        assert abs(found.lam - exact_mean) < 5 * found.errors["chains"]
        filling = found.chains.virial[0].mean(axis=1) / 3
        error = filling.std(ddof=1) / len(filling) ** 0.5
        assert abs(filling.mean() - 1.0) < 4 * error + 0.05 < 0.7


@pytest.mark.study
def test_curved_valleys_beside_a_sharp_direction_are_told_of() -> None:
    """A linear network with an unused unit, one input much larger than the other: λ̂ lacks up to 1.

    In five of eight directions chains stay at w*, and what they lack is not known to their scatter.
    Control: inputs alike.
    """
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    truth = np.diag([1.0, 0.0])
    for scale, told in ((1e6, True), (1.0, False)):
        x = np.tile(corners, (250, 1)) * (scale, 1.0)
        target = NetworkTarget([truth, truth], x, x @ truth, "linear")
        # By itself it would not stop, which takes long with trajectories.
        found = estimate_llc(
            target, method="hmc", seed=0, num_draws=kernel_class("hmc").usual_draws
        )
        assert (found.verdict == "too short") == told
        assert (2 < 8 * (1 - found.diagnostics["filling"]) < 6) == told
        assert (found.lam < 1.5) == told


@pytest.mark.slow
@pytest.mark.parametrize("method", ["hmc", "mala", "sgld"])
def test_all_directions_are_filled_where_inputs_are_alike(method) -> None:
    """False alarm 1e-3 by Student's t over the chains."""
    x = np.random.default_rng(1).normal(size=(200, 2))
    truth = np.diag([1.0, 0.0])
    found = estimate_llc(
        NetworkTarget([truth, truth], x, x @ truth, "linear"), method=method, seed=1
    )
    by_chain = found.chains.virial[0].mean(axis=1)
    added = 0.0 if found.chains.excess is None else 2 * found.run.excess
    error = by_chain.std(ddof=1) / np.sqrt(len(by_chain))
    assert abs(by_chain.mean() - added - 8) < student.isf(5e-4, found.degrees) * error < 8
    assert found.verdict != "too short"
