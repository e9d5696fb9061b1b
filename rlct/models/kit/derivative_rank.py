"""Rank of the derivative of functions with exponentials and roots, modulo a prime."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import Final

from rlct.algebra.exact_rank import RESIDUE_PRIME as _PRIME
from rlct.algebra.exact_rank import rank_modulo_prime

MOST_WEIGHT: Final = 10**6  # of random weights and inputs
_BASE_OF_EXP: Final = 7  # in place of e: a minor that is not 0 there is not 0 as a polynomial in e


@dataclass(frozen=True)
class ResidueValue:
    """A number that depends on weights, with its derivatives modulo 2³¹ − 1.

    >>> x, y = ResidueValue(2, (1, 0)), ResidueValue(3, (0, 1))
    >>> x * y + y
    ResidueValue(value=9, slopes=(3, 3))
    """

    value: int
    slopes: tuple[int, ...]

    def __add__(self, addend: ResidueValue) -> ResidueValue:
        slopes = zip(self.slopes, addend.slopes, strict=True)
        return ResidueValue(self.value + addend.value, tuple((a + b) % _PRIME for a, b in slopes))

    def __mul__(self, factor: ResidueValue) -> ResidueValue:
        left, right = self.value, factor.value
        slopes = zip(self.slopes, factor.slopes, strict=True)
        return ResidueValue(left * right, tuple((a * right + b * left) % _PRIME for a, b in slopes))

    def times(self, number: int) -> ResidueValue:
        """Multiple by a number that does not depend on the weights."""
        return ResidueValue(self.value * number, tuple(a * number % _PRIME for a in self.slopes))

    def inverse(self) -> ResidueValue:
        """Compute 1/self."""
        value = pow(self.value, -1, _PRIME)
        return ResidueValue(value, self.times(-value * value).slopes)

    def exponential(self) -> ResidueValue:
        """e^self of an integer, with a number in place of e."""
        value = pow(_BASE_OF_EXP, self.value, _PRIME)
        return ResidueValue(value, self.times(value).slopes)

    def root(self) -> ResidueValue:
        """Square root, a power as the prime is 3 modulo 4; ValueError if there is none."""
        value = pow(self.value, (_PRIME + 1) // 4, _PRIME)
        if (value * value - self.value) % _PRIME:
            raise ValueError("no square")
        return ResidueValue(value, self.times(pow(2 * value, -1, _PRIME)).slopes)


def random_weights(count: int, seed: int, most: int = MOST_WEIGHT) -> list[int]:
    """Take integers from 1 to `most` at random.

    >>> len(random_weights(3, seed=0))
    3
    """
    generator = random.Random(seed)
    return [generator.randint(1, most) for _ in range(count)]


def matrix_times_vector(
    matrix: Sequence[Sequence[ResidueValue]], vector: Sequence[ResidueValue]
) -> list[ResidueValue]:
    """Matrix times vector.

    >>> x, y = ResidueValue(2, (1, 0)), ResidueValue(3, (0, 1))
    >>> matrix_times_vector([[x, y]], [ResidueValue(1, (0, 0))] * 2)
    [ResidueValue(value=5, slopes=(1, 1))]
    """
    return [reduce(add, map(mul, row, vector)) for row in matrix]


def next_matrix(
    weights: Iterator[ResidueValue], rows: int, columns: int
) -> list[list[ResidueValue]]:
    """Take the next weights as a matrix.

    >>> next_matrix(iter([ResidueValue(1, ()), ResidueValue(2, ())]), 2, 1)[1]
    [ResidueValue(value=2, slopes=())]
    """
    return [[next(weights) for _ in range(columns)] for _ in range(rows)]


def function_rank(
    outputs: Callable[[Iterator[ResidueValue], list[ResidueValue]], Sequence[ResidueValue]],
    weights: Sequence[int],
    inputs: int,
) -> int:
    """Rank of the derivative of a function of inputs by its weights, at given ones.

    ``outputs`` takes weights, and the numbers of an input and 1; it raises ValueError where it has
    none.  The random inputs are twice as many as weights and some more.  It is a lower bound of the
    rank, and with few exceptions the rank.

    >>> function_rank(lambda w, x: [next(w) * next(w) * x[0]], [2, 3], 1)
    1
    """
    count = len(weights)
    units = [tuple(int(i == k) for k in range(count)) for i in range(count)]
    point = [ResidueValue(value, unit) for value, unit in zip(weights, units, strict=True)]
    rows = list[tuple[int, ...]]()
    for number in range(2 * count + 4):
        try:
            given = [*random_weights(inputs, number + 1), 1]
            numbers = [ResidueValue(value, (0,) * count) for value in given]
            rows += [output.slopes for output in outputs(iter(point), numbers)]
        except ValueError:
            continue
    return rank_modulo_prime(rows)
