"""Local learning coefficients at the checkpoints of a training run, with noise in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rlct.errors import DivergedError, InputError
from rlct.sampling.estimate import Estimate
from rlct.sampling.markov_chains.chains import Progress
from rlct.sampling.markov_chains.kernel import Kernel, RunSettings
from rlct.sampling.modules.network_loss import CHECKED_SAMPLES, NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch, without_vmap_remark
from rlct.sampling.modules.weight_masks import WeightChoice
from rlct.sampling.networks.chain_ranks import ChainRanks
from rlct.sampling.networks.checkpoint_states import CheckpointStates, tensor_digest
from rlct.sampling.networks.network_llc import run_estimate, suitable_threads
from rlct.sampling.networks.network_settings import complete_network_settings
from rlct.sampling.networks.preparation import prepare_network_run
from rlct.sampling.networks.trajectory import Trajectory
from rlct.sampling.networks.trajectory_file import DoneCheckpoints, TrajectoryFile, without_draws
from rlct.system.options import explain_options, path_of
from rlct.system.progress import own_or_late

if TYPE_CHECKING:
    import torch

SHOWN_SETTINGS = (
    *("n_beta", "localization", "lr", "num_chains", "num_draws", "num_burnin", "batch_size"),
    *("precondition", "seed", "level"),
)


@explain_options
def llc_trajectory(
    module: torch.nn.Module,
    checkpoints: Any,
    data: Any,
    loss: Any = None,
    *,
    method: str | type[Kernel] = "sgld",
    n_beta: float | None = None,
    localization: float | None = None,
    lr: float | None = None,
    num_chains: int | None = None,
    num_draws: int | None = None,
    num_burnin: int | None = None,
    batch_size: int | None = None,
    precondition: bool | None = None,
    weights: WeightChoice | None = None,
    memory: float | None = None,
    dtype: Any = None,
    device: Any = None,
    seed: int = 0,
    level: float = 0.95,
    checkpoint: str | Path | None = None,
    progress: Callable[[float, str], object] | bool | None = None,
) -> Trajectory:
    """Local learning coefficients over the checkpoints of a training run.

    All have the same settings, and chain k has the same noise and mini-batches at each, so that
    differences between checkpoints are known much better than λ̂ itself: see `Trajectory`.

    Parameters
    ----------
    module : torch.nn.Module
        Whose architecture they have; its weights do not count.
    checkpoints : sequence, or mapping from steps
        Of ``state_dict()``, modules, or paths of files that ``torch.load(weights_only=True)``
        reads; weights may lie under ``"state_dict"``, ``"model_state_dict"`` or ``"model"``.  Of
        files one is in memory at a time.
    data, loss
        As in `rlct.llc`.
    method : str or class
        As in `rlct.llc`; ``"sgld"`` by default, with 1000 draws after 500 steps of burn-in.
    n_beta, localization, num_chains, num_draws, num_burnin, batch_size, precondition : optional
        As in `rlct.llc`.
    lr : float, optional
        ε; by default the least of those found at the first, the middle and the last checkpoint,
        where as many burn-ins are run for it.
    weights, memory, dtype, device : optional
        As in `rlct.llc`.
    seed : int
    level : float
        Probability of the intervals.
    checkpoint : path, optional
        File (.npz) that keeps what is done; with it an interrupted trajectory goes on, and gives
        the same numbers.
    progress : callable or False, optional
        As in `rlct.llc`.  After Ctrl-C the checkpoints that are done are returned.

    Returns
    -------
    Trajectory

    Raises
    ------
    InputError
        If a checkpoint does not fit the module, or a setting is none.
    DivergedError
        If the step is too long at every checkpoint; at some it is the verdict on these.

    Examples
    --------
    >>> import torch
    >>> _ = torch.manual_seed(0)
    >>> x, net = torch.randn(200, 3), torch.nn.Linear(3, 2)
    >>> y = net(x).detach() + torch.randn(200, 2)
    >>> early = {name: values + 0.1 for name, values in net.state_dict().items()}
    >>> run = llc_trajectory(net, {10: early, 20: net}, (x, y), num_draws=200)
    >>> gain, = run.differences
    >>> run.steps, gain.error < gain.unpaired_error / 5
    ((10, 20), True)
    """
    path_of(checkpoint, "checkpoint")
    asked_settings = {
        "method": method,
        "n_beta": n_beta,
        "localization": localization,
        "lr": lr,
        "num_chains": num_chains,
        "num_draws": num_draws,
        "num_burnin": num_burnin,
        "batch_size": batch_size,
        "precondition": precondition,
        "memory": memory,
        "seed": seed,
        "level": level,
    }
    plain = {k: v.item() if isinstance(v, np.generic) else v for k, v in asked_settings.items()}
    with own_or_late("trajectory", progress) as show_progress, without_vmap_remark():
        loss_held = NetworkLoss(module, data, loss, weights=weights, dtype=dtype, device=device)
        settings = complete_network_settings(loss_held, plain)
        states = CheckpointStates(checkpoints, loss_held.function.module)
        sampled_run = _TrajectoryRun(
            loss_held, states, replace(settings, extendable=False), show_progress
        )
        with suitable_threads(loss_held):
            return sampled_run.sample(checkpoint)


@contextmanager
def _named(words: str) -> Iterator[None]:
    """Say of what is refused inside at which checkpoint it was."""
    try:
        yield
    except (InputError, DivergedError) as problem:
        raise type(problem)(f"{words}: {problem}") from None


class _TrajectoryRun:
    """A trajectory as it is made, one checkpoint after another."""

    def __init__(
        self,
        loss: NetworkLoss,
        states: CheckpointStates,
        settings: RunSettings,
        progress: Progress | None,
    ) -> None:
        self.loss, self.states, self.settings, self.progress = loss, states, settings, progress
        self.done = DoneCheckpoints(settings.lr)
        last = len(states.steps) - 1
        self._looked_at = sorted({0, len(states.steps) // 2, last}) if settings.lr is None else []
        if not settings.kernel.on_batches:  # which finds a step at each
            self._looked_at = []
        #: Steps of all chains that are asked for: those of the search of ε, and the others.
        self._burnin_steps = settings.num_burnin
        self._run_steps = settings.num_burnin + settings.num_draws

    def sample(self, path: str | Path | None) -> Trajectory:
        """Go on where the file ends, until all is done or Ctrl-C is pressed."""
        ranks = ChainRanks(self.settings.num_chains)
        file = None if path is None else self._file(ranks.own_file(path))
        if file is not None:
            file.load(self.done)
            # Each has what all have found, up to another checkpoint perhaps.
            self.done = max(ranks.of_each(self.done), key=lambda done: len(done.estimates))
        was_interrupted = False
        try:
            if self._looked_at and self.done.step_size is None:
                found = [self._own_step(k) for k in range(len(self._looked_at))]
                self.done.step_size = min(found)
            if self.settings.kernel.on_batches:
                self.settings = replace(self.settings, lr=self.done.step_size, watched=False)
            for k in range(len(self.done.estimates), len(self.states.steps)):
                self._sample_one(k)
                if file is not None:
                    file.save(self.done)
                self._told(self._share(k + 1), f"{k + 1} of {len(self.states.steps)} checkpoints")
        except KeyboardInterrupt:
            if not self.done.estimates:
                raise KeyboardInterrupt("before the first checkpoint was done") from None
            was_interrupted = len(self.done.estimates) < len(self.states.steps)
        return self._trajectory(was_interrupted)

    def _trajectory(self, was_interrupted: bool) -> Trajectory:
        estimates, steps = self.done.estimates, self.states.steps
        bad = [k for k, found in enumerate(estimates) if found.verdict == "invalid"]
        if len(bad) == len(steps):
            raise DivergedError(estimates[0].warnings[0])
        notes = []
        if was_interrupted:
            notes.append(f"interrupted: {len(estimates)} of {len(steps)} checkpoints are done")
        notes += [estimates[k].warnings[0] for k in bad]
        if self.loss.function.remark:
            notes.append(self.loss.function.remark)
        return Trajectory(
            steps[: len(estimates)],
            tuple(estimates),
            np.array(self.done.chain_means),
            {name: getattr(self.settings, name) for name in SHOWN_SETTINGS},
            tuple(notes),
        )

    def _own_step(self, number: int) -> float:
        """ε as it is found at one of the checkpoints that are looked at, and after its burn-in."""
        index = self._looked_at[number]
        first, last = self._looked_share(number), self._looked_share(number + 1)
        words = f"checkpoint {self.states.steps[index]}"
        with _named(words):
            run = prepare_network_run(self._loss_at(index), self.settings)
            return run.burn_in(self._part(first, last, f"step size at {words}"))

    def _sample_one(self, index: int) -> None:
        """λ̂ at one checkpoint; where a chain diverges that is the verdict."""
        started_at = time.perf_counter()
        words = f"checkpoint {self.states.steps[index]}"
        loss = self._loss_at(index)
        try:
            with _named(words):
                run = prepare_network_run(loss, self.settings)
                run.sample(None, self._part(self._share(index), self._share(index + 1), words))
        except DivergedError as problem:
            estimate, means = self._invalid(str(problem)), np.full(self.settings.num_chains, np.nan)
        else:
            if run.interrupted:
                raise KeyboardInterrupt
            estimate, means = run_estimate(run, started_at), run.all_traces().chain_means
        self.done.estimates.append(without_draws(estimate))
        self.done.chain_means.append(means)

    def _invalid(self, words: str) -> Estimate:
        nan, of = float("nan"), self.settings
        return Estimate(
            *(nan, (nan, nan), of.level, None, None, nan, of.num_chains - 1.0, None, None, 0.0),
            seed=of.seed,
            method=of.kernel.name,
            warnings=(words,),
            verdict="invalid",
        )

    def _loss_at(self, index: int) -> NetworkLoss:
        return self.loss.with_state(self.states.load(index))

    def _looked_share(self, number: int) -> float:
        """Of all steps, those of so many searches of ε."""
        searched = self._burnin_steps * len(self._looked_at)
        whole = searched + self._run_steps * len(self.states.steps)
        return self._burnin_steps * number / whole

    def _share(self, index: int) -> float:
        """Of all steps, those that come before a checkpoint."""
        searched = self._looked_share(len(self._looked_at))
        return searched + (1.0 - searched) * index / len(self.states.steps)

    def _part(self, first: float, last: float, words: str) -> Progress | None:
        """Progress of one run, as a part of the whole."""
        if self.progress is None:
            return None
        return lambda share, text: self._told(first + (last - first) * share, f"{words}, {text}")

    def _told(self, share: float, text: str) -> None:
        if self.progress is not None:
            self.progress(share, text)

    def _file(self, path: str | Path) -> TrajectoryFile:
        """The file of this trajectory, by all that its numbers depend on."""
        network_loss, named_settings = self.loss, asdict(self.settings)
        for name in ("memory", "extendable", "watched"):
            del named_settings[name]
        named_settings["method"] = self.settings.kernel.name
        loss = network_loss.loss
        name = loss if isinstance(loss, str) else getattr(loss, "__qualname__", type(loss).__name__)
        rows = import_torch().arange(min(CHECKED_SAMPLES, len(network_loss.samples)))
        x, y = network_loss.samples.take(rows)
        moving = {} if network_loss.mask is None else {"mask": network_loss.mask}
        key = named_settings | {
            "steps": list(self.states.steps),
            "checkpoints": self.states.digests,
            "data": [len(network_loss.samples), tensor_digest({"x": x, "y": y})],
            "loss": name,
            "weights": [*network_loss.function.shapes, tensor_digest(moving)],
            "dtype": str(network_loss.dtype),
            "device": network_loss.device.type,
        }
        first = self._loss_at(0)
        probed = first.sample_losses(first.centre[None], x, y)[0]
        return TrajectoryFile(path, key, probed.double().cpu().numpy())
