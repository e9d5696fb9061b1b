"""Chains of any kernel on all data of a torch network, with the traces of the loop."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.local.llc_settings import RunSettings
from rlct.sampling.local.spectrum import MOST_GRADIENTS, spectrum
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.length import SECONDS_WORK
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.tuning import loss_landscape
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.networks.langevin_loop import Floats, LoopTraces, check_losses

__all__ = ["KernelLoop"]


class KernelLoop:
    """Chains of a kernel that begin at w*, as `LangevinLoop` has those of mini-batches.

    Parameters
    ----------
    target : ModuleTarget
        Whose coordinates are the weights that move.
    run_settings : RunSettings
    numbers : range
        Of the chains that run here.  They share random numbers, and what they adapt.
    """

    def __init__(self, target: ModuleTarget, run_settings: RunSettings, numbers: range) -> None:
        self.target = target
        self.posterior = TemperedPosterior(
            target,
            run_settings.n_beta,
            rng=np.random.default_rng(
                [run_settings.seed, numbers.start] if numbers.start else run_settings.seed
            ),
            num_chains=len(numbers),
            localization=run_settings.localization,
        )
        affordable = SECONDS_WORK / data_work(target)
        #: Curvatures of the loss at w*, where they are affordable.
        self.curvatures = spectrum(self.posterior, min(MOST_GRADIENTS, affordable))
        self.kernel = run_settings.kernel.begin(self.posterior, run_settings, None, self.curvatures)
        #: How far a descent from w* lowers L, which leaves flat saddles, too.
        self.drop = loss_landscape(self.posterior).drop
        self.step_count = 0
        self._accepted: Floats = np.zeros(len(numbers))

    @property
    def step_size(self) -> float:
        """The mean over chains; its meaning is the kernel's."""
        return float(self.kernel.sizes().mean())

    @property
    def sizes(self) -> Floats:
        """That of each chain."""
        return self.kernel.sizes()

    @property
    def places(self) -> Floats:
        """Offsets of the weights that move, shape (chains, moving)."""
        places: Floats = self.posterior.arrays.numpy(self.kernel.w).astype(float)
        return places

    def acceptance(self, draws: int) -> Floats:
        """Share of accepted proposals of each chain."""
        return self._accepted / max(draws, 1)

    def step(self, traces: LoopTraces, look_at: Callable[[Array], Floats] | None = None) -> Floats:
        """One step of every chain; of each there is returned what ``look_at`` says."""
        kernel, on, number = self.kernel, self.posterior.arrays, self.step_count
        if number == traces.burnin:
            kernel.settle()
        taken = kernel.step(number, number < traces.burnin)
        if number >= traces.burnin:
            self._accepted = self._accepted + (np.nan if taken is None else on.numpy(taken))
        traces.losses[:, number] = self.posterior.n_beta[0] * on.numpy(kernel.k).astype(float)
        at = traces.gauge(number)
        if at is not None:
            traces.virial[:, at] = np.nan if kernel.virial is None else kernel.virial
            traces.squares[:, at] = on.numpy(on.lengths(kernel.w)).astype(float) ** 2
        check_losses(traces, number, self.target.dimension, "name a larger localization")
        self.step_count += 1
        if look_at is None:
            return np.empty(0)
        return look_at(self.target.offsets(kernel.w) + self.target.centre)

    def offsets(self) -> Array:
        """W − w* of all weights, as they are now."""
        return self.target.offsets(self.kernel.w)

    def state(self) -> dict[str, Any]:
        """All that changes from step to step."""
        found: dict[str, Any] = {f"kernel_{k}": v for k, v in self.kernel.state().items()}
        found["random"] = np.array(json.dumps(self.posterior.arrays.state()))
        return found | {"step_count": np.array(self.step_count), "accepted": self._accepted}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        self.kernel.restore({k[7:]: v for k, v in state.items() if k.startswith("kernel_")})
        self.posterior.arrays.restore(json.loads(str(state["random"])))
        self.step_count, self._accepted = int(state["step_count"]), state["accepted"]

    def go_on(self, state: dict[str, Any], step_size: float | None) -> None:
        """Begin where other chains ended, with their random numbers; steps adapt anew."""
        self.kernel.restore({**self.kernel.state(), "w": state["kernel_w"]})
        self.posterior.arrays.restore(json.loads(str(state["random"])))
