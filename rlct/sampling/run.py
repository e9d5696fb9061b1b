"""Choose a sampler, run it, fit (λ, θ), and report an Estimate."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling import diagnostics
from rlct.sampling.estimate import Estimate
from rlct.sampling.expansion import fit_exact
from rlct.sampling.ladder import Fit, Ladder, fit
from rlct.sampling.mala import mala_ladder
from rlct.sampling.polynomial import PolynomialTarget
from rlct.sampling.quadrature import Unresolved, quadrature_ladder
from rlct.sampling.regression import RegressionTarget
from rlct.sampling.settings import check_seed
from rlct.sampling.sgld import sgld_ladder
from rlct.sampling.splitting import split
from rlct.sampling.target import Floats, Target
from rlct.sampling.tempering import TOP, temper

__all__ = ["METHODS", "estimate"]

Progress = Callable[[float, str], object]
METHODS = ("quadrature", "tempering", "splitting", "mala", "sgld")
HIGHEST_THETA = 8
ALLOWED_MISFIT = 2.5


def estimate(
    target: Target,
    *,
    seed: int = 0,
    method: str | None = None,
    level: float = 0.95,
    theta: int | None = None,
    effort: float = 1.0,
    top: float | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """Estimate (λ, θ) of a target by simulation, or by quadrature where d ≤ 3.

    Parameters
    ----------
    target : Target
    seed : int
        The same seed gives the same answer.
    method : {"quadrature", "tempering", "splitting", "mala", "sgld"}, optional
        By default quadrature for polynomials in at most three variables if it resolves
        the integral, else tempering.
    level : float
        Probability of the interval.
    theta : int, optional
        Assume this θ instead of averaging over all.
    effort : float
        Multiplies the number of particles or draws.
    top : float, optional
        Last nβ of tempering, 10¹⁵ without it.  A larger one takes longer in proportion to its
        logarithm, and narrows what θ leaves open about λ.
    checkpoint : path, optional
        File (.npz) that holds what is done; if it exists the run goes on from there, and gives
        the answer of one that was never stopped.  Quadrature keeps nothing.
    progress : callable, optional
        Called as ``progress(fraction, text)``.

    Returns
    -------
    Estimate
        After Ctrl-C from the part of the ladder that was done, with a warning, if it can be fitted.

    Examples
    --------
    >>> from rlct.sampling.polynomial import PolynomialTarget
    >>> found = estimate(PolynomialTarget([{(1, 2): 1}], squared=True), seed=1)
    >>> found.method, abs(found.lam - 0.25) < 0.01
    ('quadrature', True)
    """
    _validate(target, seed, method, level, theta, top)
    began = time.perf_counter()
    rng = np.random.default_rng(seed)
    remark = ""
    chosen = method
    if chosen is None:
        chosen = "tempering"
        if isinstance(target, PolynomialTarget) and target.dimension <= 3 and top is None:
            chosen = "quadrature"
    try:
        ladder = _run(chosen, target, rng, effort, top, checkpoint, progress)
    except Unresolved as problem:
        if method is not None:
            raise InputError(f"quadrature failed: {problem}; use method='tempering'") from None
        remark = f"quadrature failed ({problem}); tempering was used instead"
        chosen = "tempering"
        ladder = _run(chosen, target, rng, effort, top, checkpoint, progress)
    highest = min(target.dimension, HIGHEST_THETA)
    thetas = [theta] if theta is not None else list(range(1, highest + 1))
    found = fit(ladder, thetas) if ladder.error is None else fit_exact(ladder, thetas)
    if ladder.independent is not None:
        found = found.beside(fit(replace(ladder, slopes=ladder.independent), thetas))
    if ladder.warnings and found.misfit > ALLOWED_MISFIT and ladder.error is None:
        raise KeyboardInterrupt  # what was done before it is of no use
    report = _report(found, ladder, theta, level, seed, chosen, remark, time.perf_counter() - began)
    hidden = _hidden_term(target, ladder)
    return replace(report, warnings=(*report.warnings, hidden)) if hidden else report


def _hidden_term(target: Target, ladder: Ladder) -> str:
    """Warning if a term of K has not begun to show at the end of the ladder."""
    if not isinstance(target, PolynomialTarget):
        return ""
    top = ladder.unit * float(np.exp(ladder.stop[-1]))
    exponents = target.unseen(top)
    if exponents is None:
        return ""
    powers = ", ".join(map(str, exponents))
    return f"the term with exponents ({powers}) is too small to show up to nβ = {top:.1g}"


def _validate(
    target: Target,
    seed: int,
    method: str | None,
    level: float,
    theta: int | None,
    top: float | None,
) -> None:
    if isinstance(target, RegressionTarget):
        raise InputError("a loss on data has no λ of its own: use llc at one nβ")
    if not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1, not {level}")
    check_seed(seed)
    if theta is not None and theta < 1:
        raise InputError(f"θ must be a positive integer, not {theta}")
    if method is not None and method not in METHODS:
        raise InputError(f"unknown method {method!r}: choose one of {', '.join(METHODS)}")
    if top is not None and method not in (None, "tempering"):
        raise InputError(f"top is the last nβ of tempering, not of {method}")
    if top is not None and not top >= TOP:
        raise InputError(f"top must be at least {TOP:g}")
    if top is not None and top > target.resolution:
        raise InputError(f"top is beyond nβ = {target.resolution:g}, where rounding hides K")
    if method == "quadrature" and not (
        isinstance(target, PolynomialTarget) and target.dimension <= 3
    ):
        raise InputError("quadrature needs a polynomial in at most three variables")


def _run(
    method: str,
    target: Target,
    rng: np.random.Generator,
    effort: float,
    top: float | None,
    checkpoint: str | Path | None,
    progress: Progress | None,
) -> Ladder:
    if method == "quadrature":
        assert isinstance(target, PolynomialTarget)
        return quadrature_ladder(target, progress=progress)
    common: dict[str, Any] = {"rng": rng, "checkpoint": checkpoint, "progress": progress}
    if method == "tempering":
        return temper(target, particles=int(160 * effort), top=top or TOP, **common)
    if method == "splitting":
        return split(target, particles=int(160 * effort), **common)
    if method == "mala":
        return mala_ladder(target, draws=int(2000 * effort), **common)
    return sgld_ladder(target, draws=int(4000 * effort), **common)


def _report(
    found: Fit,
    ladder: Ladder,
    theta: int | None,
    level: float,
    seed: int,
    method: str,
    remark: str,
    seconds: float,
) -> Estimate:
    notes: list[str] = []
    effective: float | None = None
    disagreement: float | None = None
    if ladder.draws is not None:
        effective = diagnostics.ess(ladder.draws)
        disagreement = diagnostics.rhat(ladder.draws)
        notes.extend(
            diagnostics.warnings_for(ladder.draws, effective=effective, disagreement=disagreement)
        )
    notes.extend(ladder.warnings)
    if found.misfit > ALLOWED_MISFIT and ladder.error is None:
        notes.append(
            f"no asymptotic expansion fits the ladder (χ² per degree of freedom {found.misfit:.1f})"
        )
    span = None if theta is not None else found.theta_range(level)
    settled: int | None = theta if theta is not None else found.theta
    if span is not None and span[0] != span[1]:
        settled = None
    details: dict[str, Any] = {
        "L": (0.5 * (ladder.start + ladder.stop)).tolist(),
        "start": ladder.start.tolist(),
        "stop": ladder.stop.tolist(),
        "slope": ladder.slopes.mean(axis=0).tolist(),
        "slope_error": _slope_errors(ladder).tolist(),
        "unit": ladder.unit,
        "kind": ladder.kind,
        "theta_probabilities": found.thetas,
        "lambda_given_theta": found.by_theta,
        "misfit": found.misfit,
        "window": found.window,
        "acceptance": ladder.acceptance,
        "remark": remark,
    }
    low, high = found.interval(level)
    return Estimate(
        lam=found.lam,
        interval=(max(low, 0.0), max(high, 0.0)),  # no λ is negative
        level=level,
        theta=settled,
        theta_interval=span,
        error=found.error,
        degrees=found.degrees,
        ess=effective,
        rhat=disagreement,
        seconds=seconds,
        seed=seed,
        method=method,
        warnings=tuple(notes),
        details=details,
        errors=_errors(found),
    )


def _slope_errors(ladder: Ladder) -> Floats:
    """Standard error of each slope from the scatter of the replicates, or the numerical one."""
    if len(ladder.slopes) > 1:
        return np.asarray(ladder.slopes.std(axis=0, ddof=1) / np.sqrt(len(ladder.slopes)))
    return np.zeros(ladder.slopes.shape[1]) if ladder.error is None else ladder.error


def _errors(found: Fit) -> dict[str, float]:
    """The standard error by origin.

    Estimates of Z or V by weighted populations are unbiased however slowly particles move, but
    their logarithms are not.  The correction from the scatter of the islands and the one that
    takes the levels for independent differ where particles move slowly: the sampler's share.
    Chains without weights have a bias that a ladder does not know.
    """
    known = found.noise**2 + (found.sampler or 0.0) ** 2
    errors = {
        "monte_carlo": found.noise,
        "finite_n": float(np.sqrt(max(0.0, found.error**2 - known))),
    }
    if found.sampler is not None:
        errors["sampler"] = found.sampler
    return errors
