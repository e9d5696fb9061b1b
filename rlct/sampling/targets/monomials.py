"""Monomials at many points: one multiplication each, of arrays that lie in one piece."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.sampling.targets.target import Floats

HIGH_POWER = 16  # a power from which on those below it are few of those that are made


def _powers(highest: int) -> list[tuple[int, int, int]]:
    """Exponents (k, left, right) with k = left + right, in an order that makes ``highest``.

    >>> _powers(3)
    [(2, 1, 1), (3, 2, 1)]
    >>> len(_powers(400))
    17
    """
    exponent_halves: dict[int, tuple[int, int]] = {}

    def make(k: int) -> None:
        if k == 1 or k in exponent_halves:
            return
        left = k - 1 if k <= HIGH_POWER else k // 2
        make(left)
        make(k - left)
        exponent_halves[k] = (left, k - left)

    make(highest)
    return [(k, *halves) for k, halves in exponent_halves.items()]


class Monomials:
    """A list of monomials, compiled to products of earlier ones.

    A monomial is the part without its last variable times a power of that variable; both are made
    once, whichever monomials share them.  Exponents, shape (terms, d), are without repetitions.

    >>> Monomials(np.array([[0, 0], [2, 0], [2, 1]]))(np.array([[3.0, 5.0]])).ravel()
    array([ 1.,  9., 45.])
    """

    def __init__(self, exponents: NDArray[Any]) -> None:
        terms = [tuple(map(int, row)) for row in exponents]
        unit_monomial = (0,) * exponents.shape[1]
        products: dict[tuple[int, ...], tuple[tuple[int, ...], tuple[int, ...]]] = {}
        variables: dict[tuple[int, ...], int] = {}
        for term in terms:
            prefix_monomial = unit_monomial
            for i, highest in enumerate(term):
                if not highest:
                    continue
                variable = (*unit_monomial[:i], 1, *unit_monomial[i + 1 :])
                variables[variable] = i
                power = (*unit_monomial[:i], highest, *unit_monomial[i + 1 :])
                for k, left_factor, right_factor in _powers(highest):
                    of = {
                        n: (*unit_monomial[:i], n, *unit_monomial[i + 1 :])
                        for n in (k, left_factor, right_factor)
                    }
                    products.setdefault(of[k], (of[left_factor], of[right_factor]))
                if prefix_monomial != unit_monomial:
                    products.setdefault(
                        term[: i + 1] + unit_monomial[i + 1 :], (prefix_monomial, power)
                    )
                prefix_monomial = term[: i + 1] + unit_monomial[i + 1 :]
        wanted = set(terms)
        helpers = [e for e in (*variables, *products) if e not in wanted]
        row = {e: k for k, e in enumerate([*helpers, *terms])}
        self._rows, self._helpers = len(row), len(helpers)
        self._ones = [row[unit_monomial]] if unit_monomial in row else []
        self._variables = [(row[e], i) for e, i in variables.items()]
        self._products = [
            (row[e], row[left_factor], row[right_factor])
            for e, (left_factor, right_factor) in products.items()
        ]

    def __call__(self, w: Floats) -> Floats:
        """Evaluate at points of shape ``(n, d)``; the values have shape ``(terms, n)``."""
        table: Floats = np.empty((self._rows, len(w)))
        rows = list(table)
        for k in self._ones:
            rows[k].fill(1.0)
        for k, i in self._variables:
            rows[k][:] = w[:, i]
        for k, left, right in self._products:
            np.multiply(rows[left], rows[right], out=rows[k])
        return table[self._helpers :]
