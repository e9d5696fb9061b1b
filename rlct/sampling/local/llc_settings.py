"""Settings of a run at one nβ, checked, and with none left open."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.kernels import kernel_class, kernel_names
from rlct.sampling.kernels.mala import Mala
from rlct.sampling.kernels.moves import Walkers
from rlct.sampling.local.length import (
    recommended_batch,
    recommended_chains,
    recommended_draws,
    recommended_method,
)
from rlct.sampling.markov_chains.kernel import Kernel, RunSettings
from rlct.sampling.markov_chains.settings import check_n_beta, check_run_options
from rlct.sampling.targets.target import DataTarget, Target

LEAST_SAMPLES = 3  # of which log n is more than one


def complete_settings(
    target: Target, options: Mapping[str, Any], of_batches: Mapping[str, Any] | None = None
) -> RunSettings:
    """Check what is asked for by name, and find what is left open: what some minutes allow.

    Kernels on mini-batches take what ``of_batches`` names before what is found.

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
        raise InputError(f"{kernel.name} start from a prior: for data take hmc or mala")
    if not kernel.on_batches:
        _refuse_steps(kernel, given_options)
    check_run_options(given_options, None if data is None else data.samples)
    if given_options.get("errors") == "data" and data is None:
        raise InputError("errors='data' needs a target with data")
    usual = dict(of_batches or {}) if kernel.on_batches else {}
    run_options = {"localization": float(data is not None), **usual, **given_options}
    run_options["extendable"] = "num_draws" not in given_options
    if "num_chains" not in run_options:
        run_options["num_chains"] = recommended_chains(method, target)
    chains = run_options["num_chains"]
    if "num_draws" not in run_options:
        run_options["num_draws"] = recommended_draws(method, target, chains)
    run_options.setdefault("num_burnin", run_options["num_draws"])
    if "n_beta" not in run_options:
        run_options["n_beta"] = usual_n_beta(None if data is None else data.samples)
    check_n_beta(run_options["n_beta"], target)
    if kernel.on_batches and data is not None and "batch_size" not in run_options:
        run_options["batch_size"] = recommended_batch(data, chains)
    return RunSettings(**(run_options | {"method": method, "n_beta": float(run_options["n_beta"])}))


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
        return (Mala if given_options.get("localization") else Walkers).name
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
