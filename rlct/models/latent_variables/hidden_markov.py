"""Hidden Markov models."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from operator import mul
from typing import Any, ClassVar

from rlct.algebra.exact_rank import RESIDUE_PRIME
from rlct.errors import InputError
from rlct.models.base import FibreEquations, Model, Polynomials, size_field
from rlct.models.kit.expressions import (
    TextMatrix,
    check_term_count,
    matrix,
    text_minus,
    text_of_product,
    text_of_sum,
)
from rlct.models.kit.positive import RationalMatrix


@dataclass(frozen=True)
class HiddenMarkov(Model):
    """Sequences of M symbols from K hidden states that start in state 1.

    Sequences of length 2K decide all lengths.

    A table of probabilities is regular in its entries, so K is comparable with the squares of
    P(x_1 … x_T) − P*(x_1 … x_T), which is M^(−T) for one true state.

    >>> HiddenMarkov(1, 2, 1).polynomials().generators
    ['b1_1 - 1/2']
    """

    id: ClassVar[str] = "hidden-markov"
    title: ClassVar[str] = "hidden Markov model"
    example: ClassVar[str] = "--states 2 --symbols 2"
    deepest: ClassVar[bool] = False  # not proved

    states: int = size_field("K, number of hidden states")
    symbols: int = size_field("M, number of symbols", least=2)
    length: int = size_field("T, length of the sequences", default=3)
    true: int = size_field("K_0, number of states of the truth", default=1)

    def check(self) -> None:
        """Refuse more true states than there are."""
        if self.true > self.states:
            raise InputError(f"{self.true} true states exceed {self.states}")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.states * (self.states + self.symbols - 2)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if self.true == 1:
            return "at the parameter that never leaves the first state, all states alike"
        return "at the true states, spare ones never entered and like the first"

    def cell_derivative(self, cells: Any) -> Any:
        """Derivative of sequences at random rows with the sum 1, modulo 2³¹ − 1: a row for each."""
        import numpy as np

        K, M = self.states, self.symbols
        rng = np.random.default_rng(K)
        a, b = (rng.integers(1, RESIDUE_PRIME, (K, size)) for size in (K, M))
        for table in (a, b):
            table[:, -1] = (1 - table[:, :-1].sum(axis=1)) % RESIDUE_PRIME
        emitted = [b.T[symbols] for symbols in cells.T]
        joint = [(np.arange(K) == 0) * emitted[0]]  # with the symbols until then
        for own in emitted[1:]:
            joint.append(_matrix_product(joint[-1], a) * own % RESIDUE_PRIME)
        after = np.ones((len(cells), K), dtype=np.int64)
        moves, emissions = (np.zeros((len(cells), K, size), dtype=np.int64) for size in (K, M))
        for t in reversed(range(len(emitted))):
            arrived = _matrix_product(joint[t - 1], a) if t else np.arange(K) == 0
            shown = cells[:, t, None, None] == np.arange(M)
            emissions += (arrived * after % RESIDUE_PRIME)[:, :, None] * shown
            after = after * emitted[t] % RESIDUE_PRIME
            if t:
                moves += joint[t - 1][:, :, None] * after[:, None] % RESIDUE_PRIME
                after = _matrix_product(after, a.T)
        parts = [rows[:, :, :-1] - rows[:, :, -1:] for rows in (moves, emissions)]
        return np.concatenate([x.reshape(len(cells), -1) for x in parts], axis=1) % RESIDUE_PRIME

    def polynomials(self) -> Polynomials:
        """Write out P(x) − P*(x) for all sequences but those with the last symbol only.

        Probabilities of staying at, or coming to, state 1 and of the last symbol are eliminated:
        those of coming to a spare state are 0 in the truth, at a wall.
        """
        K, M, T, r = self.states, self.symbols, self.length, self.true
        check_term_count(M ** min(T, 40) * K ** min(T - 1, 40) * T)
        a = [_with_rest(row[1:], first=True) for row in matrix("a", K, K)]
        b = [_with_rest(row) for row in matrix("b", K, M - 1)]
        true_moves, true_emissions = self._truth()
        generators = [
            text_minus(
                text_of_sum(_paths(a, b, symbols)),
                _probability(true_moves, true_emissions, symbols),
            )
            for symbols in list(product(range(M), repeat=T))[:-1]
        ]
        at = {
            f"b{i}_{m}": true_emissions[i - 1 if i <= r else 0][m - 1]
            for i in range(1, K + 1)
            for m in range(1, M)
        }
        at |= {
            f"a{i}_{j}": true_moves[i - 1][j - 1] for i in range(1, r + 1) for j in range(2, r + 1)
        }
        at |= {f"a{i}_{j}": Fraction(1, K) for i in range(r + 1, K + 1) for j in range(2, K + 1)}
        walls = [f"a{i}_{j}" for i in range(1, r + 1) for j in range(r + 1, K + 1)]
        # Short sequences do not depend on all.
        used = set(re.findall(r"[ab]\d+_\d+", " ".join(generators)))
        at = {name: value for name, value in at.items() if name in used}
        return Polynomials(generators, at, nonneg=[name for name in walls if name in used])

    def _truth(self) -> tuple[RationalMatrix, RationalMatrix]:
        """True states that mostly stay, all differ in the first symbol, and are generic else."""
        r, M = self.true, self.symbols
        if r == 1:
            return [[Fraction(1)]], [[Fraction(1, M)] * M]
        moves = [
            [share / 2 + Fraction(int(i == j), 2) for j, share in enumerate(_shares(i, r))]
            for i in range(r)
        ]
        firsts = [Fraction(i + 1, r + 1) for i in range(r)]
        return moves, [[p, *((1 - p) * x for x in _shares(i, M - 1))] for i, p in enumerate(firsts)]

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """Moments of the deviations d of the symbol probabilities from 1/M, in spare states only.

        P(x_1 … x_T) − M^(−T), over all x, are an invertible linear map of the moments
        Σ_paths Π a · Π_{t in S} d_{s_t, x_t} over nonempty S and symbols but the last.  A path is
        split at its last visit to state 1: these are in the ideal of d_1 and of the moments of
        paths that stay in the spare states, with a = P(1 → j) and c = P(i → j), i, j ≥ 2.
        For one true state.
        """
        if self.true > 1:
            return ()
        K, M, T = self.states, self.symbols, self.length
        check_term_count(M ** min(T, 40) * K ** min(T - 1, 40) * T)
        spare_states = range(2, K + 1)
        generators = [f"d1_{m}" for m in range(1, M)]
        for symbols in product(range(M), repeat=T - 1):
            seen = [t for t, x in enumerate(symbols) if x]
            if seen and K > 1:
                terms = []
                for path in product(spare_states, repeat=seen[-1] + 1):
                    moves = [f"c{i}_{j}" for i, j in pairwise(path)]
                    deviations = [f"d{path[t]}_{symbols[t]}" for t in seen]
                    terms.append("*".join([f"a{path[0]}", *moves, *deviations]))
                generators.append(text_of_sum(terms))
        return (FibreEquations(list(dict.fromkeys(generators)), complete=False),)


def _shares(state: int, count: int) -> list[Fraction]:
    """Positive numbers with the sum 1 and without a pattern."""
    numbers = [1 + pow(state + 2, k + 1, 19) for k in range(count)]
    return [Fraction(number, sum(numbers)) for number in numbers]


def _matrix_product(rows: Any, table: Any) -> Any:
    """Modulo 2³¹ − 1; products are reduced before their sum, which 63 bits do not hold."""
    return (rows[:, :, None] * table % RESIDUE_PRIME).sum(axis=1) % RESIDUE_PRIME


def _with_rest(row: list[str], *, first: bool = False) -> list[str]:
    """Append what is left to 1, or put it first."""
    rest = " - ".join(["1", *row])
    return [rest, *row] if first else [*row, rest]


def _probability(
    moves: RationalMatrix, emissions: RationalMatrix, symbols: Sequence[int]
) -> Fraction:
    """Probability of a sequence of a chain that starts in state 1."""
    forward = [Fraction(int(i == 0)) for i in range(len(moves))]
    for count, symbol in enumerate(symbols):
        if count:
            forward = [sum(map(mul, forward, column)) for column in zip(*moves, strict=True)]
        forward = [p * row[symbol] for p, row in zip(forward, emissions, strict=True)]
    return sum(forward, Fraction(0))


def _paths(a: TextMatrix, b: TextMatrix, symbols: tuple[int, ...]) -> list[str]:
    terms = []
    for states in product(range(len(a)), repeat=len(symbols) - 1):
        path = (0, *states)
        moves = [a[i][j] for i, j in pairwise(path)]
        terms.append(
            text_of_product([*moves, *(b[i][x] for i, x in zip(path, symbols, strict=True))])
        )
    return terms


MODEL = HiddenMarkov
