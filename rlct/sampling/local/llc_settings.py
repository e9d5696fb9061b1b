"""Settings of a run at one nβ: as they are asked for, checked, and with none left open."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.sampling.markov_chains.length import (
    CHAINS,
    METHODS,
    recommended_batch,
    recommended_chains,
    recommended_draws,
    recommended_method,
)
from rlct.sampling.markov_chains.settings import check_n_beta, check_run_options
from rlct.sampling.targets.target import DataTarget, Target

__all__ = ["AskedSettings", "RunSettings", "complete_settings"]


@dataclass(frozen=True, kw_only=True)
class AskedSettings:
    """Options of `rlct.sampling.local.llc.estimate_llc` as they were given; None is left open."""

    method: str | None = None
    n_beta: float | None = None
    localization: float | None = None
    num_chains: int | None = None
    num_draws: int | None = None
    num_burnin: int | None = None
    lr: float | None = None
    batch_size: int | None = None
    errors: str = "chains"
    seed: int = 0
    level: float = 0.95

    def check(self, method: str, data: DataTarget | None) -> None:
        """Raise InputError unless all are numbers of their kind and suit method and target.

        Examples
        --------
        >>> AskedSettings(num_chains=4, errors="data").check("hmc", None)
        Traceback (most recent call last):
        ...
        rlct.errors.InputError: errors='data' needs a target with data
        """
        given_values = {name: value for name, value in vars(self).items() if value is not None}
        own = self.lr is not None or self.batch_size is not None
        if method != "sgld" and (own or self.errors == "batches"):
            raise InputError(
                f"{method} adapts its own step and uses all data: lr, batch_size and "
                "errors='batches' are sgld's"
            )
        check_run_options(given_values, None if data is None else data.samples)
        if self.errors == "data" and data is None:
            raise InputError("errors='data' needs a target with data")


@dataclass(frozen=True, kw_only=True)
class RunSettings(AskedSettings):
    """The same with what was left open found; a batch only where the method takes some.

    ``extendable`` says that the number of draws was left open: there may be more of them.
    """

    method: str
    n_beta: float
    localization: float
    num_chains: int
    num_draws: int
    num_burnin: int
    extendable: bool


def complete_settings(options: AskedSettings, target: Target) -> RunSettings:
    """Check what is asked for, and find what is left open: what some minutes allow.

    Examples
    --------
    >>> from rlct.sampling.targets.linear import LinearNetworkTarget
    >>> found = complete_settings(AskedSettings(n_beta=50), LinearNetworkTarget([1, 1], rank=0))
    >>> found.method, found.num_chains, found.num_draws, found.num_burnin
    ('moves', 16, 200, 200)
    """
    data = target if isinstance(target, DataTarget) else None
    method = _method(options, data)
    options.check(method, data)
    chains, batch = options.num_chains, options.batch_size
    if chains is None:
        chains = recommended_chains(method, target)
    draws = options.num_draws or recommended_draws(method, target, chains)
    n_beta = _usual_n_beta(data) if options.n_beta is None else options.n_beta
    check_n_beta(n_beta, target)
    if method == "sgld" and data is not None and batch is None:
        batch = recommended_batch(data, chains)
    pull = float(data is not None) if options.localization is None else options.localization
    found_options = {
        "method": method,
        "n_beta": float(n_beta),
        "localization": pull,
        "num_chains": chains,
        "num_draws": draws,
        "num_burnin": draws if options.num_burnin is None else options.num_burnin,
        "batch_size": batch,
        "extendable": options.num_draws is None,
    }
    return RunSettings(**(vars(options) | found_options))


def _method(options: AskedSettings, data: DataTarget | None) -> str:
    """The sampler that was named, or the one that suits the target."""
    chains = options.num_chains
    without_data = "mala" if options.localization else "moves"
    usual = chains if isinstance(chains, int) and chains > 0 else CHAINS["hmc"]
    method = options.method or (without_data if data is None else recommended_method(data, usual))
    if str(method).lower() == "sgnht":
        raise InputError(
            "method 'sgnht' is not offered: its one thermostat takes the noise of mini-batches for "
            "the same in all directions, which it is not near a singular point, and leaves a bias "
            "that is not measured; sgld measures its own"
        )
    if method not in METHODS:
        fitting = METHODS if data is None and without_data == "moves" else METHODS[1:]
        raise InputError(f"unknown method {method!r}: choose {', '.join(fitting)}")
    return method


def _usual_n_beta(data: DataTarget | None) -> float:
    """That of practitioners, n / log n."""
    if data is None:
        raise InputError("a population has no n: name n_beta")
    if data.samples < 3:
        raise InputError("n / log n needs at least three samples: name n_beta")
    return data.samples / float(np.log(data.samples))
