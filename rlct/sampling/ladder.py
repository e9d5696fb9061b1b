"""Fit (λ, θ) jointly to the slopes of a ladder, with what finite nβ hides in the error bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rlct.errors import InputError
from rlct.sampling.target import Floats

__all__ = ["SHORTEST", "Fit", "Ladder", "fit"]

SHORTEST = 7.5  # least L of an interrupted ladder that has levels enough for a fit


@dataclass(frozen=True)
class Ladder:
    """Slopes of −log Z(nβ), or of −log V(t), against L = log(nβ·unit⁻¹) or log(1/t).

    Parameters
    ----------
    start, stop : array, shape (m,)
        Each slope is the mean of the local slope over [start, stop]; equal ends mean a
        point.  L is measured from the scale of the prior.
    slopes : array, shape (replicates, m)
        One row per independent replicate.
    unit : float
        nβ (or 1/t) at L = 0.
    draws : array, shape (replicates, particles), optional
        nβK at the last level, for diagnostics.
    means : array, shape (m + 1,), optional
        Tempered means of nβK.
    kind : str
    acceptance : float
        Fraction of proposals accepted.
    error : array, shape (m,), optional
        Numerical error of each slope when there is only one, exact, replicate.
    independent : array, shape (replicates, m), optional
        Other estimates of the slopes from the same run, which differ where the sampler is slow: as
        they are if particles forget from level to level how they were chosen, where ``slopes`` make
        no such assumption; or from the later half of the draws of each level.
    """

    start: Floats
    stop: Floats
    slopes: Floats
    unit: float
    kind: str
    draws: Floats | None = None
    means: Floats | None = None
    acceptance: float = float("nan")
    error: Floats | None = None
    warnings: tuple[str, ...] = ()
    independent: Floats | None = None


@dataclass(frozen=True)
class Fit:
    """Posterior of λ and θ from one ladder.

    ``error`` is the whole standard error of λ, ``noise`` the part that more draws would take away,
    ``sampler`` how far another estimate from the same population is off, if there is one; the rest
    is what the expansion leaves open at finite nβ.
    """

    lam: float
    error: float
    degrees: float
    thetas: dict[int, float]
    misfit: float
    window: float
    by_theta: dict[int, tuple[float, float]] = field(default_factory=dict)
    noise: float = 0.0
    sampler: float | None = None

    def beside(self, other: Fit) -> Fit:
        """Widen the errors by the distance of another estimate of the same λ."""
        gap = abs(self.lam - other.lam)
        by_theta = {
            theta: (lam, math.hypot(error, lam - other.by_theta[theta][0]))
            for theta, (lam, error) in self.by_theta.items()
        }
        error = math.hypot(self.error, gap)
        return replace(self, error=error, by_theta=by_theta, sampler=gap)

    @property
    def theta(self) -> int:
        """Most probable θ."""
        return max(self.thetas, key=lambda t: self.thetas[t])

    def interval(self, level: float) -> tuple[float, float]:
        """Holds λ with probability ``level`` whichever θ of `theta_range` is the right one.

        The mean over θ can lie standard errors away from what a less probable θ says.
        """
        quantile = float(student.ppf(0.5 + level / 2, self.degrees))
        low, high = self.theta_range(level)
        fits = [self.by_theta[t] for t in range(low, high + 1) if t in self.by_theta]
        return (
            min(lam - quantile * error for lam, error in fits),
            max(lam + quantile * error for lam, error in fits),
        )

    def theta_range(self, level: float) -> tuple[int, int]:
        """Range spanned by the most probable values of θ that reach ``level`` together."""
        ranked = sorted(self.thetas, key=lambda t: -self.thetas[t])
        held, total = [], 0.0
        for theta in ranked:
            held.append(theta)
            total += self.thetas[theta]
            if total >= level:
                break
        return min(held), max(held)


BEGINNING = 0.45  # fraction of the ladder left out, where further poles count
LEAST_BEGINNING = 3.0
FLOOR = 1e-4  # of a slope, for what the expansion leaves out where nothing scatters
# δ/min(λ, 1) of the next pole.  On 38 polynomials whose resolution gives candidates it is 1/2 to
# 7/4 for half of them, at most 2, and below 1/5 for two (validation/coverage/poles.py).
PLACES = (0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0)
# b in standard deviations from its value for θ equal coordinates, see `_shifts`.
SHIFTS = np.linspace(-2.0, 2.0, 13)
SPREAD, LATE = 0.7, 2.5


def fit(ladder: Ladder, thetas: Sequence[int], *, begin: float | None = None) -> Fit:
    """Posterior of λ over a family of asymptotic expansions.

    The largest poles of ζ give Z(nβ) = n^{−λ} P(L) + n^{−λ−δ} Q(L) + …, deg P = θ − 1.
    The slope is then

        λ − (θ−1)/(L + b) + λ ρ e^{−δL} + …

    with b from the two leading coefficients of P.  At L = 0, in the middle of the prior, the slope
    is positive and no larger than of the order of λ: ρ ~ N(0, 1).  The priors of δ and b are those
    of `PLACES` and :func:`_shifts`.
    """
    if not thetas or min(thetas) < 1:
        raise InputError("θ must be at least 1")
    if begin is None:
        begin = max(LEAST_BEGINNING, BEGINNING * float(ladder.stop[-1]))
    use = ladder.start >= begin
    if use.sum() < 5:
        raise InputError("the ladder is too short to fit: raise its last nβ")
    low, high = ladder.start[use], ladder.stop[use]
    slopes = ladder.slopes[:, use]
    y = slopes.mean(axis=0)
    replicates = len(slopes)
    last = float(y[-5:].mean())
    variance = np.maximum(_variance(slopes, ladder, use), (FLOOR * last) ** 2)
    inflation = 1.0
    if replicates > 1:
        flat = (1 / variance) / (1 / variance).sum()
        observed = float((slopes @ flat).var(ddof=1)) / replicates
        inflation = max(1.0, observed * float((1 / variance).sum()))
    variance = variance * inflation

    parts = []
    for theta in thetas:
        lam = _limit(theta, last, float(high[-1]))
        deltas = min(lam, 1.0) * np.array(PLACES)
        powers = lam * np.array([_mean_of_decay(low, high, delta) for delta in deltas])
        shifts, chances_of_shifts = _shifts(theta, lam, begin)
        ends = low + shifts[:, None], high + shifts[:, None]
        logs = (theta - 1) * _mean_of_inverse(*ends) if theta > 1 else np.zeros((1, len(y)))
        solved = _solve(y + logs, powers, variance, chances_of_shifts - (theta - 1) * np.log(2.0))
        parts.append(np.column_stack([np.full(len(solved), theta), solved]))
    table = np.concatenate(parts)
    weights = np.exp(table[:, 1] - table[:, 1].max())
    weights /= weights.sum()
    lam = float(weights @ table[:, 2])
    spread = float(weights @ (table[:, 3] + (table[:, 2] - lam) ** 2))
    noise = float(weights @ table[:, 5])
    by_theta: dict[int, tuple[float, float]] = {}
    chances: dict[int, float] = {}
    for theta in thetas:
        part = table[:, 0] == theta
        chances[theta] = float(weights[part].sum())
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
        thetas=chances,
        misfit=float(table[:, 4].min() / max(1, len(y) - 2)),
        window=float(begin),
        by_theta=by_theta,
        noise=math.sqrt(noise),
    )


def _degrees(replicates: int, noise: float, spread: float) -> float:
    """Of Student's t: of a variance only the part that was measured from replicates is uncertain.

    References
    ----------
    Satterthwaite (1946), An approximate distribution of estimates of variance components.
    """
    return (replicates - 1) * (spread / noise) ** 2 if replicates > 1 else math.inf


def _limit(theta: int, last: float, end: float) -> float:
    """λ from the last slopes, if b is what it is for θ coordinates alike."""
    lam = last = max(last, 1e-3)
    for _ in range(20):
        lam = last + (theta - 1) / (end + (theta + 2 / 3) / lam)
    return lam


def _shifts(theta: int, lam: float, begin: float) -> tuple[Floats, Floats]:
    """Values of b and their log prior.

    For θ coordinates alike −log K has a Gamma distribution of shape θ and rate λ.  Its median, from
    which L counts, is about (θ − 1/3)/λ, and P′/P = (θ−1)/(L + b) with b = (θ + 2/3)/λ up to
    O(L⁻³): small λ and large θ need large b.  Where K is a sum, its median is larger than the terms
    that make the logarithm, which begins later, and more so in products of many factors: b falls by
    multiples of log(1 + λ), to −7 for a network of λ = 15/2.
    """
    if theta == 1:
        return np.zeros(1), np.zeros(1)
    usual = (theta + 2 / 3) / lam
    shifts = usual + SHIFTS * math.hypot(SPREAD * usual, LATE * math.log1p(lam))
    possible = shifts + begin > 0.5
    chance = -0.5 * SHIFTS[possible] ** 2
    return shifts[possible], chance - np.log(np.exp(chance).sum())


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


def _mean_of_inverse(low: Floats, high: Floats) -> Floats:
    width = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(width > 1e-9, np.log(high / low) / width, 1 / low))


def _mean_of_decay(low: Floats, high: Floats, delta: float) -> Floats:
    width = high - low
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (np.exp(-delta * low) - np.exp(-delta * high)) / width
    return np.asarray(np.where(width > 1e-9, mean, delta * np.exp(-delta * low)))


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
