"""Variables that a unipotent group takes to 0."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rlct.algebra.polynomial import support
from rlct.engine import limits
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.torus import scaling_weights
from rlct.newton.rational import integer_kernel

Field = dict[int, list[tuple[int, int]]]
#: Of the terms of generators: by the number of an unknown its coefficient.
Equations = defaultdict[tuple[int, tuple[int, ...]], Counter[int]]


def slide_variable(cell: LiteralCell) -> tuple[dict[str, object], list[LiteralCell]] | None:
    """Each zero has the pair of one with x_j = 0 of the ideal on x_j = 0.

    If exp(sN), N nilpotent with N x_j = c·x_i and N x_i = 0, leaves all generators, and x_i ≠ 0
    on the cell (``theory/fibres.md``).  The entries of N join variables whose weights under all
    scalings differ as those of x_j and x_i do: then N is nilpotent.
    """
    if not cell.nonzero:
        return None
    columns = [tuple(int(e) for e in column) for column in scaling_weights(cell).T.tolist()]
    for i in sorted(cell.nonzero):
        for j in range(cell.width):
            if j == i or j in cell.nonzero or columns[i] == columns[j]:
                continue
            rows = _field(cell, columns, i, j)
            if rows is None:
                continue
            unmoved = _stays(cell, rows)
            loosened_cell = replace(
                cell,
                zeros=cell.zeros & unmoved,
                nonzero=cell.nonzero & unmoved,
                units=tuple(u for u in cell.units if not support(u) & set(rows)),
            )
            if not cell.zeros - {j} <= loosened_cell.zeros:
                continue
            data = {
                "variable": j,
                "along": i,
                "field": [[k, [[n, str(c)] for n, c in row]] for k, row in rows.items()],
                "matrix": [["0"] * len(cell.generators) for _ in cell.generators],
            }
            return data, [loosened_cell.without(j, 0)]
    return None


def _field(cell: LiteralCell, columns: Sequence[tuple[int, ...]], i: int, j: int) -> Field | None:
    """A field N with N x_j = x_i, N x_i = 0 and N g = 0 for all generators."""
    shift = tuple(b - a for a, b in zip(columns[j], columns[i], strict=True))
    places = {column: [k for k, c in enumerate(columns) if c == column] for column in columns}
    entries = [(j, i)]
    for k, column in enumerate(columns):
        if k not in (i, j) and not cell.prior[k]:
            target = tuple(a + b for a, b in zip(column, shift, strict=True))
            entries += [(k, n) for n in places.get(target, ())]
    if cell.prior[j] or len(entries) > limits.MOST_SLIDE_ENTRIES:
        return None
    equations = Equations(Counter)
    for number, (k, n) in enumerate(entries):
        for term, c in moved_terms(cell, k, n):
            equations[term][number] += c
    for solution in whole_solutions(equations, len(entries)):
        if solution[0]:
            rows: Field = {}
            for (k, n), c in zip(entries, solution, strict=True):
                if c:
                    rows.setdefault(k, []).append((n, c))
            return rows
    return None


def moved_terms(
    cell: LiteralCell, k: int, n: int | None
) -> Iterator[tuple[tuple[int, tuple[int, ...]], Any]]:
    """Terms of x_n·∂g/∂x_k for each generator g, with its number; of ∂g/∂x_k if n is None."""
    for number, g in enumerate(cell.generators):
        for m, c in g.terms():
            if m[k]:
                moved = list(m)
                moved[k] -= 1
                if n is not None:
                    moved[n] += 1
                yield (number, tuple(moved)), c * m[k]


def whole_solutions(equations: Equations, count: int) -> list[list[int]]:
    """A basis over Q of the solutions of equations by their coefficients, in integers."""
    rows = [_whole_row([row[n] for n in range(count)]) for row in equations.values()]
    if not rows:
        return []
    return [[int(c) for c in row] for row in integer_kernel(np.array(rows, dtype=object)).tolist()]


def _whole_row(row: Sequence[Any]) -> list[int]:
    """Rationals of a domain times their common denominator."""
    bottom = np.lcm.reduce([int(getattr(c, "denominator", 1)) for c in row], dtype=object)
    return [int(c * bottom) for c in row]


def _stays(cell: LiteralCell, rows: Mapping[int, Sequence[tuple[int, int]]]) -> frozenset[int]:
    """Variables that the flow leaves as they are on the cell."""
    unmoved = {k for k in range(cell.width) if k not in rows}
    settled = set(unmoved)
    while len(settled) < cell.width:
        new = [k for k in rows if k not in settled and all(n in settled for n, _ in rows[k])]
        settled.update(new)
        unmoved.update(k for k in new if all(n in cell.zeros and n in unmoved for n, _ in rows[k]))
    return frozenset(unmoved)
