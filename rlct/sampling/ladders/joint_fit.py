"""Fit (λ, θ) jointly to the slopes of a ladder, with what finite nβ hides in the error bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlct.errors import InputError
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import Fit, Ladder
from rlct.sampling.ladders.leading import LeadingTerm, at_points
from rlct.sampling.targets.target import Floats


def fit(
    ladder: Ladder,
    thetas: Sequence[int],
    *,
    window_start: float | None = None,
    layers: int = 0,
    variables: int = 0,
) -> Fit:
    """Posterior of λ over a family of asymptotic expansions.

    The largest poles of ζ give Z(nβ) = n^{−λ} P(L) + n^{−λ−δ} Q(L) + …, deg P = θ − 1.
    The slope is then

        λ − (θ−1)/(L + b) + λ ρ δ e^{−δL} + …

    with b from the two leading coefficients of P.  At L = 0, in the middle of the prior, the slope
    is positive and no larger than of the order of λ, and δ seldom beyond 1: ρ ~ N(0, 1).  The
    priors of δ and b are `priors.POLE_GAPS` and :meth:`LeadingTerm.shifts`.  Poles too close for a
    linear term are within the logarithm, see `rlct.sampling.ladders.leading.LeadingTerm`; what
    is closer still is in the error, see `priors.UNSEEN_POLE`.  θ is half as likely as θ − 1, but in
    products of many ``layers`` as 1/θ, and λ ρ e^{−δL} may stand for λ ρ δ e^{−δL}.  Of a ladder
    that ends early ρ may be larger, see `priors.SHORT_LADDER`.
    """
    if not thetas or min(thetas) < 1:
        raise InputError("θ must be at least 1")
    fit_window = _Window.of(ladder, window_start)
    family_options = {"layers": layers, "variables": variables}
    posterior, misfit = _posterior_of(fit_window, thetas, family_options)
    by_theta, rise_variance = {}, (fit_window.rise / 2) ** 2
    for row, theta in enumerate(thetas):
        centre, spread, _ = _mixture(_Posterior(*(part[row] for part in posterior)))
        by_theta[theta] = (centre, math.sqrt(spread + rise_variance))
    lam, spread, noise = _mixture(posterior)
    spread += rise_variance
    return Fit(
        lam=lam,
        error=math.sqrt(spread),
        degrees=_degrees(len(ladder.slopes), noise, spread),
        thetas=posterior.chances(thetas),
        misfit=misfit,
        window=fit_window.begin,
        by_theta=by_theta,
        noise=math.sqrt(noise),
        rise=fit_window.rise,
    )


def theta_chances(
    ladder: Ladder, thetas: Sequence[int], lam: float, *, layers: int = 0, variables: int = 0
) -> dict[int, float]:
    """Posterior of θ where λ is known: the logarithm alone is left to be seen.

    From L₁ to L₂, −log Z − λL falls by (θ−1) log((L₂ + b)/(L₁ + b)).  The family is that of `fit`;
    the pole that is not in it, which could pass for a logarithm, takes the place of λ.
    """
    family_options = {"layers": layers, "variables": variables}
    return _posterior_of(_Window.of(ladder), thetas, family_options, lam)[0].chances(thetas)


@dataclass(frozen=True)
class _Window:
    """The part of a ladder that is fitted, with the mean of its slopes and its variance."""

    low: Floats
    high: Floats
    slopes: Floats
    variance: Floats
    begin: float
    late: float

    @classmethod
    def of(cls, ladder: Ladder, window_start: float | None = None) -> _Window:
        """What lies beyond an L, or beyond the share of the ladder that is mostly left out."""
        if window_start is None:
            window_start = max(priors.LEAST_LEFT_OUT, priors.LEFT_OUT * float(ladder.stop[-1]))
        in_window = ladder.start >= window_start
        if in_window.sum() < 5:
            raise InputError("the ladder is too short to fit: raise its last nβ")
        slopes = ladder.slopes[:, in_window]
        y = slopes.mean(axis=0)
        floor = (priors.SLOPE_FLOOR * float(y[-5:].mean())) ** 2
        variance = np.maximum(_variance(slopes, ladder, in_window), floor)
        if not variance.all():
            raise InputError("K underflows along the ladder: multiply the variables by a constant")
        if len(slopes) > 1:
            flat = (1 / variance) / (1 / variance).sum()
            observed = float((slopes @ flat).var(ddof=1)) / len(slopes)
            variance = variance * max(1.0, observed * float((1 / variance).sum()))
        low, high = ladder.start[in_window], ladder.stop[in_window]
        return cls(low, high, y, variance, float(window_start), ladder.late)

    @property
    def short(self) -> bool:
        """Whether it ends where parts of K may not have begun to show."""
        return bool(self.high[-1] < priors.SHORT_LADDER)

    @property
    def rise(self) -> float:
        """By how much slopes of a short one grow, if that is much; else 0."""
        few = max(1, len(self.slopes) // 4)
        last = float(self.slopes[-few:].mean())
        rise = last - float(self.slopes[:few].mean())
        return rise if self.short and rise > priors.RISING_SHARE * last else 0.0


class _Posterior(NamedTuple):
    """Log evidence, mean and variance of λ, χ², and the part of the variance that is noise.

    Of every expansion, shape ``(thetas, expansions)``.
    """

    evidence: Floats
    lam: Floats
    spread: Floats
    chi: Floats
    noise: Floats

    def chances(self, thetas: Sequence[int]) -> dict[int, float]:
        """Probability of each θ."""
        weights = np.exp(self.evidence - self.evidence.max()).sum(axis=1)
        return dict(zip(thetas, (weights / weights.sum()).tolist(), strict=True))


def _posterior_of(
    fit_window: _Window,
    thetas: Sequence[int],
    family_options: dict[str, int],
    known_lam: float | None = None,
) -> tuple[_Posterior, float]:
    """Posterior, and the least χ² per degree of freedom."""
    posterior = _posterior(fit_window, thetas, family_options, known_lam)
    misfit = float(posterior.chi.min() / max(1, len(fit_window.slopes) - 2))
    if misfit > priors.ALLOWED_MISFIT:
        # The curve of the ladder is not in the family, which knows λ no better than it fits.
        wide_window = replace(fit_window, variance=fit_window.variance * misfit)
        posterior = _posterior(wide_window, thetas, family_options, known_lam)
    return posterior, misfit


def _posterior(
    fit_window: _Window,
    thetas: Sequence[int],
    family_options: dict[str, int],
    known_lam: float | None,
) -> _Posterior:
    low, high, layers, parts = fit_window.low, fit_window.high, family_options["layers"], []
    for theta in thetas:
        family = LeadingTerm.of(theta, shows_late=fit_window.late > 0, **family_options)
        lam = family.limit(float(fit_window.slopes[-5:].mean()), float(high[-1]))
        scale = np.minimum(lam, 1.0)[:, None]
        places: Floats = scale * np.array(priors.POLE_GAPS)
        powers = _mean_of_decay(low, high, places[..., None])
        if layers:
            deep = scale * priors.DEEP_POLE_GAPS / layers
            decay = _mean_of_decay(low, high, deep[..., None]) / deep[..., None]
            places, powers = (np.concatenate(p, axis=1) for p in ((places, deep), (powers, decay)))
        powers *= lam[:, None, None]
        if fit_window.short:
            grown = [powers * np.exp(late * places)[..., None] for late in priors.LATER_PARTS]
            powers = np.concatenate(grown, axis=1)
        shifts, chances = family.shifts(lam, fit_window.begin, fit_window.late)
        log_slopes = family.log_slope(low + shifts[..., None], high + shifts[..., None], lam)
        chances = chances + family.chances[:, None]
        place, weight = priors.UNSEEN_LATE_POLE if fit_window.late else priors.UNSEEN_POLE
        hidden_decay = weight * _mean_of_decay(low, high, place * scale)
        above = fit_window.slopes + log_slopes
        terms = (powers, hidden_decay, fit_window.variance, chances)
        parts.append(
            _solve(above, *terms) if known_lam is None else _solve_known(above - known_lam, *terms)
        )
    return _Posterior(*np.stack(parts, axis=1))


def _mixture(posterior: _Posterior) -> tuple[float, float, float]:
    """Mean and variance of λ over expansions, and the part of the variance that is noise."""
    weights = np.exp(posterior.evidence - posterior.evidence.max())
    weights /= weights.sum()
    lam = float((weights * posterior.lam).sum())
    spread = float((weights * (posterior.spread + (posterior.lam - lam) ** 2)).sum())
    return lam, spread, float((weights * posterior.noise).sum())


def _degrees(replicates: int, noise: float, spread: float) -> float:
    """Of Student's t: of a variance only the part that was measured from replicates is uncertain.

    Satterthwaite (1946), An approximate distribution of estimates of variance components.
    """
    return (replicates - 1) * (spread / noise) ** 2 if replicates > 1 else math.inf


def _variance(slopes: Floats, ladder: Ladder, in_window: NDArray[np.bool_]) -> Floats:
    if len(slopes) == 1:
        if ladder.error is None:
            raise InputError("one replicate without an error cannot be fitted")
        return np.asarray(ladder.error[in_window] ** 2)
    width = np.maximum(ladder.stop[in_window] - ladder.start[in_window], 1e-300)
    steps = slopes * width if (width > 1e-200).all() else slopes
    # Scatter of a single level rests on few replicates; neighbours share it.
    raw = steps.var(axis=0, ddof=1) / len(slopes)
    kernel = np.ones(min(9, len(raw)))
    smooth = np.convolve(raw, kernel, "same") / np.convolve(np.ones(len(raw)), kernel, "same")
    return np.asarray(smooth / (width**2 if (width > 1e-200).all() else 1.0))


def _mean_of_decay(low: Floats, high: Floats, delta: Floats) -> Floats:
    if at_points(low, high):
        return np.asarray(delta * np.exp(-delta * low))
    return np.asarray((np.exp(-delta * low) - np.exp(-delta * high)) / (high - low))


def _solve(
    y: Floats, powers: Floats, hidden_decay: Floats, variance: Floats, log_chances: Floats
) -> Floats:
    """Parts of a `_Posterior`, shape ``(5, rows · shifts · deltas)``.

    y = λ + ρ·power + noise, ρ ~ N(0, 1), λ flat.  One for each y, shape ``(rows, shifts, m)``,
    whose log prior is ``log_chances``, and each of ``powers``, shape ``(rows, deltas, m)``.

    The variance is the mean square error where y has c·unseen besides, c ~ N(0, 1), shape
    ``(rows, m)``: what that shifts λ by, times what y leaves of c.
    """
    precision = 1 / variance
    normal_11 = precision.sum()
    normal_12 = (powers @ precision)[:, None]
    normal_22 = (powers**2 @ precision + 1.0)[:, None]
    b1 = (y @ precision)[..., None]
    b2 = (y * precision) @ powers.mT
    determinant = normal_11 * normal_22 - normal_12**2
    lam = (normal_22 * b1 - normal_12 * b2) / determinant
    rho = (normal_11 * b2 - normal_12 * b1) / determinant
    residual = y[:, :, None] - lam[..., None] - rho[..., None] * powers[:, None]
    chi_squared = residual**2 @ precision
    evidence = -0.5 * (chi_squared + rho**2 + np.log(determinant)) + log_chances[..., None]
    spread = normal_22 / determinant
    noise = spread - (normal_12 / determinant) ** 2  # what is left is the prior of ρ
    weighed = hidden_decay * precision
    c1, cc = (v.sum(axis=-1)[:, None, None] for v in (weighed, weighed * hidden_decay))
    c2 = weighed[:, None] @ powers.mT
    shift = (normal_22 * c1 - normal_12 * c2) / determinant  # of λ by c = 1
    other = (normal_11 * c2 - normal_12 * c1) / determinant  # and of ρ
    left = 1 / (1 + cc - c1 * shift - c2 * other)
    c = left * (residual @ weighed[:, None, :, None])[..., 0]
    spread = spread + shift**2 * (c**2 + left)
    parts = (evidence, lam, spread, chi_squared, np.broadcast_to(noise, lam.shape))
    return np.stack([part.ravel() for part in parts])


def _solve_known(
    y: Floats, powers: Floats, hidden_decay: Floats, variance: Floats, log_chances: Floats
) -> Floats:
    """Parts of a `_Posterior` where λ is known: y = c·unseen + ρ·power + noise, c, ρ ~ N(0, 1)."""
    precision = 1 / variance
    weighed = hidden_decay * precision
    normal_11 = ((weighed * hidden_decay).sum(axis=-1) + 1.0)[:, None, None]
    normal_12 = weighed[:, None] @ powers.mT
    normal_22 = (powers**2 @ precision + 1.0)[:, None]
    b1 = y @ weighed[..., None]
    b2 = (y * precision) @ powers.mT
    determinant = normal_11 * normal_22 - normal_12**2
    explained = (normal_22 * b1**2 - 2 * normal_12 * b1 * b2 + normal_11 * b2**2) / determinant
    chi_squared = (y**2 @ precision)[..., None] - explained
    evidence = -0.5 * (chi_squared + np.log(determinant)) + log_chances[..., None]
    settled = np.zeros_like(evidence)
    parts = (evidence, settled, settled, chi_squared, settled)
    return np.stack([part.ravel() for part in parts])
