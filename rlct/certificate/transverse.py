"""Sums and products of ideals that are constant along vector fields; ``theory/flows.md``."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import Poly, add, constant, multiply, partial, variables
from rlct.certificate.field import Number
from rlct.certificate.linear import rank
from rlct.certificate.statement import (
    Bounds,
    Data,
    Solve,
    Statement,
    index,
    indices,
    need,
    product_of,
    restricted,
    sum_of,
)

__all__ = ["transverse"]

Matrix = list[list[Number]]


def transverse(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """I = I₁ + I₂ + … or I₁·I₂·…, where I_k depends on coordinates of its own."""
    need(statement.is_ideal and statement.field is None, "transverse: not an ideal over Q")
    way, parts = data["way"], data["parts"]
    need(isinstance(parts, list) and bool(parts), "transverse: no parts")
    need(way in ("sum", "product"), "transverse: neither a sum nor a product")
    groups = _summands(statement, parts) if way == "sum" else _factors(statement, parts)
    rows: Matrix = []
    children = []
    carried: set[int] = set()
    for group, part in zip(groups, parts, strict=True):
        child, differentials, walls = _constant(statement, group, part["steps"])
        rows += differentials
        carried |= walls
        children.append(child)
    width = statement.width
    for i, h in enumerate(statement.prior):
        if h and i not in carried:
            rows.append([Fraction(int(k == i)) for k in range(width)])
    need(rank(rows) == len(rows), "transverse: the parts have no coordinates of their own")
    results = [solve(child) for child in children]
    return sum_of(results) if way == "sum" else product_of(results)


def _summands(statement: Statement, parts: list[Any]) -> list[list[Poly]]:
    """Every generator in one part."""
    message, size = "transverse: the parts do not divide the generators", len(statement.generators)
    groups = [indices(part["generators"], size, message) for part in parts]
    need(sorted(k for group in groups for k in group) == list(range(size)), message)
    return [[statement.generators[k] for k in group] for group in groups]


def _factors(statement: Statement, parts: list[Any]) -> list[list[Poly]]:
    """Ideals, all but one principal, whose products are the generators."""
    groups = [[statement.polynomial(g) for g in part["generators"]] for part in parts]
    need(all(groups) and sum(len(group) > 1 for group in groups) <= 1, "transverse: the factors")
    need(not any(constant(g) for group in groups for g in group), "transverse: a factor is a unit")
    products: list[Poly] = [{(0,) * statement.width: Fraction(1)}]
    for group in groups:
        products = [multiply(p, g) for p in products for g in group]
    need(products == list(statement.generators), "transverse: the factors do not multiply to them")
    return groups


def _constant(
    statement: Statement, generators: list[Poly], steps: Any
) -> tuple[Statement, Matrix, set[int]]:
    """What is left of an ideal that is constant along vector fields, one after the other.

    Also the differentials at 0 of the functions that it depends on, and the variables with a
    prior among them.
    """
    width = statement.width
    kept = list(range(width))
    walls = {i for i, h in enumerate(statement.prior) if h}
    cost.charge(cost.table(width, width, 25), "a matrix")
    jacobian: Matrix = [[Fraction(int(i == k)) for k in range(width)] for i in range(width)]
    for step in steps:
        i = index(step["variable"], width, "transverse: the variable of a field")
        need(i in kept, "transverse: the variable of a field")
        field = [statement.polynomial(a) for a in step["field"]]
        need(len(field) == width, "transverse: a field needs one entry per variable")
        need(variables(field) <= set(kept), "transverse: a field involves what is gone")
        need(
            all(k in kept for k, a in enumerate(field) if a), "transverse: a field leaves the slice"
        )
        vector = [Fraction(1) * constant(a) for a in field]
        need(bool(vector[i]), "transverse: a field is tangent to the slice")
        bits = max(map(cost.length, jacobian)) + 3 * cost.length(vector)
        cost.charge(cost.table(width, width, 2 * cost.rational(2 * bits)), "a vector field")
        _preserved(statement, generators, field, step.get("cofactors"))
        ratios = [v / vector[i] for v in vector]
        jacobian = [
            [a - ratio * b for a, b in zip(row, jacobian[i], strict=True)]
            for ratio, row in zip(ratios, jacobian, strict=True)
        ]
        walls -= {k for k, a in enumerate(field) if a}
        kept.remove(i)
        generators = [{m: c for m, c in g.items() if not m[i]} for g in generators]
        generators = [g for g in generators if g]
    need(bool(generators), "transverse: nothing is left")
    prior = tuple(h if k in walls else Fraction(0) for k, h in enumerate(statement.prior))
    whole = Statement(tuple(generators), prior, True)
    return restricted(whole, generators, kept), [jacobian[k] for k in kept], walls


def _preserved(
    statement: Statement, generators: list[Poly], field: list[Poly], cofactors: Any
) -> None:
    """The field takes every generator to the given combination of the generators."""
    for k, g in enumerate(generators):
        image = add(
            *(multiply(a, partial(g, i)) for i, a in enumerate(field) if a),
        )
        expected: Poly = {}
        if cofactors is not None:
            row = [statement.polynomial(c) for c in cofactors[k]]
            expected = add(*(multiply(c, f) for c, f in zip(row, generators, strict=True)))
        need(image == expected, "transverse: a field does not preserve its ideal")
