"""Fully connected torch modules by the passes of NumPy: the numbers that torch gives."""

import threading

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rlct.sampling.arrays import arrays_of  # noqa: E402
from rlct.sampling.markov_chains.sgld import sgld  # noqa: E402
from rlct.sampling.modules.functional import FunctionalModule  # noqa: E402
from rlct.sampling.modules.layered_module import LayeredModule  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402
from rlct.sampling.modules.traced import traced_layers  # noqa: E402

nn, functional = torch.nn, torch.nn.functional


class Written(nn.Module):
    """Two layers, and what is around them as users write it."""

    def __init__(self, between=torch.relu, first=None, last=None, outputs: int = 2) -> None:
        super().__init__()
        self.one, self.two = nn.Linear(3, 4), nn.Linear(4, outputs)
        self.first, self.between, self.last = first, between, last

    def forward(self, x):
        for step in (self.first, self.one, self.between, self.two, self.last):
            x = x if step is None else step(x)
        return x


ACTIVATIONS = {
    "relu": [torch.relu, functional.relu, lambda z: functional.relu(z, True), lambda z: z.relu()],
    "tanh": [torch.tanh, functional.tanh, lambda z: z.tanh()],
    "silu": [functional.silu],
    "quadratic": [lambda z: z * z, lambda z: z**2, torch.square, lambda z: torch.pow(z, 2)],
    "linear": [None],
}
WAYS = [
    pytest.param(kind, way, id=f"{kind}{k}")
    for kind, ways in ACTIVATIONS.items()
    for k, way in enumerate(ways)
]
NETWORKS = {
    "modules": lambda: nn.Sequential(nn.Linear(3, 4), nn.SiLU(), nn.Dropout(0.5), nn.Linear(4, 2)),
    "nested": lambda: nn.Sequential(
        nn.Sequential(nn.Flatten(), nn.Linear(3, 4), nn.Tanh()),
        nn.Sequential(nn.Linear(4, 5), nn.Identity(), nn.Tanh(), nn.Linear(5, 2)),
    ),
    "without biases": lambda: nn.Sequential(
        nn.Linear(3, 4, bias=False), nn.ReLU(), nn.Linear(4, 2, bias=False)
    ),
    "one layer": lambda: nn.Linear(3, 2),
    "written": Written,
}
LOSSES = {
    "gaussian": lambda out, y: 0.5 * ((out - y) ** 2).sum(-1).mean(),
    "mse": lambda out, y: ((out - y) ** 2).mean(),
    nn.MSELoss(): lambda out, y: ((out - y) ** 2).mean(),
}


def data(kind=torch.float64, samples: int = 40):
    random = torch.Generator().manual_seed(4)
    x, y = (torch.randn(samples, k, generator=random, dtype=kind) for k in (3, 2))
    return 0.5 + x, y


def read(net, x=None):
    x, y = data(next(net.parameters()).dtype) if x is None else (x, x)
    return traced_layers(FunctionalModule(net, "mse", y), x[:2])


@pytest.mark.parametrize(("kind", "way"), WAYS)
def test_activations_are_read_however_they_are_written(kind: str, way) -> None:
    names, found = read(Written(way))
    assert found == kind
    assert names == ["one.weight", "one.bias", "two.weight", "two.bias"]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("kind", [torch.float32, torch.float64], ids=str)
def test_the_numbers_are_those_of_torch(network: str, loss, kind) -> None:
    """Beside a loss that is not recognised; a batch of all samples has the same ones."""
    torch.manual_seed(0)
    module, held = NETWORKS[network]().to(kind), data(kind)
    layered, other = (ModuleTarget(module, held, each) for each in (loss, LOSSES[loss]))
    assert layered._layered is not None
    assert other._layered is None
    w = (0.5 * torch.randn(6, layered.dimension)).to(kind)
    both = [t.batch(w, 40, arrays_of(t, np.random.default_rng(0))) for t in (layered, other)]
    for found in (both[0], layered._layered.value_and_gradient(w)):
        for mine, known in zip(found, both[1], strict=True):
            assert mine.dtype is kind
            torch.testing.assert_close(mine, known)


def test_each_chain_has_a_batch_of_its_own() -> None:
    """Loss and gradient belong to one batch, and those of neighbours to another."""
    torch.manual_seed(0)
    target = ModuleTarget(Written().double(), data(), "gaussian")
    w = 0.3 * torch.randn(1, target.dimension).double().expand(5, -1).clone()
    on = arrays_of(target, np.random.default_rng(0))
    value, slope = target.batch(w, 10, on)
    assert len(set(value.tolist())) == 5
    rows = on.batches(40, 10)._rows()
    known = target._function.batch_both.function(w[:1].expand(len(rows), -1), *target._picked(rows))
    for v, g in zip(value, slope, strict=True):
        k = int((known[1] - v).abs().argmin())
        torch.testing.assert_close(known[1][k], v)
        torch.testing.assert_close(known[0][k], g)


def test_flat_images_and_squeezed_outputs_are_read() -> None:
    torch.manual_seed(0)
    x, y = data()
    held = x[:, None, :, None], y[:, 0]
    net = Written(first=nn.Flatten(), last=lambda out: out.squeeze(-1), outputs=1).double()
    layered, other = (
        ModuleTarget(net, held, each) for each in ("mse", lambda o, y: ((o - y) ** 2).mean())
    )
    assert layered._layered is not None
    w = torch.randn(3, layered.dimension).double()
    both = [t.batch(w, 40, arrays_of(t, np.random.default_rng(0))) for t in (layered, other)]
    torch.testing.assert_close(*both)


def scaled():
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    net[0].scale = nn.Parameter(torch.tensor(1.0))
    return net


def frozen():
    net = Written()
    net.one.bias.requires_grad_(False)
    return net


def tied():
    net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2))
    net[2].weight = net[0].weight
    return net


def hooked():
    net = Written()
    net.one.register_forward_hook(lambda module, inputs, out: 2 * out)
    return net


def patched():
    net = Written()
    net.two.forward = lambda x: functional.linear(x, net.two.weight)
    return net


class Swapped(nn.Module):
    """The last layer comes first among the parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.two, self.one = nn.Linear(4, 2), nn.Linear(3, 4)

    def forward(self, x):
        return self.two(torch.tanh(self.one(x)))


class Residual(Written):
    def forward(self, x):
        z = self.one(x)
        return self.two(z + torch.relu(z))


OTHERS = {
    "one parameter more": scaled,
    "frozen": frozen,
    "tied": tied,
    "hooked": hooked,
    "patched": patched,
    "swapped": Swapped,
    "residual": Residual,
    "two activations": lambda: nn.Sequential(
        nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2)
    ),
    "one of two": lambda: nn.Sequential(
        nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 4), nn.Linear(4, 2)
    ),
    "one bias": lambda: nn.Sequential(nn.Linear(3, 4, bias=False), nn.Tanh(), nn.Linear(4, 2)),
    "at the end": lambda: Written(last=torch.tanh),
    "at the start": lambda: Written(first=torch.tanh),
    "normed": lambda: Written(between=nn.LayerNorm(4)),
    "scaled": lambda: Written(between=lambda z: 2 * torch.relu(z)),
    "cube": lambda: Written(between=lambda z: z**3),
    "leaky": lambda: Written(between=nn.LeakyReLU()),
    "by the data": lambda: Written(between=lambda z: z if z.sum() > 0 else -z),
    "product": lambda: Written(between=lambda z: z * torch.tanh(z)),
    "pruned": lambda: nn.utils.parametrizations.weight_norm(nn.Linear(3, 2)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_modules_are_left_to_torch(name: str) -> None:
    torch.manual_seed(0)
    net = OTHERS[name]().double()
    inputs, targets = data()
    function = FunctionalModule(net, "gaussian", targets)
    assert LayeredModule.of(function, "gaussian", inputs, targets) is None


def test_a_hook_on_all_modules_is_seen() -> None:
    torch.manual_seed(0)
    assert ModuleTarget(Written(), data(torch.float32), "gaussian")._layered is not None
    handle = nn.modules.module.register_module_forward_hook(
        lambda module, inputs, out: 1.01 * out if isinstance(module, nn.Linear) else None
    )
    try:
        assert ModuleTarget(Written(), data(torch.float32), "gaussian")._layered is None
    finally:
        handle.remove()


class Wavering(Written):
    """Not twice the same, as the number of calls decides."""

    calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x if self.calls == self.at else 2 * x)


def test_what_a_second_run_shows_is_noticed() -> None:
    """The run that is watched may be another one than those that count."""
    torch.manual_seed(0)
    net, (x, y) = Wavering().double(), data()
    function = FunctionalModule(net, "gaussian", y)
    function.module.at = 1
    assert LayeredModule.of(function, "gaussian", x, y) is None
    function.module.calls = 0
    assert traced_layers(function, x[:2]) is not None  # control


def test_other_threads_are_left_alone() -> None:
    """A network that runs in another thread while modules are read: 300 at least, none fails."""
    torch.manual_seed(0)
    failed, runs, done = [], 0, threading.Event()

    def other() -> None:
        nonlocal runs
        net, x = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)), torch.randn(5, 3)
        while not done.is_set() or runs < 300:
            try:
                net(x)
            except Exception as problem:
                failed.append(problem)
            runs += 1

    thread = threading.Thread(target=other)
    thread.start()
    net, (x, y) = Written(), data(torch.float32)
    function = FunctionalModule(net, "gaussian", y)
    for _ in range(100):
        assert traced_layers(function, x[:2]) is not None
    done.set()
    thread.join()
    assert not failed


def test_lazy_signs_are_resolved() -> None:
    torch.manual_seed(0)
    x, y = (torch.randn(40, k, dtype=torch.complex64).conj().imag for k in (3, 2))
    assert x.is_neg()
    assert ModuleTarget(Written(), (x, y), "mse")._layered is not None


def test_large_batches_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of half of the data need many copies; they are left to torch, which picks rows."""
    torch.manual_seed(0)
    target = ModuleTarget(Written().double(), data(), "gaussian")
    w = torch.zeros(2, target.dimension).double()
    seen = []
    monkeypatch.setattr(target._layered, "batch", lambda *given: seen.append(given) or given)
    target.batch(w, 20, arrays_of(target, np.random.default_rng(0)))
    assert seen
    seen.clear()
    monkeypatch.setattr("rlct.sampling.modules.module.COPIED", 40 * 5 * 8 - 1)
    target.batch(w, 20, arrays_of(target, np.random.default_rng(0)))
    assert not seen


def test_layers_along_the_last_of_several_axes_and_infinite_inputs_are_left_to_torch() -> None:
    x, y = data()
    net = Written(torch.tanh).double()
    sequence = ModuleTarget(net, (x.reshape(20, 2, 3), y.reshape(20, 2, 2)), "gaussian")
    assert sequence._layered is None
    x[0, 0] = float("inf")
    assert ModuleTarget(net, (x, y), "gaussian")._layered is None


def test_a_run_of_sgld_samples_what_torch_does() -> None:
    """Means of 64 chains by both ways, four standard errors apart at most: one in 15,000 fails.

    The negative control has nβ a third larger, nine standard errors away.
    """
    torch.manual_seed(0)
    x, _ = data(samples=200)
    net = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1)).double()
    held = x, net(x).detach()

    def means(loss, n_beta: float, seed: int):
        options = {"lr": 2e-3, "num_chains": 64, "num_draws": 1500, "num_burnin": 500}
        found = sgld(
            ModuleTarget(net, held, loss),
            n_beta,
            rng=np.random.default_rng(seed),
            batch_size=50,
            localization=20.0,
            **options,
        )
        return found.draws[0].mean(axis=1)

    def apart(one, other) -> float:
        spread = np.hypot(one.std(ddof=1), other.std(ddof=1)) / 8
        return float(abs(one.mean() - other.mean()) / spread)

    torch_way = means(LOSSES["gaussian"], 60.0, 1)
    assert apart(means("gaussian", 60.0, 2), torch_way) < 4
    assert apart(means("gaussian", 80.0, 3), torch_way) > 4
