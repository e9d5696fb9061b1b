"""Polynomials and matrices over Q within a budget, and what is read: it is exact or refused."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from math import prod
from threading import local
from types import SimpleNamespace
from typing import Any

QExponents = tuple[int, ...]
Numbers = Sequence[Fraction | int]
STEP_BUDGET = local()  # its `steps`: products of numbers, weighed by length, left to a thread


class RefusalError(ValueError):
    """A witness does not show what it should."""


def demand(*conditions: object) -> None:
    """Refuse unless all hold."""
    if not all(conditions):
        raise RefusalError


def spend(count: int) -> None:
    """Take steps."""
    STEP_BUDGET.steps -= count
    demand(STEP_BUDGET.steps >= 0)


class QPoly(dict[QExponents, Fraction]):
    """Coefficients that are not 0, by exponents."""

    def __add__(self, q: "QPoly") -> "QPoly":
        spend(len(self) + len(q))
        return qpoly({m: self.get(m, Fraction(0)) + q.get(m, 0) for m in {**self, **q}})

    def __mul__(self, q: "QPoly") -> "QPoly":
        sizes = [sum(1 + c.numerator.bit_length() // 64 for c in p.values()) for p in (self, q)]
        spend(1 + sizes[0] * sizes[1])
        terms: dict[QExponents, Fraction] = {}
        for m, c in self.items():
            for n, d in q.items():
                exponents = tuple(a + b for a, b in zip(m, n, strict=True))
                terms[exponents] = terms.get(exponents, Fraction(0)) + c * d
        return qpoly(terms)

    def __pow__(self, exponent: int) -> "QPoly":
        one = QPoly({(0,) * len(m): Fraction(1) for m in self})
        return prod(repeat(self, exponent), start=one)

    def compose(self, images: Sequence["QPoly"]) -> "QPoly":
        """Put polynomials in place of all variables."""
        one = constant(len(images), 1)
        powers = (
            prod((p**e for p, e in zip(images, m, strict=True) if e), start=one) for m in self
        )
        return combine((constant(len(images), c) for c in self.values()), powers)

    def at_origin(self) -> Fraction:
        """Return the constant term."""
        return sum((c for m, c in self.items() if not any(m)), Fraction(0))

    def is_one_signed(self) -> bool:
        """Whether no terms cancel anywhere: they agree in sign, and in exponents modulo 2."""
        return len({(c > 0, *(e % 2 for e in m)) for m, c in self.items()}) == 1


def qpoly(terms: Mapping[QExponents, Fraction | int]) -> QPoly:
    """Make a polynomial."""
    return QPoly({m: Fraction(c) for m, c in terms.items() if c})


def constant(width: int, c: Fraction | int) -> QPoly:
    """Make a polynomial without variables."""
    return qpoly({(0,) * width: c})


def combine(factors: Iterable[QPoly], polynomials: Iterable[QPoly]) -> QPoly:
    """Sum multiples of polynomials."""
    return sum((c * p for c, p in zip(factors, polynomials, strict=True)), QPoly())


def is_in(variables: Iterable[int], *polynomials: QPoly) -> bool:
    """Whether polynomials have no variables but these."""
    return {i for p in polynomials for m in p for i, e in enumerate(m) if e} <= {*variables}


def product(rows: Sequence[Numbers], columns: Sequence[Numbers]) -> list[Numbers]:
    """Multiply rows with columns."""
    spend(sum(map(len, rows)) * len(columns))
    pairs = [[zip(a, b, strict=True) for b in columns] for a in rows]
    return [tuple(sum((x * y for x, y in z), Fraction(0)) for z in row) for row in pairs]


def identity(size: int) -> list[QExponents]:
    """Return the rows of the identity."""
    return [tuple(int(i == j) for i in range(size)) for j in range(size)]


def read(data: Any) -> Any:
    """Read JSON: fields, lists, fractions, integers ≥ 0, flags and words."""
    if isinstance(data, dict):
        return SimpleNamespace(**{key: read(part) for key, part in data.items()})
    if isinstance(data, (list, tuple)):
        return tuple(map(read, data))
    demand(data is None or type(data) in (bool, str) or (type(data) is int and data >= 0))
    is_number = type(data) is str and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", data)
    return Fraction(data) if is_number else data


def polys(data: Any) -> list[QPoly]:
    """Make polynomials from what was read: lists of a coefficient and exponents."""
    demand(all(type(c) is Fraction and {*map(type, m)} <= {int} for part in data for c, m in part))
    return [sum((qpoly({m: c}) for c, m in part), QPoly()) for part in data]
