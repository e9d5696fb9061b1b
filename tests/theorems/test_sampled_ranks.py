"""Ranks of tables at sampled cells modulo a prime, against all cells in floating point."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
import pytest

import rlct
from rlct.algebra.exact_rank import RESIDUE_PRIME, pivot_columns
from rlct.errors import InputError
from rlct.models.kit.table_rank import sampled_cells, table_rank
from rlct.models.latent_variables.hidden_markov import HiddenMarkov
from rlct.models.latent_variables.latent_class import LatentClass
from rlct.selection.cell_table import cell_table
from rlct.selection.families import get_family
from rlct.theorems import get_theorem
from rlct.theorems.arguments import Truth

TINY_STEP = 1e-30  # imaginary, so that the derivative has no error of a difference
ROUNDING = 1e-9  # of the largest singular value; those of the cases are above 1e-6, or 1e-15


def float_rank(columns: list[np.ndarray]) -> int:
    values = np.linalg.svd(np.stack(columns, axis=1), compute_uv=False)
    ratios = values / values[0]
    assert not ((ratios > 1e-13) & (ratios < 1e-7)).any(), "no gap"
    return int((ratios > ROUNDING).sum())


def class_rank(classes: int, categories: tuple[int, ...]) -> int:
    """Derivative of all cells by weights and probabilities with the sum 1."""
    rng = np.random.default_rng(7)
    laws = [[rng.dirichlet(np.ones(m)) for m in categories] for _ in range(classes)]

    def table(parts):
        whole = np.ones(1)
        for part in parts:
            whole = np.multiply.outer(whole, part).ravel()
        return whole

    tables = [table(law) for law in laws]
    columns = [own - tables[-1] for own in tables[:-1]]
    for law in laws:
        for i, m in enumerate(categories):
            for k in range(m - 1):
                moved = np.eye(m)[k] - np.eye(m)[m - 1]
                columns.append(table([*law[:i], moved, *law[i + 1 :]]))
    return float_rank(columns)


def chain_rank(moves: np.ndarray, emissions: np.ndarray, length: int) -> int:
    """Derivative of the probabilities of all words, the first entry of a row being the rest."""
    states, symbols = emissions.shape
    words = np.array(list(product(range(symbols), repeat=length)))
    tables = [moves.astype(complex), emissions.astype(complex)]

    def probabilities():
        forward = np.eye(states, dtype=complex)[[0] * len(words)]
        for t in range(length):
            forward = forward * tables[1].T[words[:, t]]
            forward = forward if t == length - 1 else forward @ tables[0]
        return forward.sum(axis=1)

    columns = []
    for table in tables:
        for i, j in product(range(states), range(1, table.shape[1])):
            table[i, j] += TINY_STEP * 1j
            table[i, 0] -= TINY_STEP * 1j
            columns.append(probabilities().imag / TINY_STEP)
            table[i, j], table[i, 0] = table[i, j].real, table[i, 0].real
    return float_rank(columns)


@pytest.mark.parametrize(
    ("classes", "categories", "lam"),
    [
        (2, (3,) * 8, "33/2"),
        (2, (6,) * 5, "51/2"),
        (3, (4,) * 6, "28"),
        (2, (2,) * 12, "25/2"),
        (5, (2,) * 12, "32"),
        (2, (2, 2, 40), "83/2"),
        (3, (2, 2, 2, 2, 30), "101/2"),
    ],
)
def test_classes_of_large_tables_are_exact(classes, categories, lam) -> None:
    assert class_rank(classes, categories) == 2 * Fraction(lam)
    found = rlct.model("latent-class", classes=classes, true=classes, categories=categories)
    assert (found.lam, found.theta) == (Fraction(lam), 1)


def test_tables_that_no_computer_holds() -> None:
    """Of which the number of parameters is the rank."""
    for classes, categories, lam in [
        (3, (4,) * 8, "37"),
        (21, (2,) * 20, "220"),
        (4, (3,) * 30, "243/2"),
    ]:
        found = get_theorem("latent-class-generic").apply(
            classes=classes, true=classes, categories=categories
        )
        assert found.pair == rlct.Pair.of(lam)


@pytest.mark.parametrize("states", [1, 2, 3, 4])
def test_hidden_chains_have_the_rank_of_all_words(states) -> None:
    """At random probabilities and at the truth that the model writes out."""
    rng = np.random.default_rng(8)
    for symbols, length in product((2, 3, 4), (1, 2, 3, 4)):
        model = HiddenMarkov(states, symbols, length, true=states)
        moves, emissions = (rng.dirichlet(np.ones(m), states) for m in (states, symbols))
        whole = chain_rank(moves, emissions, length)
        assert table_rank(model, (symbols,) * length) == whole, model
        assert chain_rank(*(np.array(x, dtype=float) for x in model._truth()), length) == whole
        bounds = get_theorem("hidden-markov-bound").apply(
            states=states, symbols=symbols, length=length, true_states=states
        )
        if (states, symbols, length) == (3, 2, 4):
            assert bounds.pair is None
            assert (bounds.bounds.lower.lam, bounds.bounds.upper.lam) == (Fraction(7, 2), 4)
        else:
            assert 2 * bounds.pair.lam == whole


@pytest.mark.parametrize(
    ("sizes", "rank"),
    [((2, 3, 3), 6), ((3, 3, 5), 12), ((3, 5, 4), 18), ((4, 5, 4), 28), ((2, 2, 4), 4)],
)
def test_chains_that_show_all_their_parameters(sizes, rank) -> None:
    states, symbols, length = sizes
    found = rlct.model("hidden-markov", states=states, symbols=symbols, length=length, true=states)
    assert (2 * found.lam, found.theta) == (rank, 1)


def test_some_cells_have_the_rank_of_all() -> None:
    fewer = 0
    for count in range(2, 8):
        for categories in combinations_with_replacement((2, 3, 5, 11), count):
            for classes in (1, 2, 3, 5) if prod(categories) <= 1_000 else ():
                model = LatentClass(classes, classes, categories)
                whole = model.cell_derivative(sampled_cells(categories, prod(categories)))
                assert len(whole) == prod(categories)
                fewer += prod(categories) > 4 * (model.parameter_count + 1)
                rank = len(pivot_columns(whole, RESIDUE_PRIME))
                assert table_rank(model, categories) == rank, model
    assert fewer > 50


def test_each_index_comes_equally_often() -> None:
    sizes = (2, 7, 40)
    for index, size in zip(sampled_cells(sizes, 90).T, sizes, strict=True):
        counts = np.bincount(index, minlength=size)
        assert counts.max() - counts.min() <= 1


def test_a_wrong_derivative_never_makes_a_rank_exact(monkeypatch) -> None:
    """Emissions of two states that are one parameter; rows of probabilities without their sum."""
    derivative = HiddenMarkov.cell_derivative
    theorem, sizes = get_theorem("hidden-markov-bound"), (2, 3, 3, 2)
    arguments = dict(zip(("states", "symbols", "length", "true_states"), sizes, strict=True))
    table_rank.cache_clear()
    monkeypatch.setattr(
        HiddenMarkov, "cell_derivative", lambda model, cells: derivative(model, cells)[:, :-1]
    )
    assert theorem.apply(**arguments).pair is None
    table_rank.cache_clear()
    noise = np.random.default_rng(1)
    monkeypatch.setattr(
        HiddenMarkov,
        "cell_derivative",
        lambda model, cells: np.hstack(
            [derivative(model, cells), noise.integers(0, 2**31 - 1, (len(cells), 1))]
        ),
    )
    with pytest.raises(InputError, match="exceeds the upper bound"):
        _ = theorem.apply(**arguments).bounds
    table_rank.cache_clear()


def test_what_is_too_large_stays_bounds() -> None:
    found = get_theorem("latent-class-generic").apply(classes=900, true=900, categories=(2,) * 30)
    assert found.pair is None
    assert (found.bounds.lower.lam, found.bounds.upper.lam) == (15, Fraction(900 * 31 - 1, 2))
    wide = {"states": 30, "symbols": 30, "length": 5, "true_states": 30}
    bounds = get_theorem("hidden-markov-bound").apply(**wide).bounds
    assert (bounds.lower.lam, bounds.upper.lam) == (Fraction(29, 2), 15 * 58)


def test_long_words_show_no_more_than_those_of_twice_as_many_symbols_as_states() -> None:
    theorem = get_theorem("hidden-markov-bound")
    assert theorem.apply(states=2, symbols=2, length=10**6, true_states=2).pair == rlct.Pair.of(2)


def test_special_and_spare_states() -> None:
    theorem = get_theorem("hidden-markov-bound")
    special = theorem.apply(states=2, symbols=3, length=3, true_states=2, generic=Truth.OPEN).bounds
    assert (special.lower.lam, special.upper.lam) == (1, 3)
    # As many coordinates as three states have: all that two words show.
    assert theorem.apply(states=3, symbols=2, length=3, true_states=2).pair == rlct.Pair.of(2)
    spare = theorem.apply(states=3, symbols=3, length=3, true_states=2).bounds
    assert (spare.lower.lam, spare.upper.lam) == (3, 4)


def test_tables_of_sizes_have_exact_diagonals() -> None:
    for family, facts, last in [
        ("latent-class", {"categories": (2,) * 12, "concentration": 1}, 21),
        ("hidden-markov", {"symbols": 4, "length": 6}, 8),
    ]:
        sizes = list(range(1, last + 1))
        cells = cell_table(get_family(family), facts, sizes, {}, proxies=False)
        assert all(cells[size, size].exact for size in sizes)
        for (model, truth), cell in cells.items():
            assert cell.lower >= cells[truth, truth].lower, (family, model, truth)
