"""Expressions that models write: sums, products and matrices of texts."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from rlct.errors import InputError

TextMatrix = list[list[str]]
MAX_TERMS: Final = 20_000  # terms of all generators as text


class TooManyTermsError(InputError):
    """A question is too large to be written out."""


def check_term_count(terms: int) -> None:
    """Refuse a question with too many terms before it is written."""
    if terms > MAX_TERMS:
        raise TooManyTermsError(
            f"{terms} terms are too many to write out for the engine (limit {MAX_TERMS})"
        )


def text_of_sum(terms: Iterable[str]) -> str:
    """Sum of terms.

    >>> text_of_sum(["a*b", "c"]), text_of_sum([])
    ('a*b + c', '0')
    """
    return " + ".join(terms) or "0"


def in_brackets(text: str) -> str:
    """Put brackets around what is not a name or a number."""
    return text if text.isidentifier() or text.isdigit() else f"({text})"


def text_of_product(factors: Iterable[str]) -> str:
    """Product of factors, ones left out.

    >>> text_of_product(["a", "1 - b"]), text_of_product([])
    ('a*(1 - b)', '1')
    """
    return "*".join(in_brackets(factor) for factor in factors if factor != "1") or "1"


def text_of_power(base: str, exponent: int) -> str:
    """Power, written as short as possible."""
    return "1" if exponent == 0 else in_brackets(base) + (f"**{exponent}" if exponent > 1 else "")


def text_minus(text: str, value: Fraction | int) -> str:
    """Text minus an exact value.

    >>> text_minus("a", Fraction(1, 2)), text_minus("a", 0), text_minus("a", -1)
    ('a - 1/2', 'a', 'a + 1')
    """
    if value == 0:
        return text
    return f"{text} {'-' if value > 0 else '+'} {abs(value)}"


def less_identity(entries: Sequence[Sequence[str]], rank: int) -> list[str]:
    """Entries of a matrix minus diag(I_rank, 0)."""
    return [
        text_minus(entry, int(i == j < rank))
        for i, row in enumerate(entries)
        for j, entry in enumerate(row)
    ]


def matrix(letter: str, rows: int, columns: int) -> TextMatrix:
    """Matrix of variables ``a1_2``.

    >>> matrix("a", 1, 2)
    [['a1_1', 'a1_2']]
    """
    return [[f"{letter}{i}_{j}" for j in range(1, columns + 1)] for i in range(1, rows + 1)]


def product_of_matrices(
    left_factor: Sequence[Sequence[str]], right_factor: Sequence[Sequence[str]]
) -> TextMatrix:
    """Product of matrices of expressions."""
    columns = list(zip(*right_factor, strict=True))
    return [
        [
            text_of_sum(text_of_product(pair) for pair in zip(row, column, strict=True))
            for column in columns
        ]
        for row in left_factor
    ]
