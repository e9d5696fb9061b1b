"""Polynomials over Q and matrices; what is read from JSON is exact or refused."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from threading import local
from typing import Any

Numbers = Sequence[Fraction | int]


class RefusalError(ValueError):
    """A witness does not show what it should."""


class Budget(local):
    """Steps that are left to this thread: products of numbers, weighed by their lengths."""

    steps = 0

    def spend(self, count: int) -> None:
        """Take steps."""
        self.steps -= count
        demand(self.steps >= 0)


STEP_BUDGET = Budget()


class QPoly(dict[tuple[int, ...], Fraction]):
    """Coefficients that are not 0, by exponents."""

    def __add__(self, q: "QPoly") -> "QPoly":
        STEP_BUDGET.spend(len(self) + len(q))
        terms = {m: self.get(m, Fraction(0)) + q.get(m, 0) for m in {**self, **q}}
        return QPoly({m: c for m, c in terms.items() if c})

    def __mul__(self, q: "QPoly") -> "QPoly":
        sizes = [sum(1 + c.numerator.bit_length() // 64 for c in p.values()) for p in (self, q)]
        STEP_BUDGET.spend(1 + sizes[0] * sizes[1])
        terms: dict[tuple[int, ...], Fraction] = {}
        for m, c in self.items():
            for n, d in q.items():
                exponents = tuple(a + b for a, b in zip(m, n, strict=True))
                terms[exponents] = terms.get(exponents, Fraction(0)) + c * d
        return QPoly({m: c for m, c in terms.items() if c})

    def __pow__(self, exponent: int) -> "QPoly":
        power = QPoly({(0,) * len(m): Fraction(1) for m in self})
        for _ in range(exponent):
            power = power * self
        return power

    def compose(self, images: Mapping[int, "QPoly"]) -> "QPoly":
        """Put polynomials in place of variables."""
        result, powers = QPoly(), {i: [p**0] for i, p in images.items()}
        for m, c in self.items():
            image = QPoly({tuple(0 if i in images else e for i, e in enumerate(m)): c})
            for i, computed in powers.items():
                while len(computed) <= m[i]:
                    computed.append(computed[-1] * images[i])
                image = image * computed[m[i]] if m[i] else image
            result = result + image
        return result

    def only(self, monomials: Iterable[tuple[int, ...]]) -> "QPoly":
        """Keep the terms of some monomials."""
        return QPoly({m: self[m] for m in monomials if m in self})

    def at_origin(self) -> Fraction:
        """Return the constant term."""
        return sum((c for m, c in self.items() if not any(m)), Fraction(0))

    def is_one_signed(self) -> bool:
        """Whether no terms cancel anywhere: they agree in sign, and in exponents modulo 2."""
        return len({(c > 0, *(e % 2 for e in m)) for m, c in self.items()}) == 1


def demand(*conditions: object) -> None:
    """Refuse unless all hold."""
    if not all(conditions):
        raise RefusalError


def combine(factors: Iterable[QPoly], polynomials: Iterable[QPoly]) -> QPoly:
    """Sum multiples of polynomials."""
    return sum((c * p for c, p in zip(factors, polynomials, strict=True)), QPoly())


def is_in(variables: Iterable[int], *polynomials: QPoly) -> bool:
    """Whether polynomials have no variables but these."""
    return {i for p in polynomials for m in p for i, e in enumerate(m) if e} <= set(variables)


def naturals(data: Any) -> tuple[int, ...]:
    """Read integers ≥ 0."""
    demand(*(type(number) is int and number >= 0 for number in data))
    return tuple(data)


def rational(text: Any) -> Fraction:
    """Read a fraction."""
    demand(isinstance(text, str) and re.fullmatch("-?[0-9]+(/0*[1-9][0-9]*)?", text))
    return Fraction(text)


def vectors(data: Any) -> list[list[Fraction]]:
    """Read rows of fractions."""
    return [[rational(text) for text in row] for row in data]


def polys(data: Any) -> list[QPoly]:
    """Read polynomials: lists of [coefficient, exponents]."""
    return [sum((QPoly({naturals(m): rational(c)}) for c, m in part), QPoly()) for part in data]


def product(rows: Sequence[Numbers], columns: Sequence[Numbers]) -> list[list[Fraction]]:
    """Multiply rows with columns."""
    STEP_BUDGET.spend(sum(map(len, rows)) * len(columns))
    terms = [[zip(a, b, strict=True) for b in columns] for a in rows]
    return [
        [sum((Fraction(x) * y for x, y in entry), Fraction(0)) for entry in row] for row in terms
    ]


def identity(size: int) -> list[list[int]]:
    """Return the rows of the identity."""
    return [[int(i == j) for i in range(size)] for j in range(size)]
