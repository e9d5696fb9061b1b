"""Rules of blow-ups and changes of coordinates; ``theory/blowups.md`` proves each."""

from dataclasses import replace
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.families.uniform import degree_floor
from rlct.certificate.family import (
    GermFamily,
    SolveFamily,
    coefficients_of_locals,
    has_unit_prior,
    involves_free_parameter,
    is_known_unit,
    least_bounds,
    substitute_quotient,
    with_coordinate_changed,
)
from rlct.certificate.numbers.arithmetic import (
    Poly,
    at,
    is_among,
    poly_product,
    poly_scale,
    poly_sum,
    variables,
)
from rlct.certificate.rules import ChildTrait, RuleScope, checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    need,
    read_index,
    read_indices,
)


@checked_rule(
    "blowup",
    "{weights: [integer], symmetries?: [[index]]}",
    RuleScope.GERM | RuleScope.FIXED,
    child=ChildTrait.ABOVE,
)
def blowup(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The pair is the least of the bounds of the charts x_i = ±s^(w_i), x_j = s^(w_j)·y_j.

    If there is a chart for every i with w_i > 0, or for one of each orbit of symmetries that keep
    generators, weights and prior; both signs if w_i is even (``theory/blowups.md``).
    """
    weights, permutations = data["weights"], data.get("symmetries", [])
    need(len(weights) == family.locals, "blowup: weights")
    need(all(type(w) is int and w >= 0 for w in weights) and any(weights), "blowup: weights")
    orbits = orbits_of(family, weights, permutations)
    return least_bounds([solve_child(chart) for chart in _charts(family, weights, orbits)])


def orbits_of(
    family: GermFamily, weights: list[int], permutations: list[list[int]]
) -> list[list[int]]:
    """Orbits of the variables of the centre under permutations that leave everything.

    In the order in which `blowup` takes its charts, one for each and for each sign.
    """
    d = family.locals
    orbit = {i: {i} for i in range(d) if weights[i]}
    for permutation in permutations:
        need(
            sorted(read_indices(permutation, d, "blowup: not a permutation")) == list(range(d)),
            "blowup: not a permutation",
        )
        for i, k in enumerate(permutation):
            # With equal weights, priors and generators one chart of an orbit is enough.
            same = weights[i] == weights[k] and family.prior[i] == family.prior[k]
            need(same, "blowup: a permutation changes weights or priors")
        terms = sum(map(len, family.generators))
        cost.charge(2 * d**2 + terms * (10 + family.width), "a symmetry")
        place = [permutation.index(k) for k in range(d)]
        for g in family.generators:
            moved = {(*(m[place[k]] for k in range(d)), *m[d:]): c for m, c in g.items()}
            need(
                is_among(moved, family.generators)
                or is_among(poly_scale(moved, -1), family.generators),
                "blowup: a permutation changes the generators",
            )
        for i in orbit:
            joined = orbit[i] | orbit[permutation[i]]
            for k in joined:
                orbit[k] = joined
    distinct_orbits = {min(members): sorted(members) for members in orbit.values()}.values()
    return sorted(distinct_orbits, key=lambda members: (weights[members[0]], members))


def _charts(family: GermFamily, weights: list[int], orbits: list[list[int]]) -> list[GermFamily]:
    d = family.locals
    centre = [i for i in range(d) if weights[i]]
    outside_centre = [i for i in range(d) if not weights[i]]
    # dx = s^(|w| − 1)·ds·dy, up to a number.
    exceptional_prior = sum((weights[i] * (1 + family.prior[i]) for i in centre), Fraction(-1))
    terms = sum(map(len, (*family.generators, *family.units, *family.relations)))
    steps = cost.of_table(2 * len(orbits), terms, 20 + 3 * family.width)
    cost.charge(steps + 20 * len(orbits) * family.width, "the charts of a blow-up")
    charts = []
    # Points are sorted by the first orbit that is not 0: earlier variables vanish, later are free.
    for position, (i, *_) in enumerate(orbits):
        earlier_variables = [j for orbit in orbits[:position] for j in orbit]
        later_variables = [j for j in centre if j != i and j not in earlier_variables]
        order = [*outside_centre, i, *earlier_variables, *later_variables, *range(d, family.width)]
        prior = [family.prior[k] for k in outside_centre] + [exceptional_prior]
        prior += [family.prior[k] for k in earlier_variables]
        free = tuple(family.prior[k] for k in later_variables)
        for sign in [1, -1] if weights[i] % 2 == 0 else [1]:
            generators, units, relations = (
                tuple(_pulled_back(p, weights, i, sign, order) for p in polynomials)
                for polynomials in (family.generators, family.units, family.relations)
            )
            empty = replace(family, prior=tuple(prior), free=free, units=units, relations=relations)
            charts.append(empty.with_generators(generators))
    return charts


def _pulled_back(p: Poly, weights: list[int], i: int, sign: int, order: list[int]) -> Poly:
    """A polynomial with x_i = ±s^(w_i) and x_j = s^(w_j)·y_j, its variables in another order."""
    result: Poly = {}
    for m, c in p.items():
        image = list(m)
        image[i] = sum(w * e for w, e in zip(weights, m, strict=False))
        result[tuple(image[k] for k in order)] = -c if sign < 0 and m[i] % 2 else c
    return result


@checked_rule(
    "coordinate",
    "{variable: index, scale: polynomial, shift: polynomial}",
    RuleScope.GERM | RuleScope.FIXED,
    "Another coordinate\n"
    "Take `{chart}` as a coordinate in place of `{variable}`: it is linear in it with a "
    "coefficient that is not 0 at the point, and the prior does not involve it. The pair "
    "stays.\n"
    "The ideal becomes {child}.",
    child=ChildTrait.COMPARABLE,
)
def coordinate(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are those in coordinates with y = a·x_i + r in place of x_i.

    If a and r are free of x_i, a is a unit and r = 0 where the locals vanish, and x_i has no prior
    (``theory/blowups.md``).
    """
    d = family.locals
    i = read_index(data["variable"], d, "coordinate: the variable")
    a, r = family.polynomial(data["scale"]), family.polynomial(data["shift"])
    need(family.prior[i] == 0, "coordinate: the variable")
    need(i not in variables([a, r]), "coordinate: the change involves its variable")
    zero = (0,) * d
    need(
        is_known_unit(coefficients_of_locals(a, d).get(zero, {}), family.units),
        "coordinate: the scale",
    )
    need(zero not in coefficients_of_locals(r, d), "coordinate: the shift does not vanish")
    return solve_child(
        family.with_generators(with_coordinate_changed(family, family.generators, i, a, r))
    )


@checked_rule(
    "compose",
    "{variable: index, coordinate: polynomial, generators: [polynomial], multiples?: "
    "[[polynomial]]}",
    RuleScope.GERM | RuleScope.FIXED,
    "A coordinate that occurs as a whole\n"
    "The generators involve `{variable}` only through `{chart}`, whose differential is "
    "not 0 at the point: it is a coordinate, and the ideal is {child}.",
    child=ChildTrait.COMPARABLE,
)
def compose(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """Generators G(…, b, …) have the bounds of G(…, x_i, …).

    If b = 0 and ∂b/∂x_i is a unit where the locals vanish, and x_i has no prior; the generators
    are expanded, up to multiples of the relations (``theory/blowups.md``).
    """
    d = family.locals
    i = read_index(data["variable"], d, "compose: the variable")
    b = family.polynomial(data["coordinate"])
    need(family.prior[i] == 0, "compose: the variable")
    parts = coefficients_of_locals(b, d)
    need((0,) * d not in parts, "compose: the coordinate does not vanish")
    linear = parts.get(tuple(int(k == i) for k in range(d)), {})
    # ∂b/∂x_i is not 0 where the locals vanish: b is a coordinate in place of x_i.
    need(is_known_unit(linear, family.units), "compose: not known to be a coordinate")
    generators = [family.polynomial(g) for g in data["generators"]]
    need(len(generators) == len(family.generators), "compose: one entry per generator")
    multiples = data.get("multiples", [[]] * len(generators))
    need(len(multiples) == len(generators), "compose: one list of multiples per generator")
    unit: Poly = {(0,) * family.width: Fraction(1)}
    for outer, g, row in zip(generators, family.generators, multiples, strict=True):
        need(not row or len(row) == len(family.relations), "compose: one multiple per relation")
        extra = [poly_product(family.polynomial(q), family.relations[k]) for k, q in enumerate(row)]
        need(
            substitute_quotient(outer, i, b, unit, family.width) == poly_sum(g, *extra),
            "compose: the generators are not those of the family",
        )
    return solve_child(family.with_generators(generators))


@checked_rule(
    "fix",
    "{point?: [integer]}",
    RuleScope.FREE,
    child=ChildTrait.SAME_VARIABLES | ChildTrait.COMPARABLE,
)
def fix(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds with the free parameters held fixed are bounds of the family.

    If a parameter with a prior is a unit: below, one integrates over it.  Above, if there is a
    point: a rational one where no unit vanishes (``theory/blowups.md``).
    """
    d, m = family.locals, len(family.free)
    need(
        all(has_unit_prior(family, k) for k in range(m)), "fix: the prior of a parameter may vanish"
    )
    inner = replace(family, free=(), fixed=family.fixed + m, earlier_splits=())
    lower, upper = solve_child(inner)
    point = data.get("point")
    if point is None:
        return lower, None
    need(len(point) == m and all(type(v) is int for v in point), "fix: the point")
    # The point lies in the family over every base point: units that involve t are units there.
    involved = [u for u in family.units if involves_free_parameter(family, u)]
    others = [u for u in family.units if not involves_free_parameter(family, u)]
    for u in involved:
        values = {d + k: Fraction(v) for k, v in enumerate(point)}
        need(is_known_unit(at(u, values), others), "fix: a unit vanishes at the point")
    return lower, upper


@checked_rule(
    "open",
    scope=RuleScope.FIXED | RuleScope.FREE,
    wording="Left open\n"
    "Nothing better is known at these points than the bound by the degree: a generator of "
    "degree `D` that is nowhere zero gives `λ ≥ 1/(2D)`, here {result}.",
)
def open_rule(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """(1/(2D), 1) from below, and nothing from above.

    If a generator of degree D in locals and free parameters has a coefficient that is a unit: some
    derivative of order at most D is not 0 (van der Corput, ``theory/blowups.md``).
    """
    return degree_floor(family), None
