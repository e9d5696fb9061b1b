"""Observed Markov chains, some of whose transitions never happen in the truth."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, concentration_field, numbers_field, size_field
from rlct.models.kit.expressions import check_term_count


@dataclass(frozen=True)
class MarkovChain(Model):
    """Sequences of k symbols, with any memory.

    K is comparable with the sum of the squares of the errors of the positive probabilities and
    of the first powers of those that are 0 in the truth; these are written as s² with the prior
    |s|^(2α−1), so that K is a sum of squares.

    >>> asked = MarkovChain(3, (2, 3)).polynomials()
    >>> asked.generators, asked.prior
    (['p1_1', 's1_1', 'p2_1', 'p2_2'], {'s1_1': Fraction(1, 1)})
    """

    id: ClassVar[str] = "markov"
    title: ClassVar[str] = "observed Markov chain"
    example: ClassVar[str] = "--symbols 2 --support 2,2"
    where: ClassVar[str] = "at the true parameter; rows of contexts that never occur are free"

    symbols: int = size_field("k, number of symbols", least=2)
    #: A context is a state, or a word as long as the memory.
    support: tuple[int, ...] = numbers_field(
        "symbols that follow each context of the truth, such as 2,2"
    )
    concentration: Fraction = concentration_field("rows")  # noqa: RUF009 - a field

    def check(self) -> None:
        """Refuse rows that are too long."""
        if max(self.support) > self.symbols:
            raise InputError(f"{max(self.support)} of {self.symbols} symbols follow a context")

    @property
    def parameter_count(self) -> int:
        """Number of free parameters of the contexts that occur."""
        return len(self.support) * (self.symbols - 1)

    def polynomials(self) -> Polynomials:
        """Write out one coordinate for each free probability."""
        check_term_count(len(self.support) * self.symbols)
        generators, prior = [], {}
        for row, positive in enumerate(self.support, start=1):
            generators += [f"p{row}_{j}" for j in range(1, positive)]
            for j in range(1, self.symbols - positive + 1):
                generators.append(f"s{row}_{j}")
                prior[f"s{row}_{j}"] = 2 * self.concentration - 1
        return Polynomials(generators, prior=prior)


MODEL = MarkovChain
