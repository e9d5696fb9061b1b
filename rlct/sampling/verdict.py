"""One verdict on a run: the cause that may move λ̂ most, by how much, and what to do, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlct.sampling.markov_chains.diagnostics import RHAT_ALLOWED
from rlct.sampling.run_summary import RunSummary

#: What may be wrong with a run; the first is said of one with which nothing is.
VERDICT_CAUSES = ("usable", "too short", "biased", "not a minimum", "localized", "invalid")

USABLE_SHARE = 0.15  # of λ̂: effects that are smaller leave a run usable; a convention
MOST_UNFILLED = 0.05  # of λ̂ in a usable run: this moves it one way, and more draws do away with it
TARGET_SHARE = 0.1  # of λ̂, for which draws are advised: half-widths scatter by a quarter
LEAST_LAM = 1e-6  # of which effects are shares at least: λ of a loss that is constant is 0
HOTTEST_FILLING = 1.1  # above which chains are hotter than exp(−U)
RHAT_TARGET, HIGHEST_RHAT = 1.05, 2.0  # of the draws that are advised; from which it says little
LEAST_FILLING = 0.25  # of the directions, below which chains know little of the posterior
FILLED_TIMES = 2.3  # relaxation times after which nine tenths are filled
MOST_GAIN = 10.0  # times λ̂, beyond which what it may gain is no number to print
SURE_ERRORS = 2.0  # standard errors by which a response must differ from 0
ROUND_DRAWS = 50  # to which advised numbers of draws are rounded up


@dataclass(frozen=True)
class RunVerdict:
    """What is wrong with a run, if anything."""

    #: One of ``VERDICT_CAUSES``.
    cause: str
    #: What it is and what to do; empty of a run that is usable.
    sentence: str
    #: Estimated effect of each cause on λ̂, as a share of it.
    effects: Mapping[str, float]


@dataclass(frozen=True)
class RunEffects:
    """What a verdict rests on; all effects in units of λ."""

    #: λ̂.
    lam: float
    #: Half of its interval, by the scatter of the chains.
    half_width: float
    #: What λ̂ may still gain while the chains fill flat directions.
    unfilled: float
    #: Mean of (w − w*)·∇U over the number of weights, where it surely exceeds 1: then chains are
    #: hotter than exp(−U).
    heat: float
    #: The share of directions that chains have hardly entered.
    unentered: float
    #: Split R-hat of means over a few steps.
    rhat: float
    #: What step and mini-batches added to the mean, which was taken off.
    excess: float
    #: nβ times the fall of the loss near w*.
    fall: float
    #: dλ̂/d log γ, as far as it is surely not 0.
    response: float
    #: Effective sample size of all chains.
    effective_draws: float
    #: Steps of each chain after the burn-in.
    draws: int
    seconds_per_step: float
    #: ε and γ.
    step_size: float
    localization: float
    #: εγ, the share of its square by which a weight that L does not bend relaxes; 0 if not known.
    relaxation: float = 0.0
    #: What pulls towards w*: ``"localization"``, or ``"the prior"`` where that is stronger.
    confined_by: str = "localization"
    #: What λ̂ may be off by as gradients mislead chains on such a target, and why.
    misled: tuple[float, str] = (0.0, "")
    #: The same of what leaves no λ̂: rounding, chains that stand still, points without a loss.
    broken: tuple[float, str] = (0.0, "")


def judge_summary(
    run_summary: RunSummary,
    *,
    unfilled: float = 0.0,
    response: float | None = None,
    **other_effects: Any,
) -> RunVerdict:
    """The verdict on draws.

    ``unfilled`` is what λ̂ may still gain besides what the summary says, ``response`` dλ̂/d log γ,
    if it was measured by a run of its own; the others are fields of :class:`RunEffects` that no
    summary knows.
    """
    if response is None:
        response = surely(run_summary.response, run_summary.response_error)
    filling, unknown = run_summary.filling, np.isnan(run_summary.filling)
    hot = filling - SURE_ERRORS * run_summary.filling_error > HOTTEST_FILLING
    return judge_run(
        RunEffects(
            lam=run_summary.lam,
            half_width=run_summary.half_width,
            unfilled=max(run_summary.sure_gain, unfilled),
            heat=filling if hot else 1.0,
            unentered=0.0 if unknown or filling >= LEAST_FILLING else min(1.0 - filling, 1.0),
            rhat=run_summary.rhat,
            excess=run_summary.excess,
            response=response,
            effective_draws=run_summary.ess,
            **other_effects,
        )
    )


def surely(value: float, error: float) -> float:
    """As far from 0 as a value surely is."""
    return float(np.sign(value)) * max(abs(value) - SURE_ERRORS * error, 0.0)


def judge_run(run_effects: RunEffects) -> RunVerdict:
    """Choose the cause with the largest effect on λ̂, as a share of it.

    >>> run_effects = RunEffects(
    ...     lam=10.0, half_width=4.0, unfilled=0.0, heat=1.0, unentered=0.0, rhat=1.2, excess=0.5,
    ...     fall=0.0, response=0.1, effective_draws=13.0, draws=200, seconds_per_step=0.05,
    ...     step_size=1e-4, localization=1.0
    ... )
    >>> print(judge_run(run_effects).sentence)
    too short: λ̂ is known to ± 40 % by 13 effective draws; set num_draws=3200 (about 2 min more)
    """
    size = max(abs(run_effects.lam), LEAST_LAM)
    # Of the excess half is right where nβL grows as the fourth power, and all where it is a square.
    # Where chains are too hot, nβL is too large by as much, if all directions are.
    heat = (1.0 - 1.0 / max(run_effects.heat, 1.0)) * size
    unentered = run_effects.unentered * size  # where L may bend by higher powers
    lam_effects = {
        "too short": max(run_effects.half_width, run_effects.unfilled, unentered),
        "biased": max(0.5 * abs(run_effects.excess), run_effects.misled[0], heat),
        "not a minimum": run_effects.fall,
        "localized": abs(run_effects.response),
        "invalid": run_effects.broken[0],
    }
    if run_effects.lam < 0:
        # The plain mean has the sign of what chains found; what was taken off it may exceed it.
        plain_mean = run_effects.lam + run_effects.excess
        cause = "biased" if plain_mean >= 0 else "not a minimum"
        lam_effects[cause] = max(lam_effects[cause], size - run_effects.half_width)
    effect_shares = {
        name: effect / size if effect > 0 else 0.0 for name, effect in lam_effects.items()
    }
    worst_cause = max(effect_shares, key=lambda name: effect_shares[name])
    if not np.isfinite(run_effects.lam):
        return RunVerdict("invalid", "invalid: λ̂ is not a number; lower lr", effect_shares)
    if effect_shares["invalid"] > USABLE_SHARE:  # then no other effect is known
        return RunVerdict("invalid", f"invalid: {run_effects.broken[1]}", effect_shares)
    if run_effects.heat > 1.0:  # nor of chains that are too hot
        worst_cause = "biased"
    share = effect_shares[worst_cause]
    if share <= USABLE_SHARE and run_effects.heat <= 1.0:
        worst_cause, share = "too short", effect_shares["too short"]
        if run_effects.unfilled > MOST_UNFILLED * size:
            share = run_effects.unfilled / size
        elif not RHAT_ALLOWED < run_effects.rhat < np.inf:  # which it is of a loss that is constant
            return RunVerdict("usable", "", effect_shares)
    words = {
        "too short": _too_short,
        "biased": _biased,
        "not a minimum": _no_minimum,
        "localized": _localized,
    }
    return RunVerdict(
        worst_cause,
        f"{worst_cause}: {words[worst_cause](run_effects, share)}",
        effect_shares,
    )


def _too_short(run_effects: RunEffects, effect_share: float) -> str:
    filled_share = 1.0 - run_effects.unentered
    lacking_share = max(run_effects.unfilled / max(abs(run_effects.lam), LEAST_LAM), 0.0)
    # R̂² − 1 falls as 1/draws, half-widths as its root.
    rhat = min(run_effects.rhat, HIGHEST_RHAT)
    agreeing = run_effects.draws * (rhat**2 - 1.0) / (RHAT_TARGET**2 - 1.0)
    if effect_share <= USABLE_SHARE and lacking_share <= MOST_UNFILLED:
        needed_draws = _rounded(max(agreeing, 2.0 * run_effects.draws))
        cause_words = f"chains disagree, split R-hat is {run_effects.rhat:.2f}"
    elif effect_share in (lacking_share, run_effects.unentered):
        # No direction relaxes more slowly than one that L does not bend.
        steps = FILLED_TIMES / run_effects.relaxation if run_effects.relaxation else 0.0
        needed_draws = _rounded(steps)
        if needed_draws <= run_effects.draws:
            needed_draws = _rounded(4 * run_effects.draws)
        cause_words = (
            f"directions that the chains have not explored may add {effect_share:.0%} to λ̂"
            if effect_share == lacking_share and effect_share < MOST_GAIN
            else f"the chains have explored {filled_share:.0%} of the directions around w*"
        )
    else:
        narrow = run_effects.draws * (effect_share / TARGET_SHARE) ** 2
        needed_draws = _rounded(max(narrow, agreeing))
        by_draws = f"{run_effects.effective_draws:.0f} effective draws"
        cause_words = f"λ̂ is known to ± {_percent(effect_share)} by {by_draws}"
    seconds = (needed_draws - run_effects.draws) * run_effects.seconds_per_step
    return f"{cause_words}; set num_draws={needed_draws} (about {_time(seconds)} more)"


def _biased(run_effects: RunEffects, share: float) -> str:
    lower = f"set lr={run_effects.step_size * min(0.5, USABLE_SHARE / share):.1g}"
    if run_effects.heat > 1.0:
        return (
            f"the chains are too hot, (w − w*)·∇U is {run_effects.heat:.2g} for each weight and "
            f"should be 1: λ̂ is too large; {lower}"
        )
    if run_effects.misled[0] > 0.5 * abs(run_effects.excess):
        return f"{run_effects.misled[1]}: λ̂ may be off by {_percent(share)}; use method='moves'"
    added = _percent(abs(run_effects.excess / run_effects.lam))
    return (
        f"step and mini-batches added {added} of λ̂, which was taken off, and may move it by "
        f"{_percent(share)}; {lower}"
    )


def _no_minimum(run_effects: RunEffects, share: float) -> str:
    if run_effects.fall > 0:
        return (
            f"nβL falls by {run_effects.fall:.3g} in a short descent from w*, {_percent(share)} of "
            "λ̂; train on, or raise localization"
        )
    return "λ̂ is negative: the chains found lower losses than that of w*; train on"


def _localized(run_effects: RunEffects, share: float) -> str:
    sign = "falls" if run_effects.response < 0 else "rises"
    half = _percent(share * np.log(2.0))
    if run_effects.confined_by != "localization":
        return f"λ̂ {sign} by about {half} if the precision of {run_effects.confined_by} doubles"
    return (
        f"λ̂ {sign} by about {half} if localization doubles from {run_effects.localization:g}; "
        "compare it at one localization only"
    )


def _rounded(draws: float) -> int:
    return int(-(-draws // ROUND_DRAWS) * ROUND_DRAWS)


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 1 else f"{100 * share:.0f} %"


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
