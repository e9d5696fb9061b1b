"""Reductions of families without free parameters: the coefficients are constants.

They are the rules of plain germs with one change: a coefficient may be divided by, or decide
anything, only if it is a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy.polys.orderings import grevlex

from rlct.algebra.polynomial import Polynomial, content_and_factors, support, variable_groups
from rlct.engine import limits
from rlct.engine.newton_polyhedra.leaves import encode_programme
from rlct.engine.resolution.family import Family, is_unit, local_terms, reordered, strip
from rlct.engine.step import Step, product_bounds, same_bounds, sum_bounds
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

__all__ = ["floor", "forget", "hull", "monomial", "product", "simplify", "split"]

Operations = list[dict[str, Any]]


def forget(family: Family) -> Step | None:
    """Leave out parameters that no generator involves; what remains is a germ."""
    d = len(family.prior)
    if family.fixed and any(any(m[d:]) for g in family.generators for m in g.itermonoms()):
        return None
    ring = family.ring.clone(symbols=family.names[:d], order=grevlex)
    generators = tuple(ring.from_dict({m[:d]: c for m, c in g.terms()}) for g in family.generators)
    return Step("forget", (Germ(generators, family.prior, True, family.field),), same_bounds)


def monomial(family: Family) -> Proof | None:
    """Generators that are a unit times a monomial in the locals."""
    d = len(family.prior)
    exponents = []
    for g in family.generators:
        terms = local_terms(g, d)
        if len(terms) > 1:
            return None
        ((m, c),) = terms.items()
        if not is_unit(c, family.units):
            return None
        exponents.append(m)
    optimum = monomial_optimum(exponents, family.prior)
    data = encode_programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("monomial", optimum.pair, optimum.pair, data)


def floor(family: Family) -> Pair | None:
    """Lower bound 1/(2D): some generator has degree D, so order at most D, at every point."""
    d = len(family.prior) + len(family.free)
    found = [
        max(sum(m) for m in terms)
        for g in family.generators
        for terms in [local_terms(g, d)]
        if any(is_unit(c, family.units) for c in terms.values())
    ]
    return Pair(Fraction(1, 2 * min(found)), 1) if found else None


def hull(family: Family) -> Proof | None:
    """Bounds from the exponents of the locals alone."""
    lower = floor(family)
    if lower is None:
        return None
    d = len(family.prior)
    exponents = sorted({m[:d] for g in family.generators for m in g.itermonoms()})
    optimum = monomial_optimum(exponents, family.prior)
    data = encode_programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("hull", lower, optimum.pair, data)


def split(family: Family) -> Step | None:
    """Sum rule for generators that share no locals."""
    d = len(family.prior)
    supports = [{i for i in support(g) if i < d} for g in family.generators]
    groups = variable_groups(supports)
    if len(groups) == 1 and len(groups[0]) == d:
        return None
    parts = [
        [g for g, s in zip(family.generators, supports, strict=True) if s <= set(group)]
        for group in groups
    ]
    # Integrals over parameters that several parts share do not multiply.
    shared = sum(any(i >= d for g in part for i in support(g)) for part in parts) > 1
    whole = replace(family, uniform=family.uniform or shared)
    children = [restricted(whole, part, group) for part, group in zip(parts, groups, strict=True)]
    return Step("sum", tuple(children), sum_bounds, {"groups": groups})


def restricted(family: Family, generators: Sequence[Polynomial], group: Sequence[int]) -> Family:
    """Family with some of the locals only."""
    d, names = len(family.prior), family.names
    kept = [names[i] for i in group] + names[d:]
    return Family(
        tuple(reordered(generators, kept)),
        tuple(family.prior[i] for i in group),
        family.free,
        tuple(reordered(family.units, kept)),
        relations=family.moved_relations(kept),
        uniform=family.uniform,
        field=family.field,
    )


def product(family: Family) -> Step | None:
    """A common monomial in locals that the other factors do not involve."""
    d = len(family.prior)
    low = [
        min(column)
        for column in zip(*(m[:d] for g in family.generators for m in g.itermonoms()), strict=True)
    ]
    own = [i for i, e in enumerate(low) if e]
    rest = [
        g.ring.from_dict(
            {(*(a - b for a, b in zip(m, low, strict=False)), *m[d:]): c for m, c in g.terms()}
        )
        for g in family.generators
    ]
    other = sorted({i for g in rest for i in support(g) if i < d})
    if not own or not other or set(own) & set(other):
        return None
    if any(not any(m[:d]) for g in rest for m in g.itermonoms()):
        return None
    ring = family.ring.clone(symbols=[family.names[i] for i in own])
    power_product = ring.from_dict({tuple(low[i] for i in own): ring.domain.one})
    priors = tuple(family.prior[i] for i in own)
    first = Germ((power_product,), priors, True, family.field)
    children = (first, restricted(family, rest, other))
    data = {"factor": low, "groups": [own, other]}
    return Step("product", children, product_bounds, data)


def simplify(family: Family) -> Step | None:
    """Simpler generators of the same ideals, by recorded elementary operations.

    ``divide`` by a unit, ``multiply`` by a unit, ``subtract`` a multiple of another generator.
    """
    generators = list(family.generators)
    operations: Operations = []
    for _ in range(limits.MOST_UNIFORM_PASSES):
        done = len(operations)
        _divide_units(family, generators, operations)
        _subtract_monomials(family, generators, operations)
        _subtract_multiples(generators, operations)
        _cross_out(family, generators, operations)
        if len(operations) == done:
            break
    if not operations:
        return None
    return Step(
        "simplify", (family.with_generators(generators),), same_bounds, {"operations": operations}
    )


def _divide_units(family: Family, generators: list[Polynomial], operations: Operations) -> None:
    d = len(family.prior)
    for i, g in enumerate(generators):
        if not g:
            continue
        unit = _unit_factor(g, d, family.units)
        if unit != unit.ring.one:
            generators[i] = g.exquo(unit)
            operations.append({"divide": i, "by": encode_polynomial(unit)})


def _unit_factor(g: Polynomial, d: int, units: Sequence[Polynomial]) -> Polynomial:
    """A factor of g that is a unit; all of them if g is short."""
    ring = g.ring
    _, rest = strip(g, d)
    terms = local_terms(rest, d)
    constant = terms.get((0,) * d)
    if constant is not None and is_unit(constant, units):
        return rest
    if len(rest) > limits.MOST_UNIT_TERMS:
        return _unit_content(terms.values(), units)
    content, factors = content_and_factors(rest)
    unit = ring.ground_new(content)
    for f, m in factors:
        c = local_terms(f, d).get((0,) * d)
        if c is not None and is_unit(c, units):
            unit *= f**m
    return unit


def _unit_content(coefficients: Iterable[Polynomial], units: Sequence[Polynomial]) -> Polynomial:
    """Units that divide all coefficients, with multiplicity."""
    remaining = sorted(coefficients, key=len)
    unit = remaining[0].ring.one
    for u in units:
        while all(not c.rem(u) for c in remaining):
            remaining = [c.exquo(u) for c in remaining]
            unit *= u
    return unit


def _subtract(
    generators: list[Polynomial], operations: Operations, i: int, j: int, factor: Polynomial
) -> None:
    generators[i] = generators[i] - factor * generators[j]
    operations.append({"subtract": j, "times": encode_polynomial(factor), "from": i})


def _subtract_monomials(
    family: Family, generators: list[Polynomial], operations: Operations
) -> None:
    """Remove every term that is a multiple of a generator that is a monomial."""
    for j, g in enumerate(generators):
        if len(g) != 1:
            continue
        ((lead, coefficient),) = g.terms()
        for i, other in enumerate(generators):
            if i == j:
                continue
            quotient = g.ring.from_dict(
                {
                    tuple(a - b for a, b in zip(m, lead, strict=True)): c / coefficient
                    for m, c in other.terms()
                    if all(a >= b for a, b in zip(m, lead, strict=True))
                }
            )
            if quotient:
                _subtract(generators, operations, i, j, quotient)


def _subtract_multiples(generators: list[Polynomial], operations: Operations) -> None:
    for j, divisor in enumerate(generators):
        if not 1 < len(divisor) <= limits.MOST_UNIFORM_TERMS:
            continue
        for i, g in enumerate(generators):
            if i != j and g:
                quotient, rest = g.div(divisor)
                if not rest:
                    _subtract(generators, operations, i, j, quotient)


def _cross_out(family: Family, generators: list[Polynomial], operations: Operations) -> None:
    """Cancel a lowest term against that of another generator, if that shortens it."""
    d = len(family.prior)
    for j, divisor in enumerate(generators):
        if len(divisor) < 2 or len(divisor) > limits.MOST_UNIFORM_TERMS:
            continue
        terms = local_terms(divisor, d)
        lead = min(terms, key=lambda m: (sum(m), m))
        a = terms[lead]
        if not is_unit(a, family.units):
            continue
        for i, g in enumerate(generators):
            if i == j or not g or len(g) > limits.MOST_UNIFORM_TERMS:
                continue
            here = local_terms(g, d)
            for m, b in here.items():
                if any(x < y for x, y in zip(m, lead, strict=True)):
                    continue
                shift = (*(x - y for x, y in zip(m, lead, strict=True)), *m[d:])
                shift = shift + (0,) * (g.ring.ngens - len(shift))
                common = a.gcd(b)
                scale, factor = a.exquo(common), b.exquo(common)
                factor = factor * g.ring.from_dict({shift: g.ring.domain.one})
                new = scale * g - factor * divisor
                if new and len(local_terms(new, d)) >= len(here):
                    continue
                if scale != scale.ring.one:
                    generators[i] = scale * g
                    operations.append({"multiply": i, "by": encode_polynomial(scale)})
                _subtract(generators, operations, i, j, factor)
                break
