"""Models at truths whose parameters are all alike: dimensions against exact ranks."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

import pytest

import rlct
from rlct.algebra.exact_rank import matrix_rank, rank_modulo_prime
from rlct.models.latent_variables.factor_analysis import FactorAnalysis
from rlct.pair import Pair
from rlct.theorems import get_theorem
from rlct.theorems.arguments import Truth
from rlct.theorems.kit.general_truth import rank_at


@pytest.mark.parametrize("variables", range(2, 8))
def test_factor_analysis_has_the_dimension_of_its_model(variables) -> None:
    for factors in range(1, variables + 2):
        found = get_theorem("factor-analysis").apply(
            variables=variables, factors=factors, true_factors=factors
        )
        assert 2 * found.pair.lam == rank_at(FactorAnalysis(variables, factors, factors))


def _random(rng: random.Random, rows: int, columns: int) -> list[list[int]]:
    return [[rng.randint(-9, 9) for _ in range(columns)] for _ in range(rows)]


def _cp_rank(dims, factors) -> int:
    """Rank of the derivative of Σ_h a_h ⊗ b_h ⊗ … at given factors, entry by entry."""
    cells = list(product(*map(range, dims)))
    rows = []
    for h in range(len(factors[0])):
        for mode, n in enumerate(dims):
            for i in range(n):
                rows.append(
                    [
                        prod(
                            factors[m][h][c] if m != mode else int(c == i)
                            for m, c in enumerate(cell)
                        )
                        for cell in cells
                    ]
                )
    return matrix_rank(rows)


@pytest.mark.parametrize("dims", [(2, 2), (3, 4), (2, 2, 2), (2, 3, 3), (3, 3, 3), (2, 2, 2, 3)])
def test_terms_with_independent_factors(dims) -> None:
    rng = random.Random(prod(dims))
    for terms in range(1, min(dims) + 1):
        factors = [_random(rng, terms, n) for n in dims]
        if any(matrix_rank(mode) < terms for mode in factors):
            continue
        found = get_theorem("cp-independent").apply(dims=dims, terms=terms)
        assert 2 * found.pair.lam == _cp_rank(dims, factors)


def test_terms_that_share_factors_have_less() -> None:
    """The negative control: two terms with one factor in common."""
    shared = [[[1, 0], [1, 0]], [[1, 0], [0, 1]], [[1, 0], [0, 1]]]
    formula = get_theorem("cp-independent").formula(dims=(2, 2, 2), terms=2)
    assert _cp_rank((2, 2, 2), shared) < 2 * formula.lam


@pytest.mark.parametrize(
    ("dims", "core"), [((2, 2, 2), (1, 1, 1)), ((3, 3, 2), (2, 2, 1)), ((3, 4, 4), (2, 2, 3))]
)
def test_cores_of_full_rank(dims, core) -> None:
    """At a random core and random factors, by the derivative entry by entry."""
    rng = random.Random(prod(dims))
    cells, inner = (list(product(*map(range, sizes))) for sizes in (dims, core))
    weights = {cell: rng.randint(-9, 9) for cell in inner}
    factors = [_random(rng, i, j) for i, j in zip(dims, core, strict=True)]
    rows = [
        [prod(f[c][k] for f, c, k in zip(factors, cell, at, strict=True)) for cell in cells]
        for at in inner
    ]
    for mode, (i, j) in enumerate(zip(dims, core, strict=True)):
        for row, column in product(range(i), range(j)):
            rows.append(
                [
                    sum(
                        weights[at]
                        * prod(
                            f[c][k]
                            for m, (f, c, k) in enumerate(zip(factors, cell, at, strict=True))
                            if m != mode
                        )
                        for at in inner
                        if at[mode] == column
                    )
                    if cell[mode] == row
                    else 0
                    for cell in cells
                ]
            )
    found = get_theorem("tucker-full-rank").apply(dims=dims, core=core)
    assert 2 * found.pair.lam == matrix_rank(rows)


@pytest.mark.parametrize(
    ("id", "sizes", "lam"),
    [
        ("cp", {"dims": (2, 2, 2), "terms": 2, "true": 2}, 4),
        ("tucker", {"dims": (3, 3, 3), "core": (2, 2, 2), "true": 2}, 7),
        ("factor-analysis", {"variables": 5, "factors": 2, "true_factors": 2}, 7),
    ],
)
def test_models_ask_them(id, sizes, lam) -> None:
    found = rlct.model(id, timeout=1, **sizes)
    assert (found.lam, found.theta) == (lam, 1)


def test_special_truths_are_bounded() -> None:
    theorem = get_theorem("factor-analysis")
    sizes = {"variables": 5, "factors": 2, "true_factors": 2}
    found = theorem.apply(**sizes, generic=Truth.OPEN).bounds
    assert (found.lower.lam, found.upper.lam) == (Fraction(5, 2), 7)
    found = theorem.apply(**sizes | {"factors": 4}, generic=Truth.OPEN).bounds
    assert found.lower.lam == found.upper.lam == Fraction(15, 2)


def _table_rank(classes, sizes, rng) -> int:
    """Rank of the derivative of sums of products of probabilities, by another code: minus one."""
    cells = list(product(*map(range, sizes)))
    factors = [[[rng.randint(1, 10**6) for _ in range(m)] for m in sizes] for _ in range(classes)]
    rows = []
    for x in factors:
        for i, size in enumerate(sizes):
            for k in range(size):
                moved = [
                    v if j != i else [int(c == k) for c in range(size)] for j, v in enumerate(x)
                ]
                rows.append(
                    [prod(v[c] for v, c in zip(moved, cell, strict=True)) for cell in cells]
                )
    return rank_modulo_prime(rows) - 1


def test_generic_classes_are_exact_where_the_rank_meets_a_bound() -> None:
    """All vectors free, so that weights and scales are redundant; all of up to 36 cells."""
    rng = random.Random(1)
    defective = {}
    for count in range(2, 6):
        for sizes in combinations_with_replacement(range(2, 5), count):
            for classes in range(1, 8 if prod(sizes) <= 36 else 0):
                found = get_theorem("latent-class-generic").apply(
                    classes=classes, true=classes, categories=sizes
                )
                rank = _table_rank(classes, sizes, rng)
                assert 2 * found.pair.lam == rank, (sizes, classes)
                expected = min(classes * (sum(sizes) - count + 1), prod(sizes)) - 1
                if rank < expected and count > 2:
                    defective[sizes, classes] = (rank, expected)
    assert defective[(2, 2, 2, 2), 3] == (13, 14)
    assert defective[(3, 3, 3), 4] == (25, 26)
    assert defective[(2, 2, 3, 3), 5] == (33, 34)


def test_classes_whose_rank_meets_no_bound_are_bounded() -> None:
    """A truth that may be special."""
    special = get_theorem("latent-class-generic").apply(
        classes=3, true=3, categories=(2, 2, 2), generic=Truth.OPEN
    )
    assert (special.bounds.lower.lam, special.bounds.upper) == (Fraction(3, 2), None)


def test_true_classes_that_fill_all_cells_are_enough() -> None:
    """Spare classes change nothing then; where they do, the rank of the truth is a lower bound."""
    theorem = get_theorem("latent-class-generic")
    assert theorem.apply(classes=9, true=3, categories=(2, 2, 2)).pair == Pair.of("7/2")
    bounds = theorem.apply(classes=3, true=2, categories=(2, 2, 2, 2)).bounds
    assert (bounds.lower, bounds.upper) == (Pair.of("9/2"), None)


def test_sums_of_powers_have_the_dimension_of_alexander_and_hirschowitz() -> None:
    """Derivatives of b_1^i_1 ⋯ b_k^i_k at random points, modulo a prime."""
    rng = random.Random(2)
    below = set()
    sizes = [(k, n, h) for k in (2, 3, 4, 5) for n in (1, 2, 3, 4) for h in range(1, 10)]
    for k, n, h in sizes:
        exponents = list(combinations_with_replacement(range(k), n))
        if len(exponents) > 36 or h * k > len(exponents) + 2 * k:
            continue
        points = [[rng.randint(1, 10**6) for _ in range(k)] for _ in range(h)]
        rows = [
            [i.count(j) * prod(b[m] for m in i) // b[j] for i in exponents]
            for b in points
            for j in range(k)
        ]
        rank = rank_modulo_prime(rows)
        found = get_theorem("multinomial-generic").apply(components=h, categories=k, trials=n)
        assert 2 * found.pair.lam == rank - 1, (k, n, h)
        if rank < min(h * k, len(exponents)) and n > 2:
            below.add((k, n, h))
    assert below == {(3, 4, 5), (4, 4, 9), (5, 3, 7)}
