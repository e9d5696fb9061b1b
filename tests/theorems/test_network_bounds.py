"""Convolutions and smaller ReLU networks: searches, explicit parameters, errors."""

from __future__ import annotations

import functools
import itertools
import operator
from fractions import Fraction

import numpy as np
import pytest

import rlct
from rlct.errors import InputError
from rlct.models.kit.layers import cheapest_placement
from rlct.models.linear_networks.linear_convolution import LinearConvolution
from rlct.pair import Pair
from rlct.theorems import get_theorem


def values(filters, real, pairs):
    """Every distribution of the roots among the filters, and its λ by the sum rule."""
    room = [k - 1 for k in filters]
    choices = [itertools.combinations_with_replacement(range(len(room)), m) for m in real]
    choices += [[(layer, layer) for layer in range(len(room))]] * pairs
    for places in itertools.product(*map(list, choices)):
        used = [layer for place in places for layer in place]
        if [used.count(layer) for layer in range(len(room))] == room:
            split = sum(len(p) == 2 and p[0] != p[1] for p in places[: len(real)])
            yield Fraction(sum(room) + 1, 2) - Fraction(split, 4)


@pytest.mark.parametrize("filters", [(2, 2), (3, 2), (4, 2), (3, 3), (2, 2, 3), (5, 2), (4, 3, 2)])
def test_the_deepest_filters_of_a_convolution(filters) -> None:
    degree = sum(filters) - len(filters)
    seen = 0
    for pairs in range(degree // 2 + 1):
        for double in range((degree - 2 * pairs) // 2 + 1):
            real = (2,) * double + (1,) * (degree - 2 * pairs - 2 * double)
            least = min(values(filters, real, pairs), default=None)
            arguments = {"filters": filters, "real_roots": real or None, "complex_pairs": pairs}
            if least is None:
                with pytest.raises(InputError, match="do not fit"):
                    LinearConvolution(**arguments)
            else:
                pair = get_theorem("linear-convolution").apply(**arguments).pair
                assert pair == Pair(least, 1), arguments
                seen += 1
    assert seen > 1 or degree == 2


def test_convolutions_of_the_truth_zero_agree_with_the_product_rule() -> None:
    for filters in [(2, 3), (4, 4, 4), (2, 5, 2)]:
        pair = get_theorem("linear-convolution").apply(filters=filters).pair
        assert pair == functools.reduce(operator.mul, [Pair.of(f"{k}/2") for k in filters])


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"filters": (2,)}, "at least two"),
        ({"filters": (2, 2), "real_roots": (1,)}, "degree 2, but there are 1"),
        ({"filters": (3, 3), "real_roots": (3, 1)}, "multiplicity 1 or 2"),
        ({"filters": (2, 2), "complex_pairs": 1}, "do not fit"),
    ],
)
def test_impossible_convolutions(sizes, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.model("convolution", **sizes)


def relu_network(layers, x):
    """Value of a ReLU network, layers as (matrix, bias); also all hidden pre-activations."""
    hidden = []
    for matrix, bias in layers[:-1]:
        x = matrix @ x + bias
        hidden.append(x)
        x = np.maximum(x, 0)
    matrix, bias = layers[-1]
    return matrix @ x + bias, hidden


def test_the_fibre_of_the_bound_of_a_deep_network() -> None:
    """The parameters that theory/deep-relu-bound.md describes give the true function."""
    rng = np.random.default_rng(3)
    true = [(rng.normal(size=(2, 2)), rng.normal(size=2)), (rng.normal(size=(1, 2)), np.ones(1))]
    first, last = true
    # Widths 2, 3, 4, 3, 1: a layer that repeats the input, one that computes, one that repeats.
    P = rng.normal(size=(3, 2))
    shift = np.full(3, 50.0)
    scale = np.diag([2.0, 0.5])
    into = scale @ first[0] @ np.linalg.pinv(P)
    middle = np.vstack([into, rng.normal(size=(2, 3))])
    bias = np.concatenate([scale @ first[1] - into @ shift, [-900.0, -900.0]])
    Q = rng.normal(size=(3, 2))
    again = np.hstack([Q, rng.normal(size=(3, 2))])
    raised = np.full(3, 70.0)
    out = last[0] @ np.linalg.inv(scale) @ np.linalg.pinv(Q)
    layers = [(P, shift), (middle, bias), (again, raised), (out, last[1] - out @ raised)]
    for x in rng.uniform(-1, 1, size=(200, 2)):
        wanted = relu_network(true, x)[0]
        found, hidden = relu_network(layers, x)
        assert np.allclose(found, wanted)
        assert hidden[0].min() > 0
        assert hidden[1][2:].max() < 0
        assert hidden[2].min() > 0


def test_placements_by_search() -> None:
    true = (3, 2, 4)
    for widths in itertools.product((1, 2, 3, 4, 5), repeat=3):
        plans = [
            plan
            for plan in itertools.product(range(3), repeat=3)
            if plan[-1] == 2
            and all(0 <= b - a <= 1 for a, b in itertools.pairwise((0, *plan)))
            and all(true[j] <= width for j, width in zip(plan, widths, strict=True))
        ]
        costs = [sum(10**b for a, b in itertools.pairwise((0, *plan)) if a == b) for plan in plans]
        found = cheapest_placement((3, *widths), true, lambda done: 10**done)
        assert (found and found[0]) == min(costs, default=None)
        if found:
            assert (found[0], found[1]) in zip(costs, plans, strict=True)


@pytest.mark.parametrize(
    ("name", "sizes", "message"),
    [
        ("deep-relu", {"widths": (2, 1), "true_widths": (2, 1, 1)}, "a hidden layer"),
        ("deep-relu", {"widths": (2, 3, 1), "true_widths": (1, 3, 1)}, "same inputs"),
        ("deep-relu", {"widths": (2, 3, 1), "true_widths": (2, 4, 1)}, "do not fit"),
        ("deep-relu", {"widths": (2, 3, 1), "true_widths": (2, 3, 3, 1)}, "do not fit"),
    ],
)
def test_networks_that_do_not_fit(name, sizes, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.model(name, **sizes)
    convolution = {"taps": 9, "positions": 4, "outputs": 1}
    for channels, true in [((1, 2), (1, 3)), ((1, 2), (2, 1)), ((1,), (1, 1)), ((2, 2, 1), (2, 2))]:
        with pytest.raises(InputError, match=r"do not fit|same input|convolutional layer"):
            rlct.model("relu-convolution", channels=channels, true_channels=true, **convolution)


def test_bounds_of_networks_do_not_depend_on_what_is_spare() -> None:
    small = rlct.model("deep-relu", widths=(2, 3, 1), true_widths=(2, 3, 1))
    large = rlct.model("deep-relu", widths=(2, 9, 9, 9, 1), true_widths=(2, 3, 1))
    assert small.upper == large.upper == 5
    assert small.lower == Fraction(1, 2)
    sizes = {"true_channels": (1, 2), "taps": 9, "positions": 4, "outputs": 3}
    plain = rlct.model("relu-convolution", channels=(1, 8), **sizes)
    blocks = rlct.model("relu-convolution", channels=(1, 8), blocks=9, **sizes)
    deeper = rlct.model("relu-convolution", channels=(1, 8, 8), **sizes)
    assert plain.upper == blocks.upper == Fraction(45, 2)
    assert deeper.upper == Fraction(79, 2)
