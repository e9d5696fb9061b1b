"""The vectorised formula equals the scalar one, and refuses what it cannot hold."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.theorems.kit.deep_linear_arrays import deep_linear_pairs
from rlct.theorems.linear_networks.deep_linear import deep_linear_pair

pytestmark = pytest.mark.light


@pytest.mark.parametrize("layers", [1, 2, 3, 5, 6, 12])
@pytest.mark.parametrize("largest", [3, 40, 5_000_000])
def test_equal_to_scalar(layers: int, largest: int) -> None:
    rng = np.random.default_rng([layers, largest])
    widths = rng.integers(1, largest + 1, size=(300, layers + 1))
    rank = rng.integers(0, widths.min(axis=1) + 1)
    for bias in (False, True):
        lam, theta = deep_linear_pairs(widths, rank, bias=bias)
        for row, r, value, count in zip(
            widths.tolist(), rank.tolist(), lam.tolist(), theta.tolist(), strict=True
        ):
            expected = deep_linear_pair(row, r)
            assert Fraction(value) == expected.lam + Fraction(row[-1] * bias, 2)
            assert count == expected.theta


def test_largest_widths_are_exact() -> None:
    """At the limit that the message states the value is still exact; one above is refused."""
    with pytest.raises(InputError, match="widths above") as error:
        deep_linear_pairs([[2**40, 2**40, 2**40]], [1])
    limit = int(str(error.value).split("above ")[1].split(" ")[0])
    for row in ([limit] * 3, [limit - 1, limit, limit - 2]):
        for r in (0, 1, limit - 3):
            lam, theta = deep_linear_pairs([row], [r])
            expected = deep_linear_pair(row, r)
            assert (Fraction(lam[0]), theta[0]) == (expected.lam, expected.theta)
    with pytest.raises(InputError, match="row 0"):
        deep_linear_pairs([[limit + 1, 1, 1]], [1])


@pytest.mark.parametrize(
    ("widths", "rank", "message"),
    [
        ([[2, 2], [3, 0]], [0, 0], r"row 1 \(widths 3,0\): widths must be positive"),
        ([[2, 2], [3, 1]], [0, 2], "row 1 .*rank 2 is not between 0 and the smallest width 1"),
        ([[2, 2]], [-1], "row 0"),
        ([[2, 2]], [0, 0], "rank must have shape"),
        ([2, 2], 0, "widths must have shape"),
        ([[2]], [0], "widths must have shape"),
        ([[2.0, 2.0]], [0], "widths must be integers"),
        ([[True, True]], [0], "widths must be integers"),
        ([[2, 2]], [0.0], "rank must be integers"),
        (np.array([[2**64 - 1, 2]], dtype=np.uint64), [0], "row 0"),
        ([[2**63 - 1, 2**63 - 1]], [0], "row 0"),
        ([[10**30, 2]], [0], "widths must be integers"),
    ],
)
def test_bad_input(widths, rank, message: str) -> None:
    with pytest.raises(InputError, match=message):
        deep_linear_pairs(widths, rank)


def test_bad_row_in_a_later_block_is_numbered() -> None:
    widths = np.full((50_000, 3), 4)
    rank = np.zeros(50_000, dtype=np.int64)
    rank[43_210] = 5
    with pytest.raises(InputError, match="row 43210 "):
        deep_linear_pairs(widths, rank)


def test_input_is_left_alone_and_empty_is_fine() -> None:
    widths = np.array([[5, 3, 4], [9, 2, 7]])
    before = widths.copy()
    deep_linear_pairs(widths, 1)
    assert (widths == before).all()
    lam, theta = deep_linear_pairs(np.empty((0, 3), dtype=int), np.empty(0, dtype=int))
    assert lam.shape == theta.shape == (0,)


def test_a_million_architectures_a_second() -> None:
    rng = np.random.default_rng(0)
    for layers in (2, 3):
        widths = rng.integers(1, 1001, size=(300_000, layers + 1))
        rank = rng.integers(0, widths.min(axis=1) + 1)
        best = np.inf
        for _ in range(5):
            start = time.process_time()
            deep_linear_pairs(widths, rank)
            best = min(best, time.process_time() - start)
        assert len(widths) / best > 1e6
