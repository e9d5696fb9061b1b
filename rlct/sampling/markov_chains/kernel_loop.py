"""Chains of any kernel, step after step."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.traces import LoopTraces, check_losses
from rlct.sampling.targets.target import Floats


class KernelLoop:
    """Chains of a kernel, a row for each chain of each rung.

    Chains share random numbers, and what they adapt; ``thin`` is moves of a step after the burn-in.
    """

    def __init__(self, kernel: Kernel, thin: int = 1) -> None:
        self.kernel, self.thin, self.posterior = kernel, thin, kernel.posterior
        self.n_beta, self.step_count = self.posterior.n_beta, 0
        self._strength = np.repeat(self.posterior.n_beta, self.posterior.shape[1])
        self._accepted: Floats = np.zeros(self.posterior.rows)

    @property
    def has_test(self) -> bool:
        """Whether steps have a Metropolis test, or need none: they add nothing to nβL."""
        return self.kernel.excess is None

    @property
    def gradients(self) -> int:
        """Gradients of each chain."""
        return self.posterior.gradients

    @property
    def step_size(self) -> float:
        """The mean over chains; its meaning is the kernel's."""
        return float(self.kernel.sizes().mean())

    def sizes(self) -> Floats:
        """That of each chain."""
        return self.kernel.sizes()

    def ends(self) -> Floats:
        """Offsets of the weights that move, where chains are now, shape (chains, d)."""
        return self.posterior.arrays.numpy(self.kernel.w)

    def acceptance(self, draws: int) -> Floats:
        """Share of accepted proposals of each chain; NaN without a test."""
        return self._accepted / max(draws * self.thin, 1)

    def step(self, traces: LoopTraces, look_at: Callable[[Array], Any] | None = None) -> Any:
        """One step of every chain; of a draw there is returned what ``look_at`` says."""
        kernel, on, at = self.kernel, self.posterior.arrays, self.step_count
        if at < traces.burnin:
            kernel.step(at, True)
            self.step_count += 1
            return None
        if at == traces.burnin:
            kernel.settle()
        first = traces.burnin + (at - traces.burnin) * self.thin
        for number in range(first, first + self.thin):
            taken = kernel.step(number, False)
            self._accepted = self._accepted + (np.nan if taken is None else on.numpy(taken))
        traces.losses[:, at] = self._strength * on.numpy(kernel.k)
        gauge = traces.gauge(at)
        if gauge is not None:
            traces.squares[:, gauge] = on.numpy(on.lengths(kernel.w)).astype(float) ** 2
            traces.virial[:, gauge] = np.nan if kernel.virial is None else kernel.virial
            if kernel.excess is not None:
                traces.excess[:, gauge] = kernel.excess
        dimension = self.posterior.target.dimension
        check_losses(traces, at, dimension, "lower the step, or name a larger localization")
        self.step_count += 1
        return None if look_at is None else look_at(kernel.w)

    def state(self) -> dict[str, Any]:
        """All that changes from step to step."""
        held: dict[str, Any] = {f"kernel_{k}": v for k, v in self.kernel.state().items()}
        held["random"] = np.array(json.dumps(self.posterior.arrays.state()))
        held |= {"step_count": np.array(self.step_count), "accepted": self._accepted}
        return held | {"gradients": np.array(self.posterior.gradients)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        self.kernel.restore({k[7:]: v for k, v in state.items() if k.startswith("kernel_")})
        self.posterior.arrays.restore(json.loads(str(state["random"])))
        self.posterior.gradients = int(state["gradients"])
        self.step_count, self._accepted = int(state["step_count"]), state["accepted"]

    def go_on(self, state: dict[str, Any], step_size: float | None) -> None:
        """Begin where other chains ended, with their random numbers; steps adapt anew."""
        self.kernel.restore({**self.kernel.state(), "w": state["kernel_w"]})
        self.posterior.arrays.restore(json.loads(str(state["random"])))
