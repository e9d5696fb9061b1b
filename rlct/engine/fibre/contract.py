"""Variables that a scaling takes to 0, as its parameter goes there."""

from dataclasses import replace
from math import gcd

import numpy as np

from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.torus import scaling_weights
from rlct.newton.simplex import Dictionary


def contract_variables(cell: LiteralCell) -> tuple[dict[str, object], list[LiteralCell]] | None:
    """Each zero of the cell has at least the pair of one with x_i = 0 where w_i > 0.

    If t^w takes each generator to t^c times itself, and w_i ≥ 0 where x_i is not 0 on the cell
    (semicontinuity, ``theory/fibres.md``).  As many w_i as possible are positive.
    """
    other_variables = [i for i in range(cell.width) if i not in cell.zeros]
    basis = scaling_weights(cell)
    if not other_variables or not len(basis):
        return None
    # Maximise Σ s_i over s_i ≤ w_i, 0 ≤ s_i ≤ 1; w = Σ (y_r − z_r)·(row r), y and z ≥ 0.
    columns = basis[:, other_variables].T
    rows = np.hstack([-columns, columns, np.eye(len(other_variables), dtype=object)])
    bounds = np.hstack([0 * columns, 0 * columns, np.eye(len(other_variables), dtype=object)])
    count = rows.shape[1]
    table = Dictionary(
        np.vstack([rows, bounds]),
        np.array([0] * len(other_variables) + [1] * len(other_variables), dtype=object),
        np.array([0] * (2 * len(basis)) + [1] * len(other_variables), dtype=object),
        [count + k for k in range(2 * len(other_variables))],
        list(range(count)),
    )
    table.maximise()
    combination = [table.value(r) - table.value(len(basis) + r) for r in range(len(basis))]
    weights = [
        int(sum(y * row[i] for y, row in zip(combination, basis, strict=True)))
        for i in range(cell.width)
    ]
    moved = frozenset(i for i in other_variables if weights[i] > 0)
    if not moved:
        return None
    divisor = gcd(*weights)
    kept_cell = replace(cell, units=cell.kept_units(weights, 0))
    return {"weights": [w // divisor for w in weights]}, [kept_cell.with_zeros(moved)]
