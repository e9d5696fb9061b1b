"""Families over algebraic functions: strata g = 0 on which no parameter can be solved for.

There t_j is an algebraic function α of the other parameters, a simple root of g.  The child has
α as one more fixed parameter with the relation g(α) = 0, and y = t_j − α as a local.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import comb
from typing import Any

from rlct.certificate.encode import encode_polynomial, encode_polynomials
from rlct.engine.family import Family, is_unit, non_units, reordered, specialised
from rlct.engine.function_field import Extension, bezout, coefficient
from rlct.engine.step import Step, same
from rlct.newton.edges import real_roots
from rlct.polynomial import Polynomial, degree, factored, make_ring, support
from rlct.squares import squares_of_polynomial

__all__ = [
    "adjoin",
    "factor",
    "multiples",
    "quotient",
    "reduced",
    "repeated_factors",
    "settle",
    "without_roots",
    "zero_on_line",
]

_HIGHEST = 8  # degree of a relation
_LARGEST = 400  # terms of the generators after the substitution
_LARGEST_FACTORED = 80  # terms of a generator whose factors are reduced one by one
_MOST_LINES = 40
_POINTS = (0, 1, -1, 2, -2, 3, 5, -3)


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
    found = _identity(family, c)
    if found is None or not is_unit(found[1], family.units):
        found = _by_units(family, c) or found
    if found is None:
        return None
    cofactors, value = found
    if is_unit(value, family.units):
        data = {"polynomial": encode_polynomial(c), "cofactors": encode_polynomials(cofactors)}
        return Step("unit", (replace(family, units=(*family.units, c), seen=()),), same, data)
    return min(non_units(value, family.units), key=lambda f: (degree(f), len(f)))


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
        for f in sorted(found, key=lambda f: (degree(f), len(f))):
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
    found, rest = field.divide(p, q * (1 / lead.LC), i)
    return None if rest else found * (1 / lead.LC)


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
    return Extension(relation * (1 / lead.LC) if lead.is_ground else relation, root)


def without_roots(family: Family, child: Family, c: Polynomial) -> Polynomial | None:
    """What has to be a unit of a family so that c is one of the stratum `child`."""
    (c,) = reordered([c], child.names)
    root, _ = child.relations[-1]
    if child.names.index(root) in support(c):
        found = settle(child, c)
        if found is None or isinstance(found, Step):
            return None
        c = found
    (c,) = reordered([c], family.names)
    return c


def _identity(family: Family, c: Polynomial) -> tuple[list[Polynomial], Polynomial] | None:
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
            split = not whole and len(g) <= _LARGEST_FACTORED
            content, factors = factored(g) if split else (family.ring.domain.one, ((g, 1),))
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
    return Step("simplify", (family.with_generators(generators),), same, {"operations": operations})


def adjoin(family: Family, g: Polynomial) -> tuple[Family, dict[str, Any]] | Polynomial | None:
    """The stratum g = 0 with a free parameter as a simple root of g.

    Returns
    -------
    (Family, dict)
        The stratum and the evidence.
    Polynomial
        A polynomial that should be a unit for that.
    None
        If there is no such parameter.
    """
    d, m = len(family.prior), len(family.free)
    used = support(g)
    for k in used & set(range(d, d + m)):
        if family.free[k - d] and not is_unit(family.ring.gens[k], family.units):
            return None
    wanted: list[Polynomial] = []
    for j in sorted(used & set(range(d, d + m)), key=lambda k: max(e[k] for e in g.itermonoms())):
        n = max(e[j] for e in g.itermonoms())
        if n > _HIGHEST:
            break
        missing = non_units(coefficient(g, j, n), family.units)
        if not missing:
            found = bezout(g, g.diff(family.ring.gens[j]), j)
            if found is None:
                continue
            a, b, discriminant = found
            further = _identity(family, discriminant)
            if further is None:
                continue
            (scale, *rest), value = further
            if is_unit(value, family.units):
                child = _at_root(family, g, j)
                if child is None:
                    return None
                data = {"adjoin": j, "cofactors": encode_polynomials([scale * a, scale * b, *rest])}
                line = zero_on_line(family, g)
                return child, data if line is None else {**data, "line": line}
            missing = non_units(value, family.units)
        if not wanted or _trouble(missing) < _trouble(wanted):
            wanted = missing
    return min(wanted, key=lambda f: (degree(f), len(f))) if wanted else None


def _trouble(factors: Sequence[Polynomial]) -> tuple[int, int]:
    """How many may have real zeros, and their degrees."""
    definite = [f for f in factors if squares_of_polynomial(f) or squares_of_polynomial(-f)]
    return len(factors) - len(definite), sum(map(degree, factors))


def _at_root(family: Family, g: Polynomial, j: int) -> Family | None:
    d, m, names = len(family.prior), len(family.free), family.names
    used = support(g)
    rest = [k for k in range(d, d + m) if k not in used]
    tied = [k for k in range(d, d + m) if k in used and k != j]
    root = next(n for k in range(len(names)) if (n := f"{names[j]}_{k}") not in names)
    kept = [*range(d), j, *rest, *range(d + m, len(names)), *tied]
    order = [*(names[k] for k in kept), root]
    ring = family.ring.clone(symbols=order)

    def near_root(p: Polynomial, deepest: int) -> Polynomial:
        """P with t_j = α + y, up to a power of y."""
        terms: dict[tuple[int, ...], Any] = {}
        for e, c in p.terms():
            for low in range(min(e[j], deepest) + 1):
                key = (*(low if k == j else e[k] for k in kept), e[j] - low)
                terms[key] = terms.get(key, ring.domain.zero) + c * comb(e[j], low)
        return ring.from_dict({e: c for e, c in terms.items() if c})

    generators = tuple(near_root(f, 10**6) for f in family.generators)
    if sum(map(len, generators)) > _LARGEST:
        return None
    roots = [(name, near_root(r, 0)) for name, r in [*family.relations, (root, g)]]
    return Family(
        generators,
        (*family.prior, Fraction(0)),
        tuple(family.free[k - d] for k in rest),
        tuple(near_root(u, 0) for u in family.units),
        relations=tuple(roots),
    )


def zero_on_line(family: Family, g: Polynomial) -> dict[str, Any] | None:
    """A line along one free parameter on which g has a real zero that is no zero of a unit.

    On it g and, up to units, the units must not involve fixed parameters.
    """
    m = len(family.free)
    constants = [u for u in family.units if min(support(u)) >= len(family.prior) + m]
    for j in range(m):
        for point in islice(product(_POINTS, repeat=m - 1), _MOST_LINES):
            values = [*point[:j], 0, *point[j:]]
            line = _on_line(family, g, j, values, constants)
            units = [_on_line(family, u, j, values, constants) for u in family.units]
            if not line or not all(units):
                continue
            for u in units:
                while not (common := line.gcd(u)).is_ground:
                    line = line.exquo(common)
            if not line.is_ground and real_roots(line):
                return {"parameter": j, "at": values}
    return None


def _on_line(
    family: Family, p: Polynomial, j: int, values: Sequence[int], constants: Sequence[Polynomial]
) -> Polynomial:
    """Restriction to t_j = t, the other free parameters at given values; 0 if that is no use."""
    d, m = len(family.prior), len(family.free)
    for first, last in ((d, d + j), (d + j + 1, d + m)):
        p = specialised(p, first, values[first - d : last - d])
    ring = make_ring(["t"])
    if not p:
        return ring.zero
    for u in constants:
        while not p.is_ground and not p.rem(u):
            p = p.exquo(u)
    if any(i != d + j for i in support(p)):
        return ring.zero
    return ring.from_dict({(e[d + j],): c for e, c in p.terms()})
