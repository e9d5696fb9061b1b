"""What callers of the Python interface may pass, checked before any work."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rlct.errors import InputError

__all__ = ["callback", "listed", "mapping", "name_of", "path_of", "seconds", "shown"]

_SHOWN = 60  # characters of a value that is refused


def shown(value: Any) -> str:
    """Write a value that is refused, shortly and in one line.

    Examples
    --------
    >>> shown("a"), shown([0] * 100)
    ("'a'", '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,…')
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def callback(progress: Any) -> Callable[..., object] | None:
    """Refuse what cannot be called to tell the progress; None for nobody."""
    if progress is not None and not callable(progress):
        raise InputError(f"progress = {shown(progress)} is not a function")
    return progress  # type: ignore[no-any-return]


def path_of(value: Any, what: str) -> str | os.PathLike[str] | None:
    """Refuse what is no path of a file; None for no file."""
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{what} = {shown(value)} is not the path of a file")
    return value


def name_of(value: Any, what: str) -> str | None:
    """Refuse what is not text; None for the usual choice."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"{what} = {shown(value)} is not a name")
    return value


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
        raise InputError(f"timeout = {shown(timeout)} is not a number of seconds")
    return value


def mapping(value: Any, what: str, example: str) -> Mapping[Any, Any]:
    """Refuse what has no names and values; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{what} = {shown(value)} is not a mapping such as {example}")
    return value


def listed(value: Any, what: str) -> list[Any]:
    """List of what can be iterated over; a text is one item."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        raise InputError(f"{what} = {shown(value)} is not a list")
    return list(value)
