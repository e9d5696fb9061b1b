"""The interval of λ̂ on data: its scatter over data sets, at a truth and at trained weights."""

from __future__ import annotations

import re

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.local.retraining import RetrainedHalves
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.network import NetworkTarget

SETS, SAMPLES = 40, 200


def estimates(
    fitted: bool, trained: bool | None = None, *, chains: int = 8, sets: int = SETS
) -> list[Estimate]:
    """λ̂ of y = w·x + noise on many data sets, at the truth w = 1 or at what each of them says."""
    found = []
    for seed in range(sets):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(SAMPLES, 1))
        y = x + rng.normal(size=x.shape)
        w = x.T @ y / (x.T @ x) if fitted else np.ones((1, 1))
        found.append(
            estimate_llc(
                NetworkTarget([w], x, y, "linear"),
                method="hmc",
                num_chains=chains,
                num_draws=100,
                num_burnin=20,
                trained=trained,
                seed=seed,
            )
        )
    return found


def covered(found: list[Estimate]) -> int:
    """How many of the intervals hold the mean over all data sets."""
    mean = np.mean([e.lam for e in found])
    return sum(e.interval[0] <= mean <= e.interval[1] for e in found)


def test_at_a_truth_intervals_hold_the_mean_over_data_sets() -> None:
    """At least 34 of 40: of 95 % intervals fewer do by a chance of 0.4 %.

    Control: of the first order, as of trained weights, the scatter over data sets alone leaves out
    19 % (|z| < 0.24), one of 40 or none by a chance of 0.2 %.
    """
    found = estimates(fitted=False)
    assert covered(found) >= 34
    # One in a hundred passes for trained: more than four by a chance of 0.005 %.
    assert sum(e.run.data.trained is False for e in found if e.run) >= 36
    first = estimates(fitted=False, trained=True)
    mean = np.mean([e.lam for e in first])
    assert sum(abs(e.lam - mean) > 1.96 * e.errors["data"] for e in first) > 1
    assert sum(abs(e.lam - mean) > 1.96 * e.errors["data"] for e in found) <= 1
    # d/2 − (β/2)χ² has this standard deviation, which is the least that is said there.
    usual = 1 / np.log(SAMPLES) / np.sqrt(2)
    least = min(e.errors["data"] for e in found if e.run and e.run.data.trained is False)
    assert 0.6 * usual < least < 1.2 * usual


def test_at_trained_weights_intervals_are_those_of_the_chains() -> None:
    """Each set's own minimum leaves no scatter, which is seen without being told."""
    found = estimates(fitted=True)
    assert all(e.run.data.trained for e in found if e.run)
    assert covered(found) >= 34
    (told,) = estimates(fitted=True, trained=False, sets=1)
    assert told.error > 3 * found[0].error


def test_a_truth_is_no_minimum_without_fault() -> None:
    """Of sixty parameters w* lies far above the minimum of its data, and λ̂ is lower by that."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 60))
    y = x.sum(axis=1, keepdims=True) + rng.normal(size=(1000, 1))
    target = NetworkTarget([np.ones((1, 60))], x, y, "linear")
    words = "w* is not a minimum"
    told = {
        trained: any(
            note.startswith(words)
            for note in estimate_llc(target, num_draws=100, trained=trained, seed=0).warnings
        )
        for trained in (None, True, False)
    }
    assert told == {None: True, True: True, False: False}


def test_a_flat_saddle_at_the_truth_is_no_minimum_of_its_data() -> None:
    """No descent leaves a·b·c = 0; draws do, and the second order is there.

    One in a hundred passes for trained: more than two of twenty by a chance of 0.1 %.
    """
    found = []
    for seed in range(20):
        x, y = np.random.default_rng(seed).normal(size=(2, 400, 1))
        found.append(estimate_llc(NetworkTarget([np.zeros((1, 1))] * 3, x, y, "linear"), seed=seed))
    assert sum(e.run.data.trained is False for e in found if e.run) >= 18
    assert all(e.errors["data"] > 0.01 for e in found if e.run and not e.run.data.trained)


def narrow(x: np.ndarray, y: np.ndarray) -> NetworkTarget:
    """a·b·x at the point a = |b| of the minimum, where gradient flow from near 0 leads."""
    c = (x.T @ y).item() / (x.T @ x).item()
    root = np.sqrt(abs(c))
    return NetworkTarget([[[root]], [[np.sign(c) * root]]], x, y, "linear")


def test_trained_weights_near_a_singular_point_scatter_as_halves_of_the_data_do() -> None:
    """At least 34 of 40: of 95 % intervals fewer do by a chance of 0.4 %.

    Control: the first order, whose slope in z is none at 0, leaves out more than one of 40 by
    the scatter over data sets alone, chances as above.
    """
    found, first = [], []
    for seed in range(SETS):
        x, y = np.random.default_rng(seed).normal(size=(2, 400, 1))
        options = {"num_chains": 32, "num_draws": 100, "num_burnin": 50, "seed": seed}
        with pytest.MonkeyPatch.context() as patch:
            found.append(estimate_llc(narrow(x, y), trained=True, **options))
            patch.setattr(RetrainedHalves, "square", lambda *_: None)
            first.append(estimate_llc(narrow(x, y), trained=True, **options))
    assert covered(found) >= 34
    mean = np.mean([e.lam for e in found])
    assert sum(abs(e.lam - mean) > 1.96 * e.errors["data"] for e in first) > 1
    assert [e.lam for e in found] == [e.lam for e in first]
    # No more than is needed: their root mean square against the scatter that there is.
    stated = np.sqrt(np.mean([e.errors["data"] ** 2 for e in found]))
    assert stated < 2 * np.std([e.lam for e in found])


def test_where_all_draws_would_hang_on_few_a_share_of_the_halves_says_the_same() -> None:
    """Sixty regular parameters: log-weights vary by 2βλ̂ = 10, and λ̂ does not move at all."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 60))
    y = x.sum(axis=1, keepdims=True) + rng.normal(size=(500, 1))
    w = np.linalg.lstsq(x, y, rcond=None)[0].T
    found = estimate_llc(NetworkTarget([w], x, y, "linear"), trained=True, seed=0)
    assert found.errors["data"] < 0.05 * found.lam


def test_trained_weights_off_their_minimum_are_told() -> None:
    """Three standard errors off: a truth may be there, weights that were trained may not."""
    x, y = np.random.default_rng(5).normal(size=(2, 400, 1))
    w = x.T @ y / (x.T @ x) + 3.0 / np.sqrt(x.T @ x)
    target = NetworkTarget([w], x, y, "linear")
    for trained in (True, False):
        notes = estimate_llc(target, trained=trained, num_draws=60, seed=0).warnings
        assert not any("say trained=False" in words for words in notes)
        assert trained == any(words.startswith("w* is not a minimum") for words in notes)


def test_three_chains_know_the_second_order() -> None:
    """Against d/2 − (β/2)χ², whose deviation it overstates by how much draws are alike."""
    usual = 1 / np.log(SAMPLES) / np.sqrt(2)
    least = min(e.errors["data"] for e in estimates(False, trained=False, chains=3, sets=20))
    assert 0.4 * usual < least < 1.5 * usual


def test_no_overflow_at_the_largest_inverse_temperature() -> None:
    x = np.random.default_rng(0).normal(size=(50, 1))
    found = estimate_llc(
        NetworkTarget([[[1.0]]], x, x, "linear"), n_beta=1e99, num_draws=10, num_chains=4
    )
    assert np.isfinite(found.error)


@pytest.mark.parametrize("samples", [1, 2])
def test_one_sample_has_no_halves(samples: int) -> None:
    x = np.ones((samples, 1))
    target = NetworkTarget([[[1.0]]], x, 2 * x, "linear")
    found = estimate_llc(target, n_beta=5.0, num_draws=10, num_chains=4, trained=True)
    assert np.isfinite(found.error)
    assert (samples == 1) == any(words.startswith("a single sample") for words in found.warnings)


@pytest.mark.parametrize("trained", ["yes", 1])
def test_what_is_no_answer_is_refused(trained: object) -> None:
    rng = np.random.default_rng(0)
    data = NetworkTarget([np.ones((1, 1))], *rng.normal(size=(2, 50, 1)), "linear")
    with pytest.raises(InputError, match="trained must be True or False"):
        estimate_llc(data, trained=trained)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=re.escape("trained needs a target with data")):
        estimate_llc(LinearNetworkTarget([1, 1], 0), n_beta=10.0, trained=True)


@pytest.mark.parametrize("rounded", [False, True])
def test_targets_of_any_scale(rounded) -> None:
    """House prices: noise of 5·10⁴ at the least squares, whose λ̂ = 1.99 scatters by 0.001.

    Influences of samples are products of residuals and noise of the draws, and their sum of squares
    passed for a scatter of 278 on one data set of seven; of weights in single precision, always.
    """
    for seed in range(4):
        rng = np.random.default_rng(seed)
        x = np.c_[rng.normal(size=(2000, 3)), np.ones(2000)]
        y = 5e4 * (x @ [[1.0], [2.0], [3.0], [4.0]] + rng.normal(size=(2000, 1)))
        w = np.linalg.lstsq(x, y, rcond=None)[0].T
        w = w.astype(np.float32).astype(float) if rounded else w
        target = NetworkTarget([w], x, y, "linear", sigma=1e8)
        found = estimate_llc(target, num_chains=16, num_draws=200, seed=seed)
        assert found.errors["data"] < 0.1
        assert found.interval[0] < 1.992 < found.interval[1]  # false alarm 5e-2, each
    # Control: at a truth, the same for all data sets, λ̂ scatters by β σ² √d/2.
    x, noise = x[:400], 10 * rng.normal(size=(400, 1))
    truth = np.array([[10.0, 20.0, 30.0, 40.0]])
    target = NetworkTarget([truth], x, x @ truth.T + noise, "linear")
    found = estimate_llc(target, num_chains=16, num_draws=200, seed=1)
    assert 0.5 < found.errors["data"] / (100 / np.log(400) * np.sqrt(2.0)) < 2
