"""λ and θ of a monomial ideal: a linear programme, solved exactly with a certificate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np

from rlct.errors import InputError
from rlct.newton.exponents import exponent_matrix, minimal_rows, prior_costs
from rlct.newton.rational import integer_kernel, product, rank_at_least
from rlct.newton.simplex import Dictionary, Integers, primitive, split
from rlct.newton.warm_start import warm_dictionary
from rlct.pair import Pair

__all__ = ["MonomialOptimum", "monomial_optimum"]

_SMALL = 2_500
"""Entries of the constraint matrix up to which the exact method needs no float guide."""
_BATCH = 40
"""Violated rows added at a time to the exact programme."""


@dataclass(frozen=True)
class MonomialOptimum:
    """The pair of a monomial ideal, with what proves it.

    Parameters
    ----------
    pair : Pair
        Pair of K = Σ (monomials)² under the prior |w|^h.
    points : tuple of tuples of Fraction
        θ affinely independent optimal weights v: each is ≥ 0, has v·α ≥ 1 for every
        exponent vector α and ½ v·(1+h) = λ.  They prove λ ≤ and dim(optimal face) ≥ θ − 1.
    multipliers : mapping of int to Fraction
        y > 0 on some rows, Σ y_i α^(i) ≤ 1 + h and ½ Σ y_i = λ, which proves λ ≥.  Every
        optimal v has v·α^(i) = 1 where y_i > 0 and v_j = 0 where (1 + h − Σ y_i α^(i))_j > 0;
        the rank of these equations is d − (θ − 1), which proves dim ≤ θ − 1.
    """

    pair: Pair
    points: tuple[tuple[Fraction, ...], ...]
    multipliers: Mapping[int, Fraction]

    @property
    def weight(self) -> tuple[Fraction, ...]:
        """Average of `points`: an optimal weight as far inside the optimal face."""
        columns = zip(*self.points, strict=True)
        return tuple(sum(column, Fraction(0)) / len(self.points) for column in columns)


def monomial_optimum(
    exponents: Sequence[Sequence[int]] | Integers, prior: Sequence[Fraction | int] | None = None
) -> MonomialOptimum:
    """Pair of a monomial ideal, exactly.

    λ = ½·min{v·(1+h) : v·α ≥ 1 for every α, v ≥ 0} and θ = 1 + dim(optimal face).

    Parameters
    ----------
    exponents : array-like of int, shape (m, d)
        Exponent vectors α of the generators, m ≥ 1.
    prior : sequence of Fraction, length d, optional
        h > −1; the prior is Π |w_j|^{h_j}.  Zero by default.

    Returns
    -------
    MonomialOptimum

    Raises
    ------
    InputError
        If an entry is not a non-negative integer, a row is zero (the ideal is then the
        whole ring), or some h ≤ −1.

    Notes
    -----
    The programme is the value of the toric resolution; see ``theory/newton.md``.  Floats
    (HiGHS) may propose a basis; the answer is computed and checked over Q.

    Examples
    --------
    >>> monomial_optimum([[1, 0, 0], [0, 2, 0], [0, 0, 3]]).pair      # x² + y⁴ + z⁶
    Pair(11/12, 1)
    >>> optimum = monomial_optimum([[1, 1]])                          # x²y²
    >>> optimum.pair, len(optimum.points), dict(optimum.multipliers)
    (Pair(1/2, 2), 2, {0: Fraction(1, 1)})
    """
    matrix = exponent_matrix(exponents)
    costs, scale = prior_costs(prior, matrix.shape[1])
    if not matrix.any(axis=1).all():
        raise InputError("an exponent vector is zero: the ideal contains a unit, λ is not defined")
    rows = minimal_rows(matrix)
    reduced = matrix[rows]
    solution = None
    if reduced.size > _SMALL:
        table = warm_dictionary(reduced, costs)
        if table is not None:
            solution = _solution(table, reduced)
            if not _proves(reduced, costs, *solution):
                solution = None
    if solution is None:
        table = _exact_dictionary(reduced, costs)
        solution = _solution(table, reduced)
        if not _proves(reduced, costs, *solution):
            raise ArithmeticError("the exact simplex method contradicts its own certificate")
    points, point_dens, y, y_den = solution
    total = scale * y_den
    return MonomialOptimum(
        Pair(Fraction(int(y.sum()), 2 * total), len(points)),
        tuple(
            tuple(Fraction(int(entry), den) for entry in point)
            for point, den in zip(points, point_dens, strict=True)
        ),
        MappingProxyType({rows[i]: Fraction(int(y[i]), total) for i in y.nonzero()[0].tolist()}),
    )


def _exact_dictionary(matrix: Integers, costs: Integers) -> Dictionary:
    """Optimal dictionary of max{Σ y : matrixᵀ y ≤ costs, y ≥ 0}, rows added as needed."""
    height, width = matrix.shape
    active = list(range(min(height, max(_BATCH, _SMALL // width))))
    table = Dictionary(
        matrix[active].T,
        costs,
        np.ones(len(active), dtype=object),
        range(width),
        [width + i for i in active],
    )
    while True:
        table.maximise()
        slack = product(matrix, _weight(table, width)) - table.den
        violated = (slack < 0).nonzero()[0]
        if not violated.size:
            return table
        worst = sorted(violated.tolist(), key=slack.__getitem__)[:_BATCH]
        table.append(matrix[worst].T, 1, [width + i for i in worst])


def _weight(table: Dictionary, width: int) -> Integers:
    """Numerators over ``table.den`` of the weight v of a dictionary, shape (d,)."""
    weight: Integers = np.zeros(width, dtype=object)
    for k, label in enumerate(table.nonbasic):
        if label < width:
            weight[label] = table.table[-1, k]
    return weight


Solution = tuple[list[Integers], list[int], Integers, int]
"""Points with their denominators, and y (per row) with its denominator."""


def _solution(table: Dictionary, matrix: Integers) -> Solution:
    """Describe the optimal face and a strictly complementary y from an optimal dictionary."""
    height, width = matrix.shape
    weight, den = _weight(table, width), table.den
    slack = product(matrix, weight) - den
    known = set(table.basic) | set(table.nonbasic)
    missing = [i for i in (slack == 0).nonzero()[0].tolist() if width + i not in known]
    if missing:
        table.append(matrix[missing].T, 1, [width + i for i in missing])
    # At the vertex u = 0 the face is {u ≥ 0 : coreᵀ u ≥ 0}, u being the variables that may
    # leave zero: those dual to basic variables with value zero.
    low = (table.table[:-1, -1] == 0).nonzero()[0]
    flat = (table.table[-1, :-1] == 0).nonzero()[0]
    core = table.table[np.ix_(low, flat)]
    x, z = split(core)
    y_direction: Integers = np.zeros(width + height, dtype=object)
    y_direction[[table.nonbasic[k] for k in flat]] = x[len(low) :] * den
    y_direction[table.basic] = -(table.table[:-1, flat] @ x[len(low) :])
    value: Integers = np.zeros(width + height, dtype=object)
    value[table.basic] = table.table[:-1, -1]
    values, value_den = _step(value, den, value, y_direction, half=True)
    tight_u = (z[: len(low)] == 0).nonzero()[0]
    tight_rows = core[:, (z[len(low) :] == 0).nonzero()[0]].T
    free = np.setdiff1d(np.arange(len(low)), tight_u)
    kernel = integer_kernel(tight_rows[:, free])
    # Translate u into weights: v_j is the reduced cost of the slack variable j.
    at_slack = [k for k, label in enumerate(table.nonbasic) if label < width]
    steps: Integers = np.zeros((1 + len(kernel), width), dtype=object)
    u: Integers = np.zeros((1 + len(kernel), len(low)), dtype=object)
    u[0] = z[: len(low)]
    u[1:, free] = kernel
    steps[:, [table.nonbasic[k] for k in at_slack]] = product(u, table.table[np.ix_(low, at_slack)])
    for i, row in enumerate(low):
        if table.basic[row] < width:
            steps[:, table.basic[row]] = u[:, i] * den
    points, dens = _points(matrix, weight, den, steps)
    return points, dens, values[width:], value_den


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


def _proves(
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
    return rank_at_least(homogeneous, len(points)) and rank_at_least(
        equations, len(loose) - len(points) + 1
    )
