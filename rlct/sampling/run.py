"""Choose a sampler, run it, fit (λ, θ), and report an Estimate."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.expansion import fit_exact
from rlct.sampling.gibbs_ladder import gibbs_ladder
from rlct.sampling.joint_fit import fit
from rlct.sampling.ladder import ALLOWED_MISFIT, Fit, Ladder
from rlct.sampling.ladder_report import hidden_term, report
from rlct.sampling.mala import mala_ladder
from rlct.sampling.polynomial import PolynomialTarget
from rlct.sampling.quadrature import Unresolved, quadrature_ladder
from rlct.sampling.regression import RegressionTarget
from rlct.sampling.settings import check_seed
from rlct.sampling.sgld import sgld_ladder
from rlct.sampling.splitting import split
from rlct.sampling.target import Conditional, Target
from rlct.sampling.tempering import TOP, temper

__all__ = ["METHODS", "estimate"]

Progress = Callable[[float, str], object]
METHODS = ("quadrature", "tempering", "gibbs", "splitting", "mala", "sgld")
HIGHEST_THETA = 8
# Where an accuracy is asked for, the effort starts low and is quadrupled until it is reached.
FIRST_EFFORT = {"gibbs": 1 / 16}
LAST_EFFORT = 4.0
FAR = 1e30  # last nβ of tempering with the last effort, if rounding does not hide K before
# Wider intervals are tried once more with the last effort where parameters are few: which of two θ
# it is moves λ̂ by a twentieth or more, and seconds decide it.
WIDE, FEW = 0.04, 10
# A ladder that ends before λ̂ log nβ is as large is run once more to there, if rounding does not
# hide K before: poles at 1.2 λ still weigh e^(−0.2 · 12) then, and whole ones without doubt.
TURNS, LONGEST = 12.0, 450.0  # the latter in log nβ
SHORTEST = 20.0  # of a ladder, in log nβ: K in a small box, or of high powers, shows late
# Quadrature ends at log nβ = 14 in three variables: what it leaves wider is left to tempering.
VAGUE = 0.1
STOPPED = "interrupted: more draws were to narrow the interval"


def estimate(
    target: Target,
    *,
    seed: int = 0,
    method: str | None = None,
    level: float = 0.95,
    theta: int | None = None,
    effort: float = 1.0,
    accuracy: float | None = None,
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
    method : {"quadrature", "tempering", "gibbs", "splitting", "mala", "sgld"}, optional
        By default quadrature for polynomials in at most three variables if it resolves the
        integral, and tempering after it where the interval is wider than a tenth of λ̂; gibbs for a
        target with exact conditional draws; else tempering.
    level : float
        Probability of the interval.
    theta : int, optional
        Assume this θ instead of averaging over all.
    effort : float
        Multiplies the number of particles or draws.
    accuracy : float, optional
        Half-width of the interval wanted, as a fraction of λ̂.  The run begins with few draws and
        is repeated with four times as many, up to four times the usual number, until the interval
        is as narrow; else a warning says so.  Without it, with up to ten parameters and no
        ``theta``, ``effort`` or ``checkpoint``, an interval wider than 0.04 is tried once more
        with four times the draws.  Tempering with four times the draws ends later: see ``top``.
    top : float, optional
        Last nβ of tempering.  Without it 10¹⁵, or e²⁰ times the nβ at which K shows if that is
        more; with four times the draws 10³⁰; for small λ where λ̂ log nβ is 12; and never beyond
        where rounding hides K.  A larger one takes longer in proportion to its logarithm, and
        narrows what θ leaves open about λ.
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
    if accuracy is not None:
        if not isinstance(accuracy, int | float) or not 0 < accuracy < 1:
            raise InputError(f"accuracy is a fraction of λ between 0 and 1, not {accuracy!r}")
        if checkpoint is not None:
            raise InputError("a file holds one run, an accuracy may take several: leave one out")
    began = time.perf_counter()
    rng = np.random.default_rng(seed)
    chosen = method or _usual(target, top)
    remark = ""
    share, last, wanted = 1.0, 1.0, WIDE
    if accuracy is not None:
        share, last, wanted = FIRST_EFFORT.get(chosen, 0.25), LAST_EFFORT, accuracy
    elif target.dimension <= FEW and theta is None and effort == 1.0 and checkpoint is None:
        last = LAST_EFFORT
    answer: Estimate | None = None
    vague: tuple[Estimate, Ladder] | None = None
    far = 0.0
    while True:
        end = top or max(far, FAR if share == LAST_EFFORT else TOP)
        shortest = 0.0 if top else SHORTEST
        run = (target, rng, share * effort, end, shortest, checkpoint, progress)
        try:
            newer, chosen, remark = _resolved(chosen, method is not None, remark, run)
            found = _fitted(newer, target, theta)
        except KeyboardInterrupt:
            if answer is None:
                raise
            stopped = True
        except InputError:  # K underflows where quadrature does not mind
            if answer is None or vague is None:
                raise
            break
        else:
            stopped = bool(newer.warnings)
        if stopped and answer is not None:
            answer = replace(answer, warnings=(*answer.warnings, STOPPED))
            break
        ladder = newer
        seconds = time.perf_counter() - began
        answer = report(found, ladder, theta, level, seed, chosen, remark, seconds)
        narrow = _width(answer) <= wanted and found.misfit <= ALLOWED_MISFIT
        if answer.interrupted:
            break
        if chosen == "tempering" and top is None and checkpoint is None and not far:
            far = _far(answer, ladder, target)
            if far > end:
                continue
        if narrow:
            break
        turn = chosen == "quadrature" and method is None and checkpoint is None
        if turn and _width(answer) > VAGUE:
            vague, chosen, far = (answer, ladder), "tempering", _far(answer, ladder, target)
            low, high = answer.interval
            remark = f"by quadrature [{low:.4g}, {high:.4g}], so tempering was used instead"
            continue
        if chosen == "quadrature" or share >= last:
            break
        share *= 4.0
    unfit = found.misfit > ALLOWED_MISFIT
    if vague is not None and not stopped and (unfit or _width(vague[0]) < _width(answer)):
        answer, ladder = vague
    if accuracy is not None and not narrow and not stopped:
        words = f"the interval is not as narrow as asked: {accuracy:.2g} of λ̂"
        answer = replace(answer, warnings=(*answer.warnings, words))
    hidden = hidden_term(target, ladder)
    return replace(answer, warnings=(*answer.warnings, hidden)) if hidden else answer


def _width(answer: Estimate) -> float:
    """Half of the interval over λ̂."""
    low, high = answer.interval
    return (high - low) / 2 / answer.lam if answer.lam > 0 else float("inf")


def _far(answer: Estimate, ladder: Ladder, target: Target) -> float:
    """Where λ̂ log nβ is large enough for the first pole to stand alone, or K is not resolved."""
    steps = TURNS / max(answer.lam, TURNS / LONGEST)
    return min(ladder.unit * float(np.exp(steps)), target.resolution)


def _resolved(
    chosen: str, asked_for: bool, remark: str, run: tuple[Any, ...]
) -> tuple[Ladder, str, str]:
    """A ladder, its method, and what is to be said of it: tempering where quadrature fails."""
    try:
        return _run(chosen, *run), chosen, remark
    except Unresolved as problem:
        if asked_for:
            raise InputError(f"quadrature failed: {problem}; use method='tempering'") from None
        remark = f"quadrature failed ({problem}); tempering was used instead"
    return _run("tempering", *run), "tempering", remark


def _usual(target: Target, top: float | None) -> str:
    """Choose a method by what the target can do."""
    if isinstance(target, PolynomialTarget) and target.dimension <= 3 and top is None:
        return "quadrature"
    return "gibbs" if top is None and isinstance(target, Conditional) else "tempering"


def _fitted(ladder: Ladder, target: Target, theta: int | None) -> Fit:
    highest = min(target.dimension, HIGHEST_THETA)
    thetas = [theta] if theta is not None else list(range(1, highest + 1))
    found = fit(ladder, thetas) if ladder.error is None else fit_exact(ladder, thetas)
    if ladder.independent is not None:
        found = found.beside(fit(replace(ladder, slopes=ladder.independent), thetas))
    if ladder.warnings and found.misfit > ALLOWED_MISFIT and ladder.error is None:
        raise KeyboardInterrupt  # what was done before it is of no use
    return found


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
    for name, value in (("level", level), ("top", top)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
            raise InputError(f"{name} must be a number, not {value!r}")
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
    if method == "gibbs" and not isinstance(target, Conditional):
        raise InputError("gibbs needs a target with exact conditional draws: a linear network")
    if method == "quadrature" and not (
        isinstance(target, PolynomialTarget) and target.dimension <= 3
    ):
        raise InputError("quadrature needs a polynomial in at most three variables")


def _run(
    method: str,
    target: Target,
    rng: np.random.Generator,
    effort: float,
    top: float,
    shortest: float,
    checkpoint: str | Path | None,
    progress: Progress | None,
) -> Ladder:
    if method == "quadrature":
        assert isinstance(target, PolynomialTarget)
        return quadrature_ladder(target, progress=progress)
    common: dict[str, Any] = {"rng": rng, "checkpoint": checkpoint, "progress": progress}
    if method == "tempering":
        return temper(target, particles=int(160 * effort), top=top, shortest=shortest, **common)
    if method == "gibbs":
        draws, chains = max(2, int(40 * effort)), int(np.clip(48 * effort, 8, 24))
        return gibbs_ladder(target, num_chains=chains, num_draws=draws, top=TOP, **common)
    if method == "splitting":
        return split(target, particles=int(160 * effort), **common)
    if method == "mala":
        return mala_ladder(target, draws=int(2000 * effort), **common)
    return sgld_ladder(target, draws=int(4000 * effort), **common)
