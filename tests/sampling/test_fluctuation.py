"""ν from mini-batches during a run: that of all data, resumable, and warned about when thin."""

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.sampling.linear import LinearNetworkTarget
from rlct.sampling.llc import llc
from rlct.sampling.mixture import GaussianMixtureTarget
from rlct.sampling.network import NetworkTarget
from rlct.sampling.regression import RegressionTarget

RNG = np.random.default_rng(8)
X, Y = RNG.standard_normal((40, 3)), RNG.standard_normal((40, 2))
LAYERS = [RNG.standard_normal((4, 3)), RNG.standard_normal((2, 4))]


def module():
    """The network of LAYERS in torch."""
    torch = pytest.importorskip("torch")
    from rlct.sampling.module import ModuleTarget

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


def test_mini_batches_find_the_fluctuation_of_all_data() -> None:
    """Against all data in runs of their own; 5 standard errors; twice the value is rejected."""
    data = RegressionTarget([3, 1, 3], 1, samples=300, sigma=3.0, seed=2)
    options = {"method": "hmc", "num_draws": 400, "num_chains": 8}
    whole = llc(data, seed=1, **options).nu
    found = llc(data, seed=2, nu_batch_size=60, **options)
    value, error = found.nu
    combined = 5 * np.hypot(error, whole[1])
    assert abs(value - whole[0]) < combined
    assert abs(value - 2 * whole[0]) > combined
    assert error > 0
    assert not any("for ν" in warning for warning in found.warnings)


def test_thin_batches_are_warned_about_and_none_is_no_number() -> None:
    data = RegressionTarget([2, 1, 2], 1, samples=500, seed=2)
    options = {"method": "mala", "num_burnin": 5, "num_chains": 2}
    found = llc(data, num_draws=20, nu_batch_size=50, **options)
    assert any("for ν a sample was seen 4.0 times" in warning for warning in found.warnings)
    alone = RegressionTarget([2, 1, 2], 1, samples=100_000, seed=2)
    assert llc(alone, num_draws=1, nu_batch_size=1, n_beta=5.0, **options).nu is None


def test_a_run_resumed_gives_the_same_fluctuation(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("rlct.sampling.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)
    data = RegressionTarget([2, 1, 2], 1, samples=60, seed=1)
    options = {"method": "hmc", "num_draws": 30, "num_burnin": 20, "nu_batch_size": 16, "seed": 4}

    class StopError(Exception):
        pass

    def stopping(fraction: float, text: str) -> None:
        if fraction >= 0.75:
            raise StopError

    path = tmp_path / "run.npz"
    with pytest.raises(StopError):
        llc(data, checkpoint=path, progress=stopping, **options)
    assert llc(data, checkpoint=path, **options).nu == llc(data, **options).nu


def test_bad_sizes_are_refused() -> None:
    for target, size, words in (
        (LinearNetworkTarget([1, 1], rank=0), 8, "nu_batch_size needs a target with data"),
        (TARGETS["regression"](), 0, "nu_batch_size must be at least 1"),
        (TARGETS["regression"](), 2.5, "nu_batch_size must be a whole number"),
    ):
        with pytest.raises(InputError, match=words):
            llc(target, n_beta=9.0, nu_batch_size=size)


def test_the_step_of_stochastic_gradients_is_not_in_variances() -> None:
    """Linear regression, where ν and dλ̂/d log nβ = E[nβL] − Var(nβL) are known exactly.

    ν = (β/2) Σ(e²s + s²/2), e residuals and s variances of outputs.  Pooled over six data sets,
    each error from 8 + 8 chains: |z| > 4 has probability below 1e-3.  The same step without
    extrapolation, which makes both variances a tenth too large or more, is rejected.
    """
    gaps: dict[str, list[float]] = {}
    for seed in range(6):
        data = RegressionTarget([3, 1], 0, samples=400, seed=seed)
        options = {"method": "sgld", "num_chains": 16, "num_draws": 1000, "seed": seed}
        found = llc(data, **options)
        raw = llc(data, **options, lr=float(found.chains.lr.max()))
        bend, pull = found.run.n_beta * data._second, found.run.n_beta * data._cross[0]
        covariance = np.linalg.inv(bend + 2 * np.eye(3))  # of the prior and the localization
        mean = covariance @ pull
        s = np.einsum("ij,jk,ik->i", data.x, covariance, data.x)
        e = data._noise[:, 0] - data.x @ mean
        nu = 0.5 * found.run.n_beta / 400 * (e**2 * s + s**2 / 2).sum()
        share, slope = bend @ covariance, bend @ mean - pull
        energy = 0.5 * np.trace(share) + 0.5 * mean @ bend @ mean - pull @ mean
        rise = energy - 0.5 * np.trace(share @ share) - slope @ covariance @ slope
        for name, run in (("", found), ("raw ", raw)):
            for what, (value, error), exact in (
                ("ν", run.nu, nu),
                ("rise", run.run.by_n_beta, rise),
            ):
                gaps.setdefault(name + what, []).append([value - exact, error])
    z = {
        name: np.sum(rows, axis=0)[0] / np.linalg.norm(rows, axis=0)[1]
        for name, rows in gaps.items()
    }
    assert abs(z["ν"]) < 4
    assert abs(z["rise"]) < 4
    assert z["raw ν"] > 4
    assert z["raw rise"] < -4
