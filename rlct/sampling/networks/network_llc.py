"""The local learning coefficient of a torch network: one lean loop, one error, one verdict."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.sampling.estimate import Estimate
from rlct.sampling.local.facts import Run
from rlct.sampling.markov_chains.chains import Chains
from rlct.sampling.modules.torch_arrays import import_torch, without_vmap_remark
from rlct.sampling.networks.langevin_loop import GAUGE_EVERY, Floats
from rlct.sampling.networks.loop_summary import LoopSummary, summarize_loop
from rlct.sampling.networks.network_loss import NetworkLoss
from rlct.sampling.networks.network_run import NetworkRun, Progress, prepare_network_run
from rlct.sampling.networks.network_settings import complete_network_settings
from rlct.sampling.networks.verdict import RunEffects, Verdict, judge_run

if TYPE_CHECKING:
    import torch

__all__ = ["estimate_network"]

DOUBLINGS = 3  # of the draws, while a run is too short and their number was left open
MOST_GRADIENTS = 10**8  # of samples in such a run, a few minutes of a small network
FEW_WEIGHTS = 20_000  # up to which one thread is faster than several
SURE = 2.0  # standard errors by which a response must differ from 0


def estimate_network(
    module: torch.nn.Module,
    data: Any,
    loss: Any = None,
    *,
    dtype: Any = None,
    device: Any = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Estimate:
    """λ̂ = nβ(E[L(w)] − L(w*)) by Langevin steps on mini-batches, from the weights of a module.

    Parameters
    ----------
    module : torch.nn.Module
    data, loss
        As in `rlct.sampling.modules.module.ModuleTarget`.
    dtype, device : optional
        Of the module by default.
    checkpoint : path, optional
        File (.npz) from which an interrupted run resumes.
    progress : callable, optional
    **options
        Fields of `rlct.sampling.networks.network_settings.NetworkSettings` by name.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> import torch
    >>> x = torch.randn(200, 3, generator=torch.Generator().manual_seed(0))
    >>> net = torch.nn.Linear(3, 2)
    >>> found = estimate_network(net, (x, net(x).detach()), num_draws=1000)
    >>> abs(found.lam - 3.8) < 0.5, found.verdict  # 8/2, less what γ = 1 takes
    (True, 'usable')
    """
    started_at = time.perf_counter()
    with without_vmap_remark():
        held = NetworkLoss(module, data, loss, dtype=dtype, device=device)
        settings = complete_network_settings(held, options)
        with _suitable_threads(held):
            run = prepare_network_run(held, settings)
            run.sample(checkpoint, progress)
            summary, verdict = _judged(run)
            for _ in range(DOUBLINGS):
                more = 2 * held.count.gradients <= MOST_GRADIENTS and settings.extendable
                if run.interrupted or verdict.cause != "too short" or checkpoint or not more:
                    break
                run.draw_on(run.traces.losses.shape[1] - run.traces.burnin, progress)
                summary, verdict = _judged(run)
    return _estimate(run, summary, verdict, time.perf_counter() - started_at)


@contextmanager
def _suitable_threads(loss: NetworkLoss) -> Iterator[None]:
    """One thread for small networks, whose operations are too short to be shared out."""
    torch = import_torch()
    threads = torch.get_num_threads()
    if loss.device.type == "cpu" and loss.dimension <= FEW_WEIGHTS:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _judged(run: NetworkRun) -> tuple[LoopSummary, Verdict]:
    """What the traces say, and the verdict on it."""
    settings, loop = run.settings, run.loop
    summary = summarize_loop(run.traces, loop.moving, settings.localization, settings.level)
    if settings.init_loss is not None:
        shift = settings.n_beta * (run.start_mean - settings.init_loss)
        summary = replace(summary, lam=summary.lam + shift)
    response = abs(summary.response) - SURE * summary.response_error
    return summary, judge_run(
        RunEffects(
            lam=summary.lam,
            half_width=summary.half_width,
            unfilled=summary.unfilled,
            excess=summary.excess,
            fall=settings.n_beta * run.start.fall,
            response=float(np.sign(summary.response)) * max(response, 0.0),
            effective_draws=summary.ess,
            draws=run.traces.losses.shape[1] - run.traces.burnin,
            seconds_per_step=run.seconds / max(loop.step_count, 1),
            step_size=loop.step_size,
            localization=settings.localization,
        )
    )


def _estimate(run: NetworkRun, summary: LoopSummary, verdict: Verdict, seconds: float) -> Estimate:
    settings, loop, traces = run.settings, run.loop, run.traces
    lam, half = summary.lam, summary.half_width
    notes = [verdict.sentence] if verdict.sentence else []
    if run.interrupted:
        notes.append("interrupted: there are fewer draws than were asked for")
    if run.loss.function.remark:
        notes.append(run.loss.function.remark)
    return Estimate(
        lam=lam,
        interval=(lam - half, lam + float(np.hypot(half, 0.5 * summary.excess))),
        level=settings.level,
        theta=None,
        theta_interval=None,
        error=summary.error,
        degrees=float(settings.num_chains - 1),
        ess=summary.ess,
        rhat=summary.rhat,
        seconds=seconds,
        seed=settings.seed,
        method="sgld",
        warnings=tuple(notes),
        errors={"chains": summary.error},
        verdict=verdict.cause,
        diagnostics={
            **{f"effect of {name}": share for name, share in verdict.effects.items()},
            "excess": summary.excess,
            "filling": summary.virial / max(loop.moving, 1),
            "distance": summary.distance,
            "lr": loop.step_size,
            "curvature": run.start.curvature,
            "loss at w*": run.start_mean,
            "sample gradients": float(run.loss.count.gradients),
            "sample forwards": float(run.loss.count.forwards),
            "bytes": run.plan.bytes_needed,
        },
        chains=_chains(run),
        run=Run(
            n_beta=settings.n_beta,
            localization=settings.localization,
            samples=len(run.loss.samples),
            radius=None,
            dropped=0,
            by_n_beta=(np.nan, np.nan),
            by_localization=(summary.response, summary.response_error),
            step_share=0.25
            * loop.step_size
            * (settings.n_beta * run.start.curvature + settings.localization),
            excess=summary.excess,
            descent=settings.n_beta * run.start.fall,
            curvature=run.start.curvature,
        ),
    )


def _chains(run: NetworkRun) -> Chains:
    """The draws in the form in which tables and pictures take them."""
    traces, settings = run.traces, run.settings
    draws = traces.losses[:, traces.burnin :]
    first = traces.burnin // GAUGE_EVERY

    def at_draws(values: Floats) -> Floats:
        """Of each draw, as last seen before it."""
        return np.repeat(values[:, first:], GAUGE_EVERY, axis=1)[None, :, : draws.shape[1]]

    return Chains(
        n_beta=np.full(1, settings.n_beta),
        draws=draws[None],
        acceptance=np.full((1, settings.num_chains), np.nan),
        lr=np.full((1, settings.num_chains), run.loop.step_size),
        w=(run.loop.weights - run.loss.centre).float().cpu().numpy()[None],
        distance=np.sqrt(at_draws(traces.squares)),
        excess=at_draws(traces.excess),
        gradients=run.loop.step_count,
        interrupted=run.interrupted,
        num_burnin=traces.burnin,
    )
