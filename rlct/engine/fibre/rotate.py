"""A variable that a rotation takes to 0."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from rlct.algebra.polynomial import support
from rlct.engine import limits
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.slide import whole_row
from rlct.engine.fibre.torus import scaling_weights
from rlct.newton.rational import integer_kernel

Pair = tuple[int, int]


def rotate_variable(cell: LiteralCell) -> tuple[dict[str, object], list[LiteralCell]] | None:
    """Each zero has the pair of one with x_j = 0, by a linear group that turns (x_i, x_j).

    If N x_j = x_i, N x_i = −x_j and N g = 0 for all generators (``theory/fibres.md``).  Variables
    on which a scaling acts are left to it, and no literal may be lost.
    """
    squares = _alike(cell)
    if not squares or len(squares) > limits.MOST_SLIDE_ENTRIES:
        return None
    basis = scaling_weights(cell)
    for i, j in squares:
        if i in cell.zeros or j in cell.zeros or any(basis[:, i]) or any(basis[:, j]):
            continue
        turning_field = _turning(cell, (i, j), [p for p in squares if not {i, j} & {*p}])
        moved = {k for pair in turning_field for k in pair}
        kept = all((k in cell.zeros) == (n in cell.zeros) for k, n in turning_field)
        loose = moved & cell.nonzero - {i, j}
        if not turning_field or not kept or loose or any(support(u) & moved for u in cell.units):
            continue
        nonzero = cell.nonzero - {j} | ({i} if {i, j} & cell.nonzero else set())
        data = {
            "variable": j,
            "along": i,
            "field": [[k, n, str(c)] for (k, n), c in turning_field.items()],
        }
        return data, [replace(cell, zeros=cell.zeros | {j}, nonzero=nonzero)]
    return None


def _alike(cell: LiteralCell) -> list[Pair]:
    """Variables whose squares are terms of one generator, with one coefficient."""
    pairs: set[Pair] = set()
    for g in cell.generators:
        squares = {m.index(2): c for m, c in g.terms() if sum(m) == 2 == max(m)}
        pairs |= {p for p in combinations(sorted(squares), 2) if squares[p[0]] == squares[p[1]]}
    return sorted(pairs)


def _turning(cell: LiteralCell, first_pair: Pair, other_pairs: list[Pair]) -> dict[Pair, int]:
    """Numbers c with N x_n = c·x_k, N x_k = −c·x_n that leave the generators, not 0 for the first.

    Empty if there are none.
    """
    entries = [first_pair, *other_pairs]
    equations: dict[object, dict[int, int]] = {}
    for number, (k, n) in enumerate(entries):
        for which, g in enumerate(cell.generators):
            for m, c in g.terms():
                for old, new, sign in ((n, k, 1), (k, n, -1)):
                    if m[old]:
                        turned = list(m)
                        turned[old] -= 1
                        turned[new] += 1
                        row = equations.setdefault((which, tuple(turned)), {})
                        row[number] = row.get(number, 0) + sign * c * m[old]
    rows = [[row.get(k, 0) for k in range(len(entries))] for row in equations.values()]
    for solution in integer_kernel(np.array([whole_row(r) for r in rows], dtype=object)).tolist():
        if solution[0]:
            return {p: int(c) for p, c in zip(entries, solution, strict=True) if c}
    return {}
