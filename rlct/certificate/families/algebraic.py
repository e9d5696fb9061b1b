"""Rules of families over algebraic functions; ``theory/blowups.md`` proves each."""

from dataclasses import replace
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.family import GermFamily, SolveFamily, has_unit_prior, is_known_unit
from rlct.certificate.numbers.arithmetic import (
    Poly,
    at,
    binomial_expansion,
    partial_derivative,
    poly_product,
    poly_quotient,
    poly_sum,
    variables,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.univariate import DensePoly, dense_gcd, dense_quotient, has_real_root
from rlct.certificate.rules import ChildTrait, RuleScope, checked_rule
from rlct.certificate.statement import Data, PairBounds, need, read_index


@checked_rule(
    "unit",
    "{polynomial: polynomial, cofactors: [polynomial]}",
    RuleScope.FIXED | RuleScope.FREE,
    "A polynomial that cannot vanish\n"
    "An identity shows that `{polynomial}` has no zero where the relations between the "
    "parameters hold: it counts as a unit from here on.",
    child=ChildTrait.SAME_VARIABLES | ChildTrait.COMPARABLE,
)
def unit_rule(family: GermFamily, data: Data, solve_child: SolveFamily) -> PairBounds:
    """The bounds are those of the family with one more unit p.

    If A·p + Σ B_k·r_k is a unit: then p ≠ 0 where the relations r_k = 0 hold
    (``theory/blowups.md``).
    """
    p = family.polynomial(data["polynomial"])
    need(bool(p) and min(variables([p]), default=0) >= family.locals, "unit: a local is involved")
    total = cofactor_sum(family, [p, *family.relations], data, "unit")
    # Where p = 0 and the relations hold a unit would vanish.
    need(is_known_unit(total, family.units), "unit: the combination is not known to be a unit")
    return solve_child(replace(family, units=(*family.units, p), earlier_splits=()))


def cofactor_sum(family: GermFamily, polynomials: list[Poly], data: Data, rule: str) -> Poly:
    """Σ c_k·p_k with the recorded cofactors c_k, which are polynomials in the parameters."""
    cofactors = [family.polynomial(c) for c in data["cofactors"]]
    need(len(cofactors) == len(polynomials), f"{rule}: the wrong number of cofactors")
    need(
        all(i >= family.locals for i in variables(cofactors)),
        f"{rule}: a cofactor involves a local",
    )
    return poly_sum(*(poly_product(c, p) for c, p in zip(cofactors, polynomials, strict=True)))


def adjoined_family(family: GermFamily, g: Poly, data: Data) -> tuple[GermFamily, bool]:
    """Family on g = 0, where t_j is an algebraic function of the other parameters.

    Locals have y = t_j − α in place of t_j; free parameters are those that g does not involve;
    fixed ones have the others of g and α at the end.  The bool says whether there are such points
    for all values of the fixed parameters.
    """
    d, m, width = family.locals, len(family.free), family.width
    j = read_index(data["adjoin"], d + m, "stratify: not a free parameter", first=d)
    g_variables = set(variables([g]))
    need(j in g_variables, "stratify: the parameter is not involved")
    need(
        all(has_unit_prior(family, k - d) for k in g_variables & set(range(d, d + m))),
        "stratify: the prior of a parameter may vanish",
    )
    total = cofactor_sum(family, [g, partial_derivative(g, j), *family.relations], data, "stratify")
    # Where g = 0 and ∂g/∂t_j = 0 a unit would vanish: t_j is an analytic function there.
    need(is_known_unit(total, family.units), "stratify: the combination is not known to be a unit")
    still_free = [k for k in range(d, d + m) if k not in g_variables]
    newly_fixed = [k for k in range(d, d + m) if k in g_variables and k != j]
    order = [*range(d), j, *still_free, *range(d + m, width), *newly_fixed]

    def as_root(p: Poly) -> Poly:
        """P with t_j = α."""
        return {(*(0 if k == j else e[k] for k in order), e[j]): c for e, c in p.items()}

    def place(e: tuple[int, ...], low: int) -> tuple[int, ...]:
        """y^low α^(n − low) of t_j = α + y."""
        return (*(low if k == j else e[k] for k in order), e[j] - low)

    child = replace(
        family,
        prior=(*family.prior, Fraction(0)),
        free=tuple(family.free[k - d] for k in still_free),
        fixed=family.fixed + len(newly_fixed) + 1,
        units=tuple(map(as_root, family.units)),
        relations=tuple(map(as_root, [*family.relations, g])),
    ).with_generators([binomial_expansion(f, j, Fraction(1), place) for f in family.generators])
    if "line" not in data:
        return child, False
    has_zero_on_line(family, g, data["line"], "stratify")
    return child, True


def has_zero_on_line(family: GermFamily, g: Poly, line: Data, rule: str) -> None:
    """Check that g has a real zero on the line that is no zero of a unit.

    On the line g must not involve fixed parameters, and units only as factors that are units.
    """
    d, m = family.locals, len(family.free)
    j, values = read_index(line["parameter"], m, f"{rule}: the line"), line["at"]
    need(len(values) == m, f"{rule}: the line")
    need(all(type(v) is int for v in values), f"{rule}: the line")
    constants = [u for u in family.units if min(variables([u]), default=0) >= d + m]

    def on_line(p: Poly) -> DensePoly:
        total = at(p, {d + k: Fraction(v) for k, v in enumerate(values) if k != j})
        for u in constants:
            while any(any(e) for e in u) and (dense_quotient := poly_quotient(total, u)):
                total = dense_quotient
        need(bool(total), f"{rule}: a unit vanishes on the line")
        need(
            not any(any(e[d + m :]) for e in total),
            f"{rule}: a fixed parameter is involved on the line",
        )
        cost.charge(10 * max(e[d + j] for e in total), "a polynomial in one variable")
        dense: list[RealNumber] = [Fraction(0)] * (max(e[d + j] for e in total) + 1)
        for e, c in total.items():
            dense[e[d + j]] += c
        return dense

    zeros = on_line(g)
    for u in family.units:
        unit_on_line = on_line(u)
        while len(common := dense_gcd([zeros, unit_on_line])) > 1:
            zeros = dense_quotient(zeros, common)
    # What is left of g on the line has no zero of a unit; Sturm counts the real ones.
    need(has_real_root(zeros), f"{rule}: no zero on the line")
