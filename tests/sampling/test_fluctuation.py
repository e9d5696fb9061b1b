"""ν from mini-batches during a run: that of all data, resumable, and warned about when thin."""

import numpy as np
import pytest
from scipy.stats import binom
from scipy.stats import t as student

from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.local.fluctuation import unbiased_fluctuation, variance_of_sums
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.run_summary import RunSummary
from rlct.sampling.targets.mixture import GaussianMixtureTarget
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.regression import RegressionTarget

RNG = np.random.default_rng(8)
X, Y = RNG.standard_normal((40, 3)), RNG.standard_normal((40, 2))
LAYERS = [RNG.standard_normal((4, 3)), RNG.standard_normal((2, 4))]


def module():
    """The network of LAYERS in torch."""
    torch = pytest.importorskip("torch")
    from rlct.sampling.modules.module import ModuleTarget

    parts = [torch.nn.Linear(3, 4, bias=False), torch.nn.Tanh(), torch.nn.Linear(4, 2, bias=False)]
    for part, layer in zip(parts[::2], LAYERS, strict=True):
        part.weight.data = torch.as_tensor(layer)
    return ModuleTarget(torch.nn.Sequential(*parts), (X, Y), "gaussian")


TARGETS = {
    "regression": lambda: RegressionTarget([3, 2, 3], 1, samples=40, bias=True, seed=1),
    "network": lambda: NetworkTarget(LAYERS, X, Y, "tanh"),
    "mixture": lambda: GaussianMixtureTarget([0.4, 0.6], [[0.0], [1.0]], X[:, 0]),
    "module": module,
}


@pytest.mark.parametrize("name", TARGETS)
def test_losses_of_rows_are_those_of_all(name: str) -> None:
    target = TARGETS[name]()
    w = 0.3 * np.random.default_rng(1).standard_normal((5, target.dimension))
    rows = np.random.default_rng(2).integers(40, size=(5, 7))
    if name == "module":
        import torch

        w = torch.as_tensor(w)
    whole, some = np.asarray(target.pointwise(w)), np.asarray(target.pointwise(w, rows))
    assert some == pytest.approx(np.take_along_axis(whole, rows, axis=1))


@pytest.mark.parametrize("name", TARGETS)
def test_part_of_the_samples_has_the_same_losses(name: str) -> None:
    """Values and, by differences of them, slopes; the whole is as it was."""
    target = TARGETS[name]()
    w = 0.3 * np.random.default_rng(1).standard_normal((2, target.dimension))
    step = 1e-5 * np.eye(target.dimension)[0]
    points = np.array([*w, *(w + step), *(w - step)])
    if name == "module":
        import torch

        points = torch.as_tensor(points)
    before = np.asarray(target.divergence(points))
    rows = np.flatnonzero(np.random.default_rng(2).integers(2, size=40))
    part = target.part(rows)
    assert part.samples == len(rows)
    assert not hasattr(target, "doubled") or part.doubled.samples == len(rows)
    whole = np.asarray(target.pointwise(points))
    assert np.asarray(part.pointwise(points)) == pytest.approx(whole[:, rows])
    value, slope = (np.asarray(found) for found in value_and_gradient(part, points))
    assert value == pytest.approx(whole[:, rows].mean(axis=1))
    assert np.asarray(part.divergence(points)) == pytest.approx(value)
    assert slope[:2, 0] == pytest.approx((value[2:4] - value[4:]) / 2e-5, rel=1e-5, abs=1e-8)
    assert value[:2] != pytest.approx(before[:2], rel=1e-3)
    assert np.asarray(target.divergence(points)) == pytest.approx(before, rel=1e-14)


def test_a_run_resumed_gives_the_same_fluctuation(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("rlct.sampling.markov_chains.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)
    data = RegressionTarget([2, 1, 2], 1, samples=60, seed=1)
    options = {"method": "hmc", "num_draws": 30, "num_burnin": 20, "seed": 4}

    class StopError(Exception):
        pass

    def stopping(fraction: float, text: str) -> None:
        if fraction >= 0.75:
            raise StopError

    path = tmp_path / "run.npz"
    with pytest.raises(StopError):
        estimate_llc(data, checkpoint=path, progress=stopping, **options)
    assert estimate_llc(data, checkpoint=path, **options).nu == estimate_llc(data, **options).nu


def exactly(data: RegressionTarget, n_beta: float):
    """ν = (β/2) Σ(e²s + s²/2), e residuals and s variances of outputs, and what it comes from."""
    bend, pull = n_beta * data._second, n_beta * data._cross[0]
    covariance = np.linalg.inv(bend + 2 * np.eye(len(bend)))  # of the prior and the localization
    s = np.einsum("ij,jk,ik->i", data.x, covariance, data.x)
    e = data._noise[:, 0] - data.x @ covariance @ pull
    nu = 0.5 * n_beta / data.samples * (e**2 * s + s**2 / 2).sum()
    return nu, bend, pull, covariance


@pytest.mark.slow
def test_short_runs_have_the_whole_fluctuation() -> None:
    """Linear regression by SGLD whose steps are small: eight data sets; |z| > 4 below 1e-3."""
    rows = []
    for seed in range(8):
        data = RegressionTarget([4, 1], 0, samples=400, seed=seed)
        options = {"method": "sgld", "lr": 1e-3, "num_draws": 60, "num_burnin": 400}
        found = estimate_llc(data, **options, num_chains=16, seed=seed)
        rows.append([*found.nu, exactly(data, found.run.n_beta)[0]])
    value, error, nu = np.array(rows).T
    assert abs((value - nu).sum()) < 4 * np.linalg.norm(error)
    assert abs((value - 1.5 * nu).sum()) > 4 * np.linalg.norm(error)


@pytest.mark.slow
def test_the_step_of_stochastic_gradients_is_not_in_variances(monkeypatch) -> None:
    """Linear regression, where ν is known exactly.

    Pooled over six data sets, each error from 16 chains: |z| > 4 has probability below 1e-3.
    What is not freed from the noise of small batches, which makes it too large, is rejected.
    """
    gaps: dict[str, list[list[float]]] = {"": [], "raw": []}
    for seed in range(6):
        data = RegressionTarget([3, 1], 0, samples=400, seed=seed)
        options = {"method": "sgld", "num_chains": 16, "num_draws": 1000, "seed": seed}
        options |= {"lr": 4e-3, "batch_size": 16}
        found = estimate_llc(data, **options)
        nu = exactly(data, found.run.n_beta)[0]
        with monkeypatch.context() as patched:
            patched.setattr(RunSummary, "share_without_step", 1.0)
            raw = estimate_llc(data, **options)
        for name, run in (("", found), ("raw", raw)):
            gaps[name].append([run.nu[0] - nu, run.nu[1]])
    z = {name: np.sum(rows, 0)[0] / np.linalg.norm(rows, axis=0)[1] for name, rows in gaps.items()}
    assert abs(z[""]) < 4 < z["raw"]


def sums_of_slow_chains(rng, chains: int, draws: int, rho: float, batch: int | None = None):
    """Sums by sample and chain of losses w x, x being 20 rows of eight columns; and the exact V."""
    x = np.random.default_rng(0).standard_normal((20, 8))
    w = rng.standard_normal((chains, draws, 8))
    w[:, 1:] *= np.sqrt(1 - rho**2)
    for step in range(1, draws):
        w[:, step] += rho * w[:, step - 1]
    losses = w @ x.T
    seen = np.ones(losses.shape)
    if batch is not None:
        seen = rng.multinomial(batch, np.full(20, 1 / 20), size=(chains, draws)).astype(float)
    return [(seen * losses**k).sum(axis=1) for k in range(3)], (x**2).sum()


@pytest.mark.parametrize("batch", [None, 4])
def test_chains_too_short_to_forget_show_the_whole_variance(batch) -> None:
    """Sixteen chains of 100 draws, autocorrelation 0.97, 100 times; 1e-4 and 1e-3 (binomial).

    The mean is exact and 95 % intervals by Student hold 88 % at least, as of what is skewed.  The
    variances within chains are rejected, and so is that about the mean of four chains.
    """
    rng, runs = np.random.default_rng(7), []
    for _ in range(100):
        sums, exact = sums_of_slow_chains(rng, 16, 100, 0.97, batch)
        found = unbiased_fluctuation(sums)
        pooled, _ = variance_of_sums(np.array(sums)[:, :4])
        runs.append((found.value / exact, found.error / exact, found.within, pooled / exact))
    value, error, within, pooled = np.array(runs).T
    assert abs(value.mean() - 1) < 4 * value.std() / 10
    assert within.mean() < 0.7
    assert pooled.mean() < 1 - 4 * pooled.std() / 10
    beyond = np.abs(value - 1) / error > student.ppf(0.975, 15)
    assert beyond.sum() <= binom.isf(1e-3, 100, 0.12)
    assert error.mean() < 1.5 * value.std()


def test_independent_draws_have_the_usual_variance() -> None:
    """With one draw of each chain it is the sample variance; two chains have an error, too."""
    rng = np.random.default_rng(3)
    losses = rng.standard_normal((6, 1, 4))
    sums = [(losses**k).sum(axis=1) for k in range(3)]
    assert unbiased_fluctuation(sums).value == pytest.approx(losses[:, 0].var(axis=0, ddof=1).sum())
    assert unbiased_fluctuation([part[:1] for part in sums]) is None
    _, exact = sums_of_slow_chains(rng, 2, 100, 0.5)
    two = [unbiased_fluctuation(sums_of_slow_chains(rng, 2, 100, 0.5)[0]) for _ in range(100)]
    value, error, _ = np.array(two).T
    assert 0.7 < np.sqrt((error**2).mean() / ((value - exact) ** 2).mean()) < 1.4
