"""What tests of the samplers share."""

from collections.abc import Callable

import numpy as np
import pytest

from rlct.sampling.ladders.attempts import LadderAttempts
from rlct.sampling.ladders.tempering import tempering_ladder
from rlct.sampling.targets.target import Target


@pytest.fixture
def scatter() -> Callable[[Target, int, float], float]:
    """Variance of −log Z between islands of 40 particles, at the end of a ladder."""

    def variance(target: Target, islands: int, top: float) -> float:
        rng = np.random.default_rng(3)
        ladder = tempering_ladder(target, rng=rng, particles=40, islands=islands, top=top)
        return float((ladder.slopes @ (ladder.stop - ladder.start)).var(ddof=1))

    return variance


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ladders with a quarter of the draws: their intervals are wider, and hold λ as often."""
    run = LadderAttempts._run
    monkeypatch.setattr(
        LadderAttempts, "_run", lambda self, method, effort, end: run(self, method, effort / 4, end)
    )
