"""Slopes of −log Z or −log V over a ladder of levels, and what a fit of (λ, θ) to them says."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rlct.sampling.targets.target import Floats

TOO_SHORT = "before the ladder was long enough for an estimate"


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
    late : float
        How much later in L the last term of K begins to show than K itself; L counts from the last.
    draws : array, shape (replicates, particles), optional
        nβK at the last level, for diagnostics.
    points : array, shape (n, d), optional
        Draws of w at the last level.
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
        no such assumption; or from the later half of the draws of each level; or less what a step
        may add.
    radius : float, optional
        Of the box in which a polynomial is sampled.
    """

    start: Floats
    stop: Floats
    slopes: Floats
    unit: float
    kind: str
    draws: Floats | None = None
    points: Floats | None = None
    means: Floats | None = None
    acceptance: float = float("nan")
    error: Floats | None = None
    warnings: tuple[str, ...] = ()
    independent: Floats | None = None
    late: float = 0.0
    radius: float | None = None

    @property
    def middle(self) -> Floats:
        """L in the middle of each level."""
        return 0.5 * (self.start + self.stop)

    @property
    def decades(self) -> Floats:
        """log₁₀ nβ, or log₁₀ 1/t, in the middle of each level."""
        return (self.middle + math.log(self.unit)) / math.log(10.0)

    @property
    def end(self) -> float:
        """Last nβ, or 1/t."""
        return self.unit * math.exp(float(self.stop[-1]))

    @property
    def slope(self) -> Floats:
        """Mean over the replicates."""
        return np.asarray(self.slopes.mean(axis=0))

    @property
    def slope_error(self) -> Floats:
        """Standard error of `slope`, from the scatter of the replicates or the numerical one."""
        if len(self.slopes) > 1:
            return np.asarray(self.slopes.std(axis=0, ddof=1) / np.sqrt(len(self.slopes)))
        return np.zeros(self.slopes.shape[1]) if self.error is None else self.error

    @property
    def volumes(self) -> bool:
        """Whether levels are of volumes, V(t), and not of nβ."""
        return self.kind == "volume"


@dataclass(frozen=True)
class Fit:
    """Posterior of λ and θ from one ladder.

    Parameters
    ----------
    lam : float
        Mean over all θ.
    error : float
        Its whole standard error.
    degrees : float
        Degrees of freedom of ``error`` (Student's t).
    thetas : dict
        Probability of each θ.
    misfit : float
        χ² per degree of freedom.
    window : float
        The L from which slopes are fitted.
    by_theta : dict
        For each θ the mean of λ and its standard error if that θ is right.
    noise : float
        The part of ``error`` that more draws would take away.
    sampler : float or None
        How far another estimate from the same population is off, if there is one; what else is in
        ``error`` is what the expansion leaves open at finite nβ.
    rise : float
        By how much slopes still grow within the window, where it ends early and that is much.
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
    rise: float = 0.0

    def beside(self, second_fit: Fit) -> Fit:
        """Widen the errors by the distance of another estimate of the same λ."""
        gap = abs(self.lam - second_fit.lam)
        by_theta = {
            theta: (lam, math.hypot(error, lam - second_fit.by_theta[theta][0]))
            for theta, (lam, error) in self.by_theta.items()
        }
        error = math.hypot(self.error, gap)
        return replace(self, error=error, by_theta=by_theta, sampler=gap)

    @property
    def covariance(self) -> Floats:
        """Posterior covariance of (λ, θ), shape (2, 2); that of θ is 0 where it was assumed.

        A larger θ goes with a larger λ: a ladder sees the slope λ − (θ−1)/(L + b).

        >>> fits = {1: (0.9, 0.01), 2: (1.0, 0.02)}
        >>> found = Fit(0.95, 0.0524, 9.0, {1: 0.5, 2: 0.5}, 1.0, 5.0, fits)
        >>> found.covariance.round(5).tolist()
        [[0.00275, 0.025], [0.025, 0.25]]
        """
        thetas = np.array(list(self.by_theta), dtype=float)
        chances = np.array([self.thetas[theta] for theta in self.by_theta])
        lams, errors = np.array(list(self.by_theta.values())).T
        gaps = np.stack([lams - chances @ lams, thetas - chances @ thetas])
        return np.asarray((gaps * chances) @ gaps.T + np.diag([chances @ errors**2, 0.0]))

    def uses(self, ladder: Ladder) -> NDArray[np.bool_]:
        """Which levels of its ladder are fitted."""
        return ladder.start >= self.window

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
        """Range spanned by the most probable values of θ that reach ``level`` together.

        With those that are not rare beside the most probable: where many values share the
        probability, that of each rests on the prior.
        """
        ranked = sorted(self.thetas, key=lambda t: -self.thetas[t])
        held, total = [], 0.0
        for theta in ranked:
            if total >= level and self.thetas[theta] < (1 - level) * self.thetas[ranked[0]]:
                break
            held.append(theta)
            total += self.thetas[theta]
        return min(held), max(held)
