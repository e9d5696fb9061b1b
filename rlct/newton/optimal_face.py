"""The optimal face of the linear programme, from a vertex: points that span it, a proof."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from rlct.newton.cone import cone
from rlct.newton.rational import product, rank_at_least
from rlct.newton.simplex import Dictionary, Integers, primitive

__all__ = ["Certified", "describe", "proves", "weight_of"]


def weight_of(table: Dictionary, width: int) -> Integers:
    """Numerators over ``table.den`` of the weight v of a dictionary, shape (d,)."""
    weight: Integers = np.zeros(width, dtype=object)
    for k, label in enumerate(table.nonbasic):
        if label < width:
            weight[label] = table.table[-1, k]
    return weight


Certified = tuple[list[Integers], list[int], Integers, int]
"""Points with their denominators, and y (per row) with its denominator."""


def describe(table: Dictionary, matrix: Integers) -> Certified:
    """Describe the optimal face and a strictly complementary y from an optimal dictionary."""
    height, width = matrix.shape
    weight, den = weight_of(table, width), table.den
    low = (table.table[:-1, -1] == 0).nonzero()[0]
    if not low.size:  # y is not degenerate: v is the only optimum
        return [weight], [den], _values(table, width + height)[width:], den
    slack = product(matrix, weight) - den
    known = set(table.basic) | set(table.nonbasic)
    missing = [i for i in (slack == 0).nonzero()[0].tolist() if width + i not in known]
    if missing:
        table.append(matrix[missing].T, 1, [width + i for i in missing])
    # At the vertex u = 0 the face is {u ≥ 0 : coreᵀ u ≥ 0}, u being the variables that may
    # leave zero: those dual to basic variables with value zero.
    flat = (table.table[-1, :-1] == 0).nonzero()[0]
    found = cone(table.table[np.ix_(low, flat)])
    w = found.proof[len(low) :]
    y_direction: Integers = np.zeros(width + height, dtype=object)
    y_direction[[table.nonbasic[k] for k in flat]] = w * den
    y_direction[table.basic] = -(table.table[:-1, flat] @ w)
    value = _values(table, width + height)
    values, value_den = _step(value, den, value, y_direction, half=True)
    # Translate u into weights: v_j is the reduced cost of the slack variable j.
    at_slack = [k for k, label in enumerate(table.nonbasic) if label < width]
    u = np.vstack([found.interior[None, : len(low)], found.kernel])
    steps: Integers = np.zeros((len(u), width), dtype=object)
    steps[:, [table.nonbasic[k] for k in at_slack]] = product(u, table.table[np.ix_(low, at_slack)])
    for i, row in enumerate(low):
        if table.basic[row] < width:
            steps[:, table.basic[row]] = u[:, i] * den
    points, dens = _points(matrix, weight, den, steps)
    return points, dens, values[width:], value_den


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
    vector = primitive(np.append(moved, den * ratio.denominator))
    return vector[:-1], int(vector[-1])


def _points(
    matrix: Integers, weight: Integers, den: int, steps: Integers
) -> tuple[list[Integers], list[int]]:
    """Affinely independent points of the face: a base, and one step along each direction.

    ``steps[0]`` leads inside the face, the others span it.  When they can all start at the
    vertex they do, which gives simple numbers; otherwise they start inside.
    """
    if len(steps) == 1:
        return [weight], [den]
    steps = np.array([primitive(step) for step in steps])
    changes = np.hstack([steps, product(steps, matrix.T)])
    slack = np.append(weight, product(matrix, weight) - den)
    at_zero = slack == 0
    signs = [
        next((s for s in (1, -1) if (s * change[at_zero] >= 0).all()), 0) for change in changes[1:]
    ]
    base, base_den = weight, den
    if not all(signs):
        base, base_den = _step(weight, den, slack, changes[0], half=True)
        slack = np.append(base, product(matrix, base) - base_den)
        signs = [1] * len(signs)
    points, dens = [base], [base_den]
    for sign, change in zip(signs, changes[1:], strict=True):
        point, point_den = _step(base, base_den, slack, sign * change)
        points.append(point)
        dens.append(point_den)
    return points, dens


def proves(
    matrix: Integers,
    costs: Integers,
    points: list[Integers],
    dens: list[int],
    y: Integers,
    y_den: int,
) -> bool:
    """Whether points and y have every property that `MonomialOptimum` promises."""
    stacked, scales = np.array(points), np.array(dens, dtype=object)
    reduced = costs * y_den - product(y[None, :], matrix)[0]
    feasible = (
        (stacked >= 0).all()
        and (product(stacked, matrix.T) >= scales[:, None]).all()
        and (y >= 0).all()
        and (reduced >= 0).all()
        and (product(stacked, costs[:, None])[:, 0] * y_den == scales * y.sum()).all()
    )
    if not feasible:
        return False
    homogeneous = np.hstack([stacked, scales[:, None]])
    loose = (reduced == 0).nonzero()[0]
    equations = matrix[np.ix_(y.nonzero()[0], loose)]
    lower, upper = len(points), len(loose) - len(points) + 1
    return rank_at_least(homogeneous, lower) and rank_at_least(equations, upper)
