"""Moves across the hidden layers of a linear network, along which it does not change."""

import numpy as np
import pytest
from scipy.stats import kstest

import rlct
from rlct.sampling.ladders.run import estimate
from rlct.sampling.targets import exchange
from rlct.sampling.targets.exchange import LayerExchange
from rlct.sampling.targets.linear import LinearNetworkTarget


@pytest.mark.parametrize("hidden", [1, 3])
def test_the_prior_stays_and_so_does_the_product(
    hidden: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries of A and B after many moves of draws of N(centre, 1/2), by Kolmogorov and Smirnov.

    Four tests at 1e-4.  Control: without the Jacobian they are far from it.
    """
    rng = np.random.default_rng(7)
    centres = np.eye(hidden, 2), np.eye(6, hidden)

    def moved() -> list[float]:
        a, b = (
            centre + 0.5**0.5 * rng.standard_normal((4000, *centre.shape)) for centre in centres
        )
        before = b @ a
        for _ in range(5):
            LayerExchange(a, b, centres, 2.0).draw(rng)
        np.testing.assert_allclose(b @ a, before, atol=1e-9)
        return [float(kstest((v[:, 0, 0] - 1) * 2**0.5, "norm").pvalue) for v in (a, b)]

    assert min(moved()) > 1e-4
    # Columns of A less rows of B are 2 − 6.
    monkeypatch.setattr(exchange, "_power", lambda into, out: 4)
    assert min(moved()) < 1e-12


@pytest.mark.study
@pytest.mark.parametrize(("widths", "rank"), [([40, 1, 40], 0), ([20, 3, 20], 1)])
def test_a_narrow_layer_between_wide_ones_is_crossed(
    widths: list[int], rank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four ladders with θ as proved; |z| of their mean above 4 has probability 1e-4.

    Control: by conditional draws alone nothing moves across, and λ̂ is off by as many of the same
    errors; theirs are larger, as they see that they are slow.
    """
    exact, target = rlct.linear(widths, rank=rank), LinearNetworkTarget(widths, rank)

    def gap() -> tuple[float, float]:
        found = [estimate(target, seed=seed, theta=exact.theta, effort=0.5) for seed in range(4)]
        lam, errors = np.mean([one.lam for one in found]), [one.error for one in found]
        return abs(lam - float(exact.lam)), 4 / 4**0.5 * float(np.mean(errors))

    off, allowed = gap()
    assert off < allowed
    monkeypatch.setattr(LayerExchange, "draw", lambda self, rng: None)
    assert gap()[0] > allowed
