"""The lattice of minimising rank paths, against listing all paths and all chains."""

from __future__ import annotations

import itertools
import random
from functools import cache

import pytest

from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.linear_networks.rank_paths import least_path_pair


def minimisers(excess: list[int]) -> tuple[int, list[tuple[int, ...]]]:
    """Least cost and every path that reaches it, by enumeration."""
    best: dict[int, list[tuple[int, ...]]] = {}
    for inner in itertools.product(*(range(h + 1) for h in excess[1:-1])):
        path = (excess[0], *inner, 0)
        if any(a < b for a, b in itertools.pairwise(path)):
            continue
        cost = sum((excess[j] - path[j]) * (path[j - 1] - path[j]) for j in range(1, len(path)))
        best.setdefault(cost, []).append(path)
    return min(best), best[min(best)]


def longest_chain(paths: list[tuple[int, ...]]) -> int:
    @cache
    def above(path: tuple[int, ...]) -> int:
        larger = [
            other
            for other in paths
            if other != path and all(a <= b for a, b in zip(path, other, strict=True))
        ]
        return 1 + max(map(above, larger), default=0)

    return max(map(above, paths))


def test_against_enumeration() -> None:
    rng = random.Random(7)
    for _ in range(400):
        excess = [rng.randint(1, 4) for _ in range(rng.randint(2, 6))]
        cost, paths = minimisers(excess)
        # rank 0: the excess widths are the widths
        answer = least_path_pair(excess, 0)
        assert 2 * answer.lam == cost, excess
        assert answer.theta == longest_chain(paths), excess


def test_minimisers_are_closed_under_meet_and_join() -> None:
    rng = random.Random(8)
    for _ in range(200):
        _, paths = minimisers([rng.randint(1, 4) for _ in range(rng.randint(2, 6))])
        for one, other in itertools.combinations(paths, 2):
            assert tuple(map(min, one, other)) in paths
            assert tuple(map(max, one, other)) in paths


def test_large_networks_and_the_limit() -> None:
    assert least_path_pair([784, 128, 64, 10], 10) == Pair.of(3920)
    assert least_path_pair([50, 40, 30, 50], 3) == Pair.of(597, 3)
    theorem = get_theorem("deep-linear-rank-paths")
    answer = theorem.apply(widths=[5000, 5000, 5000, 5000], rank=0)
    assert answer.pair is None
    with pytest.raises(ValueError, match="use the theorem deep-linear"):
        least_path_pair([5000] * 4, 0)
