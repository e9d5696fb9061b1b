"""Settings of a run on a torch network: as they are asked for, checked, and with none left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains.settings import check_run_options
from rlct.sampling.modules.losses import TOKEN_LOSSES
from rlct.sampling.networks.network_loss import NetworkLoss
from rlct.system.options import brief_repr

__all__ = ["NetworkSettings", "complete_network_settings"]

CHAINS, DRAWS, BURNIN, BATCH = 8, 1000, 500, 256  # where none are named; conventions
LEAST_SAMPLES = 3  # of which log n is more than one


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
    weight_decay : float
        Precision κ of a normal prior around 0, exp(−κ|w|²/2), beside localization around w*.
    init_loss : float, optional
        What is subtracted instead of the loss at w*.
    memory : float, optional
        Bytes that the run may hold beside module and data.
    errors : {"chains", "batches"}
        What the interval holds: the scatter of the chains, in which that of batches is, or the
        noise of batches alone.
    tokens : bool
        Whether losses that are kept are those of each token, of ``"token"`` or ``"next_token"``
        without labels to ignore.
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
    weight_decay: float = 0.0
    init_loss: float | None = None
    memory: float | None = None
    errors: str = "chains"
    tokens: bool = False
    seed: int = 0
    level: float = 0.95
    extendable: bool = False
    watched: bool = False

    @property
    def pull(self) -> float:
        """Precision of all that confines the chains, γ + κ."""
        return self.localization + self.weight_decay

    @property
    def sampled_gradients(self) -> int:
        """Sample gradients of all steps of all chains."""
        return self.num_chains * (self.num_burnin + self.num_draws) * self.batch_size


def complete_network_settings(loss: NetworkLoss, options: Mapping[str, Any]) -> NetworkSettings:
    """Check what is asked for by name, and fill in what is not.

    Examples
    --------
    >>> import torch
    >>> loss = NetworkLoss(torch.nn.Linear(3, 2), (torch.zeros(100, 3), torch.zeros(100, 2)))
    >>> found = complete_network_settings(loss, {"num_draws": 40})
    >>> found.num_draws, found.num_burnin, found.batch_size, round(found.n_beta, 2)
    (40, 40, 100, 21.71)
    """
    given_options = {name: value for name, value in options.items() if value is not None}
    if given_options.get("tokens") and loss.loss not in TOKEN_LOSSES:
        raise InputError("tokens have losses of their own with loss='token' or 'next_token' alone")
    samples = len(loss.samples)
    check_run_options(given_options, samples)
    init_loss = given_options.get("init_loss", 0.0)
    if not isinstance(init_loss, Real) or not np.isfinite(float(init_loss)):
        raise InputError(f"init_loss must be a finite number, not {brief_repr(init_loss)}")
    if given_options.get("errors") == "data":
        raise InputError("errors='data' needs draws by gradients on all data: name method='hmc'")
    if "n_beta" not in given_options:
        if samples < LEAST_SAMPLES:
            raise InputError("n / log n needs at least three samples: name n_beta")
        given_options["n_beta"] = samples / float(np.log(samples))
    of_loader = loss.samples.batch_size or 1  # which is what a loader takes that is told nothing
    own_batch = of_loader if of_loader > 1 else BATCH
    given_options.setdefault("batch_size", min(own_batch, samples))
    given_options["extendable"] = "num_draws" not in given_options
    if "num_burnin" not in given_options and "num_draws" in given_options:
        given_options["num_burnin"] = given_options["num_draws"]
    return NetworkSettings(**given_options)
