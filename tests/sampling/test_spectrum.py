"""Inputs of very different scales: chains that cross all directions, or a warning."""

import numpy as np
import pytest

from rlct.sampling import llc as llc_module
from rlct.sampling.finite_n import tempered_mean
from rlct.sampling.llc import llc
from rlct.sampling.network import NetworkTarget
from rlct.sampling.posterior import TemperedPosterior
from rlct.sampling.spectrum import spectrum, units

SCALES = (3.0, 20.0, 20000.0)  # rooms, years, income


def regression(scales, seed: int, samples: int = 2000) -> tuple[NetworkTarget, np.ndarray]:
    """Linear regression at its minimum, and the second moment of the inputs."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(samples, len(scales))) * scales
    y = rng.normal(size=samples)
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    target = NetworkTarget([best[None]], x, y[:, None], "linear", sigma=1e6)
    return target, x.T @ x / samples


def exact(moment: np.ndarray, n_beta: float) -> float:
    """½ tr (nβS + γ)⁻¹ nβS with γ = 1: the tempered mean of a quadratic loss."""
    bend = n_beta * np.linalg.eigvalsh(moment)
    return float(0.5 * (bend / (bend + 1.0)).sum())


def test_the_spectrum_is_that_of_the_second_moment() -> None:
    target, moment = regression(SCALES, 0)
    posterior = TemperedPosterior(
        target, 50.0, rng=np.random.default_rng(0), num_chains=2, localization=1.0
    )
    found = spectrum(posterior)
    bend, basis = np.linalg.eigh(50.0 * moment)
    assert found.bend == pytest.approx(bend)
    assert np.abs((found.basis * basis).sum(axis=0)) == pytest.approx(1.0)
    assert found.regular == pytest.approx(exact(moment, 50.0))
    assert found.root() @ found.root() == pytest.approx(np.linalg.inv(50.0 * moment + np.eye(3)))


@pytest.mark.parametrize("method", ["hmc", "mala"])
def test_inputs_of_any_scale_have_the_exact_mean(method, monkeypatch) -> None:
    """λ̂ of each of six data sets, z = −6 … 6 (false alarm 1e-3 with 7 degrees of freedom, each).

    Control: in plain coordinates chains never leave w* in two of three directions, and agree.
    """

    def scores():
        found = []
        for seed in range(6):
            target, moment = regression(SCALES, seed)
            run = llc(target, method=method, seed=seed)
            gap = run.lam - exact(moment, run.run.n_beta)
            found.append(gap / run.errors["monte_carlo"])
            assert run.run.lacking == 0 or any("flattest" in w for w in run.warnings)
        return np.abs(found)

    assert scores().max() < 6
    monkeypatch.setattr(llc_module, "units", lambda *arguments: None)
    assert np.median(scores()) > 10


def test_nuts_crosses_them_too() -> None:
    """False alarm 0.5 % with 3 degrees of freedom, each; a direction not crossed lacks 1/2."""
    pytest.importorskip("mici")
    for seed in range(2):
        target, moment = regression(SCALES, seed)
        found = llc(target, method="nuts", seed=seed)
        gap = found.lam - exact(moment, found.run.n_beta)
        assert abs(gap) < 7.5 * found.errors["monte_carlo"]
        assert abs(gap) < 0.4


def test_units_are_plain_where_trajectories_cross_all_directions() -> None:
    for scales, plain in (((1.0, 3.0), True), ((1.0, 3000.0), False)):
        target, _ = regression(scales, 1)
        posterior = TemperedPosterior(
            target, 260.0, rng=np.random.default_rng(0), num_chains=8, localization=1.0
        )
        assert (units(spectrum(posterior), 256.0, 120) is None) == plain


def test_a_long_run_of_reference_crosses_them_too() -> None:
    """Five standard errors; without its own units it was off by 1."""
    target, moment = regression(SCALES, 7, samples=300)
    found = tempered_mean(target, 50.0, localization=1.0)
    assert abs(found.value - exact(moment, 50.0)) < 5 * found.error < 0.2


def test_steps_without_units_are_warned_of_with_what_is_lacking() -> None:
    """SGLD leaves two directions empty, ½ each, and says so; with like scales it says nothing."""
    for scales, missing in ((SCALES, 1.0), ((1.0, 1.0, 1.0), 0.0)):
        target, moment = regression(scales, 3)
        found = llc(target, method="sgld", seed=3)
        warned = [w for w in found.warnings if "have not filled the flattest directions" in w]
        assert bool(warned) == bool(missing)
        assert found.run.lacking == pytest.approx(missing, abs=0.05)
        gap = exact(moment, found.run.n_beta) - found.lam
        assert gap == pytest.approx(found.run.lacking, abs=5 * found.errors["monte_carlo"])


def test_directions_that_the_localization_holds_are_warned_of() -> None:
    """λ̂ + held is d/2 there; flat and singular directions are none, with noise neither."""
    target, moment = regression((1.0, 0.01, 0.01), 4)
    found = llc(target, seed=4)
    missing = 1.5 - exact(moment, found.run.n_beta)
    assert missing > 0.9
    assert found.run.held == pytest.approx(missing, abs=0.02)
    assert any("localization holds chains at w*" in words for words in found.warnings)
    alike, _ = regression((1.0, 1.0, 1.0), 4)
    assert llc(alike, seed=4).run.held == 0
    rng = np.random.default_rng(5)
    x = rng.normal(size=(1000, 3))
    hidden, outer = np.zeros((4, 3)), np.zeros((1, 4))
    hidden[0], outer[0, 0] = rng.normal(size=3), 1.0
    for activation, function in (("tanh", np.tanh), ("linear", lambda z: z)):
        y = function(x @ hidden.T) @ outer.T + rng.normal(size=(1000, 1))
        assert llc(NetworkTarget([hidden, outer], x, y, activation), seed=5).run.held == 0
