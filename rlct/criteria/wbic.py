"""WBIC: the free energy by the mean loss at inverse temperature 1/log n."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rlct.criteria.draws import Draws
from rlct.criteria.inputs import count_of, temperature
from rlct.criteria.statistic import Statistic
from rlct.errors import InputError
from rlct.system.options import explain_options

__all__ = ["wbic"]

_FEWEST_DRAWS = 100.0  # effective draws after a change of temperature
_COLD_FACTOR = 1.4  # times 1/log n, from where on the error is too small
_SEEMING_FACTOR = 3.0  # times their β that draws seem to be at by how single losses scatter
_COLDEST_FACTOR = 2.0  # times 1/log n: from here on the weights have infinite variance


@explain_options
def wbic(
    log_likelihood: Any,
    *,
    beta: float | None = None,
    observations: int | None = None,
    baseline: float | None = None,
    log_masses: Any = None,
) -> Statistic:
    """Widely applicable Bayesian information criterion, E_w[nL_n(w)] at β = 1/log n.

    Parameters
    ----------
    log_likelihood : array, shape (chains, draws, n) or (draws, n)
        log p(X_i|w) at draws of the posterior at inverse temperature ``beta``.
    beta : float, optional
        Inverse temperature of the draws, 1/log n by default. Draws at another one are weighted
        by importance. A warning says where few of them bear the weight, from 1.4/log n on
        that the error is too small, and that single losses scatter as at a colder one than it.
        From 2/log n on only nodes of exact integration are taken.
    observations : int, optional
        n, if columns are not single observations but sums of them.
    baseline : float, optional
        nL_n(w₀) of the best parameter, for an estimate of λ. One above the mean loss of the
        draws carries a warning.
    log_masses : array, shape (chains, draws) or (draws,), optional
        Log of posterior masses, for nodes of exact integration instead of draws.

    Returns
    -------
    Statistic
        An estimate of F = −log ∫ exp(−nL_n) φ. ``wbic_details``: ``lambda_variance`` = β² Var nL_n,
        an estimate of λ that needs no baseline; ``lambda`` = (WBIC − baseline)/log n;
        ``deviation`` = √(λ log n/2) with the first of them, a bound for the standard deviation
        over data of the leading part of WBIC − F for realisable truths.

    Raises
    ------
    InputError
        If the log-likelihood has the wrong shape or an entry that is not finite, n < 3, or
        draws are at 2/log n or above.

    Notes
    -----
    Watanabe, S. (2013), Journal of Machine Learning Research 14:867–897, theorem 4:
    E_w[nL_n] = nL_n(w₀) + λ/β + U_n √(λ/(2β)) + O_p(1) with E U_n = 0.

    At β the loss above its least value is about Gamma(λ, β), so the weights exp((β − 1/log n) nL_n)
    have a finite variance for β < 2/log n only.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=1000)
    >>> w = x.mean() + rng.normal(size=(4, 500, 1)) * np.sqrt(np.log(1000) / 1000)
    >>> found = wbic(-((x - w) ** 2) / 2, baseline=np.sum(x**2) / 2)
    >>> bool(abs(found.details["lambda_variance"] - 0.5) < 0.1)
    True
    """
    draws = Draws(log_likelihood, 1.0, log_masses)
    n = count_of(draws.n if observations is None else observations, "the observations of WBIC", 3)
    target_beta = 1.0 / math.log(n)
    draws_beta = target_beta if beta is None else temperature(beta)
    beta_warnings = () if draws.exact else _cold(draws_beta, target_beta)
    loss = -draws.total
    # A change of temperature multiplies masses by exp(−(wanted − given)·nL_n).
    log_masses = draws.log_masses - (target_beta - draws_beta) * loss
    masses = np.exp(log_masses - log_masses.max())
    masses /= masses.sum()
    mean = float(masses @ loss)
    variance = float(masses @ (loss - mean) ** 2)
    effective_size, split_rhat, warnings = draws.quality
    warnings += beta_warnings
    wbic_details: dict[str, Any] = {
        "beta": draws_beta,
        "observations": n,
        "temperature": 1.0 / target_beta,
    }
    if draws_beta != target_beta and not draws.exact:
        kish = float(1.0 / (masses @ masses))
        wbic_details["effective_weights"] = kish
        if kish < _FEWEST_DRAWS:
            warnings += (
                f"draws at β = {draws_beta:.4g} rest on {kish:.0f} effective ones at 1/log n = "
                f"{target_beta:.4g}: sample at that temperature",
            )
    if not draws.exact and draws.n == n:
        warnings += _seems(draws, draws_beta, "1/log n" if beta is None else "the β that is named")
    lam = target_beta**2 * variance
    wbic_details |= {"lambda_variance": lam, "deviation": math.sqrt(lam / (2.0 * target_beta))}
    error = draws.error(masses * draws.count * (loss - mean))
    if baseline is not None:
        if not math.isfinite(baseline):
            raise InputError("the baseline must be a finite number")
        wbic_details |= {
            "lambda": (mean - baseline) * target_beta,
            "lambda_error": error * target_beta,
        }
        if baseline >= mean:
            warnings += (
                f"the baseline {baseline:.6g} is above the mean loss of the draws, {mean:.6g}, so "
                "that λ is not positive, as every λ is: it must be nL_n of the best parameter",
            )
    return Statistic(
        name="wbic",
        value=mean,
        error=error,
        ess=effective_size,
        rhat=split_rhat,
        warnings=warnings,
        details=wbic_details,
    )


def _seems(draws: Draws, given: float, name: str) -> tuple[str, ...]:
    """Doubt that draws are at β, from Var nL_n = λ/β² and Σ Var log p(X_i|w) = 2ν/β.

    λ = ν for regular models that fit the data.
    """
    single = sum(float(block.var(axis=0).sum()) for _, block in draws.blocks())
    seeming = single / max(2.0 * float(draws.total.var()), math.ulp(0.0))
    if seeming <= _SEEMING_FACTOR * given:
        return ()
    return (
        f"if the model fits the data, draws scatter as at β = {seeming:.2g} and not at {name} = "
        f"{given:.4g}: name the β of the draws, or sample at 1/log n",
    )


def _cold(given: float, wanted: float) -> tuple[str, ...]:
    """Refuse draws too cold to be weighted, or warn of them.

    Kish's size does not show it: the draws that would bear the weight are missing.
    """
    if given >= _COLDEST_FACTOR * wanted:
        raise InputError(
            f"draws at β = {given:.4g} cannot be weighted to 1/log n = {wanted:.4g}, from twice "
            "that on weights have infinite variance: sample at 1/log n"
        )
    if given < _COLD_FACTOR * wanted:
        return ()
    return (
        f"draws at β = {given:.4g} are {given / wanted:.2g} times as cold as 1/log n = "
        f"{wanted:.4g}: the error may be too small by a factor of up to two or three; sample at "
        "1/log n",
    )
