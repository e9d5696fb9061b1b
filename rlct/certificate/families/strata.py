"""Rules of strata of families; ``theory/blowups.md`` proves each."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.families.algebraic import adjoined_family, cofactor_sum, has_zero_on_line
from rlct.certificate.families.uniform import in_coordinates
from rlct.certificate.family import (
    GermFamily,
    SolveFamily,
    has_unit_prior,
    involves_free_parameter,
    is_known_unit,
    least_bounds,
    substitute_quotient,
    with_coordinate_changed,
)
from rlct.certificate.numbers.arithmetic import (
    Poly,
    is_among,
    partial_derivative,
    poly_product,
    poly_quotient,
    poly_scale,
    poly_sum,
    read_number,
    variables,
)
from rlct.certificate.rules import ChildTrait, RuleScope, checked_rule
from rlct.certificate.statement import Data, PairBounds, need, read_index, read_indices


@checked_rule("stratify", "{by: polynomial, zeros: zeros}", RuleScope.FREE, child=ChildTrait.ABOVE)
def stratify_rule(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are the least of those where g ≠ 0 and those where g = 0.

    If g is a polynomial in the parameters, and its zeros are none, or those of an earlier split in
    other coordinates, or bounded by a child: as a graph, with dg ≠ 0, or by degrees
    (``theory/blowups.md``).
    """
    g = family.polynomial(data["by"])
    need(min(variables([g]), default=0) >= family.locals, "stratify: a local is involved")
    need(involves_free_parameter(family, g), "stratify: no free parameter is involved")
    earlier_splits = (*family.earlier_splits, (g, family.units))
    nonzero = replace(family, units=(*family.units, g), earlier_splits=earlier_splits)
    bounds = [solve_child(nonzero)]
    zeros = data["zeros"]
    zeros_kinds = set(zeros) - {"units"}
    if zeros_kinds == {"none"}:
        squares = _squares(family, g, zeros["none"])
        need(
            any(h and not any(any(m) for m in h) for h in squares),
            "stratify: no square is a number",
        )
    elif zeros_kinds == {"symmetric"}:
        _check_symmetric(family, g, zeros["symmetric"])
    elif zeros_kinds == {"smooth"} and zeros["smooth"] is True:
        bounds.append(solve_child(replace(family, zero=g, earlier_splits=())))
    elif zeros_kinds == {"open"} and zeros["open"] is True:
        bounds.append(solve_child(family))
    elif "adjoin" in zeros:
        child, inhabited = adjoined_family(family, g, zeros)
        lower, upper = solve_child(child)
        # An upper bound needs a point for all values of the fixed parameters.
        bounds.append((lower, upper if inhabited else None))
    elif zeros_kinds == {"solve"}:
        bounds.append(_on_graph(family, g, zeros, solve_child))
    else:
        need(zeros_kinds == {"within", "solve"}, "stratify: unknown evidence")
        within = zeros["within"]
        squares = _squares(family, g, within)
        h = squares[read_index(within["index"], len(squares), "stratify: no such square")]
        f = family.polynomial(within["factor"])
        need(bool(h) and any(any(m) for m in f), "stratify: the factor is a number")
        while (quotient := poly_quotient(h, f)) is not None:
            h = quotient
        # Every zero of g is one of h, and h is a power of f times a unit.
        need(is_known_unit(h, family.units), "stratify: the square has other zeros")
        bounds.append(_on_graph(family, f, zeros, solve_child))
    return least_bounds(bounds)


def _check_symmetric(family: GermFamily, g: Poly, data: Data) -> None:
    """A permutation takes the zeros of g into those of an earlier split of the same family."""
    d, m = family.locals, len(family.free)
    earlier_split, units = family.earlier_splits[
        read_index(data["split"], len(family.earlier_splits), "stratify: no such split")
    ]
    no_permutation = "stratify: not a permutation of locals and of free parameters"
    permutation = read_indices(data["permutation"], d + m, no_permutation)
    need(
        sorted(permutation[:d]) == list(range(d))
        and sorted(permutation[d:]) == list(range(d, d + m)),
        no_permutation,
    )
    priors = [*family.prior, *family.free]
    need(
        all(priors[i] == priors[k] for i, k in enumerate(permutation)),
        "stratify: the permutation changes a prior",
    )
    terms = sum(map(len, [*family.generators, earlier_split, *units]))
    cost.charge(2 * family.width**2 + terms * (10 + family.width), "a symmetry")
    whole = [*permutation, *range(d + m, family.width)]
    place = [whole.index(k) for k in range(family.width)]

    def moved(p: Poly) -> Poly:
        return {tuple(e[i] for i in place): c for e, c in p.items()}

    for f in family.generators:
        image_of = moved(f)
        need(
            is_among(image_of, family.generators)
            or is_among(poly_scale(image_of, -1), family.generators),
            "stratify: the permutation changes the generators",
        )
    earlier_image = moved(earlier_split)
    lead = max(g)
    need(
        lead in earlier_image and poly_scale(earlier_image, g[lead] / earlier_image[lead]) == g,
        "stratify: the permutation does not lead to the earlier split",
    )
    need(
        all(is_known_unit(moved(u), family.units) for u in units),
        "stratify: a unit of the earlier split is not known to be one",
    )


def _squares(family: GermFamily, g: Poly, data: Data) -> list[Poly]:
    """The h of ±g = Σ c·h², c > 0."""
    items = [(read_number(c, family.field), family.polynomial(h)) for c, h in data["squares"]]
    need(all(c > 0 for c, _ in items), "stratify: a coefficient is not positive")
    need(type(data["sign"]) is int and data["sign"] in (1, -1), "stratify: the sign")
    total = poly_sum(*(poly_scale(poly_product(h, h), c) for c, h in items))
    need(total == poly_scale(g, data["sign"]), "stratify: the squares do not add up")
    return [h for _, h in items]


def _units_of_stratum(
    family: GermFamily, unit_images: Sequence[Poly], zeros: Data
) -> tuple[Poly, ...]:
    """Polynomials that make all units of the family units of the stratum, and no others."""
    need(all(unit_images), "stratify: a unit vanishes on the stratum")
    units = tuple(family.polynomial(u) for u in zeros.get("units", []))
    need(all(any(map(any, u)) for u in units), "stratify: a unit of the stratum is a number")
    need(
        all(any(poly_quotient(image, u) is not None for image in unit_images) for u in units),
        "stratify: a unit of the stratum divides none of the family",
    )
    # Else the stratum would have points that the family does not have, or where a vanishes.
    need(
        all(is_known_unit(image, units) for image in unit_images),
        "stratify: a unit of the family is not one on the stratum",
    )
    return units


def _on_graph(family: GermFamily, g: Poly, zeros: Data, solve_child: SolveFamily) -> PairBounds:
    """The stratum g = a·t_j + b = 0 with a a unit; g becomes a local in place of t_j."""
    # One step after the other, each about the names that the one before has made.
    d = family.locals
    j = read_index(zeros["solve"], d + len(family.free), "stratify: not a free parameter", first=d)
    need(max(m[j] for m in g) == 1, "stratify: the parameter is not linear")
    a = {(*m[:j], 0, *m[j + 1 :]): c for m, c in g.items() if m[j]}
    b = {m: c for m, c in g.items() if not m[j]}
    need(is_known_unit(a, family.units), "stratify: the coefficient is not known to be a unit")
    h = family.free[j - d]
    need(not h or not b or is_known_unit(b, family.units), "stratify: the prior of the parameter")
    order = [*range(d), j, *(k for k in range(d, family.width) if k != j)]

    def moved(p: Poly) -> Poly:
        return {tuple(m[k] for k in order): c for m, c in p.items()}

    prior = (*family.prior, Fraction(0) if b else h)
    free_priors = tuple(x for k, x in enumerate(family.free) if k != j - d)
    empty_family = GermFamily((), prior, free_priors, family.fixed, ())
    a, b = moved(a), moved(b)
    unit_images = [
        substitute_quotient(u, d, poly_scale(b, -1), a, family.width)
        for u in [*map(moved, family.units), a]
    ]
    units = _units_of_stratum(family, unit_images, zeros)
    relations = tuple(map(moved, family.relations))
    on_stratum = replace(family, prior=prior, free=free_priors, units=units, relations=relations)
    generators = tuple(moved(g) for g in family.generators)
    child = on_stratum.with_generators(with_coordinate_changed(empty_family, generators, d, a, b))
    lower, upper = solve_child(child)
    # Where a unit involves fixed parameters only, the stratum may be empty for some of them.
    outer = [moved(u) for u in family.units if not involves_free_parameter(family, u)]
    never_empty = all(
        involves_free_parameter(child, u) or is_known_unit(u, outer) for u in on_stratum.units
    )
    return lower, upper if never_empty else None


@checked_rule(
    "smooth-zeros",
    "{cofactors: [polynomial], kept: [index], coordinates: [polynomial], exponents: "
    "[[integer]], units: [polynomial], weights: weights, multipliers: multipliers, line?: "
    "{parameter: index, at: [integer]}}",
    RuleScope.ZEROS,
)
def smooth_zeros_rule(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """Near g = 0: the pair of generators that are monomials in coordinates, of which g is one.

    If A·g + Σ B_k·∂g/∂t_k is a unit, so that dg ≠ 0 there, and the priors of the parameters are
    units.  Above only with all generators and a line that has a zero (``theory/blowups.md``).
    """
    d, m = family.locals, len(family.free)
    g = family.zero
    assert g is not None
    need(all(has_unit_prior(family, k) for k in range(m)), "smooth-zeros: the prior of a parameter")
    derivatives = [partial_derivative(g, d + k) for k in range(m)]
    total = cofactor_sum(family, [g, *derivatives], data, "smooth-zeros")
    # Where g and all its derivatives vanish, a unit would vanish.
    need(is_known_unit(total, family.units), "smooth-zeros: the differential may vanish")
    chosen_generators = read_indices(
        data["kept"], len(family.generators), "smooth-zeros: no such generator"
    )
    need(bool(chosen_generators), "smooth-zeros: no such generator")
    cost.charge(
        20 * sum(len(family.generators[k]) for k in chosen_generators), "the chosen generators"
    )
    pair = in_coordinates(family, tuple(family.generators[k] for k in chosen_generators), data)
    complete = set(chosen_generators) == set(range(len(family.generators)))
    if not complete or "line" not in data:
        return pair, None
    has_zero_on_line(family, g, data["line"], "smooth-zeros")
    return pair, pair
