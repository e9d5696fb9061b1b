"""Expressions that models write: sums, products and matrices of texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from rlct.errors import InputError

__all__ = ["Matrix", "atom", "limit", "matrix", "minus", "power", "product", "times", "total"]

Matrix = list[list[str]]
MAX_TERMS: Final = 20_000  # terms of all generators as text


def limit(terms: int) -> None:
    """Refuse a question with too many terms before it is written."""
    if terms > MAX_TERMS:
        raise InputError(
            f"{terms} terms are too many to write out for the engine (limit {MAX_TERMS})"
        )


def total(terms: Iterable[str]) -> str:
    """Sum of terms.

    Examples
    --------
    >>> total(["a*b", "c"]), total([])
    ('a*b + c', '0')
    """
    return " + ".join(terms) or "0"


def atom(text: str) -> str:
    """Put brackets around what is not a name or a number."""
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def product(factors: Iterable[str]) -> str:
    """Product of factors, ones left out.

    Examples
    --------
    >>> product(["a", "1 - b"]), product([])
    ('a*(1 - b)', '1')
    """
    return "*".join(atom(factor) for factor in factors if factor != "1") or "1"


def power(base: str, exponent: int) -> str:
    """Power, written as short as possible."""
    return "1" if exponent == 0 else atom(base) + (f"**{exponent}" if exponent > 1 else "")


def minus(text: str, value: Fraction | int) -> str:
    """Text minus an exact value.

    Examples
    --------
    >>> minus("a", Fraction(1, 2)), minus("a", 0), minus("a", -1)
    ('a - 1/2', 'a', 'a + 1')
    """
    if value == 0:
        return text
    return f"{text} {'-' if value > 0 else '+'} {abs(value)}"


def matrix(letter: str, rows: int, columns: int) -> Matrix:
    """Matrix of variables ``a1_2``.

    Examples
    --------
    >>> matrix("a", 1, 2)
    [['a1_1', 'a1_2']]
    """
    return [[f"{letter}{i}_{j}" for j in range(1, columns + 1)] for i in range(1, rows + 1)]


def times(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> Matrix:
    """Product of matrices of expressions."""
    columns = list(zip(*right, strict=True))
    return [
        [total(product(pair) for pair in zip(row, column, strict=True)) for column in columns]
        for row in left
    ]
