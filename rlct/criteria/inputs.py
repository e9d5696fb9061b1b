"""What is given to the statistics here: arrays of draws, temperatures, counts and their size."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import numpy as np

from rlct.criteria.statistic import FloatArray
from rlct.errors import InputError

_MOST_OBSERVATIONS = 10**18  # observations
_SECOND_SHARE = 0.5  # share of λ that the second term may take away
_COLDEST_BETA = 1e9  # β: far beyond what is sampled, and times 1e30 it can still be computed


def positive_number(value: Any, label: str) -> float:
    """Read a positive finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not 0 < number < float("inf"):
        raise InputError(f"{label} must be a positive number, not {str(value)[:40]!r}")
    return number


def temperature(value: Any) -> float:
    """Read an inverse temperature, from 1e-9 to 1e9."""
    beta = positive_number(value, "the inverse temperature")
    if not 1 / _COLDEST_BETA <= beta <= _COLDEST_BETA:
        raise InputError(
            f"the inverse temperature must lie between {1 / _COLDEST_BETA:g} and "
            f"{_COLDEST_BETA:g}, not {beta:g}"
        )
    return beta


def count_of(value: Any, label: str, least: int = 1) -> int:
    """Read a number of things, from ``least`` to 10^18."""
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not least <= number <= _MOST_OBSERVATIONS:
        most = f"to {_MOST_OBSERVATIONS:.0e}" if number > _MOST_OBSERVATIONS else "on"
        raise InputError(f"{label} must be an integer from {least} {most}, not {str(value)[:40]!r}")
    return number


def finite_numbers(values: Any, label: str) -> FloatArray:
    """Read a row of finite numbers."""
    try:
        numbers = np.array([float(value) for value in values])
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{label} must be a row of numbers") from None
    if not np.isfinite(numbers).all():
        raise InputError(f"{label} must be finite numbers")
    return numbers


def array_of(values: Any, label: str) -> Any:
    """Read a NumPy array from arrays of NumPy, torch and xarray, and from lists.

    InputError if entries are masked, rows differ in length, or several arrays are given as one.
    """
    if hasattr(values, "data_vars"):
        names = [*values.data_vars] or [*getattr(values, "children", ())]
        shown = ", ".join(map(str, names))[:100]
        raise InputError(f"{label} is an xarray {type(values).__name__}: give one array of {shown}")
    if hasattr(values, "detach"):  # of torch, on a graphics card or with gradients
        values = values.detach().cpu()
    if np.ma.is_masked(values):
        raise InputError(f"{label} has masked entries: every one is needed")
    try:
        return np.asarray(values)
    except ValueError:
        raise InputError(f"{label} is not a rectangular array") from None


def read_reals(values: Any, label: str) -> Any:
    """Read an array of real numbers, its axes put in order where they are named.

    Of an xarray.DataArray the axes ``chain`` and ``draw`` come first, wherever they are.
    InputError as of `array_of`, or if numbers are not real, or no name marks the axis of draws.
    """
    dims = tuple(getattr(values, "dims", ()))
    named = not all(str(name).startswith("dim_") for name in dims)
    if named and not hasattr(values, "data_vars"):
        if "draw" not in dims or ("chain" not in dims and len(dims) > 2):
            shown = ", ".join(map(str, dims))[:100]
            raise InputError(f"{label} has the axes {shown}: call its chains chain, its draws draw")
        values = values.transpose(*(name for name in ("chain", "draw") if name in dims), ...)
    array = array_of(values, label)
    if array.dtype.kind not in "fiu":
        raise InputError(f"{label} must hold real numbers, not {array.dtype}")
    return array


def is_small(n: float, lam: Fraction | float, theta: int) -> bool:
    """Whether n is too small for the expansion λ log n − (θ−1) log log n of the free energy.

    The slope of the second term by log n is more than half of that of the first then; for θ = 1
    there is no second term.
    """
    return theta > 1 and second_share(n, lam, theta) > _SECOND_SHARE


def second_share(n: float, lam: Fraction | float, theta: int) -> float:
    """(θ−1)/log n as a part of λ."""
    slope = float(lam) * math.log(n)
    return (theta - 1) / slope if slope > 0 else math.inf
