"""The checker's rules that lead from one cell to others; ``theory/fibres.md`` proves each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.family import substitute_quotient
from rlct.certificate.fibre.cell import FibreCell, on_cell
from rlct.certificate.numbers.arithmetic import (
    Poly,
    is_one_signed,
    partial_derivative,
    poly_product,
    poly_quotient,
    poly_scale,
    poly_sum,
    read_fraction,
    read_polynomial,
    taylor_shift,
    variables,
)
from rlct.certificate.statement import Data, need, read_index, read_indices

__all__ = ["CELL_RULES", "check_symmetry"]


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


def _subtract(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each pair is that of the generators from which multiples of others are subtracted.

    Without a condition: each can be undone (``theory/fibres.md``).
    """
    generators = list(cell.generators)
    for operation in data["operations"]:
        i = read_index(operation["from"], len(generators), "subtract: no such generator")
        j = read_index(operation["subtract"], len(generators), "subtract: no such generator")
        need(i != j, "subtract: a generator subtracted from itself")
        factor = read_polynomial(operation["times"], cell.width)
        product = poly_product(factor, generators[j])
        generators[i] = poly_sum(generators[i], poly_scale(product, -1))
    need(any(generators), "subtract: no generator is left")
    return [replace(cell, generators=tuple(g for g in generators if g))]


def _branch(cell: FibreCell, data: Data) -> list[FibreCell]:
    """A bound of the zeros with x_i ≠ 0 and of those with x_i = 0 is one of all.

    Without a condition (``theory/fibres.md``).
    """
    i = read_index(data["variable"], cell.width, "branch: no such variable")
    need(i not in cell.zeros | cell.nonzero, "branch: the variable is decided")
    return [replace(cell, nonzero=cell.nonzero | {i}), replace(cell, zeros=cell.zeros | {i})]


def _solve(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero, with its pair, has x_i = one of the roots of p, which become 0 one by one.

    If a generator is p(x_i) on the cell, p = q·Π (x − a)^e, and q has no real zero since its terms
    have one sign; the prior has to be trivial in x_i, or a not 0 (``theory/fibres.md``).
    """
    k = read_index(data["generator"], len(cell.generators), "solve: no such generator")
    i = read_index(data["variable"], cell.width, "solve: no such variable")
    terms = cell.on_cell(cell.generators[k])
    need(i not in cell.zeros and variables([terms]) == {i}, "solve: another variable is involved")
    roots = [read_fraction(a) for a in data["roots"]]
    need(len(set(roots)) == len(roots) and bool(roots), "solve: a root twice, or none")
    x, one = tuple(int(n == i) for n in range(cell.width)), (0,) * cell.width
    left: Poly = terms
    for a in roots:
        divisor: Poly = {x: Fraction(1), one: -a} if a else {x: Fraction(1)}
        quotient = poly_quotient(left, divisor)
        need(quotient is not None, "solve: not a root")
        while quotient is not None:
            left, quotient = quotient, poly_quotient(quotient, divisor)
    need(one in left and is_one_signed(left), "solve: there may be other roots")
    children = []
    for a in roots:
        if not a and i in cell.nonzero:
            continue
        place = [a if n == i else Fraction(0) for n in range(cell.width)]
        children.append(
            replace(
                cell,
                generators=tuple(taylor_shift(g, place) for g in cell.generators),
                units=tuple(taylor_shift(u, place) for u in cell.units),
                prior=tuple(Fraction(0) if n == i and a else h for n, h in enumerate(cell.prior)),
                zeros=cell.zeros | {i},
                nonzero=cell.nonzero - {i},
                values=cell.valued(i, a),
            )
        )
    need(bool(children), "solve: no root is in the cell")
    return children


def _change(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has the pair of the ideal in the coordinate a·x_i + r in place of x_i.

    If a ≠ 0 on the cell, a and r are free of x_i, and x_i has no prior: the Jacobian is a, and
    generators are multiplied by powers of a, and divided (``theory/fibres.md``).
    """
    i = read_index(data["variable"], cell.width, "change: no such variable")
    a, r = (read_polynomial(data[key], cell.width) for key in ("scale", "shift"))
    need(i not in variables([a, r]), "change: the variable is in its own coordinate")
    need(not cell.prior[i] and cell.is_unit(a), "change: no coordinate on the cell")
    x: Poly = {tuple(int(k == i) for k in range(cell.width)): Fraction(1)}
    numerator = poly_sum(x, poly_scale(r, -1))
    generators, units = (
        tuple(
            _without_factor(substitute_quotient(p, i, numerator, a, cell.width), a)
            for p in polynomials
        )
        for polynomials in (cell.generators, cell.units)
    )
    loosened_index = frozenset({i}) if cell.on_cell(r) else frozenset()
    if i in cell.nonzero & loosened_index:
        units = (*units, numerator)
    return [
        replace(
            cell,
            generators=generators,
            zeros=cell.zeros - loosened_index,
            nonzero=cell.nonzero - loosened_index,
            units=units,
        )
    ]


def _without_factor(p: Poly, a: Poly) -> Poly:
    """The polynomial without the powers of a, not a number, that divide it."""
    while any(map(any, p)) and any(map(any, a)) and (quotient := poly_quotient(p, a)) is not None:
        p = quotient
    return p


def _cover(cell: FibreCell, data: Data) -> list[FibreCell]:
    """A bound of the zeros with u_m ≠ 0, for each m, is one of all.

    If Σ h_m·u_m + Σ q_k·g_k vanishes nowhere on the cell.  One m is enough for those to which
    permutations of the variables that keep the cell and the ideal take it (``theory/fibres.md``).
    """
    width = cell.width
    units = [read_polynomial(u, width) for u in data["units"]]
    products = [
        poly_product(read_polynomial(h, width), u)
        for h, u in zip(data["multipliers"], units, strict=True)
    ]
    products += [
        poly_product(read_polynomial(q, width), g)
        for q, g in zip(data["generators"], cell.generators, strict=True)
    ]
    need(all(units), "cover: a function is the zero polynomial")
    need(bool(units) and cell.is_unit(poly_sum(*products)), "cover: all may vanish together")
    images = data["images"]
    need(len(images) == len(units) and images[0] is None, "cover: the images")
    children = []
    for u, image in zip(units, images, strict=True):
        if image is None:
            children.append(cell.where(u))
        else:
            check_symmetry(cell.where(units[0]), cell.where(u), image, "cover")
    return children


def check_symmetry(earlier_cell: FibreCell, cell: FibreCell, data: Any, name: str) -> None:
    """x_i there is x_π(i) here: π takes generators up to signs, prior and literals to these."""
    image = read_indices(data, cell.width, f"{name}: not a permutation")
    # Of as many variables: exponents of a further one would be forgotten.
    need(earlier_cell.width == cell.width, f"{name}: the cells have other variables")
    need(sorted(image) == list(range(earlier_cell.width)), f"{name}: not a permutation")
    need(
        earlier_cell.prior == tuple(cell.prior[k] for k in image)
        and frozenset(image[i] for i in earlier_cell.zeros) == cell.zeros
        and frozenset(image[i] for i in earlier_cell.nonzero) == cell.nonzero,
        f"{name}: the cells are not the same",
    )
    cost.charge(sum(map(len, cell.generators)) * (20 + 2 * cell.width), "a symmetry")

    def moved(polynomials: Sequence[Poly]) -> set[frozenset[Any]]:
        return {
            _up_to_sign({tuple(m[k] for k in image): c for m, c in g.items()}) for g in polynomials
        }

    need(
        moved(cell.generators) == set(map(_up_to_sign, earlier_cell.generators)),
        f"{name}: the generators are not the same",
    )
    # The cell may be smaller than the earlier one.
    need(
        moved(cell.units) >= set(map(_up_to_sign, earlier_cell.units)),
        f"{name}: the units are not the same",
    )


def _up_to_sign(g: Poly) -> frozenset[Any]:
    sign = 1 if not g or g[max(g)] > 0 else -1
    return frozenset((m, c * sign) for m, c in g.items())


def _weights(cell: FibreCell, data: Data) -> list[int]:
    """Integers under which every generator is homogeneous."""
    weights: list[int] = data["weights"]
    need(
        isinstance(weights, list)
        and len(weights) == cell.width
        and all(type(w) is int and abs(w) <= cost.EXPONENT for w in weights),
        "fibre: the weights are not integers, one for each variable",
    )
    need(
        all(len({_dot(weights, m) for m in g}) == 1 for g in cell.generators),
        "fibre: a generator is not homogeneous",
    )
    return weights


def _dot(weights: Sequence[int], exponents: Sequence[int]) -> int:
    return sum(w * e for w, e in zip(weights, exponents, strict=True))


CELL_RULES: dict[str, Callable[[FibreCell, Data], list[FibreCell]]] = {
    "subtract": _subtract,
    "contract": _contract,
    "normalise": _normalise,
    "slide": _slide,
    "rotate": _rotate,
    "branch": _branch,
    "solve": _solve,
    "change": _change,
    "cover": _cover,
}
