"""Grammars: the truth is a law, and K is compared with the ideals of the proof, to length 8."""

from fractions import Fraction

import numpy as np
import pytest
import sympy

import rlct
from rlct.models import get_model
from rlct.pair import Pair
from rlct.theorems import get_theorem

Grammar = get_model("grammar")


@pytest.mark.parametrize(("size", "terminals", "true"), [(1, 3, 1), (3, 1, 2), (3, 2, 3)])
def test_the_truth_is_a_grammar_whose_sentences_end(size, terminals, true):
    rules = Grammar(size, terminals, 3, true)._truth()
    children = sympy.zeros(size)
    for i in range(1, size + 1):
        row = {key: value for key, value in rules.items() if key[0] == i}
        assert sum(row.values()) == 1
        assert all(value > 0 for key, value in row.items() if max(key[1:]) <= true or len(key) < 3)
        for key, value in row.items():
            if len(key) == 3:
                for child in key[1:]:
                    children[i - 1, child - 1] += sympy.Rational(value)
    assert all(sum(children.row(i)) < 1 for i in range(size))


def test_sentences_of_one_symbol_have_lengths_by_catalan_numbers():
    model = Grammar(1, 1, 5)
    for size, g in enumerate(model.polynomials().generators, 1):
        probability = sympy.catalan(size - 1) * sympy.Rational(3, 4) ** size / 4 ** (size - 1)
        assert sympy.expand(sympy.sympify(g)).subs("b1_1", 0) == -probability


def lengths(emissions, moves, longest):
    """Probabilities of all lengths from each of the symbols of one terminal."""
    chart = [emissions]
    for size in range(1, longest):
        chart.append(
            sum(
                np.einsum("ijk,j,k->i", moves, chart[cut], chart[size - 1 - cut])
                for cut in range(size)
            )
        )
    return np.array(chart)[:, 0]


def test_long_sentences_show_no_more_of_two_symbols_than_short_ones():
    """All errors are at most, and the first two at least, a constant times |u| + |a|·|v|."""
    rng = np.random.default_rng(1)
    truth = lengths(np.array([0.75]), np.array([[[0.25]]]), 8)
    most, least = 0.0, np.inf
    for _ in range(1500):
        u, v, leak = 10 ** rng.uniform(-5, -1, 3) * rng.choice([-1, 1], 3)
        first = abs(leak) * rng.dirichlet([1, 1, 1])
        emissions = np.array([0.75 + u, 0.75 + v])
        moves = np.array([[0, *first], (0.25 - v) * rng.dirichlet([1, 1, 1, 1])]).reshape(2, 2, 2)
        moves[0, 0, 0] = 0.25 - u - abs(leak)
        errors = lengths(emissions, moves, 8) - truth
        size = np.hypot(u, leak * v)
        most = max(most, np.abs(errors).max() / size)
        least = min(least, np.hypot(*errors[:2]) / size)
    assert most < 5
    assert least > 0.1


@pytest.mark.parametrize(
    ("sizes", "lam", "theta"),
    [((2, 1, 2), 1, 1), ((2, 2, 3), 2, 1), ((2, 3, 2), 3, 2), ((2, 5, 2), 4, 1)],
)
def test_the_engine_alone_finds_the_exact_pairs(sizes, lam, theta):
    assert rlct.solve(Grammar(*sizes).problem()).pair == Pair.of(lam, theta)


def test_short_sentences_show_less_of_three_symbols():
    """The ideal of the proof is exact, and sentences of two letters have a smaller pair."""
    ideal = rlct.ideal(["u", "s*v + w", "v*(m - n)"], at={"s": 1, "m": 1, "n": 1})
    assert ideal.pair == Pair.of("3/2", 2)
    for length, pair in ((2, Pair.of(1)), (3, Pair.of("3/2", 2))):
        found = rlct.model("grammar", nonterminals=3, terminals=1, length=length, timeout=2)
        assert found.pair == pair


def test_many_terminals_and_several_true_symbols():
    theorem = get_theorem("grammar-bound")
    assert theorem.apply(nonterminals=4, terminals=20).bounds.lower == Pair.of("35/2")
    assert theorem.apply(nonterminals=4, terminals=20).bounds.upper == Pair.of("35/2")
    bounds = theorem.apply(nonterminals=3, terminals=9, true=2).bounds
    assert (bounds.lower.lam, bounds.upper.lam) == (Fraction(9, 2), 17)
