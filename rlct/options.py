"""What callers of the Python interface may pass, checked before any work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rlct.errors import InputError

__all__ = ["listed", "mapping", "seconds"]


def seconds(timeout: Any) -> float | None:
    """Read a time limit, None for none.

    Examples
    --------
    >>> seconds(2), seconds(None)
    (2.0, None)
    >>> seconds("a")
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: timeout = 'a' is not a number of seconds
    """
    if timeout is None:
        return None
    try:
        value = float(timeout)
    except (TypeError, ValueError, OverflowError):
        value = -1.0
    if isinstance(timeout, (bool, str)) or not 0 <= value < float("inf"):
        raise InputError(f"timeout = {timeout!r} is not a number of seconds")
    return value


def mapping(value: Any, what: str, example: str) -> Mapping[Any, Any]:
    """Refuse what has no names and values; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{what} = {value!r} is not a mapping such as {example}")
    return value


def listed(value: Any, what: str) -> list[Any]:
    """List of what can be iterated over; a text is one item."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        raise InputError(f"{what} = {value!r} is not a list")
    return list(value)
