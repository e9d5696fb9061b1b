"""Coordinates in which generators are shorter: one that is a coordinate itself, and squares."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from rlct.algebra.division import exact_quotient, without_factor
from rlct.algebra.factoring import common_divisor
from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.fibre.cells import CoordinateChange, LiteralCell
from rlct.engine.germs.family import substitute_fraction
from rlct.engine.germs.function_field import coefficient
from rlct.proof.encode import encode_polynomial

CellStep = tuple[dict[str, object], list[LiteralCell]]


def take_coordinate(cell: LiteralCell) -> CellStep | None:
    """A generator a·x_i + r as the coordinate in place of x_i.

    If a ≠ 0 on the cell, a and r are free of x_i, and x_i has no prior (``theory/fibres.md``).
    """
    linear_generators = []
    for g in cell.generators:
        if len(g) < 2:
            continue
        for i, x in enumerate(cell.ring.gens):
            if cell.prior[i] or g.degree(x) != 1:
                continue
            a, r = coefficient(g, i, 1), coefficient(g, i, 0)
            if cell.is_unit(a):
                uses = sum(bool(m[i]) for f in cell.generators for m in f.itermonoms())
                linear_generators.append((len(a), len(r), uses, i, a, r))
    if not linear_generators:
        return None
    *_, i, a, r = min(linear_generators, key=lambda item: item[:4])
    return _changed(cell, i, a, r)


def complete_products(cell: LiteralCell) -> CellStep | None:
    """The coordinate D·x_i + N·x_j in place of x_i, where fewer products of local variables remain.

    If D ≠ 0 on the cell, D and N are free of x_i, and x_i and x_j are 0 there
    (``theory/fibres.md``).
    """
    before = _sizes(cell)
    for i, j, top, bottom in sorted(_shifts(cell), key=lambda shift: tuple(map(len, shift[:1:-1]))):
        step = _changed(cell, i, bottom, top * cell.ring.gens[j])
        if step is not None and _sizes(step[1][0]) < before:
            return step
    return None


def _changed(cell: LiteralCell, i: int, a: Polynomial, r: Polynomial) -> CellStep | None:
    """The cell in the coordinate a·x_i + r."""
    numerator = cell.ring.gens[i] - r
    generators, units = (
        tuple(without_factor(substitute_fraction(p, i, numerator, a), a) for p in polynomials)
        for polynomials in (cell.generators, cell.units)
    )
    if sum(map(len, generators)) > limits.MOST_CHANGED_TERMS:
        return None
    loosened_index = frozenset({i}) if cell.on_cell(r) else frozenset[int]()
    if i in cell.nonzero & loosened_index:
        units = (*units, numerator)
    name = str(cell.ring.symbols[i])
    data: dict[str, object] = {
        "variable": i,
        "scale": encode_polynomial(a),
        "shift": encode_polynomial(r),
    }
    return data, [
        replace(
            cell,
            generators=generators,
            zeros=cell.zeros - loosened_index,
            nonzero=cell.nonzero - loosened_index,
            units=units,
            changes=(*cell.changes, CoordinateChange(name, a, r, cell.values)),
        )
    ]


def _sizes(cell: LiteralCell) -> list[int]:
    """Numbers of products of local variables in the generators, by degree."""
    counts = Counter(sum(m) for g in cell.generators for m in cell.local_parts(g))
    return [counts[d] for d in range(1 + max(counts))]


def _shifts(cell: LiteralCell) -> Iterator[tuple[int, int, Polynomial, Polynomial]]:
    """x_i, x_j and N/D, the quotient of two coefficients of products with a third variable."""
    earlier_shifts = set()
    for g in cell.generators:
        parts = {m: p for m, p in cell.local_parts(g).items() if sum(m) == 2}
        for m, pivot in parts.items():
            for n, other_part in parts.items():
                i, j = _exchanged(m, n)
                if i is None or j is None or cell.prior[i]:
                    continue
                common = common_divisor(pivot, other_part)
                # A square of x_i has its product with x_j twice.
                bottom = exact_quotient(pivot, common)
                top = exact_quotient(other_part, common).quo_ground(m[i])
                if (i, j, top, bottom) not in earlier_shifts and cell.is_unit(bottom):
                    earlier_shifts.add((i, j, top, bottom))
                    yield i, j, top, bottom


def _exchanged(m: tuple[int, ...], n: tuple[int, ...]) -> tuple[int | None, int | None]:
    """The variable of one product that another one has in its place."""
    raised = [k for k in range(len(m)) if m[k] == n[k] + 1]
    less = [k for k in range(len(m)) if m[k] == n[k] - 1]
    if len(raised) == len(less) == 1 and sum(a != b for a, b in zip(m, n, strict=True)) == 2:
        return raised[0], less[0]
    return None, None
