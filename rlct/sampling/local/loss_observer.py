"""Losses of samples at some of the draws, of which influences, ν and the scatter are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from rlct.sampling.arrays import Array
from rlct.sampling.markov_chains.effort import data_work
from rlct.sampling.markov_chains.posterior import TemperedPosterior
from rlct.sampling.networks.sample_losses import SampleLosses
from rlct.sampling.targets.target import DataTarget, Floats

__all__ = ["LossObserver"]

MOST_LOOKS, LEAST_LOOKS = 200, 10  # draws of each chain that are looked at; conventions
LOOK_WORK = 2e10  # products that all losses take together
ROOM = 2**22  # losses that are held: 16 MB


class LossObserver:
    """Observes draws that are equally far apart; of very many samples at a random part of them.

    Parameters
    ----------
    posterior : TemperedPosterior
        Of a single rung, on a target with data.
    num_draws : int
        Of each chain.
    """

    def __init__(self, posterior: TemperedPosterior, num_draws: int) -> None:
        assert isinstance(posterior.target, DataTarget)
        self.posterior, self.target = posterior, posterior.target
        chains, n = posterior.rows, self.target.samples
        size = min(n, max(1, ROOM // (LEAST_LOOKS * chains)))
        # Random numbers of its own: chains are the same with and without it.
        self.rows = np.sort(np.random.default_rng(n).choice(n, size, replace=False))
        affordable = min(LOOK_WORK / (chains * data_work(self.target)), ROOM / (chains * size))
        self.every = max(1, num_draws // int(np.clip(affordable, LEAST_LOOKS, MOST_LOOKS)))
        self._seen, self._losses = 0, np.empty((0, chains, size), dtype=np.float32)

    def __call__(self, w: Array, k: Array) -> None:
        """Look at one draw of all chains."""
        self._seen += 1
        if (self._seen - 1) % self.every:
            return
        whole = len(self.rows) == self.target.samples
        rows = None if whole else np.broadcast_to(self.rows, (len(w), len(self.rows)))
        losses = self.posterior.arrays.numpy(self.target.pointwise(w, rows))
        self._losses = np.concatenate([self._losses, losses[None].astype(np.float32)])

    def found(self) -> SampleLosses | None:
        """What was seen; None where it is no number, or a single draw of one chain."""
        losses = self._losses.transpose(1, 0, 2)
        if losses.shape[0] * losses.shape[1] < 2 or not np.isfinite(losses).all():
            return None
        start = getattr(self.target, "start_losses", None)  # which ν and influences do without
        return SampleLosses(
            losses=losses,
            start=np.zeros(len(self.rows)) if start is None else start[self.rows],
            n_beta=float(self.posterior.n_beta[0]),
            samples_total=self.target.samples,
            rows=self.rows,
        )

    def settings(self) -> dict[str, Any]:
        """What identifies it in a file."""
        return {"looks": self.every}

    def state(self) -> dict[str, Floats]:
        """All it holds."""
        return {"losses": self._losses, "seen": np.array([self._seen], dtype=float)}

    def restore(self, state: dict[str, Floats]) -> None:
        """Go back to a :meth:`state`."""
        self._losses, self._seen = state["losses"], int(state["seen"][0])
