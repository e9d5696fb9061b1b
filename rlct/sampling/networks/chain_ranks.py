"""Chains over several processes: each runs some of them, and all know the traces of all.

Chain k has the random numbers of its own number, wherever it runs.
"""

from pathlib import Path
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains.traces import LoopTraces
from rlct.sampling.modules.torch_arrays import import_torch
from rlct.sampling.targets.target import Floats

ChainDivergence = tuple[str, bool]  # in words, and whether a smaller step would be of no use


class DivergedElsewhereError(Exception):
    """A chain of another process has diverged."""

    def __init__(self, divergence: ChainDivergence) -> None:
        super().__init__(divergence[0])
        self.divergence = divergence


class ChainRanks:
    """Which chains this process runs, of a group that `torch.distributed` has set up, if it has.

    ``chains`` are those of all processes together; InputError if there are fewer than processes, or
    they cannot be shared out evenly.

    >>> import torch
    >>> ChainRanks(8).numbers                            # one process
    range(0, 8)
    """

    def __init__(self, chains: int) -> None:
        group = import_torch().distributed
        self.count, self.rank = 1, 0
        if group.is_available() and group.is_initialized():
            self.count, self.rank = group.get_world_size(), group.get_rank()
        if chains % self.count:
            raise InputError(
                f"{chains} chains cannot be shared out evenly to {self.count} processes: let "
                "num_chains be a multiple"
            )
        share = chains // self.count
        #: Numbers of the chains that run here.
        self.numbers = range(self.rank * share, (self.rank + 1) * share)

    def of_each(self, value: Any) -> list[Any]:
        """What each process has here, in their order; all call it at the same steps.

        InputError if another process has ended.
        """
        if self.count == 1:
            return [value]
        parts: list[Any] = [None] * self.count
        try:
            import_torch().distributed.all_gather_object(parts, value)
        except RuntimeError:
            raise InputError(
                "another process has ended before its chains were done: read its output, then "
                "start all processes again; with checkpoint= they go on from their files"
            ) from None
        return parts

    def gathered(self, values: Floats) -> Floats:
        """Rows of all chains from those of each process, in the order of the chains."""
        return values if self.count == 1 else np.concatenate(self.of_each(values))

    def all_traces(self, traces: LoopTraces) -> LoopTraces:
        """The traces of all chains."""
        if self.count == 1:
            return traces
        parts = map(self.gathered, traces.arrays().values())
        return LoopTraces(traces.burnin, *parts, every=traces.every)

    def agree(self, divergence: ChainDivergence | None) -> ChainDivergence | None:
        """What has gone wrong on any process, said to all: the first of it, None if nothing has.

        Each calls it at the same steps, and one whose chains diverge at once, in the place of the
        next of these: none waits for another that has ended.
        """
        return next((part for part in self.of_each(divergence) if part is not None), None)

    def own_file(self, path: str | Path) -> str | Path:
        """A file for each process: what one of them had saved is not lost with another."""
        if self.count == 1:
            return path
        whole = Path(path)
        return whole.with_name(f"{whole.stem}.rank{self.rank}{whole.suffix}")
