"""Settings of a run at one nβ, checked, and with none left open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.kernels import kernel_class, kernel_names
from rlct.sampling.markov_chains.kernel import Kernel
from rlct.sampling.markov_chains.length import (
    recommended_batch,
    recommended_chains,
    recommended_draws,
    recommended_method,
)
from rlct.sampling.markov_chains.settings import check_n_beta, check_run_options
from rlct.sampling.targets.target import DataTarget, Target

__all__ = ["RunSettings", "complete_settings", "usual_n_beta"]

LEAST_SAMPLES = 3  # of which log n is more than one


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings of a run; None where they are left open.

    Parameters
    ----------
    method : str or class
        The kernel, as `rlct.sampling.kernels.kernel_class` takes it.
    n_beta, localization : float
        nβ and γ.
    num_chains, num_draws, num_burnin : int
    lr : float, optional
        ε of ``"sgld"``; found from curvature and watched in the burn-in without it.
    batch_size : int, optional
        None where gradients are on all data.
    errors : {"chains", "batches", "data"}
        What the interval holds: the scatter of the chains, in which that of batches is, the noise
        of batches alone, or the scatter over data sets, too.
    seed : int
    level : float
    extendable : bool
        Whether there may be more draws, as none are named.
    watched : bool
        Whether the burn-in may lower the step, as it was found.
    precondition : bool
        Whether coordinates are scaled as by RMSprop.
    weight_decay : float
        Precision κ of a normal prior around 0, exp(−κ|w|²/2), beside localization around w*.
    init_loss : float, optional
        What is subtracted instead of the loss at w*.
    memory : float, optional
        Bytes that the run may hold beside module and data.
    tokens : bool
        Whether losses that are kept are those of each token, of ``"token"`` or ``"next_token"``
        without labels to ignore.
    """

    method: str | type[Kernel]
    n_beta: float
    localization: float
    num_chains: int
    num_draws: int
    num_burnin: int
    lr: float | None = None
    batch_size: int | None = None
    errors: str = "chains"
    seed: int = 0
    level: float = 0.95
    extendable: bool = False
    watched: bool = False
    precondition: bool = False
    weight_decay: float = 0.0
    init_loss: float | None = None
    memory: float | None = None
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


def complete_settings(
    target: Target, options: Mapping[str, Any], of_batches: Mapping[str, Any] | None = None
) -> RunSettings:
    """Check what is asked for by name, and find what is left open: what some minutes allow.

    Kernels on mini-batches take what ``of_batches`` names before what is found.

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> found = complete_settings(LinearNetworkTarget([1, 1], rank=0), {"n_beta": 50})
    >>> found.method, found.num_chains, found.num_draws, found.num_burnin
    ('moves', 16, 200, 200)
    >>> complete_settings(LinearNetworkTarget([1, 1], rank=0), {"n_beta": 50, "errors": "data"})
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: errors='data' needs a target with data
    """
    given_options = {name: value for name, value in options.items() if value is not None}
    data = target if isinstance(target, DataTarget) else None
    method = given_options.get("method") or _usual_method(given_options, data)
    kernel = _kernel(method, given_options, data)
    if data is not None and not kernel.on_data:
        raise InputError(
            f"{kernel.name} start from a prior: data and localization need hmc or mala"
        )
    if not kernel.on_batches:
        _refuse_steps(kernel, given_options)
    check_run_options(given_options, None if data is None else data.samples)
    if given_options.get("errors") == "data" and data is None:
        raise InputError("errors='data' needs a target with data")
    usual = dict(of_batches or {}) if kernel.on_batches else {}
    settings = {"localization": float(data is not None), **usual, **given_options}
    settings["extendable"] = "num_draws" not in given_options
    if "num_chains" not in settings:
        settings["num_chains"] = recommended_chains(method, target)
    chains = settings["num_chains"]
    if "num_draws" not in settings:
        settings["num_draws"] = recommended_draws(method, target, chains)
    settings.setdefault("num_burnin", settings["num_draws"])
    if "n_beta" not in settings:
        settings["n_beta"] = usual_n_beta(None if data is None else data.samples)
    check_n_beta(settings["n_beta"], target)
    if kernel.on_batches and data is not None and "batch_size" not in settings:
        settings["batch_size"] = recommended_batch(data, chains)
    return RunSettings(**(settings | {"method": method, "n_beta": float(settings["n_beta"])}))


def _refuse_steps(kernel: type[Kernel], given_options: Mapping[str, Any]) -> None:
    """Refuse what belongs to mini-batches, of a kernel on all data."""
    if {"lr", "batch_size"} & given_options.keys() or given_options.get("errors") == "batches":
        raise InputError(
            f"{kernel.name} adapts its own step and uses all data: lr, batch_size and "
            "errors='batches' are sgld's"
        )
    if given_options.get("precondition"):
        raise InputError(f"precondition is sgld's: {kernel.name} takes its units from curvatures")


def _usual_method(given_options: Mapping[str, Any], data: DataTarget | None) -> str:
    """The sampler that suits the target."""
    if data is None:
        return "mala" if given_options.get("localization") else "moves"
    chains = given_options.get("num_chains")
    usual = chains if isinstance(chains, int) and chains > 0 else kernel_class("hmc").usual_chains
    return recommended_method(data, usual)


def _kernel(
    method: str | type[Kernel], given_options: Mapping[str, Any], data: DataTarget | None
) -> type[Kernel]:
    """That of the method; InputError if there is none."""
    if str(method).lower() == "sgnht":
        raise InputError(
            "method 'sgnht' is not offered: its one thermostat takes the noise of mini-batches for "
            "the same in all directions, which it is not near a singular point, and leaves a bias "
            "that is not measured; sgld measures its own"
        )
    if isinstance(method, str) and method not in kernel_names():
        near_start = data is not None or given_options.get("localization")
        fitting = [n for n in kernel_names() if kernel_class(n).on_data or not near_start]
        raise InputError(f"unknown method {method!r}: choose {', '.join(fitting)}")
    return kernel_class(method)


def usual_n_beta(samples: int | None) -> float:
    """That of practitioners, n / log n."""
    if samples is None:
        raise InputError("a population has no n: name n_beta")
    if samples < LEAST_SAMPLES:
        raise InputError("n / log n needs at least three samples: name n_beta")
    return samples / float(np.log(samples))
