"""Fit (λ, θ) jointly to the slopes of a ladder, with what finite nβ hides in the error bar."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import hyp1f1

from rlct.errors import InputError
from rlct.sampling.ladder import ALLOWED_MISFIT, BEGINNING, LEAST_BEGINNING, THIN, Fit, Ladder
from rlct.sampling.target import Floats

__all__ = ["fit"]

FLOOR = 1e-4  # of a slope, for what the expansion leaves out where nothing scatters
# δ/min(λ, 1) of the next pole.  On 38 polynomials whose resolution gives candidates it is 1/2 to
# 7/4 for half of them, at most 2, and below 1/5 for two (validation/coverage/poles.py).
PLACES = (0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0)
# Up to 1/2, as for a third of the 38 or fewer, it may be of any order m and weigh as much as the
# first: the prior odds of m against a pole that does not.  The powers 8, 7 and 6 have 1/8 and 1/7.
CLOSE = (0.14, 0.2, 0.25, 0.33, 0.5)
# A part of a sum that shows late is a product of high powers, or has a small coefficient: its poles
# are a fraction of its own λ away.  x² + y² + z⁸u⁶ has 9/8 and 9/8 + 1/24.
CLOSER = (0.05, 0.1)
ODDS = {1: 1 / 4, 2: 1 / 8, 3: 1 / 16}
# b in standard deviations from its value for θ equal coordinates, see `_shifts`.
SHIFTS = np.linspace(-2.0, 2.0, 13)
SPREAD, LATE = 0.7, 2.5
THIN_CHANCE = 0.2  # prior probability of b from `THIN`


@dataclass(frozen=True)
class _Leading:
    """The part of the expansion inside the logarithm, a function of x = L + b.

    x^{θ−1}, or with a pole of order m at λ + δ that weighs as much x^{θ+m−1} ₁F₁(m; θ+m; −δx):
    what a product of powers has, θ of them with exponent 1/λ and m with 1/(λ+δ), since −log K is
    a sum of Gamma variables.  δ → 0 gives order θ + m.

    Parameters
    ----------
    theta, beside : int
        θ and m.
    place : float
        δ/min(λ, 1).
    chance : float
        Log prior.
    """

    theta: int
    beside: int = 0
    place: float = 1.0
    chance: float = 0.0

    @property
    def order(self) -> int:
        return self.theta + self.beside

    def bend(self, low: Floats, high: Floats, lam: float) -> Floats:
        """Mean over low ≤ x ≤ high of its logarithm's derivative, which λ − slope begins with."""
        bent = (self.order - 1) * _mean_of_inverse(low, high)
        if not self.beside:
            return bent
        m, c, delta = self.beside, self.order, self.place * min(lam, 1.0)
        if _at_points(low, high):
            ratio = hyp1f1(m + 1, c + 1, -delta * low) / hyp1f1(m, c, -delta * low)
            return np.asarray(bent - delta * m / c * ratio)
        change = np.log(hyp1f1(m, c, -delta * high) / hyp1f1(m, c, -delta * low))
        return np.asarray(bent + change / (high - low))

    def limit(self, last: float, end: float) -> float:
        """λ from the last slopes, if b is what it is for coordinates alike."""
        lam = last = max(last, 1e-3)
        for _ in range(20):
            point = np.array([end + (self.order + 2 / 3) / lam])
            before, lam = lam, last + float(self.bend(point, point, lam)[0])
            if abs(lam - before) < 1e-4 * lam:
                break
        return lam


def _family(thetas: Sequence[int], places: Sequence[float]) -> Iterator[_Leading]:
    for theta in thetas:
        chance = -(theta - 1) * math.log(2.0)
        yield _Leading(theta, chance=chance)
        for beside, odds in ODDS.items():
            for place in places:
                yield _Leading(theta, beside, place, chance + math.log(odds / len(places)))


def fit(ladder: Ladder, thetas: Sequence[int], *, begin: float | None = None) -> Fit:
    """Posterior of λ over a family of asymptotic expansions.

    The largest poles of ζ give Z(nβ) = n^{−λ} P(L) + n^{−λ−δ} Q(L) + …, deg P = θ − 1.
    The slope is then

        λ − (θ−1)/(L + b) + λ ρ e^{−δL} + …

    with b from the two leading coefficients of P.  At L = 0, in the middle of the prior, the slope
    is positive and no larger than of the order of λ: ρ ~ N(0, 1).  The priors of δ and b are those
    of `PLACES` and :func:`_shifts`.  Poles so close that no linear term holds them are within the
    logarithm, see :class:`_Leading`.
    """
    if not thetas or min(thetas) < 1:
        raise InputError("θ must be at least 1")
    if begin is None:
        begin = max(LEAST_BEGINNING, BEGINNING * float(ladder.stop[-1]))
    use = ladder.start >= begin
    if use.sum() < 5:
        raise InputError("the ladder is too short to fit: raise its last nβ")
    slopes = ladder.slopes[:, use]
    y = slopes.mean(axis=0)
    last = float(y[-5:].mean())
    replicates = len(slopes)
    variance = np.maximum(_variance(slopes, ladder, use), (FLOOR * last) ** 2)
    if not variance.all():
        raise InputError("K underflows along the ladder: multiply the variables by a constant")
    inflation = 1.0
    if replicates > 1:
        flat = (1 / variance) / (1 / variance).sum()
        observed = float((slopes @ flat).var(ddof=1)) / replicates
        inflation = max(1.0, observed * float((1 / variance).sum()))
    variance = variance * inflation
    window = _Window(ladder.start[use], ladder.stop[use], y, begin, ladder.late)
    table = _table(window, thetas, variance)
    misfit = float(table[:, 4].min() / max(1, len(y) - 2))
    if misfit > ALLOWED_MISFIT:
        # What bends the ladder is not in the family: it knows λ no better than it fits.
        table = _table(window, thetas, variance * misfit)
    if ladder.late:
        table[:, 3] += _hidden(float(table[:, 2].max()), float(window.high[-1])) ** 2
    weights = np.exp(table[:, 1] - table[:, 1].max())
    weights /= weights.sum()
    lam = float(weights @ table[:, 2])
    spread = float(weights @ (table[:, 3] + (table[:, 2] - lam) ** 2))
    noise = float(weights @ table[:, 5])
    by_theta: dict[int, tuple[float, float]] = {}
    chances_of: dict[int, float] = {}
    for theta in thetas:
        part = table[:, 0] == theta
        chances_of[theta] = float(weights[part].sum())
        w = np.exp(table[part, 1] - table[part, 1].max())
        w /= w.sum()
        centre = float(w @ table[part, 2])
        by_theta[theta] = (
            centre,
            float(np.sqrt(w @ (table[part, 3] + (table[part, 2] - centre) ** 2))),
        )
    return Fit(
        lam=lam,
        error=float(np.sqrt(spread)),
        degrees=_degrees(replicates, noise, spread),
        thetas=chances_of,
        misfit=misfit,
        window=float(begin),
        by_theta=by_theta,
        noise=math.sqrt(noise),
    )


@dataclass(frozen=True)
class _Window:
    """The part of a ladder that is fitted, with the mean of its slopes."""

    low: Floats
    high: Floats
    slopes: Floats
    begin: float
    late: float


def _table(window: _Window, thetas: Sequence[int], variance: Floats) -> Floats:
    """Rows of `_solve`, with θ before them, of every expansion."""
    low, high, parts = window.low, window.high, []
    for leading in _family(thetas, CLOSER + CLOSE if window.late else CLOSE):
        lam = leading.limit(float(window.slopes[-5:].mean()), float(high[-1]))
        deltas = min(lam, 1.0) * np.array(PLACES)
        powers = lam * np.array([_mean_of_decay(low, high, delta) for delta in deltas])
        shifts, chances = _shifts(leading.order, lam, window.begin, window.late)
        bent = leading.bend(low + shifts[:, None], high + shifts[:, None], lam)
        solved = _solve(window.slopes + bent, powers, variance, chances + leading.chance)
        parts.append(np.column_stack([np.full(len(solved), leading.theta), solved]))
    return np.concatenate(parts)


def _hidden(lam: float, end: float) -> float:
    """What the closest pole of a late part still takes off the slope at the end of a ladder."""
    delta = CLOSER[0] * min(lam, 1.0)
    return delta / math.expm1(delta * end)


def _degrees(replicates: int, noise: float, spread: float) -> float:
    """Of Student's t: of a variance only the part that was measured from replicates is uncertain.

    References
    ----------
    Satterthwaite (1946), An approximate distribution of estimates of variance components.
    """
    return (replicates - 1) * (spread / noise) ** 2 if replicates > 1 else math.inf


def _shifts(theta: int, lam: float, begin: float, late: float = 0.0) -> tuple[Floats, Floats]:
    """Values of b and their log prior.

    For θ coordinates alike −log K has a Gamma distribution of shape θ and rate λ.  Its median, from
    which L counts, is about (θ − 1/3)/λ, and P′/P = (θ−1)/(L + b) with b = (θ + 2/3)/λ up to
    O(L⁻³): small λ and large θ need large b.  Where K is a sum, its median is larger than the terms
    that make the logarithm, which begins later, and more so in products of many factors: b falls by
    multiples of log(1 + λ), to −7 for a network of λ = 15/2.  Where L counts from a part of K that
    shows ``late``, logarithms of parts before it are up to so much older.  Where a thin cone makes
    the logarithm, b is larger: see `THIN`.
    """
    if theta == 1:
        return np.zeros(1), np.zeros(1)
    usual = (theta + 2 / 3) / lam
    shifts = usual + SHIFTS * math.hypot(SPREAD * usual, LATE * math.log1p(lam))
    chances = -0.5 * SHIFTS**2
    if late:
        shifts = np.concatenate([shifts, shifts + late / 2, shifts + late])
        chances = np.tile(chances, 3)
    possible = shifts + begin > 0.5
    shifts, chances = shifts[possible], chances[possible] - np.log(np.exp(chances[possible]).sum())
    thin = np.array(THIN) * (theta - 1) / lam
    weights = THIN_CHANCE * (1 / thin) / (1 / thin).sum()
    thin, weights = thin[thin > shifts.max()], weights[thin > shifts.max()]
    usually = chances + math.log(1 - weights.sum())
    return np.append(shifts, thin), np.append(usually, np.log(weights))


def _variance(slopes: Floats, ladder: Ladder, use: NDArray[np.bool_]) -> Floats:
    if len(slopes) == 1:
        if ladder.error is None:
            raise InputError("one replicate without an error cannot be fitted")
        return np.asarray(ladder.error[use] ** 2)
    width = np.maximum(ladder.stop[use] - ladder.start[use], 1e-300)
    steps = slopes * width if (width > 1e-200).all() else slopes
    # Scatter of a single level rests on few replicates; neighbours share it.
    raw = steps.var(axis=0, ddof=1) / len(slopes)
    kernel = np.ones(min(9, len(raw)))
    smooth = np.convolve(raw, kernel, "same") / np.convolve(np.ones(len(raw)), kernel, "same")
    return np.asarray(smooth / (width**2 if (width > 1e-200).all() else 1.0))


def _at_points(low: Floats, high: Floats) -> bool:
    """Whether slopes are local ones: all of a ladder are, or none."""
    return bool((high - low < 1e-9).any())


def _mean_of_inverse(low: Floats, high: Floats) -> Floats:
    if _at_points(low, high):
        return np.asarray(1 / low)
    return np.asarray(np.log(high / low) / (high - low))


def _mean_of_decay(low: Floats, high: Floats, delta: float) -> Floats:
    if _at_points(low, high):
        return np.asarray(delta * np.exp(-delta * low))
    return np.asarray((np.exp(-delta * low) - np.exp(-delta * high)) / (high - low))


def _solve(y: Floats, powers: Floats, variance: Floats, chances: Floats) -> Floats:
    """Rows of log evidence, mean and variance of λ, χ², and the part of the variance that is noise.

    y = λ + ρ·power + noise, ρ ~ N(0, 1), λ flat.  One for each y, shape ``(shifts, m)``, whose log
    prior is ``chances``, and each of ``powers``, shape ``(deltas, m)``.
    """
    precision = 1 / variance
    a11 = precision.sum()
    a12 = powers @ precision
    a22 = powers**2 @ precision + 1.0
    b1 = (y @ precision)[:, None]
    b2 = (y * precision) @ powers.T
    det = a11 * a22 - a12**2
    lam = (a22 * b1 - a12 * b2) / det
    rho = (a11 * b2 - a12 * b1) / det
    residual = y[:, None] - lam[..., None] - rho[..., None] * powers
    chi = residual**2 @ precision
    evidence = -0.5 * (chi + rho**2 + np.log(det)) + chances[:, None]
    spread = np.broadcast_to(a22 / det, lam.shape)
    noise = spread - (a12 / det) ** 2  # the rest is the prior of ρ
    return np.stack([part.ravel() for part in (evidence, lam, spread, chi, noise)], axis=1)
