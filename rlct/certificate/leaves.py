"""Rules that end a proof; ``theory/certificates.md`` proves each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from operator import mul

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    constant,
    degree,
    fraction,
    multiply,
    power,
)
from rlct.certificate.linear import dot, has_rank, over_one_denominator, rank
from rlct.certificate.statement import Bounds, Data, Rule, Solve, Statement, linear_parts, need
from rlct.certificate.univariate import summed
from rlct.pair import Pair

__all__ = ["LEAVES", "exponents_of", "programme"]


def smooth(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Independent differentials, also without the variables of the prior."""
    free = [i for i, h in enumerate(statement.prior) if h == 0]
    r = len(statement.generators)
    need(statement.is_ideal, "smooth: not an ideal")
    need(rank(linear_parts(statement, free)) == r, "smooth: the differentials are dependent")
    pair = Pair(Fraction(r, 2), 1)
    return pair, pair


def _floor(statement: Statement) -> Pair:
    lowest = min(sum(m) for g in statement.generators for m in g)
    order_bound = Pair(Fraction(1, 2 * lowest), 1)
    s = rank(linear_parts(statement, list(range(statement.width))))
    return max(order_bound, Pair(Fraction(s, 2), 1)) if s else order_bound


def programme(
    prior: Sequence[Fraction], data: Data, exponents: set[tuple[int, ...]]
) -> tuple[Pair, list[list[Fraction]]]:
    """Pair of the monomial ideal of the exponents from weights and multipliers."""
    costs = [1 + h for h in prior]
    weights = [[fraction(x) for x in point] for point in data["weights"]]
    multipliers = [(tuple(a), fraction(y)) for a, y in data["multipliers"]]
    need(bool(weights), "no optimal weight is given")
    for a, y in multipliers:
        # 1.0 == 1, but arithmetic with it would round.
        whole = all(type(e) is int for e in a)
        need(whole and a in exponents, f"{list(a)} is not an exponent of the ideal")
        need(y > 0, "a multiplier is not positive")
    value = summed(y for _, y in multipliers)
    assert isinstance(value, Fraction)
    # Over common denominators: thousands of exponents are compared with large rationals.
    bottom, tops = over_one_denominator([y for _, y in multipliers])
    size = cost.length(tops) + bottom.bit_length()
    steps = cost.table(len(costs), 10 + len(tops) + len(costs), 2 + cost.integer(size))
    cost.charge(steps, "a linear programme")
    pairs = list(zip(tops, (a for a, _ in multipliers), strict=True))
    used = [sum(y * a[j] for y, a in pairs) for j in range(len(costs))]
    slack = [c * bottom - u for c, u in zip(costs, used, strict=True)]
    need(min(slack) >= 0, "the multipliers are not feasible")
    need(all(len(a) == len(costs) for a in exponents), "an exponent for every variable")
    for v in weights:
        need(len(v) == len(costs) and min(v) >= 0, "a weight is negative")
        need(dot(v, costs) == value, "a weight does not attain the value of the multipliers")
        bottom, tops = over_one_denominator(v)
        steps = cost.table(len(exponents), len(v), 1 + cost.integer(cost.length(tops)))
        cost.charge(steps, "a linear programme")
        feasible = all(sum(map(mul, tops, a)) >= bottom for a in exponents)
        need(feasible, "a weight is not feasible")
    theta = len(weights)
    base = weights[0]
    spread = [[x - y for x, y in zip(v, base, strict=True)] for v in weights[1:]]
    need(has_rank(spread, theta - 1), "the weights are not affinely independent")
    # The weights are optimal and solve these equations, so that no larger rank is possible.
    units = [[int(i == j) for i in range(len(costs))] for j, s in enumerate(slack) if s > 0]
    equations = [list(a) for a, _ in multipliers] + units
    need(has_rank(equations, len(costs) - theta + 1), "the optimal face is larger than θ says")
    return Pair(value / 2, theta), weights


def exponents_of(statement: Statement) -> set[tuple[int, ...]]:
    """All exponents of the generators of an ideal."""
    need(statement.is_ideal, "not an ideal")
    return {m for g in statement.generators for m in g}


def monomial(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Monomial ideals."""
    need(all(len(g) == 1 for g in statement.generators), "monomial: a generator has two terms")
    pair, _ = programme(statement.prior, data, exponents_of(statement))
    return pair, pair


def hull(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """Bounds from the terms alone."""
    pair, _ = programme(statement.prior, data, exponents_of(statement))
    return _floor(statement), pair


def crossings(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """A generator that is a unit times powers of coordinates."""
    need(statement.is_ideal and len(statement.generators) == 1, "crossings: not principal")
    unit = statement.polynomial(data["unit"])
    need(bool(constant(unit)), "crossings: the unit vanishes")
    steps = cost.table(statement.width, statement.width, 25 + 10 * len(data["factors"]))
    cost.charge(steps, "coordinates")
    whole, rows, candidates = unit, [], []
    left = {i for i, h in enumerate(statement.prior) if h}
    for terms, e in data["factors"]:
        g = statement.polynomial(terms)
        need(bool(g) and type(e) is int and e >= 1, "crossings: a factor has no exponent")
        need(not constant(g), "crossings: a factor is a unit")
        need(e * degree(g) <= degree(statement.generators[0]), "crossings: the degree is too high")
        whole = multiply(whole, power(g, e, statement.width))
        h = Fraction(0)
        if len(g) == 1:
            (m,) = g
            i = next(i for i, x in enumerate(m) if x)
            h = statement.prior[i]
            left.discard(i)
        rows.append(linear_parts(replace(statement, generators=(g,)), _all(statement))[0])
        candidates.append(Pair((1 + h) / (2 * e), 1))
    need(whole == statement.generators[0], "crossings: the factors do not multiply to K")
    rows += [[Fraction(int(i == j)) for j in _all(statement)] for i in sorted(left)]
    need(bool(candidates) and rank(rows) == len(rows), "crossings: the factors are not coordinates")
    pair = candidates[0]
    for candidate in candidates[1:]:
        pair = pair * candidate
    return pair, pair


def _all(statement: Statement) -> list[int]:
    return list(range(statement.width))


LEAVES: dict[str, Rule] = {
    "smooth": smooth,
    "monomial": monomial,
    "hull": hull,
    "crossings": crossings,
}
