"""The optimal face of the linear programme, from a vertex: points that span it, a proof."""

from fractions import Fraction

import numpy as np

from rlct.newton.cone import cone
from rlct.newton.rational import exact_product, rank_at_least
from rlct.newton.simplex import Dictionary, Integers, primitive_vector


def vertex_weight(table: Dictionary, width: int) -> Integers:
    """Numerators over ``table.denominator`` of the weight v of a dictionary, shape (d,)."""
    weight: Integers = np.zeros(width, dtype=object)
    for k, label in enumerate(table.nonbasic):
        if label < width:
            weight[label] = table.table[-1, k]
    return weight


CertifiedOptimum = tuple[list[Integers], list[int], Integers, int]
"""Points with their denominators, and y (per row) with its denominator."""


def describe_optimum(table: Dictionary, matrix: Integers) -> CertifiedOptimum:
    """Describe the optimal face and a strictly complementary y from an optimal dictionary."""
    height, width = matrix.shape
    weight, denominator = vertex_weight(table, width), table.denominator
    degenerate_rows = (table.table[:-1, -1] == 0).nonzero()[0]
    if not degenerate_rows.size:  # y is not degenerate: v is the only optimum
        return [weight], [denominator], _values(table, width + height)[width:], denominator
    slack = exact_product(matrix, weight) - denominator
    known = set(table.basic) | set(table.nonbasic)
    missing = [i for i in (slack == 0).nonzero()[0].tolist() if width + i not in known]
    if missing:
        table.append(matrix[missing].T, 1, [width + i for i in missing])
    # At the vertex u = 0 the face is {u ≥ 0 : Bᵀ u ≥ 0} with a block B of the table.  The
    # variables u may leave zero: they are dual to basic variables with value zero.
    flat = (table.table[-1, :-1] == 0).nonzero()[0]
    face_cone = cone(table.table[np.ix_(degenerate_rows, flat)])
    w = face_cone.proof[len(degenerate_rows) :]
    y_direction: Integers = np.zeros(width + height, dtype=object)
    y_direction[[table.nonbasic[k] for k in flat]] = w * denominator
    y_direction[table.basic] = -(table.table[:-1, flat] @ w)
    value = _values(table, width + height)
    values, value_den = _step(value, denominator, value, y_direction, half=True)
    # Translate u into weights: v_j is the reduced cost of the slack variable j.
    at_slack = [k for k, label in enumerate(table.nonbasic) if label < width]
    u = np.vstack([face_cone.interior[None, : len(degenerate_rows)], face_cone.kernel])
    steps: Integers = np.zeros((len(u), width), dtype=object)
    steps[:, [table.nonbasic[k] for k in at_slack]] = exact_product(
        u, table.table[np.ix_(degenerate_rows, at_slack)]
    )
    for i, row in enumerate(degenerate_rows):
        if table.basic[row] < width:
            steps[:, table.basic[row]] = u[:, i] * denominator
    points, denominators = _points(matrix, weight, denominator, steps)
    return points, denominators, values[width:], value_den


def _values(table: Dictionary, size: int) -> Integers:
    """Numerators of all variables at the vertex of a dictionary."""
    values: Integers = np.zeros(size, dtype=object)
    values[table.basic] = table.table[:-1, -1]
    return values


def _step(
    base: Integers, den: int, slack: Integers, change: Integers, *, half: bool = False
) -> tuple[Integers, int]:
    """Go from base/den along `change` until a slack (over den) vanishes, or half of that.

    ``change`` starts with the change of the base itself when the two have equal lengths.
    """
    blocking = (change < 0).nonzero()[0].tolist()
    ratio = min((Fraction(int(slack[i]), -int(change[i])) for i in blocking), default=Fraction(1))
    ratio = ratio / 2 if half else ratio
    moved = base * ratio.denominator + change[: len(base)] * ratio.numerator
    vector = primitive_vector(np.append(moved, den * ratio.denominator))
    return vector[:-1], int(vector[-1])


def _points(
    matrix: Integers, weight: Integers, denominator: int, steps: Integers
) -> tuple[list[Integers], list[int]]:
    """Affinely independent points of the face: a base, and one step along each direction.

    ``steps[0]`` leads inside the face, the others span it.  When they can all start at the
    vertex they do, which gives simple numbers; otherwise they start inside.
    """
    if len(steps) == 1:
        return [weight], [denominator]
    steps = np.array([primitive_vector(step) for step in steps])
    step_changes = np.hstack([steps, exact_product(steps, matrix.T)])
    slack = np.append(weight, exact_product(matrix, weight) - denominator)
    at_zero = slack == 0
    signs = [
        next((s for s in (1, -1) if (s * step_change[at_zero] >= 0).all()), 0)
        for step_change in step_changes[1:]
    ]
    base, base_den = weight, denominator
    if not all(signs):
        base, base_den = _step(weight, denominator, slack, step_changes[0], half=True)
        slack = np.append(base, exact_product(matrix, base) - base_den)
        signs = [1] * len(signs)
    points, denominators = [base], [base_den]
    for sign, step_change in zip(signs, step_changes[1:], strict=True):
        point, point_den = _step(base, base_den, slack, sign * step_change)
        points.append(point)
        denominators.append(point_den)
    return points, denominators


def proves_optimum(
    matrix: Integers,
    costs: Integers,
    points: list[Integers],
    denominators: list[int],
    y: Integers,
    y_den: int,
) -> bool:
    """Whether points and y have every property that `MonomialOptimum` promises."""
    point_matrix, scales = np.array(points), np.array(denominators, dtype=object)
    reduced_costs = costs * y_den - exact_product(y[None, :], matrix)[0]
    feasible = (
        (point_matrix >= 0).all()
        and (exact_product(point_matrix, matrix.T) >= scales[:, None]).all()
        and (y >= 0).all()
        and (reduced_costs >= 0).all()
        and (exact_product(point_matrix, costs[:, None])[:, 0] * y_den == scales * y.sum()).all()
    )
    if not feasible:
        return False
    homogeneous = np.hstack([point_matrix, scales[:, None]])
    loose = (reduced_costs == 0).nonzero()[0]
    equations = matrix[np.ix_(y.nonzero()[0], loose)]
    lower, upper = len(points), len(loose) - len(points) + 1
    return rank_at_least(homogeneous, lower) and rank_at_least(equations, upper)
