"""Targets: gradients, priors, exact conditional draws, mini-batches, refused input."""

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.sampling.arrays import Arrays
from rlct.sampling.targets.activations import NAMED_ACTIVATIONS
from rlct.sampling.targets.function import FunctionTarget
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.network import NetworkTarget
from rlct.sampling.targets.passes import NetworkPass
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.regression import RegressionTarget
from rlct.sampling.targets.target import ConditionalTarget, DataTarget, Target


def network(activation: str, bias: bool = False, ends=(3, 2), **options) -> NetworkTarget:
    """A network of four units, by default 3-4-2, on twelve samples at random weights."""
    rng = np.random.default_rng(5)
    layers = [rng.standard_normal((4, ends[0] + bias)), rng.standard_normal((ends[1], 4 + bias))]
    x, y = (rng.standard_normal((12, width)) for width in ends)
    return NetworkTarget(layers, x, y, activation, bias=bias, **options)


TARGETS = [
    PolynomialTarget([{(2, 0): 1, (0, 3): -1}, {(1, 1): 2}], squared=True),
    PolynomialTarget([{(2, 4): 1, (4, 0): 0.5}], squared=False, prior=[1, 0.5]),
    PolynomialTarget(
        [{(1, 0, 2): 1}], squared=True, nonneg=[True, False, False], prior=[-0.5, 0, 2]
    ),
    LinearNetworkTarget([5, 3, 5], 1),
    LinearNetworkTarget([2, 3, 2, 4], 1, bias=True, sigma=0.7),
    RegressionTarget([3, 2, 4], 1, samples=20, bias=True, seed=3),
    *(network(name, bias) for name in NAMED_ACTIVATIONS for bias in (False, True)),
    *(network("tanh", bias, ends=(1, 1)) for bias in (False, True)),
]


@pytest.mark.parametrize("target", TARGETS)
def test_gradients_match_central_differences(target: Target) -> None:
    rng = np.random.default_rng(1)
    w = 0.5 * target.sample_prior(4, rng)
    step = 1e-6
    for value, slope in (
        (target.divergence, target.gradient(w)),
        (target.log_prior, target.log_prior_gradient(w)),
    ):
        for i in range(target.dimension):
            shift = step * np.eye(target.dimension)[i]
            numeric = (value(w + shift) - value(w - shift)) / (2 * step)
            assert slope[:, i] == pytest.approx(numeric, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("target", TARGETS)
def test_protocol_and_zero_at_the_origin(target: Target) -> None:
    assert isinstance(target, Target)
    assert target.divergence(np.zeros((1, target.dimension)))[0] == 0
    draws = target.sample_prior(50, np.random.default_rng(0))
    assert np.isfinite(target.log_prior(draws)).all()


def test_prior_draws_follow_the_monomial() -> None:
    """E|w| under |w|^h on [0, R] is R(h+1)/(h+2).  4σ: false alarm 6e-5 per coordinate."""
    target = PolynomialTarget([{(1, 1): 1}], squared=True, prior=[2.0, -0.5], radius=2.0)
    w = np.abs(target.sample_prior(20_000, np.random.default_rng(5)))
    for i, h in enumerate(target.prior):
        error = w[:, i].std() / np.sqrt(len(w))
        assert abs(w[:, i].mean() - 2 * (h + 1) / (h + 2)) < 4 * error
        # Control: the uniform prior would be seen.
        assert abs(w[:, i].mean() - 1.0) > 4 * error


def test_reflection_at_both_walls_is_a_triangle_wave() -> None:
    """From the wall at 1/2 back to the one at −1/2, and up again; x ≥ 0 has a wall at 0."""
    w = np.array([[0.6], [0.9], [1.1], [1.6], [2.2], [-0.7]])
    target = PolynomialTarget([{(1,): 1}], squared=True)
    assert target.reflect(w).ravel() == pytest.approx([0.4, 0.1, -0.1, -0.4, 0.2, -0.3])
    half = PolynomialTarget([{(1,): 1}], squared=True, nonneg=[True])
    assert half.reflect(w).ravel() == pytest.approx([0.4, 0.1, 0.1, 0.4, 0.2, 0.3])


def test_reflection_stays_inside_and_keeps_the_interior() -> None:
    target = PolynomialTarget([{(1, 1): 1}], squared=True, nonneg=[False, True], radius=1.0)
    w = np.array([[0.3, 0.4], [1.2, 1.2], [-1.3, -0.2], [2.5, 3.1]])
    folded = target.reflect(w)
    assert folded[0] == pytest.approx([0.3, 0.4])
    assert folded[1] == pytest.approx([0.8, 0.8])
    assert folded[2] == pytest.approx([-0.7, 0.2])
    assert np.isfinite(target.log_prior(folded)).all()


@pytest.mark.study
@pytest.mark.parametrize("samples", [None, 5])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("widths", "rank"), [([2, 2, 2], 1), ([2, 1, 2, 2], 0)])
def test_exact_conditionals_leave_the_posterior_invariant(
    widths: list[int], rank: int, bias: bool, samples: int | None
) -> None:
    """Mean of nβK after 20 sweeps from the prior against importance sampling.

    4σ of both errors together: false alarm 6e-5 per case.  Control: the same draws are
    rejected as a sample at half the nβ.
    """
    rng = np.random.default_rng(11)
    target = LinearNetworkTarget(widths, rank, bias=bias)
    if samples is not None:
        target = RegressionTarget(widths, rank, bias=bias, samples=samples, noise=0.3, seed=2)
    assert isinstance(target, ConditionalTarget)

    def reference(n_beta: float) -> tuple[float, float]:
        k = target.divergence(target.sample_prior(200_000, rng))
        weight = np.exp(-n_beta * k)
        mean = float((weight * n_beta * k).sum() / weight.sum())
        error = float(np.sqrt((weight**2 * (n_beta * k - mean) ** 2).sum()) / weight.sum())
        return mean, error

    w = target.sample_prior(10_000, rng)
    for _ in range(20):
        w = target.redraw(w, 4.0, rng)
    found = 4.0 * target.divergence(w)
    own = found.std() / np.sqrt(len(found))
    mean, error = reference(4.0)
    assert abs(found.mean() - mean) < 4 * np.hypot(own, error)
    mean, error = reference(2.0)
    assert abs(found.mean() - mean) > 4 * np.hypot(own, error)


@pytest.mark.parametrize(
    "target",
    [
        RegressionTarget([3, 2, 2], 1, samples=12, bias=True, seed=0),
        network("tanh", bias=True),
        network("linear", bias=True),
    ],
    ids=["regression", "tanh", "linear"],
)
def test_mini_batches_average_to_the_full_loss_and_gradient(target: DataTarget) -> None:
    """Batches of one sample: each of them, found by its loss at one point, occurs; their mean."""
    rng = np.random.default_rng(2)
    w = np.tile(target.sample_prior(1, rng), (600, 1))
    values, slopes = target.batch(w, 1, Arrays(rng))
    _, first = np.unique(values.round(9), return_index=True)
    assert len(first) == 12
    assert sorted(values[first]) == pytest.approx(sorted(target.pointwise(w[:1])[0]))
    assert values[first].mean() == pytest.approx(target.divergence(w[:1])[0])
    assert slopes[first].mean(axis=0) == pytest.approx(target.gradient(w[:1])[0])
    whole = target.batch(w[:2], 12, Arrays(rng))
    assert whole[0] == pytest.approx(target.divergence(w[:2]))
    with pytest.raises(InputError, match="between 1 and the 12 samples"):
        target.batch(w, 13, Arrays(rng))


def test_each_point_takes_every_batch_equally_often() -> None:
    """Counts of one batch at one point are binomial: 5σ of each, false alarm 7e-5 in all."""
    target, on, calls = network("tanh"), Arrays(np.random.default_rng(4)), 2400
    w = np.tile(target.sample_prior(1, on.rng), (9, 1))
    single = target.pointwise(w[:1])[0]
    taken = np.array([target.batch(w, 1, on)[0] for _ in range(calls)])
    which = np.abs(taken[:, :, None] - single).argmin(axis=2)
    counts = np.array([np.bincount(which[:, i], minlength=12) for i in range(9)])
    assert np.abs(counts - calls / 12).max() < 5 * np.sqrt(calls / 12 * 11 / 12)


@pytest.mark.parametrize(
    "target",
    [network("relu", bias=True), network("quadratic"), network("linear", bias=True)],
)
def test_memory_that_steps_share_is_not_mixed_up(target: DataTarget, monkeypatch) -> None:
    """Other points, numbers of points and sizes of batches in turn, in small parts."""
    monkeypatch.setattr("rlct.sampling.targets.network.CACHED_BYTES", 12 * 5 * 8 * 2)
    on = Arrays(np.random.default_rng(3))
    for points in (5, 7, 5, 2, 9, 5):
        w = target.sample_prior(points, on.rng)
        target.batch(w, 3, on)
        value, slope = target.batch(w, 12, on)  # all samples, in another order
        assert value == pytest.approx(target.divergence(w))
        assert slope == pytest.approx(target.gradient(w))


def test_single_precision_is_that_and_blocks_change_nothing(monkeypatch) -> None:
    w = 0.3 * np.random.default_rng(0).standard_normal((9, 20)).astype(np.float32)
    single, double = network("relu", dtype=np.float32), network("relu")
    assert single.gradient(w).dtype == np.float32
    assert single.divergence(w) == pytest.approx(double.divergence(w), rel=1e-4, abs=1e-5)
    before = double.batch(w, 12, Arrays(np.random.default_rng(1)))
    monkeypatch.setattr("rlct.sampling.targets.network.CACHED_BYTES", 400)
    monkeypatch.setattr("rlct.sampling.targets.network.CHUNK_NUMBERS", 100)
    after = double.batch(w, 12, Arrays(np.random.default_rng(1)))
    for old, new in zip(before, after, strict=True):
        assert new == pytest.approx(old)
    assert double.divergence(w) == pytest.approx(network("relu").divergence(w))


def regressions(bias: bool, shift: float) -> tuple[RegressionTarget, NetworkTarget, np.ndarray]:
    """A regression, the network of its data at other weights, and what lies between the w₀."""
    given = RegressionTarget([3, 2, 4], 1, samples=60, bias=bias, seed=3)
    between = shift * np.random.default_rng(6).standard_normal((1, given.dimension))
    layers = [layer[0, : len(layer[0]) - bias] for layer in given.layers(between)]
    return given, NetworkTarget(layers, given.x[:, :3], given.y, "linear", bias=bias), between


@pytest.mark.parametrize("shift", [0.0, 0.5])
@pytest.mark.parametrize("bias", [False, True])
def test_a_linear_network_on_given_data_is_a_regression(bias: bool, shift: float) -> None:
    """The same numbers, at any w₀, and the same batches for the same seed."""
    given, own, between = regressions(bias, shift)
    w = 0.3 * np.random.default_rng(1).standard_normal((7, given.dimension))
    assert own.divergence(w) == pytest.approx(
        given.divergence(w + between) - given.divergence(between)
    )
    assert own.gradient(w) == pytest.approx(given.gradient(w + between))
    start = given.pointwise(between)
    assert own.pointwise(w) == pytest.approx(given.pointwise(w + between) - start)
    for size in (20, 60):
        value, slope = own.batch(w, size, Arrays(np.random.default_rng(2)))
        known = [
            given.batch(at, size, Arrays(np.random.default_rng(2)))
            for at in (w + between, np.tile(between, (7, 1)))
        ]
        assert value == pytest.approx(known[0][0] - known[1][0])
        assert slope == pytest.approx(known[0][1])


def test_samples_do_not_pass_through_a_linear_network(monkeypatch) -> None:
    """But where a batch is small, and where units are not linear."""
    seen: list[int] = []

    def noted(layers, samples, *rest) -> NetworkPass:
        seen.append(samples)
        return NetworkPass(layers, samples, *rest)

    def passed(target: NetworkTarget, size: int) -> set[int]:
        seen.clear()
        w = np.zeros((2, target.dimension))
        target.batch(w, size, Arrays(np.random.default_rng(0)))
        target.gradient(w)
        target.divergence(w)
        return set(seen)

    targets = {name: network(name, bias=True) for name in ("linear", "tanh")}
    monkeypatch.setattr("rlct.sampling.targets.network.NetworkPass", noted)
    assert passed(targets["linear"], 8) == {4}
    assert passed(targets["linear"], 5) == {4, 5}
    assert passed(targets["tanh"], 8) == {8, 12}


def test_a_linear_network_in_single_precision_is_right_to_that() -> None:
    """Twenty inputs whose mean is not 0, with biases: what moments bear the least."""
    rng = np.random.default_rng(2)
    layers = [0.1 * rng.standard_normal((20, 21)), 0.2 * rng.standard_normal((3, 21))]
    x, y = rng.random((400, 20)), rng.standard_normal((400, 3))
    single, double = (
        NetworkTarget(layers, x, y, "linear", bias=True, dtype=d) for d in (np.float32, float)
    )
    assert single._moments(400) is not None
    w = 0.01 * rng.standard_normal((5, single.dimension)).astype(np.float32)
    assert single.gradient(w).dtype == np.float32
    assert single.gradient(w) == pytest.approx(double.gradient(w), abs=1e-4)
    assert single.divergence(w) == pytest.approx(double.divergence(w), abs=1e-5)


def test_inputs_far_from_zero_pass_through_a_linear_network() -> None:
    """A slope and the intercept cancel: moments in single precision would hide K.

    Control: in double precision moments are right to 1e-6.
    """
    rng = np.random.default_rng(5)
    x, y = 1000.0 + rng.standard_normal((300, 1)), rng.standard_normal((300, 1))
    single, double = (
        NetworkTarget([np.zeros((1, 2))], x, y, "linear", bias=True, dtype=d)
        for d in (np.float32, float)
    )
    assert single._moments(300) is None
    assert double._moments(300) is not None
    w = np.array([[0.5, -500.0]])
    exact = np.mean((0.5 * (x - 1000) - y) ** 2 - y**2) / 2
    assert double.divergence(w) == pytest.approx(exact, abs=1e-6)
    assert single.divergence(w.astype(np.float32)) == pytest.approx(exact, abs=1e-3)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: PolynomialTarget([], squared=True), "zero everywhere"),
        (lambda: PolynomialTarget([{(1,): 0}], squared=True), "zero everywhere"),
        (lambda: PolynomialTarget([{(0, 0): 1}], squared=True), "does not vanish"),
        (lambda: PolynomialTarget([{(1,): 1}], squared=False), "negative"),
        (lambda: PolynomialTarget([{(1,): 1}, {(2,): 1}], squared=False), "one polynomial"),
        (lambda: PolynomialTarget([{(1, 0): 1, (1,): 1}], squared=True), "one entry per variable"),
        (lambda: PolynomialTarget([{(1,): 1}], squared=True, prior=[-1]), "larger than"),
        (lambda: PolynomialTarget([{(1,): 1}], squared=True, prior=[0, 0]), "one entry for each"),
        (lambda: PolynomialTarget([{(1,): 1}], squared=True, radius=0), "radius"),
        (lambda: LinearNetworkTarget([3], 0), "at least two"),
        (lambda: LinearNetworkTarget([3, 1, 3], 2), "narrowest"),
        (lambda: LinearNetworkTarget([3, 1, 3], 1, sigma=0), "sigma"),
        (lambda: RegressionTarget([3, 3], 1, samples=0), "sample"),
        (lambda: network("sine"), "unknown activation"),
        (lambda: network("relu", sigma=-1), "sigma"),
        (lambda: NetworkTarget([[[1.0]]], [[1.0], [2.0]], [[1.0]]), "2 inputs and 1 outputs"),
        (lambda: NetworkTarget([[[1.0]]], [[1.0, 2.0]], [[1.0]]), "layer 1 has 1 columns, not 2"),
        (lambda: NetworkTarget([[[1.0]]], [[1.0]], [[1.0, 2.0]]), "last layer has 1 outputs"),
        (lambda: NetworkTarget([[[1.0]]], [[np.nan]], [[1.0]]), "data and weights must be finite"),
        (lambda: NetworkTarget([[[np.inf]]], [[1.0]], [[1.0]]), "data and weights must be finite"),
        (lambda: RegressionTarget([3, 3], 1, samples="a"), "samples must be a whole number"),
        (lambda: RegressionTarget([3, 3], 1, samples=9, noise=np.nan), "noise must be"),
        (lambda: network("relu", sigma="a"), "sigma must be positive and finite, not 'a'"),
        (lambda: network(["relu"]), "unknown activation"),
        (lambda: NetworkTarget([[[1.0]]], [["a"]], [[1.0]]), "x must be an array of real numbers"),
        (lambda: NetworkTarget([[[1.0]]], [[1.0]], [[1j]]), "y must be an array of real numbers"),
        (lambda: NetworkTarget([None], [[1.0]], [[1.0]]), "data and weights must be finite"),
        (
            lambda: NetworkTarget([[[1.0], [1.0, 2.0]]], [[1.0]], [[1.0]]),
            "layer 1 must be an array",
        ),
        (lambda: NetworkTarget([[[[1.0]]]], [[1.0]], [[1.0]]), "must be matrices"),
        (lambda: NetworkTarget([[[1.0]]], [[[1.0]]], [[1.0]]), "must be matrices"),
        (lambda: NetworkTarget([], [[1.0]], [[1.0]]), "one layer at least"),
        (lambda: NetworkTarget([[[1.0]]], [[1.0]], [[1.0]], dtype=int), "float32 or float64"),
    ],
)
def test_bad_input_is_one_clear_line(make, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_a_function_is_sampled_without_gradients() -> None:
    """Its K is 0 at the truth alone, but for what the function does not see: a scale."""
    target = FunctionTarget(
        lambda w, x: (w / np.linalg.norm(w, axis=1)[:, None])[:, None] + x, 3, 3
    )
    along = 0.1 * target.truth / np.abs(target.truth).max()
    k = target.divergence(np.stack([np.zeros(3), along, along[::-1]]))
    assert k[0] == 0
    assert k[1] < 1e-30
    assert k[2] > 1e-4
    assert not np.isfinite(target.divergence(-target.truth[None]))[0]
    with pytest.raises(InputError, match="take method tempering or splitting"):
        target.gradient(np.zeros((1, 3)))
