"""The toric blow-up of a Newton polyhedron: charts in which a monomial ideal is principal."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from rlct.blowup.fan import Fan, simplicial_fan
from rlct.blowup.regular import regular_fan
from rlct.errors import InputError
from rlct.newton.exponents import exponent_matrix, prior_costs
from rlct.newton.simplex import Integers
from rlct.pair import Pair

MOST_CHARTS = 1_000  # cones of the regular fan


@dataclass(frozen=True)
class ToricChart:
    """Coordinates y with x_i = Π_j y_j^matrix[i][j], and what K and the prior become.

    K∘π = y^(2k)·unit for K = Σ (monomials)², prior × Jacobian = |y|^h up to a constant.

    >>> chart = ToricChart(((3, 1), (2, 1)), (6, 2), (Fraction(4), Fraction(1)))
    >>> chart.thresholds, chart.pair
    ((Fraction(5, 12), Fraction(1, 2)), Pair(5/12, 1))
    """

    #: Shape (d, d).  Entries ≥ 0, determinant ±1; the columns are the rays of a cone.
    matrix: tuple[tuple[int, ...], ...]
    #: Length d.
    k: tuple[int, ...]
    #: Length d.  Each > −1.
    h: tuple[Fraction, ...]

    @property
    def rays(self) -> tuple[tuple[int, ...], ...]:
        """Columns of the matrix: the divisors y_j = 0 as weights of the variables x."""
        return tuple(zip(*self.matrix, strict=True))

    @property
    def thresholds(self) -> tuple[Fraction | None, ...]:
        """(1 + h_j)/(2 k_j) for each divisor, None where k_j = 0."""
        return tuple((1 + h) / (2 * k) if k else None for k, h in zip(self.k, self.h, strict=True))

    @property
    def pair(self) -> Pair:
        """The least threshold, and how many divisors attain it: the pair at y = 0."""
        found = [t for t in self.thresholds if t is not None]
        return Pair(min(found), found.count(min(found)))

    @property
    def attained(self) -> tuple[int, ...]:
        """The divisors with the least threshold."""
        return tuple(j for j, t in enumerate(self.thresholds) if t == self.pair.lam)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "matrix": [list(row) for row in self.matrix],
            "k": list(self.k),
            "h": [str(h) for h in self.h],
            "thresholds": [None if t is None else str(t) for t in self.thresholds],
            "lambda": str(self.pair.lam),
            "theta": self.pair.theta,
            "attained": list(self.attained),
        }


@dataclass(frozen=True)
class ToricBlowUp:
    """The charts of a regular fan that subdivides the normal fan of a polyhedron."""

    fan: Fan
    #: One for each cone.
    charts: tuple[ToricChart, ...]

    @cached_property
    def pair(self) -> Pair:
        """Least pair of the charts: that of the monomial ideal."""
        return min(chart.pair for chart in self.charts)


def chart_of(
    rays: Sequence[Sequence[int]], exponents: Integers, costs: Integers, scale: int
) -> ToricChart:
    """Chart of the cone with the given rays; 1 + h = costs/scale."""
    columns = [[int(x) for x in ray] for ray in rays]
    k = [min(int(x) for x in exponents @ column) for column in columns]
    h = [Fraction(int(costs @ column), scale) - 1 for column in columns]
    return ToricChart(tuple(zip(*columns, strict=True)), tuple(k), tuple(h))


def toric_blow_up(
    exponents: Sequence[Sequence[int]] | Integers,
    prior: Sequence[Fraction | int] | None = None,
    *,
    limit: int = MOST_CHARTS,
) -> ToricBlowUp:
    """Make a monomial ideal principal by a toric map.

    Exponent vectors, shape (m, d), are those of the generators, none of them 0; or all exponents of
    the generators of any ideal, whose Newton polyhedron is blown up.  The prior is Π |x_j|^{h_j},
    h > −1, zero by default.  TooManyChartsError if more than `limit` charts are needed; InputError
    if an exponent vector is zero or not integer, or some h ≤ −1.

    ``theory/toric.md`` proves that the pair of the charts is that of the linear programme
    (`rlct.newton.linear_program.monomial_optimum`); `rlct.blowup.check.check_charts` checks
    charts by substitution.

    >>> found = toric_blow_up([[2, 0], [0, 3]])             # x⁴ + y⁶
    >>> for chart in found.charts:
    ...     print(chart.matrix, chart.k, [str(h) for h in chart.h], chart.pair)
    ((3, 1), (2, 1)) (6, 2) ['4', '1'] λ = 5/12, θ = 1
    ((3, 2), (2, 1)) (6, 3) ['4', '2'] λ = 5/12, θ = 1
    ((1, 2), (0, 1)) (0, 3) ['0', '2'] λ = 1/2, θ = 1
    ((0, 1), (1, 1)) (0, 2) ['0', '1'] λ = 1/2, θ = 1
    >>> found.pair
    Pair(5/12, 1)
    """
    matrix = exponent_matrix(exponents).astype(object)
    costs, scale = prior_costs(prior, matrix.shape[1])
    if not matrix.any(axis=1).all():
        raise InputError("an exponent vector is zero: the ideal contains a unit, λ is not defined")
    fan = regular_fan(simplicial_fan(matrix, limit), limit)
    charts = (chart_of([fan.rays[i] for i in cone], matrix, costs, scale) for cone in fan.cones)
    return ToricBlowUp(fan, tuple(charts))
