"""The checker on vector fields that move the generators at a constant speed at every zero."""

from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.numbers.arithmetic import (
    Poly,
    partial_derivative,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    read_polynomial,
)
from rlct.certificate.numbers.linear import matrix_rank
from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import Data, need, read_index
from rlct.pair import Pair


@checked_rule(
    "fields",
    "{fields: [{field: [(index, polynomial)], matrix: [(index, index, rational)], speed: "
    "[rational]}]}",
    RuleScope.LEAF,
    "Fields that move the generators\n"
    "There are {fields} vector fields along which the generators change by independent "
    "constants at every zero: the derivative of the generators has this rank there.\n"
    "→ That many of them are coordinates, so at each zero {result}.",
)
def bound_of_fields(cell: FibreCell, data: Data) -> Pair:
    """The pair at each zero of the cell is at least (ρ/2, 1).

    If fields X_s have X_s g = M_s + C_s·g on the cell, with numbers M_s of rank ρ: at a zero the
    derivative of g takes X_s to M_s, so that its rank is ρ at least (``theory/fibres.md``).
    """
    speed_rows = []
    count = len(cell.generators)
    on_cell = [cell.on_cell(g) for g in cell.generators]
    slopes: dict[tuple[int, int], Poly] = {}
    for item in data["fields"]:
        speed_row = [read_fraction(c) for c in item["speed"]]
        need(len(speed_row) == count, "fields: a speed_row for every generator")
        parts = [
            (read_index(i, cell.width, "fields: no such variable"), read_polynomial(p, cell.width))
            for i, p in item["field"]
        ]
        multiples: dict[int, list[Poly]] = {}
        for k, n, c in item["matrix"]:
            row = read_index(k, count, "fields: no such generator")
            column = read_index(n, count, "fields: no such generator")
            multiples.setdefault(row, []).append(poly_scale(on_cell[column], read_fraction(c)))
        for k, g in enumerate(cell.generators):
            cost.charge(20 + 5 * len(parts), "the derivative along a field")
            terms: list[Poly] = [{(0,) * cell.width: -speed_row[k]} if speed_row[k] else {}]
            for i, p in parts:
                if (k, i) not in slopes:
                    slopes[k, i] = cell.on_cell(partial_derivative(g, i))
                terms.append(poly_product(cell.on_cell(p), slopes[k, i]))
            terms += [poly_scale(p, -1) for p in multiples.get(k, [])]
            need(not poly_sum(*terms), "fields: a generator does not move at this speed")
        speed_rows.append(speed_row)
    rank = matrix_rank(speed_rows)
    need(rank > 0, "fields: nothing moves")
    return Pair(Fraction(rank, 2), 1)
