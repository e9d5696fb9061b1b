"""The sentences on a run at one nβ that its draws alone do not show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import t as student

from rlct.sampling.markov_chains.diagnostics import NEGATIVE_ESTIMATE, RHAT_ALLOWED, rhat

if TYPE_CHECKING:
    from rlct.sampling.estimate import Estimate
    from rlct.sampling.local.facts import Run
    from rlct.sampling.markov_chains.chains import Chains

__all__ = ["exceeds_share", "hardly_moved", "rounding_warning", "run_warnings"]

SHARE_ALLOWED = 0.1  # of λ̂ that a factor e in γ or the step size may move, or w* may miss
LACKING_ALLOWED = 0.05  # of λ̂ and what slow directions take from it together
NOISE_ALLOWED = 0.5  # gradient noise against injected noise
NOISE_UNSEEN = 1e-3  # so little of it is no news, were λ̂ 0
WITHIN_NEEDED = 0.5  # of ν, seen in the draws of single chains
NU_CHAINS = 4  # with fewer a 95% interval of ν is more than four errors to either side
REPEATS_NEEDED = 10.0  # of a sample among mini-batches, for its variance
STEP_ALLOWED = 0.25  # of the step at which the sharpest direction has no stationary law
RELAXED = 10.0  # of the sharpest direction, in its own relaxation times
FALSE_ALARM = 1e-3  # of a slope of λ̂, Student's t over the chains


def run_warnings(
    estimate: Estimate, chains: Chains, run: Run, *, has_settled: bool
) -> tuple[str, ...]:
    """Sentences about a run at one nβ that its draws alone do not show.

    Parameters
    ----------
    estimate : Estimate
    chains, run : Chains, Run
        Of this estimate.
    has_settled : bool
        Whether the chains had settled by the middle of the draws.
    """
    return (
        *_on_draws(estimate, chains, run, has_settled),
        *_on_reach(estimate, chains, run),
        *_on_noise(estimate, run),
        *_on_step(estimate, chains, run),
        *_on_nu(estimate, run),
        *_on_settings(estimate, run),
    )


def rounding_warning(run: Run, lam: float) -> tuple[str, ...]:
    """Sentence about single precision where it is too coarse: then no other one holds."""
    if not exceeds_share(run.rounding, lam):
        return ()
    return (
        f"single precision moves nβL by {run.rounding:.2g} where chains are: use double precision "
        "(module.double(), data too), or scale outputs and targets; else λ̂ means little",
    )


def _noise_allowed(lam: float, run: Run) -> float:
    """Mini-batch noise, as a share of the injected noise, beyond which there is a warning."""
    if run.gradient_noise is None or not run.noise_in_lambda:
        return NOISE_ALLOWED
    share = SHARE_ALLOWED * abs(lam) / run.noise_in_lambda
    return max(NOISE_UNSEEN, min(NOISE_ALLOWED, share * run.gradient_noise))


def exceeds_share(amount: float, lam: float, share: float = SHARE_ALLOWED) -> bool:
    """Whether an amount that λ̂ lacks is more than a share of λ̂ with it."""
    return amount > share * (max(abs(lam), 1e-300) + amount)


def hardly_moved(run: Run) -> bool:
    """Whether steps were too few to leave w* even where the loss is sharpest."""
    return 0 < (run.relaxations or 0.0) < RELAXED  # 0 on a flat loss


def _on_draws(estimate: Estimate, chains: Chains, run: Run, has_settled: bool) -> Iterator[str]:
    if chains.interrupted:
        yield f"interrupted after {chains.draws.shape[2]} draws of each chain"
    if run.undefined:
        yield (
            f"the loss is not a number at {run.undefined} points that chains tried near w*, first "
            f"at step {run.undefined_at}: they stay where it is one, and λ̂ is of that part; repair "
            "the loss, or name a larger localization"
        )
    if run.samples == 1:
        yield "a single sample does not show how λ̂ scatters over data sets"
    if estimate.lam < 0 <= chains.draws.mean():  # by extrapolation alone
        yield NEGATIVE_ESTIMATE
    if not has_settled:
        yield "λ̂ still drifts in the second half of the run: take more draws"
    if estimate.interval[1] - estimate.interval[0] > 2 * max(abs(estimate.lam), 1e-300):
        drawn = float(student.ppf(0.5 + estimate.level / 2, estimate.degrees))
        drawn *= estimate.errors["monte_carlo"]
        by_data = drawn < max(abs(estimate.lam), run.data.value) and run.data.resolved
        advice_words = (
            ", as data sets scatter: more draws do not help" if by_data else ": take more draws"
        )
        if run.excess + run.unremoved > abs(estimate.lam) and not hardly_moved(run):
            # Draws so hot do not show how data sets scatter either.
            advice_words = ", for what steps and mini-batches add, which is known roughly: lower lr"
            advice_words += " or raise batch_size" if run.noise_in_lambda else ""
        elif by_data and not run.data.said:
            advice_words += (
                "; it is narrower if w* was not found on these data: say trained=False then"
            )
        yield f"the interval is wider than λ̂{advice_words}"


def _on_reach(estimate: Estimate, chains: Chains, run: Run) -> Iterator[str]:
    """What of the neighbourhood of w* chains have not seen, and whether it is one of a minimum."""
    # λ̂ counts from L(w*): at a minimum it would be larger by the descent.  A truth lies above
    # the minimum on its data, too; noise of the chains is no excuse.
    is_minimum = run.descent <= run.data.above or not exceeds_share(run.descent, estimate.lam)
    most = run.filling.most if is_minimum and run.filling is not None else 0.0
    lacks = f"may lack up to {most:.2g}" if exceeds_share(most, estimate.lam) else ""
    growth_sentences = list(_on_steps_across(estimate, run, lacks))
    yield from growth_sentences
    if lacks and run.filling is not None and not growth_sentences:
        yield (
            f"chains have filled all but about {run.filling.missing:.2g} of "
            f"{chains.w.shape[2]} directions around w*: λ̂ {lacks}; take more draws, scale "
            "inputs alike, or increase localization to keep the chains closer to w*"
        )
    if exceeds_share(run.falling, estimate.lam) and not run.growth:
        yield (
            f"chains that went farther from w* have lower losses there, nβL by {run.falling:.2g}: "
            "there is another minimum, or a flatter part of this one, and λ̂ is of neither; raise "
            "localization to stay, or start there"
        )
    if exceeds_share(run.held, estimate.lam):
        holds, cure_words = "the localization holds", "lower localization"
        if run.by_prior:
            holds, cure_words = "the prior holds", "widen the prior (sigma)"
        yield (
            f"{holds} chains at w* in directions where the loss is curved: λ̂ lacks "
            f"{run.held:.2g} of what it is without; scale inputs alike, or {cure_words}"
        )
    if not is_minimum:
        words = (
            f"w* is not a minimum: nβL is lower by {run.descent:.2g} nearby, which λ̂ lacks; "
            "train further"
        )
        if not run.data.said:
            words += ", or say trained=False of a w* that was not found on these data"
        yield words


def _on_steps_across(estimate: Estimate, run: Run, lacks: str) -> Iterator[str]:
    """What chains have not filled, where the cause is known: then its effect is not named again."""
    if run.growth:
        yield _spreading(estimate, run, lacks)
    if exceeds_share(run.lacking, estimate.lam, LACKING_ALLOWED):
        yield (
            f"chains have not filled the flattest directions: λ̂ lacks about {run.lacking:.2g}; "
            "scale inputs alike, use hmc or mala, or take more draws and burn-in"
        )
    if run.unexplored:
        yield (
            f"beside a sharp direction chains have hardly entered {run.unexplored} flat ones: "
            "λ̂ lacks up to 1/2 for each; scale inputs alike"
        )


def _spreading(estimate: Estimate, run: Run, lacks: str) -> str:
    """What it means that chains have not come as far as they will, and what to do."""
    crosses = "moves" if run.samples is None and not run.localization else "hmc"
    other = "" if estimate.method in {crosses, "nuts"} else f"use {crosses}, "
    # Of a step that is found about 0.1.
    used = max(run.step_share or 0.0, run.gradient_noise or 0.0)
    also = f", and {lacks}" if lacks else ""
    larger = "raise lr, " if estimate.method == "sgld" and 4.0 * used < STEP_ALLOWED else ""
    return (
        f"chains still move away from w*, by {run.growth:.0%} of their distance while draws were "
        f"taken: λ̂ is that of the neighbourhood they have reached so far{also}; take more draws "
        f"or burn-in, {larger}{other}or increase localization to keep the chains closer to w*"
    )


def _on_noise(estimate: Estimate, run: Run) -> Iterator[str]:
    noise, added = run.gradient_noise or 0.0, run.noise_in_lambda
    if noise > _noise_allowed(estimate.lam, run):
        yield (
            f"mini-batch noise is {noise:.2g} of the injected noise and acts as temperature, which "
            f"adds about {added:.2g} to nβL; that is taken off λ̂, roughly: lower lr or raise "
            "batch_size"
        )


def _on_step(estimate: Estimate, chains: Chains, run: Run) -> Iterator[str]:
    share, step = run.step_share or 0.0, float(chains.lr[0].max())
    if not share < STEP_ALLOWED:
        if share < 1:
            harm = f"λ̂ is too large, by up to a factor {1 / (1 - share):.2g} in some directions"
            aim = STEP_ALLOWED * step / share
        else:
            harm, aim = "they are unstable and λ̂ means little", step / share
        yield (
            f"the step lr = {step:.2g} is too large for the curvature where chains are, which "
            f"wants less than {aim:.2g}: {harm}"
        )
    elif exceeds_share(
        abs(added := run.excess + run.unremoved - run.noise_in_lambda), estimate.lam
    ):
        yield (
            f"the step lr = {step:.2g} adds about {added:.2g} to nβL, and to ν its share; that "
            "is taken off, roughly: lower lr"
        )
    # In a box all of it counts, and chains that diffuse along its flat directions differ in that.
    boxed = run.step_share is not None and run.radius is not None
    apart = rhat(chains.distance[0, :, run.dropped :]) if boxed else 1.0
    if apart > RHAT_ALLOWED and not run.growth:
        yield (
            f"chains differ in how far they are from the point (split R-hat {apart:.2f}): steps of "
            f"{step:.2g} have not filled the box; take more draws, or moves"
        )
    if hardly_moved(run):
        yield (
            f"the step lr = {step:.2g} is too small: all steps together are "
            f"{run.relaxations:.1g} relaxation times of the sharpest direction, so that chains "
            "have hardly left w*, and λ̂ and ν lack most; raise lr, or use hmc"
        )


def _on_nu(estimate: Estimate, run: Run) -> Iterator[str]:
    if run.nu_repeats is not None and run.nu_repeats < REPEATS_NEEDED:
        yield (
            f"for ν a sample was seen {run.nu_repeats:.1f} times on average: take more "
            "draws or raise nu_batch_size"
        )
    if run.nu_within is not None and run.nu_within < WITHIN_NEEDED:
        yield (
            f"for ν chains are too short: draws of a single one show {run.nu_within:.0%} of it, "
            "the other part is between chains; take more draws and burn-in"
        )
    if estimate.nu is not None and estimate.degrees + 1 < NU_CHAINS:
        quantile = float(student.ppf(0.975, estimate.degrees))
        yield (
            f"the error of ν is from {estimate.degrees + 1:.0f} chains: a 95% interval is "
            f"± {quantile:.3g} times it, by Student's quantile"
        )


def _on_settings(estimate: Estimate, run: Run) -> Iterator[str]:
    """Settings that λ̂ follows."""
    allowed_change = SHARE_ALLOWED * max(abs(estimate.lam), 1e-300)
    # Of variances, which are skewed: three errors of a few chains are met by chance in one of ten.
    critical_t = float(student.isf(FALSE_ALARM / 2, estimate.degrees))
    slope, error = run.by_localization
    if abs(slope) > allowed_change and abs(slope) > critical_t * error:
        words = f"λ̂ follows the localization: a factor e in γ moves it by {slope:+.2g}; lower γ"
        if run.by_prior:
            words = (
                f"λ̂ follows the prior: a factor e in its precision moves it by {slope:+.2g}; "
                "widen it (sigma)"
            )
        yield words
    slope, error = run.by_n_beta
    # The error that it has were nβL a Gamma variable, of which the slope is 0: chains that have not
    # met the long tail of the variance find too small a one.
    law = 2.0 * estimate.lam**2 + 3.0 * max(estimate.lam, 0.0)
    error = max(error, float(np.sqrt(law / max(estimate.ess or 1.0, 1.0))))
    # What a step adds to the mean counts up to twice.
    added = 2.0 * (abs(run.excess) + run.unremoved)
    limit = max(allowed_change, 2.0 * estimate.errors.get("data", 0.0), critical_t * error) + added
    if abs(slope) > limit:
        yield (
            f"λ̂ has no limit in sight: a factor e in nβ moves it by {slope:+.2g}; compare it only "
            "at the same nβ, or raise n_beta with more data"
        )
