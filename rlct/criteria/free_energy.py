"""Free energy −log ∫ exp(−nL_n) φ: its expansion, and estimates from a ladder of posteriors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.criteria.draws import Draws
from rlct.criteria.inputs import finite_numbers
from rlct.criteria.statistic import FloatArray, Statistic
from rlct.errors import InputError

__all__ = ["free_energy", "free_energy_expansion"]

_FEWEST_DRAWS = 100.0  # effective draws of a bridge
_REFUSED_DRAWS = 4.0  # effective draws that its error cannot be judged from
_MOST_SIGMAS = 4.0  # standard errors that a mean log-likelihood may fall by


def free_energy_expansion(n: float, loss: float, lam: Fraction | float, theta: int = 1) -> float:
    """n·loss + λ log n − (θ−1) log log n, the free energy up to O_p(1).

    Parameters
    ----------
    n : float
        Number of observations, more than 1.
    loss : float
        L_n(w₀), the loss per observation of the best parameter.
    lam, theta : Fraction or float, int
        Learning coefficient and multiplicity.

    Raises
    ------
    InputError
        If n ≤ 1, λ < 0 or θ < 1.

    Notes
    -----
    Watanabe (2009), *Algebraic Geometry and Statistical Learning Theory*, chapter 6.

    Examples
    --------
    >>> round(free_energy_expansion(1000, 1.4, Fraction(1, 2), 2), 4)
    1401.5212
    """
    if not (1 < n < math.inf and math.isfinite(loss)):
        raise InputError("the expansion needs n > 1 and a finite loss")
    if not (0 <= lam < math.inf and theta >= 1):
        raise InputError("the expansion needs λ ≥ 0 and θ ≥ 1")
    logarithm = math.log(n)
    found = n * loss + float(lam) * logarithm
    return found - (theta - 1) * math.log(logarithm) if theta > 1 else found


def free_energy(log_likelihoods: Sequence[Any], betas: Sequence[float]) -> Statistic:
    """Free energy at β = 1 from draws at a ladder of inverse temperatures from 0 to 1.

    Neighbours are joined by bridge sampling with the best bridge (acceptance ratio).

    Parameters
    ----------
    log_likelihoods : sequence of arrays
        For each β the log-likelihood at draws of the posterior at that β: of every
        observation, shape (chains, draws, n) or (draws, n), or one column, their sum.
    betas : sequence of float
        Increasing, from 0 (draws of the prior) to 1.

    Returns
    -------
    Statistic
        ``details``: ``steps``, log Z_{k+1} − log Z_k of each pair, and ``level_overlaps``, the
        effective draws that each bridge rests on.

    Raises
    ------
    InputError
        If the ladder does not run from 0 to 1, an array has the wrong shape or another number of
        observations, or draws at neighbours do not overlap: fewer than four effective ones, or
        less than one, lie where those of the other do. Such a bridge is off by many of its errors.

    Notes
    -----
    Bennett, C. H. (1976), Journal of Computational Physics 22:245–268; Meng, X. and
    Wong, W. H. (1996), Statistica Sinica 6:831–860.

    Examples
    --------
    One observation 0 of N(w, 1), prior N(0, 1): F = ½ log 4π.

    >>> rng = np.random.default_rng(0)
    >>> betas = [0.0, 0.5, 1.0]
    >>> w = [rng.normal(size=(4, 2000, 1)) / np.sqrt(1 + b) for b in betas]
    >>> found = free_energy([-(v**2) / 2 - np.log(2 * np.pi) / 2 for v in w], betas)
    >>> bool(abs(found.value - np.log(4 * np.pi) / 2) < 4 * found.error < 0.03)
    True
    """
    beta_levels = finite_numbers(betas, "inverse temperatures").tolist()
    if len(beta_levels) < 2 or len(beta_levels) != len(log_likelihoods):
        raise InputError("a ladder needs two temperatures or more, and draws at each of them")
    if beta_levels[0] != 0 or beta_levels[-1] != 1 or any(np.diff(beta_levels) <= 0):
        raise InputError("inverse temperatures must increase from 0 to 1")
    draws_by_level = [Draws(array) for array in log_likelihoods]
    counts = sorted({level_draws.n for level_draws in draws_by_level if level_draws.n > 1})
    if len(counts) > 1:
        raise InputError(f"draws are of different data: {counts[0]} and {counts[1]} observations")
    warnings = _risen(draws_by_level, beta_levels)
    influences = [np.zeros(level_draws.count) for level_draws in draws_by_level]
    steps, level_overlaps = [], []
    for k, gap in enumerate(np.diff(beta_levels)):
        step, lower_weights, upper_weights = _bridge(
            gap * draws_by_level[k].total, gap * draws_by_level[k + 1].total
        )
        level_overlap = min(_kish(lower_weights), _kish(upper_weights))
        if level_overlap < _REFUSED_DRAWS or _crossing(lower_weights, upper_weights) < 1.0:
            raise InputError(
                f"draws at β = {beta_levels[k]:.4g} and {beta_levels[k + 1]:.4g} do not overlap: "
                "put temperatures between them"
            )
        steps.append(step)
        level_overlaps.append(level_overlap)
        influences[k] += lower_weights / lower_weights.mean() - 1.0
        influences[k + 1] -= upper_weights / upper_weights.mean() - 1.0
    errors = [
        level_draws.error(moved)
        for level_draws, moved in zip(draws_by_level, influences, strict=True)
    ]
    warnings += [
        f"at β = {level:.4g}: {text}"
        for level, level_draws in zip(beta_levels, draws_by_level, strict=True)
        for text in level_draws.quality[2]
    ]
    warnings += [
        f"little overlap between β = {beta_levels[k]:.4g} and {beta_levels[k + 1]:.4g}: "
        f"{level_overlap:.0f} effective draws; put a temperature between them"
        for k, level_overlap in enumerate(level_overlaps)
        if level_overlap < _FEWEST_DRAWS
    ]
    quality = [level_draws.quality for level_draws in draws_by_level]
    return Statistic(
        name="free-energy",
        value=-math.fsum(steps),
        error=math.hypot(*errors),
        ess=min(q[0] for q in quality if q[0] is not None),
        rhat=max(q[1] for q in quality if q[1] is not None),
        warnings=tuple(warnings),
        details={"steps": steps, "overlaps": level_overlaps},
    )


def _risen(draws_by_level: Sequence[Draws], beta_levels: Sequence[float]) -> list[str]:
    """Check that the mean log-likelihood rises with β: its derivative is the variance at β.

    Draws under wrong names overlap as well as others do, or better.
    """
    warnings = []
    means = [float(one.total.mean()) for one in draws_by_level]
    errors = [one.error(one.total - mean) for one, mean in zip(draws_by_level, means, strict=True)]
    for k, gap in enumerate(np.diff(beta_levels)):
        mean_rise, noise = means[k + 1] - means[k], math.hypot(errors[k], errors[k + 1])
        where = f"from β = {beta_levels[k]:.4g} to {beta_levels[k + 1]:.4g}"
        if mean_rise < -_MOST_SIGMAS * noise:
            raise InputError(
                f"the mean log-likelihood must rise with β, and falls {where}: are draws exchanged?"
            )
        least = gap * min(draws_by_level[k].total.var(), draws_by_level[k + 1].total.var())
        if mean_rise + _MOST_SIGMAS * noise < least / 4:
            warnings.append(
                f"the mean log-likelihood rises by {mean_rise:.3g} {where}, and the variances "
                f"ask for {least:.3g} or more: draws are not those of these β"
            )
    return warnings


def _bridge(
    lower_draws: FloatArray, upper_draws: FloatArray
) -> tuple[float, FloatArray, FloatArray]:
    """Log ratio of normalising constants, and the two functions whose means it compares.

    Both arrays hold logarithms x of the ratio of the densities, at draws of either.
    With shares s of the draws, log r solves
    mean_low 1/(s₁ + s₀ e^{log r − x}) = mean_high 1/(s₁ e^{x − log r} + s₀),
    the left side falling and the right side rising in log r.
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    first = len(lower_draws) / (len(lower_draws) + len(upper_draws))
    shift = math.log(first / (1.0 - first))

    def sides(log_ratio: float) -> tuple[FloatArray, FloatArray]:
        below = expit(lower_draws - log_ratio - shift) / (1.0 - first)
        above = expit(log_ratio - upper_draws + shift) / first
        return below, above

    def gap(log_ratio: float) -> float:
        below, above = sides(log_ratio)
        return float(below.mean() - above.mean())

    ends = (
        min(lower_draws.min(), upper_draws.min()) - 1.0,
        max(lower_draws.max(), upper_draws.max()) + 1.0,
    )
    log_ratio = float(brentq(gap, *ends, xtol=1e-12))
    return (log_ratio, *sides(log_ratio))


def _kish(weights: FloatArray) -> float:
    """(Σw)²/Σw², with the largest weight 1: squares of small ones underflow; 0 without weight."""
    top = weights.max()
    if top == 0.0:
        return 0.0
    scaled = weights / top
    return float(scaled.sum() ** 2 / (scaled @ scaled))


def _crossing(below: FloatArray, above: FloatArray) -> float:
    """Expected number of draws on one side that pass for draws of the other.

    It is the same for both sides: the bridge is where they agree. Kish's size does not see a
    small one, as it asks for the ratios of weights alone.
    """
    return float(below.sum()) * len(above) / (len(below) + len(above))
