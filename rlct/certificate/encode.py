"""Polynomials and pairs as JSON: the alphabet of certificates."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rlct.polynomial import Polynomial, terms_of

__all__ = ["encode_numbers", "encode_polynomial", "encode_polynomials"]


def encode_polynomial(polynomial: Polynomial) -> list[list[Any]]:
    """Encode as a list of [coefficient, exponents], in a fixed order.

    Examples
    --------
    >>> from rlct.polynomial import make_ring
    >>> ring = make_ring(["x", "y"]); x, y = ring.gens
    >>> encode_polynomial(x**2 - y/2)
    [['-1/2', [0, 1]], ['1', [2, 0]]]
    """
    return [[str(c), list(m)] for m, c in sorted(terms_of(polynomial).items())]


def encode_polynomials(polynomials: Iterable[Polynomial]) -> list[list[list[Any]]]:
    """Encode several polynomials of one ring."""
    return [encode_polynomial(polynomial) for polynomial in polynomials]


def encode_numbers(numbers: Iterable[Fraction]) -> list[str]:
    """Encode rationals in lowest terms."""
    return [str(number) for number in numbers]
