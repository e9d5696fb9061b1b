"""Rules for families without free parameters; ``theory/blowups.md`` proves each."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from rlct.certificate import cost
from rlct.certificate.family import (
    GermFamily,
    SolveFamily,
    coefficients_of_locals,
    is_known_unit,
    monomial_of,
)
from rlct.certificate.germs.leaves import linear_programme
from rlct.certificate.numbers.arithmetic import (
    Poly,
    less_multiple,
    poly_exact_quotient,
    poly_power,
    poly_product,
    poly_quotient,
    total_degree,
    variables,
)
from rlct.certificate.numbers.linear import matrix_rank
from rlct.certificate.rules import ChildTrait, RuleScope, Sign, checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    Statement,
    by_group,
    disjoint_groups,
    need,
    product_of,
    read_index,
    read_indices,
    sum_of,
)
from rlct.certificate.torus.identities import poly_determinant
from rlct.pair import Pair


@checked_rule("forget", scope=RuleScope.FIXED, child=ChildTrait.COMPARABLE)
def forget(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are the pair of the germ in the locals alone.

    If no generator involves a parameter (``theory/blowups.md``).
    """
    d = family.locals
    moved = tuple({m[:d]: c for m, c in g.items()} for g in family.generators)
    need(not any(any(m[d:]) for g in family.generators for m in g), "forget: a parameter is used")
    return solve_child(Statement(moved, family.prior, True, family.field))


@checked_rule(
    "monomial",
    "{weights: weights, multipliers: multipliers}",
    RuleScope.GERM | RuleScope.FIXED,
    sign=Sign.NOWHERE_ZERO,
)
def monomial(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The pair of monomials in the locals is that of the linear programme of their exponents.

    If every generator is a monomial times a number, or a unit, which is bounded and not 0 near
    each point (monomial ideals, ``theory/newton.md``, over divisors ``theory/blowups.md``).
    """
    exponents = {monomial_of(family, g) for g in family.generators}
    pair, _ = linear_programme(family.prior, data, exponents)
    return pair, pair


def degree_floor(family: GermFamily) -> Pair:
    """(1/(2D), 1), D the least degree of a generator that has a coefficient that is a unit.

    If there is one: some derivative of order at most D is not 0 (``theory/blowups.md``).
    """
    first = family.locals + len(family.free)
    degrees = [
        max(map(sum, parts))
        for g in family.generators
        for parts in [coefficients_of_locals(g, first)]
        if any(is_known_unit(c, family.units) for c in parts.values())
    ]
    need(bool(degrees), "every generator may vanish identically")
    return Pair(Fraction(1, 2 * min(degrees)), 1)


@checked_rule("hull", scope=RuleScope.FIXED)
def hull(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """(1/(2D), 1) ≤ bounds ≤ pair of the ideal of all monomials in the locals.

    If a generator of degree D has a coefficient that is a unit; above, K ≤ C·Σ x^(2a)
    (``theory/blowups.md``).
    """
    exponents = {m[: family.locals] for g in family.generators for m in g}
    pair, _ = linear_programme(family.prior, data, exponents)
    return degree_floor(family), pair


@checked_rule("sum", scope=RuleScope.FIXED)
def total(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds of a sum of families are the sum of their bounds: λ adds, and so does θ − 1.

    If the parts use disjoint locals; if two involve parameters, their lower bounds are to be
    uniform, as integrals over shared parameters do not multiply (``theory/blowups.md``).
    """
    groups = disjoint_groups(family.width, data)
    need(max(i for group in groups for i in group) < family.locals, "sum: a parameter in a group")
    parts = by_group(family.generators, groups, family.locals)
    # Integrals over parameters that several parts share do not multiply.
    shared = sum(max(variables(part), default=0) >= family.locals for part in parts) > 1
    whole = replace(family, uniform=family.uniform or shared)
    return sum_of(
        [solve_child(restricted(whole, p, g)) for p, g in zip(parts, groups, strict=True)]
    )


def restricted(family: GermFamily, generators: list[Poly], group: list[int]) -> GermFamily:
    """Family in some of the locals, which are all that the generators use."""
    used = {i for i in variables(generators) if i < family.locals}
    need(used <= set(group) and group == sorted(set(group)), "a part uses other locals")
    indices_left = [*group, *range(family.locals, family.width)]

    def moved(p: Poly) -> Poly:
        return {tuple(m[i] for i in indices_left): c for m, c in p.items()}

    prior = tuple(family.prior[i] for i in group)
    units, relations = tuple(map(moved, family.units)), tuple(map(moved, family.relations))
    empty = replace(family, prior=prior, units=units, relations=relations)
    return empty.with_generators([moved(g) for g in generators])


@checked_rule(
    "simplify", scope=RuleScope.FIXED, child=ChildTrait.SAME_VARIABLES | ChildTrait.COMPARABLE
)
def simplify(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are those of the changed generators.

    If each step divides by what is a unit where the locals vanish, multiplies by a unit, or
    subtracts a multiple of another generator or of a relation (``theory/blowups.md``).
    """
    generators = list(family.generators)
    size, zero = len(generators), (0,) * family.locals
    for operation in data["operations"]:
        if "divide" in operation:
            i = read_index(operation["divide"], size, "simplify: no such generator")
            unit = family.polynomial(operation["by"])
            constant = coefficients_of_locals(unit, family.locals).get(zero, {})
            # Not 0 where the locals vanish, and so near every point of the family.
            need(is_known_unit(constant, family.units), "simplify: division by a non-unit")
            generators[i] = poly_exact_quotient(generators[i], unit)
        elif "multiply" in operation:
            i = read_index(operation["multiply"], size, "simplify: no such generator")
            unit = family.polynomial(operation["by"])
            need(is_known_unit(unit, family.units), "simplify: multiplication by a non-unit")
            generators[i] = poly_product(unit, generators[i])
        elif "reduce" in operation:
            i = read_index(operation["reduce"], size, "simplify: no such generator")
            k = read_index(operation["by"], len(family.relations), "simplify: no such relation")
            factor = family.polynomial(operation["times"])
            generators[i] = less_multiple(generators[i], factor, family.relations[k])
        else:
            i = read_index(operation["from"], size, "simplify: no such generator")
            j = read_index(operation["subtract"], size, "simplify: no such generator")
            need(i != j, "simplify: a generator subtracted from itself")
            factor = family.polynomial(operation["times"])
            generators[i] = less_multiple(generators[i], factor, generators[j])
    return solve_child(family.with_generators(generators))


@checked_rule("product", scope=RuleScope.FIXED)
def product(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are the product of those of a monomial x^m and of the cofactors.

    If x^m divides every generator, and the cofactors are free of its locals
    (``theory/blowups.md``).
    """
    factor_exponents, (factor_group, other_group) = (
        data["factor"],
        disjoint_groups(family.width, data),
    )
    d = family.locals
    need(
        len(factor_exponents) == d and all(type(e) is int and e >= 0 for e in factor_exponents),
        "product: the factor is not a monomial in the locals",
    )
    need(max(*factor_group, *other_group) < d, "product: a parameter in a group")
    need(
        {i for i, e in enumerate(factor_exponents) if e} == set(factor_group),
        "product: the factor's variables",
    )
    shift = (*factor_exponents, *((0,) * (family.width - d)))
    cofactors = []
    for g in family.generators:
        moved = {tuple(a - b for a, b in zip(m, shift, strict=True)): c for m, c in g.items()}
        need(all(min(m) >= 0 for m in moved), "product: the factor does not divide")
        cofactors.append(moved)
    factor: Poly = {tuple(factor_exponents[i] for i in factor_group): Fraction(1)}
    priors = tuple(family.prior[i] for i in factor_group)
    outer = solve_child(Statement((factor,), priors, True, family.field))
    return product_of([outer, solve_child(restricted(family, cofactors, other_group))])


@checked_rule("subideal", scope=RuleScope.FIXED, child=ChildTrait.SAME_VARIABLES)
def subideal(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The lower bound of fewer generators is one of all; nothing from above.

    Without a condition: fewer squares make a smaller K (``theory/blowups.md``).
    """
    chosen_generators = read_indices(
        data["kept"], len(family.generators), "subideal: no such generator"
    )
    lower, _ = solve_child(
        family.with_generators([family.generators[k] for k in chosen_generators])
    )
    return lower, None


@checked_rule(
    "monomials",
    "{coordinates: [polynomial], exponents: [[integer]], units: [polynomial], weights: "
    "weights, multipliers: multipliers}",
    RuleScope.GERM | RuleScope.FIXED,
)
def monomials(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are the pair of the monomials y^e in coordinates y_j = f_j.

    If every generator is a unit times Π f_j^e_j, and the f_j with the variables of the prior have
    differentials of which a minor is a unit (``theory/blowups.md``).
    """
    pair = in_coordinates(family, family.generators, data)
    return pair, pair


def in_coordinates(family: GermFamily, generators: tuple[Poly, ...], data: Data) -> Pair:
    """Pair of generators u·Π f_j^e_j, where the f_j are checked to be coordinates."""
    coordinates = [family.polynomial(f) for f in data["coordinates"]]
    exponents = [tuple(row) for row in data["exponents"]]
    units = [family.polynomial(u) for u in data["units"]]
    need(len(exponents) == len(units) == len(generators), "monomials: one entry per generator")
    for g, row, unit in zip(generators, exponents, units, strict=True):
        need(
            len(row) == len(coordinates) and all(type(e) is int and e >= 0 for e in row),
            "monomials: exponents",
        )
        _check_product(family, g, unit, list(zip(coordinates, row, strict=True)))
    matrix = [_differential(family, f) for f in coordinates]
    variable_of_coordinate = [_variable_of(f, family.locals) for f in coordinates]
    uncarried_variables = {
        i for i, h in enumerate(family.prior) if h and i not in variable_of_coordinate
    }
    columns_left = [i for i in range(family.locals + 1) if i not in uncarried_variables]
    rows = [[row[i] for i in columns_left] for row in matrix]
    # Differentials with a minor that is a unit are independent near every point.
    need(_independent(family, rows), "monomials: the coordinates are not known to be independent")
    prior = tuple(Fraction(0) if i is None else family.prior[i] for i in variable_of_coordinate)
    pair, _ = linear_programme(prior, data, set(exponents))
    return pair


def _check_product(
    family: GermFamily, g: Poly, unit: Poly, powers: Sequence[tuple[Poly, int]]
) -> None:
    """A generator is these powers times a polynomial that is a unit where the locals vanish."""
    zero_exponents = (0,) * family.locals
    constant_term = coefficients_of_locals(unit, family.locals).get(zero_exponents, {})
    need(is_known_unit(constant_term, family.units), "monomials: a unit may vanish")
    whole = unit
    for f, e in powers:
        need(total_degree(f) * e <= total_degree(g), "monomials: the degrees do not fit")
        whole = poly_product(whole, poly_power(f, e, family.width))
    need(whole == g, "monomials: the factors do not multiply to the generator")


def _differential(family: GermFamily, f: Poly) -> list[Poly]:
    """Derivatives by the locals, and along `zero`, of a coordinate that vanishes at the points."""
    d = family.locals
    parts = coefficients_of_locals(f, d)
    constant_term = parts.get((0,) * d, {})
    along: Poly | None = {}
    if constant_term:
        along = None if family.zero is None else poly_quotient(constant_term, family.zero)
    need(along is not None, "monomials: a coordinate does not vanish at the points")
    assert along is not None
    cost.charge(cost.of_table(d, d + 10), "coordinates")
    return [*(parts.get(tuple(int(k == i) for k in range(d)), {}) for i in range(d)), along]


def _variable_of(f: Poly, local_count: int) -> int | None:
    """The local that a coordinate is, up to a number."""
    exponents = next(iter(f)) if len(f) == 1 else ()
    is_variable = sum(exponents) == 1 and exponents.index(1) < local_count
    return exponents.index(1) if is_variable else None


def _independent(family: GermFamily, rows: list[list[Poly]]) -> bool:
    """Whether some maximal minor is a unit."""
    size = len(rows)
    if not any(any(m) for row in rows for c in row for m in c):
        numbers = [[next(iter(c.values()), Fraction(0)) for c in row] for row in rows]
        return matrix_rank(numbers) == size
    return any(
        is_known_unit(poly_determinant([[row[i] for i in chosen] for row in rows]), family.units)
        for chosen in combinations(range(len(rows[0])), size)
    )
