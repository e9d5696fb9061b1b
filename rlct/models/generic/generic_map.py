"""Polynomials in weights at a generic truth: bounds of the rank that meet when it is proved."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import ClassVar, Final

from rlct.algebra.exact_rank import RESIDUE_PRIME as _PRIME
from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.algebra.polynomial import Terms, terms_of, value_at
from rlct.errors import InputError
from rlct.models.base import GENERIC_TRUTH
from rlct.models.generic.architectures import (
    POLYNOMIAL_NETWORKS,
    named_network,
    network_coefficients,
)
from rlct.models.generic.symmetries import independent_count, symmetry_dimension
from rlct.models.kit.derivative_rank import MOST_WEIGHT, random_weights
from rlct.models.quadratic_networks.generic import RankBounds
from rlct.questions.problem import Problem
from rlct.questions.reading import read_polynomials

_RANDOM_POINTS: Final = 2  # random points tried
_WEIGHT_SETS: Final = 30  # sets of small weights tried
_MOST_WORK: Final = 3_000_000  # coefficients of the equations for symmetries, some seconds


@dataclass(frozen=True)
class GenericMap:
    """A network by its coefficients in the inputs, at a generic truth of its own.

    >>> GenericMap("a*c;a*d;b*c;b*d").rank.lower, GenericMap("glu:2,1,1").rank.upper
    (3, 3)
    """

    where: ClassVar[str] = GENERIC_TRUTH

    #: Polynomials in the weights with ``;`` between them, or a network of the table with its sizes,
    #: such as ``"glu:2,1,1"``.
    coefficients: str

    def __post_init__(self) -> None:
        """Refuse what cannot be read."""
        if not self.variables:
            raise InputError("the coefficients do not depend on any weight: K is 0")

    @property
    def variables(self) -> tuple[str, ...]:
        """Weights that occur."""
        return _read(self.coefficients)[0]

    @property
    def comparable_if(self) -> str:
        """What the squared error of a network needs to be comparable with that of coefficients."""
        named = named_network(self.coefficients)
        return POLYNOMIAL_NETWORKS[named[0]].comparable_if(*named[1]) if named else ""

    @property
    def rank(self) -> RankBounds:
        """Bounds of the largest rank of the derivative, which is its rank at a generic point."""
        return _bounds(self.coefficients)

    def written(self) -> list[str]:
        """Polynomials as text, one for each coefficient."""
        return _texts(self.coefficients)

    def problem(self, seed: int = 0, size: int = 3) -> Problem:
        """Return the question at one random point of the generic rank, small integers."""
        for number in range(seed, seed + _WEIGHT_SETS):
            point = self.sample(number, size + number // 5)
            if self.rank_at(point) == self.rank.upper:
                break
        else:
            raise InputError("no small weights of the largest rank are known, to ask about them")
        names, polynomials = _read(self.coefficients)
        values = [value_at(terms, [Fraction(x) for x in point]) for terms in polynomials]
        gains = [f"({f}) - ({c})" for f, c in zip(self.written(), values, strict=True)]
        return Problem.ideal(gains, at=dict(zip(names, point, strict=True)))

    def sample(self, seed: int = 0, size: int = MOST_WEIGHT) -> list[int]:
        """Take weights at random, integers from 1 to `size`."""
        return random_weights(len(self.variables), seed, size)

    def rank_at(self, point: Sequence[int]) -> int:
        """Rank of the derivative at a point modulo 2³¹ − 1, a lower bound of the generic one."""
        return rank_modulo_prime(_derivative(_read(self.coefficients)[1], point))


def _texts(coefficients: str) -> list[str]:
    if named := named_network(coefficients):
        return network_coefficients(*named)
    return [text for text in coefficients.split(";") if text.strip()]


@lru_cache(maxsize=8)
def _read(coefficients: str) -> tuple[tuple[str, ...], list[Terms]]:
    texts = _texts(coefficients)
    if not texts:
        raise InputError("there are no coefficients: give polynomials, such as a*c;b*c")
    names, polynomials, _ = read_polynomials(texts)
    return tuple(names), [terms_of(one) for one in polynomials]


def _derivative(polynomials: Sequence[Terms], point: Sequence[int]) -> list[list[int]]:
    """Rows of the derivative by each weight, modulo the prime; integer multiples of the columns."""
    table = [[0] * len(polynomials) for _ in point]
    for number, terms in enumerate(polynomials):
        common = lcm(*(c.denominator for c in terms.values()))
        for exponents, c in terms.items():
            scaled = int(c * common) % _PRIME
            for i, power in enumerate(exponents):
                if not power:
                    continue
                value = scaled * power
                for k, e in enumerate(exponents):
                    if e - (k == i):
                        value = value * pow(point[k], e - (k == i), _PRIME) % _PRIME
                table[i][number] = (table[i][number] + value) % _PRIME
    return table


@lru_cache(maxsize=64)
def _bounds(coefficients: str) -> RankBounds:
    generic_map = GenericMap(coefficients)
    names, polynomials = _read(coefficients)
    count = len(names)
    independent = independent_count(polynomials)
    uppers = [(count, f"{count} weights"), (independent, f"{independent} independent coefficients")]
    if named := named_network(coefficients):
        uppers += POLYNOMIAL_NETWORKS[named[0]].upper(*named[1])
    upper, upper_rule = min(uppers)
    lower, lower_rule = 0, "none"
    for seed in range(_RANDOM_POINTS):
        found = generic_map.rank_at(generic_map.sample(seed))
        if found > lower:
            lower = found
            lower_rule = f"rank {found} modulo 2^31 − 1 at a random point, seed {seed}"
        if lower == upper:
            return RankBounds(lower, upper, lower_rule, upper_rule)
    work = count * sum(sum(map(bool, e)) for terms in polynomials for e in terms)
    if work <= _MOST_WORK:
        still = symmetry_dimension(polynomials, generic_map.sample(_RANDOM_POINTS))
        if count - still < upper:
            upper = count - still
            upper_rule = f"{count} weights, and {still} directions of linear symmetries"
    return RankBounds(lower, upper, lower_rule, upper_rule)
