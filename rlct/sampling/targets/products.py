"""Products of powers of polynomials at many points, with the precision of their factors."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlct.sampling.targets.monomials import Monomials
from rlct.sampling.targets.target import Floats

SIGN_ROUNDING = 1e-9  # of the sizes of terms of a factor, below which its sign may be wrong

#: Coefficients by exponents.
FloatTerms: TypeAlias = Mapping[tuple[int, ...], float]
#: Polynomials and powers whose product is one generator.
Factors: TypeAlias = Sequence[tuple[FloatTerms, int]]


class FactoredProducts:
    """Generators ∏ fᵃ, never expanded: near a zero they are as precise as f.

    Where (x + y)¹⁰ is 10⁻²⁰ rounding of its eleven terms has hidden it; x + y has all its digits.
    Each generator is a sequence of pairs of a polynomial, as coefficients by exponents, and a power
    ≥ 1.

    >>> cube = FactoredProducts([[({(1, 0): 1.0, (0, 1): 1.0}, 3)]])                      # (x + y)³
    >>> w = np.array([[0.1, 1e-9 - 0.1]])
    >>> bool(np.isclose(cube.rows(w)[0, 0], 1e-27, rtol=1e-6, atol=0))
    True
    >>> cube.slopes(np.array([[0.5, 0.5]]), 1)
    array([[3.]])
    """

    def __init__(self, generators: Sequence[Factors]) -> None:
        self._factors = [f for g in generators for f, _ in g]
        self._dimension = len(next(iter(self._factors[0])))
        self._parts: list[list[tuple[int, int]]] = []  # of each generator: row of a factor, power
        for g in generators:
            first = sum(map(len, self._parts))
            self._parts.append([(first + k, power) for k, (_, power) in enumerate(g)])
        self._plain = all(len(part) == 1 and part[0][1] == 1 for part in self._parts)
        self._compiled = _compiled(self._factors)

    def rows(self, w: Floats) -> Floats:
        """Evaluate each generator at points of shape ``(n, d)``: ``(generators, n)``."""
        factors = self._evaluate(w)
        if self._plain:
            return factors
        return np.stack([self._product(factors, part) for part in self._parts])

    def negative(self, w: Floats) -> NDArray[np.bool_]:
        """Where a generator is below zero although no factor is within rounding of it."""
        monomials, coefficients = self._compiled
        terms = monomials(w)
        sure = np.abs(coefficients.T @ terms) > SIGN_ROUNDING * (
            np.abs(coefficients).T @ np.abs(terms)
        )
        rows = self.rows(w)
        known = np.stack([sure[[k for k, _ in part]].all(axis=0) for part in self._parts])
        return np.asarray((rows < 0) & known)

    def slopes(self, w: Floats, axis: int) -> Floats:
        """Derivatives by one variable, shape ``(n, generators)``."""
        monomials, coefficients = self._derivatives[axis]
        inner = coefficients.T @ monomials(w)
        if self._plain:
            return np.asarray(inner.T)
        factors = self._evaluate(w)
        gradients = np.zeros((len(w), len(self._parts)))
        for column, part in enumerate(self._parts):
            for k, power in part:
                rest = [(j, a - (j == k)) for j, a in part]
                gradients[:, column] += power * inner[k] * self._product(factors, rest)
        return gradients

    def _evaluate(self, w: Floats) -> Floats:
        monomials, coefficients = self._compiled
        return np.asarray(coefficients.T @ monomials(w))

    @staticmethod
    def _product(factors: Floats, part: Sequence[tuple[int, int]]) -> Floats:
        product = np.ones(factors.shape[1])
        with np.errstate(under="ignore"):
            for k, power in part:
                product *= integer_power(factors[k], power)
        return product

    @cached_property
    def _derivatives(self) -> list[tuple[Monomials, Floats]]:
        return [_compiled(_derivatives(self._factors, i)) for i in range(self._dimension)]


def integer_power(values: Floats, power: int) -> Floats | float:
    """A power ≥ 0 by squares: NumPy's own takes as long as thirty products.

    >>> integer_power(np.array([2.0, 3.0]), 5)
    array([ 32., 243.])
    """
    product: Floats | float = 1.0
    while power:
        if power % 2:
            product = product * values
        power //= 2
        if power:
            values = values * values
    return product


def _compiled(polynomials: Sequence[FloatTerms]) -> tuple[Monomials, Floats]:
    """Monomials of all polynomials, and coefficients of shape ``(monomials, polynomials)``."""
    exponents = sorted({e for p in polynomials for e in p})
    position = {e: k for k, e in enumerate(exponents)}
    table = np.zeros((len(exponents), len(polynomials)))
    for column, p in enumerate(polynomials):
        for e, c in p.items():
            table[position[e], column] += c
    return Monomials(np.array(exponents, dtype=int)), table


def _derivatives(polynomials: Sequence[FloatTerms], axis: int) -> list[FloatTerms]:
    """Derivatives by one variable, each of one term at least."""
    derivatives: list[FloatTerms] = []
    for p in polynomials:
        slope = {
            (*e[:axis], e[axis] - 1, *e[axis + 1 :]): c * e[axis] for e, c in p.items() if e[axis]
        }
        derivatives.append(slope or {(0,) * len(next(iter(p))): 0.0})
    return derivatives
