"""What the scatter of chains and that within them say of the error of their mean."""

import numpy as np

from rlct.sampling.burnin import Settled, chain_mean
from rlct.sampling.chains import Chains


def settled(draws: np.ndarray) -> Settled:
    blank = np.zeros((1, len(draws)))
    distance = np.zeros((1, *draws.shape))
    return Settled(
        Chains(np.ones(1), draws[None], blank, blank, blank[..., None], distance), halved=False
    )


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
    scatter = [chain_mean(one.draws.mean(axis=1))[1] for one in same]
    assert sum(one.error == other for one, other in zip(same, scatter, strict=True)) > 40
