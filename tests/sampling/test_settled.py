"""What the scatter of chains and that within them say of the error of their mean."""

import numpy as np

from rlct.sampling.local.filling import outward_fall
from rlct.sampling.markov_chains.burnin import SettledDraws, chain_mean, truncated_mean
from rlct.sampling.markov_chains.chains import Chains


def settled(draws: np.ndarray, distance: np.ndarray | None = None) -> SettledDraws:
    blank = np.zeros((1, len(draws)))
    distance = np.zeros((1, *draws.shape)) if distance is None else distance[None]
    return SettledDraws(Chains(np.ones(1), draws[None], blank, blank, blank[..., None], distance))


def test_chains_that_agree_by_chance_do_no_better_than_independent_draws() -> None:
    """Three independent chains: in 1000 runs errors fall to 0.03 of the truth, here to 0.8.

    Control: of draws that hang together the scatter of chains says more, and it is what counts.
    """
    rng = np.random.default_rng(0)
    runs = rng.exponential(size=(1000, 3, 200))
    true = 600**-0.5
    assert min(chain_mean(run.mean(axis=1))[1] for run in runs) < 0.1 * true
    found = [settled(run) for run in runs]
    assert min(one.error for one in found) > 0.8 * true
    slow = np.repeat(runs[:50], 20, axis=2)
    same = [settled(run) for run in slow]
    scatter = [truncated_mean(run, one.dropped)[1] for run, one in zip(slow, same, strict=True)]
    assert sum(one.error == other for one, other in zip(same, scatter, strict=True)) > 40


def places(rng: np.random.Generator, far: float) -> tuple[np.ndarray, np.ndarray]:
    """Losses and distances of 16 chains, the last four of which have gone to another place."""
    draws = rng.exponential(0.5, size=(16, 300))
    distance = 0.1 + 0.02 * rng.random((16, 300))
    draws[12:] *= far
    distance[12:] += 1.0
    return draws, distance


def test_losses_that_fall_with_the_distance_are_another_minimum() -> None:
    """0.2 lower.  Controls: equal losses there, of 500 runs 5 at most (one in 1000), and higher."""
    rng = np.random.default_rng(0)
    found = [outward_fall(settled(*places(rng, 0.6))) for _ in range(20)]
    assert min(found) > 0.15
    assert max(found) < 0.25
    assert sum(outward_fall(settled(*places(rng, 1.0))) > 0 for _ in range(500)) <= 5
    assert not any(outward_fall(settled(*places(rng, 1.4))) for _ in range(20))
    draws, distance = places(rng, 0.6)
    assert outward_fall(settled(draws[:12], distance[:12])) == 0.0
