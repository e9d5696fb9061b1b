"""Polynomials where relations hold: units, factors and quotients over algebraic functions."""

from dataclasses import replace
from typing import Any

from rlct.algebra.division import exact_quotient
from rlct.algebra.factoring import perfect_power
from rlct.algebra.modular_images import squarefree_in
from rlct.algebra.polynomial import Polynomial, content_and_factors, support, total_degree
from rlct.engine import limits
from rlct.engine.germs.family import Family, is_unit, non_units, strip_monomial
from rlct.engine.germs.function_field import RootExtension, bezout_identity, coefficient
from rlct.engine.germs.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial, encode_polynomials


def unit_by_relations(family: Family, c: Polynomial) -> Step | Polynomial | None:
    """A polynomial c in the parameters is one more unit; the bounds stay.

    If A·c + Σ B_k·r_k is a unit, r_k the relations (``theory/blowups.md``, Algebraic functions).
    Else a factor of a resultant, without algebraic functions, that should be a unit for that; None
    if c may vanish together with a relation, or if there are no relations.
    """
    if not family.relations:
        return None
    combination = elimination_identity(family, c)
    if combination is None or not is_unit(combination[1], family.units):
        combination = _by_units(family, c) or combination
    if combination is None:
        return None
    cofactors, value = combination
    if is_unit(value, family.units):
        data = {"polynomial": encode_polynomial(c), "cofactors": encode_polynomials(cofactors)}
        return Step(
            "unit",
            (replace(family, units=(*family.units, c), earlier_splits=()),),
            same_bounds,
            data,
        )
    return min(non_units(value, family.units), key=lambda f: (total_degree(f), len(f)))


def _by_units(family: Family, c: Polynomial) -> tuple[list[Polynomial], Polynomial] | None:
    """A·c + B·r = a product of units, by division modulo the relation that c involves."""
    index = _only_root(family, c)
    if index is None:
        return None
    ring, field = family.ring, _extension(family, index)
    unit_quotient, units = c, ring.one
    for unit in family.units:
        common = (support(unit) & support(c)) - {field.root}
        if not common or not support(unit) - {field.root} <= support(c):
            continue
        i = min(common)
        divisor = field.normal(unit, i)
        while unit_quotient.degree(ring.gens[i]) >= divisor.degree(ring.gens[i]) > 0:
            quotient, remainder = field.divide(unit_quotient, divisor, i)
            if remainder:
                break
            unit_quotient, units = quotient, units * unit
    if units.is_ground or not is_unit(unit_quotient, family.units):
        return None
    # c = κ·units·unit_quotient in the field; κ is the quotient of any two coefficients.
    i = min(support(units) - {field.root})
    unit_multiple = units * unit_quotient
    lead_c, lead_m = (field.reduced(p)[0] for p in (c, unit_multiple))
    lead_c, lead_m = (coefficient(p, i, int(p.degree(ring.gens[i]))) for p in (lead_c, lead_m))
    if field.root in support(lead_c):
        combination = bezout_identity(lead_c, field.relation, field.root)
        if combination is None:
            return None
        lead_m, lead_c = combination[0] * lead_m, combination[2]
    difference = lead_m * c - lead_c * unit_multiple
    quotient, remainder = difference.div(field.relation)
    if remainder:
        return None
    cofactors = [lead_m] + [ring.zero] * len(family.relations)
    cofactors[index + 1] = -quotient
    return cofactors, lead_c * unit_multiple


def factor(family: Family, g: Polynomial) -> Polynomial | None:
    """A proper factor of g over the algebraic function that it involves, not yet a unit."""
    index = _only_root(family, g)
    d, m = len(family.prior), len(family.free)
    if index is None:
        return None
    field = _extension(family, index)
    for i in sorted(support(g) & set(range(d, d + m))):
        factors = field.factors(g, i)
        if len(factors) == 1 and factors[0].degree(g.ring.gens[i]) == g.degree(g.ring.gens[i]):
            continue
        for f in sorted(factors, key=lambda f: (total_degree(f), len(f))):
            if not is_unit(f, family.units):
                return f
    return None


def repeated_factors(family: Family, p: Polynomial) -> list[Polynomial]:
    """Products of the repeated factors in one local, over the algebraic function involved."""
    index = _only_root(family, p)
    if index is None:
        return []
    field, repeated_products = _extension(family, index), []
    for i in sorted(support(p) & set(range(len(family.prior)))):
        if squarefree_in(p, i, field.root, field.relation):
            continue
        x = p.ring.gens[i]
        common = field.gcd(p, p.diff(x), i)
        if common.degree(x) > 0:
            twice = field.gcd(common, common.diff(x), i)
            repeated_products.append(field.normal(field.divide(common, twice, i)[0], i))
    return repeated_products


def quotient_over_roots(family: Family, p: Polynomial, q: Polynomial, i: int) -> Polynomial | None:
    """p/q where the relations hold; None if it leaves a remainder, or q is not monic in x_i."""
    whole_quotient, remainder = p.div(q)
    if not remainder:
        return whole_quotient
    index = _only_root(family, p * q)
    if index is None:
        return None
    field = _extension(family, index)
    lead = coefficient(q, i, int(q.degree(q.ring.gens[i])))
    if not lead.is_ground or not field.monic:
        return None
    scale = lead.ring.domain.one / lead.LC
    scaled_quotient, remainder = field.divide(p, q * scale, i)
    return None if remainder else scaled_quotient * scale


def relation_multiples(family: Family, p: Polynomial) -> list[Polynomial]:
    """The p_k of p = Σ p_k·r_k, for p that vanishes where the relations hold."""
    relation_parts = []
    for _, relation in reversed(family.relations):
        part, p = p.div(relation)
        relation_parts.append(part)
    assert not p
    return relation_parts[::-1]


def _only_root(family: Family, c: Polynomial) -> int | None:
    """The relation whose root c involves, if there is one, and it involves no other root."""
    names = family.names
    indices = [k for k, (name, _) in enumerate(family.relations) if names.index(name) in support(c)]
    if len(indices) != 1:
        return None
    (index,) = indices
    relation = family.relations[index][1]
    others = {names.index(name) for k, (name, _) in enumerate(family.relations) if k != index}
    return None if others & support(relation) else index


def _extension(family: Family, index: int) -> RootExtension:
    name, relation = family.relations[index]
    root = family.names.index(name)
    lead = coefficient(relation, root, int(relation.degree(relation.ring.gens[root])))
    one = relation.ring.domain.one
    return RootExtension(relation * (one / lead.LC) if lead.is_ground else relation, root)


def elimination_identity(
    family: Family, c: Polynomial
) -> tuple[list[Polynomial], Polynomial] | None:
    """A·c + Σ B_k·r_k = R ≠ 0 without algebraic functions: ([A, B_1, …], R)."""
    ring, names = family.ring, family.names
    value, cofactors = c, [ring.one] + [ring.zero] * len(family.relations)
    for k in reversed(range(len(family.relations))):
        name, relation = family.relations[k]
        i = names.index(name)
        if i not in support(value):
            continue
        combination = bezout_identity(value, relation, i)
        if combination is None:
            return None
        a, b, value = combination
        cofactors = [a * p for p in cofactors]
        cofactors[k + 1] += b
    return cofactors, value


def _parts(g: Polynomial, family: Family) -> tuple[Any, tuple[tuple[Polynomial, int], ...]]:
    """Factors whose powers stay as they are; over a number field only those that are cheap."""
    if family.field is None:
        return content_and_factors(g)
    exponents, quotient = strip_monomial(g, g.ring.ngens)
    variables = [(x, e) for x, e in zip(g.ring.gens, exponents, strict=True) if e]
    root, k = perfect_power(quotient.monic()) or (quotient.monic(), 1)
    return g.LC, (*variables, (root, k))


def reduce_powers(family: Family, whole_generators: bool = False) -> Step | None:
    """The bounds are those of generators of lower degree in the algebraic functions.

    If each is a unit times the old one, minus a multiple of a relation (``theory/blowups.md``,
    Algebraic functions).  Factors over Q are reduced one by one, unless `whole_generators` is set:
    powers and products could no longer be recognised.
    """
    operations: list[dict[str, Any]] = []
    generators = list(family.generators)
    for k in reversed(range(len(family.relations))):
        field = _extension(family, k)
        x = family.ring.gens[field.root]
        n = int(field.relation.degree(x))
        leading_coefficient = coefficient(field.relation, field.root, n)
        for index, g in enumerate(generators):
            if g.degree(x) < n:
                continue
            split = not whole_generators and len(g) <= limits.MOST_ALGEBRAIC_TERMS
            content, factors = _parts(g, family) if split else (family.ring.domain.one, ((g, 1),))
            if all(f.degree(x) < n for f, _ in factors):
                continue
            reduced_generator, steps = family.ring.ground_new(content), 0
            for f, e in factors:
                image, count = field.reduced(f)
                reduced_generator, steps = reduced_generator * image**e, steps + count * e
            scale = leading_coefficient**steps
            if not scale.is_ground:
                operations.append({"multiply": index, "by": encode_polynomial(scale)})
            times = exact_quotient(scale * g - reduced_generator, family.relations[k][1])
            data = {"reduce": index, "by": k, "times": encode_polynomial(times)}
            operations.append(data)
            generators[index] = reduced_generator
    if not operations:
        return None
    return Step(
        "simplify", (family.with_generators(generators),), same_bounds, {"operations": operations}
    )
