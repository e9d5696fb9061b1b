"""Polynomials in the parameters that have to be decided before a search can go on."""

from rlct.algebra.polynomial import Polynomial, total_degree
from rlct.engine.germs.family import Family, is_unit, local_terms, non_units, strip_monomial
from rlct.newton.linear_program import monomial_optimum


def undecided_coefficient(family: Family) -> Polynomial | None:
    """A factor of a coefficient that should be decided first.

    Coefficients at which a strict transform meets the divisor come first, then those of linear
    terms, which give coordinates, then those that decide the linear programme.  Generators with
    small common monomials come first: they may simplify the others.
    """
    d = len(family.prior)
    undecided_factors: list[tuple[tuple[int, int], Polynomial]] = []
    for g in family.generators:
        common_exponents, quotient = strip_monomial(g, d)
        for m, c in local_terms(quotient, d).items():
            if is_unit(c, family.units):
                continue
            if not any(m):
                undecided_factors.append(((0, sum(common_exponents)), c))
            elif sum(m) == 1 and not family.prior[m.index(1)]:
                undecided_factors.append(((1, sum(common_exponents)), c))
    if not undecided_factors:
        terms: dict[tuple[int, ...], list[Polynomial]] = {}
        for g in family.generators:
            for m, c in local_terms(g, d).items():
                terms.setdefault(m, []).append(c)
        exponents = sorted(terms)
        for row in monomial_optimum(exponents, family.prior).multipliers:
            coefficients = terms[exponents[row]]
            if not any(is_unit(c, family.units) for c in coefficients):
                undecided_factors.append(((2, 0), coefficients[0]))
    choices = [
        (level, total_degree(f), len(f), str(f), f)
        for level, c in undecided_factors
        for f in non_units(c, family.units)
    ]
    return min(choices, key=lambda item: item[:4])[-1] if choices else None
