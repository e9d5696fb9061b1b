"""What may be asked of a run at one nβ, checked before anything is computed."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.sampling.targets.target import DataTarget, Target
from rlct.system.options import brief_repr

__all__ = [
    "check_count",
    "check_localization",
    "check_n_beta",
    "check_scale",
    "check_seed",
    "real_array",
]

_MOST = 10**12  # of what is counted
_HIGHEST = 1e100  # nβ on data: its square is no float from 1e154 on
_LOWEST = 1e-100  # nβ: squares of nβK underflow from 1e-154 on
_STRONGEST = 1e20  # γ: chains within 1e-10 of w₀, which rounding begins to hide


def check_seed(seed: Any) -> None:
    """A run that cannot be repeated is refused, and so is a seed that NumPy does not take."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed must be a non-negative integer, not {brief_repr(seed)}")


def real_array(name: str, values: Any, dtype: Any = np.float64, ndmin: int = 0) -> Any:
    """Copy of real numbers as an array; InputError for text, ragged lists and complex numbers.

    Examples
    --------
    >>> real_array("x", [[1, 2], [3]])
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: x must be an array of real numbers
    """
    try:
        if np.asarray(values).dtype.kind not in "cSUmM":
            return np.array(values, dtype=dtype, ndmin=ndmin)
    except (TypeError, ValueError):
        pass
    raise InputError(f"{name} must be an array of real numbers")


def check_count(name: str, value: Any, least: int) -> None:
    """Raise InputError unless this is a whole number of a size that could be run."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InputError(f"{name} must be a whole number, not {brief_repr(value)}")
    if value < least:
        raise InputError(f"{name} must be at least {least}, not {value}")
    if int(value) > _MOST:
        raise InputError(f"{name} must be at most {_MOST:.0e}, not {brief_repr(value)}")


def check_scale(name: str, value: Any, *, zero: bool) -> None:
    """Raise InputError unless this is a positive finite number, or 0 where that is allowed."""
    try:
        fits = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        fits = False
    if not fits or float(value) < 0 or not (value or zero):
        sign = "zero or positive" if zero else "positive"
        raise InputError(f"{name} must be {sign} and finite, not {brief_repr(value)}")


def check_n_beta(value: Any, target: Target, factor: float = 1.0) -> None:
    """Raise InputError unless nβ is positive, and so small that K still shows.

    ``factor`` is that of `rlct.answers.targets.scaled_target`: nβ is of K before it was multiplied.

    Examples
    --------
    >>> from rlct.sampling.targets.polynomial import PolynomialTarget
    >>> check_n_beta(1e30, PolynomialTarget([{(1, 0): 1, (0, 1): -1}], squared=True))
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: n_beta must be at most 1e+20, not 1e+30: beyond, rounding hides K
    """
    check_scale("n_beta", value, zero=False)
    if value < _LOWEST * factor:
        raise InputError(
            f"n_beta must be at least {_LOWEST * factor:.3g}, not {float(value):g}: below, its "
            "squares underflow"
        )
    most, why = target.resolution * factor, "rounding hides K"
    if isinstance(target, DataTarget):
        most, why = _HIGHEST, "its squares overflow"
    if value > most:
        raise InputError(f"n_beta must be at most {most:.3g}, not {float(value):g}: beyond, {why}")


def check_localization(value: Any) -> None:
    """Raise InputError unless γ is zero or positive, and leaves chains some room.

    Examples
    --------
    >>> check_localization(1e300)
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: localization must be at most 1e+20, not 1e+300: beyond, chains are at w₀
    """
    check_scale("localization", value, zero=True)
    if value > _STRONGEST:
        raise InputError(
            f"localization must be at most {_STRONGEST:g}, not {float(value):g}: beyond, "
            "chains are at w₀"
        )
