"""Three hidden units: the programme of the theory page, with every term of the three norms."""

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from rlct.theorems import get_theorem

NAMES = ("x1", "x2", "x3", "z", "y", "d", "w", "u", "t")
X1, X2, X3, Z, Y, D, W, U, T = np.eye(len(NAMES))
X, NIL = (X1, X2, X3), np.zeros(len(NAMES))
PAIRS = ((0, 1), (0, 2), (1, 2))


def radii(Q: int) -> Iterator[tuple[Any, ...]]:
    """Equations, inequalities, cost, and exponents of r_i − r_j by pair."""
    for i, j, k in permutations(range(3)):
        near, far = Q * X[i], Q * X[j]
        yield [W, U], [X[j] - X[i], X[k] - X[j]], NIL, {(i, j): near, (i, k): near, (j, k): far}
    for i, j in PAIRS:
        k = 3 - i - j
        for large, rest in ((i, X[k] - X[i]), (k, X[i] - X[k])):
            close = {(i, j): Q * X[i] + W, (i, k): Q * X[large], (j, k): Q * X[large]}
            yield [X[i] - X[j], U], [rest], W, close
        near = Q * X[i] + W
        together = {(i, j): near + U, (i, k): near, (j, k): near}
        yield [X[i] - X[j], X[i] - X[k]], [], 2 * W + U, together


def cones(Q: int) -> Iterator[tuple[Any, ...]]:
    """The same with the exponents of α, 1 − α and (as a minimum) of L."""
    for zero, ge, cost, rho in radii(Q):
        r12, r13, r23 = (next(v for key, v in rho.items() if set(key) == set(p)) for p in PAIRS)
        r = (r12, r13, r23)
        yield zero, ge, cost + D, r, D, NIL, [r12, D + r13]
        yield zero, ge, cost + D, r, NIL, D, [r23, D + r13]
        for same, more in ((r23, r12), (r12, r23)):
            at = (more - r13, NIL) if more is r12 else (NIL, more - r13)
            closer = [*ge, more - r13, D - (more - r13)]
            yield [*zero, same - r13], closer, cost + D, r, *at, [r13 + D]


def programmes(N: int, M: int, Q: int) -> Iterator[tuple[Any, Any, Any]]:
    """Cost, equations and rows ≥ a number of every linear programme."""
    total = sum(X)
    for zero, ge, cost, r, zero_at, one_at, L in cones(Q):
        across = [Z + Y] if N > 2 else []
        sides = ([Z + zero_at, *across, r[0]], [Z, r[1]], [Z + one_at, *across, r[2]])
        rows = [(row, 0) for row in (*ge, *np.eye(len(NAMES)))]
        rows += [(T + x, 1) for x in X]
        rows += [
            (T + X[i] + X[j] + e, 2) for (i, j), p in zip(PAIRS, sides, strict=True) for e in p
        ]
        area = [Z + e for e in L] + ([2 * Z + Y, Z + Y + r[1]] if N > 2 else [])
        area += [sum(p) + Q * x for p in product(*sides) for x in X]
        rows += [(T + total + e, 3) for e in area]
        objective = N * total + (2 * N - 2) * Z + (N - 2) * Y + cost + M * T
        for longest in range(3):
            two = [side for k, side in enumerate(sides) if k != longest]
            slope = [(T + total + sum(p) + e, 3) for p in product(*two) for e in r]
            yield objective, [*zero, *([] if N > 2 else [Y])], rows + slope


def face(objective: Any, zero: Any, rows: Any, least: float) -> int | None:
    """Dimension of the set where the least value is attained; None if it is not."""
    A, b = np.array([row for row, _ in rows]), np.array([number for _, number in rows], float)
    size, count = A.shape[1], len(b)
    slack = np.concatenate([np.zeros(size), -np.ones(count)])
    above = np.vstack([np.hstack([-A, np.eye(count)]), [*objective, *np.zeros(count)]])
    found = linprog(
        slack,
        above,
        [*-b, least + 1e-9],
        np.hstack([zero, np.zeros((len(zero), count))]) if zero else None,
        np.zeros(len(zero)) if zero else None,
        [(None, None)] * size + [(0, 1e-3)] * count,
    )
    if found.status:
        return None
    tight = A[found.x[size:] < 1e-6]
    return size - int(np.linalg.matrix_rank(np.vstack([tight, *zero])))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inputs", "outputs", "step"),
    [(2, 1, 2), (2, 1, 3), (3, 2, 4), (2, 2, 1), (3, 3, 2), (2, 3, 2), (3, 5, 1)],
)
def test_the_programme(inputs: int, outputs: int, step: int) -> None:
    sizes = (inputs, outputs, step)
    values = []
    for objective, zero, rows in programmes(*sizes):
        A, b = np.array([row for row, _ in rows]), np.array([number for _, number in rows])
        equal = {"A_eq": np.array(zero), "b_eq": np.zeros(len(zero))} if zero else {}
        values.append(linprog(objective, -A, -b, bounds=(None, None), **equal).fun)
    pair = get_theorem("three-hidden-units").apply(inputs=inputs, outputs=outputs, step=step).pair
    assert pair is not None
    least = min(values)
    assert least == pytest.approx(2 * pair.lam, abs=1e-9)
    dimensions = [
        face(*programme, least)
        for programme, value in zip(programmes(*sizes), values, strict=True)
        if value < least + 1e-9
    ]
    assert pair.theta == 1 + max(found for found in dimensions if found is not None)
