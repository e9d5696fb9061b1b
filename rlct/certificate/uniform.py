"""Rules for families without free parameters; ``theory/blowups.md`` proves each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    Poly,
    add,
    degree,
    divide,
    multiply,
    power,
    scale,
    variables,
)
from rlct.certificate.family import (
    Family,
    FamilyRule,
    coefficients,
    is_unit,
    monomial_of,
)
from rlct.certificate.identities import determinant
from rlct.certificate.leaves import programme
from rlct.certificate.linear import rank
from rlct.certificate.statement import (
    Bounds,
    Data,
    Statement,
    by_group,
    disjoint_groups,
    index,
    indices,
    need,
    product_of,
    sum_of,
)
from rlct.pair import Pair

__all__ = ["UNIFORM", "floor", "in_coordinates"]

Solve = Callable[[Family | Statement], Bounds]


def forget(family: Family, data: Data, solve: Solve) -> Bounds:
    """No generator involves a parameter."""
    d = family.locals
    moved = tuple({m[:d]: c for m, c in g.items()} for g in family.generators)
    need(not any(any(m[d:]) for g in family.generators for m in g), "forget: a parameter is used")
    return solve(Statement(moved, family.prior, True, family.field))


def monomial(family: Family, data: Data, solve: Solve) -> Bounds:
    """Units times monomials in the locals."""
    exponents = {monomial_of(family, g) for g in family.generators}
    pair, _ = programme(family.prior, data, exponents)
    return pair, pair


def floor(family: Family) -> Pair:
    """1/(2D): a generator that is nowhere zero has order at most its degree D."""
    first = family.locals + len(family.free)
    degrees = [
        max(map(sum, parts))
        for g in family.generators
        for parts in [coefficients(g, first)]
        if any(is_unit(c, family.units) for c in parts.values())
    ]
    need(bool(degrees), "every generator may vanish identically")
    return Pair(Fraction(1, 2 * min(degrees)), 1)


def hull(family: Family, data: Data, solve: Solve) -> Bounds:
    """Bounds from the exponents of the locals."""
    exponents = {m[: family.locals] for g in family.generators for m in g}
    pair, _ = programme(family.prior, data, exponents)
    return floor(family), pair


def total(family: Family, data: Data, solve: Solve) -> Bounds:
    """Sum rule over disjoint locals."""
    groups = disjoint_groups(family.width, data)
    need(max(i for group in groups for i in group) < family.locals, "sum: a parameter in a group")
    parts = by_group(family.generators, groups, family.locals)
    # Integrals over parameters that several parts share do not multiply.
    shared = sum(max(variables(part), default=0) >= family.locals for part in parts) > 1
    whole = replace(family, uniform=family.uniform or shared)
    return sum_of([solve(restricted(whole, p, g)) for p, g in zip(parts, groups, strict=True)])


def restricted(family: Family, generators: list[Poly], group: list[int]) -> Family:
    """Family in some of the locals, which are all that the generators use."""
    used = {i for i in variables(generators) if i < family.locals}
    need(used <= set(group) and group == sorted(set(group)), "a part uses other locals")
    kept = [*group, *range(family.locals, family.width)]

    def moved(p: Poly) -> Poly:
        return {tuple(m[i] for i in kept): c for m, c in p.items()}

    prior = tuple(family.prior[i] for i in group)
    units, relations = tuple(map(moved, family.units)), tuple(map(moved, family.relations))
    empty = replace(family, prior=prior, units=units, relations=relations)
    return empty.with_generators([moved(g) for g in generators])


def simplify(family: Family, data: Data, solve: Solve) -> Bounds:
    """Elementary operations on the generators."""
    generators = list(family.generators)
    size, zero = len(generators), (0,) * family.locals
    for operation in data["operations"]:
        if "divide" in operation:
            i = index(operation["divide"], size, "simplify: no such generator")
            unit = family.polynomial(operation["by"])
            constant = coefficients(unit, family.locals).get(zero, {})
            need(is_unit(constant, family.units), "simplify: division by a non-unit")
            quotient = divide(generators[i], unit)
            need(quotient is not None, "simplify: a division leaves a remainder")
            assert quotient is not None
            generators[i] = quotient
        elif "multiply" in operation:
            i = index(operation["multiply"], size, "simplify: no such generator")
            unit = family.polynomial(operation["by"])
            need(is_unit(unit, family.units), "simplify: multiplication by a non-unit")
            generators[i] = multiply(unit, generators[i])
        elif "reduce" in operation:
            i = index(operation["reduce"], size, "simplify: no such generator")
            k = index(operation["by"], len(family.relations), "simplify: no such relation")
            factor = family.polynomial(operation["times"])
            generators[i] = add(generators[i], scale(multiply(factor, family.relations[k]), -1))
        else:
            i = index(operation["from"], size, "simplify: no such generator")
            j = index(operation["subtract"], size, "simplify: no such generator")
            need(i != j, "simplify: a generator subtracted from itself")
            factor = family.polynomial(operation["times"])
            generators[i] = add(generators[i], scale(multiply(factor, generators[j]), -1))
    return solve(family.with_generators(generators))


def product(family: Family, data: Data, solve: Solve) -> Bounds:
    """A common monomial in locals that the rest does not involve."""
    low, (own, other) = data["factor"], disjoint_groups(family.width, data)
    d = family.locals
    need(
        len(low) == d and all(type(e) is int and e >= 0 for e in low),
        "product: the factor is not a monomial in the locals",
    )
    need(max(*own, *other) < d, "product: a parameter in a group")
    need({i for i, e in enumerate(low) if e} == set(own), "product: the factor's variables")
    shift = (*low, *((0,) * (family.width - d)))
    rest = []
    for g in family.generators:
        moved = {tuple(a - b for a, b in zip(m, shift, strict=True)): c for m, c in g.items()}
        need(all(min(m) >= 0 for m in moved), "product: the factor does not divide")
        rest.append(moved)
    factor: Poly = {tuple(low[i] for i in own): Fraction(1)}
    priors = tuple(family.prior[i] for i in own)
    outer = solve(Statement((factor,), priors, True, family.field))
    return product_of([outer, solve(restricted(family, rest, other))])


def subideal(family: Family, data: Data, solve: Solve) -> Bounds:
    """Fewer generators: a lower bound."""
    kept = indices(data["kept"], len(family.generators), "subideal: no such generator")
    lower, _ = solve(family.with_generators([family.generators[k] for k in kept]))
    return lower, None


def monomials(family: Family, data: Data, solve: Solve) -> Bounds:
    """Monomials in coordinates."""
    pair = in_coordinates(family, family.generators, data)
    return pair, pair


def in_coordinates(family: Family, generators: tuple[Poly, ...], data: Data) -> Pair:
    """Pair of generators u·Π f_j^e_j, where the f_j are checked to be coordinates."""
    d, zero = family.locals, (0,) * family.locals
    coordinates = [family.polynomial(f) for f in data["coordinates"]]
    exponents = [tuple(row) for row in data["exponents"]]
    units = [family.polynomial(u) for u in data["units"]]
    need(len(exponents) == len(units) == len(generators), "monomials: one entry per generator")
    for g, row, unit in zip(generators, exponents, units, strict=True):
        constant = coefficients(unit, d).get(zero, {})
        need(is_unit(constant, family.units), "monomials: a unit may vanish")
        need(
            len(row) == len(coordinates) and all(type(e) is int and e >= 0 for e in row),
            "monomials: exponents",
        )
        whole = unit
        for f, e in zip(coordinates, row, strict=True):
            need(degree(f) * e <= degree(g), "monomials: the degrees do not fit")
            whole = multiply(whole, power(f, e, family.width))
        need(whole == g, "monomials: the factors do not multiply to the generator")
    named: list[int | None] = []
    matrix: list[list[Poly]] = []
    for f in coordinates:
        parts = coefficients(f, d)
        constant = parts.get(zero, {})
        along: Poly | None = {}
        if constant:
            along = None if family.zero is None else divide(constant, family.zero)
        need(along is not None, "monomials: a coordinate does not vanish at the points")
        assert along is not None
        cost.charge(cost.table(d, d + 10), "coordinates")
        columns = [parts.get(tuple(int(k == i) for k in range(d)), {}) for i in range(d)]
        matrix.append([*columns, along])
        single = next(iter(f)) if len(f) == 1 else ()
        is_variable = sum(single) == 1 and single.index(1) < d
        named.append(single.index(1) if is_variable else None)
    left = {i for i, h in enumerate(family.prior) if h and i not in named}
    columns_kept = [i for i in range(d + 1) if i not in left]
    rows = [[row[i] for i in columns_kept] for row in matrix]
    need(_independent(family, rows), "monomials: the coordinates are not known to be independent")
    prior = tuple(Fraction(0) if i is None else family.prior[i] for i in named)
    pair, _ = programme(prior, data, set(exponents))
    return pair


def _independent(family: Family, rows: list[list[Poly]]) -> bool:
    """Whether some maximal minor is a unit."""
    size = len(rows)
    if not any(any(m) for row in rows for c in row for m in c):
        numbers = [[next(iter(c.values()), Fraction(0)) for c in row] for row in rows]
        return rank(numbers) == size
    return any(
        is_unit(determinant([[row[i] for i in chosen] for row in rows]), family.units)
        for chosen in combinations(range(len(rows[0])), size)
    )


UNIFORM: dict[str, FamilyRule] = {
    "forget": forget,
    "monomial": monomial,
    "monomials": monomials,
    "hull": hull,
    "sum": total,
    "simplify": simplify,
    "product": product,
    "subideal": subideal,
}
