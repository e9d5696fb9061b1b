"""λ from tempered means at a few nβ: what each of them lacks, averaged over the laws it may follow.

The poles of ζ give λ̂ = λ − (θ − 1)/(log nβ + c) − λ Σ a·nβ^{−δ}.  A direction of curvature h that
γ confines lacks ½γ/(nβh + γ), δ = 1; one of a loss of degree k what goes as γ·nβ^{−2/k}: δ = 1/2 of
two layers, 1/3 of three.  Of H layers at 0 the mean depends on nβ·γ^{−H} alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

from rlct.sampling.targets.target import Floats

__all__ = ["LimitFit", "fit_limit"]

POWERS = (1.0, 1 / 2, 1 / 3)  # δ: of squares, and of products of two and three layers
ORDERS = (2, 3)  # θ with a logarithm
ORDER_ODDS = 0.5  # of each θ beside the one before, as in fits of ladders
SHARES = (0.0, *np.geomspace(0.003, 1.0, 40))  # a·nβ^{−δ} at the first nβ
PLACES = np.geomspace(1.0, 12.0, 40)  # log nβ + c there: 2.8 to 9 at nβ = 263 in linear networks
UNFIT = 1e-3  # chance of a χ² that none of the laws explains


class LimitFit(NamedTuple):
    """λ as nβ grows.

    Parameters
    ----------
    lam, error : float
        Mean and standard deviation over laws, their constants and the noise of the means.
    fits : bool
        Whether one of the laws explains the means: they rise with nβ, but where noise of the data
        shows.
    """

    lam: float
    error: float
    fits: bool


def fit_limit(n_betas: Floats, means: Floats, errors: Floats) -> LimitFit:
    """Fit λ to tempered means at one γ.

    Parameters
    ----------
    n_betas, means, errors : array, shape (levels,)
        nβ, λ̂ and its standard error.

    Examples
    --------
    >>> n_betas = 250.0 * np.array([1.0, 4.0, 16.0])
    >>> found = fit_limit(n_betas, 2.0 - 1.0 / (np.log(n_betas) - 1.2), np.full(3, 0.02))  # θ = 2
    >>> abs(found.lam - 2.0) < found.error < 0.1
    True
    >>> fit_limit(n_betas, 2.0 - n_betas / 4000, np.full(3, 0.02)).fits
    False
    """
    lengths = np.log(n_betas) - np.log(n_betas[0])
    shares, weights = np.array(SHARES)[:, None], 1.0 / np.asarray(errors) ** 2
    odds = ORDER_ODDS ** np.arange(1 + len(ORDERS))
    # Rows of laws: λ̂ = slope·λ − lack, and the log prior of each.
    slopes = [1.0 - shares * np.exp(-delta * lengths) for delta in POWERS]
    lacks = [(theta - 1) / (PLACES[:, None] + lengths) for theta in ORDERS]
    parts = [(row, 0.0 * row, odds[0] / len(POWERS)) for row in slopes]
    parts += [(0.0 * row + 1.0, row, chance) for row, chance in zip(lacks, odds[1:], strict=True)]
    slope, lack = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    prior = np.concatenate([np.full(len(part[0]), part[2] / len(part[0])) for part in parts])
    precision = (slope**2) @ weights
    lam = (slope * (means + lack)) @ weights / precision
    residuals = means + lack - slope * lam[:, None]
    chi_squares = residuals**2 @ weights
    evidence = prior * np.exp(-0.5 * (chi_squares - chi_squares.min())) / np.sqrt(precision)
    evidence /= evidence.sum()
    value = float(evidence @ lam)
    spread = float(evidence @ (1.0 / precision + (lam - value) ** 2))
    limit = float(chi2.isf(UNFIT, max(len(lengths) - 1, 1)))
    return LimitFit(value, spread**0.5, bool(chi_squares.min() < limit))
