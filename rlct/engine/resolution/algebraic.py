"""Polynomials where relations hold: units, factors and quotients over algebraic functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rlct.algebra.factoring import perfect_power
from rlct.algebra.modular_images import squarefree_in
from rlct.algebra.polynomial import Polynomial, content_and_factors, support, total_degree
from rlct.engine import limits
from rlct.engine.resolution.family import Family, is_unit, non_units, strip
from rlct.engine.resolution.function_field import Extension, bezout, coefficient
from rlct.engine.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial, encode_polynomials

__all__ = [
    "factor",
    "identity",
    "multiples",
    "quotient",
    "reduced",
    "repeated_factors",
    "settle",
]


def settle(family: Family, c: Polynomial) -> Step | Polynomial | None:
    """Whether a polynomial in the parameters is a unit because of the relations.

    Returns
    -------
    Step
        The family with c as one more unit.
    Polynomial
        A factor of a resultant, without algebraic functions, that should be a unit for that.
    None
        If c may vanish together with a relation, or if there are no relations.
    """
    if not family.relations:
        return None
    found = identity(family, c)
    if found is None or not is_unit(found[1], family.units):
        found = _by_units(family, c) or found
    if found is None:
        return None
    cofactors, value = found
    if is_unit(value, family.units):
        data = {"polynomial": encode_polynomial(c), "cofactors": encode_polynomials(cofactors)}
        return Step(
            "unit", (replace(family, units=(*family.units, c), seen=()),), same_bounds, data
        )
    return min(non_units(value, family.units), key=lambda f: (total_degree(f), len(f)))


def _by_units(family: Family, c: Polynomial) -> tuple[list[Polynomial], Polynomial] | None:
    """A·c + B·r = a product of units, by division modulo the relation that c involves."""
    place = _only_root(family, c)
    if place is None:
        return None
    ring, field = family.ring, _extension(family, place)
    rest, units = c, ring.one
    for unit in family.units:
        common = (support(unit) & support(c)) - {field.root}
        if not common or not support(unit) - {field.root} <= support(c):
            continue
        i = min(common)
        divisor = field.normal(unit, i)
        while rest.degree(ring.gens[i]) >= divisor.degree(ring.gens[i]) > 0:
            quotient, remainder = field.divide(rest, divisor, i)
            if remainder:
                break
            rest, units = quotient, units * unit
    if units.is_ground or not is_unit(rest, family.units):
        return None
    # c = κ·units·rest in the field; κ is the quotient of any two coefficients.
    i = min(support(units) - {field.root})
    whole = units * rest
    top, low = (field.reduced(p)[0] for p in (c, whole))
    top, low = (coefficient(p, i, int(p.degree(ring.gens[i]))) for p in (top, low))
    if field.root in support(top):
        found = bezout(top, field.relation, field.root)
        if found is None:
            return None
        low, top = found[0] * low, found[2]
    difference = low * c - top * whole
    quotient, remainder = difference.div(field.relation)
    if remainder:
        return None
    cofactors = [low] + [ring.zero] * len(family.relations)
    cofactors[place + 1] = -quotient
    return cofactors, top * whole


def factor(family: Family, g: Polynomial) -> Polynomial | None:
    """A proper factor of g over the algebraic function that it involves, not yet a unit."""
    place = _only_root(family, g)
    d, m = len(family.prior), len(family.free)
    if place is None:
        return None
    field = _extension(family, place)
    for i in sorted(support(g) & set(range(d, d + m))):
        found = field.factors(g, i)
        if len(found) == 1 and found[0].degree(g.ring.gens[i]) == g.degree(g.ring.gens[i]):
            continue
        for f in sorted(found, key=lambda f: (total_degree(f), len(f))):
            if not is_unit(f, family.units):
                return f
    return None


def repeated_factors(family: Family, p: Polynomial) -> list[Polynomial]:
    """Products of the repeated factors in one local, over the algebraic function involved."""
    place = _only_root(family, p)
    if place is None:
        return []
    field, found = _extension(family, place), []
    for i in sorted(support(p) & set(range(len(family.prior)))):
        if squarefree_in(p, i, field.root, field.relation):
            continue
        x = p.ring.gens[i]
        common = field.gcd(p, p.diff(x), i)
        if common.degree(x) > 0:
            twice = field.gcd(common, common.diff(x), i)
            found.append(field.normal(field.divide(common, twice, i)[0], i))
    return found


def quotient(family: Family, p: Polynomial, q: Polynomial, i: int) -> Polynomial | None:
    """p/q where the relations hold; None if it leaves a remainder, or q is not monic in x_i."""
    exact, rest = p.div(q)
    if not rest:
        return exact
    place = _only_root(family, p * q)
    if place is None:
        return None
    field = _extension(family, place)
    lead = coefficient(q, i, int(q.degree(q.ring.gens[i])))
    if not lead.is_ground or not field.monic:
        return None
    scale = lead.ring.domain.one / lead.LC
    found, rest = field.divide(p, q * scale, i)
    return None if rest else found * scale


def multiples(family: Family, p: Polynomial) -> list[Polynomial]:
    """The p_k of p = Σ p_k·r_k, for p that vanishes where the relations hold."""
    found = []
    for _, relation in reversed(family.relations):
        part, p = p.div(relation)
        found.append(part)
    assert not p
    return found[::-1]


def _only_root(family: Family, c: Polynomial) -> int | None:
    """The relation whose root c involves, if there is one, and it involves no other root."""
    names = family.names
    places = [k for k, (name, _) in enumerate(family.relations) if names.index(name) in support(c)]
    if len(places) != 1:
        return None
    (place,) = places
    relation = family.relations[place][1]
    others = {names.index(name) for k, (name, _) in enumerate(family.relations) if k != place}
    return None if others & support(relation) else place


def _extension(family: Family, place: int) -> Extension:
    name, relation = family.relations[place]
    root = family.names.index(name)
    lead = coefficient(relation, root, int(relation.degree(relation.ring.gens[root])))
    one = relation.ring.domain.one
    return Extension(relation * (one / lead.LC) if lead.is_ground else relation, root)


def identity(family: Family, c: Polynomial) -> tuple[list[Polynomial], Polynomial] | None:
    """A·c + Σ B_k·r_k = R ≠ 0 without algebraic functions: ([A, B_1, …], R)."""
    ring, names = family.ring, family.names
    value, cofactors = c, [ring.one] + [ring.zero] * len(family.relations)
    for k in reversed(range(len(family.relations))):
        name, relation = family.relations[k]
        i = names.index(name)
        if i not in support(value):
            continue
        found = bezout(value, relation, i)
        if found is None:
            return None
        a, b, value = found
        cofactors = [a * p for p in cofactors]
        cofactors[k + 1] += b
    return cofactors, value


def _parts(g: Polynomial, family: Family) -> tuple[Any, tuple[tuple[Polynomial, int], ...]]:
    """Factors whose powers are to be kept; over a number field only those that are cheap."""
    if family.field is None:
        return content_and_factors(g)
    low, rest = strip(g, g.ring.ngens)
    variables = [(x, e) for x, e in zip(g.ring.gens, low, strict=True) if e]
    root, k = perfect_power(rest.monic()) or (rest.monic(), 1)
    return g.LC, (*variables, (root, k))


def reduced(family: Family, whole: bool = False) -> Step | None:
    """Generators with lower powers of the algebraic functions.

    Their factors over Q are reduced one by one, unless `whole` is set: powers and products could
    no longer be seen as such.
    """
    operations: list[dict[str, Any]] = []
    generators = list(family.generators)
    for k in reversed(range(len(family.relations))):
        field = _extension(family, k)
        x = family.ring.gens[field.root]
        n = int(field.relation.degree(x))
        lead = coefficient(field.relation, field.root, n)
        for index, g in enumerate(generators):
            if g.degree(x) < n:
                continue
            split = not whole and len(g) <= limits.MOST_ALGEBRAIC_TERMS
            content, factors = _parts(g, family) if split else (family.ring.domain.one, ((g, 1),))
            if all(f.degree(x) < n for f, _ in factors):
                continue
            new, steps = family.ring.ground_new(content), 0
            for f, e in factors:
                image, count = field.reduced(f)
                new, steps = new * image**e, steps + count * e
            scale = lead**steps
            if not scale.is_ground:
                operations.append({"multiply": index, "by": encode_polynomial(scale)})
            times = (scale * g - new).exquo(family.relations[k][1])
            data = {"reduce": index, "by": k, "times": encode_polynomial(times)}
            operations.append(data)
            generators[index] = new
    if not operations:
        return None
    return Step(
        "simplify", (family.with_generators(generators),), same_bounds, {"operations": operations}
    )
