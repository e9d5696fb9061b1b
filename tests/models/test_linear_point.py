"""Linear networks at given weights: codimension by other routes, the engine, input errors."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import rlct
from rlct.algebra.exact_rank import row_basis
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError
from rlct.models.linear_networks.linear_point import LinearPoint
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.linear_networks.rank_paths import least_path_pair
from rlct.theorems.linear_networks.two_layer import two_layer


def matrix(rng, rows, columns, rank):
    left = [[rng.randint(-2, 2) for _ in range(rank)] for _ in range(rows)]
    right = [[rng.randint(-2, 2) for _ in range(columns)] for _ in range(rank)]
    return tuple(
        tuple(sum(left[i][t] * right[t][j] for t in range(rank)) for j in range(columns))
        for i in range(rows)
    )


def sparse(rng, rows, columns):
    """A partial permutation matrix: sums of intervals, up to bases all there is."""
    a = [[0] * columns for _ in range(rows)]
    for i, j in zip(
        rng.sample(range(rows), rows), rng.sample(range(columns), columns), strict=False
    ):
        a[i][j] = rng.randint(0, 1)
    return tuple(map(tuple, a))


def test_codimension_is_twice_the_two_layer_formula() -> None:
    """Two routes that share nothing: quiver patterns and Aoyagi–Watanabe with its reduction."""
    rng = random.Random(1)
    for _ in range(200):
        m, h, n = (rng.randint(1, 4) for _ in range(3))
        net = LinearPoint(
            (matrix(rng, h, m, rng.randint(0, 2)), matrix(rng, n, h, rng.randint(0, 2)))
        )
        a, b, r = (net.ranks[key] for key in ((0, 1), (1, 2), (0, 2)))
        assert 2 * two_layer(n, h, m, a, b, r).lam == net.codimension
        assert net.rank <= net.codimension


def test_codimension_at_the_deepest_weights() -> None:
    rng = random.Random(2)
    for _ in range(100):
        widths = [rng.randint(1, 3) for _ in range(rng.randint(3, 5))]
        r = rng.randint(0, min(widths))
        layers = [
            [[int(i == j < r) for j in range(a)] for i in range(b)] for a, b in pairwise(widths)
        ]
        assert LinearPoint(tuple(layers)).codimension == 2 * least_path_pair(widths, r).lam


def test_rank_is_that_of_finite_differences() -> None:
    rng = random.Random(3)
    for _ in range(20):
        widths = [rng.randint(1, 3) for _ in range(4)]
        layers = [np.array(sparse(rng, b, a), float) for a, b in pairwise(widths)]
        net = LinearPoint(tuple(tuple(map(tuple, a.astype(int))) for a in layers))
        columns = []
        for k, layer in enumerate(layers):
            for index in np.ndindex(layer.shape):
                moved = [a.copy() for a in layers]
                moved[k][index] += 1  # the product is linear in one entry
                columns.append(
                    (moved[2] @ moved[1] @ moved[0] - layers[2] @ layers[1] @ layers[0]).ravel()
                )
        assert net.rank == np.linalg.matrix_rank(np.array(columns))


@pytest.mark.slow
def test_conjecture_where_the_engine_settles_it() -> None:
    """λ = codimension/2 at sums of intervals, three layers; a counterexample would be news."""
    rng = random.Random(4)
    settled = 0
    for _ in range(40):
        widths = [rng.randint(1, 2) for _ in range(4)]
        net = LinearPoint(tuple(sparse(rng, b, a) for a, b in pairwise(widths)))
        proof = prove_problem(net.problem(), 1.5)
        bounds = (
            get_theorem("linear-point-bound")
            .apply(**get_theorem("linear-point-bound").recognise(net))
            .bounds
        )
        if proof.exact:
            settled += 1
            assert bounds.hold(proof.lower), net.layers
            assert 2 * proof.lower.lam == net.codimension, net.layers
    assert settled >= 30


def test_two_layers_against_the_engine() -> None:
    rng = random.Random(6)
    settled = 0
    for _ in range(40):
        m, h, n = (rng.randint(1, 3) for _ in range(3))
        net = LinearPoint((sparse(rng, h, m), sparse(rng, n, h)))
        proof = prove_problem(net.problem(), 1.5)
        pair = get_theorem("linear-point").apply(**get_theorem("linear-point").recognise(net)).pair
        if proof.exact:
            settled += 1
            assert proof.lower == pair, net.layers
        else:
            assert proof.lower <= pair
    assert settled >= 25


def test_large_networks_are_bounded() -> None:
    rng = random.Random(7)
    net = LinearPoint(tuple(matrix(rng, 6, 6, 2) for _ in range(4)))
    found = rlct.solve(net)
    least = rlct.theorem("deep-linear", widths=net.widths, rank=net.ranks[0, 4]).lam
    assert found.lower == max(Fraction(net.rank, 2), least)
    assert found.upper == Fraction(net.codimension, 2)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([[[1, 2]], [[1, 2]]], "layer 1 has 1 rows, layer 2 2 columns"),
        ([[[float("nan")]]], "finite"),
        ([], "list of matrices"),
        (3, "list of matrices"),
        ({"a": 1}, "list of matrices"),
        (["1"], "list of matrices"),
        ([[[1], [2, 3]]], "different lengths"),
        ("[", "not JSON"),
    ],
)
def test_bad_input(weights, message) -> None:
    with pytest.raises(InputError, match=message):
        rlct.linear(weights=weights)


def test_floats_with_plain_ranks_are_answered_with_the_pattern() -> None:
    floats = [[[1.0, 2.0], [2.0, 4.0]], [[1.0, 1.0], [0.5, 0.5]]]
    exact = [[[1, 2], [2, 4]], [[1, 1], ["1/2", "1/2"]]]
    found = rlct.linear(weights=floats)
    assert found.pair == rlct.linear(weights=exact).pair
    assert "ranks between layers of units are 0–1: 1, 0–2: 1, 1–2: 1" in found.notes[-1]
    large = rlct.linear(weights=[[[1e149]], [[1e149]], [[1e-149]]])
    assert large.pair == Pair.of("1/2")


def test_floats_whose_product_should_vanish_are_only_bounded() -> None:
    # 0.9 · 0.1 − 0.3 · 0.3 is not 0 in floats; as decimals the product is 0.
    floats = [[[0.1, 0.2], [0.3, 0.6]], [[0.9, -0.3], [0.9, -0.3]]]
    decimals = [[[str(x) for x in row] for row in layer] for layer in floats]
    assert rlct.linear(weights=decimals).pair == Pair.of("3/2")
    found = rlct.linear(weights=floats)
    assert found.status == "bounds"
    assert found.lower == Fraction(3, 2)
    assert "0–2: 0" in found.notes[-1]


def test_floats_of_unclear_rank_are_only_bounded() -> None:
    nearly = [[[1.0, 2.0], [2.0, 4.0 + 1e-9]], [[1.0, 0.0], [0.0, 1.0]]]
    found = rlct.linear(weights=nearly)
    assert (found.status, found.lower, found.upper) == ("bounds", 2, 4)
    assert found.certificate is None
    assert "more degenerate" in found.notes[-1]
    # The identity above makes the derivative onto: the rank 1 of the truth costs nothing.
    assert rlct.linear(weights=nearly, tolerance=1e-12).pair == Pair.of(2)
    singular = [[[1.0, 2.0], [2.0, 4.0 + 1e-9]], [[1.0, 1.0], [1.0, 1.0 + 1e-9]]]
    assert rlct.linear(weights=singular).lower == Fraction(3, 2)
    with pytest.raises(InputError, match="between 0 and 1"):
        rlct.linear(weights=nearly, tolerance=2)


def test_linear_needs_widths_or_weights() -> None:
    with pytest.raises(InputError, match="widths and rank are missing"):
        rlct.linear()
    with pytest.raises(InputError, match="the rank of the true map is missing"):
        rlct.linear([2, 2])
    with pytest.raises(InputError, match=r"^widths are missing"):
        rlct.linear(rank=1)
    with pytest.raises(InputError, match="leave these out"):
        rlct.linear([2, 2], 1, weights=[[[1]]])


def test_command_line(tmp_path, capsys) -> None:
    from rlct.cli.main import main

    file = tmp_path / "weights.json"
    file.write_text("[[[1, 0], [0, 0]], [[1, 0], [0, 0]]]")
    assert main(["net", "linear", "--weights", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["lambda"], answer["theta"]) == ("2", 2)
    assert main(["net", "linear", "2", "2"]) == 2
    assert "the rank of the true map is missing" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(4))
def test_the_rank_of_the_derivative_follows_from_those_of_partial_products(seed) -> None:
    """Beside elimination of the whole Jacobian, at weights of any ranks."""
    rng = random.Random(seed)
    for _ in range(40):
        widths = [rng.randint(1, 4) for _ in range(rng.randint(2, 5))]
        layers = tuple(matrix(rng, n, m, rng.randint(0, min(n, m))) for m, n in pairwise(widths))
        point = LinearPoint(layers)
        assert point.rank == len(row_basis(point.jacobian)), layers


def test_generic_floats_are_never_eliminated(monkeypatch) -> None:
    """Fractions of 53 bits grow to thousands: a rank modulo a prime that is full is the rank."""
    rng = random.Random(1)
    layers, (hidden, outer) = (
        [[[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)] for _ in range(2)] for n in (20, 8)
    )
    hidden[1] = hidden[0]  # two units of one direction

    def refuse(rows):
        assert len(rows) * len(rows[0]) < 200
        return row_basis(rows)

    monkeypatch.setattr("rlct.algebra.exact_rank.row_basis", refuse)
    assert rlct.linear(weights=layers).pair == Pair(200, 1)
    # Two units with one w: 8 outputs with w², 2·7 directions across; six more of 8 + 7.
    assert rlct.quadratic(weights={"hidden": hidden, "outer": outer}).lower == Fraction(
        8 + 2 * 7 + 6 * 15, 2
    )


def test_a_rank_below_the_bound_is_found_by_elimination() -> None:
    """Modulo a prime that divides a minor the rank is too small."""
    from rlct.algebra import exact_rank

    rows = [
        [exact_rank.RESIDUE_PRIME if i == j == 0 else int(i == j) for j in range(20)]
        for i in range(20)
    ]
    assert exact_rank.rank_modulo_prime(rows) == 19
    assert exact_rank.matrix_rank(rows) == 20
