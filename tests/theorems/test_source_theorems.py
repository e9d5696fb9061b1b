"""Theorems of the sources, tested against their own definitions: scalings, polygons, moments."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.relu_networks.relu_scaling import scalings


def network(widths, weights, x):
    """A ReLU network with biases by its definition; the last layer is linear."""
    value, start = np.array(x, float), 0
    for k, (before, after) in enumerate(pairwise(widths)):
        size = (before + 1) * after
        layer = np.reshape(weights[start : start + size], (after, before + 1))
        value = layer @ np.append(value, 1)
        if k < len(widths) - 2:
            value = np.maximum(value, 0)
        start += size
    return value


def test_scalings_do_not_move_the_network() -> None:
    rng = np.random.default_rng(0)
    widths = (2, 3, 4, 2)
    weights = rng.normal(size=3 * 3 + 4 * 4 + 2 * 5)
    fields = np.array(
        scalings({"widths": widths, "weights": [Fraction(float(w)) for w in weights]}), float
    )
    assert fields.shape == (7, len(weights))
    assert np.linalg.matrix_rank(fields) == 7
    points = rng.normal(size=(30, 2))
    step = 1e-6

    def moved(field):
        return max(
            np.abs(
                network(widths, weights + step * field, x)
                - network(widths, weights - step * field, x)
            ).max()
            / (2 * step)
            for x in points
        )

    assert max(moved(field) for field in fields) < 1e-6
    assert max(moved(np.abs(field)) for field in fields) > 1e-3  # not every direction


@pytest.mark.parametrize("m", [3, 4, 5])
def test_polygons_of_the_source(m) -> None:
    """The irrational m-gon has the rank that its rational neighbours have, 3m + 1."""
    angles = 2 * np.pi * (np.arange(m) + 0.5) / m
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.random.default_rng(1).uniform(-1, 1, (4000, 2))
    u = points @ normals.T - 1 / 3
    on = (u > 0).astype(float)
    columns = [np.ones((len(points), 1)), np.maximum(u, 0), on]
    columns += [on * points[:, [k]] for k in (0, 1)]
    values = np.linalg.svd(np.hstack(columns), compute_uv=False)
    rank = int((values > 1e-6 * values[0]).sum())
    assert rank == 3 * m + 1
    hidden = tuple(
        (Fraction(round(1000 * a), 1000), Fraction(round(1000 * b), 1000), Fraction(-1, 3))
        for a, b in normals
    )
    found = get_theorem("relu-distinct").apply(
        hidden=hidden, outer=((1,) * m,), box=((-1, 1), (-1, 1))
    )
    assert found.pair == Pair(Fraction(rank, 2), 1)


def test_scaling_bound_holds_where_relu_data_is_exact() -> None:
    rng = random.Random(2)
    checked = 0
    for _ in range(60):
        d, h, p = rng.randint(1, 2), rng.randint(1, 3), rng.randint(1, 2)
        hidden = [[rng.randint(-2, 2) for _ in range(d + 1)] for _ in range(h)]
        outer = [[rng.randint(-2, 2) for _ in range(h)] for _ in range(p)]
        data = [[rng.randint(-5, 5) for _ in range(d)] for _ in range(8)]
        flat = [w for row in hidden for w in row] + [v for row in outer for v in (*row, 0)]
        bound = get_theorem("relu-scaling").apply(widths=(d, h, p), weights=flat).bounds
        try:
            exact = (
                get_theorem("relu-data")
                .apply(hidden=hidden, outer=outer, data=data, output_bias=True)
                .pair
            )
        except InputError:
            continue
        checked += 1
        assert bound.hold(exact), (hidden, outer, data)
    assert checked >= 10


def test_coefficients_and_loss_are_comparable() -> None:
    """Theorem 3 by numbers: the ratio stays between the eigenvalues of the moments."""
    degrees, data = np.array([0, 1, 3]), np.array([-1.0, 0.5, 2.0, 3.0])
    features = data[:, None] ** degrees
    low, high = np.linalg.eigvalsh(features.T @ features)[[0, -1]]
    assert low > 0
    draws = np.random.default_rng(3).normal(size=(500, 3))
    ratio = ((draws @ features.T) ** 2).sum(axis=1) / (draws**2).sum(axis=1)
    assert (ratio >= low - 1e-9).all()
    assert (ratio <= high + 1e-9).all()
    with pytest.raises(InputError, match="rank 1 of 2"):
        get_theorem("coefficient-norm").apply(
            exponents=((1, 0), (0, 1)), degrees=(0, 2), data=(-1, 1)
        )


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("additive-rule", {"exponents": ((0, 1),)}, "positive exponents"),
        ("product-rule", {"powers": ()}, "there is a factor"),
        ("minimally-singular", {"coefficients": (1, -1)}, "no coefficient is negative"),
        ("minimally-singular", {"coefficients": (0,)}, "one is positive"),
        ("square-reduced-rank", {"inputs": 1, "hidden": 2, "rank": 2}, "no fewer than the rank"),
        ("relu-scaling", {"widths": (1, 1, 1), "weights": (1, 2)}, "2 weights"),
        ("relu-scaling", {"widths": (1, 1), "weights": (1, 2)}, "hidden layers"),
        ("landscape-line", {"zeros": (0,), "powers": (1,), "at": 2}, "number of a zero"),
        ("landscape-line", {"zeros": (), "powers": (), "at": 1}, "one positive power"),
        ("landscape-plane", {"line": 0, "origin": 1}, "a ≥ 1"),
        ("coefficient-norm", {"exponents": ((1,),), "degrees": (1, 2)}, "all different"),
        ("linear-point", {"first": ((1, 2),), "second": ((1, 2),)}, "compose"),
        ("linear-point-bound", {"widths": (2, 2), "weights": (1,)}, "need 4 weights"),
        ("linear-point-bound", {"widths": (), "weights": ()}, "at least two"),
        ("relu-data", {"hidden": ((1,),), "outer": ((1,),), "data": ((1,),)}, "needs 1 weight"),
        ("relu-density", {"hidden": ((1, 0),), "outer": ((1,),), "box": ((1, 1),)}, "low < high"),
        ("relu-bound", {"hidden": (), "outer": (), "data": ()}, "rows of the same"),
    ],
)
def test_hypotheses_fail_with_one_line(name, arguments, message) -> None:
    with pytest.raises(InputError, match=message) as error:
        get_theorem(name).apply(**arguments)
    assert "\n" not in str(error.value)
