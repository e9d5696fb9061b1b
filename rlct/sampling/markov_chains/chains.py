"""Run many chains in one array: recording, progress, interruption and resumption."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Required, TypedDict

import numpy as np

from rlct.errors import DivergedError, InputError
from rlct.sampling.arrays import Array
from rlct.sampling.kernels import kernel_class
from rlct.sampling.markov_chains.checkpoint import Checkpoint
from rlct.sampling.markov_chains.kernel import DrawObserver, Kernel
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.settings import check_count
from rlct.sampling.targets.target import Floats, Target
from rlct.system.interrupts import deferred_interrupt

__all__ = [
    "DIVERGED_LOSS",
    "ChainOptions",
    "Chains",
    "Progress",
    "run_chains",
    "sample_chains",
]

Progress = Callable[[float, str], object]
PROGRESS_EVERY = 20  # steps between two calls, a convention
# |nβ(L − L(w₀))| of a chain over the number of parameters, of which its mean is half at most:
# beyond this no noise of mini-batches explains it.
DIVERGED_LOSS = 1e4
LEAST_DRAWS = 20  # fewer than these are not worth returning after Ctrl-C


@dataclass(frozen=True)
class Chains:
    """Draws of nβK.

    Parameters
    ----------
    n_beta : array, shape (rungs,)
    draws : array, shape (rungs, chains, draws)
        nβK, or nβ(L_n(w) − L_n(w₀)) on data.
    acceptance : array, shape (rungs, chains)
        After burn-in; NaN for samplers without a Metropolis step.
    lr : array, shape (rungs, chains)
        Step size after burn-in; its meaning is the sampler's.
    w : array, shape (rungs, chains, d)
        Last state.
    distance : array, shape (rungs, chains, draws)
        Euclidean distance from w₀ at each draw.
    excess : array, shape (rungs, chains, draws), or None
        Its mean is about what mini-batches add to the mean of nβK, as last seen before each draw;
        None of samplers whose steps have a test.
    virial : array, shape (rungs, chains, draws), or None
        w·∇U, whose mean is the number of weights where chains know all of exp(−U), as last seen.
    gradients : int
        Gradients evaluated per chain.
    interrupted : bool
        Stopped before all draws were made.
    num_burnin : int
        Steps before the draws.
    """

    n_beta: Floats
    draws: Floats
    acceptance: Floats
    lr: Floats
    w: Floats
    distance: Floats
    excess: Floats | None = None
    virial: Floats | None = None
    gradients: int = 0
    interrupted: bool = False
    num_burnin: int = 0

    @property
    def unbiased(self) -> Floats:
        """Draws of nβK less what the sampler adds to their mean, about."""
        return self.draws if self.excess is None else self.draws - self.excess

    def followed_by(self, more: Chains) -> Chains:
        """Join these draws and those that the same kernel made after them."""
        count, added_count = self.draws.shape[2], more.draws.shape[2]

        def joined(name: str) -> Any:
            before, after = getattr(self, name), getattr(more, name)
            return None if before is None else np.concatenate([before, after], axis=2)

        return replace(
            more,
            **{name: joined(name) for name in ("draws", "distance", "excess", "virial")},
            acceptance=(count * self.acceptance + added_count * more.acceptance)
            / (count + added_count),
        )


def run_chains(
    kernel: Kernel,
    *,
    num_draws: int,
    num_burnin: int,
    thin: int = 1,
    observer: DrawObserver | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Chains:
    """Burn in, then record; what is drawn so far survives Ctrl-C.

    Parameters
    ----------
    kernel : Kernel
    num_draws, num_burnin : int
        Draws kept, and steps before them in which the kernel may adapt.
    thin : int
        Steps per draw.
    observer : DrawObserver, optional
        Called with (w, K) at each draw.
    checkpoint : path, optional
        File (.npz) that holds the run; if it exists the run resumes from there, and gives the
        same draws as one that was never interrupted.
    progress : callable, optional
        Called as ``progress(fraction, text)``.

    Raises
    ------
    DivergedError
        At the first step where a weight or K is not finite, or a loss has fallen without end.
    KeyboardInterrupt
        At Ctrl-C before there are enough draws to return; the message says where.
    InputError
        If the file belongs to another run.
    """
    for name, value, least in (
        ("num_draws", num_draws, 1),
        ("num_burnin", num_burnin, 0),
        ("thin", thin, 1),
    ):
        check_count(name, value, least)
    record = _Record(kernel, num_draws)
    total = num_burnin + num_draws * thin
    store = None
    begin = 0
    if checkpoint is not None:
        store = Checkpoint(checkpoint, kernel, (num_draws, num_burnin, thin), observer)
        begin = store.load(record.arrays)
    record.count = max(0, begin - num_burnin) // thin
    steps_done, was_interrupted = begin, False
    try:
        with np.errstate(all="ignore"), deferred_interrupt() as stop_requests:
            for step in range(begin, total):
                if step == num_burnin:
                    kernel.settle()
                taken = kernel.step(step, step < num_burnin)
                steps_done = step + 1
                if step >= num_burnin:
                    record.accept(taken)
                    if (steps_done - num_burnin) % thin == 0:
                        record.add(step)
                        if observer is not None:
                            observer(kernel.w, kernel.k)
                if store is not None:
                    store.save(
                        steps_done, record.arrays, now=bool(stop_requests) or steps_done == total
                    )
                if stop_requests:
                    raise KeyboardInterrupt
                if progress is not None and step % PROGRESS_EVERY == 0:
                    progress(step / total, f"{kernel.name}: step {step} of {total}")
    except KeyboardInterrupt:
        if record.count < LEAST_DRAWS:
            few = f"before {LEAST_DRAWS} draws of each chain"
            raise KeyboardInterrupt(few if record.count else "in the burn-in") from None
        was_interrupted = True
    return record.chains(max(1, steps_done - num_burnin), num_burnin, was_interrupted)


class _Record:
    """What is seen of the chains at each draw, as arrays that a checkpoint holds."""

    def __init__(self, kernel: Kernel, num_draws: int) -> None:
        posterior = kernel.posterior
        rows, self.kernel, self.count = posterior.rows, kernel, 0
        self.strength = np.repeat(posterior.n_beta, posterior.shape[1])
        try:
            self.arrays: dict[str, Floats] = {
                "draws": np.empty((num_draws, rows)),
                "distance": np.empty((num_draws, rows)),
                "accepted": np.zeros(rows),
            }
            for name in ("excess", "virial"):
                if getattr(kernel, name) is not None:
                    self.arrays[name] = np.empty((num_draws, rows))
        except MemoryError:
            raise InputError(f"{num_draws} draws of {rows} chains do not fit the memory") from None

    def accept(self, taken: Array | None) -> None:
        """Count which chains moved; None of a kernel that does not say."""
        accepted = np.nan if taken is None else self.kernel.posterior.arrays.numpy(taken)
        self.arrays["accepted"] += accepted

    def add(self, step: int) -> None:
        """Take down one draw; DivergedError if it is none."""
        kernel, on = self.kernel, self.kernel.posterior.arrays
        values = self.strength * on.numpy(kernel.k)
        if not np.isfinite(values).all():
            raise DivergedError(f"a loss is not finite at step {step}: lower the step size")
        if values.min() < -DIVERGED_LOSS * kernel.posterior.target.dimension:
            raise DivergedError(
                f"nβ(L − L(w*)) has fallen to {values.min():.2g} at step {step}: "
                "the loss has no minimum, or w* is far from it"
            )
        seen = {"draws": values, "distance": on.numpy(on.lengths(kernel.w))}
        for name, values in self.arrays.items():
            if name != "accepted":
                values[self.count] = seen[name] if name in seen else getattr(kernel, name)
        self.count += 1

    def chains(self, steps: int, num_burnin: int, was_cut: bool) -> Chains:
        """The draws so far, after so many steps beyond the burn-in."""
        kernel, posterior = self.kernel, self.kernel.posterior
        shape, accepted = posterior.shape, self.arrays["accepted"]
        draw_traces = {
            name: values[: self.count].T.reshape(*shape, self.count)
            for name, values in self.arrays.items()
            if name != "accepted"
        }
        return Chains(
            n_beta=posterior.n_beta,
            acceptance=(accepted / steps).reshape(shape),
            lr=kernel.sizes().reshape(shape),
            w=posterior.arrays.numpy(kernel.w).reshape(*shape, -1),
            **draw_traces,
            gradients=posterior.gradients,
            interrupted=was_cut,
            num_burnin=num_burnin,
        )


class ChainOptions(TypedDict, total=False):
    """How chains of any kernel run; all but `rng` may be left out.

    Attributes
    ----------
    rng : numpy.random.Generator
    num_chains : int
        Chains per nβ; 8 without it.
    num_draws, num_burnin : int
        Draws kept per chain, and steps before them; by default as many as are usual for the kernel,
        and as many as draws are kept.
    localization : float
        γ, the strength of the pull towards w₀; 0 without it.
    thin : int
        Steps per draw; 1 without it.
    observer, checkpoint, progress
        As in :func:`run_chains`.
    """

    rng: Required[np.random.Generator]
    num_chains: int
    num_draws: int
    num_burnin: int | None
    localization: float
    thin: int
    observer: DrawObserver | None
    checkpoint: str | Path | None
    progress: Progress | None


def sample_chains(
    method: str | Callable[..., Kernel], target: Target, n_beta: Floats | float, **options: Any
) -> Chains:
    """Sample exp(−nβK − γ|w|²/2)·prior by a kernel.

    Parameters
    ----------
    method : str or class
        A kernel, as `rlct.sampling.kernels.kernel_class` takes it.
    target : Target
    n_beta : float or array, shape (rungs,)
    **options
        `rng`, and what else :class:`ChainOptions` names; others are of the kernel.

    Returns
    -------
    Chains

    Raises
    ------
    DivergedError
        Where a step without a Metropolis test is too long.

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> target = LinearNetworkTarget([1, 1], rank=0)         # K = w²/2, λ = 1/2
    >>> found = sample_chains("mala", target, 100.0, rng=np.random.default_rng(0))
    >>> bool(abs(found.draws.mean() - 0.495) < 0.05)
    True
    """
    kernel = kernel_class(method)
    kernel_options = {k: v for k, v in options.items() if k not in ChainOptions.__annotations__}
    posterior = TemperedPosterior(
        target,
        n_beta,
        rng=options["rng"],
        num_chains=options.get("num_chains", 8),
        localization=options.get("localization", 0.0),
    )
    draws = options.get("num_draws", kernel.usual_draws)
    burnin = options.get("num_burnin")
    run_names = ("thin", "observer", "checkpoint", "progress")
    run_options = {name: options[name] for name in run_names if name in options}
    return run_chains(
        kernel(posterior, **kernel_options),
        num_draws=draws,
        num_burnin=draws if burnin is None else burnin,
        **run_options,
    )
