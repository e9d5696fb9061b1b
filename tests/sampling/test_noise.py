"""Fast noise of SGLD: moments of single draws, of neighbours and of those that are none."""

import numpy as np
import pytest

from rlct.sampling.arrays import Arrays

COUNT = 400_001  # odd: the last pair is cut


def test_moments_are_those_of_independent_normal_draws() -> None:
    """5 standard errors each, by chance one in 10⁵ runs; uniform draws are rejected."""
    on = Arrays(np.random.default_rng(0), np.float32)
    drawn = on.noise((COUNT, 1), 3.0)[:, 0].astype(float) / 3.0
    uniform = np.random.default_rng(1).uniform(-np.sqrt(3), np.sqrt(3), COUNT)

    def far(x: np.ndarray) -> float:
        pairs = [(x[:-1:2], x[1::2]), (x[1:-1:2], x[2::2])]
        values = [x, x**2 - 1, x**3, x**4 - 3, x**6 - 15]
        values += [f for a, b in pairs for f in (a * b, a**2 * b, a**2 * b**2 - 1)]
        return max(abs(v.mean()) / (v.std() / np.sqrt(len(v))) for v in values)

    assert far(drawn) < 5 < far(uniform)


def test_sizes_may_differ_from_row_to_row() -> None:
    sizes = np.array([[0.0], [1e-3], [2.0]])
    found = Arrays(np.random.default_rng(0)).noise((3, 10_000), sizes)
    assert found.std(axis=1) == pytest.approx(sizes[:, 0], rel=0.05)
    # What was drawn with one size is not drawn with another.
    on = Arrays(np.random.default_rng(0))
    assert [on.noise((1, 9999), s).std() for s in (2.0, 5.0, 2.0)] == pytest.approx(
        [2.0, 5.0, 2.0], rel=0.05
    )
