"""Lower bound by initial monomials; ``theory/blowups.md`` proves it."""

from __future__ import annotations

from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import Poly, fraction
from rlct.certificate.family import Family, coefficients, is_unit
from rlct.certificate.leaves import programme
from rlct.certificate.statement import (
    Bounds,
    Data,
    indices,
    need,
)
from rlct.pair import Pair

__all__ = ["initial"]


def initial(family: Family, data: Data, solve: Any) -> Bounds:
    """Unique least terms of some generators, for positive weights of the locals."""
    d = family.locals
    need(not (family.uniform and family.fixed), "initial: not uniform in the parameters")
    order = data["order"]
    need(
        len(order) == d and all(type(w) is int and w > 0 for w in order),
        "initial: the weights of the order are not positive integers",
    )
    kept = indices(data["kept"], len(family.generators), "initial: no such generator")
    need(bool(kept), "initial: no such generator")
    terms = sum(len(family.generators[k]) for k in kept)
    each = cost.table(20 + family.width, cost.integer(64 + cost.length(order)))
    cost.charge(cost.table(terms, each), "the terms of generators")
    parts = [coefficients(family.generators[k], d) for k in kept]
    least = [_least(family, part, order) for part in parts]
    low = [min(column) for column in zip(*(m for part in parts for m in part), strict=True)]
    outer = indices(data.get("outer", []), d, "initial: no such variable")
    need(len(set(outer)) == len(outer), "initial: a variable twice")
    need(
        all(low[j] and all(m[j] == low[j] for m in least) for j in outer),
        "initial: an outer variable is not one of the common monomial alone",
    )
    inner = [j for j in range(d) if j not in outer]
    prior = [fraction(h) for h in data.get("prior", ["0"] * len(inner))]
    need(len(prior) == len(inner), "initial: one exponent of the prior for each inner variable")
    rows = {tuple(m[j] for j in inner) for m in least}
    need(all(map(any, rows)), "initial: a monomial has no inner variable")
    pair, _ = programme(prior, data, rows)
    need(
        all(
            0 <= h <= min(family.prior[j], 2 * low[j] * pair.lam)
            for h, j in zip(prior, inner, strict=True)
        ),
        "initial: more of the prior than the common monomial takes away",
    )
    edges = [(1 + family.prior[j]) / (2 * low[j]) for j in outer]
    if edges and min(edges) < pair.lam:
        return Pair(min(edges), edges.count(min(edges))), None
    return Pair(pair.lam, family.width), None


def _least(family: Family, part: dict[tuple[int, ...], Poly], order: list[int]) -> tuple[int, ...]:
    """The only exponent of least weight; its coefficient is a unit."""
    weighed = [(sum(w * e for w, e in zip(order, m, strict=True)), m) for m in part]
    least = min(value for value, _ in weighed)
    first = [m for value, m in weighed if value == least]
    need(len(first) == 1, "initial: the least term of a generator is not unique")
    need(is_unit(part[first[0]], family.units), "initial: a coefficient is not known to be a unit")
    return first[0]
