"""Inputs of very different scales: chains that cross all directions, or a warning."""

import numpy as np
import pytest
from scipy.stats import t as student

from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.local.observables import DataMoments
from rlct.sampling.local.spectrum import spectrum, units
from rlct.sampling.markov_chains import kernel_choice
from rlct.sampling.markov_chains.length import DRAWS
from rlct.sampling.markov_chains.posterior import TemperedPosterior
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
    assert found.curvatures == pytest.approx(bend)
    assert np.abs((found.basis * basis).sum(axis=0)) == pytest.approx(1.0)
    assert found.regular == pytest.approx(exact(moment, 50.0))
    root = found.units().root
    assert root @ root == pytest.approx(np.linalg.inv(50.0 * moment + np.eye(3)))


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
            found.append(gap / run.errors["monte_carlo"])
            assert run.run.lacking == 0 or any("flattest" in w for w in run.warnings)
        return np.abs(found)

    assert scores(6).max() < 6
    monkeypatch.setattr(kernel_choice, "units", lambda *arguments: None)
    assert np.median(scores(3, num_draws=DRAWS[method])) > 10  # it would not stop by itself


def test_nuts_crosses_them_too() -> None:
    """False alarm 0.5 % with 3 degrees of freedom, each; a direction not crossed lacks 1/2."""
    pytest.importorskip("mici")
    for seed in range(2):
        target, moment = regression(SCALES, seed)
        found = estimate_llc(target, method="nuts", seed=seed)
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
        found = estimate_llc(target, method="sgld", seed=3)
        warned = [w for w in found.warnings if "have not filled the flattest directions" in w]
        assert bool(warned) == bool(missing)
        assert found.run.lacking == pytest.approx(missing, abs=0.05)
        gap = exact(moment, found.run.n_beta) - found.lam
        assert gap == pytest.approx(found.run.lacking, abs=5 * found.errors["monte_carlo"])


def test_directions_that_the_localization_holds_are_warned_of() -> None:
    """λ̂ + held is d/2 there; flat and singular directions are none, with noise neither."""
    target, moment = regression((1.0, 0.01, 0.01), 4)
    found = estimate_llc(target, seed=4)
    missing = 1.5 - exact(moment, found.run.n_beta)
    assert missing > 0.9
    assert found.run.held == pytest.approx(missing, abs=0.02)
    assert any("localization holds chains at w*" in words for words in found.warnings)
    alike, _ = regression((1.0, 1.0, 1.0), 4)
    assert estimate_llc(alike, seed=4).run.held == 0
    rng = np.random.default_rng(5)
    x = rng.normal(size=(1000, 3))
    hidden, outer = np.zeros((4, 3)), np.zeros((1, 4))
    hidden[0], outer[0, 0] = rng.normal(size=3), 1.0
    for activation, function in (("tanh", np.tanh), ("linear", lambda z: z)):
        y = function(x @ hidden.T) @ outer.T + rng.normal(size=(1000, 1))
        net = NetworkTarget([hidden, outer], x, y, activation)
        assert estimate_llc(net, seed=5, num_chains=8).run.held == 0


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


def test_directions_that_bend_by_higher_powers_are_entered_beside_a_sharp_one(monkeypatch) -> None:
    """Five standard errors (7 degrees of freedom: 2e-3); before, λ̂ was 1/2 and said nothing."""
    target, mean = quartics(6)
    assert mean > 1.9
    for method in ("hmc", "mala"):
        found = estimate_llc(target, method=method, seed=1, num_chains=8)
        assert abs(found.lam - mean) < 5 * found.errors["monte_carlo"]
        assert found.lam > 1.3
        assert found.run.unexplored == 0
    found = estimate_llc(target, method="sgld", seed=1)
    assert found.run.unexplored == 6
    assert any("hardly entered 6 flat ones" in words for words in found.warnings)
    monkeypatch.setattr("rlct.sampling.local.spectrum.UNEVEN", np.inf)
    assert estimate_llc(target, method="mala", seed=1, num_draws=DRAWS["mala"]).lam < 0.7


@pytest.mark.parametrize("shift", [2000.0, 0.0])
def test_a_year_beside_an_intercept_is_held_in_single_precision_too(shift) -> None:
    """By data of mean 2000 the intercept is held, ½; control: of mean 0 nothing is."""
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(2)
    x = shift + 10 * rng.normal(size=(1000, 1))
    y = 0.1 * (x - shift) + rng.normal(size=(1000, 1))
    design = np.hstack([x, np.ones_like(x)])
    slope, constant = np.linalg.lstsq(design, y, rcond=None)[0][:, 0]
    net = torch.nn.Linear(1, 1).double()
    with torch.no_grad():
        net.weight.fill_(slope)
        net.bias.fill_(constant)
    for kind in (torch.float64, torch.float32):
        found = estimate_llc(ModuleTarget(net, (x, y), "gaussian", dtype=kind), seed=2)
        assert found.run.held == pytest.approx(0.5 if shift else 0.0, abs=0.01)


def test_rounding_of_single_precision_is_no_bend() -> None:
    """a·relu(bx) does not change where a goes up and b down; large x make errors of the Hessian."""
    torch = pytest.importorskip("torch")

    class Product(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(torch.tensor([1.0, 1e-3]))

        def forward(self, x):
            return self.w[0] * torch.relu(self.w[1] * x)

    rng = np.random.default_rng(3)
    x = 1000 * np.abs(rng.normal(size=(1000, 1)))
    y = rng.normal(size=(1000, 1))
    y += x * (1e-3 - (x * y).sum() / (x**2).sum())  # least squares at w*
    found = estimate_llc(ModuleTarget(Product(), (x, y), "gaussian"), method="sgld", seed=3)
    assert found.run.lacking < 0.02


def test_the_prior_confines_as_the_localization_does() -> None:
    """½ Σ nβh/(nβh + γ + σ⁻²); steps that the sharpest bears need not cross more than σ."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(1000, 3)) * (1000.0, 1.0, 1.0)
    y = rng.normal(size=(1000, 1))
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    for dtype in (np.float64, np.float32):
        target = NetworkTarget([best.T], x, y, "linear", sigma=0.001, dtype=dtype)
        found = estimate_llc(target, method="sgld", seed=4)
        assert found.run.lacking < 0.01
        assert found.run.held == pytest.approx(1.0, abs=0.01)  # two of three directions
        assert any(words.startswith("the prior holds chains at w*") for words in found.warnings)
        assert found.run.unexplored == 0


@pytest.mark.parametrize("method", ["hmc", "mala"])
def test_curved_valleys_beside_a_sharp_direction_are_told_of(method) -> None:
    """A linear network with an unused unit, one input much larger than the other: λ̂ lacks up to 1.

    In five of eight directions chains stay at w*, and what they lack is not known to their scatter.
    Control: inputs alike.
    """
    corners = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    truth = np.diag([1.0, 0.0])
    for scale, told in ((1e6, True), (1.0, False)):
        x = np.tile(corners, (250, 1)) * (scale, 1.0)
        found = estimate_llc(
            NetworkTarget([truth, truth], x, x @ truth, "linear"), method=method, seed=0
        )
        missing, error, _ = found.run.filling
        assert any("may lack up to" in words for words in found.warnings) == told
        assert (2 < missing < 6) == told
        assert (missing > 4 * error) == told
        assert (found.lam < 1.5) == told


@pytest.mark.parametrize("method", ["hmc", "mala", "sgld"])
def test_all_directions_are_filled_where_inputs_are_alike(method) -> None:
    """False alarm 1e-3 by Student's t over the chains."""
    x = np.random.default_rng(1).normal(size=(200, 2))
    truth = np.diag([1.0, 0.0])
    found = estimate_llc(
        NetworkTarget([truth, truth], x, x @ truth, "linear"), method=method, seed=1
    )
    missing, error, _ = found.run.filling
    assert abs(missing) < student.isf(5e-4, found.degrees) * error
    assert error < 2
    assert not any("directions around" in words for words in found.warnings)


def test_few_draws_and_places_above_the_minimum_say_nothing_of_filling() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=(500, 3))
    y = x.sum(axis=1)[:, None] + rng.normal(size=(500, 1))
    far = NetworkTarget([np.zeros((1, 3))], x, y, "linear")
    short = estimate_llc(far, method="hmc", num_draws=4, num_burnin=0, seed=0)
    assert short.run.filling.missing == 0
    above = estimate_llc(far, method="sgld", num_draws=40, num_burnin=0, seed=0)
    assert above.run.filling.most == 0
    assert not any("directions around" in words for words in above.warnings)


def test_the_mean_pull_counts_directions() -> None:
    """E[w·∇U] = d of exact draws; of draws half as far from w* a quarter."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(100, 3))
    target = NetworkTarget([np.ones((1, 3))], x, x.sum(axis=1)[:, None], "linear")
    posterior = TemperedPosterior(target, 20.0, rng=rng, num_chains=50, localization=1.0)
    root = np.linalg.cholesky(np.linalg.inv(20.0 * x.T @ x / 100 + 2.0 * np.eye(3)))
    for share, missing in ((1.0, 0.0), (0.5, 0.75 * 3)):
        moments = DataMoments(posterior)
        for _ in range(40):
            moments(share * rng.normal(size=(50, 3)) @ root.T, None)
        value, error = moments.unfilled()
        assert abs(value - missing) < 4 * error < 0.4
