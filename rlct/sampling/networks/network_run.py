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

from rlct.errors import DivergedError
from rlct.sampling.arrays import Array
from rlct.sampling.local.local_run import LocalRun
from rlct.sampling.local.sample_losses import SampleLosses
from rlct.sampling.local.spikes import SpikedRun
from rlct.sampling.markov_chains.chains import Chains, Progress
from rlct.sampling.markov_chains.checkpoint import RunFile
from rlct.sampling.markov_chains.kernel import RunSettings
from rlct.sampling.markov_chains.kernel_loop import KernelLoop
from rlct.sampling.markov_chains.spectrum import Curvatures
from rlct.sampling.markov_chains.traces import LoopTraces
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.modules.samples import TensorSamples
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.networks.chain_ranks import ChainDivergence, ChainRanks, DivergedElsewhereError
from rlct.sampling.networks.langevin_loop import GAUGE_EVERY, LangevinLoop
from rlct.sampling.networks.memory_plan import MemoryPlan
from rlct.sampling.networks.observed_samples import LossFile
from rlct.sampling.networks.start_point import (
    CURVATURE_SHARE,
    HessianDensity,
    StartPoint,
    hessian_density,
)
from rlct.sampling.networks.step_choice import fitting_step, step_by_excess, with_found_step
from rlct.sampling.targets.target import Floats

COOLED_SHARE = 0.5  # of a step: where less is left chains start anew, as they would cool slowly
WATCHED_SHARES = (0.125, 0.25, 0.5, 0.75)  # of the burn-in, where the step is looked at
LEAST_GAUGES = 4  # on which a look rests
MOST_RESTARTS = 6  # with a quarter of a step that was found, where chains diverge
LEAST_LOOKS, MOST_ROWS = 25, 384  # draws at which losses of samples are kept; samples
PROBE_SHARE = 0.2  # of the sample gradients of the sampling, for these: a fifteenth of their work


class NetworkRun(LocalRun):
    """A run on a torch network as it goes.

    The target is the loss on all data, over the weights that move; settings have the step that was
    found.  The start point is of mini-batches, or None; ranks say which chains run here.  Chains
    start from ``begin_state``, of a loop, in the place of w*, if there is one.
    """

    target: ModuleTarget
    loop: LangevinLoop | KernelLoop
    #: Other data, of which losses are kept in the place of those of the data.
    observed: TensorSamples | None = None

    def __init__(
        self,
        target: ModuleTarget,
        run_settings: RunSettings,
        memory_plan: MemoryPlan,
        start_point: StartPoint | None,
        ranks: ChainRanks,
        begin_state: dict[str, Any] | None = None,
    ) -> None:
        self.loss, self.plan, self.start = target.loss, memory_plan, start_point
        self.ranks, self.begin = ranks, begin_state
        self._watched_steps: list[int] = []
        self._began_at = 0
        self._seen_density: tuple[int, HessianDensity] | None = None
        every = GAUGE_EVERY if run_settings.kernel.on_batches else 1
        super().__init__(target, run_settings, gauge_every=every)

    @property
    def numbers(self) -> range:
        """Of the chains that run here."""
        return self.ranks.numbers

    def new_loop(self, step_size: float | None) -> LangevinLoop | KernelLoop:
        """The chains at their start, of mini-batches with this step."""
        of = self.settings
        if not of.kernel.on_batches:
            chain_loop: LangevinLoop | KernelLoop = super().new_loop(step_size)
        else:
            assert step_size is not None
            self.landscape = self.start
            chain_loop = LangevinLoop(
                self.loss,
                self.target.start,
                self.plan,
                n_beta=of.n_beta,
                localization=of.localization,
                weight_decay=of.weight_decay,
                step_size=step_size,
                seed=of.seed,
                numbers=self.numbers,
                precondition=bool(of.precondition),
            )
        if self.begin is not None:
            chain_loop.go_on(self.begin, step_size)
        return chain_loop

    def restart(self, step_size: float | None) -> None:
        """Begin anew, of mini-batches with another step."""
        self.looks.clear()
        self.loop = self.new_loop(step_size)

    def fall(self, losses: SampleLosses | None) -> float:
        """How far nβL is seen to lie below that of w*, by a descent or by a draw on all data."""
        return super().fall(losses if isinstance(self.loop, KernelLoop) else None)

    def lacking(self) -> float | None:
        """What of nβL lies in directions that L bends and chains have not filled, by curvatures."""
        if not isinstance(self.loop, LangevinLoop) or self.start is None:
            return super().lacking()
        before = 0 if self.begin is not None else self.traces.burnin - self._began_at
        return self._curvatures.lacking(0.5 * self.loop.step_size, before, self.num_draws)

    @property
    def density(self) -> HessianDensity:
        """Curvatures at w* as the steps of the first of all chains see them; all ask at once."""
        assert self.start is not None
        assert isinstance(self.loop, LangevinLoop)
        if self.loop.scaling is None:
            return self.start.density
        of = self.settings
        learned = min(self.loop.step_count, of.num_burnin)  # later steps are draws, or were
        if self._seen_density is None or self._seen_density[0] != learned:
            scaled_density = None
            if self.ranks.rank == 0:
                steps = of.num_burnin + of.num_draws
                scaled_density = hessian_density(
                    self.loss,
                    self.loss.samples.take(self.start.probes),
                    CURVATURE_SHARE * steps * of.num_chains * self.plan.batch_size,
                    self.plan.rows_together,
                    seed=of.seed,
                    scaling=self.loop.scaling[0],
                    pull=of.pull / of.n_beta,
                )
            self._seen_density = learned, self.ranks.of_each(scaled_density)[0]
        return self._seen_density[1]

    @property
    def _curvatures(self) -> Curvatures:
        assert isinstance(self.loop, LangevinLoop)
        of = self.settings  # a density of scaled steps knows the pull
        return self.density.curvatures(of.n_beta, of.pull if self.loop.scaling is None else 0.0)

    def spiked(self) -> SpikedRun | None:
        """The steps as planted weights would take them: those of a weight of mean scale."""
        if not isinstance(self.loop, LangevinLoop):
            return None
        centre = self.loss.centre
        return SpikedRun(
            n_beta=self.settings.n_beta,
            pull=self.settings.pull,
            sharpest=self.density.sharpest,
            step_size=self.loop.step_size,
            num_burnin=self.traces.burnin - self._began_at,
            num_draws=self.num_draws,
            weight_size=float(centre.double().square().mean().sqrt()),
            dtype=str(centre.dtype).removeprefix("torch."),
            seed=self.settings.seed,
        )

    def diagnostics(self) -> dict[str, float]:
        """Numbers of this kind of run."""
        return {
            "curvature": self.curvature or 0.0,
            "loss at w*": self.target.baseline,
            "sample gradients": float(self.loss.count.gradients),
            "sample forwards": float(self.loss.count.forwards),
            "bytes": self.plan.bytes_needed,
        }

    def chains(self) -> Chains:
        """The draws so far, with all weights."""
        drawn = super().chains()
        if self.loss.mask is None or not isinstance(self.loop, KernelLoop):
            return drawn
        ends = self.target.offsets(self.loop.kernel.w)
        return replace(drawn, w=self.posterior.arrays.numpy(ends)[None])

    def anew(self, settings: RunSettings) -> NetworkRun:
        """A run at w* that knows what is around it."""
        settings = with_found_step(settings, self.start)
        return NetworkRun(self.target, settings, self.plan, self.start, self.ranks)

    def at_other_settings(self, settings: RunSettings, calm: float = 1.0) -> NetworkRun:
        """A run whose chains go on from where these are, with ε in proportion to 1/nβ.

        It is so many times shorter, besides, of mini-batches.

        Their random numbers go on, too: the same ones again would push chains the same way again.
        """
        step_size = self.loop.step_size * min(self.settings.n_beta / settings.n_beta, 1.0) / calm
        new_settings = settings
        if settings.kernel.on_batches:
            new_settings = replace(settings, lr=step_size, watched=True)
        begin = {name: np.array(values) for name, values in self.loop.state().items()}
        return NetworkRun(self.target, new_settings, self.plan, self.start, self.ranks, begin)

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
            return np.arange(len(self.observed))
        if self._looks_at_all:
            return super().rows
        rows = super().rows if self.start is None else np.asarray(self.start.probes)
        most = np.clip(int(self._look_work / LEAST_LOOKS), 1, MOST_ROWS)
        return rows[:: max(1, -(-len(rows) // int(most)))]

    @property
    def _look_work(self) -> float:
        """Samples that may be looked at, all draws of a chain together."""
        steps = self.settings.num_draws + self.settings.num_burnin
        return PROBE_SHARE * steps * self.plan.batch_size

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
        if self._looks_at_all:
            return super().look_every
        looks = max(int(self._look_work / len(self.rows)), LEAST_LOOKS)
        return -(-self.settings.num_draws // looks)

    @property
    def samples_total(self) -> int:
        """Size of the data that are looked at."""
        return len(self.loss.samples if self.observed is None else self.observed)

    @cached_property
    def _start_of_looks(self) -> Array:
        """ℓ_i(w*) of the samples, or their tokens, whose losses are kept."""
        if self.settings.tokens or self.observed is not None:
            return self._losses_of_rows(self.loss.centre[None])[0]
        return self.target.start[import_torch().as_tensor(self.rows, device=self.loss.device)]

    @property
    def start_losses(self) -> Floats:
        """The same on NumPy."""
        found: Floats = self._start_of_looks.float().cpu().numpy()
        return found

    def _losses_of_rows(self, weights: Array) -> Array:
        rows, size = import_torch().as_tensor(self.rows), self.plan.rows_together
        samples = self.loss.samples if self.observed is None else self.observed
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
        length = float(self.loss.centre.double().square().sum())
        start = [self.target.baseline, length, self.target.dimension]
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
        for tries in range(1, MOST_RESTARTS + 1):
            divergence = self._divergence(file, progress)
            if divergence is None:
                break
            words, final = divergence
            if final or tries == MOST_RESTARTS:
                raise DivergedError(words)
            self.restart(self.loop.step_size / 4)
        self.seconds = time.perf_counter() - self._started_at

    def _divergence(
        self, file: RunFile | None, progress: Progress | None
    ) -> ChainDivergence | None:
        """Make all steps, unless a chain diverges, here or in another process."""
        try:
            self._steps(file, progress)
        except DivergedElsewhereError as problem:
            return problem.divergence
        except DivergedError as problem:
            # A loss that falls without end does so by smaller steps, too.
            fallen = bool((self.traces.losses[:, self.loop.step_count] < 0).any())
            final = fallen or not self.settings.watched
            return self.ranks.agree((str(problem), final))
        return None if self.interrupted else self.ranks.agree(None)

    def _steps(self, file: RunFile | None, progress: Progress | None) -> None:
        if self.settings.watched:
            self._watched_steps = [int(share * self.traces.burnin) for share in WATCHED_SHARES]
            if self.traces.burnin > self.settings.num_burnin:  # by draws that were not enough
                self._watched_steps.append(self.traces.burnin)
        # What a process saved may be from before a look whose outcome this one has in its file.
        least_steps = min(self.ranks.of_each(self.loop.step_count))
        for step in self._watched_steps:
            if least_steps <= step < self.loop.step_count:
                self._bearable_step(step)
        super()._steps(file, progress)

    def _before_step(self) -> None:
        if self.loop.step_count in self._watched_steps:
            assert isinstance(self.loop, LangevinLoop)
            step_size = self._bearable_step(self.loop.step_count)
            in_burnin = self.loop.step_count < self.traces.burnin
            if in_burnin and step_size < COOLED_SHARE * self.loop.step_size:
                self.loop.go_back(self.loss.centre if self.begin is None else self.begin["weights"])
                self._began_at = self.loop.step_count
            self.loop.step_size = step_size

    def _bearable_step(self, step: int) -> float:
        """What w* bears as chains scale their steps, or less, where ε adds more than a tenth there.

        W* is often flatter than where chains go.  A process that has it in its file tells others.
        """
        divergence = self.ranks.agree(None)
        if divergence is not None:
            raise DivergedElsewhereError(divergence)
        assert isinstance(self.loop, LangevinLoop)
        decided = self.ranks.of_each(self.loop.looks.get(step))
        if decided == [None] * len(decided):
            decided = [self._look_at_step(step, self.loop)]
        self.loop.looks[step] = next(size for size in decided if size is not None)
        return self.loop.looks[step]

    def _look_at_step(self, step: int, loop: LangevinLoop) -> float:
        first = max(step // 2, self._began_at)  # steps before were longer
        gauges = self.traces.excess[:, self.traces.gauges_between(first, step)]
        if gauges.shape[1] < LEAST_GAUGES:
            return loop.step_size
        excess = self.ranks.gathered(gauges).mean()
        losses = self.ranks.gathered(self.traces.losses[:, first:step]).mean()
        # Slopes are as noisy at the first step as later, while nβL still grows to λ̂ + excess.
        begun = first - self._began_at
        lacking = self._curvatures.lacking(0.5 * loop.step_size, begun, step - first)
        filled_share = 1.0 - lacking / max(self._curvatures.regular, 1e-12)
        fitting = loop.step_size
        if loop.scaling is not None:
            fitting = fitting_step(self.settings.n_beta * self.density.sharpest)
        return step_by_excess(loop.step_size, fitting, excess, losses, filled_share)
