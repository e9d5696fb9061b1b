"""Fit (λ, θ) to a ladder without Monte-Carlo noise, where only the expansion is uncertain."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import least_squares

from rlct.errors import InputError
from rlct.sampling.ladder import Fit, Ladder
from rlct.sampling.target import Floats

__all__ = ["fit_exact", "slope"]

BEGINNINGS = (0.3, 0.4, 0.5)
DELTAS = (0.08, 0.25, 0.6)
LEAST_DELTA, MOST_DELTA = 0.03, 3.0
MARGIN = 2.0
# Weak priors that keep directions the data do not see from running away.
RHO, SHIFT, BEND = 5.0, 6.0, 20.0
INDEPENDENT = 4.0


def slope(
    length: Floats,
    theta: int,
    lam: float,
    delta: float,
    rho: float,
    shift: float = 0.0,
    bend: float = 0.0,
) -> Floats:
    """−d log Z / dL for Z = e^{−λL} [P(L) + ρ e^{−δL}], the next pole of order one.

    P = 1, L + b or (L + b)^{θ−1} + v (L + b)^{θ−3} for θ = 1, 2, more.

    Examples
    --------
    >>> slope(np.array([10.0]), 2, 0.5, 1.0, 0.0)           # 1/2 − 1/L
    array([0.4])
    """
    base = length + shift
    order = theta - 1
    lead = base**order
    rise = order * base ** (order - 1) if order else np.zeros_like(base)
    if order >= 2:
        lead = lead + bend * base ** (order - 2)
        if order >= 3:
            rise = rise + bend * (order - 2) * base ** (order - 3)
    decay = rho * np.exp(-delta * length)
    return np.asarray(lam - (rise - delta * decay) / (lead + decay))


def fit_exact(ladder: Ladder, thetas: Sequence[int]) -> Fit:
    """Fit the expansion with one further pole on three windows; their spread is the error.

    What is left out, the poles after the next, weighs less on later windows, so λ̂ moves
    with the window by about as much as it is wrong.  The error is twice the
    largest such move plus what the numerical error of the slopes allows.

    Parameters
    ----------
    ladder : Ladder
        One replicate of point slopes with ``error``.
    thetas : sequence of int
        Orders to consider.  They are weighted by how well they fit beside the best,
        and averaged, their disagreement counted as error.

    Returns
    -------
    Fit
    """
    if ladder.error is None or len(ladder.slopes) != 1:
        raise InputError("an exact fit needs one replicate with a numerical error")
    results: dict[int, tuple[float, float, float]] = {}
    for theta in thetas:
        lams, rests, stats = [], [], []
        for beginning in BEGINNINGS:
            use = ladder.start >= max(1.5, beginning * ladder.start[-1])
            if use.sum() < 8:
                raise InputError("the ladder is too short to fit: raise its last nβ")
            lam, rest, statistical = _best(
                ladder.start[use], ladder.slopes[0, use], ladder.error[use], theta
            )
            lams.append(lam)
            rests.append(rest)
            stats.append(statistical)
        results[theta] = (
            lams[1],
            MARGIN * float(np.ptp(lams)) + max(stats[1], 1e-7),
            rests[1],
        )
    return _combine(results, float(ladder.error.max()))


def _combine(results: dict[int, tuple[float, float, float]], floor: float) -> Fit:
    best = max(min(rest for _, _, rest in results.values()), 1e-9)
    # The best residual shows how noisy the slopes really are.
    scores = {
        theta: 0.5**theta * np.exp(-((rest / best - 1.0) ** 2) / 8.0)
        for theta, (_, _, rest) in results.items()
    }
    total = sum(scores.values())
    chances = {theta: float(score / total) for theta, score in scores.items()}
    lam = sum(chances[theta] * results[theta][0] for theta in results)
    variance = sum(
        chances[theta] * (results[theta][1] ** 2 + (results[theta][0] - lam) ** 2)
        for theta in results
    )
    return Fit(
        lam=float(lam),
        error=float(np.sqrt(variance)),
        degrees=float("inf"),
        thetas=chances,
        misfit=best / floor,
        window=BEGINNINGS[1],
        by_theta={theta: found[:2] for theta, found in results.items()},
    )


def _best(length: Floats, y: Floats, error: Floats, theta: int) -> tuple[float, float, float]:
    """λ, root-mean-square residual and statistical error of the best of several starts."""
    lowest = -float(length[0]) + 0.5
    lower = [0.0, LEAST_DELTA, -np.inf]
    upper = [np.inf, MOST_DELTA, np.inf]
    if theta >= 2:
        lower.append(lowest)
        upper.append(15.0)
    if theta >= 3:
        lower.append(-50.0)
        upper.append(200.0)
    found = None
    guess = float(y[-1]) + (theta - 1) / (float(length[-1]) + 2.0)
    # Errors of neighbouring nβ share their nodes: as good as INDEPENDENT slopes.
    weight = np.sqrt(min(1.0, INDEPENDENT / len(y))) / float(error.max())

    def residuals(p: Floats) -> Floats:
        prior = [np.log(p[1] / 0.4), p[2] / RHO, *((q - 3.0) / SHIFT for q in p[3:4])]
        prior.extend(q / BEND for q in p[4:])
        return np.concatenate([weight * (slope(length, theta, *p) - y), prior])

    for delta in DELTAS:
        for sign in (-0.3, 0.3):
            start = np.array([guess, delta, sign, 2.0, 1.0][: len(lower)])
            with np.errstate(all="ignore"):
                try:
                    tried = least_squares(
                        residuals,
                        start,
                        bounds=(lower, upper),
                        x_scale=np.maximum(np.abs(start), 0.1),
                        max_nfev=400,
                    )
                except ValueError:
                    continue
            if np.isfinite(tried.cost) and (found is None or tried.cost < found.cost):
                found = tried
    if found is None:
        return guess, float("inf"), float("inf")
    rest = float(np.sqrt(np.mean(found.fun[: len(y)] ** 2)) / weight)
    inverse = np.linalg.inv(found.jac.T @ found.jac)
    scale = max(1.0, rest / float(error.max()))
    return float(found.x[0]), rest, float(np.sqrt(inverse[0, 0]) * scale)
