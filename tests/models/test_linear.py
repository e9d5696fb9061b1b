"""Linear networks as questions: dimension, generators, refusals."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from rlct.errors import InputError
from rlct.models.linear_networks.linear import LinearNetwork


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([5, 2, 5], 3), "rank 3 exceeds the smallest width 2"),
        (([5, 5], 3, False, 2), "rank 3 exceeds the smallest width 2"),
        (([5, 5], -1), "at least 0"),
        (([5], 0), "at least two widths"),
        (([5, 0], 0), "must be positive"),
        (([5, 2.0], 0), "widths must be integers"),
        (("55", 0), "widths must be integers"),
        (([5, True], 0), "widths must be integers"),
        (([5, 5], 0, False, 6), "input_rank 6"),
    ],
)
def test_refused(arguments, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        LinearNetwork(*arguments)
    assert "\n" not in str(error.value)


def test_dimension() -> None:
    assert LinearNetwork([784, 128, 64, 10], 10).dimension == 784 * 128 + 128 * 64 + 64 * 10
    assert LinearNetwork([3, 2, 5], 1, bias=True).dimension == 6 + 2 + 10 + 5
    assert len(LinearNetwork([3, 2, 5], 1, bias=True).variables) == 23


@pytest.mark.parametrize("seed", range(30))
def test_generators_are_the_entries_of_the_product(seed: int) -> None:
    """Evaluate the generators at random integers and multiply the matrices there."""
    rng = random.Random(seed)
    widths = [rng.randint(1, 4) for _ in range(rng.randint(2, 5))]
    network = LinearNetwork(widths, rng.randint(0, min(widths)), bias=seed % 2 == 1)
    point = {name: rng.randint(-5, 5) for name in network.variables}
    product = np.eye(widths[0], dtype=int)
    shift = np.zeros(widths[0], dtype=int)
    for layer, (columns, rows) in enumerate(itertools.pairwise(widths), 1):
        matrix = np.array(
            [[point[f"a{layer}_{i + 1}_{j + 1}"] for j in range(columns)] for i in range(rows)]
        )
        for i in range(network.rank):
            matrix[i, i] += 1
        product = matrix @ product
        if network.bias:
            shift = matrix @ shift + [point[f"b{layer}_{i + 1}"] for i in range(rows)]
    for i in range(network.rank):
        product[i, i] -= 1
    expected = product.ravel().tolist() + (shift.tolist() if network.bias else [])
    values = [
        sum(
            int(coefficient)
            * int(np.prod([point[n] ** e for n, e in zip(names, exponents, strict=True)]))
            for exponents, coefficient in generator.items()
        )
        for names in [network.variables]
        for generator in network.generators()
    ]
    assert values == expected
    assert all(
        eval(text, {}, dict(point)) == value  # our own text, no user input
        for text, value in zip(network.texts(), expected, strict=True)
    )


def test_problem() -> None:
    problem = LinearNetwork([2, 2, 2], 1, bias=True).problem()
    assert problem.is_ideal
    assert len(problem.generators) == 6
    assert "2,2,2 of rank 1" in problem.provenance
    seen = LinearNetwork([3, 2, 2], 0, input_rank=1)
    assert len(seen.variables) == 2 + 4
    assert seen.generators()[0] == {
        tuple(int(n in ("a2_1_1", "a1_1_1")) for n in seen.variables): Fraction(1),
        tuple(int(n in ("a2_1_2", "a1_2_1")) for n in seen.variables): Fraction(1),
    }


def test_too_large_to_write_out() -> None:
    with pytest.raises(InputError, match="too many"):
        LinearNetwork([784, 128, 64, 10], 10).problem()
    with pytest.raises(InputError, match="too many"):
        LinearNetwork([6] * 9, 0).terms()
