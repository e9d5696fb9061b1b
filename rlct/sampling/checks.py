"""Numbers that are asked for by name, checked before anything is computed."""

import math
from numbers import Integral, Real
from typing import Any

import numpy as np

from rlct.errors import InputError
from rlct.system.options import brief_repr

_MOST_COUNTED = 10**12  # of what is counted


def check_seed(seed: Any) -> None:
    """A run that cannot be repeated is refused, and so is a seed that NumPy does not take."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed must be a non-negative integer, not {brief_repr(seed)}")


def real_array(name: str, values: Any, dtype: Any = np.float64, ndmin: int = 0) -> Any:
    """Copy of real numbers as an array; InputError for text, ragged lists and complex numbers.

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
    if int(value) > _MOST_COUNTED:
        raise InputError(f"{name} must be at most {_MOST_COUNTED:.0e}, not {brief_repr(value)}")


def check_scale(name: str, value: Any, *, zero: bool) -> None:
    """Raise InputError unless this is a positive finite number, or 0 where that is allowed."""
    try:
        fits = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        fits = False
    if not fits or float(value) < 0 or not (value or zero):
        sign = "zero or positive" if zero else "positive"
        raise InputError(f"{name} must be {sign} and finite, not {brief_repr(value)}")
