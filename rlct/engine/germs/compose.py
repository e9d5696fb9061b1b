"""Coordinates that are not linear in the variable they replace."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from rlct.algebra.polynomial import Polynomial, content_and_factors, support
from rlct.engine import limits
from rlct.engine.germs import algebraic
from rlct.engine.germs.coordinate import family_complexity, repeated_on_planes
from rlct.engine.germs.family import Family, is_unit, local_terms, strip_monomial
from rlct.engine.germs.rule import RuleTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial, encode_polynomials


@germ_rule("compose", traits=RuleTrait.MOVES)
def curved_coordinate(family: Family) -> Step | None:
    """The bounds of generators G(x, b) are those of G(x, x_i); G is recorded.

    If b vanishes with the locals, ∂b/∂x_i is a unit there, x_i has no prior, and no other x_i is in
    G (``theory/blowups.md``, Coordinates).  The b are factors of generators, and repeated ones of
    their restrictions.  The step may also be that a coefficient is a unit, which b needs first.
    """
    size_before = family_complexity(family)
    best_step: tuple[tuple[int, int], Step] | None = None
    for i, a, b in islice(_coordinates(family), limits.MOST_COMPOSE_CANDIDATES):
        if not is_unit(a, family.units):
            unit = algebraic.unit_by_relations(family, a)
            if isinstance(unit, Step):
                return unit
            continue
        images = [_in_terms_of(family, g, i, b) for g in family.generators]
        generators = [outer_g for outer_g in images if outer_g is not None]
        if len(generators) < len(images):
            continue
        child = family.with_generators(generators)
        size_after = family_complexity(child)
        if size_after >= size_before or (best_step is not None and size_after >= best_step[0]):
            continue
        data: dict[str, Any] = {
            "variable": i,
            "coordinate": encode_polynomial(b),
            "generators": encode_polynomials(generators),
        }
        if family.relations:
            x = family.ring.gens[i]
            pairs = zip(generators, family.generators, strict=True)
            multiples = [
                algebraic.relation_multiples(family, outer_g.compose(x, b) - g)
                for outer_g, g in pairs
            ]
            data["multiples"] = [encode_polynomials(row) for row in multiples]
        best_step = size_after, Step("compose", (child,), same_bounds, data)
    return best_step and best_step[1]


def _coordinates(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors b with a linear term a·x_i."""
    d = len(family.prior)
    tried_factors = set()
    for g in family.generators:
        _, quotient = strip_monomial(g, d)
        if not 2 < len(quotient) <= limits.MOST_COMPOSE_TERMS:
            continue
        for f in [
            *(f for f, _ in content_and_factors(quotient)[1]),
            *repeated_on_planes(family, quotient),
        ]:
            terms = local_terms(f, d)
            if f in tried_factors or len(terms) < 2 or (0,) * d in terms:
                continue
            tried_factors.add(f)
            for i in range(d):
                a = terms.get(tuple(int(k == i) for k in range(d)))
                if a is not None and not family.prior[i]:
                    yield i, a, f


def _in_terms_of(family: Family, g: Polynomial, i: int, b: Polynomial) -> Polynomial | None:
    """G with G(x_i = b) = g and no other x_i, if division by b gives this form."""
    if i not in support(g):
        return g
    involved, d = support(b), len(family.prior)
    parts: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
    for m, c in g.terms():
        outside_exponents = tuple(e if k < d and k not in involved else 0 for k, e in enumerate(m))
        inside_exponents = tuple(e - o for e, o in zip(m, outside_exponents, strict=True))
        parts.setdefault(outside_exponents, {})[inside_exponents] = c
    total, x = g.ring.zero, g.ring.gens[i]
    for outside_exponents, part in parts.items():
        inner_part, exponent = g.ring.from_dict(part), 0
        while i in support(inner_part):
            quotient = algebraic.quotient_over_roots(family, inner_part, b, i)
            if quotient is None:
                return None
            inner_part, exponent = quotient, exponent + 1
        total += inner_part * g.ring.from_dict({outside_exponents: g.ring.domain.one}) * x**exponent
    return total
