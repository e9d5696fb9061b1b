"""Settings of a run on a torch network: as they are asked for, checked, and with none left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains.settings import (
    check_count,
    check_localization,
    check_scale,
    check_seed,
)
from rlct.sampling.networks.network_loss import NetworkLoss
from rlct.system.options import brief_repr

__all__ = ["NetworkSettings", "complete_network_settings"]

CHAINS, DRAWS, BURNIN, BATCH = 8, 1000, 500, 256  # where none are named; conventions
LEAST_SAMPLES = 3  # of which log n is more than one
LEAST_CHAINS = 2  # whose scatter is an error


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """Settings of a run; None where they are left open.

    Parameters
    ----------
    n_beta, localization : float
        nβ and γ.
    lr : float, optional
        ε; found from curvature and watched in the burn-in without it.
    num_chains, num_draws, num_burnin, batch_size : int
    precondition : bool
        Whether coordinates are scaled as by RMSprop.
    init_loss : float, optional
        What is subtracted instead of the loss at w*.
    memory : float, optional
        Bytes that the run may hold beside module and data.
    seed : int
    level : float
    extendable : bool
        Whether there may be more draws, as none are named.
    watched : bool
        Whether the burn-in may lower the step, as it was found.
    """

    n_beta: float
    localization: float = 1.0
    lr: float | None = None
    num_chains: int = CHAINS
    num_draws: int = DRAWS
    num_burnin: int = BURNIN
    batch_size: int = BATCH
    precondition: bool = False
    init_loss: float | None = None
    memory: float | None = None
    seed: int = 0
    level: float = 0.95
    extendable: bool = False
    watched: bool = False

    @property
    def sampled_gradients(self) -> int:
        """Sample gradients of all steps of all chains."""
        return self.num_chains * (self.num_burnin + self.num_draws) * self.batch_size


def complete_network_settings(
    loss: NetworkLoss, options: Mapping[str, Any]
) -> NetworkSettings:
    """Check what is asked for by name, and fill in what is not.

    Examples
    --------
    >>> import torch
    >>> loss = NetworkLoss(torch.nn.Linear(3, 2), (torch.zeros(100, 3), torch.zeros(100, 2)))
    >>> found = complete_network_settings(loss, {"num_draws": 40})
    >>> found.num_draws, found.num_burnin, found.batch_size, round(found.n_beta, 2)
    (40, 40, 100, 21.71)
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name, least in {
        "num_chains": LEAST_CHAINS,
        "num_draws": 1,
        "num_burnin": 0,
        "batch_size": 1,
    }.items():
        if name in given:
            check_count(name, given[name], least)
    samples = len(loss.samples)
    if given.get("batch_size", 1) > samples:
        raise InputError(
            f"batch_size must lie between 1 and the {samples} samples, not {given['batch_size']}"
        )
    for name in ("n_beta", "lr", "memory"):
        if name in given:
            check_scale(name, given[name], zero=False)
    if "localization" in given:
        check_localization(given["localization"])
    check_seed(given.get("seed", 0))
    level = given.get("level", 0.95)
    if not isinstance(level, Real) or not 0 < level < 1:
        raise InputError(f"level must lie between 0 and 1, not {brief_repr(level)}")
    if "init_loss" in given and not np.isfinite(given["init_loss"]):
        raise InputError(f"init_loss must be a finite number, not {given['init_loss']}")
    if "n_beta" not in given:
        if samples < LEAST_SAMPLES:
            raise InputError("n / log n needs at least three samples: name n_beta")
        given["n_beta"] = samples / float(np.log(samples))
    given.setdefault("batch_size", min(BATCH, samples))
    given["extendable"] = "num_draws" not in given
    if "num_burnin" not in given and "num_draws" in given:
        given["num_burnin"] = given["num_draws"]
    return NetworkSettings(**given)
