"""Polynomials with numbers of a field as coefficients, and questions that pickle."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from typing import Any

from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import Polynomial, Ring, make_ring, terms_of
from rlct.algebra.real_algebraic import (
    AlgebraicNumber,
    Coordinate,
    domain_of,
    element_of,
    number_of,
)

SignedTerms = dict[tuple[int, ...], Coordinate]


class PortableQuestion:
    """A question with polynomials that pickles by their terms, as rings of sympy do not."""

    def __reduce__(self) -> tuple[Any, ...]:
        values = {item.name: getattr(self, item.name) for item in fields(self)}  # type: ignore[arg-type]
        generators, squares = values.pop("generators"), values.pop("squares")
        names = tuple(map(str, generators[0].ring.symbols))
        field = values.get("number_field")
        terms = [signed_terms(g, field) for g in generators]
        square_terms = (
            None if squares is None else [(c, signed_terms(g, field)) for c, g in squares]
        )
        return _restored, (type(self), names, terms, square_terms, values)


def _restored(
    kind: type,
    names: tuple[str, ...],
    terms: list[SignedTerms],
    square_terms: list[tuple[Fraction, SignedTerms]] | None,
    values: dict[str, Any],
) -> Any:
    """Build a question again from what `PortableQuestion` wrote."""
    ring, field = make_ring(names), values.get("number_field")
    squares = None
    if square_terms is not None:
        squares = tuple((c, from_signed_terms(ring, t, field)) for c, t in square_terms)
    generators = tuple(from_signed_terms(ring, t, field) for t in terms)
    return kind(generators=generators, squares=squares, **values)


def from_signed_terms(ring: Ring, terms: SignedTerms, field: NumberField | None) -> Polynomial:
    """Inverse of `signed_terms`."""
    domain = ring.domain if field is None else domain_of(field)
    elements = {m: element_over(c, domain, field) for m, c in terms.items() if c}
    return ring.clone(domain=domain).from_dict(elements)


def element_over(value: Coordinate, domain: Any, field: NumberField | None) -> Any:
    """A number in the domain of a field, or in that of the rationals."""
    if field is None:
        assert isinstance(value, Fraction)
        return domain(value.numerator, value.denominator)
    return element_of(value, domain)


def signed_terms(polynomial: Polynomial, field: NumberField | None) -> SignedTerms:
    """Exponents to coefficients, as numbers that know their sign."""
    coordinates: SignedTerms = {}
    if field is None:
        coordinates.update(terms_of(polynomial))
        return coordinates
    for m, c in polynomial.terms():
        number = AlgebraicNumber(field, number_of(c, field.degree))
        rational = number.rational
        coordinates[tuple(map(int, m))] = number if rational is None else rational
    return coordinates
