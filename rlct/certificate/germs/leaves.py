"""Rules that end a proof; ``theory/certificates.md`` proves each."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from operator import mul
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    poly_power,
    poly_product,
    read_fraction,
    total_degree,
    value_at_origin,
)
from rlct.certificate.numbers.linear import (
    has_rank,
    matrix_rank,
    over_one_denominator,
    scalar_product,
)
from rlct.certificate.numbers.univariate import sum_of_numbers
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    linear_parts,
    need,
)
from rlct.certificate.torus.identities import check_signs, read_integers
from rlct.pair import Pair


@checked_rule("smooth")
def smooth(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(g_1, …, g_r) = (r/2, 1).

    If the differentials at 0 are independent, also without the variables of the prior: the g are
    coordinates beside those (``theory/certificates.md``).
    """
    free = [i for i, h in enumerate(statement.prior) if h == 0]
    r = len(statement.generators)
    need(statement.is_ideal, "smooth: not an ideal")
    # Columns of variables with a prior are left out: the g are coordinates beside them.
    need(matrix_rank(linear_parts(statement, free)) == r, "smooth: the differentials are dependent")
    pair = Pair(Fraction(r, 2), 1)
    return pair, pair


def _floor(statement: Statement) -> Pair:
    """The larger of (1/(2m), 1), m the least order of a generator, and (s/2, 1), s the rank at 0.

    If h ≥ 0, as in every statement: a bounded prior only takes volume away.
    """
    lowest = min(sum(m) for g in statement.generators for m in g)
    order_bound = Pair(Fraction(1, 2 * lowest), 1)
    s = matrix_rank(linear_parts(statement, list(range(statement.width))))
    return max(order_bound, Pair(Fraction(s, 2), 1)) if s else order_bound


def linear_programme(
    prior: Sequence[Fraction], data: Data, exponents: set[tuple[int, ...]]
) -> tuple[Pair, list[list[Fraction]]]:
    """λ = ½ min v·(1 + h) over v ≥ 0 with v·a ≥ 1 for all exponents a, θ − 1 = dim of minimisers.

    If multipliers y > 0 with Σ y·a ≤ 1 + h have the value of all θ weights v (duality), the v are
    independent, and the equations that minimisers obey have rank d + 1 − θ (``theory/newton.md``).
    """
    variable_costs = [1 + h for h in prior]
    weights = [[read_fraction(x) for x in point] for point in data["weights"]]
    multipliers = [(tuple(a), read_fraction(y)) for a, y in data["multipliers"]]
    need(bool(weights), "no optimal weight is given")
    for a, y in multipliers:
        # 1.0 == 1, but arithmetic with it would round.
        whole = all(type(e) is int for e in a)
        need(whole and a in exponents, f"{list(a)} is not an exponent of the ideal")
        need(y > 0, "a multiplier is not positive")
    value = sum_of_numbers(y for _, y in multipliers)
    assert isinstance(value, Fraction)
    # Over common denominators: thousands of exponents are compared with large rationals.
    denominator, numerators = over_one_denominator([y for _, y in multipliers])
    size = cost.bits_in(numerators) + denominator.bit_length()
    steps = cost.of_table(
        len(variable_costs), 10 + len(numerators) + len(variable_costs), 2 + cost.of_integer(size)
    )
    cost.charge(steps, "a linear programme")
    pairs = list(zip(numerators, (a for a, _ in multipliers), strict=True))
    multiplied_exponents = [sum(y * a[j] for y, a in pairs) for j in range(len(variable_costs))]
    slack = [c * denominator - u for c, u in zip(variable_costs, multiplied_exponents, strict=True)]
    # Duality: v·(1 + h) ≥ Σ y·(v·a) ≥ Σ y for every feasible v, so that no value is smaller.
    need(min(slack) >= 0, "the multipliers are not feasible")
    need(all(len(a) == len(variable_costs) for a in exponents), "an exponent for every variable")
    # Feasible weights of exactly that value are minimisers.
    for v in weights:
        need(len(v) == len(variable_costs) and min(v) >= 0, "a weight is negative")
        need(
            scalar_product(v, variable_costs) == value,
            "a weight does not attain the value of the multipliers",
        )
        denominator, numerators = over_one_denominator(v)
        each = 1 + cost.of_integer(cost.bits_in(numerators))
        steps = cost.of_table(len(exponents), 5 + len(v), each)
        cost.charge(steps, "a linear programme")
        feasible = all(sum(map(mul, numerators, a)) >= denominator for a in exponents)
        need(feasible, "a weight is not feasible")
    _check_optimal_face(weights, [a for a, _ in multipliers], slack)
    return Pair(value / 2, len(weights)), weights


def _check_optimal_face(
    weights: Sequence[Sequence[Fraction]], exponents: Sequence[tuple[int, ...]], slack: list[int]
) -> None:
    """The minimisers form a face of dimension θ − 1, of which θ points are given."""
    theta, width = len(weights), len(slack)
    spread = [[x - y for x, y in zip(v, weights[0], strict=True)] for v in weights[1:]]
    # θ independent minimisers: their face has dimension θ − 1 at least.
    need(has_rank(spread, theta - 1), "the weights are not affinely independent")
    # The weights are optimal and solve these equations, so that no larger rank is possible.
    units = [[int(i == j) for i in range(width)] for j, s in enumerate(slack) if s > 0]
    equations = [*map(list, exponents), *units]
    need(has_rank(equations, width - theta + 1), "the optimal face is larger than θ says")


def exponents_of(statement: Statement) -> set[tuple[int, ...]]:
    """All exponents of the generators of an ideal."""
    need(statement.is_ideal, "not an ideal")
    return {m for g in statement.generators for m in g}


@checked_rule("hull", "{weights: weights, multipliers: multipliers}")
def hull(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """max((1/(2m), 1), (s/2, 1)) ≤ pair(I) ≤ pair of the ideal of all terms of the generators.

    Without a condition: m is the least order of a generator, s the rank of the differentials at 0,
    and K ≤ C·Σ x^(2a) over all terms (``theory/certificates.md``).
    """
    pair, _ = linear_programme(statement.prior, data, exponents_of(statement))
    return _floor(statement), pair


@checked_rule("sign-change", "{signs: [[rational]]2, weights: [positive]}")
def sign_change(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair((f)) ≤ (1/2, 1), and at least max((1/(2m), 1), (s/2, 1)) as for `hull`.

    If an initial form of f, by weights w > 0, has opposite signs at two points of one orthant
    (``theory/certificates.md``).
    """
    need(statement.is_ideal and len(statement.generators) == 1, "sign-change: not principal")
    need(statement.field is None, "sign-change: not over Q")
    (f,) = statement.generators
    weights = read_integers(data["weights"], statement.width)
    need(min(weights) > 0, "sign-change: a weight is not positive")
    cost.charge(len(f) * (10 + 3 * statement.width), "an initial form")
    degrees = {m: sum(map(mul, weights, m)) for m in f}
    least_degree = min(degrees.values())
    check_signs([{m: c for m, c in f.items() if degrees[m] == least_degree}], data["signs"])
    return _floor(statement), Pair(Fraction(1, 2), 1)


@checked_rule("crossings", "{factors: [(polynomial, positive)], unit: polynomial}")
def crossings(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair((u·Π f_j^e_j)) is the product of the pairs ((1 + h_j)/(2·e_j), 1).

    If u(0) ≠ 0, and the f_j with the variables of the prior have independent differentials at 0;
    h_j is the prior of f_j if this is a variable, and else 0 (``theory/certificates.md``).
    """
    need(statement.is_ideal and len(statement.generators) == 1, "crossings: not principal")
    factors, exponents = factors_of_generator(statement, data)
    steps = cost.of_table(statement.width, statement.width, 25 + 10 * len(factors))
    cost.charge(steps, "coordinates")
    rows, factor_pairs = [], []
    variables_without_factor = {i for i, h in enumerate(statement.prior) if h}
    for g, e in zip(factors, exponents, strict=True):
        h = Fraction(0)
        if len(g) == 1:
            (m,) = g
            i = next(i for i, x in enumerate(m) if x)
            h = statement.prior[i]
            variables_without_factor.discard(i)
        rows.append(linear_parts(replace(statement, generators=(g,)), _all(statement))[0])
        factor_pairs.append(Pair((1 + h) / (2 * e), 1))
    # With these rows independent, factors and variables of the prior are coordinates.
    rows += [
        [Fraction(int(i == j)) for j in _all(statement)] for i in sorted(variables_without_factor)
    ]
    need(
        bool(factor_pairs) and matrix_rank(rows) == len(rows),
        "crossings: the factors are not coordinates",
    )
    pair = Pair.product(factor_pairs)
    return pair, pair


def factors_of_generator(statement: Statement, data: Data) -> tuple[tuple[Poly, ...], list[int]]:
    """Factors that vanish at the origin, and their exponents: with a unit they multiply to f."""
    factors = [(statement.polynomial(terms), e) for terms, e in data["factors"]]
    check_factors(statement, data["unit"], factors)
    return tuple(g for g, _ in factors), [e for _, e in factors]


def check_factors(statement: Statement, unit_terms: Any, factors: list[tuple[Poly, int]]) -> None:
    """Whether powers of factors that vanish at the origin, times a unit, are the generator."""
    (f,) = statement.generators
    product = statement.polynomial(unit_terms)
    need(bool(value_at_origin(product)), "the unit vanishes")
    for g, e in factors:
        need(bool(g) and type(e) is int and e >= 1, "a factor has no exponent")
        need(not value_at_origin(g), "a factor is a unit")
        # A power of higher degree cannot divide f: this bounds what it costs.
        need(e * total_degree(g) <= total_degree(f), "the degree of a factor is too high")
        product = poly_product(product, poly_power(g, e, statement.width))
    need(product == f, "the factors do not multiply to the generator")


def unit_is_positive(data: Data) -> bool:
    """Whether the unit beside factors is positive at the point; a number of a field is not seen."""
    terms = data.get("unit", ())
    return any(not any(m) and isinstance(c, str) and read_fraction(c) > 0 for c, m in terms)


def _all(statement: Statement) -> list[int]:
    return list(range(statement.width))
