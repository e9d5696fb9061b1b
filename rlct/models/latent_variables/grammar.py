"""Stochastic context-free grammars."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_product, text_of_sum


@dataclass(frozen=True)
class StochasticGrammar(Model):
    """Sentences of a grammar in Chomsky normal form whose start symbol is non-terminal 1.

    The rules are A → BC with probability a_{A,BC} and A → t with b_{A,t}; sentences that are longer
    than L are one outcome.

    A table of probabilities is regular in its entries, so K is comparable with the squares of
    P(x) − P*(x) over the sentences x that are told apart.

    >>> StochasticGrammar(1, 1).polynomials().generators
    ['b1_1 - 3/4', '(1 - b1_1)*b1_1*b1_1 - 9/64']
    """

    id: ClassVar[str] = "grammar"
    title: ClassVar[str] = "stochastic context-free grammar"
    example: ClassVar[str] = "--nonterminals 2 --terminals 2"

    nonterminals: int = size_field("H, number of non-terminals")
    terminals: int = size_field("M, number of terminals")
    length: int = size_field("L, longest sentence that is told apart", least=2, default=2)
    true: int = size_field("H_0, number of non-terminals of the truth", default=1)

    def check(self) -> None:
        """Refuse more true non-terminals than there are."""
        if self.true > self.nonterminals:
            raise InputError(f"{self.true} true non-terminals exceed {self.nonterminals}")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.nonterminals * (self.nonterminals**2 + self.terminals - 1)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if self.true > 1:
            return "at the true non-terminals, spare ones never entered"
        place = "at the parameter that never leaves the first non-terminal, all of them alike"
        return f"minimum over the fibre, reached {place}" if self.deepest else place

    @property
    def deepest(self) -> bool:
        """Proved where the theorem is exact."""
        H, M = self.nonterminals, self.terminals
        seen = H <= 2 or M >= H * H - 1 or (H == 3 and M == 1 and self.length > 2)
        return self.true == 1 and seen

    def polynomials(self) -> Polynomials:
        """Write out P(x) − P*(x) for all sentences that are told apart.

        The probability of A → 1 1 is eliminated: 1 less those of the other rules of A.
        """
        H, M, L, r = self.nonterminals, self.terminals, self.length, self.true
        splits = min(L, 40) - 1
        trees = comb(2 * splits, splits) // (splits + 1)  # Catalan's number
        check_term_count(trees * M ** (splits + 1) * H ** (2 * splits))
        symbols, letters = range(1, H + 1), range(1, M + 1)
        at = self._truth()
        rules: dict[tuple[int, ...], str] = {}
        for i in symbols:
            names: dict[tuple[int, ...], str] = {(i, t): f"b{i}_{t}" for t in letters}
            names |= {(i, j, k): f"a{i}_{j}_{k}" for j, k in product(symbols, repeat=2)}
            names[i, 1, 1] = " - ".join(["1", *(names[key] for key in names if key != (i, 1, 1))])
            rules |= names
        sentences = [word for size in range(1, L + 1) for word in product(letters, repeat=size)]
        generators = [
            text_minus(
                _inside(rules, 1, word, text_of_sum, text_of_product),
                _inside(at, 1, word, sum, prod),
            )
            for word in sentences
        ]
        # Short sentences do not depend on all.
        used = set(re.findall(r"[ab]\d+_\d+(?:_\d+)?", " ".join(generators)))
        walls = [rules[key] for key in at if len(key) == 3 and key[0] <= r < max(key[1:])]
        return Polynomials(
            generators,
            {rules[key]: value for key, value in at.items() if rules[key] in used},
            nonneg=[name for name in walls if name in used],
        )

    def _truth(self) -> dict[tuple[int, ...], Fraction]:
        """Probabilities of all rules: true symbols mostly repeat and differ in the first terminal.

        Those of spare symbols are like the first, and branch into all pairs alike.  Of true ones
        at most a quarter branches, so that sentences have a finite mean length.
        """
        H, M, r = self.nonterminals, self.terminals, self.true
        truth: dict[tuple[int, ...], Fraction] = {}
        for i in range(1, H + 1):
            like = i if i <= r else 1
            branch = Fraction(like, 4 * r)
            first = Fraction(like, r + 1) if r > 1 else Fraction(1, M)
            for t in range(1, M + 1):
                share = first if t == 1 else (1 - first) / (M - 1)
                truth[i, t] = (1 - branch) * (share if M > 1 else 1)
            for j, k in product(range(1, H + 1), repeat=2):
                if i > r:
                    truth[i, j, k] = branch / H**2
                elif max(j, k) > r:
                    truth[i, j, k] = Fraction(0)
                else:
                    truth[i, j, k] = branch / 2 * (Fraction(1, r * r) + int(i == j == k))
        return truth


def _inside(
    rules: Mapping[tuple[int, ...], Any],
    symbol: int,
    word: tuple[int, ...],
    total: Callable[[Iterable[Any]], Any],
    times: Callable[[Iterable[Any]], Any],
) -> Any:
    """Probability that a symbol becomes a word, as a number or as text: the sum over its trees."""
    if len(word) == 1:
        return rules[symbol, word[0]]
    return total(
        times(
            [
                rule,
                _inside(rules, key[1], word[:cut], total, times),
                _inside(rules, key[2], word[cut:], total, times),
            ]
        )
        for key, rule in rules.items()
        if len(key) == 3 and key[0] == symbol
        for cut in range(1, len(word))
    )


MODEL = StochasticGrammar
