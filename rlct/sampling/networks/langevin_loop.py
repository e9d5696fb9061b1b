"""The loop: Langevin steps of all chains on mini-batches, and the few sums that λ̂ is made of.

w ← w − (ε/2)·s·(nβ∇L_B(w) + γ(w − w*)) + √(εs)·ξ, with s = 1 or the scaling of RMSprop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlct.errors import DivergedError
from rlct.sampling.arrays import Array
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.networks.memory_plan import MemoryPlan
from rlct.sampling.networks.network_loss import NetworkLoss

__all__ = ["GAUGE_EVERY", "LangevinLoop", "LoopTraces"]

Floats = NDArray[np.floating[Any]]

GAUGE_EVERY = 8  # steps between two measurements of slopes and distances, which pass over weights
SQUARES_MEMORY = 0.99  # of the running mean of squared slopes, the convention of RMSprop
SQUARES_DAMPING = 0.1  # of the size of slopes: weights without a slope take no step of their own


@dataclass
class LoopTraces:
    """What is kept of each chain, steps of the burn-in first.

    Parameters
    ----------
    burnin : int
        Steps of the burn-in; every eighth step before and after its end is a gauge.
    losses : array, shape (chains, steps)
        nβ(L_B(w) − L_B(w*)), both on the same batch B.
    excess : array, shape (chains, gauges)
        (ε/8)·nβ∇L_B·∇U_B: its mean is what step and batches add to nβL.
    virial : array, shape (chains, gauges)
        (w − w*)·∇U_B, whose mean at stationarity is the number of weights that move.
    squares : array, shape (chains, gauges)
        |w − w*|².
    """

    burnin: int
    losses: Floats
    excess: Floats
    virial: Floats
    squares: Floats

    @classmethod
    def empty(cls, chains: int, burnin: int, draws: int) -> LoopTraces:
        """Room for so many steps.

        Examples
        --------
        >>> traces = LoopTraces.empty(2, burnin=10, draws=17)
        >>> traces.losses.shape, traces.excess.shape, [traces.gauge(k) for k in (1, 2, 10, 26)]
        ((2, 27), (2, 4), [None, 0, 1, 3])
        """
        gauges = burnin // GAUGE_EVERY + -(-draws // GAUGE_EVERY)
        return cls(burnin, np.zeros((chains, burnin + draws)), *np.zeros((3, chains, gauges)))

    def gauge(self, step: int) -> int | None:
        """Where the gauge of this step stands; None if it is none."""
        after, rest = divmod(step - self.burnin, GAUGE_EVERY)
        return None if rest else after + self.burnin // GAUGE_EVERY

    def arrays(self) -> dict[str, Floats]:
        """The arrays by name."""
        return {name: values for name, values in vars(self).items() if name != "burnin"}

    def first(self, draws: int) -> LoopTraces:
        """The first so many draws alone."""
        gauges = self.burnin // GAUGE_EVERY + -(-draws // GAUGE_EVERY)
        parts = (values[:, :gauges] for values in (self.excess, self.virial, self.squares))
        return LoopTraces(self.burnin, self.losses[:, : self.burnin + draws], *parts)

    def extended(self, draws: int) -> LoopTraces:
        """The same with room for more draws."""
        chains, steps = self.losses.shape
        more = LoopTraces.empty(chains, self.burnin, steps - self.burnin + draws)
        for name, values in self.arrays().items():
            more.arrays()[name][:, : values.shape[1]] = values
        return more


class LangevinLoop:
    """Chains that begin at w*, each with a random generator of its own.

    Chain k is the same for any number of chains, and for any number that share a call.

    Parameters
    ----------
    loss : NetworkLoss
    start_losses : torch.Tensor, shape (n,)
        ℓ_i(w*).
    memory_plan : MemoryPlan
    n_beta, localization, step_size : float
        nβ, γ and ε.
    seed : int
    precondition : bool
        Scale coordinates as RMSprop does; the scaling is fixed when the burn-in ends.
    """

    def __init__(
        self,
        loss: NetworkLoss,
        start_losses: Array,
        memory_plan: MemoryPlan,
        *,
        n_beta: float,
        localization: float,
        step_size: float,
        seed: int,
        precondition: bool = False,
    ) -> None:
        torch = import_torch()
        self.loss, self.plan, self._start_losses = loss, memory_plan, start_losses
        self.n_beta, self.localization, self.step_size = n_beta, localization, step_size
        self.weights = loss.centre.repeat(memory_plan.chains, 1)
        self._noise = torch.empty_like(self.weights[: memory_plan.chains_together])
        self._room = loss.samples.room(memory_plan.chains_together, memory_plan.batch_size)
        self._generators = [
            torch.Generator(device=loss.device).manual_seed(_chain_seed(seed, k))
            for k in range(memory_plan.chains)
        ]
        self._squares = torch.zeros_like(self.weights) if precondition else None
        self._scaling: Array | None = None
        self.step_count = 0

    def step(self, traces: LoopTraces) -> None:
        """One step of every chain; what is seen goes into the traces."""
        at = traces.gauge(self.step_count)
        in_burnin = self.step_count < traces.burnin
        for first in range(0, self.plan.chains, self.plan.chains_together):
            chains = slice(first, first + self.plan.chains_together)
            weights = self.weights[chains]
            slopes, rises = self._batch_gradient(chains)
            traces.losses[chains, self.step_count] = rises
            slopes.mul_(self.n_beta)
            if self._squares is not None and in_burnin:
                self._learn_scaling(chains, slopes)
            if at is not None:
                seen = self._gauge(weights, slopes, chains)
                for room, values in zip(
                    (traces.excess, traces.virial, traces.squares), seen, strict=True
                ):
                    room[chains, at] = values
            self._move(weights, slopes, chains)
        self._check(traces)
        self.step_count += 1

    def _batch_gradient(self, chains: slice) -> tuple[Array, Floats]:
        """Slopes of L_B, (chains, d), and nβ(L_B(w) − L_B(w*)), by as many samples as fit."""
        torch = import_torch()
        samples, size = self.loss.samples, self.plan.batch_size
        x_room, y_room = (room[: len(self.weights[chains])] for room in self._room)
        start_means = []
        for k, generator in enumerate(self._generators[chains]):
            if size >= len(samples):
                rows = torch.arange(len(samples), device=self.loss.device)
            else:
                rows = torch.randint(
                    len(samples), (size,), generator=generator, device=self.loss.device
                )
            samples.take(rows, out=(x_room[k], y_room[k]))
            start_means.append(self._start_losses[rows].mean())
        weights = self.weights[chains]
        together = self.plan.rows_together
        if together >= size:
            slopes, losses = self.loss.gradient(
                weights, x_room, y_room, vectorized=self.plan.vectorized
            )
        else:
            slopes, losses = torch.zeros_like(weights), 0.0
            for begin in range(0, size, together):
                part = slice(begin, min(begin + together, size))
                share = (part.stop - part.start) / size
                slope, value = self.loss.gradient(
                    weights, x_room[:, part], y_room[:, part], vectorized=self.plan.vectorized
                )
                slopes.add_(slope, alpha=share)
                losses = losses + share * value
        rises = self.n_beta * (losses.double() - torch.stack(start_means).double())
        return slopes, rises.cpu().numpy()

    def _gauge(self, weights: Array, slopes: Array, chains: slice) -> tuple[Floats, ...]:
        """Excess, virial and squared distance of these chains, before they move."""
        dot = import_torch().linalg.vecdot
        offset = weights - self.loss.centre
        if self.loss.mask is not None:
            slopes = slopes * self.loss.mask
        scaled = slopes if self._scaling is None else slopes * self._scaling[chains]
        pairs = ((scaled, slopes), (scaled, offset), (slopes, offset), (offset, offset))
        steep, scaled_along, along, square = (dot(*pair).double().cpu().numpy() for pair in pairs)
        gamma = self.localization
        excess = self.step_size / 8.0 * (steep + gamma * scaled_along)
        return excess, along + gamma * square, square

    def _move(self, weights: Array, slopes: Array, chains: slice) -> None:
        """One Langevin step in place; masked weights stay as they are, bit by bit."""
        half_step = 0.5 * self.step_size
        drift_slopes, noise = slopes, self._noise[: len(weights)]
        for own_noise, generator in zip(noise, self._generators[chains], strict=True):
            own_noise.normal_(generator=generator)
        pull_share = half_step * self.localization
        if self._scaling is not None:
            scaling = self._scaling[chains]
            drift_slopes.add_(weights, alpha=self.localization).sub_(
                self.loss.centre, alpha=self.localization
            )
            drift_slopes.mul_(scaling)
            noise.mul_(scaling.sqrt())
            pull_share = 0.0
        if self.loss.mask is not None:
            drift_slopes.mul_(self.loss.mask)
            noise.mul_(self.loss.mask)
        if pull_share:
            weights.lerp_(self.loss.centre.expand_as(weights), pull_share)
        weights.add_(drift_slopes, alpha=-half_step).add_(noise, alpha=self.step_size**0.5)

    def _learn_scaling(self, chains: slice, slopes: Array) -> None:
        """Follow squared slopes: 1/√v, of mean one, so that ε keeps its meaning."""
        torch = import_torch()
        assert self._squares is not None
        squares = self._squares[chains]
        if self.step_count:
            squares.mul_(SQUARES_MEMORY).addcmul_(slopes, slopes, value=1 - SQUARES_MEMORY)
        else:
            torch.mul(slopes, slopes, out=squares)
        if self._scaling is None:
            self._scaling = torch.ones_like(self.weights)
        typical = squares.mean(-1, keepdim=True).sqrt().clamp_min(torch.finfo(slopes.dtype).tiny)
        scaling = 1.0 / (squares.sqrt() + SQUARES_DAMPING * typical)
        self._scaling[chains] = scaling / scaling.mean(-1, keepdim=True)

    def _check(self, traces: LoopTraces) -> None:
        """End the run where a loss is no number or has risen without end."""
        values = traces.losses[:, self.step_count]
        if not np.isfinite(values).all():
            raise DivergedError(
                f"a chain diverged at step {self.step_count}, where the loss is not a number: "
                f"lower lr, now {self.step_size:.2g}, or raise localization"
            )

    def state(self) -> dict[str, Any]:
        """All that changes from step to step."""
        found = {"weights": self.weights.cpu().numpy(), "step_size": np.array(self.step_size)}
        found["generators"] = np.stack([g.get_state().numpy() for g in self._generators])
        if self._squares is not None and self._scaling is not None:
            found["squares"] = self._squares.cpu().numpy()
            found["scaling"] = self._scaling.cpu().numpy()
        found["step_count"] = np.array(self.step_count)
        return found

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        torch = import_torch()
        self.weights.copy_(torch.as_tensor(state["weights"]))
        self.step_size, self.step_count = float(state["step_size"]), int(state["step_count"])
        for generator, held in zip(self._generators, state["generators"], strict=True):
            generator.set_state(torch.as_tensor(held))
        if self._squares is not None and "squares" in state:
            self._squares.copy_(torch.as_tensor(state["squares"]))
            self._scaling = torch.as_tensor(state["scaling"]).to(self.weights)


def _chain_seed(seed: int, chain: int) -> int:
    """A seed of its own for each chain, whatever the number of chains."""
    return int(np.random.SeedSequence([seed, chain]).generate_state(1, np.uint64)[0] >> 1)
