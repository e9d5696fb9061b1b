"""A float solution of a large linear programme, turned into an exact one."""

from __future__ import annotations

import numpy as np

from rlct.newton.optimal_face import Certified, describe
from rlct.newton.padic import solve
from rlct.newton.rational import independent_rows, product
from rlct.newton.simplex import Dictionary, Integers

__all__ = ["guided"]

_TOLERANCE = 1e-7
"""Below this a float counts as zero when a basis is proposed; it decides nothing else."""


def guided(matrix: Integers, costs: Integers) -> Certified | None:
    """Solve max{Σ y : matrixᵀ y ≤ costs, y ≥ 0} exactly at the basis that HiGHS proposes.

    Parameters
    ----------
    matrix : array of int, shape (m, d)
    costs : array of int, shape (d,)

    Returns
    -------
    tuple or None
        As `describe`; None when the proposal is not optimal over Q.
    """
    proposal = _float_basis(matrix, costs)
    if proposal is None:
        return None
    rows, columns = proposal
    core = matrix[rows][:, columns]
    try:
        weight, weight_den = solve(core, np.ones((len(rows), 1), dtype=object))
        y, y_den = solve(core.T, costs[columns][:, None])
        full: Integers = np.zeros(matrix.shape[1], dtype=object)
        full[columns] = weight[:, 0]
        multipliers: Integers = np.zeros(matrix.shape[0], dtype=object)
        multipliers[rows] = y[:, 0]
        solution = [full], [weight_den], multipliers, y_den
        rest = costs * y_den - product(matrix[rows].T, y)[:, 0]
        others = np.setdiff1d(np.arange(matrix.shape[1]), columns)
        if (y != 0).all() and (rest[others] != 0).all():
            return solution  # y is not degenerate: v is the only optimum
        if (y < 0).any() or (rest < 0).any() or (product(matrix, full) < weight_den).any():
            return None
        return describe(_dictionary_at(matrix, costs, rows, columns), matrix)
    except ArithmeticError:
        return None


def _float_basis(matrix: Integers, costs: Integers) -> tuple[list[int], list[int]] | None:
    """Rows and columns of a square core that HiGHS finds optimal."""
    from scipy.optimize import linprog  # here: small programmes never need them
    from scipy.sparse import csr_array

    scale = np.maximum(matrix.max(axis=0), 1).astype(np.float64)
    scaled = matrix.astype(np.float64) / scale
    objective = costs.astype(np.float64) / scale
    objective /= objective.max()
    # Few rows are tight: begin with those that cost least, and add the ones that are violated.
    width = matrix.shape[1]
    active = np.argsort(scaled @ objective, kind="stable")[: 2 * width]
    while True:
        answer = linprog(
            objective,
            A_ub=csr_array(-scaled[active]),
            b_ub=-np.ones(len(active)),
            method="highs-ds",
        )
        if answer.status != 0:
            return None
        slack = scaled @ answer.x - 1
        # A row that is kept may be violated by rounding, but would change nothing.
        violated = np.setdiff1d(np.flatnonzero(slack < -_TOLERANCE), active)
        if not len(violated):
            break
        worst = violated[np.argsort(slack[violated], kind="stable")][:width]
        active = np.concatenate([active, worst])
    y = np.zeros(len(scaled))
    y[active] = -np.asarray(answer.ineqlin.marginals, dtype=np.float64)
    tight = slack <= _TOLERANCE
    loose = objective - y @ scaled <= _TOLERANCE
    # The support comes first: with it, a maximal non-singular core contains it.
    rows = np.array([i for i in np.argsort(-y, kind="stable") if tight[i]], dtype=int)
    columns = np.array([j for j in np.argsort(-answer.x, kind="stable") if loose[j]], dtype=int)
    rows = rows[independent_rows(matrix[np.ix_(rows, columns)])]
    columns = columns[independent_rows(matrix[np.ix_(rows, columns)].T)]
    return rows.tolist(), columns.tolist()


def _dictionary_at(
    matrix: Integers, costs: Integers, rows: list[int], columns: list[int]
) -> Dictionary:
    """Build the dictionary whose basic variables are y on `rows` and the slacks off `columns`.

    The slacks are labelled 0 … d−1, and y_i is d + i; other y's are left out.
    """
    width = matrix.shape[1]
    others = np.setdiff1d(np.arange(width), columns)
    inverse, den = solve(matrix[rows][:, columns], np.eye(len(rows), dtype=object))
    y = product(inverse.T, costs[columns])
    cross = matrix[rows][:, others].T
    return Dictionary(
        np.vstack([inverse.T, -product(cross, inverse.T)]),
        np.append(y, costs[others] * den - product(cross, y)),
        -inverse.sum(axis=1),
        [width + i for i in rows] + others.tolist(),
        columns,
        den,
    )
