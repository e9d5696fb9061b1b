"""A ladder that is about the point asked for, and not about a worse zero elsewhere in its box."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rlct.errors import InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.ladders import priors, run
from rlct.sampling.ladders.ladder_report import few_turns
from rlct.sampling.targets.polynomial import PolynomialTarget

__all__ = ["estimate_near"]

_UNTRIED = "interrupted: smaller boxes, without other zeros, were not tried"


def estimate_near(
    within: Callable[[float], PolynomialTarget], radius: float, **options: Any
) -> Estimate:
    """Estimate (λ, θ) on the usual box, unless that of a smaller box around the point differs.

    A box has the smallest λ of all zeros in it, so λ̂ can only rise as it shrinks.  The second box
    is a quarter of the first, or half of what makes every monomial dominate its multiples; where
    λ̂ rises there beyond its error, smaller ones are tried until it stays; where it falls, it has
    lost a late term.

    Parameters
    ----------
    within : callable
        From a radius to the target on that box around the point.
    radius : float
        Of the usual box.
    **options
        Of `rlct.sampling.ladders.run.estimate`.

    Returns
    -------
    Estimate
        With a warning if a smaller box was needed, or if the smallest was not small enough.

    Examples
    --------
    >>> landscape = {(1,): 0.0625, (2,): -0.5, (3,): 1.0}            # x(x − 1/4)²
    >>> found = estimate_near(lambda r: PolynomialTarget([landscape], squared=True, radius=r), 0.5)
    >>> round(found.lam, 2), found.warnings[0][:46]
    (0.5, 'a zero within 1/2 of the point has a smaller λ')
    """
    began = time.perf_counter()
    target = within(radius)
    first = run.estimate(target, **options)
    found = first.warn(_UNTRIED) if first.interrupted else first
    if not first.interrupted:
        # The file is about the usual box.
        try:
            found = _closer(first, target, within, radius, options | {"checkpoint": None})
        except KeyboardInterrupt:
            found = first.warn(_UNTRIED)
    found = replace(found, seconds=time.perf_counter() - began)
    if run.UNKEPT in first.warnings and run.UNKEPT not in found.warnings:
        found = found.warn(run.UNKEPT)
    return found


def _closer(
    first: Estimate,
    target: PolynomialTarget,
    within: Callable[[float], PolynomialTarget],
    usual: float,
    options: dict[str, Any],
) -> Estimate:
    if _few_turns(first, target):
        return first  # which says so; λ̂ of a ladder that is too short is not compared
    found = first
    clear = target.reach()  # no other zero shows within it
    quarter = usual / priors.BOX_SHRINK
    size, radius = usual, max(priors.LEAST_BOX, min(quarter, priors.BOX_INSIDE * clear))
    for k in range(1 + priors.MORE_BOXES):
        try:
            box = within(radius)
            closer = run.estimate(box, effort=1.0 if k else priors.BOX_EFFORT, **options)
        except KeyboardInterrupt:
            closer = None
        except InputError:  # high powers underflow in small boxes
            return found
        if closer is None or closer.interrupted:
            return found.warn(_UNTRIED)
        if _few_turns(closer, box):
            words = f"poles are not told apart within {radius:.2g} of the point: "
            return found.warn(f"{words}other zeros were not ruled out")
        risen = _worse(found, closer)
        fallen = _worse(closer, found)
        if not k and fallen:
            words = f"within {radius:.2g} of the point λ̂ = {closer.lam:.3g}, which only a late "
            words += "term of K explains that does not show there: other zeros were not ruled out"
            return first.warn(words)
        if not k and not risen:
            return first if clear >= quarter else _within(closer, radius, clear)
        if risen or (not fallen and closer.error < found.error):
            found, size = closer, radius
        if not risen:
            words = "within 1/2 of the point the ladder is worse, by another zero or a late term"
            if _lower(first, found) and not first.warnings:
                words = f"a zero within 1/2 of the point has a smaller λ, near {first.lam:.3g}"
            words += f": this is the estimate within {size:.2g}"
            return replace(found, warnings=(words, *found.warnings))
        radius = max(priors.LEAST_BOX, radius / priors.BOX_SHRINK)
    words = f"λ̂ still rises when the box shrinks to {radius:.2g}: other zeros are close by"
    return found.warn(words)


def _few_turns(found: Estimate, target: PolynomialTarget) -> bool:
    return found.ladder is not None and bool(few_turns(target, found.ladder, found.lam))


def _lower(box: Estimate, closer: Estimate) -> bool:
    return closer.lam - box.lam > math.hypot(box.error, closer.error)


def _within(found: Estimate, radius: float, clear: float) -> Estimate:
    """Say on what box an estimate is that other zeros of the usual box might have lowered."""
    words = f"this is the estimate within {radius:.2g} of the point: beyond, K has terms that "
    words += "may have other zeros"
    if clear < radius:
        words += ", and one may be closer still: then λ is larger"
    return replace(found, warnings=(words, *found.warnings))


def _worse(box: Estimate, closer: Estimate) -> bool:
    """Whether the larger box has a smaller λ, or the same with a larger θ."""
    gap = closer.lam - box.lam
    noise = priors.BOX_CRITICAL * math.hypot(box.error, closer.error)
    if gap > max(noise, priors.BOX_RELATIVE * box.lam):
        return True
    return abs(gap) <= noise and (box.theta or 0) > (closer.theta or math.inf)
