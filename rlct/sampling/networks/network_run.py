"""A run on a torch network: preparation, burn-in, draws, losses of probes, resumption."""

from __future__ import annotations

import time
import zlib
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import DivergedError, InputError
from rlct.sampling.arrays import Array
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.local_run import LocalRun
from rlct.sampling.markov_chains.chains import ChainRun, Chains, Progress
from rlct.sampling.markov_chains.checkpoint import RunFile
from rlct.sampling.markov_chains.kernel_loop import KernelLoop
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.traces import LoopTraces
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.networks.chain_ranks import ChainDivergence, ChainRanks
from rlct.sampling.networks.langevin_loop import GAUGE_EVERY, LangevinLoop
from rlct.sampling.networks.memory_plan import MemoryPlan, plan_memory
from rlct.sampling.networks.observed_samples import LossFile, ObservedSamples
from rlct.sampling.networks.sample_losses import SampleLosses
from rlct.sampling.networks.start_point import StartPoint, look_around
from rlct.sampling.targets.target import Floats

__all__ = ["NetworkRun", "prepare_network_run"]

STIFFNESS = 0.4  # of ε(nβh + γ), h the sharpest curvature: its variance is then 10 % too large
EXCESS_ALLOWED = 0.1  # of λ̂, to which the burn-in lowers what the step adds
WATCHED = (0.25, 0.5, 0.75)  # of the burn-in, where the step is looked at
LEAST_GAUGES = 4  # on which a look rests
RESTARTS = 6  # with a quarter of a step that was found, where chains diverge
PROBE_DRAWS = 25  # draws at which the losses of the probes are kept, at most
PROBE_SHARE = 0.2  # of the sample gradients of the sampling, for these: a fifteenth of their work
KERNEL_VECTORS = 12  # of a chain with a test: places, forces, momenta, and these of a proposal
PRECONDITIONED = 3  # of a chain with squares of slopes and scaling
WHOLE_BATCH = 1024  # samples of a call, where gradients are on all data


class NetworkRun(LocalRun):
    """A run on a torch network as it goes.

    Parameters
    ----------
    loss : NetworkLoss
    settings : RunSettings
        With the step that was found.
    plan : MemoryPlan
    start : StartPoint
    ranks : ChainRanks
        Which chains run here.
    begin : mapping, optional
        State of a loop from which chains start in the place of w*.

    Attributes
    ----------
    observed : ObservedSamples or None
        Of which losses are kept in the place of those of the data.
    """

    loop: LangevinLoop | KernelLoop

    def __init__(
        self,
        loss: NetworkLoss,
        settings: RunSettings,
        plan: MemoryPlan,
        start: StartPoint,
        ranks: ChainRanks,
        begin: dict[str, Any] | None = None,
    ) -> None:
        self.loss, self.settings, self.plan = loss, settings, plan
        self.start, self.ranks, self.begin = start, ranks, begin
        self.observed: ObservedSamples | None = None
        self._gradients_before = loss.count.gradients
        self._watched_steps: list[int] = []
        every = GAUGE_EVERY if settings.kernel.on_batches else 1
        lengths = settings.num_burnin, settings.num_draws
        ChainRun.__init__(self, self._new_loop(settings.lr), *lengths, gauge_every=every)
        self.look_at = self.losses_at

    def _new_loop(self, step_size: float | None) -> LangevinLoop | KernelLoop:
        of = self.settings
        loop: LangevinLoop | KernelLoop
        if not of.kernel.on_batches:
            loop = self.kernel_loop(self.target, self.ranks.numbers)
        else:
            assert step_size is not None
            loop = LangevinLoop(
                self.loss,
                self.start.losses,
                self.plan,
                n_beta=of.n_beta,
                localization=of.localization,
                weight_decay=of.weight_decay,
                step_size=step_size,
                seed=of.seed,
                numbers=self.ranks.numbers,
                precondition=of.precondition,
            )
        if self.begin is not None:
            loop.go_on(self.begin, step_size)
        return loop

    def restart(self, step_size: float | None) -> None:
        """Begin anew, of mini-batches with another step."""
        self.looks.clear()
        self.loop = self._new_loop(step_size)

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
            start=self.start.losses,
            most_rows=most_rows,
        )
        target.check()
        return target

    @property
    def dimension(self) -> int:
        """Number of weights that move."""
        return self.loss.moving

    @property
    def n_beta(self) -> Floats:
        """Of the single rung."""
        return np.full(1, self.settings.n_beta)

    @property
    def samples(self) -> int:
        """Size of the data set."""
        return len(self.loss.samples)

    @property
    def radius(self) -> None:
        """There is no box."""

    @property
    def pull(self) -> float:
        """Precision of localization and prior together."""
        return self.settings.pull

    @property
    def loose(self) -> bool:
        """Whether nothing confines the chains."""
        return not self.settings.pull and isinstance(self.loop, KernelLoop)

    @property
    def remark(self) -> str:
        """What is to be said of the module."""
        return self.loss.function.remark

    @property
    def curvature(self) -> float:
        """Sharpest curvature of the loss at w*."""
        return self.start.curvature

    @property
    def shift(self) -> float:
        """What is added to the mean of nβL where it is counted from ``init_loss``."""
        if self.settings.init_loss is None:
            return 0.0
        return self.settings.n_beta * (self.start.mean - self.settings.init_loss)

    @property
    def sample_work(self) -> float:
        """Products that the gradient on a sample takes as long as."""
        return self.loss.sample_work

    @property
    def work(self) -> float:
        """Products that all gradients so far took as long as."""
        return (self.loss.count.gradients - self._gradients_before) * self.sample_work

    def fall(self, losses: SampleLosses | None) -> float:
        """How far nβL is seen to lie below that of w*, by a descent or by a draw."""
        by_descent = self.settings.n_beta * self.start.fall
        if isinstance(self.loop, KernelLoop):
            return max(by_descent, super().fall(losses))
        return by_descent

    @property
    def posterior(self) -> TemperedPosterior:
        """What the chains sample."""
        if isinstance(self.loop, KernelLoop):
            return self.loop.posterior
        rng, chains = np.random.default_rng(self.settings.seed), self.settings.num_chains
        level, pull = self.settings.n_beta, self.settings.localization
        return TemperedPosterior(self.target, level, rng=rng, num_chains=chains, localization=pull)

    def diagnostics(self) -> dict[str, float]:
        """Numbers of this kind of run."""
        return {
            "curvature": self.start.curvature,
            "loss at w*": self.start.mean,
            "sample gradients": float(self.loss.count.gradients),
            "sample forwards": float(self.loss.count.forwards),
            "bytes": self.plan.bytes_needed,
        }

    def chains(self) -> Chains:
        """The draws so far, with all weights."""
        found = super().chains()
        if self.loss.mask is None or not isinstance(self.loop, KernelLoop):
            return found
        ends = self.target.offsets(self.loop.kernel.w)
        return replace(found, w=self.posterior.arrays.numpy(ends)[None])

    def anew(self, settings: RunSettings) -> NetworkRun:
        """A run at w* that knows what is around it."""
        found = _with_step(settings, self.start)
        return NetworkRun(self.loss, found, self.plan, self.start, self.ranks)

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
        return NetworkRun(self.loss, found, self.plan, self.start, self.ranks, begin)

    def all_traces(self) -> LoopTraces:
        """The traces of the chains of all processes."""
        return self.ranks.all_traces(self.traces)

    def gathered(self, values: Floats) -> Floats:
        """Rows of the chains of all processes."""
        return self.ranks.gathered(values)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """Rows of the samples whose losses are kept, so many that they stay cheap."""
        if self.observed is not None:
            return np.arange(len(self.observed.samples))
        if self._looks_at_all:
            return super().rows
        steps = self.settings.num_draws + self.settings.num_burnin
        most = int(PROBE_SHARE * steps * self.plan.batch_size / PROBE_DRAWS)
        rows = self.start.probes
        return np.asarray(rows[:: max(1, -(-len(rows) // max(most, 1)))])

    @property
    def _looks_at_all(self) -> bool:
        """Whether losses of all samples are looked at often, where draws are on all data."""
        kept = self.observed is not None or self.settings.tokens
        return not kept and (not self.settings.kernel.on_batches or self.settings.errors == "data")

    @property
    def look_every(self) -> int:
        """Draws from a look at losses of samples to the next."""
        if isinstance(self.looks, LossFile):
            return self.traces.every
        return (
            super().look_every if self._looks_at_all else -(-self.settings.num_draws // PROBE_DRAWS)
        )

    @property
    def samples_total(self) -> int:
        """Size of the data that are looked at."""
        return self.samples if self.observed is None else len(self.observed.samples)

    @cached_property
    def _start_of_looks(self) -> Array:
        """ℓ_i(w*) of the samples, or their tokens, whose losses are kept."""
        if self.settings.tokens:
            return self._losses_of_rows(self.loss.centre[None])[0]
        if self.observed is not None:
            return self.observed.start_losses
        return self.start.losses[import_torch().as_tensor(self.rows, device=self.loss.device)]

    @property
    def start_losses(self) -> Floats:
        """The same on NumPy."""
        found: Floats = self._start_of_looks.float().cpu().numpy()
        return found

    def _losses_of_rows(self, weights: Array) -> Array:
        rows, size = import_torch().as_tensor(self.rows), self.plan.rows_together
        samples = self.loss.samples if self.observed is None else self.observed.samples
        losses = self.loss.token_losses if self.settings.tokens else self.loss.sample_losses
        values = [
            losses(weights, *samples.take(rows[at : at + size])) for at in range(0, len(rows), size)
        ]
        return import_torch().cat(values, dim=1)

    def losses_at(self, w: Array) -> Floats:
        """Losses of the samples that are looked at, less those at w*."""
        if isinstance(self.loop, KernelLoop):
            w = self.target.offsets(w) + self.target.centre
        change = self._losses_of_rows(w) - self._start_of_looks
        found: Floats = change.float().cpu().numpy()
        return found

    def identity(self) -> tuple[dict[str, Any], dict[str, Floats]]:
        """Settings and a digest of weights and data, which tell this run from others."""
        no_part = ("memory", "level", "errors")  # of what the chains do
        settings = {k: v for k, v in asdict(self.settings).items() if k not in no_part}
        start = [self.start.mean, float(self.loss.centre.double().square().sum()), self.dimension]
        if self.loss.mask is not None:
            start.append(zlib.crc32(self.loss.mask.bool().cpu().numpy()))
        return settings | {"method": self.settings.kernel.name, "weights or data": start}, {}

    def sample(self, checkpoint: str | Path | None, progress: Progress | None) -> None:
        """Burn in and draw; a file of its own for each process."""
        super().sample(None if checkpoint is None else self.ranks.own_file(checkpoint), progress)

    def burn_in(self, progress: Progress | None) -> float:
        """Make the burn-in alone, and say at which step size it ends."""
        self.traces = self.traces.first(0)
        self.sample(None, progress)
        return self.loop.step_size

    def _sample_on(self, file: RunFile | None, progress: Progress | None) -> None:
        """Make the steps that are left; anew and smaller where a step that was found diverges."""
        self._started_at = time.perf_counter() - self.seconds
        for tries in range(1, RESTARTS + 1):
            divergence = self._divergence(file, progress)
            if divergence is None:
                break
            words, final = divergence
            if final or tries == RESTARTS:
                raise DivergedError(words)
            self.restart(self.loop.step_size / 4)
        self.seconds = time.perf_counter() - self._started_at

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
        if self.settings.watched:
            self._watched_steps = [int(share * self.traces.burnin) for share in WATCHED]
        # What a process saved may be from before a look whose outcome this one has in its file.
        least_steps = min(self.ranks.of_each(self.loop.step_count))
        for step in self._watched_steps:
            if least_steps <= step < self.loop.step_count:
                self._step_factor(step)
        super()._steps(file, progress)

    def _before_step(self) -> None:
        if self.loop.step_count in self._watched_steps:
            assert isinstance(self.loop, LangevinLoop)
            self.loop.step_size *= self._step_factor(self.loop.step_count)

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
    steps = asked_settings.num_burnin + asked_settings.num_draws
    work = steps * asked_settings.gradients(samples)
    start = look_around(loss, work, asked_settings.seed, memory_plan.rows_together)
    return NetworkRun(loss, _with_step(asked_settings, start), memory_plan, start, ranks)


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
