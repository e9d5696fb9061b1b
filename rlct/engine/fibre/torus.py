"""Scalings t^w x, and changes of sign, that take each generator to a multiple of itself."""

from collections.abc import Sequence

import numpy as np

from rlct.algebra.polynomial import Polynomial
from rlct.engine.fibre.cells import LiteralCell
from rlct.newton.rational import integer_kernel
from rlct.newton.simplex import Integers


def exponent_differences(polynomials: Sequence[Polynomial]) -> list[tuple[int, ...]]:
    """Differences of the exponents of each generator: w·δ = 0 is what a scaling has to satisfy."""
    differences = set()
    for g in polynomials:
        first, *others = g.itermonoms()
        differences |= {tuple(a - b for a, b in zip(m, first, strict=True)) for m in others}
    return sorted(differences)


def scaling_weights(cell: LiteralCell) -> Integers:
    """Basis of the weights w under which all generators are homogeneous, one in each row.

    >>> from fractions import Fraction
    >>> from rlct.algebra.polynomial import make_ring
    >>> ring = make_ring(["x", "y", "z"]); x, y, z = ring.gens
    >>> scaling_weights(LiteralCell((x*y - 1, x*z), (Fraction(0),) * 3)).tolist()
    [[-1, 1, 0], [0, 0, 1]]
    """
    differences = exponent_differences(cell.generators)
    if not differences:
        return np.eye(cell.width, dtype=object)
    return integer_kernel(np.array(differences, dtype=object))


def flipping_signs(cell: LiteralCell, i: int) -> list[int] | None:
    """Signs (−1)^ε, ε_i = 1, that take each generator to itself or its negative."""
    differences = exponent_differences((*cell.generators, *cell.units))
    rows = {tuple(e % 2 for e in row) for row in differences}
    parity_rows = [[*row, 0] for row in rows]
    parity_rows.append([*(int(k == i) for k in range(cell.width)), 1])
    pivots: list[int] = []
    for column in range(cell.width):
        start = len(pivots)
        row = next((k for k in range(start, len(parity_rows)) if parity_rows[k][column]), None)
        if row is None:
            continue
        parity_rows[start], parity_rows[row] = parity_rows[row], parity_rows[start]
        for k, other in enumerate(parity_rows):
            if k != start and other[column]:
                parity_rows[k] = [
                    (a + b) % 2 for a, b in zip(other, parity_rows[start], strict=True)
                ]
        pivots.append(column)
    if any(row[-1] for row in parity_rows[len(pivots) :]):
        return None
    signs = [0] * cell.width
    for reduced, column in zip(parity_rows, pivots, strict=False):
        signs[column] = reduced[-1]
    return signs
