"""Fit (λ, θ) to a ladder without Monte-Carlo noise, where only the expansion is uncertain."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from rlct.errors import InputError
from rlct.sampling.ladders import priors
from rlct.sampling.ladders.ladder import Fit, Ladder
from rlct.sampling.targets.target import Floats


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


def fit_exact(ladder: Ladder, thetas: Sequence[int], known_lam: float | None = None) -> Fit:
    """Fit the expansion with one further pole on three windows; their spread is the error.

    What is left out, the poles after the next, weighs less on later windows, so λ̂ moves
    with the window by about as much as it is wrong.  The error has two parts: twice the
    largest such move plus what the numerical error of the slopes allows; and what two
    further poles could hide, however close to λ they are (`_hidden_poles`).

    Orders are weighted by how well they fit beside the best, and averaged, their disagreement
    counted as error.  The ladder has one replicate of point slopes with ``error``; λ may be known
    where only θ is asked.
    """
    if ladder.error is None or len(ladder.slopes) != 1:
        raise InputError("an exact fit needs one replicate with a numerical error")
    best_fits: dict[int, _Best] = {}
    evidences: dict[int, float] = {}
    for theta in thetas:
        window_fits = []
        for beginning in priors.EXACT_LEFT_OUT:
            in_window = ladder.start >= _begin(ladder, beginning)
            if in_window.sum() < 8:
                raise InputError("the ladder is too short to fit: raise its last nβ")
            window_fits.append(
                _best(
                    ladder.start[in_window],
                    ladder.slopes[0, in_window],
                    ladder.error[in_window],
                    theta,
                    known_lam,
                )
            )
        in_window = ladder.start >= _begin(ladder, priors.EXACT_LEFT_OUT[0])
        centre, spread, evidence = _hidden_poles(
            ladder.start[in_window],
            ladder.slopes[0, in_window],
            ladder.error[in_window],
            theta,
            known_lam,
        )
        middle = window_fits[1]
        moved = priors.WINDOW_MARGIN * float(np.ptp([each.lam for each in window_fits]))
        moved += max(middle.error, 1e-7)
        error = float(np.sqrt(moved**2 + spread**2 + (centre - middle.lam) ** 2))
        best_fits[theta] = middle._replace(error=error)
        evidences[theta] = evidence
    error_floor = float(ladder.error.max())
    return _combine(best_fits, evidences, error_floor, _begin(ladder, priors.EXACT_LEFT_OUT[1]))


_KNOWN_WELL = 1e-9  # deviation of a λ that is known


class _Best(NamedTuple):
    """λ, its error, the root-mean-square residual of slopes, and b."""

    lam: float
    error: float
    residual: float
    shift: float = 0.0


def _begin(ladder: Ladder, fraction: float) -> float:
    """L from which a window of the fit takes slopes."""
    return max(1.5, fraction * float(ladder.start[-1]))


def _hidden_poles(
    rung_lengths: Floats, y: Floats, error: Floats, theta: int, known_lam: float | None
) -> tuple[float, float, float]:
    """Mean and deviation of λ, and log evidence, when further poles may lie beyond it.

    Two simple poles or a double one.  Linear in λ and the two residues for given places of the
    poles; averaged over the places by evidence.  A pole at λ + δ with δ·L of order one is nearly
    a change of λ: only this average says how much of λ̂ it could be.  (K = ((x²−y³)² − x⁵y²)²
    has poles at 5/24 and 1/4, and its tempered mean is still 0.003 below λ at L = 50.)
    """
    scale = float(y[-1])
    sigma = np.maximum(error, priors.EXACT_FLOOR)
    sigma = sigma * np.sqrt(max(1.0, len(y) / priors.INDEPENDENT_SLOPES))
    ridge = np.diag([0.0, *2 * [priors.RESIDUE_SPREAD**-2]])
    if known_lam is not None:
        y, ridge[0, 0] = y - known_lam, _KNOWN_WELL**-2
    pole_gaps = scale * np.array(priors.EXACT_POLE_GAPS)
    rows: list[tuple[float, float, float]] = []
    log_shifts = _shifts(theta, scale) if theta > 1 else [(0.0, 1.0)]
    for shift, shift_weight in log_shifts:
        if rung_lengths[0] + shift <= 0.5:
            continue
        target = (y + (theta - 1) / (rung_lengths + shift)) / sigma
        for near, far in combinations_with_replacement(pole_gaps, 2):
            decay = [d * np.exp(-d * rung_lengths) for d in (near, far)]
            if near == far:
                # Two simple poles that meet: one of order two, a + bL beside e^{−δL}.
                decay[1] = (near * rung_lengths - 1.0) * np.exp(-near * rung_lengths)
            basis = [np.ones_like(rung_lengths), *decay]
            design = np.stack(basis, axis=1) / sigma[:, None]
            precision = design.T @ design + ridge
            covariance = np.linalg.inv(precision)
            mean = covariance @ (design.T @ target)
            cost = float(((target - design @ mean) ** 2).sum() + mean @ ridge @ mean)
            evidence = (
                np.log(shift_weight) - 0.5 * cost - 0.5 * float(np.linalg.slogdet(precision)[1])
            )
            rows.append((evidence, float(mean[0]), float(covariance[0, 0])))
    table = np.array(rows)
    weights = np.exp(table[:, 0] - table[:, 0].max())
    # Left out shifts took no part: the mean is over all there are.
    count = (
        sum(shift_weight for _, shift_weight in log_shifts)
        * len(pole_gaps)
        * (len(pole_gaps) + 1)
        / 2
    )
    evidence = float(table[:, 0].max() + np.log(weights.sum() / count))
    weights /= weights.sum()
    centre = float(weights @ table[:, 1])
    spread = float(np.sqrt(weights @ (table[:, 2] + (table[:, 1] - centre) ** 2)))
    return centre, spread, evidence


def _shifts(theta: int, lam: float) -> list[tuple[float, float]]:
    """Values of b with their weights; those of a thin cone have density 1/b²."""
    even_shifts = [(shift, 1.0) for shift in priors.EXACT_SHIFTS]
    unit = (theta - 1) / lam
    cones = [times for times in priors.THIN_CONES if times * unit > priors.EXACT_SHIFTS[-1]]
    return even_shifts + [(times * unit, priors.THIN_CONES[0] / times) for times in cones]


def _combine(
    best_fits: dict[int, _Best],
    evidences: dict[int, float],
    error_floor: float,
    window_start: float,
) -> Fit:
    sharpest = min(best_fits, key=lambda theta: best_fits[theta].residual)
    least_residual = max(best_fits[sharpest].residual, 1e-9)
    late = best_fits[sharpest].shift * best_fits[sharpest].lam > priors.LATE_SHIFT * (
        sharpest + 2 / 3
    )
    sharp = priors.SHARPER_RESIDUAL if late else priors.SHARP_RESIDUAL
    top = max(evidences.values())
    scores = {}
    for theta, best_fit in best_fits.items():
        # A fit as exact as the slopes shows which θ is right, by how much worse others are;
        # where no fit is, further poles are at work and only the average over them counts.
        worse = best_fit.residual / least_residual - 1.0
        chance = -(worse**2) / 8.0 if least_residual < sharp else evidences[theta] - top
        scores[theta] = 0.5**theta * np.exp(chance)
    total = sum(scores.values())
    theta_chances = {theta: float(score / total) for theta, score in scores.items()}
    lam = sum(theta_chances[theta] * best_fit.lam for theta, best_fit in best_fits.items())
    variance = sum(
        theta_chances[theta] * (best_fit.error**2 + (best_fit.lam - lam) ** 2)
        for theta, best_fit in best_fits.items()
    )
    return Fit(
        lam=float(lam),
        error=float(np.sqrt(variance)),
        degrees=float("inf"),
        thetas=theta_chances,
        misfit=least_residual / error_floor,
        window=window_start,
        by_theta={theta: (best_fit.lam, best_fit.error) for theta, best_fit in best_fits.items()},
    )


def _best(
    rung_lengths: Floats, y: Floats, error: Floats, theta: int, known_lam: float | None
) -> _Best:
    """Fit one further pole, from several starts."""
    last_slope = max(float(y[-1]), 1e-3)
    lowest = -float(rung_lengths[0]) + 0.5
    lower = [0.0, priors.LEAST_GAP, -np.inf]
    upper = [np.inf, priors.MOST_GAP, np.inf]
    if known_lam is not None:
        lower[0], upper[0] = known_lam - _KNOWN_WELL, known_lam + _KNOWN_WELL
    if theta >= 2:
        lower.append(lowest)
        upper.append(priors.WIDEST_SHIFT * priors.THIN_CONES[-1] / last_slope)
    if theta >= 3:
        lower.append(-50.0)
        upper.append(200.0)
    best_solution = None
    lam_guess = float(y[-1]) + (theta - 1) / (float(rung_lengths[-1]) + 2.0)
    lam_guess = lam_guess if known_lam is None else known_lam
    # Errors of neighbouring nβ share their nodes: as good as `priors.INDEPENDENT_SLOPES`.
    weight = np.sqrt(min(1.0, priors.INDEPENDENT_SLOPES / len(y))) / float(error.max())
    shift_spread = max(priors.EXACT_SHIFT_SPREAD, 3.0 / last_slope)

    def residuals(p: Floats) -> Floats:
        prior = [np.log(p[1] / 0.4), p[2] / priors.RESIDUE_SPREAD]
        prior.extend((q - 3.0) / shift_spread for q in p[3:4])
        prior.extend(q / priors.BEND_SPREAD for q in p[4:])
        return np.concatenate([weight * (slope(rung_lengths, theta, *p) - y), prior])

    def jacobian(p: Floats) -> Floats:
        # Exact: the imaginary part of a step too small to change the real one, all at once.
        steps = (p[:, None] + 1e-30j * np.eye(len(p)))[:, :, None]
        slopes = weight * slope(rung_lengths, theta, *steps).imag / 1e-30
        spreads = [np.inf, p[1], priors.RESIDUE_SPREAD, shift_spread, priors.BEND_SPREAD]
        return np.concatenate([slopes.T, np.diag(1 / np.array(spreads[: len(p)]))[1:]])

    for delta in priors.GAP_STARTS:
        for sign in (-0.3, 0.3):
            start = np.array([lam_guess, delta, sign, 2.0, 1.0][: len(lower)])
            with np.errstate(all="ignore"):
                try:
                    new_solution = least_squares(
                        residuals,
                        start,
                        jacobian,
                        bounds=(lower, upper),
                        x_scale=np.maximum(np.abs(start), 0.1),
                        max_nfev=400,
                    )
                except ValueError:
                    continue
            if np.isfinite(new_solution.cost) and (
                best_solution is None or new_solution.cost < best_solution.cost
            ):
                best_solution = new_solution
    if best_solution is None:
        return _Best(lam_guess, float("inf"), float("inf"))
    mean_residual = float(np.sqrt(np.mean(best_solution.fun[: len(y)] ** 2)) / weight)
    inverse = np.linalg.inv(best_solution.jac.T @ best_solution.jac)
    scale = max(1.0, mean_residual / float(error.max()))
    shift = float(best_solution.x[3]) if theta > 1 else 0.0
    return _Best(
        float(best_solution.x[0]), float(np.sqrt(inverse[0, 0]) * scale), mean_residual, shift
    )
