"""Three-layer tanh networks, as moments Σ a_h b_h^I of odd degree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, islice, product
from math import comb
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import FibreEquations, Model, Polynomials, size_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_power, text_of_sum
from rlct.pair import Pair


@dataclass(frozen=True)
class TanhNetwork(Model):
    """y = Σ_h a_h tanh(b_h·x) + Gaussian noise, when r of the H hidden units are true.

    Units near zero enter K through their moments Σ_h a_h b_h^I of the degrees |I| = 1, 1 + Q, …,
    units near a true one through Σ a_h − a* and Σ a_h d_h^n, d = b − b*, and the groups do not
    mix (theory page *tanh-network*).

    >>> TanhNetwork(1, 2, 1, 0).polynomials().generators
    ['a1_1*b1_1 + a1_2*b1_2', 'a1_1*b1_1**3 + a1_2*b1_2**3']
    """

    id: ClassVar[str] = "tanh"
    title: ClassVar[str] = "three-layer tanh network"
    example: ClassVar[str] = "1 4 1 --true-hidden 1"
    group: ClassVar[str] = "net"
    in_order: ClassVar[tuple[str, ...]] = ("inputs", "hidden", "outputs")

    inputs: int = size_field("N, number of inputs")
    hidden: int = size_field("H, number of hidden units")
    outputs: int = size_field("M, number of outputs")
    true_hidden: int = size_field(
        "r, least number of hidden units of the truth", least=0, default=0
    )
    step: int = size_field("Q, distance of the Taylor orders 1, 1 + Q, … (tanh: 2)", default=2)

    def check(self) -> None:
        """Refuse a truth with more units than the network."""
        if self.true_hidden > self.hidden:
            raise InputError(f"{self.true_hidden} true units exceed the {self.hidden} hidden units")

    @property
    def shared(self) -> bool:
        """Whether the spare units are best put at a true unit instead of at zero."""
        spare, M = self.hidden - self.true_hidden, self.outputs
        if not spare or not self.true_hidden or self.inputs > 1:
            return False
        apart = scaling_value(spare, M, self.step) + Pair.of("1/2")
        return scaling_value(spare + 1, M, 1) < apart

    @property
    def parameter_count(self) -> int:
        """Number of weights."""
        return self.hidden * (self.inputs + self.outputs)

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        if not self.true_hidden:
            return "at a = 0, b = 0, the deepest parameter of the zero function"
        if self.hidden == self.true_hidden:
            return "minimum over the fibre, all of whose parameters are alike"
        at = "weight 0 beside the first true unit" if self.shared else "a = 0, b = 0"
        place = f"with the spare units at {at}"
        return f"minimum over the fibre, reached {place}" if self.deepest else place

    @property
    def deepest(self) -> bool:
        """Proved for one input, and for the zero function."""
        return self.inputs == 1 or self.true_hidden == 0 or self.hidden == self.true_hidden

    def polynomials(self) -> Polynomials:
        """Write out the moments of each group of units; true units have a = e_1, d = b − b*."""
        r, M = self.true_hidden, self.outputs
        spare_units = list(range(r + 1, self.hidden + 1))
        generators = []
        for unit in range(1, r + 1):
            group = [unit, *(spare_units if self.shared and unit == 1 else [])]
            check_term_count(len(group) ** 2 * M)
            for k in range(1, M + 1):
                generators.append(
                    text_minus(text_of_sum(_weight(k, h) for h in group), int(k == 1))
                )
            if len(group) == 1:
                generators += [f"d{j}_{unit}" for j in range(1, self.inputs + 1)]
                continue
            for k in range(1, M + 1):
                generators += [
                    text_of_sum(f"{_weight(k, h)}*{text_of_power(f'd1_{h}', n)}" for h in group)
                    for n in range(1, len(group) + 1)
                ]
        if spare_units and not self.shared:
            generators += self._moments(spare_units)
        return Polynomials(generators, {_weight(1, unit): Fraction(1) for unit in range(1, r + 1)})

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """One set of equations for each way to put the spare units: at true ones, at 0, elsewhere.

        Groups of units at one b do not mix; d = b − b* runs over all values, which scales to 0.
        """
        if self.deepest:
            return ()
        cases = []
        for at_true, at_zero, elsewhere in _placements(
            self.hidden - self.true_hidden, self.true_hidden
        ):
            units = iter(range(1, self.hidden + 1))
            generators = []
            for truth, size in [*((1, 1 + n) for n in at_true), *((0, n) for n in elsewhere)]:
                generators += self._group([next(units) for _ in range(size)], truth)
            generators += self._moments(list(islice(units, at_zero)))
            cases.append(FibreEquations(generators))
        return cases

    def _group(self, units: Sequence[int], truth: int) -> list[str]:
        """Write Σ a_h d_h^I − a* of units at one b ≠ 0, a* = truth·e_1, up to as many degrees."""
        N, M, most = self.inputs, self.outputs, len(units)
        check_term_count(comb(most + N, N) * M * most)
        generators = []
        for k in range(1, M + 1):
            for degree in range(most + 1):
                for index in combinations_with_replacement(range(1, N + 1), degree):
                    terms = [
                        "*".join([_weight(k, h), *([_monomial(index, h, "d")] if index else [])])
                        for h in units
                    ]
                    value = truth if k == 1 and not index else 0
                    generators.append(text_minus(text_of_sum(terms), value))
        return generators

    def _moments(self, units: list[int]) -> list[str]:
        """Write Σ a_h b_h^I over units near zero, as many degrees |I| as units."""
        N, M = self.inputs, self.outputs
        degrees = range(1, 1 + self.step * len(units), self.step)
        check_term_count(sum(comb(d + N - 1, d) for d in degrees) * M * len(units))
        return [
            text_of_sum(f"{_weight(k, h)}*{_monomial(index, h)}" for h in units)
            for k in range(1, M + 1)
            for degree in degrees
            for index in combinations_with_replacement(range(1, N + 1), degree)
        ]


def scaling_value(units: int, outputs: int, step: int) -> Pair:
    """What scaling all units of a cluster together gives: an upper bound by the depth.

    It is the least value over the weights (a: 0 or more, b: s) of the moments Σ a_h b_h^(1 +
    step·n).  With b = s·d the n-th moment is s^(1+step·n) times a coordinate in the weights, as
    long as there are not more moments than units: 2λ ≤ H s + M Σ_{n<H} (1 − (1 + step·n) s)⁺.  It
    is convex in s and piecewise linear, so the least value is at a corner, or on the whole segment
    between two: then θ = 2.  H and M are ``units`` and ``outputs``; ``step`` is the distance of the
    orders of the activation (2 for tanh at zero).

    >>> scaling_value(3, 1, 2), scaling_value(4, 1, 1)
    (Pair(5/6, 1), Pair(7/6, 1))
    """
    if units == outputs == 1:
        return Pair(Fraction(1, 2), 2)  # s + (1 − s)
    best_value, theta = Fraction(outputs * units), 1  # s = 0
    covered = 0  # sum of the orders that contribute
    before = None
    for count in range(1, units + 1):
        covered += 1 + step * (count - 1)
        corner = Fraction(1, 1 + step * (count - 1))
        value = units * corner + outputs * (count - covered * corner)
        if before is not None and value > before:
            break
        before = value
        theta = theta + 1 if value == best_value and count > 1 else 1
        best_value = value
    return Pair(best_value / 2, theta)


def _weight(output: int, unit: int) -> str:
    return f"a{output}_{unit}"


def _monomial(index: tuple[int, ...], unit: int, letter: str = "b") -> str:
    powers = (text_of_power(f"{letter}{j}_{unit}", index.count(j)) for j in sorted(set(index)))
    return "*".join(powers)


def _placements(
    spare: int, true_units: int
) -> Iterator[tuple[tuple[int, ...], int, tuple[int, ...]]]:
    """Spare units at each true unit, at 0, and in groups elsewhere, up to the order of equals."""
    for at_true in product(range(spare + 1), repeat=true_units):
        rest = spare - sum(at_true)
        if rest >= 0 and list(at_true) == sorted(at_true, reverse=True):
            for at_zero in range(rest + 1):
                for elsewhere in _partitions(rest - at_zero, rest):
                    yield at_true, at_zero, elsewhere


def _partitions(total: int, most: int) -> Iterator[tuple[int, ...]]:
    if not total:
        yield ()
    for first in range(min(total, most), 0, -1):
        for others in _partitions(total - first, first):
            yield (first, *others)


MODEL = TanhNetwork
