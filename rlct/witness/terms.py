"""Polynomials as JSON, quotients and linear equations over Q."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.algebra.polynomial import to_fraction
from rlct.kernel.algebra import Numbers, QPoly, constant


class NotCoveredError(Exception):
    """The kernel has no rule for a step, or this program finds no witness."""


def choice(width: int, size: int, k: int) -> list[QPoly]:
    """Make the factors that choose one of several polynomials."""
    return [constant(width, 1) if i == k else QPoly() for i in range(size)]


def write(polynomials: Iterable[QPoly]) -> list[Any]:
    """Encode polynomials."""
    return [[[str(c), list(m)] for m, c in sorted(p.items())] for p in polynomials]


def write_rows(rows: Iterable[Numbers]) -> list[Any]:
    """Encode rows of numbers."""
    return [[str(x) for x in row] for row in rows]


def _echelon(table: Sequence[Numbers]) -> tuple[Any, tuple[int, ...]]:
    entries = [[QQ(x.numerator, x.denominator) for x in row] for row in table]
    return DomainMatrix(entries, (len(table), len(table[0]) if table else 0), QQ).rref()  # type: ignore[no-any-return]


def solve_rows(rows: Sequence[Numbers], right: Sequence[Numbers]) -> list[list[Fraction]]:
    """Solve Σ x_k rows_k = b for several b; what is free is 0."""
    reduced, pivots = _echelon([*zip(*rows, *right, strict=True)])
    if pivots and pivots[-1] >= len(rows):
        raise NotCoveredError("linear equations")
    solutions = [[Fraction(0)] * len(rows) for _ in right]
    for height, k in enumerate(pivots):
        for j, solution in enumerate(solutions, len(rows)):
            solution[k] = to_fraction(reduced[height, j].element)
    return solutions
