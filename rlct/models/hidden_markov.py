"""Hidden Markov models when the truth has one state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import ClassVar

from rlct.models.base import FibreEquations, Model, Polynomials, size_field
from rlct.models.kit.expressions import (
    TextMatrix,
    check_term_count,
    matrix,
    text_minus,
    text_of_product,
    text_of_sum,
)

__all__ = ["MODEL", "HiddenMarkov"]


@dataclass(frozen=True)
class HiddenMarkov(Model):
    """Sequences of M symbols from K hidden states that start in state 1, truth independent.

    Parameters
    ----------
    states, symbols : int
        K and M.
    length : int
        Length of the observed sequences; 2K decides all lengths.

    Notes
    -----
    A table of probabilities is regular in its entries, so K is comparable with the squares of
    P(x_1 … x_T) − M^(−T).

    Examples
    --------
    >>> HiddenMarkov(1, 2, 1).polynomials().generators
    ['b1_1 - 1/2']
    """

    id: ClassVar[str] = "hidden-markov"
    title: ClassVar[str] = "hidden Markov model, truth of one state"
    example: ClassVar[str] = "--states 2 --symbols 2"

    states: int = size_field("K, number of hidden states")
    symbols: int = size_field("M, number of symbols", least=2)
    length: int = size_field("T, length of the sequences", default=3)

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.states * (self.states + self.symbols - 2)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        return "at the parameter that never leaves the first state, all states alike"

    @property
    def deepest(self) -> bool:
        """Not proved."""
        return False

    def polynomials(self) -> Polynomials:
        """Write out P(x) − M^(−T) for all sequences but those with the last symbol only."""
        K, M, T = self.states, self.symbols, self.length
        check_term_count(M ** min(T, 40) * K ** min(T - 1, 40) * T)
        a = [_last(row) for row in matrix("a", K, K - 1)] if K > 1 else [["1"]]
        b = [_last(row) for row in matrix("b", K, M - 1)]
        generators = [
            text_minus(text_of_sum(_paths(a, b, symbols)), Fraction(1, M**T))
            for symbols in list(product(range(M), repeat=T))[:-1]
        ]
        at = {f"b{i}_{m}": Fraction(1, M) for i in range(1, K + 1) for m in range(1, M)}
        if K > 1:
            at |= {"a1_1": Fraction(1)}
            at |= {f"a{i}_1": Fraction(1, 2) for i in range(2, K + 1)}
            at |= {f"a{i}_{i}": Fraction(1, 2) for i in range(2, K)}
        return Polynomials(generators, at, nonneg=[f"a1_{j}" for j in range(2, K)])

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """Moments of the deviations d of the symbol probabilities from 1/M, in spare states only.

        P(x_1 … x_T) − M^(−T), over all x, are an invertible linear map of the moments
        Σ_paths Π a · Π_{t in S} d_{s_t, x_t} over nonempty S and symbols but the last.  A path is
        split at its last visit to state 1: these are in the ideal of d_1 and of the moments of
        paths that stay in the spare states, with a = P(1 → j) and c = P(i → j), i, j ≥ 2.
        """
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


def _last(row: list[str]) -> list[str]:
    return [*row, "1 - " + " - ".join(row)]


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
