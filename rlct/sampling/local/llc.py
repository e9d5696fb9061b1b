"""The local learning coefficient as practitioners estimate it: one nβ, chains from w₀."""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from rlct.sampling.estimate import Estimate
from rlct.sampling.local.llc_report import report_llc
from rlct.sampling.local.llc_settings import AskedSettings, RunSettings, complete_settings
from rlct.sampling.local.preparation import PreparedRun, prepare_run
from rlct.sampling.markov_chains.agreement import until_chains_agree
from rlct.sampling.markov_chains.burnin import SettledDraws
from rlct.sampling.markov_chains.chains import Progress, run_chains
from rlct.sampling.targets.target import Target

__all__ = ["estimate_llc"]

ROUGH = (
    "interrupted: how λ̂ scatters over data sets is known to first order only, which is too little "
    "at trained weights near a singular point"
)


def estimate_llc(
    target: Target,
    *,
    n_beta: float | None = None,
    method: str | None = None,
    lr: float | None = None,
    localization: float | None = None,
    num_chains: int | None = None,
    num_draws: int | None = None,
    num_burnin: int | None = None,
    batch_size: int | None = None,
    nu_batch_size: int | None = None,
    trained: bool | None = None,
    seed: int = 0,
    level: float = 0.95,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
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
    method : {"moves", "hmc", "mala", "nuts", "sgld"}, optional
        On data, ``"hmc"`` if gradients on all data are cheap, or samples are few and some minutes
        allow it, else ``"sgld"``; without data
        ``"moves"``, which cross ridges that gradients do not, or ``"mala"`` with localization.
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
        took longer than some minutes, there are fewer draws, down to a quarter.  What has not
        settled by then is dropped, too.  Unless num_draws or a checkpoint is named, there are up to
        eight times as many draws, for some minutes at most, while split R-hat of nβL (with
        ``"sgld"`` of the distance from w*, too) exceeds 1.05, the scatter of the chains leaves λ̂
        open by more than 15 % and by more than data sets do, or directions are surely unfilled that
        may change it by a tenth.
    batch_size : int, optional
        Of ``"sgld"`` on data; 256 by default, down to 32 where gradients are costly.
    nu_batch_size : int, optional
        Estimate the singular fluctuation ν from so many random samples, n at most, for each chain
        at every draw, instead of all samples at a few hundred draws.
    trained : bool, optional
        Whether w₀ was found on these data: the interval is then that of data sets with a w₀ of
        their own, else that of data sets with this one, as a truth, at which λ̂ scatters more.
        By default it is taken as trained if it is as near to the minimum of these data as at most
        one truth in a hundred, and else the larger scatter is stated.
    seed : int
    level : float
        Of the interval: scatter of the chains, what steps add and, on data, scatter over data sets.
    checkpoint : path, optional
        File (.npz) from which an interrupted run resumes.
    progress : callable, optional

    Returns
    -------
    Estimate

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> found = estimate_llc(LinearNetworkTarget([1, 1], rank=0), n_beta=100.0)
    >>> abs(found.lam - 0.5) < 0.05
    True
    """
    started_at = time.perf_counter()
    options = AskedSettings(
        method=method,
        n_beta=n_beta,
        localization=localization,
        num_chains=num_chains,
        num_draws=num_draws,
        num_burnin=num_burnin,
        lr=lr,
        batch_size=batch_size,
        nu_batch_size=nu_batch_size,
        trained=trained,
        seed=seed,
        level=level,
    )
    settings = complete_settings(options, target)
    with getattr(target, "session", nullcontext)():
        run = prepare_run(target, settings)
        found = _sampled(run, settings, checkpoint, progress)
        return _final_report(found, run, settings, started_at, progress)


def _sampled(
    run: PreparedRun,
    settings: RunSettings,
    checkpoint: str | Path | None,
    progress: Progress | None,
) -> SettledDraws:
    """Draw, and draw on until the chains agree where the number of draws was left open."""
    chains = run_chains(
        run.kernel,
        num_draws=settings.num_draws,
        num_burnin=settings.num_burnin,
        observer=run.moments,
        checkpoint=checkpoint,
        progress=progress,
    )
    try:
        settled_draws = SettledDraws(chains)
        if settings.extendable and checkpoint is None:
            settled_draws = until_chains_agree(settled_draws, run.kernel, run.moments, progress)
    except KeyboardInterrupt:
        return SettledDraws(replace(chains, interrupted=True))
    return settled_draws


def _final_report(
    settled_draws: SettledDraws,
    run: PreparedRun,
    settings: RunSettings,
    started_at: float,
    progress: Progress | None,
) -> Estimate:
    """The report; if it is cut off a shorter one, as the draws are made."""
    if not settled_draws.chains.interrupted:
        try:
            if progress is not None:
                progress(1.0, f"{settings.method}: all draws are made, errors are next")
            return report_llc(settled_draws, run, settings, time.perf_counter() - started_at)
        except KeyboardInterrupt:
            settled_draws = SettledDraws(replace(settled_draws.chains, interrupted=True))
    # Whoever stopped it waits for nothing long; the next Ctrl-C ends the run.
    rough = run.moments is not None and run.moments.skip_descents()
    answer = report_llc(settled_draws, run, settings, time.perf_counter() - started_at)
    return answer.warn(ROUGH) if rough else answer
