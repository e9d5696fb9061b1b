"""Chains that have not come as far from w* as they will are told from those that have."""

import numpy as np
import pytest

from rlct.sampling.local.finite_n import tempered_mean
from rlct.sampling.local.llc import estimate_llc
from rlct.sampling.markov_chains import burnin
from rlct.sampling.markov_chains.burnin import distance_growth
from rlct.sampling.targets.linear import LinearNetworkTarget
from rlct.sampling.targets.regression import RegressionTarget

NEEDLE = "chains still move away from w*"


def relaxing(
    time: float, start: float, rng: np.random.Generator, *, runs: int = 200, dimension: int = 20
) -> np.ndarray:
    """|w| of 16 chains, of variance 1 in each direction, which forget their start in ``time``."""
    keep = np.exp(-1 / time)
    w = start * rng.normal(size=(runs, 16, dimension))
    found = np.empty((400, runs, 16))
    for k in range(400):
        found[k] = np.linalg.norm(w, axis=2)
        w = keep * w + np.sqrt(1 - keep**2) * rng.normal(size=w.shape)
    return found.transpose(1, 2, 0)


def alarms(paths: np.ndarray, num_burnin: int) -> int:
    return sum(distance_growth(run, num_burnin) > 0 for run in paths)


@pytest.mark.parametrize("time", [1.0, 20.0, 200.0])
def test_stationary_chains_raise_no_alarm(time: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little counts as growth: once in 1000 runs, more than 8 in 1000 with 1e-6.

    Control: the distances of these runs rise as those of free diffusion do.
    """
    monkeypatch.setattr(burnin, "GROWTH_ALLOWED", 0.0)
    paths = relaxing(time, 1.0, np.random.default_rng(0), runs=1000, dimension=2)
    assert alarms(paths, 400) <= 8
    rise = np.sqrt(1.0 + np.arange(400) / 400)
    assert alarms(paths * rise, 400) > 30


def test_growth_below_a_tenth_is_no_news() -> None:
    """A rise by 5 % from the first quarter to the last, without any chance; control: by 15 %."""
    for rise, told in ((0.05, False), (0.15, True)):
        path = np.ones((4, 400)) + rise * np.linspace(-1 / 6, 7 / 6, 400)
        assert bool(distance_growth(path, 400)) == told


def test_diffusing_chains_raise_an_alarm() -> None:
    """Free diffusion gains 29 % from the first to the last quarter.

    Control: of 200 settled runs more than 3 are told with a chance of 1e-4.
    """
    found = [distance_growth(run, 0) for run in relaxing(4e4, 0.0, np.random.default_rng(1))]
    assert sum(share > 0 for share in found) > 150
    assert 0.25 < np.median([share for share in found if share]) < 0.35
    assert alarms(relaxing(20.0, 1.0, np.random.default_rng(1)), 0) <= 3


def test_the_way_from_the_start_is_no_growth_once_it_is_over() -> None:
    """Without burn-in the first half of the draws is one; control: it is counted as draws."""
    paths = relaxing(60.0, 0.0, np.random.default_rng(2))
    assert alarms(paths, 0) <= 3
    assert alarms(paths, 400) > 190


def test_a_long_burnin_hides_no_diffusion() -> None:
    """4000 steps before 400 draws: free walks gain 4 % in these, and 64 chains tell them.

    Control: of 100 stationary runs more than 3 are told with a chance of 1e-5.
    """
    rng = np.random.default_rng(4)
    walks = rng.normal(size=(100, 400, 64, 20)).cumsum(axis=1)
    walks += 4000**0.5 * rng.normal(size=(100, 1, 64, 20))
    found = [distance_growth(np.linalg.norm(walk, axis=2).T, 4000) for walk in walks]
    assert sum(share > 0 for share in found) > 50
    assert max(found) < 0.1  # what the second half of a run must gain
    still = rng.normal(size=(100, 64, 400, 20))
    assert alarms(np.linalg.norm(still, axis=3), 4000) <= 3


def test_chains_that_stand_still_or_are_few() -> None:
    assert distance_growth(np.zeros((4, 100)), 100) == 0.0
    assert distance_growth(np.cumsum(np.ones((1, 100)), axis=1), 100) == 0.0
    assert distance_growth(np.ones((4, 3)), 0) == 0.0
    assert distance_growth(np.full((4, 100), np.inf), 0) == 0.0


def test_a_run_that_has_not_gone_far_enough() -> None:
    """λ̂ lies 13 standard errors below the exact mean; chains that cross ridges find it."""
    target = LinearNetworkTarget([5, 3, 5], 1)
    exact = tempered_mean(target, 1e4)
    near = estimate_llc(target, n_beta=1e4, method="sgld", lr=1e-6, num_chains=64, seed=0)
    assert near.lam + 4 * np.hypot(near.error, exact.error) < exact.value
    (told,) = (line for line in near.warnings if NEEDLE in line)
    assert f"by {near.run.growth:.0%} of their distance" in told
    assert "raise lr, use moves, or increase localization to keep" in told
    assert f"grew by {near.run.growth:.0%}" in near.table()
    far = estimate_llc(target, n_beta=1e4, num_chains=64, seed=0)
    assert abs(far.lam - exact.value) < 4 * np.hypot(far.error, exact.error)
    assert far.run.growth == 0.0
    assert "grew by" not in far.table()
    assert not any(NEEDLE in line for line in far.warnings)


def test_what_to_do_depends_on_the_run() -> None:
    """A step that was found is not to be raised, and data have no moves."""
    data = RegressionTarget([8, 6, 6, 8], 2, samples=5000, seed=1)
    found = estimate_llc(data, method="sgld", num_draws=300, num_burnin=30, seed=0)
    (told,) = (line for line in found.warnings if NEEDLE in line)
    assert "burn-in, use hmc, or increase localization" in told
