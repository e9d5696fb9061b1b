"""Reductions of families without free parameters: the coefficients are constants.

They are the rules of plain germs with one change: a coefficient may be divided by, or decide
anything, only if it is a unit.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add, sub
from typing import Any

from sympy.polys.orderings import grevlex

from rlct.algebra.division import exact_quotient, without_factor
from rlct.algebra.polynomial import Polynomial, content_and_factors, support, variable_groups
from rlct.engine import limits
from rlct.engine.germs.family import (
    Family,
    in_variable_order,
    is_unit,
    local_terms,
    strip_monomial,
)
from rlct.engine.germs.leaves import encode_programme
from rlct.engine.germs.simplify import (
    subtract_monomials,
    subtract_multiple,
    subtract_multiples,
)
from rlct.engine.germs.step import Step, product_bounds, same_bounds, sum_bounds
from rlct.newton.linear_program import monomial_optimum
from rlct.pair import Pair
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Operations = list[dict[str, Any]]


def forget_parameters(family: Family) -> Step | None:
    """The bounds are those of the germ of the same generators.

    If no generator involves a parameter (``theory/blowups.md``, Families).
    """
    d = len(family.prior)
    if family.fixed and any(any(m[d:]) for g in family.generators for m in g.itermonoms()):
        return None
    ring = family.ring.clone(symbols=family.names[:d], order=grevlex)
    generators = tuple(ring.from_dict({m[:d]: c for m, c in g.terms()}) for g in family.generators)
    return Step("forget", (Germ(generators, family.prior, True, family.field),), same_bounds)


def monomial_of_family(family: Family) -> Proof | None:
    """Both bounds are the optimum of the linear programme of the exponents.

    If every generator is a unit times a monomial in the locals (``theory/newton.md``).
    """
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


def order_bound(family: Family) -> Pair | None:
    """Lower bound (1/(2D), 1), D the degree of a generator in locals and free parameters.

    If one of its coefficients is a unit: then its order is at most D at every point
    (``theory/blowups.md``, Strata).
    """
    d = len(family.prior) + len(family.free)
    degrees = [
        max(sum(m) for m in terms)
        for g in family.generators
        for terms in [local_terms(g, d)]
        if any(is_unit(c, family.units) for c in terms.values())
    ]
    return Pair(Fraction(1, 2 * min(degrees)), 1) if degrees else None


def hull_of_family(family: Family) -> Proof | None:
    """From above the linear programme of the exponents of the locals, from below `order_bound`.

    Coefficients need not be units: |g| is at most a multiple of the sum of its monomials
    (``theory/certificates.md``, hull).
    """
    lower = order_bound(family)
    if lower is None:
        return None
    d = len(family.prior)
    exponents = sorted({m[:d] for g in family.generators for m in g.itermonoms()})
    optimum = monomial_optimum(exponents, family.prior)
    data = encode_programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("hull", lower, optimum.pair, data)


def split_family(family: Family) -> Step | None:
    """The pair is the sum of the pairs of the parts: λ = Σ λ_k, θ − 1 = Σ (θ_k − 1).

    If no local is in two parts; lower bounds of the parts are uniform in the fixed parameters where
    two parts involve parameters (``theory/blowups.md``, Families).
    """
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
    parent = replace(family, uniform=family.uniform or shared)
    children = [restricted(parent, part, group) for part, group in zip(parts, groups, strict=True)]
    return Step("sum", tuple(children), sum_bounds, {"groups": groups})


def restricted(family: Family, generators: Sequence[Polynomial], group: Sequence[int]) -> Family:
    """Family with some of the locals only."""
    d, names = len(family.prior), family.names
    moved_names = [names[i] for i in group] + names[d:]
    return Family(
        tuple(in_variable_order(generators, moved_names)),
        tuple(family.prior[i] for i in group),
        family.free,
        tuple(in_variable_order(family.units, moved_names)),
        relations=family.moved_relations(moved_names),
        uniform=family.uniform,
        field=family.field,
    )


def product_of_family(family: Family) -> Step | None:
    """The pair of the ideal (x^m·g_k) is the least of those of x^m and (g_k); equal λ add their θ.

    If no g_k involves a local of x^m, and all g_k vanish with the locals
    (``theory/conventions.md``, Product).
    """
    d = len(family.prior)
    exponents = [
        min(column)
        for column in zip(*(m[:d] for g in family.generators for m in g.itermonoms()), strict=True)
    ]
    own_locals = [i for i, e in enumerate(exponents) if e]
    other_factors = [
        g.ring.from_dict(
            {
                (*(a - b for a, b in zip(m, exponents, strict=False)), *m[d:]): c
                for m, c in g.terms()
            }
        )
        for g in family.generators
    ]
    other_locals = sorted({i for g in other_factors for i in support(g) if i < d})
    if not own_locals or not other_locals or set(own_locals) & set(other_locals):
        return None
    if any(not any(m[:d]) for g in other_factors for m in g.itermonoms()):
        return None
    ring = family.ring.clone(symbols=[family.names[i] for i in own_locals])
    power_product = ring.from_dict({tuple(exponents[i] for i in own_locals): ring.domain.one})
    priors = tuple(family.prior[i] for i in own_locals)
    monomial_germ = Germ((power_product,), priors, True, family.field)
    children = (monomial_germ, restricted(family, other_factors, other_locals))
    data = {"factor": exponents, "groups": [own_locals, other_locals]}
    return Step("product", children, product_bounds, data)


def simplify_family(family: Family) -> Step | None:
    """The bounds are those of simpler generators of the same ideal.

    If each is multiplied or divided by a unit, or loses a multiple of another generator
    (``theory/blowups.md``, Families); these operations are recorded.
    """
    generators = list(family.generators)
    operations: Operations = []
    for _ in range(limits.MOST_UNIFORM_PASSES):
        done = len(operations)
        _divide_units(family, generators, operations)
        subtract_monomials(generators, operations)
        subtract_multiples(generators, operations, limits.MOST_UNIFORM_TERMS)
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
            generators[i] = exact_quotient(g, unit)
            operations.append({"divide": i, "by": encode_polynomial(unit)})


def _unit_factor(g: Polynomial, d: int, units: tuple[Polynomial, ...]) -> Polynomial:
    """A factor of g that is a unit; all of them if g is short."""
    ring = g.ring
    _, quotient = strip_monomial(g, d)
    terms = local_terms(quotient, d)
    constant = terms.get((0,) * d)
    if constant is not None and is_unit(constant, units):
        return quotient
    if len(quotient) > limits.MOST_UNIT_TERMS:
        return exact_quotient(quotient, reduce(without_factor, units, quotient))
    content, factors = content_and_factors(quotient)
    unit = ring.ground_new(content)
    for f, m in factors:
        c = local_terms(f, d).get((0,) * d)
        if c is not None and is_unit(c, units):
            unit *= f**m
    return unit


def _cross_out(family: Family, generators: list[Polynomial], operations: Operations) -> None:
    """Cancel a lowest term against that of another generator, if that shortens it."""
    d = len(family.prior)
    for j, divisor in enumerate(generators):
        if len(divisor) < 2 or len(divisor) > limits.MOST_UNIFORM_TERMS:
            continue
        terms = local_terms(divisor, d)
        lead_exponents = min(terms, key=lambda m: (sum(m), m))
        a = terms[lead_exponents]
        if not is_unit(a, family.units):
            continue
        for i, g in enumerate(generators):
            if i == j or not g or len(g) > limits.MOST_UNIFORM_TERMS:
                continue
            terms_of_g = local_terms(g, d)
            for m, b in terms_of_g.items():
                if any(x < y for x, y in zip(m, lead_exponents, strict=True)):
                    continue
                shift = tuple(map(sub, m, lead_exponents))
                # Terms that only one of the two has remain.
                if 2 * sum(tuple(map(add, n, shift)) in terms_of_g for n in terms) <= len(terms):
                    continue
                common = a.gcd(b)
                scale, factor = exact_quotient(a, common), exact_quotient(b, common)
                zero = (0,) * (g.ring.ngens - d)
                factor = factor * g.ring.from_dict({(*shift, *zero): g.ring.domain.one})
                shortened = scale * g - factor * divisor
                if shortened and len(local_terms(shortened, d)) >= len(terms_of_g):
                    continue
                if scale != scale.ring.one:
                    generators[i] = scale * g
                    operations.append({"multiply": i, "by": encode_polynomial(scale)})
                subtract_multiple(generators, operations, i, j, factor)
                break
