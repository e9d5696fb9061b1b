"""A variable that a rotation takes to 0."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

from rlct.algebra.polynomial import support
from rlct.engine import limits
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.slide import Equations, moved_terms, whole_solutions
from rlct.engine.fibre.torus import scaling_weights

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
    equations = Equations(Counter)
    for number, (k, n) in enumerate(entries):
        for term, c in moved_terms(cell, n, k):
            equations[term][number] += c
        for term, c in moved_terms(cell, k, n):
            equations[term][number] -= c
    for solution in whole_solutions(equations, len(entries)):
        if solution[0]:
            return {p: int(c) for p, c in zip(entries, solution, strict=True) if c}
    return {}
