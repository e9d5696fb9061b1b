"""A float solution of a large linear programme, turned into an exact dictionary."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array

from rlct.newton.rational import independent_rows, product, solve
from rlct.newton.simplex import Dictionary, Integers

__all__ = ["warm_dictionary"]

_TOLERANCE = 1e-7
"""Below this a float counts as zero when a basis is proposed; it decides nothing else."""


def warm_dictionary(matrix: Integers, costs: Integers) -> Dictionary | None:
    """Exact dictionary at the basis that HiGHS proposes, if it is optimal over Q.

    Parameters
    ----------
    matrix : array of int, shape (m, d)
        α; the programme is max{Σ y : matrixᵀ y ≤ costs, y ≥ 0}.
    costs : array of int, shape (d,)

    Returns
    -------
    Dictionary or None
        Labels 0 … d−1 are the slacks of the d constraints, d + i is y_i.  Only y's of the
        basis are present.  None when the basis is not optimal.
    """
    proposal = _float_basis(matrix, costs)
    if proposal is None:
        return None
    rows, columns = proposal
    try:
        return _dictionary_at(matrix, costs, rows, columns)
    except ArithmeticError:
        return None


def _float_basis(matrix: Integers, costs: Integers) -> tuple[list[int], list[int]] | None:
    """Rows and columns of a square core that HiGHS finds optimal."""
    scale = np.maximum(matrix.max(axis=0), 1).astype(np.float64)
    scaled = matrix.astype(np.float64) / scale
    objective = costs.astype(np.float64) / scale
    objective /= objective.max()
    answer = linprog(
        objective, A_ub=csr_array(-scaled), b_ub=-np.ones(len(scaled)), method="highs-ds"
    )
    if answer.status != 0:
        return None
    y = -answer.ineqlin.marginals
    tight = scaled @ answer.x - 1 <= _TOLERANCE
    loose = objective - y @ scaled <= _TOLERANCE
    # The support comes first: with it, a maximal non-singular core contains it.
    rows = np.array([i for i in np.argsort(-y, kind="stable") if tight[i]], dtype=int)
    columns = np.array([j for j in np.argsort(-answer.x, kind="stable") if loose[j]], dtype=int)
    rows = rows[independent_rows(matrix[np.ix_(rows, columns)])]
    columns = columns[independent_rows(matrix[np.ix_(rows, columns)].T)]
    return rows.tolist(), columns.tolist()


def _dictionary_at(
    matrix: Integers, costs: Integers, rows: list[int], columns: list[int]
) -> Dictionary | None:
    """Build the dictionary whose basic variables are y on `rows` and the slacks off `columns`."""
    width = matrix.shape[1]
    others = np.setdiff1d(np.arange(width), columns)
    core = matrix[rows][:, columns]
    inverse, den = solve(core, np.eye(len(rows), dtype=object))
    y = product(inverse.T, costs[columns])
    cross = matrix[rows][:, others].T
    rest = costs[others] * den - product(cross, y)
    weight = inverse.sum(axis=1)
    if not ((y >= 0).all() and (rest >= 0).all() and (weight >= 0).all()):
        return None
    table = Dictionary(
        np.vstack([inverse.T, -product(cross, inverse.T)]),
        np.append(y, rest),
        -weight,
        [width + i for i in rows] + others.tolist(),
        columns,
        den,
    )
    full: Integers = np.zeros(width, dtype=object)
    full[columns] = weight
    return table if (product(matrix, full) >= den).all() else None
