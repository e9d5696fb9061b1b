"""Free energy −log ∫ exp(−nL_n) φ: its expansion, and estimates from a ladder of posteriors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.criteria.draws import Draws
from rlct.criteria.inputs import numbers
from rlct.criteria.statistic import Floats, Statistic
from rlct.errors import InputError

__all__ = ["free_energy", "free_energy_expansion"]

_FEWEST = 100.0  # effective draws of a bridge
_REFUSED = 4.0  # effective draws that its error cannot be judged from
_SIGMAS = 4.0  # standard errors that a mean log-likelihood may fall by


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
        ``details``: ``steps``, log Z_{k+1} − log Z_k of each pair, and ``overlaps``, the
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
    levels = numbers(betas, "inverse temperatures").tolist()
    if len(levels) < 2 or len(levels) != len(log_likelihoods):
        raise InputError("a ladder needs two temperatures or more, and draws at each of them")
    if levels[0] != 0 or levels[-1] != 1 or any(np.diff(levels) <= 0):
        raise InputError("inverse temperatures must increase from 0 to 1")
    sets = [Draws(array) for array in log_likelihoods]
    counts = sorted({one.n for one in sets if one.n > 1})
    if len(counts) > 1:
        raise InputError(f"draws are of different data: {counts[0]} and {counts[1]} observations")
    warnings = _risen(sets, levels)
    influence = [np.zeros(one.count) for one in sets]
    steps, overlaps = [], []
    for k, gap in enumerate(np.diff(levels)):
        step, below, above = _bridge(gap * sets[k].total, gap * sets[k + 1].total)
        overlap = min(_kish(below), _kish(above))
        if overlap < _REFUSED or _crossing(below, above) < 1.0:
            raise InputError(
                f"draws at β = {levels[k]:.4g} and {levels[k + 1]:.4g} do not overlap: "
                "put temperatures between them"
            )
        steps.append(step)
        overlaps.append(overlap)
        influence[k] += below / below.mean() - 1.0
        influence[k + 1] -= above / above.mean() - 1.0
    errors = [one.error(moved) for one, moved in zip(sets, influence, strict=True)]
    warnings += [
        f"at β = {level:.4g}: {text}"
        for level, one in zip(levels, sets, strict=True)
        for text in one.quality[2]
    ]
    warnings += [
        f"little overlap between β = {levels[k]:.4g} and {levels[k + 1]:.4g}: "
        f"{overlap:.0f} effective draws; put a temperature between them"
        for k, overlap in enumerate(overlaps)
        if overlap < _FEWEST
    ]
    quality = [one.quality for one in sets]
    return Statistic(
        name="free-energy",
        value=-math.fsum(steps),
        error=math.hypot(*errors),
        ess=min(q[0] for q in quality if q[0] is not None),
        rhat=max(q[1] for q in quality if q[1] is not None),
        warnings=tuple(warnings),
        details={"steps": steps, "overlaps": overlaps},
    )


def _risen(sets: Sequence[Draws], levels: Sequence[float]) -> list[str]:
    """Check that the mean log-likelihood rises with β: its derivative is the variance at β.

    Draws under wrong names overlap as well as others do, or better.
    """
    warnings = []
    means = [float(one.total.mean()) for one in sets]
    errors = [one.error(one.total - mean) for one, mean in zip(sets, means, strict=True)]
    for k, gap in enumerate(np.diff(levels)):
        rise, noise = means[k + 1] - means[k], math.hypot(errors[k], errors[k + 1])
        where = f"from β = {levels[k]:.4g} to {levels[k + 1]:.4g}"
        if rise < -_SIGMAS * noise:
            raise InputError(
                f"the mean log-likelihood must rise with β, and falls {where}: are draws exchanged?"
            )
        least = gap * min(sets[k].total.var(), sets[k + 1].total.var())
        if rise + _SIGMAS * noise < least / 4:
            warnings.append(
                f"the mean log-likelihood rises by {rise:.3g} {where}, and the variances ask for "
                f"{least:.3g} or more: draws are not those of these β"
            )
    return warnings


def _bridge(low: Floats, high: Floats) -> tuple[float, Floats, Floats]:
    """Log ratio of normalising constants, and the two functions whose means it compares.

    ``low`` and ``high`` are the logarithms x of the ratio of the densities at draws of either.
    With shares s of the draws, log r solves
    mean_low 1/(s₁ + s₀ e^{log r − x}) = mean_high 1/(s₁ e^{x − log r} + s₀),
    the left side falling and the right side rising in log r.
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    first = len(low) / (len(low) + len(high))
    shift = math.log(first / (1.0 - first))

    def sides(log_ratio: float) -> tuple[Floats, Floats]:
        below = expit(low - log_ratio - shift) / (1.0 - first)
        above = expit(log_ratio - high + shift) / first
        return below, above

    def gap(log_ratio: float) -> float:
        below, above = sides(log_ratio)
        return float(below.mean() - above.mean())

    ends = (min(low.min(), high.min()) - 1.0, max(low.max(), high.max()) + 1.0)
    log_ratio = float(brentq(gap, *ends, xtol=1e-12))
    return (log_ratio, *sides(log_ratio))


def _kish(weights: Floats) -> float:
    """(Σw)²/Σw², with the largest weight 1: squares of small ones underflow; 0 without weight."""
    top = weights.max()
    if top == 0.0:
        return 0.0
    scaled = weights / top
    return float(scaled.sum() ** 2 / (scaled @ scaled))


def _crossing(below: Floats, above: Floats) -> float:
    """Expected number of draws on one side that pass for draws of the other.

    It is the same for both sides: the bridge is where they agree. Kish's size does not see a
    small one, as it asks for the ratios of weights alone.
    """
    return float(below.sum()) * len(above) / (len(below) + len(above))
