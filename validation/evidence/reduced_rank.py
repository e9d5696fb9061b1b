"""Reduced-rank regression y = BAx + N(0, I): exact Gibbs draws, maximum likelihood, evidence.

A is h×M and B is N×h, with independent N(0, s²) priors on their entries.  Given one of them the
other is Gaussian, at every inverse temperature.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

import rlct

LOG_TWO_PI = np.log(2.0 * np.pi)


@dataclass(frozen=True)
class Data:
    """Inputs ``(n, M)``, outputs ``(n, N)``, and the true map ``(N, M)`` if it was kept."""

    x: np.ndarray
    y: np.ndarray
    truth: np.ndarray | None = None

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.x)


def simulate(n: int, inputs: int, outputs: int, singular_values, rng) -> Data:
    """Standard normal inputs, and a true map with these singular values, at random places."""
    rank = len(singular_values)
    left = np.linalg.qr(rng.standard_normal((outputs, outputs)))[0][:, :rank]
    right = np.linalg.qr(rng.standard_normal((inputs, inputs)))[0][:, :rank]
    x = rng.standard_normal((n, inputs))
    product = left * np.asarray(singular_values, dtype=float) @ right.T
    return Data(x, x @ product.T + rng.standard_normal((n, outputs)), product)


def maximum(data: Data, hidden: int) -> float:
    """Largest log-likelihood: the best approximation of rank ``hidden`` to least squares.

    With C the least-squares map, RSS of a map D is RSS(C) + |X(C − D)ᵀ|², so the best D keeps the
    largest singular values of X Cᵀ.
    """
    fitted = data.x @ np.linalg.lstsq(data.x, data.y, rcond=None)[0]
    values = np.linalg.svd(fitted, compute_uv=False)
    rss = ((data.y - fitted) ** 2).sum() + (values[hidden:] ** 2).sum()
    return float(-0.5 * rss - 0.5 * data.y.size * LOG_TWO_PI)


def coefficients(inputs: int, outputs: int, largest: int):
    """Rows for :func:`rlct.sbic`: model h at truths of rank 0, …, h."""
    rows = [[(0, 1)]]
    for h in range(1, largest + 1):
        rows.append([rlct.linear([inputs, h, outputs], rank=r).pair for r in range(h + 1)])
    return rows


def gibbs(data: Data, hidden: int, beta: float, chains: int, draws: int, rng, *, warmup=200, s=1.0):
    """Products BA at draws of the tempered posterior, ``(chains, draws, N, M)``."""
    inputs, outputs = data.x.shape[1], data.y.shape[1]
    if hidden == 0:
        return np.zeros((chains, draws, outputs, inputs))
    xx, yx = data.x.T @ data.x, data.y.T @ data.x
    t, v = np.linalg.eigh(xx)
    a = s * rng.standard_normal((chains, hidden, inputs))
    kept = np.empty((chains, draws, outputs, inputs))
    for step in range(warmup + draws):
        # B given A: rows are independent, of precision β A X'X A' + I/s².
        precision = beta * a @ xx @ a.transpose(0, 2, 1) + np.eye(hidden) / s**2
        b = _gaussian(precision, beta * a @ yx.T, rng).transpose(0, 2, 1)
        # A given B: precision β B'B ⊗ X'X + I/s², diagonal in the two eigenbases.
        p, q = np.linalg.eigh(b.transpose(0, 2, 1) @ b)
        diagonal = beta * np.maximum(p, 0.0)[:, :, None] * t + 1.0 / s**2
        pull = beta * q.transpose(0, 2, 1) @ (b.transpose(0, 2, 1) @ yx) @ v
        noise = rng.standard_normal(diagonal.shape) / np.sqrt(diagonal)
        a = q @ (pull / diagonal + noise) @ v.T
        if step >= warmup:
            kept[:, step - warmup] = b @ a
    return kept


def _gaussian(precision, pull, rng):
    """Draws of N(P⁻¹ pull, P⁻¹), column by column."""
    factor = np.linalg.cholesky(precision)
    upper = factor.transpose(0, 2, 1)
    mean = np.linalg.solve(upper, np.linalg.solve(factor, pull))
    return mean + np.linalg.solve(upper, rng.standard_normal(pull.shape))


def bayes_error(difference, test: int, rng) -> float:
    """E of −log E_w p/q over fresh data; ``difference`` ``(draws, N, M)`` is BA less the truth.

    Over test points, with the log-likelihood ratio itself as control variate, whose expectation
    ½|BA − truth|² is known.
    """
    count, outputs, inputs = difference.shape
    x, noise = rng.standard_normal((test, inputs)), rng.standard_normal((test, outputs))
    moved = x @ difference.transpose(0, 2, 1)  # (draws, test, N)
    ratio = (moved**2).sum(axis=2) / 2 - (moved * noise).sum(axis=2)
    told = np.log(count) - logsumexp(-ratio, axis=0)
    expected = (difference**2).sum(axis=(1, 2)).mean() / 2
    return float(expected + (told - ratio.mean(axis=0)).mean())


def log_likelihood(data: Data, products):
    """Log p(y_i|x_i) for every product ``(chains, draws, N, M)``: ``(chains, draws, n)``."""
    residual = data.y - np.einsum("ni,cdoi->cdno", data.x, products)
    return -0.5 * (residual**2).sum(axis=-1) - 0.5 * data.y.shape[1] * LOG_TWO_PI


def total_log_likelihood(data: Data, products):
    """Sum of the above over the data, ``(chains, draws, 1)``, from second moments alone."""
    xx, yx = data.x.T @ data.x, data.y.T @ data.x
    square = np.einsum("cdoi,ij,cdoj->cd", products, xx, products)
    cross = np.einsum("cdoi,oi->cd", products, yx)
    rss = (data.y**2).sum() - 2.0 * cross + square
    return (-0.5 * rss - 0.5 * data.y.size * LOG_TWO_PI)[..., None]
