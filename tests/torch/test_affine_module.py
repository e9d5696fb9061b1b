"""Torch modules without activations by moments: the numbers that samples give."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rlct.sampling.arrays import value_and_gradient  # noqa: E402
from rlct.sampling.modules.affine_module import AffineModule  # noqa: E402
from rlct.sampling.modules.flattening import OFTEN  # noqa: E402
from rlct.sampling.modules.functional import FunctionalModule  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402

nn = torch.nn


NETWORKS = {
    "one layer": lambda: nn.Linear(3, 2),
    "no bias": lambda: nn.Sequential(nn.Linear(3, 4, bias=False), nn.Linear(4, 2, bias=False)),
    "biases": lambda: nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 4, bias=False), nn.Linear(4, 2)),
    "nested": lambda: nn.Sequential(nn.Sequential(nn.Linear(3, 4), nn.Identity()), nn.Linear(4, 2)),
}
LOSSES = {
    "gaussian": lambda out, y: 0.5 * ((out - y) ** 2).sum(-1).mean(),
    "mse": lambda out, y: ((out - y) ** 2).mean(),
    nn.MSELoss(): lambda out, y: ((out - y) ** 2).mean(),
}


def data(samples: int = 80) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    return 2.0 + rng.standard_normal((samples, 3)), rng.standard_normal((samples, 2))


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_moments_give_the_numbers_of_samples(network: str, loss) -> None:
    """On all data, at any w*, beside a function that is not recognised."""
    torch.manual_seed(0)
    module = NETWORKS[network]().double()
    moments, samples = (ModuleTarget(module, data(), each) for each in (loss, LOSSES[loss]))
    assert moments._affine is not None
    assert samples._affine is None
    w = torch.as_tensor(0.5 * np.random.default_rng(0).standard_normal((6, moments.dimension)))
    for mine, known in zip(
        (*value_and_gradient(moments, w), moments.divergence(w)),
        (*value_and_gradient(samples, w), samples.divergence(w)),
        strict=True,
    ):
        torch.testing.assert_close(mine, known)


def test_frozen_parameters_stay_and_shared_layers_move_together() -> None:
    torch.manual_seed(1)
    layer = nn.Linear(3, 3).double()
    module = nn.Sequential(layer, layer, nn.Linear(3, 2).double())
    module[2].weight.requires_grad_(False)
    moments, samples = (ModuleTarget(module, data(), each) for each in ("mse", LOSSES["mse"]))
    assert moments.dimension == 14
    w = torch.full((2, 14), 0.3, dtype=torch.float64)
    torch.testing.assert_close(value_and_gradient(moments, w), value_and_gradient(samples, w))


def test_samples_do_not_pass_through_a_linear_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """But where they are few: four nodes for three inputs cost less from eight samples on."""
    few, target = (
        ModuleTarget(NETWORKS["biases"](), [part.astype("float32") for part in data(samples)])
        for samples in (7, 8)
    )
    seen: set[int] = set()
    outputs = FunctionalModule.outputs

    def noted(self, parameters, x):
        seen.add(x.shape[-2])
        return outputs(self, parameters, x)

    monkeypatch.setattr(FunctionalModule, "outputs", noted)
    w = torch.zeros(2, target.dimension)
    target.gradient(w)
    target.divergence(w)
    assert seen == {4}
    few.gradient(w)
    assert seen == {4, 7}


def test_recorded_steps_keep_their_bits() -> None:
    target = ModuleTarget(NETWORKS["biases"](), [part.astype("float32") for part in data()])
    w = torch.randn(5, target.dimension)
    for _ in range(OFTEN + 1):
        target.gradient(w)
    both, moments = target._affine._both, target._affine.whole
    assert both.recorded == 1
    for a, b in zip(both(w, *moments), both.function(w, *moments), strict=True):
        assert torch.equal(a, b)


def changed(change) -> nn.Module:
    module = NETWORKS["biases"]()
    change(module[0])
    return module


@pytest.mark.parametrize(
    "module",
    [
        nn.Sequential(nn.Linear(3, 2), nn.Tanh()),
        nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 2)),
        changed(lambda layer: layer.register_forward_hook(lambda *given: given[-1].square())),
        changed(nn.utils.parametrizations.weight_norm),
    ],
)
def test_what_may_not_be_affine_is_taken_by_samples(module: nn.Module) -> None:
    single = [part.astype("float32") for part in data()]
    assert ModuleTarget(module, single)._affine is None


def test_inputs_far_from_zero_are_taken_by_samples() -> None:
    """Where a slope and the intercept cancel, moments in single precision would hide K."""
    rng = np.random.default_rng(3)
    x, y = 1000.0 + rng.standard_normal((500, 1)), rng.standard_normal((500, 1))
    net = nn.Linear(1, 1)
    for part in net.parameters():
        nn.init.zeros_(part)
    single = ModuleTarget(net, [part.astype("float32") for part in (x, y)])
    double = ModuleTarget(net.double(), (x, y))
    assert single._affine is None
    assert double._affine is not None
    slopes = rng.standard_normal((50, 1))
    w = torch.as_tensor(np.hstack([slopes, -1000.0 * slopes])).float()
    gap = (x - 1000.0) @ w[:, :1].double().numpy().T + (w @ torch.tensor([1000.0, 1.0])).numpy()
    exact = (0.5 * (gap - y) ** 2 - 0.5 * y**2).mean(axis=0)

    def off(values: torch.Tensor) -> float:
        return float(np.abs(values.double().numpy() - exact).max())

    assert off(single.divergence(w)) < 1e-3
    assert off(double.divergence(w.double())) < 1e-3
    ill = AffineModule(single._function, single.inputs, single.targets, 1.0)
    assert off(ill.whole_both(w)[1]) > 1e-2  # control


def test_many_samples_are_added_up_in_double_precision() -> None:
    x = torch.ones(300_000, 1) + 0.1 * torch.randn(300_000, 1, generator=torch.manual_seed(0))
    target = ModuleTarget(nn.Linear(1, 1), (x, x))
    second = target._affine.whole[0]
    assert float(second[0, 0]) == pytest.approx(1.0, abs=1e-6)
    assert float(second[1, 1]) == pytest.approx(float(x.double().square().mean()), rel=1e-6)


def test_hooks_on_all_modules_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nn.Linear, "forward", lambda self, x: (x @ self.weight.mT).sin())
    single = [part.astype("float32") for part in data()]
    assert ModuleTarget(NETWORKS["one layer"](), single)._affine is None


@pytest.mark.parametrize("loss", [nn.L1Loss(), nn.HuberLoss(), lambda out, y: abs(out - y).mean()])
def test_other_losses_are_taken_by_samples(loss) -> None:
    single = [part.astype("float32") for part in data()]
    assert ModuleTarget(NETWORKS["biases"](), single, loss)._affine is None


def test_single_precision_is_right_to_that() -> None:
    """Twenty inputs whose mean is not 0, with biases: what moments bear the least."""
    torch.manual_seed(2)
    rng = np.random.default_rng(2)
    module = nn.Sequential(nn.Linear(20, 20), nn.Linear(20, 3))
    pair = rng.random((400, 20)), rng.standard_normal((400, 3))
    single, double = (
        ModuleTarget(module.to(kind), [torch.as_tensor(part, dtype=kind) for part in pair], "mse")
        for kind in (torch.float32, torch.float64)
    )
    assert single._affine is not None
    w = 0.01 * rng.standard_normal((5, single.dimension))
    found = value_and_gradient(single, torch.as_tensor(w, dtype=torch.float32))
    known = value_and_gradient(double, torch.as_tensor(w))
    assert found[0].dtype == torch.float32
    for mine, right in zip(found, known, strict=True):
        torch.testing.assert_close(mine.double(), right, atol=2e-5, rtol=1e-4)
