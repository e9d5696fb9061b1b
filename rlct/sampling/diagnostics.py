"""Effective sample size, split R-hat, and the sentences that say a run cannot be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student

from rlct.sampling.target import Floats

if TYPE_CHECKING:
    from rlct.sampling.chains import Chains
    from rlct.sampling.estimate import Estimate, Run

__all__ = ["ess", "noise_allowed", "rhat", "run_warnings", "warnings_for"]

ESS_NEEDED = 100.0
RHAT_ALLOWED = 1.1
DESCENT_ALLOWED = 0.1  # of λ̂ and the descent from w₀ together
LACKING_ALLOWED = 0.05  # of λ̂ and what slow directions take from it together
NOISE_ALLOWED = 0.5  # gradient noise against injected noise
NOISE_UNSEEN = 1e-3  # so little of it is no news, were λ̂ 0
WITHIN_NEEDED = 0.5  # of ν, seen in the draws of single chains
NU_CHAINS = 4  # with fewer a 95% interval of ν is more than four errors to either side
REPEATS_NEEDED = 10.0  # of a sample among mini-batches, for its variance
STEP_ALLOWED = 0.25  # of the step at which the sharpest direction has no stationary law
RELAXED = 10.0  # of the sharpest direction, in its own relaxation times
FALSE_ALARM = 1e-3  # of a slope of λ̂, Student's t over the chains
NEGATIVE = "the estimate is negative: w₀ is not a minimum, or the chains left its neighbourhood"
SHARE_ALLOWED = 0.1  # of λ̂ that a factor e in γ or the step size may move


def ess(draws: Floats) -> float:
    """Bulk effective sample size of draws, shape ``(chains, draws)``.

    Examples
    --------
    >>> bool(ess(np.random.default_rng(0).normal(size=(4, 500))) > 1000)
    True
    """
    # Imported here because the import is slow and most commands never sample.
    from arviz_stats.base.array import array_stats

    if draws.shape[1] < 4 or not np.isfinite(draws).all() or np.ptp(draws) == 0:
        return 0.0
    return float(array_stats.ess(draws, chain_axis=0, draw_axis=1))  # type: ignore[no-untyped-call]


def rhat(draws: Floats) -> float:
    """Rank-normalised split R-hat of draws, shape ``(chains, draws)``; inf when stuck.

    Examples
    --------
    >>> bool(rhat(np.random.default_rng(0).normal(size=(4, 500))) < 1.02)
    True
    """
    from arviz_stats.base.array import array_stats

    if draws.shape[1] < 4 or not np.isfinite(draws).all() or np.ptp(draws) == 0:
        return float("inf")
    return float(array_stats.rhat(draws, chain_axis=0, draw_axis=1))  # type: ignore[no-untyped-call]


def warnings_for(
    draws: Floats, *, effective: float, disagreement: float, distance: Floats | None = None
) -> tuple[str, ...]:
    """Sentences about draws of nβK that should not be trusted, none when all is well.

    Parameters
    ----------
    draws : array, shape (chains, draws)
        nβK, or nβ(L_n(w) − L_n(w₀)) when sampling on data.
    effective, disagreement : float
        Their effective sample size and split R-hat.
    distance : array, shape (chains, draws), optional
        |w − w₀|: it tells a flat loss from chains that do not move.

    Examples
    --------
    >>> warnings_for(np.ones((2, 10)), effective=0.0, disagreement=float("inf"))[0]
    '2 of 2 chains never moved: the step is far too large or small, or the posterior too narrow'
    """
    if draws.shape[1] < 2:
        return ("one draw of each chain says nothing of how they move: take more draws",)
    found: list[str] = []
    same = np.ptp(draws, axis=1) == 0
    moving = np.zeros_like(same) if distance is None else np.ptp(distance, axis=1) > 0
    if (same & moving).any():
        found.append(
            "the loss is the same wherever chains went: it does not depend on the parameters"
        )
    stuck = int((same & ~moving).sum())
    if stuck:
        found.append(
            f"{stuck} of {len(draws)} chains never moved: "
            "the step is far too large or small, or the posterior too narrow"
        )
    if draws.mean() < 0:
        found.append(NEGATIVE)
    if disagreement > RHAT_ALLOWED and not (moving & same).all():
        found.append(
            f"chains disagree: split R-hat {disagreement:.3f} exceeds {RHAT_ALLOWED}; take more "
            "draws"
        )
    if effective < ESS_NEEDED:
        found.append(
            f"effective sample size {effective:.1f} is below {ESS_NEEDED:.0f}: take more draws"
        )
    return tuple(found)


def noise_allowed(lam: float, run: Run) -> float:
    """Mini-batch noise, as a share of the injected noise, beyond which there is a warning."""
    if run.gradient_noise is None or not run.noise_in_lambda:
        return NOISE_ALLOWED
    share = SHARE_ALLOWED * abs(lam) / run.noise_in_lambda
    return max(NOISE_UNSEEN, min(NOISE_ALLOWED, share * run.gradient_noise))


def _spreading(found: Estimate, run: Run) -> str:
    """What it means that chains have not come as far as they will, and what to do."""
    crosses = "moves" if run.samples is None and not run.localization else "hmc"
    other = "" if found.method in {crosses, "nuts"} else f"use {crosses}, "
    # A step that was found is as large as the curvature bears.
    given = found.method == "sgld" and "sampler" not in found.errors
    larger = "raise lr, " if given and 2.0 * (run.step_share or 0.0) < STEP_ALLOWED else ""
    return (
        f"chains still move away from w*, by {run.growth:.0%} of their distance while draws were "
        "taken: λ̂ is that of the neighbourhood they have reached so far; take more draws or "
        f"burn-in, {larger}{other}or say by a larger localization how far they shall go"
    )


def run_warnings(found: Estimate, chains: Chains, run: Run, *, calm: bool) -> tuple[str, ...]:
    """Sentences about a run at one nβ that its draws alone do not tell.

    Parameters
    ----------
    found : Estimate
    chains, run : Chains, Run
        Of this estimate.
    calm : bool
        Whether the chains had settled by the middle of the draws.
    """
    notes = []
    size = max(abs(found.lam), 1e-300)
    if chains.interrupted:
        notes.append(f"interrupted after {chains.draws.shape[2]} draws of each chain")
    if found.lam < 0 <= chains.draws.mean():  # by extrapolation alone
        notes.append(NEGATIVE)
    if not calm:
        notes.append("λ̂ still drifts in the second half of the run: take more draws")
    before = len(notes)
    if run.growth:
        notes.append(_spreading(found, run))
    if run.lacking > LACKING_ALLOWED * (size + run.lacking):
        notes.append(
            f"chains have not filled the flattest directions: λ̂ lacks about {run.lacking:.2g}; "
            "scale inputs alike, use hmc or mala, or take more draws and burn-in"
        )
    if run.unexplored:
        notes.append(
            f"beside a sharp direction chains have hardly entered {run.unexplored} flat ones: "
            "λ̂ lacks up to 1/2 for each; scale inputs alike"
        )
    # λ̂ counts from L(w*): at a minimum it would be larger by the descent.  A truth lies above
    # the minimum on its data, too, by what data sets scatter; noise of the chains is no excuse.
    scatter = 2.0 * found.errors.get("data", 0.0)
    minimal = run.descent <= max(DESCENT_ALLOWED * (size + run.descent), scatter)
    if len(notes) == before and minimal and run.filling is not None:
        missing, _, most = run.filling
        if most > SHARE_ALLOWED * (size + most):
            notes.append(
                f"chains have filled all but about {missing:.2g} of {chains.w.shape[2]} directions "
                f"around w*: λ̂ may lack up to {most:.2g}; take more draws, scale inputs alike, or "
                "say by a larger localization how far they shall go"
            )
    if run.held > SHARE_ALLOWED * (size + run.held):
        notes.append(
            f"the localization holds chains at w* in directions where the loss bends: λ̂ lacks "
            f"{run.held:.2g} of what it is without; scale inputs alike, or lower localization"
        )
    if not minimal:
        notes.append(
            f"w* is not a minimum: a short descent lowers nβL by {run.descent:.2g}, which λ̂ lacks; "
            "train further, or λ̂ means little"
        )
    noise, added = run.gradient_noise or 0.0, run.noise_in_lambda
    if noise > noise_allowed(found.lam, run):
        adds = f", which adds about {added:.2g} to λ̂" if added else ""
        notes.append(
            f"mini-batch noise is {noise:.2g} of the injected noise and acts as temperature{adds}: "
            "lower lr or raise batch_size"
        )
    if found.interval[1] - found.interval[0] > 2 * size:
        notes.append("the interval is wider than λ̂: take more chains or draws")
    share, step = run.step_share or 0.0, float(chains.lr[0].max())
    if not share < STEP_ALLOWED:
        if share < 1:
            harm = f"λ̂ is too large, by up to a factor {1 / (1 - share):.2g} in some directions"
            aim = STEP_ALLOWED * step / share
        else:
            harm, aim = "they are unstable and λ̂ means little", step / share
        notes.append(
            f"the step lr = {step:.2g} is too large for the curvature where chains are, which "
            f"wants less than {aim:.2g}: {harm}"
        )
    times = 2.0 * share * chains.gradients  # 0 where no step was counted
    if 0 < times < RELAXED:
        notes.append(
            f"the step lr = {step:.2g} is too small: all steps together are "
            f"{times:.1g} relaxation times of the sharpest direction, so that chains have hardly "
            "left w*; raise lr"
        )
    if run.nu_repeats is not None and run.nu_repeats < REPEATS_NEEDED:
        notes.append(
            f"for ν a sample was seen {run.nu_repeats:.1f} times on average: take more "
            "draws or raise nu_batch_size"
        )
    if run.nu_within is not None and run.nu_within < WITHIN_NEEDED:
        notes.append(
            f"for ν chains are too short: draws of a single one show {run.nu_within:.0%} of it, "
            "and the rest is how far chains are apart; take more draws and burn-in"
        )
    if found.nu is not None and found.degrees + 1 < NU_CHAINS:
        quantile = float(student.ppf(0.975, found.degrees))
        each = " of a step" if "sampler" in found.errors else ""
        notes.append(
            f"the error of ν is from {found.degrees + 1:.0f} chains{each}: a 95% interval is "
            f"± {quantile:.3g} times it, by Student's quantile"
        )
    # Of variances, which are skewed: three errors of a few chains are met by chance in one of ten.
    beyond = float(student.isf(FALSE_ALARM / 2, found.degrees))
    slope, error = run.by_localization
    if abs(slope) > SHARE_ALLOWED * size and abs(slope) > beyond * error:
        notes.append(
            f"λ̂ follows the localization: a factor e in γ moves it by {slope:+.2g}; lower γ"
        )
    slope, error = run.by_n_beta
    if abs(slope) > SHARE_ALLOWED * size and abs(slope) > beyond * error:
        notes.append(f"λ̂ has no limit in sight: a factor e in nβ moves it by {slope:+.2g}")
    if found.errors.get("sampler", 0.0) > max(SHARE_ALLOWED * size, 3 * found.error):
        notes.append(
            f"λ̂ follows the step size: halving it moves the mean by {found.errors['sampler']:.2g}"
        )
    return tuple(notes)
