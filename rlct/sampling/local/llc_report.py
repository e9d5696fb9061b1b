"""What chains at one nβ say, as an Estimate with its verdict."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from rlct.sampling.estimate import Estimate, one_warning
from rlct.sampling.local.data_scatter import data_scatter
from rlct.sampling.local.facts import Run
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.misled_chains import misled_chains
from rlct.sampling.local.preparation import PreparedRun
from rlct.sampling.local.spectrum import precise_target
from rlct.sampling.markov_chains.chains import Chains
from rlct.sampling.markov_chains.diagnostics import chain_mean
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.networks.sample_losses import SampleLosses
from rlct.sampling.run_summary import RunSummary, summarize_run
from rlct.sampling.targets.polynomial import PolynomialTarget
from rlct.sampling.targets.target import DataTarget, Floats
from rlct.sampling.verdict import RunVerdict, judge_summary, langevin_relaxation

__all__ = ["LOOSE_CHAINS", "JudgedRun", "broken_chains", "drift_of", "judge_chains", "report_llc"]

MISLED_SHARE = 0.2  # of λ̂ that gradients may miss: E[nβK] of cusps was 8 to 10 % low, others more
DRIFT_CHANCE = 1e-3  # of chains that stand still and seem to drift
LOOKED_AT = 4  # chains whose rounding is looked at
LOOSE_CHAINS = (
    "without localization nothing confines the chains: where the loss has valleys without end, "
    "there is no posterior, and λ̂ means nothing"
)


class JudgedRun(NamedTuple):
    """Chains with what they say, the losses of samples, and how far nβL falls near w*."""

    chains: Chains
    summary: RunSummary
    verdict: RunVerdict
    losses: SampleLosses | None
    fall: float


def judge_chains(
    chains: Chains, prepared_run: PreparedRun, run_settings: RunSettings, seconds_per_step: float
) -> JudgedRun:
    """Summarize draws and judge them."""
    kernel, draws = prepared_run.kernel, chains.draws[0]
    posterior, target = kernel.posterior, kernel.posterior.target
    is_data = isinstance(target, DataTarget)
    # By parts: at the walls of a box there would be a term more.
    is_boxed = isinstance(target, PolynomialTarget)
    # The prior of a population is part of the question; on data it is as γ.
    confining_pull = posterior.stronger if is_data else posterior.localization
    run_summary = summarize_run(
        draws,
        np.zeros_like(draws) if chains.excess is None else chains.excess[0],
        None if chains.virial is None or is_boxed else chains.virial[0],
        chains.distance[0] ** 2,
        gauge_every=1,
        moving_weights=target.dimension,
        localization=confining_pull,
        level=run_settings.level,
    )
    losses = None if prepared_run.loss_observer is None else prepared_run.loss_observer.found()
    loss_fall, still_unfilled = 0.0, drift_of(draws)
    if is_data:
        loss_fall = _fall(draws, losses, prepared_run, run_settings)
        if prepared_run.curvatures is not None:
            still_unfilled = max(still_unfilled, prepared_run.curvatures.unentered(chains.w[0]))
    cut, seen = kernel.cut_pushes
    misled_words = misled_chains(target, kernel.name, cut / max(seen, 1.0))
    step_size, is_langevin = float(chains.lr[0].max()), kernel.langevin
    run_verdict = judge_summary(
        run_summary,
        moving_weights=target.dimension,
        unfilled=still_unfilled,
        fall=loss_fall,
        draws=draws.shape[1],
        seconds_per_step=seconds_per_step,
        step_size=step_size,
        localization=posterior.localization,
        relaxation=langevin_relaxation(step_size, confining_pull) if is_langevin else 0.0,
        confined_by="localization" if confining_pull == posterior.localization else "the prior",
        misled=(MISLED_SHARE * abs(run_summary.lam) if misled_words else 0.0, misled_words),
        broken=broken_chains(kernel, chains.distance[0]),
    )
    return JudgedRun(chains, run_summary, run_verdict, losses, loss_fall)


def report_llc(
    judged_run: JudgedRun, prepared_run: PreparedRun, run_settings: RunSettings, seconds: float
) -> Estimate:
    """Put together what is known of λ̂: its mean, its errors, and what is wrong with it."""
    chains, run_summary, run_verdict, losses, loss_fall = judged_run
    posterior, target = prepared_run.kernel.posterior, prepared_run.kernel.posterior.target
    degrees, probability = float(len(chains.draws[0]) - 1), 0.5 + run_settings.level / 2
    errors = {"chains": run_summary.error}
    error, half_width = run_summary.error, run_summary.half_width
    if run_settings.batch_size is not None:
        errors["batches"] = run_summary.batch_error
    if run_settings.errors == "batches":
        error, degrees = errors["batches"], np.inf
        half_width = float(student.ppf(probability, degrees)) * error
    if run_settings.errors == "data":
        errors["data"] = np.inf  # where a loss is no number
        if losses is not None:
            errors["data"] = data_scatter(posterior, losses, run_settings.seed)
        error = float(np.hypot(error, errors["data"]))
        half_width = float(np.hypot(half_width, student.ppf(probability, np.inf) * errors["data"]))
    # Of what is taken off 2/k is right where nβL is homogeneous of degree k.
    width_above = float(np.hypot(half_width, 0.5 * run_summary.excess))
    stop_words = f"interrupted after {chains.draws.shape[2]} draws of each chain"
    is_loose = getattr(target, "flat", False) and not run_settings.localization
    return Estimate(
        lam=run_summary.lam,
        interval=(run_summary.lam - half_width, run_summary.lam + width_above),
        level=run_settings.level,
        theta=None,
        theta_interval=None,
        error=error,
        degrees=degrees,
        ess=run_summary.ess,
        rhat=run_summary.rhat,
        seconds=seconds,
        seed=run_settings.seed,
        method=run_settings.kernel.name,
        warnings=one_warning(
            stop_words if chains.interrupted else "",
            run_verdict.sentence,
            LOOSE_CHAINS if is_loose else "",
            getattr(target, "remark", ""),
        ),
        errors=errors,
        error_kind=run_settings.errors,
        verdict=run_verdict.cause,
        diagnostics=_diagnostics(judged_run, prepared_run),
        nu=None if losses is None else run_summary.without_step(losses.singular_fluctuation()),
        sample_losses=losses if hasattr(target, "start_losses") else None,
        chains=chains,
        run=Run(
            n_beta=run_settings.n_beta,
            localization=run_settings.localization,
            samples=target.samples if isinstance(target, DataTarget) else None,
            radius=target.radius if isinstance(target, PolynomialTarget) else None,
            by_localization=(run_summary.response, run_summary.response_error),
            excess=run_summary.excess,
            descent=loss_fall,
            curvature=None if prepared_run.landscape is None else prepared_run.landscape.curvature,
        ),
    )


def _diagnostics(judged_run: JudgedRun, prepared_run: PreparedRun) -> dict[str, float]:
    """Numbers that the verdict rests on, by name."""
    chains, run_summary, run_verdict, _, _ = judged_run
    found = {f"effect of {name}": share for name, share in run_verdict.effects.items()}
    if not np.isnan(run_summary.virial):
        found["filling"] = run_summary.virial / prepared_run.kernel.posterior.target.dimension
    return {
        **found,
        "excess": run_summary.excess,
        "distance": run_summary.distance,
        "lr": float(chains.lr[0].mean()),
        "points without a loss": float(prepared_run.kernel.undefined.count),
    }


def _fall(
    draws: Floats, losses: SampleLosses | None, prepared_run: PreparedRun, run_settings: RunSettings
) -> float:
    """How far nβL is seen to lie below that of w*, by a descent or by a draw.

    A descent does not leave a flat saddle as a·b·c = 0; draws do.
    """
    lowest = float(draws.min())
    if run_settings.kernel.name == "sgld":  # which sees batches
        lowest = 0.0 if losses is None else run_settings.n_beta * float(losses.mean_loss().min())
    descent = 0.0 if prepared_run.landscape is None else prepared_run.landscape.drop
    return max(run_settings.n_beta * descent, -lowest)


def broken_chains(kernel: Kernel, distance: Floats) -> tuple[float, str]:
    """What leaves no λ̂ of chains at these distances, (chains, draws), and how far it is off."""
    undefined_points = kernel.undefined
    stuck = int((np.ptp(distance, axis=1) == 0).sum()) if distance.shape[1] > 1 else 0
    if stuck:
        return np.inf, (
            f"{stuck} of {len(distance)} chains never moved: the step is far too large or small, "
            "or the posterior too narrow"
        )
    if undefined_points.count:
        return np.inf, (
            f"the loss is not a number at {undefined_points.count} points that chains tried near "
            f"w*, first at step {undefined_points.at}: they stay where it is one, and λ̂ is of that "
            "part; repair the loss, or name a larger localization"
        )
    rounding = _rounding(kernel)
    return rounding, (
        f"single precision moves nβL by {rounding:.2g} where chains are: use double precision "
        "(module.double(), data too), or scale outputs and targets"
    )


def _rounding(kernel: Kernel) -> float:
    """How far nβL where some chains ended is from that in double precision, if there is a twin."""
    posterior, on, w = kernel.posterior, kernel.posterior.arrays, kernel.w[:LOOKED_AT]
    if not isinstance(posterior.target, DataTarget):
        return 0.0
    twin, there = precise_target(posterior)
    if twin is posterior.target:
        return 0.0
    exact = there.numpy(twin.divergence(there.asarray(on.numpy(w))))
    rounded_losses = on.numpy(posterior.target.divergence(w)).astype(float)
    return float(posterior.n_beta[0] * np.abs(rounded_losses - exact).max())


def drift_of(draws: Floats) -> float:
    """By how much the last quarter of draws surely differs from the one before; 0 if not surely.

    By Student's t over the chains, with a false alarm of 1 in 1000.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> drift_of(rng.normal(size=(4, 400)))
    0.0
    >>> round(drift_of(rng.normal(size=(4, 400)) + np.arange(400)))
    100
    """
    quarter = draws.shape[1] // 4
    if quarter < 1:
        return 0.0
    change = draws[:, -quarter:].mean(axis=1) - draws[:, -2 * quarter : -quarter].mean(axis=1)
    mean, error = chain_mean(change)
    limit = float(student.isf(DRIFT_CHANCE / 2, len(change) - 1))
    return abs(mean) if abs(mean) > limit * error else 0.0
