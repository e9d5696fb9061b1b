"""λ from tempered means at several nβ, by the two regressions that the field uses."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from rlct.errors import InputError
from rlct.sampling.chains import Chains
from rlct.sampling.target import Floats

__all__ = ["Regression", "intercept_in_log", "slope_in_temperature"]


@dataclass(frozen=True)
class Regression:
    """Generalised least squares of a straight line, with the covariance of its coefficients.

    Parameters
    ----------
    lam : float
        λ̂: the slope, or the intercept.
    error : float
        Its standard error from the draws; what finite nβ does to it is not in there.
    other : float
        The other coefficient.
    other_error : float
    covariance : array, shape (2, 2)
        Of (lam, other).
    p_value : float
        Of the residuals; small when no straight line fits.
    """

    lam: float
    error: float
    other: float
    other_error: float
    covariance: Floats
    p_value: float


def slope_in_temperature(found: Chains) -> Regression:
    """λ̂ as the slope of E[nK] against the temperature 1/β, all with n = 1.

    E[nL_n] = nL_n(w₀) + λ/β + …; the next term of a singular model, −(θ−1)/(β log nβ), bends the
    line, so λ̂ is the local slope E − Var(nβK) averaged over the rungs: below λ where θ > 1.

    Parameters
    ----------
    found : Chains
        At three or more nβ.

    References
    ----------
    Watanabe (2013), A widely applicable Bayesian information criterion, JMLR 14, Theorem 4;
    Murfet, Wei, Gong, Li, Gell-Redman, Quella (2020), arXiv:2010.11560, Algorithm 1.

    Examples
    --------
    >>> from rlct.sampling.hmc import hmc
    >>> from rlct.sampling.linear import LinearNetworkTarget
    >>> target, rng = LinearNetworkTarget([2, 1], rank=0), np.random.default_rng(0)
    >>> run = hmc(target, np.array([50.0, 100.0, 200.0, 400.0]), rng=rng, spread=False)
    >>> abs(slope_in_temperature(run).lam - 1) < 0.1
    True
    """
    means, errors = _means(found)
    at = found.n_beta
    return _line(1.0 / at, means / at, errors / at, lam_is_slope=True)


def intercept_in_log(found: Chains) -> Regression:
    """λ̂ as the intercept of E[nβK] against 1/log nβ; the slope estimates −(θ − 1).

    E[nβK] = λ − (θ−1)/(log nβ + b) + …, b set by the scale of K and the prior: the intercept is as
    good as b is small against log nβ.  :func:`rlct.sampling.ladder.fit` leaves b free.

    Parameters
    ----------
    found : Chains
        At three or more nβ > 1.

    References
    ----------
    Cullen et al. (2026), arXiv:2603.01192, section on the multi-temperature estimate.
    """
    means, errors = _means(found)
    if not (found.n_beta > math.e).all():
        raise InputError("1 / log nβ needs nβ well above one")
    return _line(1.0 / np.log(found.n_beta), means, errors, lam_is_slope=False)


def _means(found: Chains) -> tuple[Floats, Floats]:
    by_chain = found.draws.mean(axis=2)
    if len(by_chain) < 3 or by_chain.shape[1] < 2:
        raise InputError("a regression over temperatures needs three nβ of two chains each")
    error = by_chain.std(axis=1, ddof=1) / np.sqrt(by_chain.shape[1])
    if not (error > 0).all():
        raise InputError("at some nβ no chain ever moved")
    return by_chain.mean(axis=1), error


def _line(x: Floats, y: Floats, error: Floats, *, lam_is_slope: bool) -> Regression:
    """Fit a line to independent rungs of known error."""
    columns = [x, np.ones_like(x)] if lam_is_slope else [np.ones_like(x), x]
    design = np.stack(columns, axis=1) / error[:, None]
    covariance = np.linalg.inv(design.T @ design)
    found = covariance @ (design.T @ (y / error))
    rest = float((((y / error) - design @ found) ** 2).sum())
    errors = np.sqrt(np.diag(covariance))
    return Regression(
        lam=float(found[0]),
        error=float(errors[0]),
        other=float(found[1]),
        other_error=float(errors[1]),
        covariance=covariance,
        p_value=float(chi2.sf(rest, len(x) - 2)),
    )
