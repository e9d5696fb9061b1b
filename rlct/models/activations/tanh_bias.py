"""Tanh networks whose units have biases, at a truth of fewer units."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, flag_field, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_power, text_of_sum


@dataclass(frozen=True)
class BiasedTanhNetwork(Model):
    """y = Σ_h a_h tanh(b_h·x + c_h) + Gaussian noise, when r of the H units are true.

    The truth has no other constant than that of an output bias.

    Units near a true one enter K through the moments of their distances from it, those near
    b = 0 through Σ_h a_h tanh^(n)(c_h) b_h^I, |I| = n; here t = tanh c (theory page
    *tanh-network-with-biases*).

    >>> BiasedTanhNetwork(1, 1, 0, True).polynomials().generators
    ['a1*(1 - t1**2)*b1_1', 'a1*(-2*t1 + 2*t1**3)*b1_1**2', 'd']
    """

    id: ClassVar[str] = "tanh-bias"
    title: ClassVar[str] = "tanh network with biases"
    example: ClassVar[str] = "1 3 --true-hidden 1"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("inputs", "hidden")

    inputs: int = size_field("N, number of inputs")
    hidden: int = size_field("H, number of hidden units")
    true_hidden: int = size_field(
        "r, least number of hidden units of the truth", least=0, default=0
    )
    output_bias: bool = flag_field("the output has a bias, too")

    def check(self) -> None:
        """Refuse a truth with more units than the network."""
        if self.true_hidden > self.hidden:
            raise InputError(f"{self.true_hidden} true units exceed the {self.hidden} hidden units")

    @property
    def spare(self) -> int:
        """H − r."""
        return self.hidden - self.true_hidden

    @property
    def flat(self) -> bool:
        """Whether spare units are put at b = 0 and not at a true unit."""
        return not self.true_hidden or (self.spare > 1 == self.inputs and self.output_bias)

    @property
    def parameter_count(self) -> int:
        """Number of weights and biases."""
        return self.hidden * (self.inputs + 2) + self.output_bias

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if not self.spare:
            return "minimum over the fibre, all of whose parameters are alike"
        place = f"with the spare units at a = 0{', b = 0' if self.flat else ' beside a true one'}"
        return f"minimum over the fibre, reached {place}" if self.deepest else place

    @property
    def deepest(self) -> bool:
        """Proved for two spare units."""
        return self.spare <= 2

    def polynomials(self) -> Polynomials:
        """Write out the moments of each group of units; true units have a = 1, u = (b, c) = 0."""
        r = self.true_hidden
        spare_units = list(range(r + 1, self.hidden + 1))
        generators: list[str] = []
        for unit in range(1, r + 1):
            beside = spare_units if unit == 1 and not self.flat else []
            generators += self._moments([unit, *beside])
        if self.flat:
            generators += self._flat_moments(spare_units)
        generators += ["d"] * self.output_bias
        return Polynomials(generators, {f"a{unit}": 1 for unit in range(1, r + 1)})

    def _moments(self, units: Sequence[int]) -> Iterator[str]:
        """Write Σ a_h u_h^I − a*, in as many degrees as there are units."""
        size, most = self.inputs + 1, len(units)
        check_term_count(comb(most + size, size) * most)
        for degree in range(most + 1):
            for index in combinations_with_replacement(range(1, size + 1), degree):
                terms = ["*".join([f"a{h}", *_powers(index, h, "u")]) for h in units]
                yield text_minus(text_of_sum(terms), int(not index))

    def _flat_moments(self, units: Sequence[int]) -> Iterator[str]:
        """Write Σ a_h tanh^(n)(c_h) b_h^I in one degree more than there are units."""
        size, most = self.inputs, len(units) + 1
        check_term_count(comb(most + size, size) * most**2)
        derivative = [0, 1]  # coefficients in t, from the lowest
        for degree in range(most + 1 if units else 0):
            for index in combinations_with_replacement(range(1, size + 1), degree):
                if degree or not self.output_bias:
                    terms = (
                        "*".join([f"a{h}", _text(derivative, f"t{h}"), *_powers(index, h, "b")])
                        for h in units
                    )
                    yield text_of_sum(terms)
            slopes = [k * value for k, value in enumerate(derivative)][1:]
            padded = [0, 0, *slopes]  # d/dc is (1 − t²) d/dt
            derivative = [
                (slopes[k] if k < len(slopes) else 0) - padded[k] for k in range(len(padded))
            ]


def _powers(index: tuple[int, ...], unit: int, letter: str) -> list[str]:
    return [text_of_power(f"{letter}{unit}_{j}", index.count(j)) for j in sorted(set(index))]


def _text(coefficients: Sequence[int], name: str) -> str:
    """Polynomial in brackets."""
    terms = [
        str(value) if not k else f"{value}*{text_of_power(name, k)}"
        for k, value in enumerate(coefficients)
        if value
    ]
    return f"({' + '.join(terms)})".replace("(1*", "(").replace("+ -1*", "- ").replace("+ -", "- ")


MODEL = BiasedTanhNetwork
