"""What chains at one nβ say, as an Estimate with its verdict."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

from rlct.sampling.estimate import Estimate, one_warning
from rlct.sampling.local.data_scatter import data_scatter
from rlct.sampling.local.facts import Run
from rlct.sampling.local.local_run import LocalRun
from rlct.sampling.local.misled_chains import misled_chains
from rlct.sampling.local.sample_losses import SampleLosses
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.diagnostics import chain_mean
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.kernel_loop import KernelLoop
from rlct.sampling.markov_chains.spectrum import precise_target
from rlct.sampling.run_summary import RunSummary, summarize_run
from rlct.sampling.targets.target import DataTarget, Floats
from rlct.sampling.verdict import RunVerdict, judge_summary, surely

MISLED_SHARE = 0.2  # of λ̂ that gradients may miss: E[nβK] of cusps was 8 to 10 % low, others more
LEAST_MISSING = 0.05  # of the directions, that chains surely have not filled
LOOKED_AT = 4  # chains whose rounding is looked at
LOOSE_CHAINS = (
    "without localization nothing confines the chains: where the loss has valleys without end, "
    "there is no posterior, and λ̂ means nothing"
)


class JudgedRun(NamedTuple):
    """What chains say, the losses of samples, how far nβL falls near w*, and what λ̂ may gain."""

    summary: RunSummary
    verdict: RunVerdict
    losses: SampleLosses | None
    fall: float
    unfilled: float


def judge_chains(run: LocalRun, response: float | None = None) -> JudgedRun:
    """Summarize draws and judge them, on request by a response that was measured."""
    traces, of = run.all_traces(), run.settings
    draws, excess, virial, squares = traces.draws
    # By parts: at the walls of a box there would be a term more.
    is_known = run.radius is None and not np.isnan(virial).any()
    run_summary = summarize_run(
        draws,
        excess,
        virial if is_known else None,
        squares,
        gauge_every=traces.every,
        moving_weights=run.target.dimension,
        localization=run.confining,
        level=of.level,
    )
    if of.init_loss is not None:
        start_loss: float = getattr(run.target, "baseline", 0.0)
        run_summary = replace(
            run_summary, lam=run_summary.lam + of.n_beta * (start_loss - of.init_loss)
        )
    losses = run.sample_losses()
    loss_fall, lacking = run.fall(losses), run.lacking()
    if run.samples is None:  # K may bend in all directions that are not filled, by ½ each
        missing = surely(1.0 - run_summary.filling, run_summary.filling_error)
        lacking = 0.5 * run.target.dimension * missing if missing > LEAST_MISSING else 0.0
    misled_words, broken_parts = "", (0.0, "")
    if isinstance(run.loop, KernelLoop):
        kernel = run.loop.kernel
        cut, seen = kernel.cut_pushes
        misled_words = misled_chains(run.target, of.kernel, cut / max(seen, 1.0))
        broken_parts = broken_chains(kernel, squares)
    step_size: float = run.loop.step_size
    verdict = judge_summary(
        run_summary,
        unfilled=lacking or 0.0,
        response=response,
        fall=loss_fall,
        draws=run.num_draws,
        seconds_per_step=run.seconds / max(run.loop.step_count, 1),
        step_size=step_size,
        localization=of.localization,
        relaxation=step_size * run.pull if of.kernel.langevin else 0.0,
        confined_by="localization" if run.confining == of.localization else "the prior",
        misled=(MISLED_SHARE * abs(run_summary.lam) if misled_words else 0.0, misled_words),
        broken=broken_parts,
    )
    unfilled = max(run_summary.most_gain, lacking or 0.0)
    return JudgedRun(run_summary, verdict, losses, loss_fall, unfilled)


def paired_response(run: LocalRun, progress: Progress | None) -> float:
    """dλ̂/d log γ, as far as it is surely not 0, by a run at 2γ with the same random numbers.

    Covariances with |w − w*|² err by as much as λ̂ where the noise of batches is large.
    """
    of, pull = run.settings, run.confining
    draws = max(run.num_draws // 4, min(run.num_draws, 4 * run.traces.every))
    settings = replace(of, localization=of.localization + pull, num_draws=draws)
    if not isinstance(run.loop, KernelLoop):  # whose steps are far from those that diverge
        settings = replace(settings, lr=run.loop.step_size, watched=False)
    doubled_run = run.anew(settings)
    doubled_run.look_at = None
    doubled_run.sample(None, progress)
    first, second = (part.all_traces().first(draws).chain_means for part in (run, doubled_run))
    change, error = chain_mean((second - first) / np.log(2.0))
    return surely(change, error)


def report_llc(run: LocalRun, judged_run: JudgedRun, seconds: float) -> Estimate:
    """Put together what is known of λ̂: its mean, its errors, and what is wrong with it."""
    run_summary, verdict, losses, loss_fall, unfilled = judged_run
    of, degrees, level = run.settings, run.settings.num_chains - 1.0, run.settings.level
    # Descents on halves of the data take long, and whoever stops a run waits for nothing.
    kind = "chains" if of.errors == "data" and run.interrupted else of.errors
    errors = {"chains": run_summary.error}
    if of.batch_size is not None:
        errors["batches"] = run_summary.batch_error
    error, half_width = run_summary.error, run_summary.half_width
    if kind == "batches":
        error, degrees = errors["batches"], np.inf
        half_width = float(student.ppf(0.5 + level / 2, degrees)) * error
    if kind == "data":  # infinite where a loss is no number
        scatter = np.inf if losses is None else data_scatter(run.posterior, losses, of.seed)
        errors["data"], error = scatter, float(np.hypot(error, scatter))
        half_width = float(np.hypot(half_width, student.ppf(0.5 + level / 2, np.inf) * scatter))
    # Of what is taken off 2/k is right where nβL is homogeneous of degree k.
    width_above = float(np.hypot(half_width, 0.5 * run_summary.excess)) + unfilled
    stop_words = f"interrupted after {run.num_draws} draws of each chain"
    return Estimate(
        lam=run_summary.lam,
        interval=(run_summary.lam - half_width, run_summary.lam + width_above),
        level=level,
        theta=None,
        theta_interval=None,
        error=error,
        degrees=degrees,
        ess=run_summary.ess,
        rhat=run_summary.rhat,
        seconds=seconds,
        seed=of.seed,
        method=of.kernel.name,
        warnings=one_warning(
            stop_words if run.interrupted else "",
            verdict.sentence,
            LOOSE_CHAINS if run.loose else "",
            run.remark,
        ),
        remark="; ".join(run.remarks),
        errors=errors,
        error_kind=kind,
        verdict=verdict.cause,
        diagnostics=_diagnostics(run, run_summary, verdict),
        nu=None if losses is None else run_summary.without_step(losses.singular_fluctuation()),
        sample_losses=None if run.start_losses is None else losses,
        chains=run.chains(),
        run=Run(
            n_beta=of.n_beta,
            localization=of.localization,
            samples=run.samples,
            radius=run.radius,
            by_localization=(run_summary.response, run_summary.response_error),
            excess=run_summary.excess,
            descent=loss_fall,
            curvature=run.curvature,
            spiked=run.spiked(),
        ),
    )


def _diagnostics(run: LocalRun, run_summary: RunSummary, verdict: RunVerdict) -> dict[str, float]:
    """Numbers that the verdict rests on, by name."""
    named_numbers = {f"effect of {name}": share for name, share in verdict.effects.items()}
    if not np.isnan(run_summary.virial):
        named_numbers["filling"] = run_summary.virial / max(run.target.dimension, 1)
    named_numbers |= {
        "excess": run_summary.excess,
        "distance": run_summary.distance,
        "lr": run.loop.step_size,
    }
    if isinstance(run.loop, KernelLoop):
        named_numbers["points without a loss"] = float(run.loop.kernel.undefined.count)
    return named_numbers | run.diagnostics()


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
