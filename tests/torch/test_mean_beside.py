"""The exact mean that stands beside λ̂: where it is said, that it is right, and where it is not."""

import re
from itertools import pairwise

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra torch")

from torch import nn  # noqa: E402

import rlct  # noqa: E402
from rlct.answers.module_theory import module_theory  # noqa: E402
from rlct.sampling.local.finite_n import tempered_mean  # noqa: E402
from rlct.sampling.targets.regression import RegressionTarget  # noqa: E402


def network(*widths: int, rank: int, noise: float = 0.0, bias: bool = False):
    """Layers diag(1, …, 1, 0, …) and 300 samples of correlated inputs."""
    torch.manual_seed(0)
    net = nn.Sequential(*(nn.Linear(a, b, bias=bias) for a, b in pairwise(widths)))
    for layer in net:
        layer.weight.data.zero_()
        layer.weight.data[:rank, :rank] = torch.eye(rank)
    x = torch.randn(300, widths[0]) * torch.linspace(0.3, 1.5, widths[0])
    return net, (x, net(x).detach() + noise * torch.randn(300, widths[-1]))


def said_mean(theory: str) -> tuple[float, float]:
    """The mean and its error; 0 where it has none."""
    match = re.search(r"; the exact mean of λ̂ is ([-\d.]+)(?: ± ([\d.]+))?", theory)
    assert match, theory
    return float(match[1]), float(match[2] or 0.0)


@pytest.mark.parametrize("noise", [0.0, 1.0])
@pytest.mark.parametrize("loss", ["gaussian", "mse"])
def test_the_mean_of_two_layers_is_that_of_other_conditional_draws(loss, noise) -> None:
    """Student's t with 3 degrees beyond 12: false alarm 1e-3 each; at 2γ it is rejected."""
    net, data = network(4, 2, 3, rank=1, noise=noise)
    n_beta = 40.0 if loss == "gaussian" else 60.0  # mse of three outputs is ⅔ of ½|f − y|²
    held = RegressionTarget([4, 2, 3], 1, samples=1, sigma=0.5**-0.5)
    held = held.on(*(part.double().numpy() for part in data))
    exact = tempered_mean(held, 40.0)
    mean, error = said_mean(module_theory(net, data, loss, n_beta, 0.5))
    both = np.hypot(error, exact.error)
    assert abs(mean - exact.value) < 12 * both
    assert abs(mean - tempered_mean(held, 40.0, localization=2.0).value) > 12 * both


def test_the_mean_of_one_layer_is_that_of_the_run() -> None:
    """hmc has no bias of its step: λ̂ within 5 standard errors; its λ is not."""
    net, data = network(3, 2, rank=0)
    found = rlct.llc(net[0], data, method="hmc", seed=0, progress=False, localization=20.0)
    mean, _ = said_mean(found.theory)
    assert "theorem: λ = 3, θ = 1 for the linear network 3-2" in found.theory
    assert found.theory.endswith(f"{3 - mean:.2g} below λ")
    assert abs(found.lam - mean) < 5 * found.error < 3 - mean


def test_where_theta_is_above_1_the_exact_mean_stands_in_the_place_of_a_guess() -> None:
    net, data = network(2, 2, 3, rank=0)  # 3 of m = 2 hidden units: θ = 1; widths 2, 1, 2: θ = 2
    tied, tied_data = network(1, 1, 1, rank=0)
    for module, rows in ((net, data), (tied, tied_data)):
        theory = module_theory(module, rows, None, 60.0, 1.0)
        mean, _ = said_mean(theory)
        lam = float(re.search(r"λ = ([\d/]+)", theory)[1].replace("1/2", "0.5"))
        assert mean < lam
        assert "below λ" in theory
        assert "by some" not in theory
    assert "θ = 2" in theory
    assert "θ = 2 (which lowers the mean" in module_theory(tied, tied_data, None, 60.0)


class Halved(nn.Module):
    """A linear map that is no layer."""

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.zeros(2, 3))

    def forward(self, x):
        return 0.5 * x @ self.w.T


def test_of_others_no_mean_is_said() -> None:
    """Other depths, biases, activations, losses, shapes, frozen or shared weights."""
    net, (x, y) = network(3, 2, 2, rank=1)
    assert "exact mean" in module_theory(net, (x, y), None, 60.0, 1.0)
    deep, deep_data = network(3, 2, 2, 2, rank=1)
    assert module_theory(deep, deep_data, None, 60.0, 1.0).startswith("theorem: λ")
    shared = nn.Sequential(nn.Linear(3, 3, bias=False), nn.Linear(3, 3, bias=False))
    shared[1].weight = shared[0].weight
    frozen, frozen_data = network(3, 2, 2, rank=1)
    frozen[0].weight.requires_grad_(False)
    others = [
        (deep, deep_data, None),
        (*network(3, 2, 2, rank=1, bias=True), None),
        (nn.Sequential(net[0], nn.ReLU(), net[1]), (x, y), None),
        (Halved(), (x, y), None),
        (shared, (x, x), None),
        (frozen, frozen_data, None),
        (net, (x, y), nn.HuberLoss()),
        (net, (x, torch.zeros(300).long()), "cross_entropy"),
        (net, (x[:, None], y[:, None]), None),  # tokens: L sums over them
        (net, (x, y[:, :1]), None),
    ]
    assert "exact mean" not in module_theory(net, (x, y), None, 60.0, 0.0)  # nothing confines it
    far = x * torch.tensor([1e9, 1.0, 1e-9])
    assert "nan" not in module_theory(net, (far, net(far).detach()), None, 60.0, 1.0)
    for module, data, loss in others:
        assert "exact mean" not in module_theory(module, data, loss, 60.0, 1.0), module


def test_options_that_move_the_mean_leave_it_out() -> None:
    """Masks, weight decay and a loss at w* that is named: the formula is of none of them."""
    net, data = network(2, 2, rank=1)
    run = {"seed": 0, "progress": False, "num_draws": 64}
    assert "exact mean" in rlct.llc(net, data, **run).theory
    for option in ({"weight_decay": 2.0}, {"init_loss": 0.1}, {"weights": "0.*"}):
        assert "exact mean" not in rlct.llc(net, data, **run, **option).theory
