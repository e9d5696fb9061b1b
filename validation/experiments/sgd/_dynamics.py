"""Stochastic gradient descent on models h(w)·x, trained on y = s·ε: the truth is 0.

The copy of the source that was read has lost its formulas; footnote 7 and the text around them fix
the rest. With x and ε standard normal, a batch of B enters a step only through A = mean x² and
C = mean xy: the gradient is (h·A − C)∇h, A is Gamma(B/2)/(B/2) and C given A is N(0, s²A/B). Both
are drawn exactly, so a batch of fresh data costs two random numbers, whatever its size.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Landscape:
    """A polynomial h of d parameters and its gradient, for parameters of shape ``(..., d)``."""

    name: str
    h: Callable
    gradient: Callable
    hessian: Callable  # of h, (..., d, d)


def batch(size, noise, shape, rng):
    """A and C of independent batches."""
    a = rng.gamma(size / 2, 2 / size, shape)
    return a, noise * np.sqrt(a / size) * rng.standard_normal(shape)


def step(landscape, w, rate, size, noise, rng, velocity=None, momentum=0.0):
    """One step of every trajectory ``(n, d)``; the new parameters and velocity."""
    a, c = batch(size, noise, w.shape[0], rng)
    pull = (landscape.h(w) * a - c)[:, None] * landscape.gradient(w)
    velocity = pull if velocity is None else momentum * velocity + pull
    return w - rate * velocity, velocity


def power(k):
    """H = w^k."""
    return Landscape(
        f"w^{k}",
        lambda w: w[..., 0] ** k,
        lambda w: k * w ** (k - 1),
        lambda w: (k * (k - 1) * w ** max(k - 2, 0))[..., None],
    )


def two_minima(at, k=2):
    """H = (w − at)·w^k: a non-degenerate minimum at ``at``, of curvature at^2k, and one at 0."""
    return Landscape(
        f"(w − {at:g})w{'²³'[k - 2]}",
        lambda w: (w[..., 0] - at) * w[..., 0] ** k,
        lambda w: w ** (k - 1) * ((k + 1) * w - k * at),
        lambda w: (w ** (k - 2) * k * ((k + 1) * w - (k - 1) * at))[..., None],
    )


def two_degenerate():
    """H = (w − 1)²w³: λ = 1/4 at 1, 1/6 at 0, a barrier at 3/5."""
    return Landscape(
        "(w − 1)²w³",
        lambda w: (w[..., 0] - 1) ** 2 * w[..., 0] ** 3,
        lambda w: w**2 * (w - 1) * (5 * w - 3),
        lambda w: (2 * w * (10 * w**2 - 12 * w + 3))[..., None],
    )


def line(a, b):
    """H = x^a (x² + y²)^b, whose zeros are the line x = 0; λ = 1/2a there, 1/(a + 2b) at 0."""

    def parts(w):
        x, y = w[..., 0], w[..., 1]
        return x, y, x**2 + y**2

    def h(w):
        x, _, r = parts(w)
        return x**a * r**b

    def gradient(w):
        x, y, r = parts(w)
        side = 2 * b * x**a * r ** (b - 1)
        return np.stack([a * x ** (a - 1) * r**b + side * x, side * y], axis=-1)

    def hessian(w):
        x, y, r = parts(w)
        first, second = 2 * b * r ** (b - 1), 4 * b * (b - 1) * r ** max(b - 2, 0)
        xx = a * (a - 1) * x ** max(a - 2, 0) * r**b
        xx = xx + (2 * a + 1) * first * x**a + second * x ** (a + 2)
        xy = a * first * x ** (a - 1) * y + second * x ** (a + 1) * y
        yy = first * x**a + second * x**a * y**2
        rows = [[xx, xy], [xy, yy]]
        return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)

    powers = {1: "", 2: "²", 3: "³"}
    return Landscape(f"x{powers[a]}(x² + y²){powers[b]}", h, gradient, hessian)


#: Quadratic across; λ = 1/2 on the line and 1/3 at the origin.
PLAIN_VALLEY = line(1, 1)


def by_chance(mass, count):
    """Total variation between a distribution and so many draws from it, on average."""
    mass = np.asarray(mass)
    return float(np.sqrt(mass * (1 - mass) / (2 * np.pi * count)).sum())


def along_line(landscape, n, noise, edges):
    """Mass of |y| in bins under exp(−n·h²/2s²) on the box |x|, |y| < 1."""
    x = ((np.arange(2000) + 0.5) / 2000) ** 2  # denser near the line
    y = (np.arange(600) + 0.5) / 600
    w = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1)
    density = np.exp(-n * landscape.h(w) ** 2 / (2 * noise**2)) * np.gradient(x)[:, None]
    mass = np.histogram(y, edges, weights=density.sum(axis=0))[0]
    return mass / mass.sum()
