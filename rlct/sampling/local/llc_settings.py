"""Settings of a run at one nβ: as they are asked for, checked, and with none left open."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real

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
from rlct.sampling.markov_chains.settings import (
    check_count,
    check_localization,
    check_n_beta,
    check_scale,
    check_seed,
)
from rlct.sampling.targets.target import DataTarget, Target
from rlct.system.options import brief_repr

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
    nu_batch_size: int | None = None
    trained: bool | None = None
    seed: int = 0
    level: float = 0.95

    def check(self, method: str, data: DataTarget | None) -> None:
        """Raise InputError unless all are numbers of their kind and suit method and target.

        Examples
        --------
        >>> AskedSettings(num_chains=4, n_beta=10.0).check("hmc", None)
        >>> AskedSettings(num_chains=2.5).check("hmc", None)
        Traceback (most recent call last):
        ...
        rlct.errors.InputError: num_chains must be a whole number, not 2.5
        """
        given_values = {name: value for name, value in vars(self).items() if value is not None}
        least_counts = {"num_chains": 0, "num_draws": 1, "num_burnin": 0}
        for name, least in (least_counts | {"batch_size": 1, "nu_batch_size": 1}).items():
            if name in given_values:
                check_count(name, given_values[name], least)
        for name in ("n_beta", "lr"):
            if name in given_values:
                check_scale(name, given_values[name], zero=False)
        if self.localization is not None:
            check_localization(self.localization)
        check_seed(self.seed)
        if not isinstance(self.level, Real) or self.level <= 0 or not self.level < 1:
            raise InputError(f"level must lie between 0 and 1, not {brief_repr(self.level)}")
        if self.trained is not None and not isinstance(self.trained, bool | np.bool_):
            raise InputError(f"trained must be True or False, not {brief_repr(self.trained)}")
        for name in ("trained", "nu_batch_size"):
            if name in given_values and data is None:
                raise InputError(f"{name} needs a target with data")
        if self.num_chains is not None and self.num_chains < 2:
            raise InputError("an interval needs at least two chains")
        # With replacement: all samples once cost less than as many draws.
        if data is not None and (self.nu_batch_size or 0) > data.samples:
            raise InputError(
                f"nu_batch_size must lie between 1 and the {data.samples} samples, "
                f"not {self.nu_batch_size}"
            )
        if method != "sgld" and (self.lr is not None or self.batch_size is not None):
            raise InputError(
                f"{method} adapts its own step and uses all data: lr and batch_size are sgld's"
            )
        if self.batch_size is not None and data is None:
            raise InputError("mini-batches need a target with data")


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
        "n_beta": n_beta,
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
    alone = "mala" if options.localization else "moves"
    usual = chains if isinstance(chains, int) and chains > 0 else CHAINS["hmc"]
    method = options.method or (alone if data is None else recommended_method(data, usual))
    if method not in METHODS:
        fitting = METHODS if data is None and alone == "moves" else METHODS[1:]
        raise InputError(f"unknown method {method!r}: choose {', '.join(fitting)}")
    return method


def _usual_n_beta(data: DataTarget | None) -> float:
    """That of practitioners, n / log n."""
    if data is None:
        raise InputError("a population has no n: name n_beta")
    if data.samples < 3:
        raise InputError("n / log n needs at least three samples: name n_beta")
    return data.samples / float(np.log(data.samples))
