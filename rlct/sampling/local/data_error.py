"""Scatter of λ̂ over data sets, from the losses of every sample on the draws of one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

from rlct.sampling.targets.target import Floats

__all__ = [
    "NO_DATA",
    "DataError",
    "chain_groups",
    "common_square",
    "covariance_traces",
    "data_error",
    "first_order",
]

GROUPS = 8  # of chains, at most
RESOLVED = 2.0  # errors of its square by which it stands out of the noise of the draws
UNLIKELY = 0.01  # chance by which a truth passes for a minimum found on its data


class DataError(NamedTuple):
    """Standard deviation of λ̂ over data sets.

    Parameters
    ----------
    value : float
    resolved : bool
        Whether it stands out of the noise of the draws.
    trained : bool or None
        Whether each data set has its own w₀, or all have the same; None if nothing is known.
    said : bool
        Whether the caller says so.
    above : float
        How far above the minimum on its data, in nβL, w₀ may lie without fault.
    """

    value: float
    resolved: bool = True
    trained: bool | None = None
    said: bool = False
    above: float = 0.0


NO_DATA = DataError(0.0)


def data_error(
    first_square: tuple[float, bool],
    traces: Floats,
    descent: float,
    trained: bool | None = None,
    retrained_square: Callable[[], tuple[float, bool] | None] = lambda: None,
    moved_square: Callable[[], tuple[float, bool]] | None = None,
) -> DataError:
    """Scatter of λ̂ over data sets, by the infinitesimal jackknife to second order.

    The weight of sample i moves λ̂ = nβ(E[L_n] − L_n(w₀)) by β(E[ℓ_i] − Cov(ℓ_i, nβL_n)), ℓ_i
    counted from w₀.  If w₀ is the same for all data sets, weights of two samples move it by about
    −β²Cov(ℓ_i, ℓ_j) besides: at the truth of a regular model λ̂ is d/2 − (β/2)χ²_d, whose variance
    the first order doubles on average, and misses where the minimum on these data is near.  A w₀
    trained on each data set takes this second order away; what is left is that of λ̂ near singular
    points, which the first order misses, too, and `rlct.sampling.local.retraining` knows.

    Parameters
    ----------
    first_square : (float, bool)
        Of :func:`first_order`.
    traces : array, shape (2,)
        Mean of :func:`covariance_traces` of βℓ; 0 where nothing is known.
    descent : float
        nβ times what L lies above its minimum at w₀.
    trained : bool, optional
        Whether w₀ was found on these data.  By default, whether ``descent`` is smaller than it is
        at all but a hundredth of truths, by the law of (β/2)χ² with as many degrees of freedom.
    retrained_square : callable, optional
        Variance from half to half of the data and whether it stands out, or None where it is not
        known.  If it does the larger one is taken, unless w₀ is said not to be trained.
    moved_square : callable, optional
        The first order with losses counted from the minimum next to w₀, where w₀ is nearly there:
        of trained weights, which are not off it by the same on all data sets.

    Examples
    --------
    One parameter, a truth at distance z of the minimum, in standard errors: (β/2)z² above it.

    >>> beta, z = 0.2, 0.5
    >>> traces = np.array([beta, beta**2])
    >>> found = data_error((beta**2 * z**2, True), traces, 0.5 * beta * z**2)
    >>> bool(np.isclose(found.value, beta / np.sqrt(2))), found.trained
    (True, False)
    >>> data_error((0.0, True), traces, 1e-6)[:3]
    (0.0, True, True)
    """
    error_square, is_resolved = first_square
    regular_mean, second = 0.5 * traces[0], 0.5 * max(traces[1], 0.0)
    seems_trained = trained
    if seems_trained is None and second > 0:
        degrees = 2.0 * regular_mean**2 / second
        seems_trained = bool(chi2.cdf(degrees * descent / regular_mean, degrees) < UNLIKELY)
    if not seems_trained:
        error_square = max(error_square - second, second)
    elif moved_square is not None:
        error_square, is_resolved = min((error_square, is_resolved), moved_square())
    # Weights said to be trained have no excuse; of a truth all is known that may be.
    allowed_above = 0.0 if trained else 2.0 * float(np.sqrt(max(error_square, 0.0)))
    if trained is False:
        allowed_above += float(regular_mean)
    own_square = None if trained is False else retrained_square()
    if own_square is not None and own_square[1]:
        # Where its noise hides it, as far from singular points, the first order knows all; and
        # training that ended early may pass for a truth.
        error_square, is_resolved = max(own_square, (error_square, is_resolved))
    value = float(np.sqrt(max(error_square, 0.0)))
    return DataError(value, is_resolved, seems_trained, trained is not None, allowed_above)


def first_order(
    beta: float,
    count: int,
    losses: Floats,
    energy: Floats,
    product: Floats,
    start: Floats | float = 0.0,
) -> tuple[float, bool]:
    """Sum of squared influences of samples, see :func:`common_square`.

    Parameters
    ----------
    beta : float
    count : int
        Of draws of each chain.
    losses, energy, product : array, shape (chains, n), (chains,), (chains, n)
        Sums over draws, of losses of samples, of nβL and of the product of both.
    start : array, shape (n,), optional
        Losses that are counted from: those at w₀ are 0.
    """
    influences = []
    for part in chain_groups(len(energy)):
        c = count * len(energy[part])
        mean = losses[part].sum(axis=0) / c
        covariance = product[part].sum(axis=0) / c - mean * energy[part].sum() / c
        influence = beta * (mean - start - covariance)
        influences.append(influence - influence.mean())
    return common_square(np.array(influences))


def chain_groups(chains: int) -> list[slice]:
    """Groups of chains whose estimates have noise of their own, two at least."""
    groups = min(GROUPS, chains // 2) if chains >= GROUPS else 2
    return [slice(start, None, groups) for start in range(groups)]


def common_square(parts: Floats) -> tuple[float, bool]:
    """Sum of squares of what groups of chains estimate, and whether it stands out of their noise.

    Each square is a product of estimates of two groups, averaged over all pairs: that of one
    estimate would count its Monte-Carlo noise as scatter of the data.

    Parameters
    ----------
    parts : array, shape (groups, items)

    Examples
    --------
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
    return square, square >= RESOLVED * noise


def covariance_traces(losses: Floats, before: Floats) -> Floats:
    """Of the covariance C of the losses of samples, Σ C_ii and Σ C_ij² for i ≠ j, from one draw.

    Differences of two chains have mean zero and covariance 2C whatever the mean is, and products
    with those of two others know squares of C without noise of their own.

    Parameters
    ----------
    losses : array, shape (chains, n)
    before : array, shape (chains, n)
        Of the draw looked at before, which with fewer than four chains takes the place of two
        others: the squares are too large then by as much as draws resemble those before.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = rng.normal(size=(400, 40, 3)) @ np.array([[1, 2, 0], [0, 1, 1], [0, 0, 1]]) + 7.0
    >>> found = np.mean([covariance_traces(chains, chains) for chains in draws], axis=0)
    >>> bool(np.allclose(found, [1 + 5 + 2, 2 * (2**2 + 1**2)], rtol=0.1))
    True
    """
    half = len(losses) // 2
    if not half:
        return np.zeros(2)
    apart = losses[:half] - losses[half : 2 * half]
    others = apart if half > 1 else before[:half] - before[half : 2 * half]
    pairs = (apart @ others.T) ** 2 - apart**2 @ (others**2).T
    if half > 1:
        np.fill_diagonal(pairs, 0.0)
    return np.array([0.5 * (apart**2).sum() / half, 0.25 * pairs.sum() / max(half * (half - 1), 1)])
