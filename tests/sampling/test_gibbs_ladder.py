"""Ladders of tempered means by exact conditional draws, and estimates to a named accuracy."""

import contextlib

import numpy as np
import pytest
from scipy.integrate import quad

import rlct
from rlct.answers.targets import target_of
from rlct.errors import InputError
from rlct.sampling.ladders.gibbs_ladder import gibbs_ladder
from rlct.sampling.ladders.joint_fit import fit
from rlct.sampling.ladders.run import estimate
from rlct.sampling.markov_chains.gibbs import anneal, gibbs
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.polynomial import PolynomialTarget

NETWORK = rlct.linear([8, 8, 8, 8], rank=3)


def exact_mean(n_beta: float) -> float:
    """E[nβK] of K = x²y²/2 under N(0, 1): x is integrated by hand, u = log|y| by quadrature."""

    def weight(u: float, power: float) -> float:
        return np.exp(u - 0.5 * np.exp(2 * u)) * (1 + n_beta * np.exp(2 * u)) ** power

    over = {"limit": 200, "epsabs": 0, "points": [-0.5 * np.log(n_beta), 0.0]}
    whole = quad(weight, -40.0, 4.0, args=(-0.5,), **over)[0]
    return 0.5 * (1 - quad(weight, -40.0, 4.0, args=(-1.5,), **over)[0] / whole)


@pytest.mark.parametrize(
    ("widths", "bias"), [([2, 2, 2], False), ([2, 1, 2], True), ([3, 2], True)]
)
def test_means_given_the_other_layers_are_right(widths: list[int], bias: bool) -> None:
    """They have the mean of nβK and scatter less; control: half of the weights, d/2."""
    target, rng = LinearNetworkTarget(widths, 1, bias=bias), np.random.default_rng(3)
    w = target.sample_prior(400, rng)
    for n_beta in np.geomspace(1.0, 1e3, 12):
        w = target.redraw(w, n_beta, rng)
    found = np.empty((2, 400, 60))
    for k in range(60):
        w, found[0, :, k] = target.sweep(w, 1e3, rng)
        found[1, :, k] = 1e3 * target.divergence(w)
    means = found.mean(axis=2)
    error = (means[0] - means[1]).std(ddof=1) / np.sqrt(400)
    assert abs((means[0] - means[1]).mean()) < 4 * error
    assert means[0].std() < 0.7 * means[1].std()
    if len(widths) > 2:
        assert target.dimension / 2 - means[0].mean() > 8 * error


@pytest.mark.slow
def test_means_agree_with_quadrature() -> None:
    """Chains of 160 draws at each nβ; control: the limit λ = 1/2 of all these means."""
    target = LinearNetworkTarget([1, 1, 1], 0)
    ladder = gibbs_ladder(target, rng=np.random.default_rng(5), num_draws=160, top=1e8)
    exact = np.array([exact_mean(ladder.unit * np.exp(length)) for length in ladder.start])
    error = ladder.slopes.mean(axis=1).std(ddof=1) / np.sqrt(len(ladder.slopes))
    assert abs(ladder.slopes.mean() - exact.mean()) < 4 * error
    assert 0.5 - ladder.slopes.mean() > 8 * error


@pytest.mark.parametrize("accuracy", [0.1, 0.03])
def test_an_accuracy_is_reached_and_holds(accuracy) -> None:
    lam = float(NETWORK.lam)
    found = estimate(target_of(NETWORK), seed=2, accuracy=accuracy)
    low, high = found.interval
    assert found.method == "gibbs"
    assert not found.warnings
    assert low <= lam <= high
    assert high - low <= 2 * accuracy * found.lam
    assert not low <= (1 + 2 * accuracy) * lam <= high
    assert set(found.errors) == {"monte_carlo", "finite_n", "sampler"}


def test_rounding_sends_no_deep_network_away() -> None:
    """Products of six layers are large; with eigenvalues of Gram matrices draws overflowed."""
    question = rlct.linear([8] * 6, rank=1)
    target = target_of(question)
    assert target.resolution < target_of(NETWORK).resolution
    lam, theta = float(question.lam), question.theta
    found = estimate(target, seed=11, method="gibbs", effort=0.25, theta=theta)
    assert abs(found.lam - lam) < 4 * found.error < 0.1 * lam


@pytest.mark.slow
def test_an_accuracy_beyond_reach_is_said() -> None:
    """Quadrature does what it can at once; no ladder tells θ from its draws alone."""
    found = rlct.llc(rlct.poly("x**4"), accuracy=1e-12)
    assert found.warnings[-1] == "the interval is not as narrow as asked: 1e-12 of λ̂"


def test_what_is_refused() -> None:
    target = PolynomialTarget([{(1, 1): 1}], squared=True)
    with pytest.raises(InputError, match="a linear network"):
        estimate(target, method="gibbs")
    with pytest.raises(InputError, match="exactly"):
        gibbs_ladder(target, rng=np.random.default_rng(0), top=1e8)
    for accuracy in (0.0, 1.0, float("nan")):
        with pytest.raises(InputError, match="between 0 and 1"):
            estimate(target, accuracy=accuracy)
    with pytest.raises(InputError, match="leave one out"):
        estimate(target, accuracy=0.1, checkpoint="run.npz")
    with pytest.raises(InputError, match="accuracy is of a ladder"):
        rlct.llc(NETWORK, n_beta=100.0, accuracy=0.1)


class Stopping(LinearNetworkTarget):
    """Ctrl-C in the middle of a rung, after ``share`` of the ladder."""

    def __init__(self, share: float) -> None:
        super().__init__([2, 1, 2], 0)
        self.share, self.done = share, 0.0

    def note(self, fraction: float, text: str) -> None:
        """Progress of the run."""
        self.done = fraction

    def redraw(self, w, n_beta, rng):
        """Stop once it is time to."""
        if self.done >= self.share:
            raise KeyboardInterrupt
        return super().redraw(w, n_beta, rng)


def test_a_ladder_goes_on_where_it_stopped(tmp_path) -> None:
    target, path = LinearNetworkTarget([2, 1, 2], 0), tmp_path / "run.npz"
    options = {"method": "gibbs", "seed": 3, "effort": 0.1}
    whole = estimate(target, **options).to_dict()
    for share in (0.1, 0.7):
        stopping = Stopping(share)
        part = None
        with contextlib.suppress(KeyboardInterrupt):
            part = estimate(stopping, checkpoint=path, progress=stopping.note, **options)
        assert (part is None) == (share < 0.2)
    assert part is not None
    assert part.interrupted
    shown: list[float] = []
    resumed = estimate(
        target, checkpoint=path, progress=lambda f, text: shown.append(f), **options
    ).to_dict()
    assert shown[0] > 0.7
    assert resumed | {"seconds": 0} == whole | {"seconds": 0}


@pytest.mark.parametrize("rank", [1, 2])
def test_what_does_not_scatter_has_a_narrow_interval_all_the_same(rank: int) -> None:
    """One layer, and a product of full rank: given the others nothing is left to chance."""
    for widths in ([2, 2], [2, 2, 2])[: 1 + (rank == 2)]:
        found = estimate(LinearNetworkTarget(widths, rank), method="gibbs", effort=0.25)
        assert found.interval[0] < 2 < found.interval[1]
        assert found.interval[1] - found.interval[0] < 0.01
        assert not found.warnings


def test_an_accuracy_is_a_number() -> None:
    with pytest.raises(InputError, match=r"between 0 and 1, not '0\.1'"):
        rlct.llc(NETWORK, accuracy="0.1")


@pytest.mark.slow
def test_an_accuracy_ends_as_narrow_as_none() -> None:
    """On [5,3,5] more was paid once, and the interval came out wider."""
    target = LinearNetworkTarget([5, 3, 5], 1)
    free, asked = estimate(target, seed=2), estimate(target, seed=2, accuracy=0.012)
    wide = free.interval[1] - free.interval[0]
    assert asked.interval[1] - asked.interval[0] < max(1.2 * wide, 2 * 0.012 * asked.lam)
    assert asked.interval[0] < 8 < asked.interval[1]
    assert not asked.warnings


def _top_mean(target: LinearNetworkTarget, n_beta: float) -> float:
    """Mean of nβK at the end of a climb."""
    rng = np.random.default_rng(0)
    w, found = target.sample_prior(8, rng), []
    for reached, climbed in anneal(target, w, 1.0, rng):
        w = climbed
        if reached > n_beta / 4:
            break
    for _ in range(30):
        w, expected = target.sweep(w, n_beta, rng)
        found.append(expected.mean())
    return float(np.mean(found[15:]))


@pytest.mark.parametrize(
    ("widths", "rank", "lam", "n_beta"), [([32] * 3, 8, 440.0, 1e14), ([6] * 9, 2, 15.0, 1e16)]
)
def test_singular_vectors_are_exact_enough_where_gram_matrices_are_not(
    widths, rank, lam, n_beta, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond their resolution draws are 2 % too high at least, or leave for infinity."""
    target = LinearNetworkTarget(widths, rank)
    assert target._gram_resolution < n_beta < target.resolution
    assert 0.94 < _top_mean(target, target._gram_resolution) / lam < 1.01
    assert 0.94 < _top_mean(target, n_beta) / lam < 1.01
    monkeypatch.setattr(target, "_gram_resolution", np.inf)
    with np.errstate(all="ignore"):
        assert not _top_mean(target, n_beta) / lam < 1.02


def test_wide_networks_end_where_gram_matrices_do() -> None:
    """Longer ladders of four layers or fewer gain little and take longer."""
    wide, narrow = LinearNetworkTarget([32] * 3, 8), LinearNetworkTarget([25] * 3, 6)
    assert wide.depth.far < 1e12 < narrow.depth.far < 1e14 < wide.resolution
    assert LinearNetworkTarget([10] * 8, 2).depth.far > 1e18


@pytest.mark.study
@pytest.mark.parametrize(("widths", "rank"), [([8, 2, 8, 2, 8], 2), ([10, 2, 10, 2, 10], 1)])
def test_a_wide_layer_between_narrow_ones_does_not_drift_away(widths: list[int], rank: int) -> None:
    """Seen from its centre, rounding of the residual sent directions to 10⁵⁰ that K does not see.

    Six ladders; missing more than two has probability 0.2 % at 95 %.
    """
    exact, target = float(rlct.linear(widths, rank=rank).lam), LinearNetworkTarget(widths, rank)
    found = [estimate(target, seed=seed, effort=0.25) for seed in range(6)]
    assert sum(one.interval[0] <= exact <= one.interval[1] for one in found) >= 4
    assert all(one.interval[1] - one.interval[0] < 0.1 * exact for one in found)


def test_draws_that_diverge_are_an_error_where_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    target, plain = LinearNetworkTarget([2, 2, 2], 1), LinearNetworkTarget.sweep

    def away(self: LinearNetworkTarget, w, n_beta, rng):
        w, expected = plain(self, w, n_beta, rng)
        return w, expected * (1e30 if n_beta > 1e10 else 1.0)

    monkeypatch.setattr(LinearNetworkTarget, "sweep", away)
    with pytest.raises(InputError, match=r"nβK is .*e\+30 at nβ = .*choose method tempering"):
        estimate(target, seed=0)
    monkeypatch.setattr(target, "redraw", lambda w, n_beta, rng: np.full_like(w, 1e30))
    with pytest.raises(InputError, match=r"at nβ = 1e\+03: rounding spoils"):
        gibbs(target, [1e3, 1e4], rng=np.random.default_rng(0), num_draws=4)


@pytest.mark.slow
def test_intervals_of_few_draws_know_that_wide_networks_settle_late() -> None:
    """20 intervals at 95 %: fewer than 16 hold λ in 3 of 1000 tests if 93 % hold.

    Control: a λ that is 4 % larger.  [30,20,30] begins with more draws.
    """
    cases = [([15, 12, 15], 4, 88.0)] * 14 + [([30, 20, 30], 10, 337.5)] * 6
    found = []
    for seed, (widths, rank, lam) in enumerate(cases):
        low, high = estimate(LinearNetworkTarget(widths, rank), seed=seed, accuracy=0.05).interval
        found.append((low / lam, high / lam))
    assert sum(low <= 1 <= high for low, high in found) >= 16
    assert sum(low <= 1.04 <= high for low, high in found) <= 2


DEEP = [([10] * 8, 2), ([4] * 12, 1), ([6] * 8, 1), ([4] * 8, 1), ([5] * 7, 2), ([3] * 6, 0)]


@pytest.mark.study
@pytest.mark.parametrize("accuracy", [None, 0.05])
def test_intervals_of_deep_networks_hold(accuracy: float | None) -> None:
    """Six intervals at 95 %: more than 2 miss λ in 0.2 %.

    Control: a ladder as short as Gram matrices allow, with θ up to 8, misses most of them.
    """
    missed, before = 0, 0
    for widths, rank in DEEP:
        lam = float(rlct.linear(widths, rank=rank).lam)
        target = LinearNetworkTarget(widths, rank)
        effort = 0.25 if accuracy is None else 1.0
        low, high = estimate(target, seed=0, accuracy=accuracy, effort=effort).interval
        missed += not low <= lam <= high
        assert high - low < 0.2 * lam
        if accuracy is None:
            rng = np.random.default_rng(0)
            ladder = gibbs_ladder(target, rng=rng, top=target._gram_resolution, num_draws=20)
            low, high = fit(ladder, range(1, 9)).interval(0.95)
            before += not low <= lam <= high
    assert missed <= 2
    assert before >= 4 or accuracy is not None


@pytest.mark.slow
def test_networks_deeper_than_a_ladder_bears_are_warned_of() -> None:
    """λ̂ of 19 layers of width four is 0.3 too low; control: eleven say nothing."""
    deep = LinearNetworkTarget([4] * 20, 2)
    assert any("poles of 19 layers" in w for w in estimate(deep, accuracy=0.1).warnings)
    assert not estimate(LinearNetworkTarget([4] * 12, 1), accuracy=0.1).warnings
