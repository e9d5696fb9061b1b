"""What moves chains, and what observes their draws."""

from __future__ import annotations

from typing import Any, Protocol

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.targets.target import Floats

__all__ = ["DrawObserver", "Kernel"]


class DrawObserver(Protocol):
    """Something that sees every draw, and whose state goes into a file."""

    def __call__(self, w: Array, k: Array) -> None:
        """Look at one draw of all chains."""
        ...

    def settings(self) -> dict[str, Any]:
        """What identifies it in a file."""
        ...

    def state(self) -> dict[str, Floats]:
        """All it holds."""
        ...

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        ...


class Kernel(Protocol):
    """A Markov kernel that moves all chains of a posterior at once.

    ``w`` has shape ``(rows, d)`` and ``k``, the divergence there or an unbiased estimate of it,
    ``(rows,)``.
    """

    name: str
    posterior: TemperedPosterior
    w: Array
    k: Array

    @property
    def excess(self) -> Floats | None:
        """What mini-batches add to the mean of nβK, shape (rows,); None where steps have a test."""
        ...

    @property
    def virial(self) -> Floats | None:
        """w·∇U, shape (rows,), whose mean is the number of weights; None where it is not known."""
        ...

    def step(self, number: int, in_burnin: bool) -> Array | None:
        """Move every chain once; which of them accepted, None without a test."""
        ...

    def settle(self) -> None:
        """End the adaptation: the kernel is fixed from now on."""
        ...

    def sizes(self) -> Floats:
        """Step size per row."""
        ...

    def notes(self) -> dict[str, Any]:
        """Numbers of the sampler's own, by which a file knows its run."""
        ...

    def state(self) -> dict[str, Floats]:
        """All that changes from step to step, for a file."""
        ...

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        ...
