"""λ from tempered means at several nβ, by the two regressions that the field uses."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.stats import f as fisher
from scipy.stats import t as student

from rlct.errors import InputError
from rlct.sampling.markov_chains import diagnostics
from rlct.sampling.markov_chains.chains import Chains
from rlct.sampling.targets.target import Floats
from rlct.system.options import brief_repr

__all__ = ["TemperatureRegression", "intercept_in_log", "slope_in_temperature"]

CLOSEST_DISTANCE = 1e-6  # of a coordinate: a line seen over less says nothing at its origin


@dataclass(frozen=True)
class TemperatureRegression:
    """A straight line through tempered means, with the covariance of its coefficients."""

    #: λ̂: the slope, or the intercept.
    lam: float
    #: Its standard error from the draws; what finite nβ does to it is not in there.
    error: float
    #: The other coefficient.
    second: float
    second_error: float
    #: Shape (2, 2). Of (lam, second).
    covariance: Floats
    #: Of the residuals; small when no straight line fits.
    p_value: float
    #: Degrees of freedom of the two errors. With few chains they are few: an interval is the
    #: coefficient ± its error times Student's quantile, and not ± 1.96 times. Where variances of
    #: rungs differ by a factor of four at most, 95 % intervals of λ so hold 93 % to 96 % from two
    #: chains on; those of the other coefficient, most of whose variance one rung may have, 88 % to
    #: 95 % with two and 91 % to 95 % with three. Where standard deviations of six rungs rise or
    #: fall tenfold, which two or three chains cannot show, those of λ hold 87 % to 95 % with two,
    #: 90 % to 95 % with three and 93 % to 96 % from four chains on. Where chains mix slowly and
    #: start at each rung where they ended at the last one, as Gibbs chains do, rungs are not quite
    #: independent: with 50 draws of a linear network [3, 3, 3] errors are 5 % too small.
    degrees: float = math.inf
    second_degrees: float = math.inf
    #: Split R-hat of nβK at the rung where it is largest: above 1.1 chains disagree, as where one
    #: of them got lost, and the line means little, whatever the p-value.  NaN of chains shorter
    #: than four draws.
    rhat: float = math.nan

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """λ̂ ± ``error`` times Student's quantile of ``degrees``.

        Examples
        --------
        >>> found = TemperatureRegression(1.0, 0.1, 0.0, 0.1, np.eye(2), 0.5, degrees=6.0)
        >>> [round(end, 2) for end in found.interval()]
        [0.76, 1.24]
        """
        if not 0 < level < 1:
            raise InputError(f"level must lie between 0 and 1, not {brief_repr(level)}")
        half = float(student.ppf(0.5 + level / 2, self.degrees)) * self.error
        return self.lam - half, self.lam + half


def slope_in_temperature(chains: Chains) -> TemperatureRegression:
    """λ̂ as the slope of E[nK] against the temperature 1/β, all with n = 1.

    E[nL_n] = nL_n(w₀) + λ/β + …; the next term of a singular model, −(θ−1)/(β log nβ), curves the
    line, so λ̂ is the local slope Var(nβK), which is E[nβK] − dE[nβK]/d log nβ, averaged over the
    rungs: below λ where θ > 1.  Chains at three or more nβ, two or more each, are taken to be
    independent.

    References
    ----------
    Watanabe (2013), A widely applicable Bayesian information criterion, JMLR 14, Theorem 4;
    Murfet, Wei, Gong, Li, Gell-Redman, Quella (2020), arXiv:2010.11560, Algorithm 1.

    Examples
    --------
    >>> from rlct.sampling.markov_chains.chains import sample_chains
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target, rng = LinearNetworkTarget([2, 1], rank=0), np.random.default_rng(0)
    >>> levels, options = np.array([50.0, 100.0, 200.0, 400.0]), {"num_draws": 500, "spread": False}
    >>> run = sample_chains("hmc", target, levels, rng=rng, **options)
    >>> abs(slope_in_temperature(run).lam - 1) < 0.1
    True
    """
    # nβ times E[K] = L₀ + λ/(nβ): the same line, where all rungs are about equally exact.
    return _line(chains.n_beta, _means(chains))


def intercept_in_log(chains: Chains) -> TemperatureRegression:
    """λ̂ as the intercept of E[nβK] against 1/log nβ; the slope estimates −(θ − 1).

    E[nβK] = λ − (θ−1)/(log nβ + b) + …, b set by the scale of K and the prior: the intercept is as
    good as b is small against log nβ.  :func:`rlct.sampling.ladders.joint_fit.fit` leaves b free.
    Chains are as of `slope_in_temperature`, at nβ > 1.

    References
    ----------
    Cullen et al. (2026), arXiv:2603.01192v1, section on the multi-temperature estimate.
    """
    rungs = _means(chains)
    if not (chains.n_beta > math.e).all():
        raise InputError("1 / log nβ needs nβ well above one")
    return _line(1.0 / np.log(chains.n_beta), rungs)


class _Rungs(NamedTuple):
    """Means of nβK, their squared errors, degrees of freedom of each of these, largest R-hat."""

    means: Floats
    squares: Floats
    freedom: int
    rhat: float


def _means(chains: Chains) -> _Rungs:
    rungs, count, draws = chains.draws.shape
    if rungs < 3 or count < 2 or draws < 1:
        raise InputError("a regression over temperatures needs three nβ of two chains each")
    if not (np.isfinite(chains.n_beta) & (chains.n_beta > 0)).all():
        raise InputError("every nβ must be positive and finite")
    finite = np.isfinite(chains.draws).all(axis=(1, 2))
    if not finite.all():
        bad = chains.n_beta[~finite][0]
        raise InputError(f"every draw of nβK must be finite: at nβ = {bad:.5g} some are not")
    by_chain = chains.draws.mean(axis=2)
    squares = by_chain.var(axis=1, ddof=1) / count
    if not (squares > 0).all():
        raise InputError("at some nβ no chain ever moved")
    worst = max(map(diagnostics.rhat, chains.draws)) if draws > 3 else math.nan
    return _Rungs(by_chain.mean(axis=1), squares, count - 1, worst)


def _line(x: Floats, rungs: _Rungs) -> TemperatureRegression:
    """Fit E[nβK] = y = λ + second·x to independent rungs whose errors are estimates themselves.

    All rungs have the same weight: the variance of nβK is about λ at every nβ.  Weights from
    errors of few chains would follow their noise, and the rungs that look exact by chance would
    count most.  So the coefficients are fixed combinations Σ a_r y_r, and Σ a_r² ŝ_r² is without
    bias their variance whatever the true variances of the rungs are.  It has about
    (Σ w_r)²/(Σ w_r²/f) degrees of freedom, w_r = a_r² s_r² (Satterthwaite), which `_freedom`
    estimates.  The sum of squared residuals, over its mean Σ M_rr s_r² with the projection M, is
    about F in the same way (Box 1954), with tr(MS)²/tr(MSMS) degrees of freedom above.
    """
    y, squares, rung_freedom, rhat = rungs
    scale = np.abs(x).max()  # nβ and 1 differ by many orders of magnitude
    if not np.ptp(x) > CLOSEST_DISTANCE * scale:
        raise InputError("a line needs nβ that differ: these are the same, or too close")
    design = np.stack([np.ones_like(x), x / scale], axis=1)
    solver = np.linalg.pinv(design)
    residual_projection = np.eye(len(x)) - design @ solver
    solver[1] /= scale
    coefficients = solver @ y
    covariance = (solver * squares) @ solver.T
    errors = np.sqrt(np.diag(covariance))
    degrees = [_freedom(row**2 * squares, rung_freedom) for row in solver]

    parts = np.diag(residual_projection) * squares
    mean, both = parts.sum(), squares @ (residual_projection**2) @ squares
    # Without bias, as s⁴ is (1 + 2/f) times too large on average.
    extra = 2 / (rung_freedom + 2) * (parts**2).sum()
    above = min(max((mean**2 - extra) / (both - extra), 1.0), len(x) - 2.0)
    ratio = ((residual_projection @ y) ** 2).sum() / mean
    return TemperatureRegression(
        lam=float(coefficients[0]),
        error=float(errors[0]),
        second=float(coefficients[1]),
        second_error=float(errors[1]),
        covariance=covariance,
        p_value=float(fisher.sf(ratio, above, _freedom(parts, rung_freedom))),
        degrees=degrees[0],
        second_degrees=degrees[1],
        rhat=rhat,
    )


def _freedom(parts: Floats, freedom: int) -> float:
    """Degrees of freedom of a sum of estimated variances with ``freedom`` each.

    Satterthwaite's number with both of its sums without bias: as squares of estimates are too
    large, it would otherwise be half of the truth with two chains.

    Examples
    --------
    >>> _freedom(np.array([1.0, 0.0, 0.0]), 3), _freedom(np.array([2.0, 1.0, 1.0]), 100)
    (3.0, 270.0)
    """
    degrees = (freedom + 2) * parts.sum() ** 2 / (parts**2).sum() - 2
    return float(min(degrees, len(parts) * freedom))
