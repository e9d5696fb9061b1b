"""Sums and products of ideals that are constant along vector fields; ``theory/flows.md``."""

from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import (
    Poly,
    partial_derivative,
    poly_product,
    poly_sum,
    value_at_origin,
    variables,
)
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.linear import matrix_rank
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import (
    Data,
    PairBounds,
    SolveChild,
    Statement,
    need,
    product_of,
    read_index,
    read_indices,
    restricted_to_group,
    sum_of,
)

Matrix = list[list[RealNumber]]


@checked_rule(
    "transverse",
    '{way: "sum" | "product", parts: [{generators: [index] | [polynomial], steps: '
    "[{variable: index, field: [polynomial]}]}]+}",
)
def transverse_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair(I_1 + I_2 + …) is the sum, pair(I_1·I_2⋯) the product, of the pairs of their slices.

    If fields X with X(f) = Σ c·f lead from the slice of I_k to all of it, and the functions that
    the I_k depend on have independent differentials at 0 (``theory/flows.md``).
    """
    need(statement.is_ideal and statement.field is None, "transverse: not an ideal over Q")
    sum_or_product, parts = data["way"], data["parts"]
    need(isinstance(parts, list) and bool(parts), "transverse: no parts")
    need(sum_or_product in ("sum", "product"), "transverse: neither a sum nor a product")
    groups = _summands(statement, parts) if sum_or_product == "sum" else _factors(statement, parts)
    rows: Matrix = []
    children = []
    carried_variables: set[int] = set()
    for group, part in zip(groups, parts, strict=True):
        child, differentials, part_carried = _constant(statement, group, part["steps"])
        rows += differentials
        carried_variables |= part_carried
        children.append(child)
    width = statement.width
    # The prior in other variables is a monomial in coordinates of its own.
    for i, h in enumerate(statement.prior):
        if h and i not in carried_variables:
            rows.append([Fraction(int(k == i)) for k in range(width)])
    # Independent at 0, and so near 0: all of them are coordinates of one system.
    need(matrix_rank(rows) == len(rows), "transverse: the parts have no coordinates of their own")
    results = [solve_child(child) for child in children]
    return sum_of(results) if sum_or_product == "sum" else product_of(results)


def _summands(statement: Statement, parts: list[Any]) -> list[list[Poly]]:
    """Every generator in one part."""
    message, size = "transverse: the parts do not divide the generators", len(statement.generators)
    groups = [read_indices(part["generators"], size, message) for part in parts]
    need(sorted(k for group in groups for k in group) == list(range(size)), message)
    return [[statement.generators[k] for k in group] for group in groups]


def _factors(statement: Statement, parts: list[Any]) -> list[list[Poly]]:
    """Ideals, all but one principal, whose products are the generators."""
    groups = [[statement.polynomial(g) for g in part["generators"]] for part in parts]
    need(all(groups) and sum(len(group) > 1 for group in groups) <= 1, "transverse: the factors")
    need(
        not any(value_at_origin(g) for group in groups for g in group),
        "transverse: a factor is a unit",
    )
    products: list[Poly] = [{(0,) * statement.width: Fraction(1)}]
    for group in groups:
        products = [poly_product(p, g) for p in products for g in group]
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
    variables_left = list(range(width))
    carried_variables = {i for i, h in enumerate(statement.prior) if h}
    cost.charge(cost.of_table(width, width, 25), "a matrix")
    jacobian: Matrix = [[Fraction(int(i == k)) for k in range(width)] for i in range(width)]
    for step in steps:
        i, field = _read_step(statement, step, variables_left)
        vector = [Fraction(1) * value_at_origin(a) for a in field]
        # a_i(0) ≠ 0: the flow leaves the slice x_i = 0, and time and slice are coordinates.
        need(bool(vector[i]), "transverse: a field is tangent to the slice")
        bits = max(map(cost.bits_in, jacobian)) + 3 * cost.bits_in(vector)
        cost.charge(cost.of_table(width, width, 2 * cost.of_rational(2 * bits)), "a vector field")
        _preserved(statement, generators, field, step.get("cofactors"))
        ratios = [v / vector[i] for v in vector]
        # The functions of the next slice are constant along the flow: project along X(0).
        jacobian = [
            [a - ratio * b for a, b in zip(row, jacobian[i], strict=True)]
            for ratio, row in zip(ratios, jacobian, strict=True)
        ]
        # A prior goes with a part only if the flows leave its variable alone.
        carried_variables -= {k for k, a in enumerate(field) if a}
        variables_left.remove(i)
        generators = [{m: c for m, c in g.items() if not m[i]} for g in generators]
        generators = [g for g in generators if g]
    need(bool(generators), "transverse: nothing is left")
    prior = tuple(
        h if k in carried_variables else Fraction(0) for k, h in enumerate(statement.prior)
    )
    whole = Statement(tuple(generators), prior, True)
    return (
        restricted_to_group(whole, generators, variables_left),
        [jacobian[k] for k in variables_left],
        carried_variables,
    )


def _read_step(
    statement: Statement, step: Any, variables_left: list[int]
) -> tuple[int, list[Poly]]:
    """A variable, and a field on the slice, in the variables that are left."""
    i = read_index(step["variable"], statement.width, "transverse: the variable of a field")
    need(i in variables_left, "transverse: the variable of a field")
    field = [statement.polynomial(a) for a in step["field"]]
    need(len(field) == statement.width, "transverse: a field needs one entry per variable")
    need(variables(field) <= set(variables_left), "transverse: a field involves what is gone")
    need(
        all(k in variables_left for k, a in enumerate(field) if a),
        "transverse: a field leaves the slice",
    )
    return i, field


def _preserved(
    statement: Statement, generators: list[Poly], field: list[Poly], cofactors: Any
) -> None:
    """The field takes every generator to the given combination of the generators."""
    for k, g in enumerate(generators):
        image = poly_sum(
            *(poly_product(a, partial_derivative(g, i)) for i, a in enumerate(field) if a)
        )
        expected: Poly = {}
        if cofactors is not None:
            row = [statement.polynomial(c) for c in cofactors[k]]
            expected = poly_sum(*(poly_product(c, f) for c, f in zip(row, generators, strict=True)))
        need(image == expected, "transverse: a field does not preserve its ideal")
