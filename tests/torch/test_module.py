"""Networks in torch: the same numbers as in NumPy, and clear words for what does not fit."""

import copy
import functools
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.criteria.waic import waic  # noqa: E402
from rlct.errors import DivergedError, InputError  # noqa: E402
from rlct.sampling.arrays import Arrays, arrays_of, value_and_gradient  # noqa: E402
from rlct.sampling.local.llc import estimate_llc  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402
from rlct.sampling.targets.regression import RegressionTarget  # noqa: E402
from rlct.sampling.targets.target import DataTarget  # noqa: E402

nn = torch.nn


def twins(samples: int = 60) -> tuple[RegressionTarget, ModuleTarget]:
    """The linear network 3-2-3 of rank 1 on the same data, in NumPy and in torch."""
    numpy = RegressionTarget([3, 2, 3], 1, samples=samples, sigma=1e6, seed=3)
    net = nn.Sequential(nn.Linear(3, 2, bias=False), nn.Linear(2, 3, bias=False)).double()
    with torch.no_grad():
        for layer in net:
            layer.weight.zero_()
            layer.weight[0, 0] = 1.0
    return numpy, ModuleTarget(net, (numpy.x, numpy.y), "gaussian")


def test_values_gradients_and_pointwise_losses_equal_those_in_numpy() -> None:
    numpy, module = twins()
    assert isinstance(module, DataTarget)
    w = 0.3 * np.random.default_rng(0).standard_normal((5, 12))
    value, slope = value_and_gradient(module, torch.as_tensor(w))
    assert value.numpy() == pytest.approx(numpy.divergence(w))
    assert slope.numpy() == pytest.approx(numpy.gradient(w))
    assert module.pointwise(torch.as_tensor(w)).numpy() == pytest.approx(numpy.pointwise(w))


def test_chunks_of_data_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy, linear = twins()
    net = nn.Sequential(linear.module[0], nn.Tanh(), linear.module[1])
    module = ModuleTarget(net, (numpy.x, numpy.y), "gaussian")
    w = torch.full((2, 12), 0.1, dtype=torch.float64)
    before = value_and_gradient(module, w)
    monkeypatch.setattr("rlct.sampling.modules.module.CHUNK_NUMBERS", 100)
    assert len(module._chunks(2)) > 3
    for old, new in zip(before, value_and_gradient(module, w), strict=True):
        assert new.numpy() == pytest.approx(old.numpy())


def test_batches_average_to_the_whole() -> None:
    """Mean of 4000 batches against the whole: z below 4.5 in each of 13 numbers, 1e-4 in all.

    A hundred pools of batches, as the mean of one differs from the whole.
    """
    _, module = twins()
    rng = np.random.default_rng(1)
    w = torch.full((40, 12), 0.2, dtype=torch.float64)
    parts = [module.batch(w, 4, arrays_of(module, rng)) for _ in range(100)]
    found = torch.stack([torch.cat([v[:, None], s], dim=1).mean(0) for v, s in parts]).numpy()
    exact = np.concatenate([t.numpy().reshape(-1) for t in value_and_gradient(module, w[:1])])
    error = found.std(axis=0) / np.sqrt(len(found)) + 1e-12
    assert (np.abs(found.mean(axis=0) - exact) < 4.5 * error).all()
    assert (np.abs(found.mean(axis=0) - 1.2 * exact) > 4.5 * error).any()


@pytest.mark.parametrize("method", ["hmc", "mala", "sgld"])
def test_tempered_mean_equals_that_of_numpy(method: str) -> None:
    """Two independent runs; false alarm 1e-4 a case; twice its mean is rejected."""
    numpy, module = twins(400)
    options = {"n_beta": 60.0, "method": method, "localization": 1.0}
    draws, chains = {"hmc": (100, 8), "mala": (1000, 8), "sgld": (1000, 32)}[method]
    a = estimate_llc(numpy, seed=1, num_draws=draws, num_chains=chains, **options)
    b = estimate_llc(module, seed=2, num_draws=draws, num_chains=chains, **options)
    error = np.hypot(a.errors["chains"], b.errors["chains"])
    assert abs(a.lam - b.lam) < -norm.ppf(0.5e-5) * error
    assert abs(a.lam - 2 * b.lam) > -norm.ppf(0.5e-5) * error


def test_same_seed_same_answer_and_resumption(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is stopped and goes on from its file gives the draws of one that is not."""
    _, module = twins()
    options = {"n_beta": 20.0, "num_draws": 30, "num_burnin": 20, "num_chains": 3, "seed": 5}
    both, calls, stop = module.value_and_gradient, [], 0

    class StopError(Exception):
        pass

    def failing(w):
        calls.append(1)
        if len(calls) == stop:
            raise StopError
        return both(w)

    whole = estimate_llc(module, **options)
    monkeypatch.setattr(module, "value_and_gradient", failing)
    again = estimate_llc(module, **options)
    assert (whole.chains.draws == again.chains.draws).all()
    path = tmp_path / "run.npz"
    stop = len(calls) * 7 // 4  # three quarters on in the next run
    monkeypatch.setattr("rlct.sampling.markov_chains.checkpoint.SECONDS_BETWEEN_SAVES", 0.0)
    with pytest.raises(StopError):
        estimate_llc(module, checkpoint=path, **options)
    monkeypatch.setattr(module, "value_and_gradient", both)
    resumed = estimate_llc(module, checkpoint=path, **options)
    assert (resumed.chains.draws == whole.chains.draws).all()
    with pytest.raises(InputError, match="other settings"):
        estimate_llc(module, checkpoint=path, **{**options, "num_draws": 31})


def test_losses_by_name_module_and_function_agree() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3))
    x, y = torch.randn(20, 4), torch.randint(3, (20,))
    w = 0.1 * torch.randn(2, 4 * 6 + 6 + 18 + 3)
    losses = ["cross_entropy", nn.CrossEntropyLoss(), nn.functional.cross_entropy]
    found = [ModuleTarget(net, (x, y), loss).pointwise(w).numpy() for loss in losses]
    assert found[1] == pytest.approx(found[0], abs=1e-6)
    assert found[2] == pytest.approx(found[0], abs=1e-6)


def test_frozen_parameters_and_buffers_stay() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2), nn.Linear(2, 1)).double()
    net[0].requires_grad_(False)
    x, y = torch.randn(2, 9, 2, dtype=torch.float64)
    target = ModuleTarget(net, (x, y[:, :1]), "mse")
    assert target.dimension == 2 + 2 + 2 + 1
    # Whether one call for all points rounds as one for w* does depends on the threads of torch.
    at_start = target.divergence(torch.zeros(1, 7, dtype=torch.float64))[0]
    assert float(at_start) == pytest.approx(0.0, abs=1e-14)
    for parameter in net.parameters():
        parameter.requires_grad_(False)
    with pytest.raises(InputError, match="nothing can move"):
        ModuleTarget(net, (torch.randn(9, 2), torch.randn(9, 1)), "mse")


class DataFrame:
    """A table that is no array, as that of pandas."""

    def to_numpy(self):
        return np.zeros((3, 2))


@pytest.mark.parametrize(
    ("data", "loss", "words"),
    [
        (
            (DataFrame(), torch.zeros(3, 1)),
            "mse",
            r"pairs: of a DataFrame give .to_",
        ),
        ([torch.zeros(3, 2), DataFrame()], "mse", r"of a DataFrame give .to_numpy\(\)$"),
        (DataFrame(), "mse", r"of a DataFrame give .to_numpy\(\)$"),
        ((torch.zeros(3, 2), ["a", "b", "c"]), "mse", "Dataset of such pairs$"),
        ((torch.zeros(3, 2), torch.zeros(2, 1)), "mse", "3 inputs and 2 targets"),
        (torch.zeros(3, 2), "mse", "pair"),
        ((torch.zeros(3, 5), torch.zeros(3, 1)), "mse", "do not fit"),
        (
            (torch.zeros(3, 4, 2), torch.zeros(3, 4).long()),
            "cross_entropy",
            "classes stand on axis 1",
        ),
        ((torch.zeros(3, 2), torch.zeros(3, 1)), "hinge", "unknown loss"),
        ((torch.zeros(3, 2), torch.zeros(3, 1)), torch.zeros(2), "unknown loss"),
        ((torch.zeros(3, 2), torch.zeros(3, 1)), nn.MSELoss(reduction="sum"), "its mean"),
        ((torch.zeros(3, 2), -torch.ones(3, 1)), "cross_entropy", "whole numbers"),
        ((torch.zeros(3, 2), 2 * torch.ones(3, 1)), nn.CrossEntropyLoss(), "probabilities"),
        ((torch.full((3, 2), torch.nan), torch.zeros(3, 1)), "mse", "not a number"),
        (None, "mse", "needs data"),
        ((torch.zeros(3, 2), torch.zeros(3)), "mse", "reshape the targets"),
        ((torch.zeros(3, 2), torch.zeros(3)), "gaussian", "reshape the targets"),
        ((torch.zeros(3, 2), torch.zeros(3)), nn.MSELoss(), "reshape the targets"),
        ((torch.zeros(3, 2), torch.zeros(3, 1)), nn.MSELoss, "give an instance"),
        (((torch.zeros(3, 2), torch.zeros(3, 2)), torch.zeros(3, 1)), "mse", "a pair"),
        ((torch.zeros(3, 2), torch.ones(3).long()), None, "BCEWithLogitsLoss"),
        ((torch.zeros(3, 2), torch.ones(3, 1).bool()), None, "BCEWithLogitsLoss"),
        ((torch.zeros(3, 2), torch.ones(3, 1).long()), nn.BCEWithLogitsLoss(), r"y.float\(\)"),
        ((torch.zeros(3, 2), torch.ones(3, 1).bool()), nn.BCEWithLogitsLoss(), r"y.float\(\)"),
        ((torch.zeros(3, 2), torch.ones(3, 1).bool()), "gaussian", "true or false"),
        ((torch.zeros(3, 2), torch.full((3,), -100)), "cross_entropy", "every target"),
        ((torch.zeros(3, 2), torch.ones(3, 1).byte()), nn.CrossEntropyLoss(), "BCEWithLogitsLoss"),
    ],
)
def test_bad_input_is_one_clear_line(data, loss, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        rlct.llc(nn.Linear(2, 1), data, loss=loss)
    assert "\n" not in str(caught.value)


def test_data_before_the_module_are_told() -> None:
    data = (torch.zeros(3, 2), torch.zeros(3, 1))
    with pytest.raises(InputError, match=r"module, which comes first: llc\(module, "):
        rlct.llc(data, nn.Linear(2, 1))


@pytest.mark.parametrize("kind", [nn.Linear, rlct.LinearNetwork])
def test_a_class_is_told_from_what_it_makes(kind) -> None:
    name = kind.__name__
    for data in (None, (torch.zeros(3, 2), torch.zeros(3, 1))):
        for ask in (rlct.llc, rlct.calibrate):
            with pytest.raises(InputError, match=rf"{name} is a class: give an instance, {name}\("):
                ask(kind, data)


# Torch divides by the weights of the targets that count, or by their number.
BALANCED = torch.tensor([1.0, 1.0, 20.0], dtype=torch.float64)
WEIGHTED = {
    "equal": nn.CrossEntropyLoss(weight=torch.full((3,), 100.0, dtype=torch.float64)),
    "weights": nn.CrossEntropyLoss(weight=BALANCED),
    "ignored": nn.CrossEntropyLoss(ignore_index=0),
    "both": nn.CrossEntropyLoss(weight=BALANCED, ignore_index=1),
    "smoothed": nn.CrossEntropyLoss(weight=BALANCED, ignore_index=1, label_smoothing=0.2),
    "likelihood": nn.NLLLoss(weight=BALANCED, ignore_index=2),
}


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize("places", [(), (4,)])
def test_weights_of_classes_and_ignored_targets_count_as_in_torch(
    name: str, places: tuple[int, ...]
) -> None:
    """Value and gradient on all data are those of torch; a plain mean is far from them."""
    torch.manual_seed(2)
    loss, positions = WEIGHTED[name], int(np.prod(places))
    head = nn.Unflatten(1, (3, *places))
    net = nn.Sequential(nn.Linear(2, 3 * positions), head, nn.LogSoftmax(1)).double()
    x, y = torch.randn(40, 2).double(), torch.randint(3, (40, *places))
    y[:3] = max(loss.ignore_index, 0)
    target = ModuleTarget(net, (x, y), loss)
    kept = (y != loss.ignore_index).reshape(40, -1).any(1)
    assert target.samples == int(kept.sum())
    w = 0.3 * torch.randn(1, target.dimension, dtype=torch.float64)
    start = loss(net(x), y)
    with torch.no_grad():
        net.load_state_dict(target.state_dict(w[0]))
    moved = loss(net(x), y)
    moved.backward()
    slope = torch.cat([p.grad.reshape(-1) for p in net.parameters()])
    wanted = (moved - start).item()
    value, found = value_and_gradient(target, w)
    assert target.baseline == pytest.approx(start.item())
    assert float(value[0]) == pytest.approx(wanted)
    assert found[0].numpy() == pytest.approx(slope.numpy())
    assert float(target.divergence(w)[0]) == pytest.approx(wanted)
    plain = copy.copy(loss)
    plain.reduction = "none"
    assert plain(net(x), y).mean().item() != pytest.approx(moved.item(), rel=0.05)


def test_probabilities_with_weights_are_divided_by_their_number() -> None:
    torch.manual_seed(2)
    net, x = nn.Linear(2, 3).double(), torch.randn(40, 2).double()
    y, loss = torch.randn(40, 3).double().softmax(1), nn.CrossEntropyLoss(weight=BALANCED)
    assert ModuleTarget(net, (x, y), loss).baseline == pytest.approx(loss(net(x), y).item())
    loss = nn.BCEWithLogitsLoss(weight=BALANCED, pos_weight=BALANCED)
    assert ModuleTarget(net, (x, y), loss).baseline == pytest.approx(loss(net(x), y).item())


class Focal(nn.Module):
    """A loss of one's own with the usual attribute, that divides as it is told."""

    def __init__(self, divisor: str) -> None:
        super().__init__()
        self.divisor, self.reduction = divisor, "mean"

    def forward(self, out: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        """Weighted losses, or their mean."""
        weight = BALANCED.float()[y]
        found = weight * nn.functional.cross_entropy(out, y, reduction="none") ** 2
        if self.reduction == "none":
            return found
        return found.sum() / (len(y) if self.divisor == "number" else weight.sum())


def test_every_loss_is_held_against_its_own_value_on_all_data() -> None:
    """Only among all samples is there one of another weight: a look at few does not see it."""
    torch.manual_seed(0)
    net, x, y = nn.Linear(2, 3), torch.randn(40, 2), torch.zeros(40).long()
    y[-2:] = 2
    assert ModuleTarget(net, (x, y), Focal("number")).samples == 40
    weighted = functools.partial(nn.functional.cross_entropy, weight=BALANCED.float())
    ignoring = functools.partial(nn.functional.cross_entropy, ignore_index=2)
    for loss in (Focal("weights"), weighted, ignoring):
        with pytest.raises(InputError, match="not the mean over its samples"):
            ModuleTarget(net, (x, y), loss)


def _squares(out, y):
    return ((out - y) ** 2).sum()


@pytest.mark.parametrize(
    "loss",
    [
        _squares,
        functools.partial(nn.functional.mse_loss, reduction="sum"),
        lambda out, y: _squares(out, y) / len(y) * len(y) ** 0.5,
        lambda out, y: ((out - y[:, 0]) ** 2).mean(),  # every output against every target
    ],
)
@pytest.mark.parametrize("fits", [True, False])
def test_a_loss_that_is_no_mean_is_refused(loss, fits: bool) -> None:
    torch.manual_seed(0)
    net, x = nn.Linear(2, 1), torch.randn(20, 2)
    y = net(x).detach() + (0.0 if fits else torch.randn(20, 1))
    with pytest.raises(InputError, match="not the mean over its samples"):
        rlct.llc(net, (x, y), loss=loss)


@pytest.mark.parametrize(
    "loss",
    [
        lambda out, y: ((out - y) ** 2).mean(),
        lambda out, y: (out - y) ** 2,
        lambda out, y: _squares(out, y) / len(y),
        lambda out, y: nn.functional.binary_cross_entropy(out.clamp(0.01, 0.99), y.clamp(0, 1)),
        lambda out, y: nn.functional.mse_loss(out, y) + 7,
    ],
)
def test_functions_that_average_are_taken(loss) -> None:
    torch.manual_seed(0)
    x = torch.randn(20, 2)
    assert ModuleTarget(nn.Linear(2, 1), (x, torch.randn(20, 1)), loss).samples == 20


def test_what_torch_cannot_run_for_many_chains_is_said_before_the_run() -> None:
    class Forked(nn.Linear):
        """Looks at its data to choose a way."""

        def forward(self, x):
            """One of two ways."""
            return super().forward(x if x.sum() > 0 else -x)

    with pytest.raises(InputError, match="many chains"):
        rlct.llc(Forked(2, 1), (torch.ones(3, 2), torch.zeros(3, 1)), loss="mse")
    with pytest.raises(InputError, match="real numbers"):
        ModuleTarget(nn.Linear(2, 1, dtype=torch.cfloat), (torch.ones(3, 2), torch.ones(3, 1)))


def test_a_module_that_cannot_be_copied_is_one_clear_line() -> None:
    from torch.nn.utils import prune

    net, x = nn.Linear(3, 1), torch.ones(4, 3)
    prune.random_unstructured(net, "weight", 0.5)
    with pytest.raises(InputError, match=r"cannot be copied.*prune.remove") as caught:
        ModuleTarget(net, (x, x[:, :1]))
    assert "\n" not in str(caught.value)
    prune.remove(net, "weight")
    assert ModuleTarget(net, (x, x[:, :1])).dimension == 4


def test_datasets_and_loaders_are_the_same_data() -> None:
    class Listed(torch.utils.data.Dataset):
        """Pairs one by one."""

        def __len__(self) -> int:
            return len(x)

        def __getitem__(self, k: int):
            return x[k], y[k]

    x, y = torch.randn(7, 2), torch.randn(7, 1)
    net = nn.Linear(2, 1)
    wanted = ModuleTarget(net, (x, y), "mse").baseline
    tensors = torch.utils.data.TensorDataset(x, y)
    loader = torch.utils.data.DataLoader(tensors, batch_size=2, shuffle=True, drop_last=True)
    for data in (tensors, Listed(), loader):
        found = ModuleTarget(net, data, "mse")
        assert found.samples == 7
        assert found.baseline == pytest.approx(wanted, rel=1e-5)
    with pytest.raises(InputError, match="dataset"):
        ModuleTarget(net, torch.utils.data.Dataset(), "mse")


class Stream(torch.utils.data.IterableDataset):
    """Samples without an end."""

    def __iter__(self):
        """None at all."""
        return iter(())


def test_lazy_parameters_have_one_clear_line() -> None:
    with pytest.raises(InputError, match="lazy parameters"):
        ModuleTarget(nn.LazyLinear(1), (torch.randn(4, 2), torch.randn(4, 1)), "mse")


def test_loaders_that_do_not_take_every_sample_once_are_refused() -> None:
    utils = torch.utils.data
    pairs = utils.TensorDataset(torch.randn(4, 2), torch.randn(4, 1))
    weighted = utils.WeightedRandomSampler([0.0, 0.0, 1.0, 1.0], 4)
    loaders = {
        "WeightedRandomSampler": utils.DataLoader(pairs, sampler=weighted),
        "SubsetRandomSampler": utils.DataLoader(
            pairs, batch_sampler=utils.BatchSampler(utils.SubsetRandomSampler([0]), 1, False)
        ),
        "list": utils.DataLoader(pairs, batch_sampler=[[0, 0]]),
        "collate_fn": utils.DataLoader(pairs, collate_fn=lambda items: items),
        "IterableDataset": utils.DataLoader(Stream()),
        "draws 2 of 4 samples by RandomSampler": utils.DataLoader(
            pairs, sampler=utils.RandomSampler(pairs, num_samples=2)
        ),
        "draws 2 of 4 samples by SequentialSampler": utils.DataLoader(
            pairs, sampler=utils.SequentialSampler(range(2))
        ),
    }
    for words, loader in loaders.items():
        with pytest.raises(InputError, match=words):
            ModuleTarget(nn.Linear(2, 1), loader, "mse")
    plain = utils.DataLoader(pairs, batch_size=None)
    assert ModuleTarget(nn.Linear(2, 1), plain, "mse").samples == 4


def test_llc_without_any_tuning() -> None:
    """A regular model at its minimum: E[nβL] = d/2 up to O(1/nβ); t-interval, 1e-4; not d."""
    torch.manual_seed(1)
    x = torch.randn(500, 6, dtype=torch.float64)
    y = x[:, :1] + torch.randn(500, 1, dtype=torch.float64)
    net = nn.Linear(6, 1, bias=False).double()
    with torch.no_grad():
        net.weight[:] = torch.linalg.lstsq(x, y).solution.T
    found = rlct.llc(net, (x, y), loss="gaussian", seed=4)
    assert found.method == "hmc"
    assert not found.warnings
    error = 5.5 * found.errors["chains"]
    assert abs(found.lam - 3) < error + 0.1
    assert abs(found.lam - 6) > error + 0.1
    assert (found.verdict, set(found.errors)) == ("usable", {"chains"})
    # At the minimum of a regular model λ̂ does not depend on the data.
    assert rlct.llc(net, (x, y), seed=4, errors="data").errors["data"] < 0.1


def test_threads_are_given_back() -> None:
    before = torch.get_num_threads()
    _, module = twins()
    with module.session():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_numpy_arrays_are_the_default() -> None:
    numpy, _ = twins()
    assert type(arrays_of(numpy, np.random.default_rng(0))) is Arrays


def test_the_example_of_readme(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    block = r"<!-- llc -->\n```python\n(.*?)```\n\n```text\n(.*?)```"
    code, shown = re.search(block, text, re.DOTALL).groups()
    exec(code, {})
    printed = capsys.readouterr().out
    estimate = re.compile(r"≈ (\S+) \[(\S+), (\S+)\]")
    # Chains on another processor draw other numbers: the same line, and an interval around λ̂.
    assert estimate.sub("#", printed) == estimate.sub("#", shown)
    (_, low, high), (lam, *_) = (estimate.search(found).groups() for found in (printed, shown))
    assert float(low) < float(lam) < float(high)


def test_the_example_of_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / "examples.md").read_text(encoding="utf-8")
    code = re.search(r"<!-- torch -->\n```python\n(.*?)```", text, re.DOTALL)[1]
    torch.manual_seed(0)
    names = {
        "rlct": rlct,
        "module": nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 3)),
        "inputs": torch.randn(200, 4),
        "targets": torch.randint(3, (200,)),
    }
    exec(code, names)
    printed = capsys.readouterr().out
    assert "λ̂ ≈" in printed
    # Random weights are no minimum, and the run says so.
    assert "warning: not a minimum" in printed


def test_the_usual_loss_follows_the_targets() -> None:
    """Classes as whole numbers, or real values: as if the loss had been named."""
    x = torch.randn(50, 3, generator=torch.Generator().manual_seed(0))
    for y, name in ((x[:, 0] > 0).long(), "cross_entropy"), (x, "gaussian"):
        net = nn.Linear(3, 3, bias=False)
        usual, named = ModuleTarget(net, (x, y)), ModuleTarget(net, (x, y), name)
        assert usual.baseline == named.baseline
        assert named.baseline != ModuleTarget(net, (x, x), "mse").baseline


@pytest.mark.parametrize("layer", [nn.BatchNorm1d(3), nn.Dropout(0.5)])
def test_what_changes_with_training_is_said(layer: nn.Module) -> None:
    data = (torch.randn(40, 3), torch.randn(40, 1))
    net = nn.Sequential(layer.train(), nn.Linear(3, 1))
    options = {"num_draws": 4, "num_burnin": 4, "num_chains": 2, "method": "sgld", "lr": 1e-5}

    def told() -> bool:
        return any("eval()" in words for words in rlct.llc(net, data, **options).warnings)

    assert told()
    net.eval()
    assert not told()


class Scaled(nn.Module):
    """One parameter without dimensions; a pair where it is asked for."""

    def __init__(self, pair: bool) -> None:
        super().__init__()
        self.scale, self.pair = nn.Parameter(torch.tensor(0.5)), pair

    def forward(self, x: torch.Tensor) -> object:
        return (self.scale * x, x) if self.pair else self.scale * x


def test_a_parameter_without_dimensions_moves_and_a_pair_is_no_output() -> None:
    x = torch.linspace(-1.0, 1.0, 9)[:, None]
    target = ModuleTarget(Scaled(False), (x, x), "mse")
    found = target.divergence(torch.tensor([[0.0], [0.5]]))
    assert found.tolist() == pytest.approx([0.0, -0.25 * float((x**2).mean())])
    with pytest.raises(InputError, match="returns a tuple"):
        ModuleTarget(Scaled(True), (x, x), "mse")


class Last(nn.Module):
    """A layer over time, then a linear one on its last state."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer, self.head = layer, nn.LazyLinear(1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """One number for each sample."""
        found = self.layer(x)
        return self.head((found[0] if isinstance(found, tuple) else found)[:, -1])


@pytest.mark.parametrize("kind", [nn.RNN, nn.LSTM, nn.GRU])
def test_recurrent_layers_move_one_chain_after_another(kind: type[nn.Module]) -> None:
    """Values and gradients of three points are those of three modules."""
    torch.manual_seed(0)
    net, x, y = Last(kind(2, 3, batch_first=True)), torch.randn(5, 4, 2), torch.randn(5, 1)
    net(x)
    target = ModuleTarget(net.double(), (x.double(), y.double()), "mse")
    assert "one after another" in target.remark
    w = 0.3 * torch.randn(3, target.dimension, dtype=torch.float64)
    whole = value_and_gradient(target, w)
    same = np.tile(np.arange(5), (3, 1))
    own = target._function.batch_both.function(w, *target._picked(same))[::-1]
    for values, slopes in (whole, own):
        for k in range(3):
            net.load_state_dict(target.state_dict(w[k]))
            net.zero_grad()
            loss = nn.functional.mse_loss(net(x.double()), y.double())
            loss.backward()
            slope = torch.cat([p.grad.reshape(-1) for p in net.parameters()])
            assert float(values[k]) == pytest.approx(loss.item() - target.baseline)
            assert slopes[k].numpy() == pytest.approx(slope.numpy())
            assert slopes[k - 1].numpy() != pytest.approx(slope.numpy(), rel=0.1)
    assert target.divergence(w).numpy() == pytest.approx(whole[0].numpy())
    assert target.pointwise(w, same).mean(1).numpy() == pytest.approx(whole[0].numpy())


def test_layers_that_vmap_does_not_know_move_one_chain_after_another() -> None:
    """The slope at a weight is a difference of values there, of each point its own."""
    torch.manual_seed(0)

    class Leaky(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.head = nn.Linear(2, 1)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            """With the mean of the slopes of randomized leaky units."""
            return nn.functional.rrelu(self.head(x))

    data = torch.randn(5, 2).double(), torch.randn(5, 1).double()
    target = ModuleTarget(Leaky().double(), data, "mse")
    assert "vmap does not know" in target.remark
    w = torch.randn(3, target.dimension, dtype=torch.float64)
    values, slopes = value_and_gradient(target, w)
    step = torch.zeros_like(w)
    step[:, 0] = 1e-6
    moved = (target.divergence(w + step) - target.divergence(w - step)) / 2e-6
    assert moved.numpy() == pytest.approx(slopes[:, 0].numpy(), rel=1e-6)
    assert target.divergence(w).numpy() == pytest.approx(values.numpy())
    assert len(set(values.tolist())) == 3


def test_torch_does_not_warn_of_what_takes_long() -> None:
    """A layer that vmap moves point by point within; torch says so once a call."""
    torch.manual_seed(0)
    net, words = nn.EmbeddingBag(5, 2), torch.randint(0, 5, (20, 3))
    labels = torch.randint(0, 2, (20,))
    target = ModuleTarget(net, (words, labels))
    with pytest.warns(UserWarning, match="performance drop"):
        target.divergence(torch.zeros(2, target.dimension))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rlct.llc(net, (words, labels), num_draws=5, num_burnin=5, num_chains=2)


@pytest.mark.parametrize("kind", ["recurrent", "attention", "samples first"])
def test_a_module_that_mixes_samples_is_refused(kind: str) -> None:
    torch.manual_seed(0)
    first = kind == "samples first"
    attention = nn.TransformerEncoderLayer(4, 1, 4)
    layer = attention if kind == "attention" else nn.GRU(4, 3, batch_first=first)
    net, data = Last(layer).eval(), (torch.randn(5, 3, 4), torch.randn(5, 1))
    net(data[0])
    if first:
        assert ModuleTarget(net, data, "mse").samples == 5
        return
    with pytest.raises(InputError, match="batch_first"):
        ModuleTarget(net, data, "mse")


MIXING = {
    "standard deviation": lambda x: (x - x.mean(0)) / x.std(0),
    "largest": lambda x: x / x.abs().amax(0),
    "sum of those before": lambda x: x.cumsum(0),
    "sum of those after": lambda x: x.flip(0).cumsum(0),
    "neighbour": lambda x: x.roll(1, 0),
    "chance": lambda x: x + torch.randn_like(x),
}


def inputs(kind: str) -> torch.Tensor:
    torch.manual_seed(0)
    x = torch.randn(100, 3)
    if kind == "rare":
        x[:, 0] = 0.0
        x[37, 0] = 1.0
    elif kind == "equal":
        x[1] = x[0]
    return x[:2] if kind == "two" else x


@pytest.mark.parametrize("kind", ["usual", "rare", "equal", "two"])
@pytest.mark.parametrize("name", MIXING)
def test_inputs_changed_by_the_batch_are_refused(name: str, kind: str) -> None:
    """Some of a few samples have no standard deviation, or all of them the largest."""

    class Changed(nn.Linear):
        def forward(self, x):
            return super().forward(MIXING[name](x))

    x = inputs(kind)
    words = "another at each call" if name == "chance" else "depends on the others"
    with pytest.raises(InputError, match=words):
        ModuleTarget(Changed(3, 1), (x, torch.randn(len(x), 1)))


@pytest.mark.parametrize("kind", ["usual", "rare", "equal", "two"])
def test_inputs_changed_one_by_one_are_taken(kind: str) -> None:
    class Scaled(nn.Linear):
        def forward(self, x):
            return super().forward((x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True))

    x = inputs(kind)
    assert ModuleTarget(Scaled(3, 1), (x, torch.randn(len(x), 1))).samples == len(x)


def pairs(x: torch.Tensor) -> torch.Tensor:
    grouped = x.reshape(-1, 2, x.shape[-1])
    return (grouped - grouped.mean(1, keepdim=True)).reshape(x.shape)


def halves(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([part - part.mean(0) for part in x.chunk(2)])


class Head(nn.Module):
    """A linear layer on inputs that a function has changed."""

    def __init__(self, change, scale: float) -> None:
        super().__init__()
        self.change, self.head = change, nn.Linear(3, 2)
        with torch.no_grad():
            self.head.weight.mul_(scale)

    def forward(self, x):
        return self.head(self.change(x))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.float64])
@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_mixing_is_seen_at_any_weights_and_in_any_precision(dtype, scale: float) -> None:
    """Outputs of a zero readout are alike; 100 units of the last place of bfloat16 are 78 %."""
    x, y = inputs("usual"), torch.randn(100, 2)
    mixed = [MIXING["standard deviation"], lambda x: x.softmax(0), lambda x: x / len(x)]
    mixed += [pairs, halves]
    for change in mixed:
        with pytest.raises(InputError, match="depends on the others"):
            ModuleTarget(Head(change, scale).to(dtype), (x, y))
    for change in (lambda x: x.softmax(1), lambda x: x.float().cos().to(x.dtype)):
        assert ModuleTarget(Head(change, scale).to(dtype), (x, y)).samples == 100


def test_mixing_is_seen_beside_a_larger_output() -> None:
    class Columns(nn.Linear):
        def forward(self, x):
            out = super().forward(x)
            return torch.cat([out + 1e7, out - out.mean(0)], dim=1)

    with pytest.raises(InputError, match="depends on the others"):
        ModuleTarget(Columns(3, 1), (inputs("usual"), torch.randn(100, 2)))


@pytest.mark.parametrize("kind", ["logarithm", "factor"])
def test_weights_may_be_bound_to_where_they_are(kind: str) -> None:
    """Near w* the logarithm is no number; the matrix is not positive, and has no factor."""

    class Bound(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(0.05 * torch.eye(3))

        def forward(self, x):
            if kind == "factor":
                return x @ torch.linalg.cholesky(self.weight)
            return x @ torch.log(0.06 - self.weight)

    data = inputs("usual"), torch.randn(100, 3)
    if kind == "factor":
        with pytest.raises(InputError, match="called again with other weights"):
            ModuleTarget(Bound(), data)
    else:
        assert ModuleTarget(Bound(), data).samples == 100


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_layers_without_a_rule_run_one_after_another() -> None:
    """A padding mask makes nested tensors, which vmap does not know."""

    class Padded(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.words = nn.Embedding(7, 4)
            layer = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
            self.attention, self.head = nn.TransformerEncoder(layer, 1), nn.Linear(4, 2)

        def forward(self, x):
            found = self.attention(self.words(x), src_key_padding_mask=x == 0)
            return self.head(found.mean(1))

    torch.manual_seed(0)
    words = torch.randint(1, 7, (20, 5))
    words[::3, 3:] = 0
    target = ModuleTarget(Padded().eval(), (words, torch.randint(0, 2, (20,))))
    assert "one after another" in target.remark


def test_data_and_weights_without_numbers_are_refused() -> None:
    x, y = torch.randn(20, 3), torch.randn(20, 1)
    with pytest.raises(InputError, match="weights on the device meta"):
        ModuleTarget(nn.Linear(3, 1, device="meta"), (x, y))
    for data in ((x.to("meta"), y), (x, y.to("meta"))):
        with pytest.raises(InputError, match="are on the device meta"):
            ModuleTarget(nn.Linear(3, 1), data)
    for sparse in (x.to_sparse(), torch.nested.nested_tensor(list(x))):
        with pytest.raises(InputError, match="to_dense"):
            ModuleTarget(nn.Linear(3, 1), (sparse, y))
    words = torch.randint(0, 5, (20,))
    with pytest.raises(InputError, match="sparse=False"):
        ModuleTarget(nn.Embedding(5, 1, sparse=True), (words, y))


def test_complex_outputs_are_taken() -> None:
    class Waves(nn.Linear):
        def forward(self, x):
            return torch.fft.rfft(super().forward(x))

    def loss(out, y):
        return (out.abs() - y).square().mean()

    assert ModuleTarget(Waves(3, 4), (torch.randn(20, 3), torch.randn(20, 3)), loss).samples == 20


def test_a_posterior_without_bounds_is_named() -> None:
    """exp(−nβ(ab)²/2) over the plane has infinite mass."""
    net = nn.Sequential(nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False))
    for part in net:
        nn.init.zeros_(part.weight)
    torch.manual_seed(0)
    data = torch.randn(100, 1), torch.randn(100, 1)
    options = {"num_draws": 20, "num_burnin": 20, "num_chains": 2}
    for localization, told in ((0.0, True), (1.0, False)):
        found = rlct.llc(net, data, localization=localization, **options)
        assert any("nothing confines the chains" in line for line in found.warnings) == told


@pytest.mark.parametrize("method", ["hmc", "sgld"])
def test_a_loss_that_falls_without_end_is_an_error_at_its_step(method: str) -> None:
    """An untrained network is not one: its loss falls, too, and it is warned of."""
    net = torch.nn.Linear(2, 1)
    x = torch.randn(2000, 2, generator=torch.Generator().manual_seed(1))
    data = x, 3.0 + x.sum(dim=1, keepdim=True)
    with pytest.raises(DivergedError, match=r"at step \d+"):
        rlct.llc(net, data, loss=lambda out, y: -((out - y) ** 2).mean(), method=method)
    with torch.no_grad():
        net.weight.zero_()
    found = rlct.llc(net, data, method=method)
    assert any("not a minimum" in line for line in found.warnings)


def test_log_likelihoods_may_be_tensors_that_want_gradients() -> None:
    held = -torch.rand(2, 30, 5, requires_grad=True)
    assert waic(held).value == waic(held.detach().numpy()).value


def test_dropout_of_nothing_is_no_news() -> None:
    """Control: with p = 1/10 the loss at w* is not the one that was trained."""
    data = torch.ones(4, 2), torch.ones(4, 1)
    for p, said in ((0.0, False), (0.1, True)):
        module = nn.Sequential(nn.Dropout(p), nn.Linear(2, 1))
        assert ("eval()" in ModuleTarget(module, data).remark) is said
