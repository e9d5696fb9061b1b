"""The No-U-Turn sampler of mici: right where the answer is known, resumable, and optional."""

import sys

import numpy as np
import pytest
from scipy.stats import t as student

import rlct
from rlct.errors import InputError
from rlct.sampling.ladders.quadrature import density_of_states
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains.chains import sample_chains
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget


def p_value(means: np.ndarray, exact: float) -> float:
    """Two-sided, of the mean of independent samples."""
    z = (means.mean() - exact) / (means.std(ddof=1) / np.sqrt(len(means)))
    return float(2 * student.sf(abs(z), len(means) - 1))


@pytest.mark.study
def test_two_rungs_of_a_gaussian_with_localization() -> None:
    """K = w²/2 with γ and prior: nβE[K] = nβ/(2(nβ + γ + 1)); false alarm 2e-4, γ = 0 refused."""
    pytest.importorskip("mici")
    grid = np.array([3.0, 30.0])
    found = sample_chains(
        "nuts",
        LinearNetworkTarget([1, 1], rank=0),
        grid,
        rng=np.random.default_rng(5),
        num_chains=16,
        localization=9.0,
        num_draws=250,
        num_burnin=100,
    )
    for nb, draws in zip(grid, found.draws, strict=True):
        assert p_value(draws.mean(axis=1), nb / (2 * (nb + 10))) > 1e-4
        assert p_value(draws.mean(axis=1), nb / (2 * (nb + 1))) < 1e-4
    assert 0.6 < found.acceptance.mean() < 0.97
    assert found.lr[0].mean() > 1.2 * found.lr[1].mean()


@pytest.mark.study
@pytest.mark.parametrize(
    "target",
    [
        PolynomialTarget([{(1, 0): 1}, {(0, 2): 1}], squared=True),
        PolynomialTarget([{(1,): 1, (2,): 1}], squared=True, nonneg=[True]),
    ],
    ids=["x² + y⁴", "(x + x²)², x ≥ 0"],
)
def test_a_box_agrees_with_quadrature(target: PolynomialTarget) -> None:
    """On a box with mirrors for walls; false alarm 1e-4 a case.  Control: a twentieth of nβ."""
    pytest.importorskip("mici")
    found = sample_chains(
        "nuts",
        target,
        40.0,
        rng=np.random.default_rng(2),
        num_chains=12,
        num_draws=120,
        num_burnin=100,
    )
    means = found.draws[0].mean(axis=1)
    states = density_of_states(target)
    assert p_value(means, float(states.mean(np.array([40.0]))[0])) > 1e-4
    assert p_value(means, float(states.mean(np.array([2.0]))[0])) < 1e-4


@pytest.mark.slow
def test_same_seed_resumption_and_data(tmp_path, monkeypatch) -> None:
    """A run on data that is stopped goes on from its file as if it had not been."""
    pytest.importorskip("mici")
    data = RegressionTarget([2, 1, 2], 1, samples=60, seed=1)
    options = {"n_beta": 15.0, "method": "nuts", "num_draws": 25, "num_burnin": 20, "seed": 3}
    whole = estimate_llc(data, num_chains=2, **options)
    assert (estimate_llc(data, num_chains=2, **options).chains.draws == whole.chains.draws).all()
    assert whole.nu is not None
    monkeypatch.setattr("rlct.sampling.markov_chains.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)

    class StopError(Exception):
        pass

    def stopping(fraction: float, text: str) -> None:
        if fraction > 0.8:
            raise StopError

    path = tmp_path / "run.npz"
    with pytest.raises(StopError):
        estimate_llc(data, num_chains=2, checkpoint=path, progress=stopping, **options)
    resumed = estimate_llc(data, num_chains=2, checkpoint=path, **options)
    assert (resumed.chains.draws == whole.chains.draws).all()


def test_the_extra_is_named(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "mici", None)
    with pytest.raises(InputError, match=r"pip install 'rlct\[nuts\]'"):
        rlct.llc(LinearNetworkTarget([1, 1], rank=0), n_beta=9, method="nuts")
