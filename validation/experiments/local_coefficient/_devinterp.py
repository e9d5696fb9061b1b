"""The tests that devinterp has for its SGLD estimator, with their settings, on many data sets.

All 1000 data enter every step, so that their second moments are all that is needed. The loss is the
mean square of all outputs, nβ = n / log n, without burn-in; chains start where training ends.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Weights = list[Floats]
Loss = Callable[[Weights], tuple[Floats, Weights]]  # values, gradients

SAMPLE_COUNT = 1000
N_BETA = SAMPLE_COUNT / np.log(SAMPLE_COUNT)


def estimates(
    loss: Loss, start: Weights, *, lr: float, pull: float, draws: int, rng: np.random.Generator
) -> Floats:
    """λ̂ of each chain; the leading axes of the weights are data sets and chains."""
    w, total = [weight.copy() for weight in start], 0.0
    before, _ = loss(w)
    with np.errstate(over="ignore", invalid="ignore"):  # a chain that leaves has no estimate
        for _ in range(draws):
            value, slopes = loss(w)
            total = total + value
            for weight, slope, centre in zip(w, slopes, start, strict=True):
                weight -= lr / 2 * (N_BETA * slope + pull * (weight - centre))
                weight += np.sqrt(lr) * rng.standard_normal(weight.shape)
        return np.asarray(N_BETA * (total / draws - before))


def monomial(xx: Floats, xy: Floats, powers: Sequence[int]) -> Loss:
    """Mean square of w₁^a w₂^b x − y, less that of y."""
    a, b = powers

    def loss(w: Weights) -> tuple[Floats, Weights]:
        u, v = w
        product = u**a * v**b
        slope = 2 * (xx * product - xy)
        inner = (a * u ** max(a - 1, 0) * v**b, b * u**a * v ** max(b - 1, 0))
        return product * (xx * product - 2 * xy), [slope * one for one in inner]

    return loss


def matrices(xx: Floats, yx: Floats) -> Loss:
    """Mean square of BAx − y, less that of y."""
    outputs = yx.shape[-2]

    def loss(w: Weights) -> tuple[Floats, Weights]:
        inner, outer = w
        product = outer @ inner
        half = product @ xx
        slope = 2 / outputs * (half - yx)
        value = (product * (half - 2 * yx)).sum(axis=(-1, -2)) / outputs
        return value, [outer.swapaxes(-1, -2) @ slope, slope @ inner.swapaxes(-1, -2)]

    return loss


def crossing(powers: Sequence[int], sets: int, rng: np.random.Generator) -> Floats:
    """λ̂ of y = w₁^a w₂^b x at w = 0, shape ``(sets, chains)``; y is noise of deviation 1/4."""
    x, y = (
        2 * rng.standard_normal((sets, SAMPLE_COUNT)),
        rng.standard_normal((sets, SAMPLE_COUNT)) / 4,
    )
    xx, xy = ((one * x).mean(axis=1)[:, None] for one in (x, y))
    start = [np.zeros((sets, 10)), np.zeros((sets, 10))]
    return estimates(monomial(xx, xy, powers), start, lr=4e-4, pull=0.0, draws=5000, rng=rng)


def reduced_rank(widths: Sequence[int], sets: int, rng: np.random.Generator) -> Floats:
    """λ̂ of a linear network trained on noise, shape ``(sets, chains)``."""
    m, h, n = widths
    x, y = (rng.standard_normal((sets, SAMPLE_COUNT, width)) for width in (m, n))
    xx, yx = (matrix.transpose(0, 2, 1) @ x / SAMPLE_COUNT for matrix in (x, y))
    loss = matrices(xx[:, None], yx[:, None])
    w = [
        rng.uniform(-1, 1, (sets, 1, h, m)) / np.sqrt(m),
        rng.uniform(-1, 1, (sets, 1, n, h)) / np.sqrt(h),
    ]
    mean, square = [np.zeros_like(matrix) for matrix in w], [np.zeros_like(matrix) for matrix in w]
    for step in range(1, 5001):  # Adam
        _, slopes = loss(w)
        for k, slope in enumerate(slopes):
            mean[k] += 0.1 * (slope - mean[k])
            square[k] += 0.001 * (slope**2 - square[k])
            root = np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8
            w[k] -= 0.01 * mean[k] / (1 - 0.9**step) / root
    start = [np.repeat(matrix, 3, axis=1) for matrix in w]
    return estimates(loss, start, lr=6e-4, pull=1.0, draws=2000, rng=rng)
