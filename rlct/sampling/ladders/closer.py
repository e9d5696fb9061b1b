"""A ladder that is about the point asked for, and not about a worse zero elsewhere in its box."""

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

_UNTRIED_BOXES = "interrupted: smaller boxes, without other zeros, were not tried"


def estimate_near(
    target_within: Callable[[float], PolynomialTarget], radius: float, **options: Any
) -> Estimate:
    """Estimate (λ, θ) on the usual box, unless that of a smaller box around the point differs.

    A box has the smallest λ of all zeros in it, so λ̂ can only rise as it shrinks.  The second box
    is a quarter of the first, or half of what makes every monomial dominate its multiples; where
    λ̂ rises there beyond its error, smaller ones are tried until it stays; where it falls, it has
    lost a late term.

    ``target_within`` takes a radius to the target on that box around the point; options are those
    of `rlct.sampling.ladders.run.estimate`.  There is a warning if a smaller box was needed, or if
    the smallest was not small enough.

    >>> landscape = {(1,): 0.0625, (2,): -0.5, (3,): 1.0}            # x(x − 1/4)²
    >>> found = estimate_near(lambda r: PolynomialTarget([landscape], squared=True, radius=r), 0.5)
    >>> round(found.lam, 2), found.warnings[0][:46]
    (0.5, 'a zero within 1/2 of the point has a smaller λ')
    """
    started_at = time.perf_counter()
    target = target_within(radius)
    first_estimate = run.estimate(target, **options)
    near_estimate = (
        first_estimate.warn(_UNTRIED_BOXES) if first_estimate.interrupted else first_estimate
    )
    if not first_estimate.interrupted:
        # The file is about the usual box.
        try:
            near_estimate = _shrink_box(
                first_estimate, target, target_within, radius, options | {"checkpoint": None}
            )
        except KeyboardInterrupt:
            near_estimate = first_estimate.warn(_UNTRIED_BOXES)
    near_estimate = replace(near_estimate, seconds=time.perf_counter() - started_at)
    if (
        run.NO_CHECKPOINT in first_estimate.warnings
        and run.NO_CHECKPOINT not in near_estimate.warnings
    ):
        near_estimate = near_estimate.warn(run.NO_CHECKPOINT)
    return near_estimate


def _shrink_box(
    first_estimate: Estimate,
    target: PolynomialTarget,
    target_within: Callable[[float], PolynomialTarget],
    first_radius: float,
    options: dict[str, Any],
) -> Estimate:
    if _few_turns(first_estimate, target):
        return first_estimate  # which says so; λ̂ of a ladder that is too short is not compared
    best_estimate = first_estimate
    clear_radius = target.reach()  # no other zero shows within it
    quarter_radius = first_radius / priors.BOX_SHRINK
    size, radius = (
        first_radius,
        max(priors.LEAST_BOX, min(quarter_radius, priors.BOX_INSIDE * clear_radius)),
    )
    for k in range(1 + priors.MORE_BOXES):
        try:
            box = target_within(radius)
            box_estimate = run.estimate(box, effort=1.0 if k else priors.BOX_EFFORT, **options)
        except KeyboardInterrupt:
            box_estimate = None
        except InputError:  # high powers underflow in small boxes
            return best_estimate
        if box_estimate is None or box_estimate.interrupted:
            return best_estimate.warn(_UNTRIED_BOXES)
        if _few_turns(box_estimate, box):
            words = f"poles are not told apart within {radius:.2g} of the point: "
            return best_estimate.warn(f"{words}other zeros were not ruled out")
        has_risen = _worse(best_estimate, box_estimate)
        has_fallen = _worse(box_estimate, best_estimate)
        if not k and has_fallen:
            words = (
                f"within {radius:.2g} of the point λ̂ = {box_estimate.lam:.3g}, which only a late "
            )
            words += "term of K explains that does not show there: other zeros were not ruled out"
            return first_estimate.warn(words)
        if not k and not has_risen:
            return (
                first_estimate
                if clear_radius >= quarter_radius
                else _within(box_estimate, radius, clear_radius)
            )
        if has_risen or (not has_fallen and box_estimate.error < best_estimate.error):
            best_estimate, size = box_estimate, radius
        if not has_risen:
            words = "within 1/2 of the point the ladder is worse, by another zero or a late term"
            rise = best_estimate.lam - first_estimate.lam
            rise_error = math.hypot(first_estimate.error, best_estimate.error)
            if rise > rise_error and not first_estimate.warnings:
                words = (
                    f"a zero within 1/2 of the point has a smaller λ, near {first_estimate.lam:.3g}"
                )
            words += f": this is the estimate within {size:.2g}"
            return replace(best_estimate, warnings=(words, *best_estimate.warnings))
        radius = max(priors.LEAST_BOX, radius / priors.BOX_SHRINK)
    words = f"λ̂ still rises when the box shrinks to {radius:.2g}: other zeros are close by"
    return best_estimate.warn(words)


def _few_turns(box_estimate: Estimate, target: PolynomialTarget) -> bool:
    return box_estimate.ladder is not None and bool(
        few_turns(target, box_estimate.ladder, box_estimate.lam)
    )


def _within(box_estimate: Estimate, radius: float, clear_radius: float) -> Estimate:
    """Say on what box an estimate is that other zeros of the usual box might have lowered."""
    words = f"this is the estimate within {radius:.2g} of the point: beyond, K has terms that "
    words += "may have other zeros"
    if clear_radius < radius:
        words += ", and one may be closer still: then λ is larger"
    return replace(box_estimate, warnings=(words, *box_estimate.warnings))


def _worse(box: Estimate, closer: Estimate) -> bool:
    """Whether the larger box has a smaller λ, or the same with a larger θ."""
    gap = closer.lam - box.lam
    noise = priors.BOX_CRITICAL * math.hypot(box.error, closer.error)
    if gap > max(noise, priors.BOX_RELATIVE * box.lam):
        return True
    return abs(gap) <= noise and (box.theta or 0) > (closer.theta or math.inf)
