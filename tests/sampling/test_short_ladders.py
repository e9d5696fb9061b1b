"""Ladders that end before K has shown: chains by gradients, and runs that were stopped."""

import numpy as np
import pytest

from rlct.pair import Pair
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.attempts import fit_target
from rlct.sampling.ladders.check import check_target
from rlct.sampling.ladders.ladder import Ladder
from rlct.sampling.ladders.run import estimate
from rlct.sampling.ladders.rungs import as_ladder, rungs
from rlct.sampling.markov_chains.gibbs import gibbs
from rlct.sampling.targets.linear import LinearNetworkTarget

NETWORKS = [([5, 3, 5], 1, 8.0), ([6, 4, 6], 2, 13.5)]


def early(widths: list[int], rank: int) -> tuple[LinearNetworkTarget, Ladder]:
    """Exact draws at the nβ of ladders of SGLD and MALA, up to L = 8.5."""
    target, rng = LinearNetworkTarget(widths, rank), np.random.default_rng(0)
    levels, unit = rungs(target, rng)
    return target, as_ladder(gibbs(target, levels, rng=rng, num_draws=200), unit, "exact draws")


@pytest.mark.slow
@pytest.mark.parametrize(("widths", "rank", "lam"), NETWORKS)
def test_slopes_that_still_rise_are_in_the_error(
    widths: list[int], rank: int, lam: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """λ within two errors; control: read as ladders that went on it is three and more away."""
    target, ladder = early(widths, rank)
    found = fit_target(target, ladder)
    assert found.rise > 0.2 * ladder.slope[-1]
    assert abs(found.lam - lam) < 2 * found.error
    monkeypatch.setattr(priors, "SHORT_LADDER", 0.0)
    control = fit_target(target, ladder)
    assert control.rise == 0
    assert control.lam - lam > 3 * control.error


@pytest.mark.study
@pytest.mark.parametrize(("widths", "rank", "lam"), [([2, 2, 2], 0, 1.5), ([3, 1, 3], 1, 2.5)])
def test_slopes_that_are_near_their_limit_are_no_news(
    widths: list[int], rank: int, lam: float
) -> None:
    target, ladder = early(widths, rank)
    found = fit_target(target, ladder)
    assert found.rise == 0
    assert abs(found.lam - lam) < 2 * found.error < 0.2 * lam


@pytest.mark.study
def test_a_proved_value_is_not_refuted_by_a_ladder_that_ends_early() -> None:
    """λ = 8 of [5,3,5]: of twelve checks by SGLD five had refuted it."""
    target = LinearNetworkTarget([5, 3, 5], 1)
    found = estimate(target, method="sgld", seed=3)
    assert found.interval[0] < 8.0 < found.interval[1]
    assert any("slopes still grow" in words for words in found.warnings)
    assert check_target(target, Pair.of(8), seed=3, method="sgld").verdict == "inconclusive"
