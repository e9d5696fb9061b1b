"""What is given to the statistics here: arrays of draws, temperatures, counts and their size."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError

__all__ = [
    "array_of",
    "count_of",
    "finite_numbers",
    "is_small",
    "positive_number",
    "read_reals",
    "second_share",
    "temperature",
]

_MOST = 10**18  # observations
_SMALL = 0.5  # share of λ that the second term may take away
_COLDEST = 1e9  # β: far beyond what is sampled, and times 1e30 it can still be computed


def positive_number(value: Any, what: str) -> float:
    """Read a positive finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not 0 < number < float("inf"):
        raise InputError(f"{what} must be a positive number, not {str(value)[:40]!r}")
    return number


def temperature(value: Any) -> float:
    """Read an inverse temperature, from 1e-9 to 1e9."""
    beta = positive_number(value, "the inverse temperature")
    if not 1 / _COLDEST <= beta <= _COLDEST:
        raise InputError(
            f"the inverse temperature must lie between {1 / _COLDEST:g} and {_COLDEST:g}, "
            f"not {beta:g}"
        )
    return beta


def count_of(value: Any, what: str, least: int = 1) -> int:
    """Read a number of things, from ``least`` to 10^18."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not least <= number <= _MOST:
        most = f"to {_MOST:.0e}" if number > _MOST else "on"
        raise InputError(f"{what} must be an integer from {least} {most}, not {str(value)[:40]!r}")
    return number


def finite_numbers(values: Any, what: str) -> FloatArray:
    """Read a row of finite numbers."""
    try:
        found = np.array([float(value) for value in values])
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what} must be a row of numbers") from None
    if not np.isfinite(found).all():
        raise InputError(f"{what} must be finite numbers")
    return found


def array_of(values: Any, what: str) -> Any:
    """Read a NumPy array from arrays of NumPy, torch and xarray, and from lists.

    Raises
    ------
    InputError
        If entries are masked, rows differ in length, or several arrays are given as one.
    """
    if hasattr(values, "data_vars"):
        names = [*values.data_vars] or [*getattr(values, "children", ())]
        shown = ", ".join(map(str, names))[:100]
        raise InputError(f"{what} is an xarray {type(values).__name__}: give one array of {shown}")
    if hasattr(values, "detach"):  # of torch, on a graphics card or with gradients
        values = values.detach().cpu()
    if np.ma.is_masked(values):
        raise InputError(f"{what} has masked entries: every one is needed")
    try:
        return np.asarray(values)
    except ValueError:
        raise InputError(f"{what} is not a rectangular array") from None


def read_reals(values: Any, what: str) -> Any:
    """Read an array of real numbers, its axes put in order where they are named.

    Parameters
    ----------
    values : array
        Of an xarray.DataArray the axes ``chain`` and ``draw`` come first, wherever they are.
    what : str
        Name in messages.

    Raises
    ------
    InputError
        As `array_of`, or if numbers are not real, or no name marks the axis of draws.
    """
    dims = tuple(getattr(values, "dims", ()))
    if dims and not hasattr(values, "data_vars") and not all(_is_unnamed(name) for name in dims):
        if "draw" not in dims or ("chain" not in dims and len(dims) > 2):
            shown = ", ".join(map(str, dims))[:100]
            raise InputError(f"{what} has the axes {shown}: call its chains chain, its draws draw")
        values = values.transpose(*(name for name in ("chain", "draw") if name in dims), ...)
    array = array_of(values, what)
    if array.dtype.kind not in "fiu":
        raise InputError(f"{what} must hold real numbers, not {array.dtype}")
    return array


def _is_unnamed(axis: Any) -> bool:
    return str(axis).startswith("dim_")


def is_small(n: float, lam: Fraction | float, theta: int) -> bool:
    """Whether n is too small for the expansion λ log n − (θ−1) log log n of the free energy.

    The slope of the second term by log n is more than half of that of the first then; for θ = 1
    there is no second term.
    """
    return theta > 1 and second_share(n, lam, theta) > _SMALL


def second_share(n: float, lam: Fraction | float, theta: int) -> float:
    """(θ−1)/log n as a part of λ."""
    slope = float(lam) * math.log(n)
    return (theta - 1) / slope if slope > 0 else math.inf
