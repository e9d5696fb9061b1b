"""A float solution of a large linear programme, turned into an exact one."""

import numpy as np

from rlct.newton.optimal_face import CertifiedOptimum, describe_optimum
from rlct.newton.padic import solve_exactly
from rlct.newton.rational import exact_product, independent_rows
from rlct.newton.simplex import Dictionary, Integers

_ZERO_TOLERANCE = 1e-7  # floats that count as zero when a basis is proposed, nowhere else


def guided_optimum(matrix: Integers, costs: Integers) -> CertifiedOptimum | None:
    """Solve max{Σ y : matrixᵀ y ≤ costs, y ≥ 0} exactly at the basis that HiGHS proposes.

    None when the proposal is not optimal over Q.
    """
    proposal = _float_basis(matrix, costs)
    if proposal is None:
        return None
    rows, columns = proposal
    core = matrix[rows][:, columns]
    try:
        weight, weight_den = solve_exactly(core, np.ones((len(rows), 1), dtype=object))
        y, y_den = solve_exactly(core.T, costs[columns][:, None])
        weight_vector: Integers = np.zeros(matrix.shape[1], dtype=object)
        weight_vector[columns] = weight[:, 0]
        multipliers: Integers = np.zeros(matrix.shape[0], dtype=object)
        multipliers[rows] = y[:, 0]
        solution = [weight_vector], [weight_den], multipliers, y_den
        reduced_costs = costs * y_den - exact_product(matrix[rows].T, y)[:, 0]
        others = np.setdiff1d(np.arange(matrix.shape[1]), columns)
        if (y != 0).all() and (reduced_costs[others] != 0).all():
            return solution  # y is not degenerate: v is the only optimum
        if (
            (y < 0).any()
            or (reduced_costs < 0).any()
            or (exact_product(matrix, weight_vector) < weight_den).any()
        ):
            return None
        return describe_optimum(_dictionary_at(matrix, costs, rows, columns), matrix)
    except ArithmeticError:
        return None


def _float_basis(matrix: Integers, costs: Integers) -> tuple[list[int], list[int]] | None:
    """Rows and columns of a square core that HiGHS finds optimal."""
    from scipy.optimize import linprog  # here: small programmes never need them
    from scipy.sparse import csr_array

    scale = np.maximum(matrix.max(axis=0), 1).astype(np.float64)
    scaled_matrix = matrix.astype(np.float64) / scale
    objective = costs.astype(np.float64) / scale
    objective /= objective.max()
    # Few rows are tight: begin with those that cost least, and add the ones that are violated.
    width = matrix.shape[1]
    active_rows = np.argsort(scaled_matrix @ objective, kind="stable")[: 2 * width]
    while True:
        float_optimum = linprog(
            objective,
            A_ub=csr_array(-scaled_matrix[active_rows]),
            b_ub=-np.ones(len(active_rows)),
            method="highs-ds",
        )
        if float_optimum.status != 0:
            return None
        slack = scaled_matrix @ float_optimum.x - 1
        # An active row may be violated by rounding; adding it again would change nothing.
        violated = np.setdiff1d(np.flatnonzero(slack < -_ZERO_TOLERANCE), active_rows)
        if not len(violated):
            break
        worst = violated[np.argsort(slack[violated], kind="stable")][:width]
        active_rows = np.concatenate([active_rows, worst])
    y = np.zeros(len(scaled_matrix))
    y[active_rows] = -np.asarray(float_optimum.ineqlin.marginals, dtype=np.float64)
    tight = slack <= _ZERO_TOLERANCE
    loose = objective - y @ scaled_matrix <= _ZERO_TOLERANCE
    # The support comes first: with it, a maximal non-singular core contains it.
    rows = np.array([i for i in np.argsort(-y, kind="stable") if tight[i]], dtype=int)
    columns = np.array(
        [j for j in np.argsort(-float_optimum.x, kind="stable") if loose[j]], dtype=int
    )
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
    slack_columns = np.setdiff1d(np.arange(width), columns)
    inverse, denominator = solve_exactly(matrix[rows][:, columns], np.eye(len(rows), dtype=object))
    y = exact_product(inverse.T, costs[columns])
    cross = matrix[rows][:, slack_columns].T
    return Dictionary(
        np.vstack([inverse.T, -exact_product(cross, inverse.T)]),
        np.append(y, costs[slack_columns] * denominator - exact_product(cross, y)),
        -inverse.sum(axis=1),
        [width + i for i in rows] + slack_columns.tolist(),
        columns,
        denominator,
    )
