"""On a graphics card: the numbers of a processor, runs that repeat and resume."""

import os

import numpy as np
import pytest
from scipy.stats import norm

torch = pytest.importorskip("torch")

from rlct.criteria.waic import waic  # noqa: E402
from rlct.sampling.arrays import arrays_of, value_and_gradient  # noqa: E402
from rlct.sampling.local.llc import estimate_llc  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402

nn = torch.nn
CARD = os.environ.get("RLCT_CARD", "cuda")  # another one: validation/device
pytestmark = pytest.mark.skipif(
    not (hasattr(torch, CARD) and getattr(torch, CARD).is_available()),
    reason="needs a graphics card",
)


def problem(samples: int = 300):
    """A small classifier that has learnt nothing yet, and its data, on the processor."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3)).double()
    x = torch.randn(samples, 4).double()
    return net, x, net(x).argmax(1)


def regression(samples: int = 400):
    """The linear network 3-2-3 of rank 1 at its truth, and data with unit noise."""
    rng = np.random.default_rng(3)
    net = nn.Sequential(nn.Linear(3, 2, bias=False), nn.Linear(2, 3, bias=False)).double()
    with torch.no_grad():
        for layer in net:
            layer.weight.zero_()
            layer.weight[0, 0] = 1.0
    x = torch.as_tensor(rng.standard_normal((samples, 3)))
    return net, x, net(x).detach() + torch.as_tensor(rng.standard_normal((samples, 3)))


@pytest.mark.parametrize("loss", ["cross_entropy", nn.CrossEntropyLoss(), "gaussian", "mse"])
def test_values_gradients_and_losses_of_samples_are_those_of_a_processor(loss) -> None:
    net, x, y = problem()
    if isinstance(loss, str) and loss != "cross_entropy":
        net, x, y = regression()
    here, there = (ModuleTarget(net, (x, y), loss, device=device) for device in ("cpu", CARD))
    w = 0.3 * torch.randn(5, here.dimension).double()
    for a, b in zip(
        value_and_gradient(here, w), value_and_gradient(there, w.to(CARD)), strict=True
    ):
        assert b.device.type == CARD
        assert b.cpu().numpy() == pytest.approx(a.numpy(), rel=1e-9, abs=1e-12)
    found = there.pointwise(w.to(CARD)).cpu().numpy()
    assert found == pytest.approx(here.pointwise(w).numpy(), rel=1e-9, abs=1e-12)
    assert there.baseline == pytest.approx(here.baseline)


def test_a_module_and_data_that_lie_there_stay_there() -> None:
    net, x, y = problem()
    target = ModuleTarget(net.to(CARD), (x.to(CARD), y.to(CARD)))
    assert target.device.type == CARD
    mixed = ModuleTarget(net, (x, y))
    w = torch.full((1, target.dimension), 0.1, device=CARD).double()
    assert float(mixed.divergence(w)[0]) == pytest.approx(float(target.divergence(w)[0]))
    weights = torch.tensor([1.0, 2.0, 3.0], device=CARD).double()
    weighted = ModuleTarget(net, (x, y), nn.CrossEntropyLoss(weights))
    assert np.isfinite(weighted.baseline)


def test_batches_average_to_the_whole() -> None:
    """Mean of 4000 batches against the whole: z below 4.5 in each of 13 numbers, 1e-4 in all.

    A hundred pools of batches, as the mean of one differs from the whole.
    """
    net, x, y = regression(60)
    module = ModuleTarget(net, (x, y), "gaussian", device=CARD)
    rng = np.random.default_rng(1)
    w = torch.full((40, 12), 0.2, dtype=torch.float64, device=CARD)
    parts = [module.batch(w, 4, arrays_of(module, rng)) for _ in range(100)]
    found = torch.stack([torch.cat([v[:, None], s], dim=1).mean(0) for v, s in parts]).cpu().numpy()
    exact = np.concatenate([t.cpu().numpy().reshape(-1) for t in value_and_gradient(module, w[:1])])
    error = found.std(axis=0) / np.sqrt(len(found)) + 1e-12
    assert (np.abs(found.mean(axis=0) - exact) < 4.5 * error).all()
    assert (np.abs(found.mean(axis=0) - 1.2 * exact) > 4.5 * error).any()


@pytest.mark.parametrize("method", ["hmc", "mala", "sgld"])
def test_tempered_means_equal_those_of_a_processor(method: str) -> None:
    """Two independent runs; false alarm 1e-5 a case; twice its mean is rejected."""
    draws, chains = {"hmc": (200, 8), "mala": (4000, 8), "sgld": (2000, 64)}[method]
    options = {"n_beta": 60.0, "method": method, "localization": 1.0}
    a, b = (
        estimate_llc(
            ModuleTarget(*_placed(device)),
            seed=seed,
            num_draws=draws,
            num_chains=chains,
            **options,
        )
        for seed, device in enumerate(("cpu", CARD))
    )
    error = np.hypot(a.errors["chains"], b.errors["chains"])
    assert abs(a.lam - b.lam) < -norm.ppf(0.5e-5) * error
    assert abs(a.lam - 2 * b.lam) > -norm.ppf(0.5e-5) * error


def _placed(device):
    net, x, y = regression()
    return net.to(device), (x, y), "gaussian"


@pytest.mark.parametrize("method", ["hmc", "sgld"])
def test_same_seed_same_answer_and_resumption(method, tmp_path, monkeypatch) -> None:
    module = ModuleTarget(*_placed(CARD))
    options = {"num_draws": 60, "num_chains": 4, "seed": 5, "method": method}
    whole, again = estimate_llc(module, **options), estimate_llc(module, **options)
    assert (whole.chains.draws == again.chains.draws).all()
    monkeypatch.setattr("rlct.sampling.markov_chains.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)
    path, name = tmp_path / "run.npz", "batch" if method == "sgld" else "value_and_gradient"
    calls, held = [], getattr(module, name)

    class StopError(Exception):
        pass

    def failing(*arguments):
        calls.append(1)
        if len(calls) == 80:
            raise StopError
        return held(*arguments)

    monkeypatch.setattr(module, name, failing)
    with pytest.raises(StopError):
        estimate_llc(module, checkpoint=path, **options)
    monkeypatch.setattr(module, name, held)
    assert (
        estimate_llc(module, checkpoint=path, **options).chains.draws == whole.chains.draws
    ).all()


def test_single_precision_by_default_without_settings() -> None:
    net, x, y = problem()
    found = estimate_llc(ModuleTarget(net.float().to(CARD), (x.float(), y)), seed=1)
    assert np.isfinite(found.lam)
    assert found.chains.acceptance.min() > 0.3


def test_log_likelihoods_may_lie_there() -> None:
    net, x, y = problem()
    target = ModuleTarget(net, (x, y), device=CARD)
    w = 0.1 * torch.randn(2, 50, target.dimension, device=CARD).double()
    loss = target.pointwise(w.reshape(100, -1)).reshape(2, 50, -1)
    assert waic(-loss).value == pytest.approx(waic(-loss.cpu().numpy()).value)
