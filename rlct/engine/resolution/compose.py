"""Coordinates that are not linear in the variable they replace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from rlct.algebra.polynomial import Polynomial, content_and_factors, support
from rlct.engine import limits
from rlct.engine.resolution import algebraic
from rlct.engine.resolution.coordinate import complexity, repeated
from rlct.engine.resolution.family import Family, is_unit, local_terms, strip
from rlct.engine.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial, encode_polynomials

__all__ = ["compose"]


def compose(family: Family) -> Step | None:
    """A factor b that is a coordinate, where it is all that the generators have of x_i.

    The factors are those of generators, and repeated ones of their restrictions.  If the
    generators are G(x, b), then G(x, x_i) has the same pair; G is recorded.  The step may also
    be that a coefficient is a unit, which had to be known first.
    """
    before = complexity(family)
    best: tuple[tuple[int, int], Step] | None = None
    for i, a, b in islice(_coordinates(family), limits.MOST_COMPOSE_CANDIDATES):
        if not is_unit(a, family.units):
            unit = algebraic.settle(family, a)
            if isinstance(unit, Step):
                return unit
            continue
        found = [_in_terms_of(family, g, i, b) for g in family.generators]
        generators = [outer for outer in found if outer is not None]
        if len(generators) < len(found):
            continue
        child = family.with_generators(generators)
        after = complexity(child)
        if after >= before or (best is not None and after >= best[0]):
            continue
        data: dict[str, Any] = {
            "variable": i,
            "coordinate": encode_polynomial(b),
            "generators": encode_polynomials(generators),
        }
        if family.relations:
            x = family.ring.gens[i]
            pairs = zip(generators, family.generators, strict=True)
            multiples = [algebraic.multiples(family, outer.compose(x, b) - g) for outer, g in pairs]
            data["multiples"] = [encode_polynomials(row) for row in multiples]
        best = after, Step("compose", (child,), same_bounds, data)
    return best and best[1]


def _coordinates(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors b with a linear term a·x_i."""
    d = len(family.prior)
    seen = set()
    for g in family.generators:
        _, rest = strip(g, d)
        if not 2 < len(rest) <= limits.MOST_COMPOSE_TERMS:
            continue
        for f in [*(f for f, _ in content_and_factors(rest)[1]), *repeated(family, rest)]:
            terms = local_terms(f, d)
            if f in seen or len(terms) < 2 or (0,) * d in terms:
                continue
            seen.add(f)
            for i in range(d):
                a = terms.get(tuple(int(k == i) for k in range(d)))
                if a is not None and not family.prior[i]:
                    yield i, a, f


def _in_terms_of(family: Family, g: Polynomial, i: int, b: Polynomial) -> Polynomial | None:
    """G with G(x_i = b) = g and no other x_i, if g is seen to be of this form."""
    if i not in support(g):
        return g
    involved, d = support(b), len(family.prior)
    parts: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for m, c in g.terms():
        outside = tuple(e if k < d and k not in involved else 0 for k, e in enumerate(m))
        inside = tuple(e - o for e, o in zip(m, outside, strict=True))
        parts.setdefault(outside, {})[inside] = c
    total, x = g.ring.zero, g.ring.gens[i]
    for outside, part in parts.items():
        rest, exponent = g.ring.from_dict(part), 0
        while i in support(rest):
            quotient = algebraic.quotient(family, rest, b, i)
            if quotient is None:
                return None
            rest, exponent = quotient, exponent + 1
        total += rest * g.ring.from_dict({outside: g.ring.domain.one}) * x**exponent
    return total
