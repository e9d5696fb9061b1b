"""The local learning coefficient as practitioners estimate it: one nβ, chains from w₀."""

import time
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Unpack

from rlct.errors import DivergedError
from rlct.sampling.estimate import Estimate
from rlct.sampling.local.llc_report import judge_chains, paired_response, report_llc
from rlct.sampling.local.llc_settings import complete_settings
from rlct.sampling.local.local_run import LocalRun
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.run_options import RunOptions
from rlct.sampling.targets.target import Target

DRAW_DOUBLINGS = 3  # of the draws, while a run is too short and their number was left open
MORE_STEPS = "{:.2g} times as many steps as usual were taken, as fewer were not enough"
FILLED_SHARE = 0.95  # of the directions, above which draws are of the posterior
DOUBLED_WORK = 2.5e11  # of all gradients of a run whose draws were doubled: about a minute
SOON_SHARE = 0.4  # of that for a run which is usable, but still fills directions


def estimate_llc(
    target: Target,
    *,
    n_beta: float | None = None,
    method: str | type[Kernel] | None = None,
    seed: int = 0,
    level: float = 0.95,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[RunOptions],
) -> Estimate:
    """Tempered mean λ̂ = nβ(E[L(w)] − L(w₀)) at one nβ.

    This number depends on nβ: it is λ − (θ−1)/log(nβ) + …, not λ, so the interval covers
    the tempered mean and not λ.  Chains begin at w₀: of a minimum beyond a barrier they may see
    nothing, and the mean is that of the part they reach.  Use
    :func:`rlct.sampling.ladders.run.estimate` for λ of a population.

    Parameters
    ----------
    target : Target
        A population K, or a loss on data: `~rlct.sampling.targets.network.NetworkTarget`,
        `~rlct.sampling.modules.module.ModuleTarget`.
    n_beta : float, optional
        n / log n on n data points.
    method : str or class, optional
        A kernel of `rlct.sampling.kernels` by name, or a class of one.  By default on data
        ``"hmc"`` if gradients on all data are cheap, or samples are few and some minutes allow it,
        else ``"sgld"``; without data ``"moves"``, which cross ridges that gradients do not, or mala
        with localization.
        ``"nuts"`` needs the extra of this name.
    lr : float, optional
        Step ε of ``"sgld"``.  Without it one is found from curvature and gradient noise.  What
        steps and mini-batches add to the mean of nβL is measured and taken off λ̂
        (``run.excess``); the plain mean is ``draws.mean()``.
    localization : float, optional
        γ of the pull γ|w − w₀|²/2; 1 on data, 0 on a population, which has a prior.
    num_chains, num_draws, num_burnin : int
        Chains, of ``"hmc"`` up to 64 on small data, where they cost next to nothing; draws of each
        after the burn-in; steps before, by default as many.  Of costly gradients, by which a run
        took longer than some minutes, there are fewer draws, down to a quarter.  Unless num_draws
        or a checkpoint is named, there are up to eight times as many draws, for about a minute
        at most, while the verdict is that they are too few, or that a step which was found adds too
        much: it is lowered then.
    batch_size : int, optional
        Of ``"sgld"`` on data; 256 by default, down to 32 where gradients are costly.
    errors : {"chains", "batches", "data"}
        What the interval holds besides what steps add: the scatter of the chains; of ``"sgld"`` the
        noise of mini-batches alone; or the scatter of the chains and that over data sets of which
        each has trained weights of its own, which takes descents on halves of the data.
    seed : int
    level : float
        Of the interval.
    checkpoint : path, optional
        File (.npz) from which an interrupted run resumes.
    progress : callable, optional

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> found = estimate_llc(LinearNetworkTarget([1, 1], rank=0), n_beta=100.0)
    >>> abs(found.lam - 0.5) < 0.05
    True
    """
    started_at = time.perf_counter()
    named_options = {"method": method, "n_beta": n_beta, "seed": seed, "level": level}
    run_settings = complete_settings(target, named_options | options)
    with getattr(target, "session", nullcontext)():
        return finish_run(LocalRun(target, run_settings), checkpoint, progress, started_at)


def finish_run(
    run: LocalRun, checkpoint: str | Path | None, progress: Progress | None, started_at: float
) -> Estimate:
    """Draw, draw on while this is too short, if that was left open, and say what comes out."""
    run.sample(checkpoint, progress)
    try:
        judged_run = judge_chains(run)
        of_batches = run.settings.kernel.on_batches and run.samples is not None
        usual_steps = run.loop.step_count
        for _ in range(DRAW_DOUBLINGS):
            cause = judged_run.verdict.cause
            biased = cause == "biased" and of_batches and run.settings.watched
            insufficient = cause == "too short" or biased
            # Chains that still move away from w* are no draws yet, where others cost little.
            most_work = DOUBLED_WORK if insufficient else SOON_SHARE * DOUBLED_WORK
            more = run.settings.extendable and checkpoint is None and 2 * run.work <= most_work
            still_filling = of_batches and judged_run.summary.filling < FILLED_SHARE
            if run.interrupted or not more or not (insufficient or still_filling):
                break
            anew = still_filling or biased
            run.draw_on(run.loop.step_count if anew else run.num_draws, progress, anew=anew)
            judged_run = judge_chains(run)
        if not run.interrupted and run.loop.step_count > usual_steps:
            run.remarks.append(MORE_STEPS.format(run.loop.step_count / usual_steps))
        if judged_run.verdict.cause == "localized" and not run.interrupted:
            with suppress(DivergedError):  # a step that was named may be too large at 2γ
                judged_run = judge_chains(run, paired_response(run, progress))
        if progress is not None and not run.interrupted:
            progress(1.0, f"{run.label}all draws are made; computing their errors")
        return report_llc(run, judged_run, time.perf_counter() - started_at)
    except KeyboardInterrupt:
        if run.interrupted:  # whoever stops it twice waits for nothing
            raise
        run.interrupted = True
    return report_llc(run, judge_chains(run), time.perf_counter() - started_at)
