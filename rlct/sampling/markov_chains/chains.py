"""Run many chains in one array: recording, progress, interruption and resumption."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.checks import check_count
from rlct.sampling.kernels import kernel_class
from rlct.sampling.markov_chains.checkpoint import RunFile, probed_losses
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.kernel_loop import KernelLoop
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.traces import LoopTraces
from rlct.sampling.targets.target import Floats, Target
from rlct.system.interrupts import deferred_interrupt

Progress = Callable[[float, str], object]
Observer = Callable[[Array, Array], object]
RUN_NAMES = "thin", "observer", "checkpoint", "progress"
PROGRESS_EVERY = 20  # steps between two calls, a convention
LEAST_DRAWS = 20  # fewer than these are not worth returning after Ctrl-C


@dataclass(frozen=True)
class Chains:
    """Draws of nβK."""

    #: Shape (rungs,).
    n_beta: Floats
    #: Shape (rungs, chains, draws).  nβK, or nβ(L_n(w) − L_n(w₀)) on data.
    draws: Floats
    #: Shape (rungs, chains).  After burn-in; NaN for samplers without a Metropolis step.
    acceptance: Floats
    #: Shape (rungs, chains).  Step size after burn-in; its meaning is the sampler's.
    lr: Floats
    #: Shape (rungs, chains, d).  Last state.
    w: Floats
    #: Shape (rungs, chains, draws).  Euclidean distance from w₀ at each draw.
    distance: Floats
    #: Shape (rungs, chains, draws).  Its mean is about what mini-batches add to the mean of nβK, as
    #: last seen before each draw; None of samplers whose steps have a test.
    excess: Floats | None = None
    #: Shape (rungs, chains, draws).  w·∇U, whose mean is the number of weights where chains know
    #: all of exp(−U), as last seen.
    virial: Floats | None = None
    #: Gradients evaluated per chain.
    gradients: int = 0
    #: Stopped before all draws were made.
    interrupted: bool = False
    #: Steps before the draws.
    num_burnin: int = 0

    @property
    def unbiased(self) -> Floats:
        """Draws of nβK less what the sampler adds to their mean, about."""
        return self.draws if self.excess is None else self.draws - self.excess


class ChainRun:
    """Chains as they go: burn-in, draws, and a file to go on from.

    Each step of the loop is one of all chains; kernels may adapt in those of the burn-in.
    ``gauge_every`` draws lie between measurements of distances and the like; the label is of
    progress.
    """

    #: Called with draws, every so often; ``looks`` keeps what it returns.
    look_at: Callable[[Array], Any] | None = None

    def __init__(
        self, loop: Any, num_burnin: int, num_draws: int, *, gauge_every: int = 1, label: str = ""
    ) -> None:
        for name, value, least in (("num_draws", num_draws, 1), ("num_burnin", num_burnin, 0)):
            check_count(name, value, least)
        self.loop, self.label = loop, label
        self.looks: Any = []
        self.traces = LoopTraces.empty(len(loop.sizes()), num_burnin, num_draws, gauge_every)
        self.interrupted, self.seconds, self._started_at = False, 0.0, 0.0

    @property
    def look_every(self) -> int:
        """Draws from a look to the next."""
        return 1

    @property
    def num_draws(self) -> int:
        """Draws of each chain, as far as they are made or asked for."""
        return int(self.traces.losses.shape[1]) - self.traces.burnin

    def sample(self, checkpoint: str | Path | None, progress: Progress | None) -> None:
        """Burn in and draw, from where the file ends; what is drawn survives Ctrl-C.

        DivergedError at the first step where a loss is not finite, or has fallen without end;
        InputError if the file belongs to another run; KeyboardInterrupt, whose message says where,
        at Ctrl-C before there are enough draws to return.
        """
        file = None if checkpoint is None else RunFile(checkpoint, *self.identity())
        if file is not None:
            self._load(file)
        self._sample_on(file, progress)

    def draw_on(self, draws: int, progress: Progress | None, *, anew: bool = False) -> None:
        """Make more draws with the same chains; anew, those so far are burn-in."""
        if anew:
            self.traces.burnin += self.num_draws - self.num_draws % self.traces.every
            self.looks.clear()
        self.traces = self.traces.extended(draws)
        self._sample_on(None, progress)

    def identity(self) -> tuple[dict[str, Any], dict[str, Floats]]:
        """Settings that tell this run from others, and losses at a few points."""
        kernel, posterior = self.loop.kernel, self.loop.posterior
        lengths = {"num_draws": self.num_draws, "num_burnin": self.traces.burnin}
        settings = {"method": kernel.name, **posterior.settings(), **lengths}
        settings |= {"thin": self.loop.thin, "lr": kernel.sizes().tolist(), **kernel.notes()}
        settings |= {"looks": self.look_every, "seed": posterior.arrays.state()}
        return settings, probed_losses(posterior.target, posterior.arrays)

    def _load(self, file: RunFile) -> None:
        with file.read() as content:
            if content is not None:
                self.loop.restore({k[5:]: v for k, v in content.items() if k.startswith("loop_")})
                for name, values in self.traces.arrays().items():
                    values[...] = content[f"trace_{name}"]
                self.looks = list(content["looks"])
                self.seconds = float(content["seconds"])

    def _save(self, file: RunFile, *, now: bool) -> None:
        """Write the file if it is time to, or ``now``."""
        if now or file.due:
            content = {f"loop_{name}": values for name, values in self.loop.state().items()}
            content |= {f"trace_{name}": values for name, values in self.traces.arrays().items()}
            seconds = time.perf_counter() - self._started_at
            file.write(content | {"looks": np.array(self.looks), "seconds": np.array(seconds)})

    def _sample_on(self, file: RunFile | None, progress: Progress | None) -> None:
        """Make the steps that are left."""
        self._started_at = time.perf_counter() - self.seconds
        self._steps(file, progress)
        self.seconds = time.perf_counter() - self._started_at

    def _before_step(self) -> None:
        """What happens between two steps."""

    def _steps(self, file: RunFile | None, progress: Progress | None) -> None:
        traces, chain_loop, every = self.traces, self.loop, self.look_every
        total = traces.losses.shape[1]
        try:
            with np.errstate(all="ignore"), deferred_interrupt() as stop_requests:
                while chain_loop.step_count < total:
                    self._before_step()
                    draws = chain_loop.step_count + 1 - traces.burnin
                    looks = self.look_at is not None and draws > 0 and draws % every == 0
                    seen = chain_loop.step(traces, self.look_at if looks else None)
                    if looks and seen is not None:
                        self.looks.append(seen)
                    if file is not None:
                        self._save(file, now=bool(stop_requests) or chain_loop.step_count == total)
                    if stop_requests:
                        raise KeyboardInterrupt
                    step = chain_loop.step_count - 1
                    if progress is not None and step % PROGRESS_EVERY == 0:
                        progress(step / total, f"{self.label}step {step} of {total}")
        except KeyboardInterrupt:
            draws = chain_loop.step_count - traces.burnin
            if draws < LEAST_DRAWS:
                few = f"before {LEAST_DRAWS} draws of each chain"
                raise KeyboardInterrupt(few if draws > 0 else "in the burn-in") from None
            self.traces, self.interrupted = traces.first(draws), True

    def all_traces(self) -> LoopTraces:
        """The traces of the chains of all processes."""
        return self.traces

    def gathered(self, values: Floats) -> Floats:
        """Rows of the chains of all processes."""
        return values

    def chains(self) -> Chains:
        """The draws so far."""
        traces, chain_loop, levels = self.all_traces(), self.loop, np.atleast_1d(self.loop.n_beta)
        first_gauge, count = traces.burnin // traces.every, self.num_draws

        def by_rung(values: Floats) -> Floats:
            return values.reshape(len(levels), -1, *values.shape[1:])

        def at_draws(values: Floats) -> Floats:
            """Of each draw, as last seen before it."""
            return by_rung(np.repeat(values[:, first_gauge:], traces.every, axis=1)[:, :count])

        return Chains(
            n_beta=levels,
            draws=by_rung(traces.losses[:, traces.burnin :]),
            acceptance=by_rung(self.gathered(chain_loop.acceptance(count))),
            lr=by_rung(self.gathered(chain_loop.sizes())),
            w=by_rung(chain_loop.ends()),
            distance=np.sqrt(at_draws(traces.squares)),
            excess=None if chain_loop.has_test else at_draws(traces.excess),
            virial=None
            if np.isnan(traces.virial[:, first_gauge:]).any()
            else at_draws(traces.virial),
            gradients=chain_loop.gradients,
            interrupted=self.interrupted,
            num_burnin=traces.burnin,
        )


def run_chains(
    kernel: Kernel,
    *,
    num_draws: int,
    num_burnin: int,
    thin: int = 1,
    observer: Observer | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Chains:
    """Burn in, then record; what is drawn so far survives Ctrl-C.

    ``thin`` are the steps of a draw; an ``observer`` is called with (w, K) at each.  A checkpoint
    (.npz) holds the run; if it exists the run resumes from there, and gives the same draws as one
    that was never interrupted.  Errors are those of :meth:`ChainRun.sample`.
    """
    check_count("thin", thin, 1)
    run = ChainRun(KernelLoop(kernel, thin), num_burnin, num_draws, label=f"{kernel.name}: ")
    if observer is not None:
        run.look_at = lambda w: observer(w, kernel.k)
    run.sample(checkpoint, progress)
    return run.chains()


def sample_chains(
    method: str | Callable[..., Kernel],
    target: Target,
    n_beta: Floats | float,
    *,
    rng: np.random.Generator,
    num_chains: int = 8,
    num_draws: int | None = None,
    num_burnin: int | None = None,
    localization: float = 0.0,
    **options: Any,
) -> Chains:
    """Sample exp(−nβK − γ|w|²/2)·prior by a kernel.

    ``method`` is a kernel as `rlct.sampling.kernels.kernel_class` takes it, which says how many
    draws of a chain are usual; the burn-in is as long as the draws.  There are ``num_chains`` at
    each nβ. Of the options thin, observer, checkpoint and progress are as in :func:`run_chains`,
    and others are of the kernel.  DivergedError where a step without a Metropolis test is too long.

    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, λ = 1/2
    >>> found = sample_chains("barker", target, 100.0, rng=np.random.default_rng(0))
    >>> bool(abs(found.draws.mean() - 0.495) < 0.05)
    True
    """
    kernel = kernel_class(method)
    run_options = {name: options.pop(name) for name in RUN_NAMES if name in options}
    posterior = TemperedPosterior(
        target, n_beta, rng=rng, num_chains=num_chains, localization=localization
    )
    draws = kernel.usual_draws if num_draws is None else num_draws
    return run_chains(
        kernel(posterior, **options),
        num_draws=draws,
        num_burnin=draws if num_burnin is None else num_burnin,
        **run_options,
    )
