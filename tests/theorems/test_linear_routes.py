"""Three formulas for linear networks, encoded separately, agree."""

from __future__ import annotations

import itertools
import random

import numpy as np

from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.kit.deep_linear_arrays import deep_linear_pairs
from rlct.theorems.linear_networks.deep_linear import deep_linear_pair
from rlct.theorems.linear_networks.rank_paths import least_path_pair
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair


def test_three_routes_agree_up_to_eight() -> None:
    """All dimensions ≤ 8, every rank, λ and θ; scalar and vectorised."""
    cases = [
        (*widths, rank)
        for widths in itertools.product(range(1, 9), repeat=3)
        for rank in range(min(widths) + 1)
    ]
    assert len(cases) == 1808
    table = np.array(cases)
    lam, theta = deep_linear_pairs(table[:, :3], table[:, 3])
    for case, quick, count in zip(cases, lam.tolist(), theta.tolist(), strict=True):
        expected = reduced_rank_pair(*case)
        assert deep_linear_pair(case[:3], case[3]) == expected, case
        assert least_path_pair(case[:3], case[3]) == expected, case
        assert Pair.of(expected.lam, count) == expected
        assert quick == expected.lam


def random_networks(count: int, seed: int, *, depth: int = 7, width: int = 10):
    rng = random.Random(seed)
    for _ in range(count):
        widths = [rng.randint(1, width) for _ in range(rng.randint(2, depth + 1))]
        yield widths, rng.randint(0, min(widths)), rng


def test_deep_networks_agree_with_rank_paths() -> None:
    for widths, rank, _ in random_networks(4000, 1):
        assert deep_linear_pair(widths, rank) == least_path_pair(widths, rank), (widths, rank)


def test_reversing_the_widths_changes_nothing() -> None:
    for widths, rank, _ in random_networks(1000, 2):
        for formula in (deep_linear_pair, least_path_pair):
            assert formula(widths, rank) == formula(widths[::-1], rank)


def test_permuting_the_widths_changes_only_the_smooth_part() -> None:
    for widths, rank, rng in random_networks(1000, 3):
        shuffled = rng.sample(widths, len(widths))
        ends = rank * (widths[0] + widths[-1]) - rank * (shuffled[0] + shuffled[-1])
        for formula in (deep_linear_pair, least_path_pair):
            one, other = formula(widths, rank), formula(shuffled, rank)
            assert one.theta == other.theta
            assert 2 * (one.lam - other.lam) == ends


def test_a_further_hidden_layer_never_increases_lambda() -> None:
    for widths, rank, rng in random_networks(1000, 4):
        at = rng.randint(1, len(widths) - 1)
        deeper = [*widths[:at], rng.randint(max(rank, 1), 12), *widths[at:]]
        assert deep_linear_pair(deeper, rank).lam <= deep_linear_pair(widths, rank).lam


def test_bounds_by_dimension_and_output() -> None:
    """λ is at most half the parameters, and half the entries of the product."""
    for widths, rank, _ in random_networks(1000, 5):
        lam = deep_linear_pair(widths, rank).lam
        assert 2 * lam <= min(LinearNetwork(widths, rank).dimension, widths[0] * widths[-1])
        # The generators have this many independent linear parts.
        assert 2 * lam >= rank * (widths[0] + widths[-1] - rank)


def test_full_rank_and_one_layer_are_regular_in_the_product() -> None:
    for m, n in itertools.product(range(1, 7), repeat=2):
        for rank in range(min(m, n) + 1):
            assert deep_linear_pair([m, n], rank) == Pair.of(m * n) / 2
            assert least_path_pair([m, n], rank) == Pair.of(m * n) / 2


def test_biases_and_input_rank() -> None:
    for name in ("deep-linear", "deep-linear-rank-paths"):
        theorem = get_theorem(name)
        for widths, rank, rng in random_networks(200, 6):
            plain = theorem.apply(widths=widths, rank=rank).pair
            biased = theorem.apply(widths=widths, rank=rank, bias=True).pair
            assert biased == plain + Pair.of(widths[-1]) / 2
            seen = rng.randint(max(rank, 1), widths[0])
            restricted = theorem.apply(widths=widths, rank=rank, input_rank=seen).pair
            assert restricted == theorem.apply(widths=[seen, *widths[1:]], rank=rank).pair
    # One output, m hidden units, d inputs, r = 1, biases: (d + 1)/2 whatever m is.
    for d, m in itertools.product(range(1, 8), repeat=2):
        answer = get_theorem("deep-linear").apply(widths=[d, m, 1], rank=1, bias=True).pair
        assert answer == Pair.of(d + 1) / 2


def test_recognised_from_the_model() -> None:
    network = LinearNetwork([3, 2, 5], 1)
    answers = {}
    for name in ("deep-linear", "deep-linear-rank-paths", "reduced-rank-regression"):
        arguments = get_theorem(name).recognise(network)
        assert arguments is not None
        answers[name] = get_theorem(name).apply(**arguments).pair
    assert set(answers.values()) == {Pair.of("9/2")}
    assert (
        get_theorem("reduced-rank-regression").recognise(LinearNetwork([3, 2, 5], 1, bias=True))
        is None
    )
    assert get_theorem("reduced-rank-regression").recognise(LinearNetwork([3, 2, 2, 5], 1)) is None
    assert get_theorem("deep-linear").recognise("x**2") is None
