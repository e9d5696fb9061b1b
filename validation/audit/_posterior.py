"""Small posteriors in which the statistics of singular models can be computed, not estimated."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

__all__ = ["Limit", "finite_sample", "limit", "mean_nk_square", "power_posterior"]


@dataclass(frozen=True)
class Limit:
    """Limits as n → ∞ in the model N(w^m, 1), m even, at the truth 0, where λ = 1/(2m).

    Bayes generalisation and training errors and Gibbs errors, all times n; V; the expectations
    over data; and the largest deviation of n(Bg + Bt) + V from 2λ/β over the data.
    """

    bayes_generalisation: float
    bayes_training: float
    gibbs_generalisation: float
    gibbs_training: float
    variance: float
    state_residual: float


def power_posterior(power: int, beta: float, z: Any) -> tuple[Any, Any]:
    """First two moments of t = w^power under exp(−β(t²/2 − z t)) dw, for an array of z.

    With √n w^power = t and √n·(mean of the data) = z, this is the posterior at every n. The
    integrand is even and smooth, so the trapezoidal rule converges faster than any power.
    """
    w = np.linspace(-1, 1, 8001) * (2 * (8 + 6 / np.sqrt(beta))) ** (1 / power)
    t = w**power
    exponent = -beta * (t**2 / 2 - np.multiply.outer(np.asarray(z), t))
    weight = np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    total = weight.sum(axis=-1)
    return (weight @ t) / total, (weight @ t**2) / total


@cache
def limit(power: int, beta: float) -> Limit:
    """Compute the limits by quadrature over w and over the data's z ~ N(0, 1)."""
    z = np.linspace(-8.5, 8.5, 341)
    density = np.exp(-(z**2) / 2)
    density /= density.sum()
    first, second = power_posterior(power, beta, z)
    variance = second - first**2
    bayes_g = first**2 / 2
    bayes_t = first**2 / 2 - z * first
    state = 2 * bayes_g - z * first + variance - 1 / (power * beta)
    return Limit(
        bayes_generalisation=float(density @ bayes_g),
        bayes_training=float(density @ bayes_t),
        gibbs_generalisation=float(density @ second) / 2,
        gibbs_training=float(density @ (second / 2 - z * first)),
        variance=float(density @ variance),
        state_residual=float(np.abs(state).max()),
    )


@dataclass(frozen=True)
class _Sample:
    """Posterior statistics at finite n, of log p: cumulants, WAIC, CvL and the training losses."""

    Y: tuple[float, float, float]
    waic: float
    cvl: float
    bayes_training: float
    gibbs_training: float
    V: float
    n: int


def finite_sample(n: int, beta: float, values: Sequence[float], weights: Sequence[float]) -> Any:
    """Compute WAIC, CvL and cumulants for N(w², 1) with data of exactly these proportions.

    The cumulants Y_k are those of log p(X_i|w), averaged over i. Flat prior.
    """
    x = np.asarray(values, float)
    q = np.asarray(weights, float)
    w = np.linspace(-1, 1, 20001) * (4 * (8 + 6 / np.sqrt(beta)) ** 2 / n) ** 0.25
    t = w**2
    # log p up to its constant, which the expansions carry along: kept, so that signs show.
    log_p = -((x[:, None] - t) ** 2) / 2 - np.log(2 * np.pi) / 2
    log_post = beta * n * (q @ log_p)
    post = np.exp(log_post - log_post.max())
    post /= post.sum()
    mean = log_p @ post
    centred = log_p - mean[:, None]
    kappa2 = (centred**2) @ post
    kappa3 = (centred**3) @ post

    def average(alpha: float) -> float:  # mean over data of log E_w p^α, around the mean
        return float(q @ (alpha * mean + np.log(np.exp(alpha * centred) @ post)))

    training = -average(1.0)
    V = n * float(q @ kappa2)
    return _Sample(
        Y=(float(q @ mean), float(q @ kappa2), float(q @ kappa3)),
        waic=training + beta * V / n,
        cvl=average(-beta) - average(1 - beta),
        bayes_training=training,
        gibbs_training=-float(q @ mean),
        V=V,
        n=n,
    )


@cache
def mean_nk_square(n_beta: float) -> float:
    """Mean of nβK under exp(−nβK) for K = x²y² on [0, 1]².

    With u = xy the measure is log(1/u) du.
    """
    from mpmath import mp, mpf

    with mp.workdps(30):
        a = mpf(n_beta)
        scale = 1 / mp.sqrt(a)
        points = [0, scale / 100, scale, 4 * scale, 12 * scale, 1]
        points = [p for p in points if p <= 1]

        def weigh(u: Any) -> Any:
            return mp.e ** (-a * u * u) * mp.log(1 / u)

        top = mp.quad(lambda u: a * u * u * weigh(u), points)
        return float(top / mp.quad(weigh, points))
