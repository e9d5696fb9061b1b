"""Families of germs: what a blow-up leaves over its exceptional divisor.

The variables of a family are of three kinds, in this order in the ring: *locals*, which vanish
at every point of the family and carry a prior; *free* parameters, which take all real values
(those of a divisor's charts); *fixed* parameters, constants as far as the family goes.
`units` are polynomials in the parameters that vanish at no point of the family.
``theory/blowups.md`` says what the bounds of a family mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import sub

from sympy.polys.orderings import lex

from rlct.algebra.division import without_factor
from rlct.algebra.number_field import NumberField
from rlct.algebra.polynomial import Polynomial, Ring, content_and_factors
from rlct.questions.problem import Germ


@dataclass(frozen=True)
class Family:
    """Ideals near the points of a stratum."""

    #: In one ring: locals, then free, then fixed parameters.  All vanish where the locals do.
    generators: tuple[Polynomial, ...]
    #: Exponents h ≥ 0 of |x|^h, one per local.
    prior: tuple[Fraction, ...]
    #: Exponents h ≥ 0 of the prior, one per free parameter.
    free: tuple[Fraction, ...] = ()
    #: Irreducible, in the parameters only.
    units: tuple[Polynomial, ...] = ()
    #: Polynomials whose zeros were split off, with the units at that time.
    earlier_splits: tuple[tuple[Polynomial, tuple[Polynomial, ...]], ...] = ()
    #: Names of fixed parameters that are algebraic functions of the others, each with the
    #: polynomial of which it is a simple root; it involves no later one.
    relations: tuple[tuple[str, Polynomial], ...] = ()
    #: Whether lower bounds are to be uniform in the fixed parameters.
    uniform: bool = False
    field: NumberField | None = None

    @property
    def ring(self) -> Ring:
        """Ring of the generators."""
        return self.generators[0].ring

    @property
    def names(self) -> list[str]:
        """Names of all variables."""
        return [str(s) for s in self.ring.symbols]

    @property
    def fixed(self) -> int:
        """Number of fixed parameters."""
        return int(self.ring.ngens) - len(self.prior) - len(self.free)

    def with_generators(self, generators: Iterable[Polynomial]) -> Family:
        """Other generators of the same ring, zero ones dropped."""
        return replace(self, generators=tuple(g for g in generators if g), earlier_splits=())

    def moved_relations(self, names: Sequence[str]) -> tuple[tuple[str, Polynomial], ...]:
        """Relations in the ring with other names."""
        roots = [name for name, _ in self.relations]
        images = in_variable_order((r for _, r in self.relations), names)
        return tuple(zip(roots, images, strict=True))


def family_of_germ(germ: Germ) -> Family:
    """Ideal without parameters."""
    names = [str(s) for s in germ.ring.symbols]
    return Family(tuple(in_variable_order(germ.generators, names)), germ.prior, field=germ.field)


@lru_cache(maxsize=20_000)
def local_terms(g: Polynomial, locals_: int) -> Mapping[tuple[int, ...], Polynomial]:
    """Exponents of the locals to coefficients, which are polynomials in the parameters."""
    parts: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    zero = (0,) * locals_
    for m, c in g.terms():
        parts.setdefault(m[:locals_], {})[(*zero, *m[locals_:])] = c
    return {m: g.new(part) for m, part in parts.items()}


def weighted_initial_form(g: Polynomial, weights: Sequence[Fraction]) -> Polynomial:
    """Terms of least weighted degree; weights are those of the first variables."""
    orders = {m: sum(w * e for w, e in zip(weights, m, strict=False)) for m in g.itermonoms()}
    least = min(orders.values())
    return g.ring.from_dict({m: c for m, c in g.terms() if orders[m] == least})


@lru_cache(maxsize=20_000)
def is_unit(c: Polynomial, units: tuple[Polynomial, ...]) -> bool:
    """Whether a polynomial in the parameters vanishes nowhere, by division with the units."""
    for unit in units:
        c = without_factor(c, unit)
    return bool(c) and bool(c.is_ground)


def vanishing_priors(family: Family) -> list[int]:
    """Indices of the free parameters whose prior may vanish somewhere."""
    d = len(family.prior)
    return [
        d + k
        for k, h in enumerate(family.free)
        if h and not is_unit(family.ring.gens[d + k], family.units)
    ]


def non_units(c: Polynomial, units: Sequence[Polynomial]) -> list[Polynomial]:
    """Irreducible factors that are not among the units."""
    return [f for f, _ in content_and_factors(c)[1] if not is_unit(f, units)]


def strip_monomial(g: Polynomial, locals_: int) -> tuple[tuple[int, ...], Polynomial]:
    """Exponents of the largest monomial in the locals that divides g, and the quotient."""
    least = tuple(
        min(column) for column in zip(*(m[:locals_] for m in g.itermonoms()), strict=True)
    )
    if not any(least):
        return least, g
    shift = (*least, *((0,) * (g.ring.ngens - locals_)))
    return least, g.new({tuple(map(sub, m, shift)): c for m, c in g.iterterms()})


def substitute_fraction(
    g: Polynomial, i: int, numerator: Polynomial, denominator: Polynomial
) -> Polynomial:
    """G with x_i = numerator/denominator, times denominator^(degree of g in x_i)."""
    ring = g.ring
    parts: dict[int, dict[tuple[int, ...], object]] = {}
    for m, c in g.terms():
        parts.setdefault(m[i], {})[(*m[:i], 0, *m[i + 1 :])] = c
    total = ring.zero
    top = max(parts)
    for e in range(top, -1, -1):
        # Horner: total·numerator + part·denominator^(top − e).
        total = total * numerator
        if e in parts:
            total += ring.from_dict(parts[e]) * denominator ** (top - e)
    return total


def in_variable_order(
    polynomials: Iterable[Polynomial], names: Sequence[str]
) -> Iterator[Polynomial]:
    """Polynomials in a ring with the same variables in another order, or with more of them."""
    ring: Ring | None = None
    for p in polynomials:
        # The lexicographic order is the fastest one, and no other is needed here.
        ring = ring or p.ring.clone(symbols=names, order=lex)
        if p.ring == ring:
            yield p
            continue
        old_places = {str(s): k for k, s in enumerate(p.ring.symbols)}
        places = [old_places.get(name) for name in names]
        yield ring.zero.new(
            {tuple(0 if k is None else m[k] for k in places): c for m, c in p.iterterms()}
        )


def at_integers(p: Polynomial, first: int, point: Sequence[int]) -> Polynomial:
    """P at integer values of the variables from index `first` on, in the same ring."""
    last = first + len(point)
    domain = p.ring.domain
    terms: dict[tuple[int, ...], object] = {}
    for m, c in p.terms():
        value = c * prod(domain(v) ** e for v, e in zip(point, m[first:last], strict=True))
        key = (*m[:first], *([0] * len(point)), *m[last:])
        terms[key] = terms.get(key, domain.zero) + value
    return p.ring.from_dict({m: c for m, c in terms.items() if c})
