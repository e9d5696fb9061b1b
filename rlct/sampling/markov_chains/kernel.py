"""What moves chains, and the settings of a run at one nβ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rlct.sampling.arrays import Array, Arrays
from rlct.sampling.kernels import kernel_class
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.markov_chains.spectrum import Spectrum
from rlct.sampling.markov_chains.tuning import LossLandscape
from rlct.sampling.targets.target import Floats

NEARBY_REACH = 2.0  # times as far from w₀ as the chain that is farthest


class UndefinedPoints:
    """Points near chains where K is not a number, and the first step that met one."""

    def __init__(self) -> None:
        self.count, self.at = 0, -1

    def note(self, on: Arrays, lost: Array, w: Array, number: int) -> None:
        """Count the points ``lost``, but those far outside chains at ``w``, of overflow."""
        reach = NEARBY_REACH * on.lengths(w).max()
        count = int((on.lengths(lost) <= reach).sum())
        if count and not self.count:
            self.at = number
        self.count += count

    def state(self) -> Floats:
        """For a file."""
        return np.array([self.count, self.at], dtype=float)

    def restore(self, state: Floats) -> None:
        """Go back to a :meth:`state`."""
        self.count, self.at = map(int, state)


class Kernel:
    """A Markov kernel that moves all chains of a posterior at once.

    ``w`` has shape ``(rows, d)`` and ``k``, the divergence there or an unbiased estimate of it,
    ``(rows,)``.  A subclass has a :meth:`step`; one with a Metropolis test is a
    `~rlct.sampling.markov_chains.metropolis.MetropolisKernel`.
    """

    #: By which ``method=`` takes it.
    name: ClassVar[str]
    #: Where none are named.
    usual_draws: ClassVar[int] = 2000
    usual_chains: ClassVar[int] = 8
    gradients_per_draw: ClassVar[int] = 1
    #: At each nβ of a ladder; 0 where it runs at one nβ only.
    ladder_draws: ClassVar[int] = 0
    #: Whether it samples a loss on data near w₀; all sample a population with its prior.
    on_data: ClassVar[bool] = True
    #: Whether mini-batches do; it takes ``lr``, ``batch_size`` and ``precondition``.
    on_batches: ClassVar[bool] = False
    #: Whether steps are those of a diffusion, whose pace the localization sets.
    langevin: ClassVar[bool] = False
    #: Attributes that change from step to step, which a file keeps beside ``w``.
    changing: ClassVar[tuple[str, ...]] = ()

    w: Array
    k: Array
    #: What mini-batches add to the mean of nβK, as last seen, by row; None where steps have a test.
    excess: Floats | None = None

    def __init__(self, posterior: TemperedPosterior) -> None:
        self.posterior, self.arrays = posterior, posterior.arrays
        #: Points near chains where the loss is no number.
        self.undefined = UndefinedPoints()
        #: Pushes of the prior that were cut, and all, among those looked at.
        self.cut_pushes: Floats = np.zeros(2)

    @classmethod
    def begin(
        cls,
        posterior: TemperedPosterior,
        run_settings: RunSettings,
        landscape: LossLandscape | None,
        spectrum: Spectrum | None,
    ) -> Kernel:
        """Make the kernel of a run, whose chains start at w₀ where there are data.

        ``landscape`` and ``spectrum`` are what was seen around w₀, if it was looked at.
        """
        return cls(posterior)

    def step(self, number: int, in_burnin: bool) -> Array | None:
        """Move every chain once; which of them accepted, None without a test."""
        raise NotImplementedError

    @property
    def virial(self) -> Floats | None:
        """w·∇U, shape (rows,), whose mean is the number of weights; None where it is not known."""
        return None

    def settle(self) -> None:
        """End the adaptation: the kernel is fixed from now on."""

    def sizes(self) -> Floats:
        """Step size per row."""
        return np.full(self.posterior.rows, self.posterior.target.scale)

    def notes(self) -> dict[str, Any]:
        """Numbers of the sampler's own, by which a file knows its run."""
        return {}

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step, for a file."""
        held = {name.lstrip("_"): np.asarray(getattr(self, name)) for name in self.changing}
        return {"w": self.arrays.numpy(self.w), "undefined": self.undefined.state(), **held}

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        self.w = self.arrays.asarray(state["w"])
        self.undefined.restore(state["undefined"])
        for name in self.changing:
            setattr(self, name, state[name.lstrip("_")])


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings of a run; None where they are left open."""

    #: The kernel, as `rlct.sampling.kernels.kernel_class` takes it.
    method: str | type[Kernel]
    #: nβ and γ.
    n_beta: float
    localization: float
    num_chains: int
    num_draws: int
    num_burnin: int
    #: ε of ``"sgld"``; found from curvature and watched in the burn-in without it.
    lr: float | None = None
    #: None where gradients are on all data.
    batch_size: int | None = None
    #: What the interval holds: the scatter of the chains, in which that of batches is, the noise of
    #: batches alone, or the scatter over data sets, too.
    errors: str = "chains"
    seed: int = 0
    level: float = 0.95
    #: Whether there may be more draws, as none are named.
    extendable: bool = False
    #: Whether the burn-in may lower the step, as it was found.
    watched: bool = False
    #: Whether coordinates are scaled by mean squared slopes; None where it is open.
    precondition: bool | None = None
    #: Precision κ of a normal prior around 0, exp(−κ|w|²/2), beside localization around w*.
    weight_decay: float = 0.0
    #: What is subtracted instead of the loss at w*.
    init_loss: float | None = None
    #: Bytes that the run may hold beside module and data.
    memory: float | None = None
    #: Whether losses that are kept are those of each token, of ``"token"`` or ``"next_token"``
    #: without labels to ignore.
    tokens: bool = False

    @property
    def kernel(self) -> type[Kernel]:
        """What moves the chains."""
        return kernel_class(self.method)

    @property
    def pull(self) -> float:
        """Precision of all that confines the chains, γ + κ."""
        return self.localization + self.weight_decay

    def gradients(self, samples: int) -> int:
        """Sample gradients of a usual step of all chains, of so many samples."""
        each = self.batch_size or samples * self.kernel.gradients_per_draw
        return self.num_chains * each
