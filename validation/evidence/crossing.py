"""Tempered means of normal crossings, by hand."""

from typing import Any

import numpy as np
from scipy.special import digamma, gamma, gammainc


def tempered_mean(lam: float, second_power: int, steep: float, theta: int = 1) -> float:
    """E[nβK] of K = x^2a y^2b, uniform on |x|, |y| ≤ r, with λ = 1/2b and a ≤ b.

    Volumes are fractions of the whole, and K of its largest value r^(2a+2b): K = t has density
    t^(λ−1) − t^(μ−1) with μ = 1/2a; t^(λ−1) if a = 0; log(1/t) t^(λ−1) if a = b, where θ = 2, and
    terms that are exponentially small are left out.  ``second_power`` is a, and ``steep`` is
    nβ r^(2a+2b).

    Examples
    --------
    >>> round(tempered_mean(0.25, 0, 1e6), 6), round(tempered_mean(0.25, 1, 1e9), 3)
    (0.25, 0.249)
    """
    mu = 1 / (2 * second_power) if second_power else None
    if theta > 1 or lam == mu:
        return float(lam - 1 / (np.log(steep) - digamma(lam)))

    def moment(power: float) -> Any:
        return gamma(power) * gammainc(power, steep) * steep**-power

    if mu is None:
        return float(steep * moment(lam + 1) / moment(lam))
    return float(steep * (moment(lam + 1) - moment(mu + 1)) / (moment(lam) - moment(mu)))
