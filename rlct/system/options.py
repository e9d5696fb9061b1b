"""What callers of the Python interface may pass, checked before any work."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING
from fractions import Fraction
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from rlct.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

_SHOWN_LENGTH = 60  # characters of a value that is refused
_LONGEST_NUMBER = 100  # characters


def check_names(given: Iterable[str], defaults: Mapping[str, Any], owner: str) -> None:
    """Refuse names that are unknown, and the lack of one whose default is ``MISSING``.

    >>> check_names(["n"], {"n": MISSING, "m": 1}, "a model")
    >>> check_names([], {"n": MISSING}, "a model")
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: n is missing: a model takes n
    """
    given = list(given)
    needed = [name for name, default in defaults.items() if default is MISSING]
    for name in (*given, *needed):
        if name not in defaults or name not in given:
            what = "unknown" if name not in defaults else "missing"
            raise InputError(f"{name} is {what}: {owner} takes {', '.join(defaults)}")


def explain_options(call: Callable[P, R]) -> Callable[P, R]:
    """Let a function name the cure where it is called with an option that it does not have.

    >>> import rlct
    >>> rlct.poly("x**2", att=3)
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: poly has no option att; did you mean at?
    """
    parameters = signature(call).parameters
    positional_names = [p.name for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]

    @wraps(call)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in parameters:
                raise no_option(call, name, parameters)
        for name, value in zip(positional_names, args, strict=False):
            if name in kwargs:
                raise InputError(
                    f"{call.__name__} is given {name} twice, {brief_repr(value)} by position and "
                    f"{brief_repr(kwargs[name])} by name: give it once; several values of one "
                    f"argument go in one list"
                )
        if len(args) > len(positional_names):
            example = f"{call.__name__}([{brief_repr(args[0])}, {brief_repr(args[1])}, …])"
            raise InputError(
                f"{call.__name__} takes {', '.join(positional_names)} by position, not "
                f"{len(args)} values: several values of one argument go in one list, as in "
                f"{example}"
            )
        return call(*args, **kwargs)

    return checked


def no_option(
    call: Callable[..., Any],
    name: str,
    known_options: Iterable[str],
    other_names: Mapping[str, str] | None = None,
) -> InputError:
    """Error of an option that there is not, with the one that was perhaps meant.

    ``other_names`` has options as other packages call them.
    """
    from difflib import get_close_matches

    named = list(known_options)
    near = (other_names or {}).get(name) or next(iter(get_close_matches(name, named, 1)), "")
    meant = f"; did you mean {near}?" if near in named else ""
    words = meant or f": there are {', '.join(named)}"
    return InputError(f"{call.__name__} has no option {name}{words}")


def brief_repr(value: Any) -> str:
    """Write a value that is refused, shortly and in one line.

    >>> brief_repr("a"), brief_repr([0] * 100)
    ("'a'", '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,…')
    """
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN_LENGTH else f"{text[:_SHOWN_LENGTH]}…"


def plain_fraction(text: str) -> Fraction:
    """Read a number such as 1/2 or 0.5, exactly.

    ValueError if it is none, is long, or has an exponent of four digits: no such number can be
    printed.

    >>> plain_fraction("0.5"), plain_fraction("1e3")
    (Fraction(1, 2), Fraction(1000, 1))
    >>> plain_fraction("1e99999999")
    Traceback (most recent call last):
    ValueError: no plain number
    """
    if len(text) > _LONGEST_NUMBER or re.search(r"[eE][+-]?[\d_]{4}", text):
        raise ValueError("no plain number")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("no plain number") from None


def check_callback(progress: Any) -> Callable[..., object] | None:
    """Refuse a progress callback that cannot be called; None is none."""
    if progress is not None and not callable(progress):
        raise InputError(f"progress = {brief_repr(progress)} is not a function")
    return progress  # type: ignore[no-any-return]


def path_of(value: Any, label: str) -> str | os.PathLike[str] | None:
    """Refuse what is no path of a file; None for no file."""
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{label} = {brief_repr(value)} is not the path of a file")
    return value


def name_of(value: Any, label: str) -> str | None:
    """Refuse what is not text; None for the default."""
    if value is not None and not isinstance(value, str):
        raise InputError(f"{label} = {brief_repr(value)} is not a name")
    return value


def seconds(timeout: Any) -> float | None:
    """Read a time limit, None for none.

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
        raise InputError(f"timeout = {brief_repr(timeout)} is not a number of seconds")
    return value


def as_mapping(value: Any, label: str, example: str) -> Mapping[Any, Any]:
    """Refuse what has no names and values; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{label} = {brief_repr(value)} is not a mapping such as {example}")
    return value


def as_list(value: Any, label: str) -> list[Any]:
    """List of what can be iterated over or is a matrix; a text or an expression is one item."""
    value = sympy_form(value)
    if is_expression(value):
        return [value]
    if not isinstance(value, Iterable) and not hasattr(value, "shape"):
        raise InputError(f"{label} = {brief_repr(value)} is not a list")
    return list(value)


def is_expression(value: Any) -> bool:
    """Whether a value is a text or an expression, and not several in a list or a matrix."""
    value = sympy_form(value)
    # Matrices of sympy are not Iterable by type.
    return isinstance(value, str) or (hasattr(value, "as_expr") and not hasattr(value, "shape"))


def sympy_form(value: Any) -> Any:
    """An object of another program as sympy has it, if it knows this form (``_sympy_``)."""
    has_form = hasattr(value, "_sympy_") and not isinstance(value, type)
    return value._sympy_() if has_form else value
