"""Mixtures of observed Markov chains when the truth is one chain."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, concentration_field, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_product, text_of_sum


@dataclass(frozen=True)
class MarkovMixture(Model):
    """Words from H chains on k states that start in state 1.

    A table of probabilities is regular in its entries, so K is comparable with the squares of
    the errors of the probabilities of the words.

    >>> MarkovMixture(1, 1, 2, 1).polynomials().generators
    ['p1_1_1']
    """

    id: ClassVar[str] = "markov-mixture"
    title: ClassVar[str] = "mixture of Markov chains"
    example: ClassVar[str] = "--components 2 --true 1 --states 2 --transitions 2"

    components: int = size_field("H, number of chains")
    true: int = size_field("r, number of true chains")
    states: int = size_field("k, number of states", least=2)
    transitions: int = size_field("number of transitions in a word")
    concentration: Fraction = concentration_field()  # noqa: RUF009 - a field

    def check(self) -> None:
        """Refuse more true chains than there are."""
        if self.true > self.components:
            raise InputError(f"{self.true} true chains exceed {self.components}")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters."""
        return self.components * (self.states * (self.states - 1) + 1) - 1

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        place = "with spare weights 0 at a true chain"
        return f"minimum over the fibre, reached {place}" if self.deepest else place

    @property
    def deepest(self) -> bool:
        """Proved for words long enough to distinguish all chains.

        And for one transition, which shows k − 1 probabilities, coordinates at every parameter.
        """
        return self.transitions >= self.enough or self.transitions == 1

    @property
    def enough(self) -> int:
        """Transitions with which products of 2r returns to the start can be seen.

        One chain, which reaches every state at once, shows all of itself in two.
        """
        if self.components == 1:
            return 2
        return (4 if self.states == 2 else 6) * self.true

    def polynomials(self) -> Polynomials:
        """Write out P(x) − k^(−T) for all words; p are differences from 1/k."""
        H, k, T = self.components, self.states, self.transitions
        if self.true != 1:
            raise InputError("the polynomials of mixtures of chains are written for one true chain")
        check_term_count(k ** min(T, 40) * H * T)
        share = Fraction(1, k)
        chains = []
        for h in range(1, H + 1):
            rows = []
            for i in range(1, k + 1):
                names = [f"p{h}_{i}_{j}" for j in range(1, k)]
                rows.append([f"{share} + {n}" for n in names] + [f"{share} - " + " - ".join(names)])
            chains.append(rows)
        weights = [f"a{h}" for h in range(2, H + 1)]
        first = f"1 - {' - '.join(weights)}" if weights else "1"
        generators = []
        for word in list(product(range(k), repeat=T))[:-1]:
            path = list(pairwise((0, *word)))
            terms = [
                text_of_product([weight, *(rows[i][j] for i, j in path)])
                for weight, rows in zip([first, *weights], chains, strict=True)
            ]
            generators.append(text_minus(text_of_sum(terms), Fraction(1, k**T)))
        if (H, T) == (1, 1):
            generators = [f"p1_1_{j}" for j in range(1, k)]
        prior = {a: self.concentration - 1 for a in weights if self.concentration != 1}
        return Polynomials(generators, prior=prior, nonneg=weights)


MODEL = MarkovMixture
