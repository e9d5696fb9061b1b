"""The checker's rules that move a cell by a linear group; ``theory/fibres.md`` proves each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.fibre.cell import FibreCell, on_cell
from rlct.certificate.numbers.arithmetic import (
    Poly,
    partial_derivative,
    poly_product,
    poly_scale,
    poly_sum,
    read_fraction,
    variables,
)
from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import Data, need, read_index, read_indices


@checked_rule("contract", "{weights: [integer]}", RuleScope.CELL)
def _contract(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero of the cell has at least the pair of one with x_i = 0 where w_i > 0.

    If t^w takes each generator to t^c times itself, and w_i ≥ 0 where x_i is not 0 on the cell:
    the pair is the same along t^w x, and at the limit t → 0 it is no larger (semicontinuity,
    ``theory/fibres.md``).
    """
    weights = _weights(cell, data)
    need(
        all(w >= 0 for i, w in enumerate(weights) if i not in cell.zeros),
        "contract: a variable grows without bound",
    )
    moved = frozenset(i for i, w in enumerate(weights) if w > 0)
    # A polynomial that is constant along the scaling has its value at the limit, which is not 0.
    units_left = tuple(u for u in on_cell(cell) if {_dot(weights, m) for m in u} == {0})
    return [replace(cell, zeros=cell.zeros | moved, nonzero=cell.nonzero - moved, units=units_left)]


@checked_rule(
    "normalise", "{variable: index, weights: [integer], signs?: [integer]}", RuleScope.CELL
)
def _normalise(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has the pair of one with x_i = ±1 of the ideal on x_i = ±1.

    If x_i ≠ 0 on the cell and t^w takes each generator to t^c times itself, w_i ≠ 0: then
    x_k = |x_i|^(w_k/w_i)·y_k are coordinates in which K is a unit times a function of the y
    (``theory/fibres.md``).
    """
    weights = _weights(cell, data)
    i = read_index(data["variable"], cell.width, "normalise: no such variable")
    need(i in cell.nonzero and weights[i] != 0, "normalise: the variable is not moved")
    # A homogeneous polynomial is a power of |x_i| times its value at x_i = ±1.
    units_left = tuple(u for u in on_cell(cell) if len({_dot(weights, m) for m in u}) == 1)
    cell = replace(cell, units=units_left)
    if "signs" not in data:
        return [cell.without(i, 1), cell.without(i, -1)]
    # Changes of sign take x_i = −1 to x_i = 1, and each generator to itself or its negative.
    signs = read_indices(data["signs"], 2, "normalise: the signs")
    need(len(signs) == cell.width and signs[i] == 1, "normalise: the signs")
    need(
        all(len({_dot(signs, m) % 2 for m in g}) == 1 for g in (*cell.generators, *cell.units)),
        "normalise: the signs change a generator",
    )
    return [cell.without(i, 1)]


@checked_rule(
    "slide",
    "{variable: index, along: index, field: [(index, [(index, rational)])], matrix: [[rational]]}",
    RuleScope.CELL,
    "A variable moved to zero\n"
    "A group that keeps the ideal adds multiples of `{along}`, which is not 0 here, to "
    "`{variable}`: so `{variable}` becomes 0.",
)
def _slide(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has the pair of one with x_j = 0 of the ideal on x_j = 0.

    If exp(sN), N nilpotent with N x_j = c·x_i and N x_i = 0, takes the span of the generators to
    itself, and x_i ≠ 0: s = x_j/(c·x_i) and a point with y_j = 0 are coordinates
    (``theory/fibres.md``).
    """
    j = read_index(data["variable"], cell.width, "slide: no such variable")
    i = read_index(data["along"], cell.width, "slide: no such variable")
    rows: dict[int, list[tuple[int, Fraction]]] = {}
    for k, row in data["field"]:
        k = read_index(k, cell.width, "slide: no such variable")
        need(k not in rows and bool(row), "slide: a variable twice")
        rows[k] = [
            (read_index(n, cell.width, "slide: no such variable"), read_fraction(c)) for n, c in row
        ]
    need(i in cell.nonzero and i not in rows and j in rows, "slide: the variable is not moved")
    need(
        [n for n, c in rows[j] if c] == [i] and len(rows[j]) == 1,
        "slide: the variable moves by others",
    )
    need(all(cell.prior[k] == 0 for k in rows), "slide: a prior is moved")
    kept_variables = _stays(cell, rows)
    for g, factors in zip(cell.generators, data["matrix"], strict=True):
        need(len(factors) == len(cell.generators), "slide: the matrix")
        image = _derivative(cell, g, rows)
        sums = [
            poly_scale(f, read_fraction(c))
            for c, f in zip(factors, cell.generators, strict=True)
            if read_fraction(c)
        ]
        need(image == (poly_sum(*sums) if sums else {}), "slide: the ideal is not kept_variables")
    looser = replace(
        cell,
        zeros=cell.zeros & kept_variables,
        nonzero=cell.nonzero & kept_variables,
        units=tuple(u for u in cell.units if not variables([u]) & set(rows)),
    )
    return [looser.without(j, 0)]


@checked_rule(
    "rotate",
    "{variable: index, along: index, field: [(index, index, rational)]}",
    RuleScope.CELL,
    "A variable turned to zero\n"
    "A linear group that keeps the equations turns the plane of `{along}` and "
    "`{variable}`: so `{variable}` becomes 0.",
)
def _rotate(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has the pair of one in the cell with x_j = 0.

    If N x_j = c·x_i, N x_i = −c·x_j, c ≠ 0, and N g = 0 for all generators: exp(sN) turns
    (x_i, x_j) by the angle s·c, and keeps the ideal (``theory/fibres.md``).
    """
    j = read_index(data["variable"], cell.width, "rotate: no such variable")
    i = read_index(data["along"], cell.width, "rotate: no such variable")
    rows: dict[int, list[tuple[int, Fraction]]] = {}
    for entry in data["field"]:
        k, n = (read_index(m, cell.width, "rotate: no such variable") for m in entry[:2])
        c = read_fraction(entry[2])
        need(k != n and c != 0, "rotate: an entry of the field")
        rows.setdefault(n, []).append((k, c))
        rows.setdefault(k, []).append((n, -c))
    need(i != j and {i, j} <= rows.keys(), "rotate: the variable is not moved")
    need([n for n, _ in rows[j]] == [i] and [n for n, _ in rows[i]] == [j], "rotate: no plane")
    need(all(cell.prior[k] == 0 for k in rows), "rotate: a prior is moved")
    need(not any(_derivative(cell, g, rows) for g in cell.generators), "rotate: the ideal moves")
    need(
        all((k in cell.zeros) == (n in cell.zeros) for k, row in rows.items() for n, _ in row),
        "rotate: a zero moves",
    )
    moved = frozenset(rows)
    # The circle through (x_i, x_j) keeps its radius.
    radius = frozenset({i}) if cell.nonzero & {i, j} else frozenset[int]()
    return [
        replace(
            cell,
            zeros=cell.zeros | {j},
            nonzero=cell.nonzero - moved | radius,
            units=tuple(u for u in cell.units if not variables([u]) & moved),
        )
    ]


def _stays(cell: FibreCell, rows: Mapping[int, Sequence[tuple[int, Fraction]]]) -> frozenset[int]:
    """Variables that the flow leaves as they are on the cell; raises unless N is nilpotent."""
    unmoved = {k for k in range(cell.width) if k not in rows}
    settled = set(unmoved)
    while len(settled) < cell.width:
        cost.charge(20 * cell.width**2, "a nilpotent field")
        new = [k for k in rows if k not in settled and all(n in settled for n, _ in rows[k])]
        need(bool(new), "slide: the field is not triangular")
        settled.update(new)
        unmoved.update(k for k in new if all(n in cell.zeros and n in unmoved for n, _ in rows[k]))
    return frozenset(unmoved)


def _derivative(
    cell: FibreCell, g: Poly, rows: Mapping[int, Sequence[tuple[int, Fraction]]]
) -> Poly:
    """Derivative of a polynomial along Σ (N x_k) ∂/∂x_k."""
    parts = []
    for k, row in rows.items():
        linear: Poly = {tuple(int(m == n) for m in range(cell.width)): c for n, c in row if c}
        slope = partial_derivative(g, k)
        if slope and linear:
            parts.append(poly_product(linear, slope))
    return poly_sum(*parts) if parts else {}


def _weights(cell: FibreCell, data: Data) -> list[int]:
    """Integers under which every generator is homogeneous."""
    weights: list[int] = data["weights"]
    need(
        isinstance(weights, list)
        and len(weights) == cell.width
        and all(type(w) is int and abs(w) <= cost.MOST_EXPONENT for w in weights),
        "fibre: the weights are not integers, one for each variable",
    )
    need(
        all(len({_dot(weights, m) for m in g}) == 1 for g in cell.generators),
        "fibre: a generator is not homogeneous",
    )
    return weights


def _dot(weights: Sequence[int], exponents: Sequence[int]) -> int:
    return sum(w * e for w, e in zip(weights, exponents, strict=True))
