"""Questions and numbers inside arguments of ``rlct evidence``."""

from __future__ import annotations

import argparse
import math
import re
import shlex
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rlct.cli import common
from rlct.cli.kit import ranges
from rlct.errors import InputError, OnlyBoundsError
from rlct.system.options import plain_fraction

if TYPE_CHECKING:
    from rlct.pair import Pair

_MOST_MODELS = 50  # each with one question for every smaller one


def pair(text: str) -> Pair:
    """Read ``L`` or ``L,T``, or answer a question, which must come out exact."""
    from rlct.pair import Pair

    if re.fullmatch(r"\s*[\d./]+\s*(,\s*\d+\s*)?", text):
        lam, _, theta = text.partition(",")
        return Pair(read_fraction(lam.strip()), int(theta or 1))
    result = _answer(text)
    if result.pair is None:
        bounds_text = str(result).partition(" (")[0]
        raise OnlyBoundsError(f"of {text.strip()[:60]!r} only bounds are known, {bounds_text}")
    found: Pair = result.pair
    return found


def _answer(text: str) -> Any:
    from rlct.answers.exact import solve
    from rlct.answers.result import Result
    from rlct.cli.commands import build_parser
    from rlct.system.progress import work_counter

    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InputError(f"{text[:60]!r}: {error}") from None
    if not words or words[0].startswith("-"):
        raise InputError(f"{text[:60]!r} is neither λ nor a question such as 'linear 5 3 5 …'")
    known = ("net", "model", "poly", "ideal")
    parsed = build_parser().parse_args([*([] if words[0] in known else ["net"]), *words])
    for option in ("certificate", "check", "json", "csv", "plot", "over", "resume"):
        if getattr(parsed, option, None):
            raise InputError(f"--{option} cannot be part of a question here")
    if ranges.is_range(parsed):
        raise InputError(f"{text[:60]!r} has a range: name one size")
    with work_counter("germs examined", "ends it"):
        ask = parsed.ask(parsed) if hasattr(parsed, "ask") else common.problem_of(parsed)
        return ask if isinstance(ask, Result) else solve(ask)


def read_number(text: str) -> float:
    """Read a finite number, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a finite number")
    return value


def read_fraction(text: str) -> Fraction:
    """Read a number such as 1/2 or 0.5, exactly."""
    try:
        return plain_fraction(text)
    except ValueError:
        raise InputError(f"{text[:40]!r} is not a number such as 1/2") from None


def read_integers(text: str) -> tuple[int, ...]:
    """Read ``100,1000``, for argparse."""
    try:
        return tuple(int(item) for item in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not of the form 100,1000") from None


def read_sizes(text: str) -> list[int]:
    """Read ``0..3`` or ``1,2,4``."""
    try:
        sizes = [ranges.integer_range(item) for item in text.split(",")]
    except argparse.ArgumentTypeError:
        sizes = []
    span = sizes[0] if len(sizes) == 1 else None
    numbers = span if isinstance(span, range) else [n for n in sizes if isinstance(n, int)]
    if not numbers or (numbers is not span and numbers != sorted(set(numbers))):
        ends = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
        meant = ends is not None and int(ends[1]) < int(ends[2])
        example = text.replace("-", "..") if meant else "0..3"
        raise InputError(f"--sizes {text[:40]!r} is not an increasing range such as {example}")
    if len(numbers) > _MOST_MODELS:
        raise InputError(f"{len(numbers)} models: {_MOST_MODELS} at most")
    return list(numbers)


def read_numbers(text: str, option: str) -> list[float]:
    """Read ``-1.5,2``."""
    try:
        return [float(item) for item in text.split(",")]
    except ValueError:
        raise InputError(f"{option} {text[:40]!r} is not a list of numbers") from None


def read_fits(text: str, sizes: list[int]) -> list[float]:
    """Read a log-likelihood for each size."""
    numbers = read_numbers(text, "--log-likelihood")
    if len(numbers) != len(sizes):
        raise InputError(f"{len(numbers)} log-likelihoods for {len(sizes)} sizes")
    return numbers
