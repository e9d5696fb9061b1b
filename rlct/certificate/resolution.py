"""Rules of blow-ups and changes of coordinates; ``theory/blowups.md`` proves each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.algebraic import unit
from rlct.certificate.arithmetic import Poly, add, among, at, multiply, scale, variables
from rlct.certificate.family import (
    Family,
    FamilyRule,
    changed,
    coefficients,
    family_of,
    is_unit,
    least,
    meets,
    positive,
    substituted,
)
from rlct.certificate.initial import initial
from rlct.certificate.statement import (
    Bounds,
    Data,
    Rule,
    Statement,
    index,
    indices,
    need,
)
from rlct.certificate.strata import smooth_zeros, stratify
from rlct.certificate.uniform import UNIFORM, floor

__all__ = ["FAMILY_RULES", "PLAIN_RULES", "orbits_of"]

Solve = Callable[[Family | Statement], Bounds]


def blowup(family: Family, data: Data, solve: Solve) -> Bounds:
    """Weighted blow-up of a coordinate subspace; the children are the charts."""
    weights, permutations = data["weights"], data.get("symmetries", [])
    need(len(weights) == family.locals, "blowup: weights")
    need(all(type(w) is int and w >= 0 for w in weights) and any(weights), "blowup: weights")
    orbits = orbits_of(family, weights, permutations)
    return least([solve(chart) for chart in _charts(family, weights, orbits)])


def orbits_of(family: Family, weights: list[int], permutations: list[list[int]]) -> list[list[int]]:
    """Orbits of the variables of the centre under permutations that leave everything.

    In the order in which `blowup` takes its charts, one for each and for each sign.
    """
    d = family.locals
    orbit = {i: {i} for i in range(d) if weights[i]}
    for image in permutations:
        need(
            sorted(indices(image, d, "blowup: not a permutation")) == list(range(d)),
            "blowup: not a permutation",
        )
        for i, k in enumerate(image):
            same = weights[i] == weights[k] and family.prior[i] == family.prior[k]
            need(same, "blowup: a permutation changes weights or priors")
        terms = sum(map(len, family.generators))
        cost.charge(2 * d**2 + terms * (10 + family.width), "a symmetry")
        place = [image.index(k) for k in range(d)]
        for g in family.generators:
            moved = {(*(m[place[k]] for k in range(d)), *m[d:]): c for m, c in g.items()}
            need(
                among(moved, family.generators) or among(scale(moved, -1), family.generators),
                "blowup: a permutation changes the generators",
            )
        for i in orbit:
            joined = orbit[i] | orbit[image[i]]
            for k in joined:
                orbit[k] = joined
    found = {min(members): sorted(members) for members in orbit.values()}.values()
    return sorted(found, key=lambda members: (weights[members[0]], members))


def _charts(family: Family, weights: list[int], orbits: list[list[int]]) -> list[Family]:
    d = family.locals
    centre = [i for i in range(d) if weights[i]]
    outside = [i for i in range(d) if not weights[i]]
    exceptional = sum((weights[i] * (1 + family.prior[i]) for i in centre), Fraction(-1))
    polynomials = [*family.generators, *family.units, *family.relations]
    steps = cost.table(2 * len(orbits), sum(map(len, polynomials)), 20 + 3 * family.width)
    cost.charge(steps + 20 * len(orbits) * family.width, "the charts of a blow-up")
    charts = []
    for position, (i, *_) in enumerate(orbits):
        earlier = [j for orbit in orbits[:position] for j in orbit]
        later = [j for j in centre if j != i and j not in earlier]
        order = [*outside, i, *earlier, *later, *range(d, family.width)]
        for sign in [1, -1] if weights[i] % 2 == 0 else [1]:

            def pulled(p: Poly, i: int = i, sign: int = sign, order: list[int] = order) -> Poly:
                result: Poly = {}
                for m, c in p.items():
                    image = list(m)
                    image[i] = sum(w * e for w, e in zip(weights, m[:d], strict=True))
                    value = -c if sign < 0 and m[i] % 2 else c
                    result[tuple(image[k] for k in order)] = value
                return result

            prior = [family.prior[k] for k in outside] + [exceptional]
            prior += [family.prior[k] for k in earlier]
            free = tuple(family.prior[k] for k in later)
            units = tuple(map(pulled, family.units))
            relations = tuple(map(pulled, family.relations))
            empty = replace(
                family,
                prior=tuple(prior),
                free=free,
                units=units,
                relations=relations,
            )
            charts.append(empty.with_generators([pulled(g) for g in family.generators]))
    return charts


def coordinate(family: Family, data: Data, solve: Solve) -> Bounds:
    """The coordinate a·x_i + r in place of x_i."""
    d = family.locals
    i = index(data["variable"], d, "coordinate: the variable")
    a, r = family.polynomial(data["scale"]), family.polynomial(data["shift"])
    need(family.prior[i] == 0, "coordinate: the variable")
    need(i not in variables([a, r]), "coordinate: the change involves its variable")
    zero = (0,) * d
    need(is_unit(coefficients(a, d).get(zero, {}), family.units), "coordinate: the scale")
    need(zero not in coefficients(r, d), "coordinate: the shift does not vanish")
    return solve(family.with_generators(changed(family, family.generators, i, a, r)))


def compose(family: Family, data: Data, solve: Solve) -> Bounds:
    """Generators G(b), where the coordinate b takes the place of x_i in G."""
    d = family.locals
    i = index(data["variable"], d, "compose: the variable")
    b = family.polynomial(data["coordinate"])
    need(family.prior[i] == 0, "compose: the variable")
    parts = coefficients(b, d)
    need((0,) * d not in parts, "compose: the coordinate does not vanish")
    linear = parts.get(tuple(int(k == i) for k in range(d)), {})
    need(is_unit(linear, family.units), "compose: not known to be a coordinate")
    generators = [family.polynomial(g) for g in data["generators"]]
    need(len(generators) == len(family.generators), "compose: one entry per generator")
    multiples = data.get("multiples", [[]] * len(generators))
    need(len(multiples) == len(generators), "compose: one list of multiples per generator")
    one: Poly = {(0,) * family.width: Fraction(1)}
    for outer, g, row in zip(generators, family.generators, multiples, strict=True):
        need(not row or len(row) == len(family.relations), "compose: one multiple per relation")
        extra = [multiply(family.polynomial(q), family.relations[k]) for k, q in enumerate(row)]
        need(
            substituted(outer, i, b, one, family.width) == add(g, *extra),
            "compose: the generators are not those of the family",
        )
    return solve(family.with_generators(generators))


def fix(family: Family, data: Data, solve: Solve) -> Bounds:
    """Free parameters are fixed; their priors are units."""
    d, m = family.locals, len(family.free)
    need(all(positive(family, k) for k in range(m)), "fix: the prior of a parameter may vanish")
    inner = replace(family, free=(), fixed=family.fixed + m, seen=())
    lower, upper = solve(inner)
    point = data.get("point")
    if point is None:
        return lower, None
    need(len(point) == m and all(type(v) is int for v in point), "fix: the point")
    involved = [u for u in family.units if meets(family, u)]
    others = [u for u in family.units if not meets(family, u)]
    for u in involved:
        values = {d + k: Fraction(v) for k, v in enumerate(point)}
        need(is_unit(at(u, values), others), "fix: a unit vanishes at the point")
    return lower, upper


def unresolved(family: Family, data: Data, solve: Solve) -> Bounds:
    """Nothing but the bound of the degree."""
    need(family.zero is None, "open: not for zeros")
    return floor(family), None


def _without_free(rule: FamilyRule) -> FamilyRule:
    def guarded(family: Family, data: Data, solve: Solve) -> Bounds:
        need(not family.free and family.zero is None, "a rule for fixed parameters only")
        return rule(family, data, solve)

    return guarded


def _plain(rule: FamilyRule) -> Rule:
    def applied(statement: Statement, data: Data, solve: Any) -> Bounds:
        return rule(family_of(statement), data, solve)

    return applied


def _with_free(rule: FamilyRule) -> FamilyRule:
    def guarded(family: Family, data: Data, solve: Solve) -> Bounds:
        need(bool(family.free) and family.zero is None, "a rule for free parameters only")
        return rule(family, data, solve)

    return guarded


#: Rules for statements without parameters that lead to families, or read a germ like one.
PLAIN_RULES: dict[str, Rule] = {
    "blowup": _plain(blowup),
    "coordinate": _plain(coordinate),
    "compose": _plain(compose),
    "monomials": _plain(UNIFORM["monomials"]),
    "initial": _plain(initial),
}

FAMILY_RULES: dict[str, FamilyRule] = {
    **{name: _without_free(rule) for name, rule in UNIFORM.items()},
    "initial": _without_free(initial),
    "blowup": _without_free(blowup),
    "coordinate": _without_free(coordinate),
    "compose": _without_free(compose),
    "fix": _with_free(fix),
    "stratify": _with_free(stratify),
    "smooth-zeros": smooth_zeros,
    "open": unresolved,
    "unit": unit,
}
