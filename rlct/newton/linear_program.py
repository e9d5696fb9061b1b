"""λ and θ of a monomial ideal: a linear programme, solved exactly with a certificate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from rlct.errors import InputError
from rlct.newton.exponents import exponent_matrix, minimal_rows, prior_costs
from rlct.newton.optimal_face import describe_optimum, proves_optimum, vertex_weight
from rlct.newton.rational import exact_product
from rlct.newton.simplex import Dictionary, Integers
from rlct.newton.warm_start import guided_optimum
from rlct.pair import Pair

_SMALL_MATRIX = 2_500  # entries of the matrix up to which no float guide is needed
_ROWS_ADDED = 40  # violated rows added at a time to the exact programme


@dataclass(frozen=True)
class MonomialOptimum:
    """The pair of a monomial ideal, with what proves it."""

    #: Pair of K = Σ (monomials)² under the prior |w|^h.
    pair: Pair
    #: θ affinely independent optimal weights v: each is ≥ 0, has v·α ≥ 1 for every exponent vector
    #: α and ½ v·(1+h) = λ.  They prove λ ≤ and dim(optimal face) ≥ θ − 1.
    points: tuple[tuple[Fraction, ...], ...]
    #: y > 0 on some rows, Σ y_i α^(i) ≤ 1 + h and ½ Σ y_i = λ, which proves λ ≥.  Every optimal v
    #: has v·α^(i) = 1 where y_i > 0 and v_j = 0 where (1 + h − Σ y_i α^(i))_j > 0; the rank of
    #: these equations is d − (θ − 1), which proves dim ≤ θ − 1.
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

    The exponent vectors α of the generators are rows; the prior is Π |w_j|^{h_j}, h > −1, and h = 0
    by default.  InputError if an entry is not a non-negative integer, a row is zero (the ideal is
    then the whole ring), or some h ≤ −1.

    The programme is the value of the toric resolution; see ``theory/newton.md``.  Floats
    (HiGHS) may propose a basis; the answer is computed and checked over Q.

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
    if matrix.size > _SMALL_MATRIX:
        return _optimum(matrix, costs, scale)
    return _known_optimum(tuple(map(tuple, matrix.tolist())), tuple(costs), scale)


@lru_cache(maxsize=5_000)
def _known_optimum(
    rows: tuple[tuple[int, ...], ...], costs: tuple[int, ...], scale: int
) -> MonomialOptimum:
    return _optimum(exponent_matrix(rows), np.array(costs, dtype=object), scale)


def _optimum(matrix: Integers, costs: Integers, scale: int) -> MonomialOptimum:
    rows = minimal_rows(matrix)
    reduced = matrix[rows]
    solution = guided_optimum(reduced, costs) if reduced.size > _SMALL_MATRIX else None
    if solution is None or not proves_optimum(reduced, costs, *solution):
        solution = describe_optimum(_exact_dictionary(reduced, costs), reduced)
        if not proves_optimum(reduced, costs, *solution):
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
    active = list(range(min(height, max(_ROWS_ADDED, _SMALL_MATRIX // width))))
    table = Dictionary(
        matrix[active].T,
        costs,
        np.ones(len(active), dtype=object),
        range(width),
        [width + i for i in active],
    )
    while True:
        table.maximise()
        slack = exact_product(matrix, vertex_weight(table, width)) - table.denominator
        violated = (slack < 0).nonzero()[0]
        if not violated.size:
            return table
        worst = sorted(violated.tolist(), key=slack.__getitem__)[:_ROWS_ADDED]
        table.append(matrix[worst].T, 1, [width + i for i in worst])
