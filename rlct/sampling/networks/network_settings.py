"""Settings of a run on a torch network: checked, and with none left open."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.kernels import kernel_class
from rlct.sampling.local.length import affordable_batch, recommended_method
from rlct.sampling.local.llc_settings import complete_settings
from rlct.sampling.markov_chains.kernel import RunSettings
from rlct.sampling.modules.losses import TOKEN_LOSSES
from rlct.sampling.modules.module import ModuleTarget
from rlct.sampling.modules.network_loss import NetworkLoss
from rlct.system.options import brief_repr

SGLD_CHAINS, SGLD_DRAWS, SGLD_BURNIN = 8, 1000, 500  # conventions
QUICK_WORK = 2.5e10  # of all gradients of a usual run: ten seconds, or a minute where it is doubled
FEW_PRODUCTS = 10**6  # weights times samples up to which gradients on all data take seconds
OF_BATCHES = ("lr", "batch_size", "precondition")


def complete_network_settings(loss: NetworkLoss, options: Mapping[str, Any]) -> RunSettings:
    """Check what is asked for by name, and fill in what is not; ``"sgld"`` is the usual method.

    Examples
    --------
    >>> import torch
    >>> loss = NetworkLoss(torch.nn.Linear(3, 2), (torch.zeros(100, 3), torch.zeros(100, 2)))
    >>> found = complete_network_settings(loss, {"num_draws": 40})
    >>> found.num_draws, found.num_burnin, found.batch_size, round(found.n_beta, 2)
    (40, 40, 100, 21.71)
    """
    given_options = {"method": "sgld"}
    given_options |= {name: value for name, value in options.items() if value is not None}
    if given_options.get("tokens") and loss.loss not in TOKEN_LOSSES:
        raise InputError("tokens have losses of their own with loss='token' or 'next_token' alone")
    init_loss: Any = given_options.get("init_loss", 0.0)
    if not isinstance(init_loss, Real) or not np.isfinite(float(init_loss)):
        raise InputError(f"init_loss must be a finite number, not {brief_repr(init_loss)}")
    target = ModuleTarget.of(loss)
    batch_size = loss.samples.batch_size or 1  # which is what a loader takes that is told nothing
    usual_steps = SGLD_CHAINS * (SGLD_BURNIN + SGLD_DRAWS)
    if batch_size == 1 and "batch_size" not in given_options:
        batch_size = affordable_batch(target.sample_work, usual_steps, QUICK_WORK)
    usual = {
        "num_chains": SGLD_CHAINS,
        "num_draws": SGLD_DRAWS,
        "num_burnin": given_options.get("num_draws", SGLD_BURNIN),
        "batch_size": min(batch_size, len(loss.samples)),
    }
    return complete_settings(target, given_options, usual)


def usual_network_method(loss: NetworkLoss, options: Mapping[str, Any]) -> str:
    """Mini-batches where they are asked for, or answer sooner than all data would.

    Examples
    --------
    >>> import torch
    >>> loss = NetworkLoss(torch.nn.Linear(3, 2), (torch.zeros(100, 3), torch.zeros(100, 2)))
    >>> [usual_network_method(loss, {"lr": lr}) for lr in (None, 1e-3)]
    ['hmc', 'sgld']
    """
    named = any(options.get(name) is not None for name in OF_BATCHES)
    if named or options.get("errors") == "batches" or loss.samples.batch_size is not None:
        return "sgld"
    large = loss.moving * len(loss.samples) > FEW_PRODUCTS or loss.samples.layout is not None
    if large and options.get("errors") != "data":  # which asks for draws on all data
        return "sgld"
    chains = options.get("num_chains")
    usual = kernel_class("hmc").usual_chains
    return recommended_method(
        ModuleTarget.of(loss), chains if isinstance(chains, int) and chains > 0 else usual
    )
