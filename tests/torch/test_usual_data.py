"""What usual modules and data brought to light: precision, saddles, class weights, names."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402

nn = torch.nn


def classes(samples: int = 200):
    torch.manual_seed(0)
    x = torch.randn(samples, 4)
    y = (x[:, 0] + torch.randn(samples) > 0).long()
    return nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)), (x, y)


def regression(noise: float, offset: float, dtype):
    """Least squares in four weights at their best, in a module that is no plain linear layer."""
    torch.manual_seed(1)
    x = torch.randn(600, 3, dtype=torch.float64)
    y = noise * torch.randn(600, 1, dtype=torch.float64) + noise * x.sum(1, keepdim=True) + offset
    best = torch.linalg.lstsq(torch.cat([x, torch.ones_like(y)], 1), y).solution

    class Wrapped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 1)

        def forward(self, x):
            return self.layer(x).clone()

    net = Wrapped().to(dtype)
    with torch.no_grad():
        net.layer.weight[:] = best[:3].T
        net.layer.bias[:] = best[3]
    return net, (x.to(dtype), y.to(dtype))


@pytest.mark.parametrize("loss", [nn.CrossEntropyLoss, nn.NLLLoss])
def test_class_weights_have_a_twin_in_double_precision(loss) -> None:
    net, data = classes()
    if loss is nn.NLLLoss:
        net.append(nn.LogSoftmax(1))
    weighted = loss(weight=torch.tensor([1.0, 3.0]))
    target = ModuleTarget(net, data, weighted)
    assert target.doubled.dtype is torch.float64
    assert target.doubled.baseline == pytest.approx(target.baseline, rel=1e-5)
    assert weighted.weight.dtype is torch.float32, "that of the user stays as it is"
    assert np.isfinite(rlct.llc(net, data, loss=weighted, num_draws=20, progress=False).lam)


def test_constants_in_single_precision_do_not_stop_a_run() -> None:
    class Fixed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(4, 2)
            self.mixes = torch.tensor([[1.0, 0.5], [0.0, 1.0]])

        def forward(self, x):
            return self.layer(x) @ self.mixes

    torch.manual_seed(0)
    net, (_, data) = Fixed(), classes()
    target = ModuleTarget(net, data)
    assert target.doubled is target
    assert np.isfinite(rlct.llc(net, data, num_draws=20, progress=False).lam)


def test_single_precision_that_is_too_coarse_is_told_and_nothing_else() -> None:
    """Losses of 10¹⁰, in steps of 700: nβL means nothing; in double precision it is right."""
    net, data = regression(1e4, 1e5, torch.float32)
    found = rlct.llc(net, data, num_draws=60, progress=False)
    assert len(found.warnings) == 1
    assert "module.double()" in found.warnings[0]
    assert found.verdict == "invalid"
    net, data = regression(1e4, 1e5, torch.float64)
    found = rlct.llc(net, data, progress=False)
    assert found.warnings == ()
    assert abs(found.lam - 1.98) < 5 * found.error < 0.4


@pytest.mark.slow
def test_noise_of_the_draws_is_no_scatter_of_data() -> None:
    """At the least squares λ̂ does not depend on the data, of unit noise."""
    net, data = regression(1.0, 0.0, torch.float64)
    found = rlct.llc(net, data, progress=False, errors="data")
    assert found.errors["data"] < 0.1
    assert set(rlct.llc(net, data, progress=False, num_draws=20).errors) == {"chains"}


def test_a_flat_saddle_is_left() -> None:
    """A linear network of rank 1 where rank 2 is a little better: nβL can fall by 1.35."""
    torch.manual_seed(0)
    x = torch.randn(2000, 6, dtype=torch.float64)
    x = torch.linalg.qr(x).Q * 2000**0.5  # second moments 1
    net = nn.Sequential(nn.Linear(6, 3, bias=False), nn.Linear(3, 6, bias=False)).double()
    for layer in net:
        nn.init.zeros_(layer.weight)
    with torch.no_grad():
        net[0].weight[0, 0] = net[1].weight[0, 0] = 2**0.5
    y = net(x).detach()
    y[:, 1] += 0.1 * x[:, 1]
    best = 2000 / np.log(2000) * 0.5 * 0.1**2
    found = rlct.llc(net, (x, y), loss="gaussian", num_draws=60, progress=False)
    assert found.run.descent == pytest.approx(best, rel=0.05)
    told = found.diagnostics["effect of not a minimum"]
    assert told == pytest.approx(best / found.lam, rel=0.05)


@pytest.mark.parametrize(
    ("option", "meant"),
    [("gamma", "localization"), ("num_drws", "num_draws"), ("n_chains", "num_chains")],
)
def test_options_by_other_names(option: str, meant: str) -> None:
    net, data = classes()
    with pytest.raises(InputError, match=f"no option {option}; did you mean {meant}"):
        rlct.llc(net, data, **{option: 3})
    with pytest.raises(InputError, match="calibrate has no option localisation; did you mean"):
        rlct.calibrate(net, data, localisation=1.0)


def test_mistakes_in_loss_and_targets() -> None:
    net, (x, y) = classes()
    with pytest.raises(InputError, match=r"classes are whole numbers, y.long\(\)"):
        rlct.llc(net, (x, y.float()))
    with pytest.raises(InputError, match="torch sees no gradient"):
        rlct.llc(net, (x, y), loss=lambda out, t: nn.functional.cross_entropy(out, t).detach())


class Varied(torch.utils.data.Dataset):
    """Every sample once more with noise of its own, as augmentation adds it."""

    def __init__(self, count: int, noise: float) -> None:
        self.x, self.noise = torch.randn(count, 4), noise

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, k: int):
        row = self.x[k] + self.noise * torch.randn(4)
        return row, int(self.x[k, 0] > 0)


def test_a_dataset_that_varies_is_refused() -> None:
    """Control: without noise it is read."""
    net, _ = classes()
    options = {"loss": "cross_entropy", "num_draws": 20, "progress": False}
    assert np.isfinite(rlct.llc(net, Varied(100, 0.0), **options).lam)
    with pytest.raises(InputError, match="other values each time that it is read"):
        rlct.llc(net, Varied(100, 0.1), **options)
    with pytest.raises(InputError, match="holds no samples"):
        rlct.llc(net, Varied(0, 0.0), **options)


@pytest.mark.parametrize("detached", [False, True])
def test_a_detached_weight_is_refused(detached) -> None:
    """The loss depends on it without a gradient; control: ReLU units, of which some are dead."""
    torch.manual_seed(0)
    x = torch.randn(300, 3)

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.last = nn.Linear(3, 8), nn.Linear(8, 1)
            self.dead = nn.Linear(3, 1)

        def forward(self, x):
            weight = self.first.weight.detach() if detached else self.first.weight
            dead = torch.relu(self.dead(x) - 1e3)
            return self.last(torch.relu(x @ weight.T + self.first.bias)) + dead

    net = Net()
    with torch.no_grad():
        y = net(x) + torch.randn(300, 1)
    options = {"method": "sgld", "num_draws": 60, "progress": False}
    if not detached:
        assert rlct.llc(net, (x, y), **options).lam > 0
        return
    with pytest.raises(InputError, match=r"changes with first\.weight, but torch sees no gradient"):
        rlct.llc(net, (x, y), **options)
