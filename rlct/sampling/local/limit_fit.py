"""λ from tempered means at a few nβ: what each of them lacks, averaged over the laws it may follow.

The poles of ζ give λ̂ = λ − (θ − 1)/(log nβ + c) − λ Σ a·nβ^{−δ}.  A direction of curvature h that
γ confines lacks ½γ/(nβh + γ), δ = 1; one of a loss of degree k what goes as γ·nβ^{−2/k}: δ = 1/2 of
two layers, 1/3 of three.  Of H layers at 0 the mean depends on nβ·γ^{−H} alone.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import chi2

from rlct.sampling.targets.target import Floats

LEVEL_POWERS = (1.0, 1 / 2, 1 / 3)  # δ: of squares, and of products of two and three layers
LOG_ORDERS = (2, 3)  # θ with a logarithm
ORDER_ODDS = 0.5  # of each θ beside the one before, as in fits of ladders
FIRST_SHARES = (0.0, *np.geomspace(0.003, 1.0, 40))  # a·nβ^{−δ} at the first nβ
LOG_SCALES = np.geomspace(1.0, 12.0, 40)  # log nβ + c: 2.8 to 9 at nβ = 263 in linear networks
UNFIT_CHANCE = 1e-3  # chance of a χ² that none of the laws explains


class LimitFit(NamedTuple):
    """λ as nβ grows."""

    #: Mean and standard deviation over laws, their constants and the noise of the means.
    lam: float
    error: float
    #: Whether one of the laws explains the means: they rise with nβ, but where noise of the data
    #: shows.
    fits: bool


def fit_limit(n_betas: Floats, tempered_means: Floats, mean_errors: Floats) -> LimitFit:
    """Fit λ to tempered means at one γ.

    All have the shape (levels,): nβ, λ̂ and its standard error.

    >>> n_betas = 250.0 * np.array([1.0, 4.0, 16.0])
    >>> found = fit_limit(n_betas, 2.0 - 1.0 / (np.log(n_betas) - 1.2), np.full(3, 0.02))  # θ = 2
    >>> abs(found.lam - 2.0) < found.error < 0.1
    True
    >>> fit_limit(n_betas, 2.0 - n_betas / 4000, np.full(3, 0.02)).fits
    False
    """
    log_levels = np.log(n_betas) - np.log(n_betas[0])
    first_shares, mean_weights = np.array(FIRST_SHARES)[:, None], 1.0 / np.asarray(mean_errors) ** 2
    order_odds = ORDER_ODDS ** np.arange(1 + len(LOG_ORDERS))
    # Rows of laws: λ̂ = law_slope·λ − law_lack, and the odds of each.
    power_slopes = [1.0 - first_shares * np.exp(-delta * log_levels) for delta in LEVEL_POWERS]
    log_lacks = [(theta - 1) / (LOG_SCALES[:, None] + log_levels) for theta in LOG_ORDERS]
    law_rows = [(row, 0.0 * row, order_odds[0] / len(LEVEL_POWERS)) for row in power_slopes]
    law_rows += [
        (0.0 * row + 1.0, row, chance)
        for row, chance in zip(log_lacks, order_odds[1:], strict=True)
    ]
    law_slope, law_lack = (np.concatenate([part[k] for part in law_rows]) for k in (0, 1))
    law_odds = np.concatenate([np.full(len(part[0]), part[2] / len(part[0])) for part in law_rows])
    precisions = (law_slope**2) @ mean_weights
    lam = (law_slope * (tempered_means + law_lack)) @ mean_weights / precisions
    residuals = tempered_means + law_lack - law_slope * lam[:, None]
    chi_squares = residuals**2 @ mean_weights
    law_chances = law_odds * np.exp(-0.5 * (chi_squares - chi_squares.min())) / np.sqrt(precisions)
    law_chances /= law_chances.sum()
    mean_lam = float(law_chances @ lam)
    lam_variance = float(law_chances @ (1.0 / precisions + (lam - mean_lam) ** 2))
    most_chi = float(chi2.isf(UNFIT_CHANCE, max(len(log_levels) - 1, 1)))
    return LimitFit(mean_lam, lam_variance**0.5, bool(chi_squares.min() < most_chi))
