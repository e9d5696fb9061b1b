"""Statements about families: germs over a stratum of an exceptional divisor.

``theory/blowups.md`` says what their bounds mean.  Variables come in the order locals, free
parameters, fixed parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    poly_power,
    poly_product,
    poly_quotient,
    poly_scale,
    poly_sum,
    read_polynomial,
    variables,
)
from rlct.certificate.numbers.field import RealField
from rlct.certificate.statement import PairBounds, Statement, need


@dataclass(frozen=True)
class GermFamily:
    """Ideals near the points where the locals vanish and the units do not.

    `relations` are polynomials in the fixed parameters, which take no values but their zeros.
    With `zero` set, near those points where that polynomial in the parameters vanishes.
    `earlier_splits` are polynomials whose zeros were split off, with the units at that time.
    With `uniform` set, lower bounds are to be uniform in the fixed parameters.
    Coefficients are in `field`, which is None for Q.
    """

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    free: tuple[Fraction, ...]
    fixed: int
    units: tuple[Poly, ...]
    relations: tuple[Poly, ...] = ()
    zero: Poly | None = None
    earlier_splits: tuple[tuple[Poly, tuple[Poly, ...]], ...] = ()
    uniform: bool = False
    field: RealField | None = None

    @property
    def locals(self) -> int:
        """Number of locals."""
        return len(self.prior)

    @property
    def width(self) -> int:
        """Number of all variables."""
        return len(self.prior) + len(self.free) + self.fixed

    def polynomial(self, data: Any) -> Poly:
        """Read a polynomial in the variables of the family, over its field."""
        return read_polynomial(data, self.width, self.field)

    def with_generators(self, generators: Sequence[Poly]) -> GermFamily:
        """Other generators, zero ones dropped; they vanish with the locals."""
        cost.charge(10 * sum(map(len, generators)), "the generators of an ideal")
        nonzero = tuple(g for g in generators if g)
        need(bool(nonzero), "no generator is left")
        need(
            all(any(m[: self.locals]) for g in nonzero for m in g),
            "a generator does not vanish with the locals",
        )
        return replace(self, generators=nonzero, zero=None, earlier_splits=())


#: Solves the next child of a rule.
SolveFamily = Callable[[GermFamily | Statement], PairBounds]


def family_without_parameters(statement: Statement) -> GermFamily:
    """Ideal without parameters."""
    need(statement.is_ideal, "not an ideal")
    return GermFamily(statement.generators, statement.prior, (), 0, (), field=statement.field)


def coefficients_of_locals(p: Poly, first: int) -> dict[tuple[int, ...], Poly]:
    """Exponents of the first variables to coefficients in the others."""
    parts: dict[tuple[int, ...], Poly] = {}
    zero = (0,) * first
    for m, c in p.items():
        parts.setdefault(m[:first], {})[(*zero, *m[first:])] = c
    return parts


def is_known_unit(c: Poly, units: Sequence[Poly]) -> bool:
    """Whether a polynomial in the parameters is a number times a product of units."""
    for unit in units:
        while any(any(m) for m in c) and any(any(m) for m in unit):
            quotient = poly_quotient(c, unit)
            if quotient is None:
                break
            c = quotient
    return bool(c) and not any(any(m) for m in c)


def monomial_of(family: GermFamily, g: Poly) -> tuple[int, ...]:
    """Exponents of a generator that is a unit times a monomial in the locals."""
    parts = coefficients_of_locals(g, family.locals)
    need(len(parts) == 1, "a generator has two terms in the locals")
    ((m, c),) = parts.items()
    need(is_known_unit(c, family.units), "a coefficient is not known to be a unit")
    return m


def substitute_quotient(p: Poly, i: int, numerator: Poly, denominator: Poly, width: int) -> Poly:
    """P with x_i = numerator/denominator, times denominator^(degree of p in x_i)."""
    top = max((m[i] for m in p), default=0)
    parts: dict[int, Poly] = {}
    for m, c in p.items():
        parts.setdefault(m[i], {})[(*m[:i], 0, *m[i + 1 :])] = c
    terms = []
    for e, part in sorted(parts.items()):
        factor = poly_product(
            poly_power(numerator, e, width), poly_power(denominator, top - e, width)
        )
        terms.append(poly_product(part, factor))
    return poly_sum(*terms)


def with_coordinate_changed(
    family: GermFamily, polynomials: Sequence[Poly], i: int, a: Poly, r: Poly
) -> list[Poly]:
    """Polynomials with x_i = (x_i − r)/a, each times a power of a."""
    x: Poly = {tuple(int(k == i) for k in range(family.width)): Fraction(1)}
    numerator = poly_sum(x, poly_scale(r, -1))
    return [substitute_quotient(p, i, numerator, a, family.width) for p in polynomials]


def involves_free_parameter(family: GermFamily, p: Poly) -> bool:
    """Whether a polynomial involves a free parameter."""
    d = family.locals
    return any(d <= i < d + len(family.free) for i in variables([p]))


def has_unit_prior(family: GermFamily, k: int) -> bool:
    """Whether the prior of the free parameter number k vanishes nowhere."""
    t: Poly = {tuple(int(i == family.locals + k) for i in range(family.width)): Fraction(1)}
    return not family.free[k] or is_known_unit(t, family.units)


def least_bounds(bounds: Sequence[PairBounds]) -> PairBounds:
    """Bounds of the least pair over points that are bounded one by one."""
    uppers = [upper for _, upper in bounds if upper is not None]
    return min(lower for lower, _ in bounds), min(uppers) if uppers else None
