"""Work and memory of the lean loop beside the sampling itself, counted and measured."""

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

from torch.profiler import ProfilerActivity, profile  # noqa: E402

from rlct.errors import InputError  # noqa: E402
from rlct.sampling.modules.network_loss import NetworkLoss  # noqa: E402
from rlct.sampling.networks.memory_plan import plan_memory  # noqa: E402
from rlct.sampling.networks.network_llc import estimate_network  # noqa: E402

nn = torch.nn
BUDGET = 0.25  # of the sample gradients of the sampling; a forward pass is a third


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.mix = nn.Linear(width, 3 * width)
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.feed = nn.Sequential(
            nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x):
        q, k, v = self.mix(self.norms[0](x)).chunk(3, -1)
        future = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(future, -1e9)
        x = x + scores.softmax(-1) @ v
        return x + self.feed(self.norms[1](x))


class SmallGPT(nn.Module):
    def __init__(self, width: int = 32, words: int = 40, places: int = 16) -> None:
        super().__init__()
        self.words, self.places = (
            nn.Embedding(words, width),
            nn.Parameter(torch.zeros(places, width)),
        )
        self.blocks = nn.Sequential(Block(width), Block(width))
        self.read = nn.Linear(width, words)

    def forward(self, tokens):
        return self.read(self.blocks(self.words(tokens) + self.places)).transpose(1, 2)


def network(kind: str, samples: int = 300):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        classes = torch.randint(10, (samples,))
        if kind == "gpt":
            tokens = torch.randint(40, (samples, 16))
            return SmallGPT(), (tokens, tokens.roll(-1, 1))
        if kind == "convolution":
            layers = nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3), nn.PReLU()
            net = nn.Sequential(*layers, nn.Flatten(), nn.Linear(400, 10))
            return net, (torch.randn(samples, 1, 16, 16), classes)
        if kind == "wide":
            net = nn.Sequential(nn.Linear(10, 1000), nn.ReLU(), nn.Linear(1000, 10))
            return net, (torch.randn(samples, 10), classes)
        layers = nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 10)
        return nn.Sequential(*layers), (torch.randn(samples, 64), classes)


KINDS = ["dense", "wide", "convolution", "gpt"]


def saved_bytes(net, x, y) -> int:
    """What autograd itself keeps for going back, weights left out."""
    held: dict[int, int] = {}
    weights = {part.untyped_storage().data_ptr() for part in net.parameters()}

    def pack(part):
        storage = part.untyped_storage()
        if storage.data_ptr() not in weights:
            held[storage.data_ptr()] = storage.nbytes()
        return part

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda part: part):
        loss = nn.functional.cross_entropy(net(x), y)
    del loss
    return sum(held.values())


def peak_bytes(work: Callable[[], object]) -> int:
    """Most bytes that were held at once, of those that the work itself asked for."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as seen:
        work()
    now = most = 0
    for event in seen.profiler.kineto_results.events():
        if event.name() == "[memory]":
            now += event.nbytes()
            most = max(most, now)
    return most


@pytest.mark.parametrize("kind", KINDS)
def test_bytes_of_a_sample_are_those_that_autograd_saves_at_another_size(kind) -> None:
    net, data = network(kind)
    held = NetworkLoss(net, data)
    saved = (
        saved_bytes(net, *(part[:96] for part in data))
        - saved_bytes(net, *(part[:32] for part in data))
    ) / 64
    own = held.samples.row_bytes
    assert held.bytes_per_sample - own > 0.95 * (saved - own)
    most = 3.1 if kind == "wide" else 2.0  # times, as slopes on the way back take their part
    assert held.bytes_per_sample < most * saved + own


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("vectorized", [True, False])
def test_a_gradient_holds_no_more_than_was_measured(kind, vectorized) -> None:
    """One chain also at the first call; several that share it once operations are recorded."""
    net, data = network(kind)
    held = NetworkLoss(net, data)
    x, y = held.samples.room(2, 128)
    for k in range(2):
        held.samples.take(torch.arange(128), out=(x[k], y[k]))
    weights = held.centre.repeat(2, 1)
    for _ in range(50 if vectorized and kind != "gpt" else 0):
        held.gradient(weights, x, y)
    if vectorized and kind == "gpt":
        return  # chains of this size do not share a call
    peak = peak_bytes(lambda: held.gradient(weights, x, y, vectorized=vectorized))
    together = 2 if vectorized else 1
    bound = together * 128 * held.bytes_per_sample + 4 * 2 * 4 * held.dimension
    assert peak <= 1.05 * bound
    assert peak >= 0.3 * together * 128 * held.bytes_per_sample  # and the measure is no fancy


@pytest.mark.parametrize("kind", ["gpt", "convolution"])
def test_a_whole_run_stays_below_its_memory(kind) -> None:
    net, data = network(kind, samples=64)
    held = NetworkLoss(net, data)
    vector, batch = 4 * held.dimension, 32
    memory = (2 + 2 + 2 * 4 + 1) * vector + 24 * held.bytes_per_sample + 2 * batch * 2000
    plan = plan_memory(held, 2, batch, memory)
    assert plan.rows_together < batch
    assert plan.bytes_needed <= memory
    short = {"num_chains": 2, "batch_size": batch, "num_draws": 3, "num_burnin": 1, "lr": 1e-6}
    tight = peak_bytes(lambda: estimate_network(net, data, memory=memory, **short))
    loose = peak_bytes(lambda: estimate_network(net, data, memory=2**30, **short))
    print(kind, "peak", tight, "of", memory, "loose", loose)
    assert tight <= memory
    assert loose > tight  # control: without the bound it would be more


def test_what_no_memory_allows_is_refused_in_one_line() -> None:
    net, data = network("gpt")
    with pytest.raises(InputError, match="name fewer chains or more memory") as refused:
        estimate_network(net, data, memory=2**10)
    assert "\n" not in str(refused.value)


def work(net, data, **options) -> tuple[float, float, int]:
    """Sample gradients beside the sampling, in those of it; forward passes; sampling itself."""
    found = estimate_network(net, data, **options)
    steps = options["num_draws"] + options["num_burnin"]
    sampling = options["num_chains"] * steps * options["batch_size"]
    gradients = found.diagnostics["sample gradients"] - sampling
    forwards = found.diagnostics["sample forwards"]
    return gradients + (forwards - len(data[0])) / 3, forwards, sampling


@pytest.mark.parametrize(
    ("kind", "chains", "steps", "batch"),
    [
        ("dense", 4, 200, 32),
        ("dense", 2, 98, 64),
        ("dense", 8, 40, 32),
        ("gpt", 2, 40, 64),
        ("dense", 4, 32, 50),
    ],
)
def test_work_beside_the_sampling_stays_in_its_budget(kind, chains, steps, batch) -> None:
    """From 6 000 sample gradients on; looks at 32 samples cost 1 200 however short a run is."""
    options = {"num_chains": chains, "num_draws": steps // 2, "num_burnin": steps // 2}
    options |= {"batch_size": batch, "lr": 1e-6}
    beside, forwards, sampling = work(*network(kind), **options)
    assert beside <= BUDGET * sampling
    more, more_forwards, _ = work(*network(kind, samples=600), **options)
    assert more_forwards - forwards <= 300 + 0.02 * sampling  # the loss at w*
    assert more <= BUDGET * sampling


def test_a_very_short_run_costs_more_than_it_says() -> None:
    options = {"num_chains": 2, "num_draws": 10, "num_burnin": 10, "batch_size": 16, "lr": 1e-6}
    beside, _, sampling = work(*network("dense"), **options)
    assert sampling < 6000
    assert BUDGET * sampling < beside < 1500
