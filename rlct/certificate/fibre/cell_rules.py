"""The checker's rules that lead from one cell to others; ``theory/fibres.md`` proves each."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.family import substitute_quotient
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.numbers.arithmetic import (
    Poly,
    is_one_signed,
    less_multiple,
    poly_product,
    poly_quotient,
    poly_scale,
    poly_sum,
    read_fraction,
    read_polynomial,
    taylor_shift,
    variables,
)
from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import Data, need, read_index, read_indices


@checked_rule(
    "subtract",
    "{operations: [operation]}",
    RuleScope.CELL,
    "Shorter equations\nMultiples of equations with one term are taken from the others.",
)
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
        generators[i] = less_multiple(generators[i], factor, generators[j])
    need(any(generators), "subtract: no generator is left")
    return [replace(cell, generators=tuple(g for g in generators if g))]


@checked_rule(
    "branch",
    "{variable: index}",
    RuleScope.CELL,
    "Two cases\n`{variable} ≠ 0` ({labels[0]}), or `{variable} = 0` ({labels[1]}).\n→ {least}",
)
def _branch(cell: FibreCell, data: Data) -> list[FibreCell]:
    """A bound of the zeros with x_i ≠ 0 and of those with x_i = 0 is one of all.

    Without a condition (``theory/fibres.md``).
    """
    i = read_index(data["variable"], cell.width, "branch: no such variable")
    need(i not in cell.zeros | cell.nonzero, "branch: the variable is decided")
    return [replace(cell, nonzero=cell.nonzero | {i}), replace(cell, zeros=cell.zeros | {i})]


@checked_rule("solve", "{generator: index, variable: index, roots: [rational]+}", RuleScope.CELL)
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
    x, unit = tuple(int(n == i) for n in range(cell.width)), (0,) * cell.width
    cofactor: Poly = terms
    for a in roots:
        divisor: Poly = {x: Fraction(1), unit: -a} if a else {x: Fraction(1)}
        quotient = poly_quotient(cofactor, divisor)
        need(quotient is not None, "solve: not a root")
        while quotient is not None:
            cofactor, quotient = quotient, poly_quotient(quotient, divisor)
    need(unit in cofactor and is_one_signed(cofactor), "solve: there may be other roots")
    children = []
    for a in roots:
        if not a and i in cell.nonzero:
            continue
        point = [a if n == i else Fraction(0) for n in range(cell.width)]
        children.append(
            replace(
                cell,
                generators=tuple(taylor_shift(g, point) for g in cell.generators),
                units=tuple(taylor_shift(u, point) for u in cell.units),
                prior=tuple(Fraction(0) if n == i and a else h for n, h in enumerate(cell.prior)),
                zeros=cell.zeros | {i},
                nonzero=cell.nonzero - {i},
                values=cell.valued(i, a),
            )
        )
    need(bool(children), "solve: no root is in the cell")
    return children


@checked_rule(
    "change",
    "{variable: index, scale: polynomial, shift: polynomial}",
    RuleScope.CELL,
    "Another coordinate\n"
    "The coordinate `{variable}′ = a*{variable} + r` takes the place of `{variable}`, `a` "
    "= `{scale}` and `r` = `{shift}`; `a` is not 0 here. Generators are multiplied or "
    "divided by powers of `a`.\n"
    "→ {least}",
)
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


@checked_rule(
    "cover",
    "{units: [polynomial], multipliers: [polynomial], generators: [polynomial], images: "
    "[null | [index]]}",
    RuleScope.CELL,
    "Functions that do not vanish together\n"
    "A combination of {units} and of the generators vanishes nowhere here, so at a zero one of "
    "them is not 0.\n"
    "One is enough of those that other names of the variables turn into each other.\n"
    "→ {least}",
)
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
