"""Rules that take a statement apart; ``theory/certificates.md`` proves each."""

from __future__ import annotations

from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    poly_exact_quotient,
    poly_power,
    poly_product,
    poly_scale,
    poly_sum,
    total_degree,
    value_at_origin,
)
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    by_group,
    disjoint_groups,
    ideal_of,
    need,
    product_of,
    read_index,
    read_indices,
    restricted_to_group,
    sum_of,
)
from rlct.pair import Pair

__all__ = ["POWER_REASON"]

POWER_REASON = (
    "`{K^m < t} = {K < t^(1/m)}`: for a power `K^m`, `λ` is divided by `m`, and `θ` stays."
)


@checked_rule("sum", "{groups: [[index]]}")
def total(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I_1 + I_2 + …) = pair(I_1) + pair(I_2) + …: λ adds, and so does θ − 1.

    If every generator lies in one group of variables, and the groups are disjoint (sum,
    ``theory/conventions.md``).
    """
    need(statement.is_ideal, "sum: not an ideal")
    groups = disjoint_groups(statement.width, data)
    parts = by_group(statement.generators, groups, statement.width)
    return sum_of(
        [
            solve_child(restricted_to_group(statement, p, g))
            for p, g in zip(parts, groups, strict=True)
        ]
    )


@checked_rule(
    "product",
    "{groups: [[index]], factor: polynomial | [integer]} | {groups: [[index]], factors: "
    "[polynomial], unit?: polynomial}",
)
def product(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(K_1·K_2⋯) has the least λ, and the sum of the θ of the factors that attain it.

    If the factors multiply to K or the generators, up to a unit, and use disjoint groups of
    variables (product, ``theory/conventions.md``).
    """
    groups = disjoint_groups(statement.width, data)
    if statement.is_ideal:
        h = statement.polynomial(data["factor"])
        need(len(groups) == 2, "product: an ideal splits into two factors")
        parts = [[h], [poly_exact_quotient(g, h) for g in statement.generators]]
    else:
        unit = statement.polynomial(data["unit"])
        # Near 0 the unit lies between two numbers of one sign: it changes no pair.
        need(bool(value_at_origin(unit)), "product: the unit vanishes")
        factors = [statement.polynomial(f) for f in data["factors"]]
        factors_product = unit
        for f in factors:
            factors_product = poly_product(factors_product, f)
        need(
            factors_product == statement.generators[0], "product: the factors do not multiply to K"
        )
        parts = [[f] for f in factors]
    need(len(parts) == len(groups), "product: as many groups as factors are needed")
    return product_of(
        [
            solve_child(restricted_to_group(statement, p, g))
            for p, g in zip(parts, groups, strict=True)
        ]
    )


@checked_rule(
    "power",
    "{exponent: positive, root: polynomial}",
    wording="Power rule\n"
    "The generator is a constant or unit times the power `({root})^{exponent}`.\n"
    "→ `λ` is divided by `{exponent}`: {pair} becomes {result}.\n"
    f"∵ {POWER_REASON}",
)
def root(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair((g^m)) = pair((g))/m: λ is divided by m and θ stays.

    If the only generator is c·g^m with a number c ≠ 0 (power, ``theory/conventions.md``).
    """
    m, g = data["exponent"], statement.polynomial(data["root"])
    need(statement.is_ideal and len(statement.generators) == 1, "power: not a principal ideal")
    need(type(m) is int and m >= 2, "power: the exponent is not an integer above 1")
    (f,) = statement.generators
    # Only powers of the right degree are expanded; the comparison of all terms decides.
    need(m * total_degree(g) == total_degree(f), "power: the degrees do not fit")
    multiple = poly_power(g, m, statement.width)
    ratio = f[max(f)] / multiple[max(multiple)] if multiple else Fraction(0)
    need(poly_scale(multiple, ratio) == f, "power: the generator is not that power")
    lower, upper = solve_child(ideal_of(statement, [g]))
    return lower / m, None if upper is None else upper / m


@checked_rule("eliminate", "{generator: index, variable: index}")
def eliminate(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I) = (1/2, 1) + pair(J), J the other generators at x = −r/u.

    If a generator is u·x + r with u(0) ≠ 0, u and r free of x, and x has no prior: it is a
    coordinate in place of x (linear generator, ``theory/conventions.md``).
    """
    need(statement.is_ideal, "eliminate: not an ideal")
    chosen_generator = read_index(
        data["generator"], len(statement.generators), "eliminate: no such generator"
    )
    i = read_index(data["variable"], statement.width, "eliminate: no such variable")
    need(statement.prior[i] == 0, "eliminate: the prior involves the variable")
    g = statement.generators[chosen_generator]
    need(max(m[i] for m in g) == 1, "eliminate: the variable is not linear")
    u = _coefficient(g, i, 1)
    minus_r = poly_scale(_coefficient(g, i, 0), -1)
    # The derivative of g by x at 0 is u(0): if it is not 0, g is a coordinate in place of x.
    need(bool(value_at_origin(u)), "eliminate: the coefficient vanishes at the origin")
    other_generators = []
    for k, other_generator in enumerate(statement.generators):
        if k == chosen_generator:
            continue
        # u^n times the generator at x = −r/u: a polynomial, and the unit u^n changes no ideal.
        n = max(m[i] for m in other_generator)
        image: Poly = {}
        for e in sorted({m[i] for m in other_generator}):
            cost.charge(5 * len(other_generator), "an elimination of a variable")
            factor = poly_product(
                poly_power(minus_r, e, statement.width), poly_power(u, n - e, statement.width)
            )
            image = poly_sum(image, poly_product(_coefficient(other_generator, i, e), factor))
        if image:
            other_generators.append(image)
    regular = Pair(Fraction(1, 2), 1)
    if not other_generators:
        return regular, regular
    variables_left = [k for k in range(statement.width) if k != i]
    lower, upper = solve_child(restricted_to_group(statement, other_generators, variables_left))
    return lower + regular, None if upper is None else upper + regular


def _coefficient(p: Poly, i: int, exponent: int) -> Poly:
    return {(*m[:i], 0, *m[i + 1 :]): c for m, c in p.items() if m[i] == exponent}


@checked_rule(
    "subideal",
    "{kept: [index]}",
    wording="Fewer generators\n"
    "Leaving generators out makes `K` smaller; what remains is {child}.\n"
    "→ A smaller `K` has a smaller pair, so this is a lower bound: {result}.",
)
def subideal(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I) ≥ the lower bound of J ⊂ I; nothing from above.

    Without a condition: fewer squares make a smaller K (comparison, ``theory/conventions.md``).
    """
    need(statement.is_ideal, "subideal: not an ideal")
    chosen_generators = read_indices(
        data["kept"], len(statement.generators), "subideal: no such generator"
    )
    lower, _ = solve_child(
        ideal_of(statement, [statement.generators[k] for k in chosen_generators])
    )
    return lower, None
