"""Lower bound by initial monomials; ``theory/blowups.md`` proves it."""

from typing import Any

from rlct.certificate import cost
from rlct.certificate.family import GermFamily, coefficients_of_locals, is_known_unit
from rlct.certificate.germs.leaves import linear_programme
from rlct.certificate.numbers.arithmetic import Poly, read_fraction
from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import Data, PairBounds, need, read_indices
from rlct.pair import Pair


@checked_rule(
    "initial",
    "{order: [positive], kept: [index], weights: weights, multipliers: multipliers, outer?: "
    "[index], prior?: [rational]}",
    RuleScope.GERM | RuleScope.FIXED,
    cites="complex thresholds are semicontinuous in families (Demailly and Kollár 2001)",
)
def initial_rule(family: GermFamily, data: Data, solve_child: Any) -> PairBounds:
    """The pair is ≥ (c, D), or ≥ (r, #{j : r_j = r}) if r = min r_j < c, for D variables.

    Here c = ½ min v·(1 + h̃) over v·(m + a_k) ≥ 1, and r_j = (1 + h_j)/(2·m_j) for outer j; if x^m
    divides the chosen generators, each has one term x^(m + a_k) of least weight, times a unit, and
    0 ≤ h̃ ≤ h, h̃_i ≤ 2c·m_i (``theory/blowups.md``).
    """
    # The conditions of the page in its order; all are about the same few lists.
    d = family.locals
    need(not (family.uniform and family.fixed), "initial: not uniform in the parameters")
    order = data["order"]
    need(
        len(order) == d and all(type(w) is int and w > 0 for w in order),
        "initial: the weights of the order are not positive integers",
    )
    chosen_generators = read_indices(
        data["kept"], len(family.generators), "initial: no such generator"
    )
    need(bool(chosen_generators), "initial: no such generator")
    terms = sum(len(family.generators[k]) for k in chosen_generators)
    each = cost.of_table(20 + family.width, cost.of_integer(64 + cost.bits_in(order)))
    cost.charge(cost.of_table(terms, each), "the terms of generators")
    parts = [coefficients_of_locals(family.generators[k], d) for k in chosen_generators]
    least_exponents = [_least(family, part, order) for part in parts]
    common_monomial = [
        min(column) for column in zip(*(m for part in parts for m in part), strict=True)
    ]
    outer_locals = read_indices(data.get("outer", []), d, "initial: no such variable")
    need(len(set(outer_locals)) == len(outer_locals), "initial: a variable twice")
    for j in outer_locals:
        need(
            {m[j] for m in least_exponents} == {common_monomial[j]} != {0},
            "initial: an outer variable is not one of the common monomial alone",
        )
    inner_locals = [j for j in range(d) if j not in outer_locals]
    prior = [read_fraction(h) for h in data.get("prior", ["0"] * len(inner_locals))]
    need(
        len(prior) == len(inner_locals),
        "initial: one exponent of the prior for each inner variable",
    )
    rows = {tuple(m[j] for j in inner_locals) for m in least_exponents}
    need(all(map(any, rows)), "initial: a monomial has no inner variable")
    pair, _ = linear_programme(prior, data, rows)
    need(
        all(
            0 <= h <= min(family.prior[j], 2 * common_monomial[j] * pair.lam)
            for h, j in zip(prior, inner_locals, strict=True)
        ),
        "initial: more of the prior than the common monomial takes away",
    )
    # The outer variables are divisors of their own; the smaller bound counts, with its θ.
    edges = [(1 + family.prior[j]) / (2 * common_monomial[j]) for j in outer_locals]
    if edges and min(edges) < pair.lam:
        return Pair(min(edges), edges.count(min(edges))), None
    return Pair(pair.lam, family.width), None


def _least(
    family: GermFamily, part: dict[tuple[int, ...], Poly], order: list[int]
) -> tuple[int, ...]:
    """The only exponent of least weight; its coefficient is a unit."""
    weighed = [(sum(w * e for w, e in zip(order, m, strict=True)), m) for m in part]
    least = min(value for value, _ in weighed)
    first = [m for value, m in weighed if value == least]
    # One term, with a unit: over C the generator tends to this monomial.
    need(len(first) == 1, "initial: the least term of a generator is not unique")
    need(
        is_known_unit(part[first[0]], family.units),
        "initial: a coefficient is not known to be a unit",
    )
    return first[0]
