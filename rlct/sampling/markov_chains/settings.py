"""What may be asked of a run at one nβ, checked before anything is computed."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

from rlct.errors import InputError
from rlct.sampling.checks import check_count, check_scale, check_seed
from rlct.sampling.targets.target import DataTarget, Target
from rlct.system.options import brief_repr

_HIGHEST_LEVEL = 1e100  # nβ on data: its square is no float from 1e154 on
_LOWEST_LEVEL = 1e-100  # nβ: squares of nβK underflow from 1e-154 on
_STRONGEST_PULL = 1e20  # γ: chains within 1e-10 of w₀, which rounding begins to hide


def check_run_options(given_options: Mapping[str, Any], samples: int | None) -> None:
    """Raise InputError unless the options of a run at one nβ are numbers of their kind.

    Those that are not left open are given by name; ``samples`` is the size of the data set, if any.

    >>> check_run_options({"num_chains": 4, "n_beta": 10.0}, None)
    >>> check_run_options({"num_chains": 2.5}, None)
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: num_chains must be a whole number, not 2.5
    """
    for name, least in {"num_chains": 0, "num_draws": 1, "num_burnin": 0, "batch_size": 1}.items():
        if name in given_options:
            check_count(name, given_options[name], least)
    for name in ("n_beta", "lr", "memory"):
        if name in given_options:
            check_scale(name, given_options[name], zero=False)
    if "weight_decay" in given_options:
        check_scale("weight_decay", given_options["weight_decay"], zero=True)
    if "localization" in given_options:
        check_localization(given_options["localization"])
    check_seed(given_options.get("seed", 0))
    level = given_options.get("level", 0.95)
    if not isinstance(level, Real) or level <= 0 or not level < 1:
        raise InputError(f"level must lie between 0 and 1, not {brief_repr(level)}")
    if given_options.get("num_chains", 2) < 2:
        raise InputError("num_chains must be more: an interval needs at least two chains")
    batch_size = given_options.get("batch_size")
    if batch_size is not None and samples is None:
        raise InputError("mini-batches need a target with data")
    if batch_size is not None and samples is not None and batch_size > samples:
        raise InputError(
            f"batch_size must lie between 1 and the {samples} samples, not {batch_size}"
        )
    kinds = ("chains", "batches", "data")
    if given_options.get("errors", "chains") not in kinds:
        raise InputError(
            f"errors must be {', '.join(kinds[:2])} or {kinds[2]}, "
            f"not {brief_repr(given_options['errors'])}"
        )


def check_n_beta(value: Any, target: Target, factor: float = 1.0) -> None:
    """Raise InputError unless nβ is positive, and so small that K still shows.

    ``factor`` is that of `rlct.answers.targets.scaled_target`: nβ is of K before it was multiplied.

    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> check_n_beta(1e30, PolynomialTarget([{(1, 0): 1, (0, 1): -1}], squared=True))
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: n_beta must be at most 1e+20, not 1e+30: beyond, rounding hides K
    """
    check_scale("n_beta", value, zero=False)
    if value < _LOWEST_LEVEL * factor:
        raise InputError(
            f"n_beta must be at least {_LOWEST_LEVEL * factor:.3g}, not {float(value):g}: below, "
            "its squares underflow"
        )
    most, why = target.resolution * factor, "rounding hides K"
    if isinstance(target, DataTarget):
        most, why = _HIGHEST_LEVEL, "its squares overflow"
    if value > most:
        raise InputError(f"n_beta must be at most {most:.3g}, not {float(value):g}: beyond, {why}")


def check_localization(value: Any) -> None:
    """Raise InputError unless γ is zero or positive, and leaves chains some room.

    >>> check_localization(1e300)
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: localization must be at most 1e+20, not 1e+300: beyond, chains are at w₀
    """
    check_scale("localization", value, zero=True)
    if value > _STRONGEST_PULL:
        raise InputError(
            f"localization must be at most {_STRONGEST_PULL:g}, not {float(value):g}: beyond, "
            "chains are at w₀"
        )
