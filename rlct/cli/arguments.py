"""Questions and numbers inside arguments of ``rlct evidence``."""

from __future__ import annotations

import argparse
import math
import re
import shlex
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rlct.cli import common, ranges
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.pair import Pair

__all__ = ["fraction", "integers", "number", "numbers", "pair", "sizes"]

_MOST_MODELS = 50  # each with one question for every smaller one


def pair(text: str, timeout: float | None) -> Pair:
    """Read ``L`` or ``L,T``, or answer a question, which must come out exact."""
    from rlct.pair import Pair

    if re.fullmatch(r"\s*[\d./]+\s*(,\s*\d+\s*)?", text):
        lam, _, theta = text.partition(",")
        return Pair(fraction(lam.strip()), int(theta or 1))
    result = _answer(text, timeout)
    if result.pair is None:
        reason = f"only bounds are known, λ from {result.lower} to {result.upper}"
        raise InputError(f"{text.strip()[:60]!r}: {reason}; name a value instead")
    found: Pair = result.pair
    return found


def _answer(text: str, timeout: float | None) -> Any:
    from rlct.answers.exact import solve
    from rlct.cli.main import build_parser

    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"{text[:60]!r}: {error}") from None
    if not words or words[0].startswith("-"):
        raise InputError(f"{text[:60]!r} is neither λ nor a question such as 'linear 5 3 5 …'")
    known = ("net", "model", "poly", "ideal")
    parsed = build_parser().parse_args([*([] if words[0] in known else ["net"]), *words])
    for option in ("certificate", "check", "json", "csv", "plot", "over"):
        if getattr(parsed, option, None):
            raise InputError(f"--{option} cannot be part of a question here")
    if ranges.varies(parsed):
        raise InputError(f"{text[:60]!r} has a range: name one size")
    ask = parsed.ask(parsed) if hasattr(parsed, "ask") else common.problem_of(parsed)
    return solve(ask, timeout=timeout)


def number(text: str) -> float:
    """Read a finite number, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a finite number")
    return value


def fraction(text: str) -> Fraction:
    """Read a number such as 1/2 or 0.5, exactly."""
    try:
        if len(text) > 100:
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{text[:40]!r} is not a number such as 1/2") from None


def integers(text: str) -> tuple[int, ...]:
    """Read ``100,1000``, for argparse."""
    try:
        return tuple(int(item) for item in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not of the form 100,1000") from None


def sizes(text: str) -> list[int]:
    """Read ``0..3`` or ``1,2,4``."""
    found = re.fullmatch(r"(\d{1,4})\.\.(\d{1,4})", text)
    if found:
        low, high = int(found[1]), int(found[2])
        wanted = list(range(low, high + 1))
    else:
        try:
            wanted = [int(item) for item in text.split(",")]
        except ValueError:
            wanted = []
    if not wanted or wanted != sorted(set(wanted)):
        raise InputError(f"--sizes {text[:40]!r} is not an increasing range such as 0..3")
    if len(wanted) > _MOST_MODELS:
        raise InputError(f"{len(wanted)} models: {_MOST_MODELS} at most")
    return wanted


def numbers(text: str, option: str) -> list[float]:
    """Read ``-1.5,2``."""
    try:
        return [float(item) for item in text.split(",")]
    except ValueError:
        raise InputError(f"{option} {text[:40]!r} is not a list of numbers") from None
