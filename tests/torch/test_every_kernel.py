"""Every kernel on torch networks: masks, priors, losses that are kept, files, trajectories."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.kernels import kernel_class, kernel_names  # noqa: E402
from rlct.sampling.kernels.barker import BarkerProposal  # noqa: E402
from rlct.sampling.networks.settings_sweep import sweep_settings  # noqa: E402

WITH_TEST = [  # nuts moves chain after chain, which takes long
    name
    for name in kernel_names()
    if kernel_class(name).on_data and not kernel_class(name).on_batches and name != "nuts"
]
FEW: dict[str, Any] = {"seed": 1, "num_chains": 8, "num_draws": 60, "progress": False}
N, N_BETA = 60, 30.0


@pytest.fixture
def regression() -> tuple[Any, Any, Any]:
    """A linear layer at the minimum of ½|f − y|², on inputs of unequal scales."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(N, 3, generator=generator) * torch.tensor([2.0, 1.0, 0.3])
    net = torch.nn.Linear(3, 2)
    return net, x, net(x).detach()


def exact_mean(x: Any, gamma: float, kappa: float = 0.0, n_beta: float = N_BETA) -> float:
    """E[nβL] of the matrix of two outputs alone: ½ Σ h/(h + γ + κ), h of nβXᵀX/n; w* is 0."""
    curvatures = n_beta * np.linalg.eigvalsh((x.T @ x / N).double().numpy())
    return float((curvatures / (curvatures + gamma + kappa)).sum())


def fits(found: Any, exact: float) -> bool:
    means = found.draws.mean(axis=-1).reshape(-1)
    limit = student.isf(0.5e-4, len(means) - 1) * means.std(ddof=1) / len(means) ** 0.5
    return abs(means.mean() - exact) <= limit


@pytest.mark.parametrize("method", WITH_TEST)
def test_weights_that_are_named_move_alone(method: str, regression: Any) -> None:
    """Their mean is exact at 1 − 10⁻⁴; with the bias, which adds nearly one, it is another."""
    net, x, y = regression
    options = {**FEW, "n_beta": N_BETA, "loss": "gaussian", "method": method, "num_chains": 16}
    options["num_draws"] = 150 if method == "hmc" else 800
    found = rlct.llc(net, (x, y), weights="weight", **options)
    assert found.method == method
    assert fits(found, exact_mean(x, 1.0))
    assert not fits(found, exact_mean(x, 1.0) + N_BETA / (N_BETA + 1.0))
    assert found.chains.w.shape == (1, 16, 6)


def test_entries_of_a_mask_move_alone(regression: Any) -> None:
    net, x, y = regression
    mask = torch.tensor([[1, 0, 0], [0, 1, 0]])
    found = rlct.llc(net, (x, y), weights={"weight": mask}, method="hmc", **FEW)
    moved = (found.chains.w[0] != 0).any(axis=0)
    assert moved.tolist() == mask.reshape(-1).bool().tolist()


def test_a_prior_of_the_weights_is_sampled(regression: Any) -> None:
    """At w* = 0 it adds to localization; without it the mean is another."""
    net, x, _ = regression
    torch.nn.init.zeros_(net.weight)
    torch.nn.init.zeros_(net.bias)
    options = {**FEW, "n_beta": N_BETA, "loss": "gaussian", "weights": "weight", "num_draws": 150}
    found = rlct.llc(net, (x, net(x).detach()), method="hmc", weight_decay=30.0, **options)
    assert fits(found, exact_mean(x, 1.0, 30.0))
    assert not fits(found, exact_mean(x, 1.0))


def test_losses_of_samples_are_those_of_the_draws(regression: Any, tmp_path: Any) -> None:
    net, x, y = regression
    found = rlct.llc(net, (x, y), method="hmc", loss="gaussian", n_beta=N_BETA, **FEW)
    seen = N_BETA * found.sample_losses.mean_loss()
    np.testing.assert_allclose(seen, found.chains.draws[0], rtol=1e-4, atol=1e-5)

    options = {**FEW, "method": "hmc", "loss": "gaussian", "n_beta": N_BETA}
    other = rlct.llc(
        net, (x, y), observed=(x[:20], y[:20]), traces=tmp_path / "losses.npy", **options
    )
    assert other.sample_losses.losses.shape == (8, 60, 20)
    np.testing.assert_allclose(
        other.sample_losses.losses, found.sample_losses.losses[:, :, :20], rtol=1e-4, atol=1e-6
    )


def test_a_run_that_was_stopped_goes_on_as_if_it_never_was(regression: Any, tmp_path: Any) -> None:
    net, x, y = regression
    options = {**FEW, "method": "barker", "weights": "weight", "num_draws": 80}

    def stop(share: float, text: str) -> None:
        if share > 0.6:
            raise KeyboardInterrupt

    whole = rlct.llc(net, (x, y), **options)
    path = tmp_path / "run.npz"
    cut = rlct.llc(net, (x, y), checkpoint=path, **{**options, "progress": stop})
    assert cut.interrupted
    again = rlct.llc(net, (x, y), checkpoint=path, **options)
    assert (again.chains.draws == whole.chains.draws).all()
    with pytest.raises(InputError, match="other settings"):
        rlct.llc(net, (x, y), checkpoint=path, **{**options, "method": "hmc"})


def test_a_class_is_a_method(regression: Any) -> None:
    class Own(BarkerProposal):
        name = "own"

    net, x, y = regression
    found = rlct.llc(net, (x, y), method=Own, **FEW)
    assert found.method == "own"
    assert found.lam == rlct.llc(net, (x, y), method="barker", **FEW).lam
    with pytest.raises(InputError, match="dict is no kernel: derive it"):
        rlct.llc(net, (x, y), method=dict, **FEW)


def test_checkpoints_of_a_training_run_share_their_noise(regression: Any) -> None:
    net, x, _ = regression
    y = net(x).detach() + torch.randn(N, 2, generator=torch.Generator().manual_seed(1))
    early = {name: values + 0.05 for name, values in net.state_dict().items()}
    options = {**FEW, "method": "hmc", "num_draws": 100}
    run = rlct.llc_trajectory(net, {1: early, 2: net, 3: net}, (x, y), **options)
    assert "of 100 + 100 draws by hmc" in str(run)
    gain, none = run.differences
    assert [estimate.method for estimate in run.estimates] == ["hmc", "hmc", "hmc"]
    assert (none.value, none.error) == (0.0, 0.0)
    assert gain.value != 0.0


def test_settings_are_swept_by_any_kernel(regression: Any) -> None:
    net, x, y = regression
    options = {"method": "hmc", "loss": "gaussian", "budget": 1e7}
    found = sweep_settings(net, (x, y), localization_values=[1.0], **options)
    assert found.settings is not None
    assert found.settings["method"] == "hmc"
    with_bias = torch.cat([x, torch.ones(N, 1)], dim=1)
    exact = exact_mean(with_bias, 1.0, n_beta=found.settings["n_beta"])
    assert abs(found.chosen.lam - exact) < 5 * found.chosen.error
    hottest = found.cells[0].estimate  # control: λ itself is not what it finds there
    assert hottest.lam < 4.0 - 3 * hottest.error


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "hmc", "precondition": True}, "precondition is sgld's: hmc takes its units"),
        ({"method": "barker", "lr": 1e-3}, "barker adapts its own step"),
        ({"method": "moves"}, "moves start from a prior"),
        ({"method": "hmc", "errors": "data", "observed": 0}, "leave observed and tokens out"),
        ({"method": "gibs"}, "unknown method 'gibs': choose barker, hmc, mala, nuts, sgld"),
    ],
)
def test_what_a_kernel_cannot_do_is_said(options: Any, words: str, regression: Any) -> None:
    net, x, y = regression
    if "observed" in options:
        options = {**options, "observed": (x, y)}
    with pytest.raises(InputError, match=words):
        rlct.llc(net, (x, y), **{**FEW, **options})


@pytest.mark.parametrize("name", kernel_names())
def test_a_kernel_has_the_name_of_its_file(name: str) -> None:
    assert kernel_class(name).name == name
