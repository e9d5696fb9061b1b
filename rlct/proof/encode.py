"""Polynomials and pairs as JSON: the alphabet of certificates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import Polynomial, terms_of
from rlct.algebra.real_algebraic import AlgebraicNumber, Coordinate


def encode_polynomial(polynomial: Polynomial) -> list[list[Any]]:
    """Encode as a list of [coefficient, exponents], in a fixed order.

    Numbers of a field are lists of the coefficients of 1, γ, γ², ….

    >>> from rlct.algebra.polynomial import make_ring
    >>> ring = make_ring(["x", "y"]); x, y = ring.gens
    >>> encode_polynomial(x**2 - y/2)
    [['-1/2', [0, 1]], ['1', [2, 0]]]
    """
    domain = polynomial.ring.domain
    if not domain.is_Algebraic:
        return [[str(c), list(m)] for m, c in sorted(terms_of(polynomial).items())]
    degree = domain.mod.degree()
    terms = []
    for m, c in sorted(polynomial.terms()):
        parts = [str(a) for a in reversed(c.to_list())]
        terms.append([parts + ["0"] * (degree - len(parts)), list(map(int, m))])
    return terms


def encode_polynomials(polynomials: Iterable[Polynomial]) -> list[list[list[Any]]]:
    """Encode several polynomials of one ring."""
    return [encode_polynomial(polynomial) for polynomial in polynomials]


def encode_numbers(numbers: Iterable[Fraction]) -> list[str]:
    """Encode rationals in lowest terms."""
    return [str(number) for number in numbers]


def encode_point(point: Iterable[Coordinate]) -> list[Any]:
    """Encode coordinates: rationals as text, others as numbers of their field."""
    return [[str(c) for c in a.parts] if isinstance(a, AlgebraicNumber) else str(a) for a in point]


def encode_field(field: NumberField) -> dict[str, Any]:
    """Encode a field by the minimal polynomial of its generator and an isolating interval."""
    return {"minimal": list(field.modulus), "interval": [str(field.low), str(field.high)]}


def encode_place(point: Sequence[Coordinate]) -> dict[str, Any]:
    """Encode a point of a box, with its field if it has irrational coordinates."""
    encoded: dict[str, Any] = {"at": encode_point(point)}
    irrational = next((a for a in point if isinstance(a, AlgebraicNumber)), None)
    if irrational is not None:
        encoded["field"] = encode_field(irrational.field)
    return encoded
