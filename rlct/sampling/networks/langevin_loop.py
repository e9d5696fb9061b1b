"""The loop: Langevin steps of all chains on mini-batches, and the few sums that λ̂ is made of.

w ← w − (ε/2)·s·(nβ∇L_B(w) + γ(w − w*)) + √(εs)·(ξ + ξ')/2, ξ of the step before, ξ' of this one,
with s = 1 or the inverse of mean squares of slopes: where slopes are exact, without bias of first
order in ε.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.langevin_step import LangevinStep
from rlct.sampling.markov_chains.traces import LoopTraces, check_losses
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.networks.memory_plan import MemoryPlan
from rlct.sampling.targets.target import Floats

GAUGE_EVERY = 8  # steps between two measurements of slopes and distances, which pass over weights
SQUARES_MEMORY = 0.998  # of the running mean of squared slopes; of all before it is as long
SQUARES_DAMPING = 0.1  # of the mean of squares: weights without a slope take no step of their own


class LangevinLoop:
    """Chains that begin at w*, each with a random generator of its own.

    Chain k is the same for any number of chains, and for any number that share a call.

    ``start_losses`` are ℓ_i(w*); ``numbers`` are of the chains that run here.  ``weight_decay`` is
    κ of a normal prior around 0.  With ``precondition`` coordinates are scaled by the inverse of
    mean squares of slopes, which a Hessian of logarithmic losses has on its diagonal; the scaling
    is fixed when the burn-in ends.
    """

    has_test = False

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
        numbers: range,
        weight_decay: float = 0.0,
        precondition: bool = False,
    ) -> None:
        torch = import_torch()
        self.loss, self.plan, self._start_losses = loss, memory_plan, start_losses
        self.n_beta, self.step_size = n_beta, step_size
        # γ(w − w*) + κw = (γ + κ)(w − w*) + κw*
        self._pull, self._steady_pull = localization + weight_decay, None
        if weight_decay:
            self._steady_pull = loss.centre * weight_decay
            if loss.mask is not None:
                self._steady_pull *= loss.mask
        self.weights = loss.centre.repeat(memory_plan.chains, 1)
        self._noise = torch.empty_like(self.weights[: memory_plan.chains_together])
        self._room = loss.samples.room(memory_plan.chains_together, memory_plan.batch_size)
        self._generators = [
            torch.Generator(device=loss.device).manual_seed(_chain_seed(seed, k)) for k in numbers
        ]
        self._squares = torch.zeros_like(self.weights) if precondition else None
        self._scaling: Array | None = None
        self.step_count = 0
        #: Steps that looks in the burn-in have decided on, by the number of the step.
        self.looks: dict[int, float] = {}

    @property
    def gradients(self) -> int:
        """Gradients of each chain."""
        return self.step_count

    def step(self, traces: LoopTraces, look_at: Callable[[Array], Floats] | None = None) -> Floats:
        """One step of every chain; what is seen goes into the traces.

        A draw is where slopes are taken, half of the noise ahead of what is held between steps; of
        each there is returned what ``look_at`` says, if it is given.
        """
        torch = import_torch()
        at = traces.gauge(self.step_count)
        in_burnin = self.step_count < traces.burnin
        seen_losses = []
        for first in range(0, self.plan.chains, self.plan.chains_together):
            chains = slice(first, first + self.plan.chains_together)
            weights = self.weights[chains]
            noise = self._noise[: len(weights)]
            scaling = None if self._scaling is None else self._scaling[chains]
            rule = LangevinStep(self.step_size, scaling, torch.linalg.vecdot)
            for row, generator in zip(noise, self._generators[chains], strict=True):
                row.normal_(std=rule.half_root, generator=generator)
            if self.loss.mask is not None:
                noise.mul_(self.loss.mask)
            if scaling is not None:
                noise.mul_(scaling.sqrt())
            weights.add_(noise)
            slopes, rises = self._batch_gradient(chains)
            traces.losses[chains, self.step_count] = rises
            slopes.mul_(self.n_beta)
            if self._squares is not None and in_burnin:
                self._learn_scaling(chains, slopes)
            if self.loss.mask is not None:
                slopes.mul_(self.loss.mask)
            if look_at is not None:
                seen_losses.append(look_at(weights))
            seen = self._descend(weights, slopes, noise, rule, gauged=at is not None)
            if at is not None:
                traces.excess[chains, at], traces.virial[chains, at], traces.squares[chains, at] = (
                    seen
                )
        advice = f"lower lr, now {self.step_size:.2g}, or raise localization"
        check_losses(traces, self.step_count, self.loss.dimension, advice)
        self.step_count += 1
        return np.concatenate(seen_losses) if seen_losses else np.empty(0)

    def _batch_gradient(self, chains: slice) -> tuple[Array, Floats]:
        """Slopes of L_B, (chains, d), and nβ(L_B(w) − L_B(w*)), by as many samples as fit."""
        torch = import_torch()
        size = self.plan.batch_size
        x_room, y_room = (room[: len(self.weights[chains])] for room in self._room)
        rows = self._rows(self._generators[chains])
        self.loss.samples.take(rows.reshape(-1), out=(x_room.flatten(0, 1), y_room.flatten(0, 1)))
        start_means = self._start_losses[rows].mean(dim=1).cpu().double()
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
        rises = self.n_beta * (losses.cpu().double() - start_means)
        return slopes, rises.numpy()

    def _rows(self, generators: list[Any]) -> Array:
        """Rows of a batch for each chain, shape (chains, size), drawn by the chain's generator."""
        torch = import_torch()
        count, device = len(self.loss.samples), self.loss.device
        size = self.plan.batch_size
        if size >= count:
            return torch.arange(count, device=device).expand(len(generators), -1)
        return torch.stack(
            [torch.randint(count, (size,), generator=g, device=device) for g in generators]
        )

    def _descend(
        self, weights: Array, slopes: Array, noise: Array, rule: LangevinStep, *, gauged: bool
    ) -> Floats:
        """Move in place; of a gauge, excess, virial and squared distance before, (3, chains).

        No operation rounds once for a product and a sum: chains are then the same for any number
        of them in a call.
        """
        torch = import_torch()
        offset = weights - self.loss.centre  # used up where no gauge asks for it: memory is short
        inward_pull = offset * self._pull if gauged else offset.mul_(self._pull)
        if self._steady_pull is not None:
            inward_pull += self._steady_pull
        gauge_values = np.empty(0)
        if gauged:
            parts = [*rule.gauge(offset, slopes, inward_pull, noise)]
            parts.append(torch.linalg.vecdot(offset, offset))
            gauge_values = torch.stack(parts).double().cpu().numpy()
        rule.finish(weights, slopes.add_(inward_pull), noise)
        return gauge_values

    def _learn_scaling(self, chains: slice, slopes: Array) -> None:
        """Follow squared slopes v: 1/v, of mean one, so that ε keeps its meaning."""
        torch = import_torch()
        assert self._squares is not None
        squares = self._squares[chains]
        memory = min(self.step_count / (self.step_count + 1.0), SQUARES_MEMORY)
        squares.mul_(memory).addcmul_(slopes, slopes, value=1 - memory)
        if self._scaling is None:
            self._scaling = torch.ones_like(self.weights)
        damping = SQUARES_DAMPING * squares.mean(-1, keepdim=True)
        scaling = 1.0 / (squares + damping.clamp_min(torch.finfo(slopes.dtype).tiny))
        self._scaling[chains] = scaling / scaling.mean(-1, keepdim=True)

    @property
    def scaling(self) -> Array | None:
        """Of steps, shape (chains, d); None where all weights are alike."""
        return self._scaling

    def go_back(self, weights: Any) -> None:
        """Put all chains where they began."""
        self.weights.copy_(import_torch().as_tensor(weights))

    def sizes(self) -> Floats:
        """The step of each chain."""
        return np.full(len(self.weights), self.step_size)

    def acceptance(self, draws: int) -> Floats:
        """NaN: there is no test."""
        return np.full(len(self.weights), np.nan)

    def ends(self) -> Floats:
        """W − w*, in the place of the weights: the run is over."""
        offsets: Floats = self.weights.sub_(self.loss.centre).float().cpu().numpy()
        return offsets

    def go_on(self, state: dict[str, Any], step_size: float | None) -> None:
        """Begin where other chains ended, with their random numbers."""
        self.restore({**state, "step_size": step_size, "step_count": 0, "looks": []})

    def state(self) -> dict[str, Any]:
        """All that changes from step to step."""
        content = {"weights": self.weights.cpu().numpy(), "step_size": np.array(self.step_size)}
        content["generators"] = np.stack([g.get_state().numpy() for g in self._generators])
        if self._squares is not None and self._scaling is not None:
            content["squares"] = self._squares.cpu().numpy()
            content["scaling"] = self._scaling.cpu().numpy()
        content["step_count"] = np.array(self.step_count)
        content["looks"] = np.array(list(self.looks.items())).reshape(-1, 2)
        return content

    def restore(self, state: dict[str, Any]) -> None:
        """Go back to a :meth:`state`."""
        torch = import_torch()
        self.weights.copy_(torch.as_tensor(state["weights"]))
        self.step_size, self.step_count = float(state["step_size"]), int(state["step_count"])
        self.looks = {int(step): float(size) for step, size in state["looks"]}
        for generator, held in zip(self._generators, state["generators"], strict=True):
            generator.set_state(torch.as_tensor(held))
        if self._squares is not None and "squares" in state:
            self._squares.copy_(torch.as_tensor(state["squares"]))
            self._scaling = torch.as_tensor(state["scaling"]).to(self.weights)


def _chain_seed(seed: int, chain: int) -> int:
    """A seed of its own for each chain, whatever the number of chains."""
    return int(np.random.SeedSequence([seed, chain]).generate_state(1, np.uint64)[0] >> 1)
