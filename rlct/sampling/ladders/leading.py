"""What stands inside the logarithm of the expansion of −log Z, and what is known of it before."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import hyp1f1

from rlct.sampling.ladders import priors
from rlct.sampling.targets.target import Floats

# Largest δx: L < 709 since nβ is a floating-point number, and, since δ ≤ λ/2, δb < 200 by
# `priors.THIN_CONES`.
FARTHEST_NODE = 1e4


@dataclass(frozen=True)
class LeadingTerm:
    """Functions of x = L + b for one θ, all at once: one row for each.

    x^{θ−1}, or with a pole of order m at λ + δ that weighs as much x^{θ+m−1} ₁F₁(m; θ+m; −δx):
    what a product of powers has, θ of them with exponent 1/λ and m with 1/(λ+δ), since −log K is
    a sum of Gamma variables.  δ → 0 gives order θ + m.

    >>> LeadingTerm.of(2, shows_late=False).orders[[0, 1, -1]]  # alone, beside one pole, and three
    array([2, 3, 5])
    """

    theta: int
    #: Shape (rows,): m, or 0.
    beside: NDArray[np.intp]
    #: Shape (rows,): δ/min(λ, 1).
    places: Floats
    #: Shape (rows,): log prior, of θ too.
    chances: Floats

    @classmethod
    def of(
        cls, theta: int, *, shows_late: bool, layers: int = 0, variables: int = 0
    ) -> LeadingTerm:
        """All with this θ.

        θ is half as likely as one less up to 8, by 1/θ from there on, as sums of products have
        larger ones; by 1/θ always in products of many layers.  Where a part of K shows late there
        are closer poles; of a product of ``layers``, poles of higher order beside the first.  Both
        orders together are no larger than the number of variables of K, if it is known.
        """
        gap_ratios: tuple[float, ...] = (
            priors.CLOSER_GAPS if shows_late else ()
        ) + priors.CLOSE_GAPS
        # As many rows for each θ, of which some have no chance.
        many = {m: prior_odds for m, prior_odds in priors.HIGH_ORDER_ODDS.items() if m < variables}
        order_odds = priors.ORDER_ODDS | {
            m: prior_odds * (m <= variables - theta) for m, prior_odds in many.items()
        }
        if layers:
            gap_ratios = tuple(gap_ratio / layers for gap_ratio in priors.DEEP_CLOSE_GAPS)
            order_odds = priors.DEEP_ORDER_ODDS
        rows = [(0, 1.0, 1.0)]
        rows += [
            (m, gap_ratio, prior_odds / len(gap_ratios))
            for m, prior_odds in order_odds.items()
            for gap_ratio in gap_ratios
        ]
        beside, at, chances = (np.array(column) for column in zip(*rows, strict=True))
        rare = min((theta - 1) * math.log(2.0), 4 * math.log(2.0) + math.log(theta))
        if layers:
            rare = math.log(theta)
        with np.errstate(divide="ignore"):
            return cls(theta, beside, at, np.log(chances) - rare)

    @property
    def orders(self) -> NDArray[np.intp]:
        """Order of the poles together, by row."""
        return self.theta + self.beside

    def log_slope(self, low: Floats, high: Floats, lam: Floats) -> Floats:
        """Mean over low ≤ x ≤ high of its logarithm's derivative, which λ − slope begins with.

        Bounds have the shape (rows, …), λ (rows,).
        """
        points = at_points(low, high)
        log_slopes = (self.theta - 1) * (1 / low if points else np.log(high / low) / (high - low))
        deltas = self.places * np.minimum(lam, 1.0)
        for m in sorted(set(self.beside.tolist()) - {0}):
            rows = self.beside == m
            law, delta = _kummer(m, self.theta + m), deltas[rows].reshape(-1, *[1] * (low.ndim - 1))
            first = np.log1p(delta * low[rows])
            if points:
                log_slopes[rows] += m / low[rows] - delta * law.fall(first)
            else:
                last = np.log1p(delta * high[rows])
                rise = m * np.log(high[rows] / low[rows]) + law.log(last) - law.log(first)
                log_slopes[rows] += rise / (high - low)[rows]
        return np.asarray(log_slopes)

    def limit(self, last: float, end: float) -> Floats:
        """λ from the last slopes, if b is what it is for coordinates alike; by row."""
        last = max(last, 1e-3)
        lam = np.full(len(self.beside), last)
        moving = np.ones(len(lam), dtype=bool)
        for _ in range(20):
            point = end + (self.orders + 2 / 3) / lam
            after = np.where(moving, last + self.log_slope(point, point, lam), lam)
            moving &= abs(after - lam) >= 1e-4 * after
            lam = after
            if not moving.any():
                break
        return lam

    def shifts(
        self, lam: Floats, window_start: float, late_by: float = 0.0
    ) -> tuple[Floats, Floats]:
        """Values of b and their log prior, shape ``(rows, values)``; −inf for those that are none.

        For θ coordinates alike −log K has a Gamma distribution of shape θ and rate λ.  Its median,
        from which L counts, is about (θ − 1/3)/λ, and P′/P = (θ−1)/(L + b) with b = (θ + 2/3)/λ up
        to O(L⁻³): small λ and large θ need large b.  Where K is a sum, its median is larger than
        the terms that make the logarithm, which begins later, and more so in products of many
        factors: b falls by multiples of log(1 + λ), to −7 for a network of λ = 15/2.  Where L
        counts from a part of K that shows ``late_by`` after it, logarithms of parts before are up
        to so much older.  A thin cone makes b larger: see `priors.THIN_CONES`.  λ has the shape
        (rows,); L + b must be positive at ``window_start``, the least L that is fitted.
        """
        pole_orders, lam = self.orders[:, None], lam[:, None]
        even_shift = (pole_orders + 2 / 3) / lam
        spread = np.hypot(priors.SHIFT_SPREAD * even_shift, priors.LATE_SPREAD * np.log1p(lam))
        log_shifts = even_shift + priors.SHIFT_DEVIATIONS * spread
        weights = np.broadcast_to(np.exp(-0.5 * priors.SHIFT_DEVIATIONS**2), log_shifts.shape)
        if late_by:
            log_shifts = np.concatenate(
                [log_shifts, log_shifts + late_by / 2, log_shifts + late_by], axis=1
            )
            weights = np.tile(weights, 3)
        weights = np.where(log_shifts + window_start > 0.5, weights, 0.0)
        weights = weights / weights.sum(axis=1, keepdims=True)
        cones = np.array(priors.THIN_CONES)
        thin, inverse = cones * (pole_orders - 1) / lam, 1 / cones
        rare = priors.THIN_CHANCE * np.where(
            thin > log_shifts[:, -1:], inverse / inverse.sum(), 0.0
        )
        log_shifts = np.concatenate([log_shifts, thin], axis=1)
        weights = np.concatenate([weights * (1 - rare.sum(axis=1, keepdims=True)), rare], axis=1)
        # Without a logarithm there is nothing to shift: one value will do.
        weights = np.where(pole_orders > 1, weights, np.arange(weights.shape[1]) == 0)
        log_shifts = np.where((pole_orders > 1) & (weights > 0), log_shifts, even_shift)
        with np.errstate(divide="ignore"):
            return log_shifts, np.log(weights)


class _Kummer(NamedTuple):
    """Logarithm of ₁F₁(m; c; −z) and minus its derivative by z, as functions of log(1 + z)."""

    log: CubicSpline
    fall: CubicSpline


@lru_cache(maxsize=512)
def _kummer(m: int, c: int) -> _Kummer:
    """Splines, right to 10⁻⁸ and faster by far: a fit takes a hundred thousand values."""
    nodes = np.linspace(0.0, np.log1p(FARTHEST_NODE), 500)
    z = np.expm1(nodes)
    value = hyp1f1(m, c, -z)
    fall = m / c * hyp1f1(m + 1, c + 1, -z) / value
    return _Kummer(CubicSpline(nodes, np.log(value)), CubicSpline(nodes, fall))


def at_points(low: Floats, high: Floats) -> bool:
    """Whether slopes are local ones: all of a ladder are, or none."""
    return bool((high - low < 1e-9).any())
