"""What is kept of chains at each step, and the end of a run whose loss is none."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rlct.errors import DivergedError, InputError
from rlct.sampling.targets.target import Floats

# |nβ(L − L(w₀))| of a chain over the number of parameters, of which its mean is half at most:
# beyond this no noise of mini-batches explains it.
DIVERGED_LOSS = 1e4


@dataclass
class LoopTraces:
    """What is kept of each chain, steps of the burn-in first."""

    #: Steps of the burn-in; gauges are steps that are equally far apart, its end among them.
    burnin: int
    #: Shape (chains, steps): nβ(L_B(w) − L_B(w*)), both on the same batch B.
    losses: Floats
    #: Shape (chains, gauges): (ε/8)·nβ∇L_B·∇U_B − (√ε/4)·ξ·nβ∇L_B: its mean is what noise of
    #: batches adds to nβL.
    excess: Floats
    #: Shape (chains, gauges): (w − w*)·∇U_B, whose mean at stationarity is the number of weights
    #: that move.
    virial: Floats
    #: Shape (chains, gauges): |w − w*|².
    squares: Floats
    #: Steps from a gauge to the next.
    every: int = field(default=1, kw_only=True)

    @classmethod
    def empty(cls, chains: int, burnin: int, draws: int, every: int = 1) -> LoopTraces:
        """Room for so many steps.

        >>> traces = LoopTraces.empty(2, burnin=10, draws=17, every=8)
        >>> traces.losses.shape, traces.excess.shape, [traces.gauge(k) for k in (1, 2, 10, 26)]
        ((2, 27), (2, 4), [None, 0, 1, 3])
        """
        gauges = burnin // every + -(-draws // every)
        try:
            steps, seen = np.zeros((chains, burnin + draws)), np.zeros((3, chains, gauges))
        except MemoryError:
            raise InputError(f"{draws} draws of {chains} chains do not fit the memory") from None
        return cls(burnin, steps, *seen, every=every)

    def gauge(self, step: int) -> int | None:
        """Where the gauge of this step stands; None if it is none."""
        after, rest = divmod(step - self.burnin, self.every)
        return None if rest else after + self.burnin // self.every

    def gauges_between(self, first: int, last: int) -> slice:
        """Those of the steps from the first on, and before the last.

        >>> LoopTraces.empty(2, burnin=10, draws=17, every=8).gauges_between(3, 19)
        slice(1, 3, None)
        """
        start, stop = (-((self.burnin % self.every - step) // self.every) for step in (first, last))
        return slice(start, stop)

    def arrays(self) -> dict[str, Floats]:
        """The arrays by name."""
        return {
            name: values for name, values in vars(self).items() if isinstance(values, np.ndarray)
        }

    @property
    def draws(self) -> tuple[Floats, ...]:
        """All of them after the burn-in."""
        first = self.burnin // self.every
        gauges = (values[:, first:] for values in (self.excess, self.virial, self.squares))
        return (self.losses[:, self.burnin :], *gauges)

    @property
    def chain_means(self) -> Floats:
        """λ̂ of each chain: means of the draws, less the excess."""
        excess = self.excess[:, self.burnin // self.every :].mean(axis=1)
        return np.asarray(self.losses[:, self.burnin :].mean(axis=1) - excess)

    def first(self, draws: int) -> LoopTraces:
        """The first so many draws alone."""
        gauges = self.burnin // self.every + -(-draws // self.every)
        parts = (values[:, :gauges] for values in (self.excess, self.virial, self.squares))
        losses = self.losses[:, : self.burnin + draws]
        return LoopTraces(self.burnin, losses, *parts, every=self.every)

    def extended(self, draws: int) -> LoopTraces:
        """The same with room for more draws."""
        chains, steps = self.losses.shape
        more = LoopTraces.empty(chains, self.burnin, steps - self.burnin + draws, self.every)
        for name, values in self.arrays().items():
            more.arrays()[name][:, : values.shape[1]] = values
        return more


def check_losses(traces: LoopTraces, step: int, dimension: int, advice: str) -> None:
    """End the run where a loss is no number or has fallen without end."""
    values = traces.losses[:, step]
    if not np.isfinite(values).all():
        raise DivergedError(
            f"a chain diverged at step {step}, where the loss is not a number: {advice}"
        )
    if values.min() < -DIVERGED_LOSS * dimension:
        raise DivergedError(
            f"nβ(L − L(w*)) has fallen to {values.min():.2g} at step {step}: "
            "the loss has no minimum, or w* is far from it"
        )
