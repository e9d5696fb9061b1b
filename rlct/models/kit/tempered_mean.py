"""Exact means E[nβ(L − L(w*))] over exp(−nβL − γ|w − w*|²/2), which λ̂ at one nβ estimates.

A linear layer by a formula, also after finitely many Langevin steps; two linear layers by exact
draws of one given the other; monomials by quadrature.  All of them take any number of weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rlct.errors import InputError

Matrix = NDArray[np.float64]

LOG_STEP = 0.2  # of log L, at which sums over it are integrals to all digits
LOWEST_LOG, HIGHEST_LOG = -60.0, 4.0  # of log |w|, in units of γ^(−½)
MOST_DEPTH = 30.0  # of −log |w| where L is felt: the rest holds what lies below


class LangevinRun(NamedTuple):
    """Steps of size ε with exact slopes, from w*: burn-in, and draws of which the mean is taken."""

    step_size: float
    burnin: int
    draws: int


def regression_mean(
    curvatures: ArrayLike,
    n_beta: float,
    pull: float = 1.0,
    *,
    outputs: int = 1,
    run: LangevinRun | None = None,
) -> float:
    """½ Σ nβh/(nβh + γ) for each output; of a run what its draws give in the mean.

    With a = nβh + γ a step is w ← r(w + D) + D, r = 1 − εa/2, D of variance ε/4, and a draw is
    w + D: the variance of draw t is 1/a + (ε/4 − 1/a)·r^(2(t − 1)).

    >>> regression_mean(1.0, 99.0, outputs=200)
    99.0
    >>> round(regression_mean(1.0, 99.0, outputs=200, run=LangevinRun(1e-4, 100, 400)), 1)
    90.1
    """
    signal = n_beta * np.asarray(curvatures, dtype=np.float64)
    stiffness = signal + pull
    variance = 1.0 / stiffness
    if run is not None:
        kept = (1.0 - 0.5 * run.step_size * stiffness) ** 2
        gaps = kept**run.burnin * (1.0 - kept**run.draws) / (1.0 - kept)
        variance = variance + (0.25 * run.step_size - variance) * gaps / run.draws
    return float(0.5 * outputs * np.sum(signal * variance))


def layer_mean(
    second: Matrix,
    slopes: Matrix,
    n_beta: float,
    pull: float = 1.0,
    *,
    decay: float = 0.0,
    weights: Matrix | float = 0.0,
) -> float:
    """Of one linear layer with L = ½E|y − Wx|², S = E[xx'], with its slopes at w*, minimum or not.

    ``decay`` is the precision of a normal prior around 0, which needs the ``weights`` w*.

    >>> round(layer_mean(np.eye(2), np.zeros((3, 2)), 99.0), 12)  # as ½·6·99/100
    2.97
    """
    curvatures, axes = np.linalg.eigh(second)
    curvatures = np.maximum(curvatures, 0.0)
    stiffness = n_beta * curvatures + pull + decay
    shift = -(n_beta * slopes + decay * np.asarray(weights)) @ axes / stiffness
    spread = regression_mean(curvatures, n_beta, pull + decay, outputs=len(slopes))
    moved = 0.5 * np.sum(curvatures * shift**2) + np.sum((slopes @ axes) * shift)
    return float(spread + n_beta * moved)


def two_layer_mean(
    first: Matrix,
    second: Matrix,
    n_beta: float,
    pull: float = 1.0,
    *,
    moments: Matrix | None = None,
    target: Matrix | None = None,
    sweeps: int = 1500,
    chains: int = 6,
    seed: int = 0,
) -> tuple[float, float]:
    """Two linear layers BA at w*, L = ½E|(BA − T)x|²: the mean and its standard error.

    Each layer is normal given the other, and they are drawn in turn, for so many sweeps a chain
    after a fifth as many from w*; the error is the scatter of the chains.  ``moments`` are
    S = E[xx'], 1 if none are given, and ``target`` is T, BA if none is.

    >>> mean, error = two_layer_mean(np.zeros((1, 3)), np.zeros((2, 1)), 100.0, sweeps=400)
    >>> abs(mean - 0.913) < 0.05, error < 0.05  # of λ = 1
    (True, True)
    """
    spectrum, axes = np.ones(first.shape[1]), np.eye(1)
    target = second @ first if target is None else target
    if moments is not None:
        spectrum, axes = np.linalg.eigh(moments)
        spectrum = np.maximum(spectrum, 0.0)
        first, target = first @ axes, target @ axes  # inputs are uncorrelated on these axes
    roots = np.sqrt(spectrum)
    white = bool(np.all(spectrum == 1.0))
    seen = target * roots
    start = float(np.sum((second @ (first * roots) - seen) ** 2))
    rng = np.random.default_rng(seed)
    means = []
    for _ in range(chains):
        a, total = first, 0.0
        for sweep in range(-(sweeps // 5), sweeps):
            b = _redraw(a * roots, seen, second, n_beta, pull, rng)
            if white:
                a = _redraw(b.T, seen.T, first.T, n_beta, pull, rng).T
            else:  # on the axes of B'B and of the inputs all entries of A are independent
                eigenvalues, turns = np.linalg.eigh(b.T @ b)
                stiffness = n_beta * np.outer(np.maximum(eigenvalues, 0.0), spectrum) + pull
                right = turns.T @ (n_beta * (b.T @ target) * spectrum + pull * first)
                noise = turns.T @ rng.normal(size=a.shape) @ axes  # whatever the signs of axes
                a = turns @ (right / stiffness + noise / np.sqrt(stiffness))
            if sweep >= 0:
                total += float(np.sum((b @ (a * roots) - seen) ** 2)) - start
        means.append(0.5 * n_beta * total / sweeps)
    return float(np.mean(means)), float(np.std(means, ddof=1) / np.sqrt(chains))


def _redraw(
    seen: Matrix,
    target: Matrix,
    centre: Matrix,
    n_beta: float,
    pull: float,
    rng: np.random.Generator,
) -> Matrix:
    """Draw X from exp(−½nβ|XY − T|² − ½γ|X − X*|²): rows have the precision nβYY' + γ."""
    from scipy.linalg import solve_triangular

    precision = n_beta * seen @ seen.T
    precision.flat[:: len(seen) + 1] += pull
    try:
        root = np.linalg.cholesky(precision)
    except np.linalg.LinAlgError:
        raise InputError(f"rounding hides γ = {pull:g} beside nβ = {n_beta:g}") from None
    right = (n_beta * target @ seen.T + pull * centre).T
    solve = partial(solve_triangular, root, lower=True, check_finite=False)
    white = solve(right) + rng.standard_normal(right.shape)
    return np.asarray(solve(white, trans="T").T)


def monomial_mean(
    exponents: Sequence[int], n_beta: float, pull: float = 1.0, *, factor: float = 1.0
) -> float:
    """Of L = c·Π |w_i|^{p_i} at w* = 0; the means of sums of these in other weights add up.

    log L is a sum of independent p_i·log|w_i|, so that its density over exp(−γ|w|²/2) is a
    convolution; sums at equal steps are such integrals to all digits.

    >>> round(monomial_mean([2], 99.0, factor=0.5), 12)  # as ½·99/100
    0.495
    >>> [round(monomial_mean([2, 2], n_beta), 3) for n_beta in (1e4, 1e12)]  # λ = ½, θ = 2
    [0.412, 0.466]
    """
    logs, density = np.zeros(1), np.ones(1)
    for power in exponents:
        steps = np.arange(np.floor(power * LOWEST_LOG / LOG_STEP), power * HIGHEST_LOG / LOG_STEP)
        size = steps * LOG_STEP / power  # log |w|·√γ
        density = np.convolve(density, np.exp(size - 0.5 * np.exp(2 * size)))
        logs = (logs[0] + steps[0]) + np.arange(len(density))
    level = np.log(n_beta * factor) - 0.5 * sum(exponents) * np.log(pull)
    if level > MOST_DEPTH * max(exponents):
        raise InputError(f"nβ = {n_beta:g} is too large: weights become less than 10⁻¹³")
    energy = np.exp(level + logs * LOG_STEP)
    weights = density * np.exp(-energy)
    return float(np.sum(energy * weights) / np.sum(weights))
