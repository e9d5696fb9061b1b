"""A run on a torch network: preparation, burn-in, draws, losses of probes, resumption."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import DivergedError, InputError
from rlct.sampling.arrays import Array
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.networks.chain_ranks import ChainDivergence, ChainRanks
from rlct.sampling.networks.kernel_loop import KernelLoop
from rlct.sampling.networks.langevin_loop import GAUGE_EVERY, Floats, LangevinLoop, LoopTraces
from rlct.sampling.networks.memory_plan import MemoryPlan, plan_memory
from rlct.sampling.networks.observed_samples import LossFile, ObservedSamples
from rlct.sampling.networks.run_file import RunFile
from rlct.sampling.networks.start_point import StartPoint, look_around
from rlct.system.interrupts import deferred_interrupt

__all__ = ["NetworkRun", "prepare_network_run"]

STIFFNESS = 0.4  # of ε(nβh + γ), h the sharpest curvature: its variance is then 10 % too large
EXCESS_ALLOWED = 0.1  # of λ̂, to which the burn-in lowers what the step adds
WATCHED = (0.25, 0.5, 0.75)  # of the burn-in, where the step is looked at
LEAST_GAUGES = 4  # on which a look rests
RESTARTS = 6  # with a quarter of a step that was found, where chains diverge
PROBE_DRAWS = 25  # draws at which the losses of the probes are kept, at most
PROBE_SHARE = 0.2  # of the sample gradients of the sampling, for these: a fifteenth of their work
PROGRESS_EVERY = 20  # steps, a convention
KERNEL_VECTORS = 12  # of a chain with a test: places, forces, momenta, and these of a proposal
PRECONDITIONED = 3  # of a chain with squares of slopes and scaling
WHOLE_BATCH = 1024  # samples of a call, where gradients are on all data
MOST_LOOKS, LEAST_LOOKS = 200, 10  # draws of each chain at which all losses are looked at
LOOK_WORK = 2e10  # products that these take together
ROOM = 2**22  # losses that are held then: 16 MB
LEAST_DRAWS = 20  # that are worth returning after Ctrl-C


@dataclass
class NetworkRun:
    """A run as it goes: the chains, their traces, and losses of probes at some draws.

    Parameters
    ----------
    loss : NetworkLoss
    settings : RunSettings
        With the step that was found.
    plan : MemoryPlan
    start : StartPoint
    start_losses : torch.Tensor, shape (n,)
        ℓ_i(w*).
    start_mean : float
        Their mean, in double precision.
    ranks : ChainRanks
        Which chains run here.
    loop : LangevinLoop or KernelLoop
    traces : LoopTraces
    probe_losses : list of array, shape (chains, probes)
        ℓ_i(w) − ℓ_i(w*) of the probes, at draws that are equally far apart.
    observed : ObservedSamples, optional
        Of which losses are kept in the place of those of the probes.
    begin : mapping, optional
        State of a loop from which chains start in the place of w*.
    interrupted : bool
    seconds : float
        That the steps took.
    started_at : float
        Time of a clock when they began, or would have without a break.
    """

    loss: NetworkLoss
    settings: RunSettings
    plan: MemoryPlan
    start: StartPoint
    start_losses: Array
    start_mean: float
    ranks: ChainRanks
    loop: LangevinLoop | KernelLoop = field(init=False)
    traces: LoopTraces = field(init=False)
    probe_losses: Any = field(default_factory=list)
    observed: ObservedSamples | None = None
    begin: dict[str, Any] | None = None
    interrupted: bool = False
    seconds: float = 0.0
    started_at: float = 0.0

    def __post_init__(self) -> None:
        sizes = self.settings
        every = GAUGE_EVERY if sizes.kernel.on_batches else 1
        self.traces = LoopTraces.empty(self.plan.chains, sizes.num_burnin, sizes.num_draws, every)
        self.restart(sizes.lr)

    def restart(self, step_size: float | None) -> None:
        """Begin anew, of mini-batches with another step."""
        self.probe_losses.clear()
        self.loop = self._new_loop(step_size)
        if self.begin is not None:
            self.loop.go_on(self.begin, step_size)

    def _new_loop(self, step_size: float | None) -> LangevinLoop | KernelLoop:
        if not self.settings.kernel.on_batches:
            return KernelLoop(self.target, self.settings, self.ranks.numbers)
        assert step_size is not None
        return LangevinLoop(
            self.loss,
            self.start_losses,
            self.plan,
            n_beta=self.settings.n_beta,
            localization=self.settings.localization,
            weight_decay=self.settings.weight_decay,
            step_size=step_size,
            seed=self.settings.seed,
            numbers=self.ranks.numbers,
            precondition=self.settings.precondition,
        )

    @cached_property
    def target(self) -> ModuleTarget:
        """The loss on all data, over the weights that move."""
        most_rows = None
        if self.settings.memory is not None:
            together = self.plan.rows_together * self.plan.chains_together
            most_rows = max(1, together // self.plan.chains)
        target = ModuleTarget.of(
            self.loss,
            weight_decay=self.settings.weight_decay,
            start=self.start_losses,
            most_rows=most_rows,
        )
        target.check()
        return target

    @property
    def fall(self) -> float:
        """How far nβL is seen to lie below that of w*, by a descent or by a draw."""
        fall = self.settings.n_beta * self.start.fall
        if isinstance(self.loop, KernelLoop):
            lowest = float(self.all_traces().draws[0].min())
            fall = max(fall, self.settings.n_beta * self.loop.drop, -lowest)
        return fall

    @property
    def posterior(self) -> TemperedPosterior:
        """What the chains sample."""
        if isinstance(self.loop, KernelLoop):
            return self.loop.posterior
        rng, chains = np.random.default_rng(self.settings.seed), self.settings.num_chains
        level, pull = self.settings.n_beta, self.settings.localization
        return TemperedPosterior(self.target, level, rng=rng, num_chains=chains, localization=pull)

    def anew(self, settings: RunSettings) -> NetworkRun:
        """A run at w* that knows what is around it."""
        return NetworkRun(self.loss, _with_step(settings, self.start), *self._seen)

    def at_other_settings(self, settings: RunSettings, calm: float = 1.0) -> NetworkRun:
        """A run whose chains go on from where these are, with ε in proportion to 1/nβ.

        It is so many times shorter, besides, of mini-batches.

        Their random numbers go on, too: the same ones again would push chains the same way again.
        """
        step_size = self.loop.step_size * min(self.settings.n_beta / settings.n_beta, 1.0) / calm
        found = settings
        if settings.kernel.on_batches:
            found = replace(settings, lr=step_size, watched=True)
        begin = {name: np.array(values) for name, values in self.loop.state().items()}
        return NetworkRun(self.loss, found, *self._seen, begin=begin)

    @property
    def _seen(self) -> tuple[MemoryPlan, StartPoint, Array, float, ChainRanks]:
        """What preparation finds, whatever the settings."""
        return self.plan, self.start, self.start_losses, self.start_mean, self.ranks

    def all_traces(self) -> LoopTraces:
        """The traces of the chains of all processes."""
        return self.ranks.all_traces(self.traces)

    @cached_property
    def probes(self) -> Array:
        """Rows of the samples whose losses are kept, so many that they stay cheap."""
        if self.observed is not None:
            return import_torch().arange(len(self.observed.samples))
        rows = self.start.probes
        if self._looks_at_all:
            count = len(self.loss.samples)
            size = min(count, max(1, ROOM // (LEAST_LOOKS * self.plan.chains)))
            # Random numbers of its own: chains are the same whatever is looked at.
            chosen = np.sort(np.random.default_rng(count).choice(count, size, replace=False))
            return import_torch().as_tensor(chosen)
        steps = self.settings.num_draws + self.settings.num_burnin
        most = int(PROBE_SHARE * steps * self.plan.batch_size / PROBE_DRAWS)
        return rows[:: max(1, -(-len(rows) // max(most, 1)))]

    @property
    def _looks_at_all(self) -> bool:
        """Whether losses of all samples are looked at often, where draws are on all data."""
        kept = self.observed is not None or self.settings.tokens
        return not kept and (not self.settings.kernel.on_batches or self.settings.errors == "data")

    @property
    def probe_every(self) -> int:
        """Draws from a look at losses of samples to the next."""
        if isinstance(self.probe_losses, LossFile):
            return self.traces.every
        looks = PROBE_DRAWS
        if self._looks_at_all:
            losses = self.plan.chains * len(self.probes)
            affordable = min(LOOK_WORK / self.loss.sample_work, ROOM) / losses
            looks = int(np.clip(affordable, LEAST_LOOKS, MOST_LOOKS))
        return -(-self.settings.num_draws // looks)

    def sample(self, checkpoint: str | Path | None, progress: Progress | None) -> None:
        """Burn in and draw; what is drawn so far survives Ctrl-C.

        Raises
        ------
        DivergedError
            At the first step where a loss is no number, and a smaller step does not help.
        KeyboardInterrupt
            At Ctrl-C before there are draws to return.
        """
        file = None if checkpoint is None else RunFile(self.ranks.own_file(checkpoint), self)
        if file is not None:
            file.load(self)
        self._sample_on(file, progress)

    def burn_in(self, progress: Progress | None) -> float:
        """Make the burn-in alone, and say at which step size it ends."""
        self.traces = self.traces.first(0)
        self.sample(None, progress)
        return self.loop.step_size

    def draw_on(self, draws: int, progress: Progress | None) -> None:
        """Make more draws with the same chains."""
        self.traces = self.traces.extended(draws)
        self._sample_on(None, progress)

    def _sample_on(self, file: RunFile | None, progress: Progress | None) -> None:
        """Make the steps that are left; anew and smaller where a step that was found diverges."""
        self.started_at = time.perf_counter() - self.seconds
        for tries in range(1, RESTARTS + 1):
            divergence = self._divergence(file, progress)
            if divergence is None:
                break
            words, final = divergence
            if final or tries == RESTARTS:
                raise DivergedError(words)
            self.restart(self.loop.step_size / 4)
        self.seconds = time.perf_counter() - self.started_at

    def _divergence(
        self, file: RunFile | None, progress: Progress | None
    ) -> ChainDivergence | None:
        """Make all steps, unless a chain diverges, here or in another process."""
        try:
            self._steps(file, progress)
        except _DivergedElsewhereError as problem:
            return problem.divergence
        except DivergedError as problem:
            # A loss that falls without end does so by smaller steps, too.
            fallen = bool((self.traces.losses[:, self.loop.step_count] < 0).any())
            final = fallen or not self.settings.watched
            return self.ranks.agree((str(problem), final))
        return None if self.interrupted else self.ranks.agree(None)

    def _steps(self, file: RunFile | None, progress: Progress | None) -> None:
        traces = self.traces
        total = traces.losses.shape[1]
        watched_steps = (
            [int(share * traces.burnin) for share in WATCHED] if self.settings.watched else []
        )
        # What a process saved may be from before a look whose outcome this one has in its file.
        least_steps = min(self.ranks.of_each(self.loop.step_count))
        for step in watched_steps:
            if least_steps <= step < self.loop.step_count:
                self._step_factor(step)
        probe_every = self.probe_every
        try:
            with np.errstate(all="ignore"), deferred_interrupt() as stop_requests:
                while self.loop.step_count < total:
                    if self.loop.step_count in watched_steps:
                        assert isinstance(self.loop, LangevinLoop)
                        self.loop.step_size *= self._step_factor(self.loop.step_count)
                    draws = self.loop.step_count + 1 - traces.burnin
                    if draws > 0 and draws % probe_every == 0:
                        self.probe_losses.append(self.loop.step(traces, self._probe))
                    else:
                        self.loop.step(traces)
                    if file is not None:
                        file.save(self, now=bool(stop_requests) or self.loop.step_count == total)
                    if stop_requests:
                        raise KeyboardInterrupt
                    if progress is not None and self.loop.step_count % PROGRESS_EVERY == 0:
                        progress(
                            self.loop.step_count / total, f"step {self.loop.step_count} of {total}"
                        )
        except KeyboardInterrupt:
            draws = self.loop.step_count - traces.burnin
            if draws < LEAST_DRAWS:
                few = f"before {LEAST_DRAWS} draws of each chain"
                raise KeyboardInterrupt(few if draws > 0 else "in the burn-in") from None
            self.traces = traces.first(draws)
            self.interrupted = True

    def _step_factor(self, step: int) -> float:
        """Less than 1 where ε adds more than a tenth: w* is often flatter than where chains go."""
        divergence = self.ranks.agree(None)
        if divergence is not None:
            raise _DivergedElsewhereError(divergence)
        gauges = range(step // GAUGE_EVERY // 2, step // GAUGE_EVERY)
        if len(gauges) < LEAST_GAUGES:
            return 1.0
        excess = self.ranks.gathered(self.traces.excess[:, gauges.start : gauges.stop]).mean()
        losses = self.ranks.gathered(self.traces.losses[:, step // 2 : step]).mean()
        share = excess / max(abs(losses - excess), 1e-12)  # below 0 where w* is no minimum
        return max(EXCESS_ALLOWED / share, 0.1) if share > EXCESS_ALLOWED else 1.0

    @cached_property
    def probe_start(self) -> Array:
        """ℓ_i(w*) of the samples, or their tokens, whose losses are kept."""
        if self.settings.tokens:
            return self._losses_of_probes(self.loss.centre[None])[0]
        if self.observed is not None:
            return self.observed.start_losses
        return self.start_losses[self.probes.to(self.start_losses.device)]

    def _losses_of_probes(self, weights: Array) -> Array:
        rows, size = self.probes, self.plan.rows_together
        samples = self.loss.samples if self.observed is None else self.observed.samples
        losses = self.loss.token_losses if self.settings.tokens else self.loss.sample_losses
        values = [
            losses(weights, *samples.take(rows[at : at + size])) for at in range(0, len(rows), size)
        ]
        return import_torch().cat(values, dim=1)

    def _probe(self, weights: Array) -> Floats:
        """Losses of the probes at these weights, less those at w*."""
        change = self._losses_of_probes(weights) - self.probe_start
        found: Floats = change.float().cpu().numpy()
        return found


def prepare_network_run(loss: NetworkLoss, asked_settings: RunSettings) -> NetworkRun:
    """Measure memory, the loss at w* and what is around it, and put the chains there."""
    ranks, samples = ChainRanks(asked_settings.num_chains), len(loss.samples)
    vectors = KERNEL_VECTORS
    if asked_settings.kernel.on_batches:
        vectors = PRECONDITIONED if asked_settings.precondition else 1
    memory_plan = plan_memory(
        loss,
        len(ranks.numbers),
        asked_settings.batch_size or min(samples, WHOLE_BATCH),
        asked_settings.memory,
        chain_vectors=vectors,
    )
    rows_together = memory_plan.rows_together
    start_losses, start_mean = loss.start_losses(rows_together)
    steps = asked_settings.num_burnin + asked_settings.num_draws
    work = steps * asked_settings.gradients(samples)
    start = look_around(loss, start_losses, work, asked_settings.seed, rows_together)
    found_settings = _with_step(asked_settings, start)
    return NetworkRun(loss, found_settings, memory_plan, start, start_losses, start_mean, ranks)


def _with_step(settings: RunSettings, start: StartPoint) -> RunSettings:
    """The settings with a step by the curvature at w*, where none is named."""
    if settings.lr is not None or not settings.kernel.on_batches:
        return settings
    stiff = settings.n_beta * start.curvature + settings.pull
    if not stiff > 0:
        raise InputError(
            "the loss is flat at w* and nothing confines the chains: name localization or lr"
        )
    return replace(settings, lr=STIFFNESS / stiff, watched=True)


class _DivergedElsewhereError(Exception):
    """A chain of another process has diverged."""

    def __init__(self, divergence: ChainDivergence) -> None:
        super().__init__(divergence[0])
        self.divergence = divergence
