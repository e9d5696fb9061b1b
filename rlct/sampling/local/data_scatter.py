"""Scatter of λ̂ over data sets of which each has trained weights of its own."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from rlct.errors import InputError
from rlct.sampling.arrays import value_and_gradient
from rlct.sampling.local.length import SECONDS_WORK
from rlct.sampling.local.sample_losses import SampleLosses
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import precise_target
from rlct.sampling.targets.effort import data_work
from rlct.sampling.targets.target import DataTarget, Floats

MOST_GROUPS = 8  # of chains, at most
RESOLVED_ERRORS = 2.0  # of its square, by which a scatter stands out of the noise of the draws
DATA_HALVES = 32  # of the data, each beside the other half
DESCENT_STEPS = 50  # of a descent on one of them
START_OFFSET = 0.1  # of the width of chains where the loss is like w²/2: w* may be a saddle
BORNE_VARIANCE = 1.0  # variance of log-weights of draws that reweighting bears
LEAST_WEIGHT = 0.03  # ε: with less of the scatter it sees what the first order does, and noise


def data_scatter(posterior: TemperedPosterior, losses: SampleLosses, seed: int = 0) -> float:
    """Standard deviation of λ̂ over data sets, from the losses of samples on draws of one of them.

    The weight of sample i moves λ̂ = nβ(E[L] − L(w*)) by β(E[ℓ_i] − ℓ_i(w*) − Cov(ℓ_i, nβL)): the
    infinitesimal jackknife, to first order.  Near a singular point λ̂ is no linear function of
    the data: of a·b·x it is one of |z|, z the error of ab in standard errors, whose slope at 0 is
    none.  There halves of the data say more, where their descents take seconds.

    The posterior has one rung; the seed is of the halves.  InputError for a single sample.
    """
    target = posterior.target
    assert isinstance(target, DataTarget)
    if target.samples < 2:
        raise InputError("errors='data': a single sample does not show how data sets scatter")
    descent_work = DESCENT_STEPS * data_work(target)
    minimum: Floats = np.zeros(target.dimension)
    start: Floats | float = 0.0
    if (
        descent_work <= SECONDS_WORK
    ):  # counted from the minimum of these data, which w* is but for rounding
        minimum = _lowest(posterior, [(losses.n_beta, target)], minimum)[1]
        precise, on = precise_target(posterior)
        start = on.numpy(precise.pointwise(on.asarray(minimum[None])))[0][losses.rows].astype(float)
    square = first_order_square(losses, start)
    whole = len(losses.rows) == target.samples
    if whole and DATA_HALVES * descent_work <= SECONDS_WORK:
        own_square, is_resolved = halves_square(posterior, losses, seed)
        if is_resolved:
            square = max(square, own_square)
    return float(np.sqrt(max(square, 0.0)))


def first_order_square(losses: SampleLosses, start: Floats | float = 0.0) -> float:
    """Sum of squared influences of all samples on λ̂, without the noise of the draws.

    Losses are counted from ``start``, shape (samples,): those at w* are 0.
    """
    beta, influences = losses.n_beta / losses.samples_total, []
    levels = losses.n_beta * losses.mean_loss()
    for part in _chain_groups(len(levels)):
        own = losses.losses[part].astype(float).reshape(-1, losses.losses.shape[2])
        level = levels[part].reshape(-1)
        covariance = (level - level.mean()) @ own / len(own)
        influence = beta * (own.mean(axis=0) - start - covariance)
        influences.append(influence - influence.mean())
    square, _ = common_square(np.array(influences))
    return float(square * losses.samples_total / losses.losses.shape[2])


def halves_square(
    posterior: TemperedPosterior, losses: SampleLosses, seed: int = 0
) -> tuple[float, bool]:
    """Variance of λ̂ from half to half of the data, and whether it stands out of the noise.

    The loss on a half scatters about that on all data as this does about its expectation.  So λ̂
    of a data set with trained weights w* scatters as it does from half to half: draws are
    reweighted by exp(−nβ(L_half − L)), and w* moves to the minimum of nβL_half + γ|w − w*|²/2,
    which keeps it from where training would not come.

    Where so much of the loss is at stake that few draws would weigh all, L_half is replaced by
    L + ε(L_half − L), and what λ̂ moves by is divided by ε; ε → 0 is the first order, which is
    left to say what small ε could.
    """
    rng, n = np.random.default_rng([seed, 2]), losses.samples_total
    half = np.ones((DATA_HALVES // 2, n))
    half[:, : n // 2] = -1.0
    half = rng.permuted(half, axis=1)
    signs = np.concatenate([half, -half])
    loss_changes = losses.n_beta / n * (losses.losses.astype(float) @ signs.T)
    variance = float(loss_changes.var(axis=(0, 1)).mean())
    half_weight = min(1.0, float(np.sqrt(BORNE_VARIANCE / max(variance, BORNE_VARIANCE))))
    if half_weight < LEAST_WEIGHT:
        return 0.0, False
    lowest = _half_minima(posterior, signs, half_weight, rng)
    energies, parts = losses.n_beta * losses.mean_loss(), []
    for part in _chain_groups(len(energies)):
        change = half_weight * loss_changes[part].reshape(-1, DATA_HALVES)
        weights = np.exp(change.min(axis=0) - change)
        levels = energies[part].reshape(-1, 1) + change
        moved = (weights * levels).sum(axis=0) / weights.sum(axis=0)
        parts.append((moved - lowest) / half_weight)
    # About their mean: what all halves have in common all data sets have, too.
    apart = np.array(parts) - np.mean(parts, axis=1, keepdims=True)
    square, is_resolved = common_square(apart / np.sqrt(DATA_HALVES - 1))
    return (square, is_resolved) if np.isfinite(square) else (0.0, False)


def common_square(parts: Floats) -> tuple[float, bool]:
    """Sum of squares of what groups of chains estimate, and whether it stands out of their noise.

    Each square is a product of estimates of two groups, averaged over all pairs: that of one
    estimate would count its Monte-Carlo noise as scatter of the data.  The parts have the shape
    (groups, items).

    >>> rng = np.random.default_rng(0)
    >>> square, resolved = common_square(1.0 + rng.normal(size=(8, 1000)))
    >>> abs(square - 1000) < 50, resolved
    (True, True)
    """
    groups = len(parts)
    products = parts @ parts.T
    np.fill_diagonal(products, 0.0)
    square = float(products.sum() / (groups * (groups - 1)))
    noise = 0.0
    if groups > 2:
        without = products.sum() - 2.0 * products.sum(axis=0)
        without /= (groups - 1) * (groups - 2)
        noise = float(np.sqrt((groups - 1) ** 2 / groups * without.var(ddof=1)))
    return square, square >= RESOLVED_ERRORS * noise


def _chain_groups(chains: int) -> list[slice]:
    """Groups of chains whose estimates have noise of their own, two at least."""
    groups = min(MOST_GROUPS, chains // 2) if chains >= MOST_GROUPS else 2
    return [slice(start, None, groups) for start in range(groups)]


def _half_minima(
    posterior: TemperedPosterior, signs: Floats, half_weight: float, rng: np.random.Generator
) -> Floats:
    """Minima of nβ(L + ε(L_half − L)), as near to w* as γ has them."""
    target, _ = precise_target(posterior)
    n_beta, n = float(posterior.n_beta[0]), target.samples
    start = START_OFFSET / np.sqrt(n_beta) * rng.normal(size=target.dimension)
    half_minima = []
    for row in signs:
        rows = np.flatnonzero(row > 0)
        half = (2 * half_weight * n_beta * len(rows) / n, target.part(rows))
        whole = [((1 - half_weight) * n_beta, target)] if half_weight < 1 else []
        half_minima.append(_lowest(posterior, [half, *whole], start)[0])
    return np.array(half_minima)


def _lowest(
    posterior: TemperedPosterior, weighted_losses: Sequence[tuple[float, DataTarget]], start: Floats
) -> tuple[float, Floats]:
    """Minimum of a sum of losses as near to w* as the pull has it, and where."""
    precise, on = precise_target(posterior)
    confining_pull = posterior.localization or 1.0
    parts = [
        (weight, precise if part is posterior.target else part) for weight, part in weighted_losses
    ]

    def both(w: Floats) -> tuple[float, Floats]:
        value, slope, rows = (
            0.5 * confining_pull * float(w @ w),
            confining_pull * w,
            on.asarray(w[None]),
        )
        for weight, part in parts:
            v, g = (on.numpy(found)[0] for found in value_and_gradient(part, rows))
            value, slope = value + weight * float(v), slope + weight * g.astype(float)
        return value, slope

    with np.errstate(over="ignore", invalid="ignore"):  # a step may go too far
        options = {"maxiter": DESCENT_STEPS, "ftol": 1e-15, "gtol": 1e-12}
        w = minimize(both, start, jac=True, method="L-BFGS-B", options=options).x
        return both(w)[0] - 0.5 * confining_pull * float(w @ w), w
