"""Exact draws of linear layers in torch: the distribution of those in NumPy, and clear errors."""

import json
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

torch = pytest.importorskip("torch")

import rlct  # noqa: E402
from rlct.errors import InputError  # noqa: E402
from rlct.sampling.markov_chains.gibbs import gibbs  # noqa: E402
from rlct.sampling.modules.linear_module import LinearModuleTarget  # noqa: E402
from rlct.sampling.modules.module import ModuleTarget  # noqa: E402
from rlct.sampling.targets.linear import LinearNetworkTarget  # noqa: E402
from rlct.sampling.targets.polynomial import PolynomialTarget  # noqa: E402
from rlct.sampling.targets.regression import RegressionTarget  # noqa: E402

nn = torch.nn


def network(widths, rank):
    """Layers diag(1, …, 1, 0, …) in double precision."""
    parts = []
    for inner, outer in pairwise(widths):
        layer = nn.Linear(inner, outer, bias=False).double()
        with torch.no_grad():
            layer.weight.zero_()
            layer.weight[range(rank), range(rank)] = 1.0
        parts.append(layer)
    return nn.Sequential(*parts)


def twins():
    """The network 3-2-4-3 of rank 1 on the same 30 noisy samples."""
    numpy = RegressionTarget([3, 2, 4, 3], 1, samples=30, sigma=1.0, seed=3)
    return numpy, LinearModuleTarget(network([3, 2, 4, 3], 1), (numpy.x, numpy.y))


def test_values_equal_those_in_numpy_and_of_the_whole_module() -> None:
    numpy, torched = twins()
    w = 0.3 * np.random.default_rng(0).standard_normal((5, 26))
    found = torched.divergence(torch.as_tensor(w)).numpy()
    assert found == pytest.approx(numpy.divergence(w))
    whole = ModuleTarget(torched.module, (numpy.x, numpy.y), "gaussian")
    assert found == pytest.approx(whole.divergence(torch.as_tensor(w)).numpy())
    assert torched.log_prior(torch.as_tensor(w)).numpy() == pytest.approx(numpy.log_prior(w))


def test_draws_have_the_distribution_of_those_in_numpy() -> None:
    """One sweep from the same 4000 states: means of w and of w² by layer, K and K².

    A z-score each, 54 in all, 1e-4 together; states drawn at nβ = 10 instead of 30 are told
    apart.
    """
    numpy, torched = twins()
    rng = np.random.default_rng(1)
    start = 0.5 * rng.standard_normal((4000, 26))
    a = numpy.redraw(start, 30.0, rng)
    b = torched.redraw(torch.as_tensor(start), 30.0, rng).numpy()
    c = torched.redraw(torch.as_tensor(start), 10.0, rng).numpy()

    def numbers(w):
        k = numpy.divergence(w)[:, None]
        return np.concatenate([w, w**2, k, k**2], axis=1)

    def worst(w):
        gap = numbers(a).mean(axis=0) - numbers(w).mean(axis=0)
        error = np.hypot(numbers(a).std(axis=0), numbers(w).std(axis=0)) / np.sqrt(len(w))
        return np.abs(gap / error).max()

    limit = -norm.ppf(0.5e-4 / 54)
    assert worst(b) < limit < worst(c)


def test_tempered_means_of_a_ladder_equal_those_in_numpy() -> None:
    """Chains of both, at two nβ: false alarm 1e-4 in all; λ of the next rank is rejected."""
    numpy = LinearNetworkTarget([4, 4, 4], 1)
    data = (2.0 * torch.eye(4).double(), 2.0 * torch.diag(torch.tensor([1.0, 0, 0, 0])).double())
    torched = LinearModuleTarget(network([4, 4, 4], 1), data)
    options = {"num_chains": 32, "num_draws": 60}
    a = gibbs(numpy, np.array([1e2, 1e6]), rng=np.random.default_rng(0), **options).draws
    b = gibbs(torched, np.array([1e2, 1e6]), rng=np.random.default_rng(1), **options).draws
    means = a.mean(axis=2), b.mean(axis=2)
    error = np.sqrt(sum(m.var(axis=1, ddof=1) for m in means) / 32)
    gap = means[0].mean(axis=1) - means[1].mean(axis=1)
    assert (np.abs(gap) < 5.0 * error).all()
    # λ = 7 at rank 1; 6 at rank 0, 15/2 at rank 2
    top = means[1][1]
    own = top.std(ddof=1) / np.sqrt(32)
    assert abs(top.mean() - 7.0) < 5.0 * own + 0.1
    assert abs(top.mean() - 6.0) > 5.0 * own + 0.1


@pytest.mark.parametrize(("width", "depth", "sigma"), [(6, 3, 1.0), (14, 3, 3.0), (26, 2, 1.0)])
def test_both_resolve_the_same_and_no_more_than_rounding_allows(width, depth, sigma) -> None:
    """With σ = 3 chains of the narrower one left for 10¹⁰ where eigenvalues were taken."""
    widths = [width] * (depth + 1)
    numpy = LinearNetworkTarget(widths, 0, sigma=sigma)
    data = (width**0.5 * torch.eye(width).double(), torch.zeros(width, width).double())
    module = network(widths, 0)
    torched = LinearModuleTarget(module, data, sigma=sigma)
    assert torched.resolution == pytest.approx(numpy.depth.far)
    levels = np.geomspace(1e3, numpy.depth.far, 6)
    found = gibbs(torched, levels, rng=np.random.default_rng(0), num_chains=3, num_draws=10)
    lam = float(rlct.linear(widths, rank=0).lam)
    assert abs(found.draws[-1].mean() / lam - 1) < 0.1
    single = LinearModuleTarget(module, data, sigma=sigma, dtype=torch.float32)
    assert single.resolution < 1e-8 * torched.resolution


def test_same_seed_same_draws() -> None:
    _, torched = twins()
    runs = [
        gibbs(torched, [1.0, 10.0], rng=np.random.default_rng(2), num_chains=3, num_draws=5)
        for _ in range(2)
    ]
    assert (runs[0].draws == runs[1].draws).all()
    assert runs[0].draws.shape == (2, 3, 5)


@pytest.mark.parametrize(
    ("module", "options", "words"),
    [
        (nn.Sequential(nn.Linear(2, 2)), {}, "without biases"),
        (nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU()), {}, "without biases"),
        (nn.Linear(2, 2, bias=False), {}, "without biases"),
        (nn.Sequential(nn.Linear(2, 2, bias=False)), {"sigma": 0.0}, "sigma"),
        (nn.Sequential(*[nn.Linear(2, 2, bias=False)] * 2), {}, "used twice"),
    ],
)
def test_bad_modules_are_refused(module, options, words: str) -> None:
    with pytest.raises(InputError, match=words):
        LinearModuleTarget(module, (torch.eye(2), torch.eye(2)), **options)


def test_bad_ladders_are_refused() -> None:
    target = LinearNetworkTarget([1, 1], 1)
    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="increase"):
        gibbs(target, [10.0, 1.0], rng=rng)
    with pytest.raises(InputError, match="rounding"):
        gibbs(target, 1e30, rng=rng)
    with pytest.raises(InputError, match="drawn exactly"):
        gibbs(PolynomialTarget([{(1,): 1}], squared=True), 1.0, rng=rng)


def test_an_interrupt_keeps_whole_rungs(monkeypatch: pytest.MonkeyPatch) -> None:
    target, calls = LinearNetworkTarget([1, 1], 0), []
    redraw = target.redraw

    def stopping(w, n_beta, rng):
        calls.append(n_beta)
        if n_beta == 100.0:
            raise KeyboardInterrupt
        return redraw(w, n_beta, rng)

    monkeypatch.setattr(target, "redraw", stopping)
    found = gibbs(target, [1.0, 10.0, 100.0], rng=np.random.default_rng(0), num_draws=4)
    assert found.interrupted
    assert found.n_beta.tolist() == [1.0, 10.0]
    assert found.draws.shape == (2, 8, 4)
    with pytest.raises(KeyboardInterrupt):
        gibbs(target, 100.0, rng=np.random.default_rng(0), num_draws=4)


def alike(value, other) -> bool:
    """Equal but for the last digits of numbers, which processors compute differently."""
    if isinstance(value, list):
        return len(value) == len(other) and all(map(alike, value, other))
    if isinstance(value, dict):
        return value.keys() == other.keys() and all(alike(value[k], other[k]) for k in value)
    return value == (pytest.approx(other, rel=1e-9) if isinstance(value, float) else other)


def test_the_ladder_to_a_million_is_what_its_rows_say() -> None:
    """The report follows from the rows, λ from the package as it is now."""
    folder = Path(__file__).parents[2] / "validation" / "linear"
    spec = spec_from_file_location("ladder", folder / "ladder.py")
    ladder = module_from_spec(spec)
    spec.loader.exec_module(ladder)
    rows = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))["rows"]
    sizes = {row["widths"][0]: (row["burnin"], row["draws"]) for row in rows}
    assert sizes == ladder.WIDTH_SWEEPS
    assert rows[-1]["parameters"] > 10**6
    for row in rows:
        exact = rlct.linear(row["widths"], rank=row["rank"])
        assert (exact.lam, exact.theta) == (Fraction(row["lambda"]), 1)
        found = ladder.judged(row)
        for name, value in json.loads(json.dumps(found)).items():
            assert alike(value, row[name]), name
        assert abs(row["off"]) < 0.02
        assert abs(row["half_of_parameters"]["z"]) > row["critical"]
    assert (folder / "ladder.md").read_text(encoding="utf-8") == ladder.table(rows)
