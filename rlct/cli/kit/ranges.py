"""Ranges on the command line: ``1..8`` or ``1:8``, ``0..10..2``, and widths as ``5x2..6``."""

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from rlct.errors import InputError

MOST_CASES: Final = 100_000  # of one table
_MOST_LAYERS: Final = 1_000  # of a repeated width
_RANGE_PATTERN: Final = r"(-?\d{1,18})(?:(?:\.\.|:)(-?\d{1,18})(?:(?:\.\.|:)(\d{1,18}))?)?"


@dataclass(frozen=True)
class RepeatedWidth:
    """Equal widths side by side, ``WxN``: N layers of W units, either of them perhaps a range."""

    width: int | range
    times: int | range


@dataclass(frozen=True)
class Case:
    """One case of a table."""

    #: What varies, with its value here.
    coordinates: dict[str, int]
    #: As if the command had been typed with these numbers.
    options: argparse.Namespace


def _span(match: tuple[str | Any, ...], text: str) -> int | range:
    first, last, step = match
    if not last:
        return int(first)
    if step and int(step) < 1:
        raise argparse.ArgumentTypeError(f"the step of {text!r} is 0")
    found = range(int(first), int(last) + 1, int(step or 1))
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is empty: write the smaller end first")
    return found


def integer_range(text: str) -> int | range:
    """Read an integer or a range of integers, both ends included.

    >>> integer_range("3"), list(integer_range("1..4")), list(integer_range("0:10:5"))
    (3, [1, 2, 3, 4], [0, 5, 10])
    """
    match = re.fullmatch(_RANGE_PATTERN, text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is neither an integer nor a range such as 1..8"
        )
    return _span(match.groups(), text)


def width(text: str) -> int | RepeatedWidth:
    """Read a width: a number, a range, or either of them repeated, such as ``5x2..6``.

    >>> width("5"), width("1..3"), width("4x2")
    (5, RepeatedWidth(width=range(1, 4), times=1), RepeatedWidth(width=4, times=2))
    """
    match = re.fullmatch(f"{_RANGE_PATTERN}(?:x{_RANGE_PATTERN})?", text.strip())
    if match is None:
        several = re.fullmatch(r"\d{1,9}(?:[-,x]\d{1,9})+", text[:99])
        words = re.sub(r"\D", " ", text) if several else "5, a range 1..8, or 5x3 for 5 5 5"
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a width: write {words}")
    groups = match.groups()
    size = _span(groups[:3], text)
    if groups[3] is None:
        return size if isinstance(size, int) else RepeatedWidth(size, 1)
    times = _span(groups[3:], text)
    low, high = (times, times) if isinstance(times, int) else (times[0], times[-1])
    if low < 0 or high > _MOST_LAYERS:
        raise argparse.ArgumentTypeError(f"{text!r}: a width repeats 0 to {_MOST_LAYERS} times")
    return RepeatedWidth(size, times)


def is_range(options: argparse.Namespace) -> bool:
    """Whether an option was given as a range."""
    return any(isinstance(value, range) for _, value in _spans(options))


def cases(options: argparse.Namespace) -> list[Case]:
    """Write out the cases of options with ranges; one case if there are none.

    The range typed last varies fastest; InputError if there are too many cases.
    """
    axes = [(name, value) for name, value in _spans(options) if isinstance(value, range)]
    count = 1
    for _, values in axes:
        count *= len(values)
    if count > MOST_CASES:
        raise InputError(f"the ranges have {count} cases: a table shows at most {MOST_CASES}")
    names = _unique([name for name, _ in axes])
    case_list = []
    for numbers in product(*(values for _, values in axes)):
        queue = iter(numbers)
        plain = argparse.Namespace(
            **{name: _fix(value, queue) for name, value in vars(options).items()}
        )
        coordinates = dict(zip(names, numbers, strict=True))
        if "times" in coordinates:
            # What a reader counts is the number of weight matrices.
            coordinates["layers"] = len(plain.widths) - 1
            del coordinates["times"]
        case_list.append(Case(coordinates, plain))
    return case_list


def _spans(options: argparse.Namespace) -> Iterator[tuple[str, object]]:
    for name, value in vars(options).items():
        if isinstance(value, list):
            for item in value:
                if isinstance(item, RepeatedWidth):
                    yield "width", item.width
                    yield "times", item.times
        else:
            yield name, value


def _fix(value: Any, queue: Iterator[int]) -> Any:
    """Replace ranges by the next numbers, in the order of `_spans`."""
    take: Callable[[Any], Any] = lambda x: next(queue) if isinstance(x, range) else x  # noqa: E731
    if not isinstance(value, list):
        return take(value)
    plain = []
    for item in value:
        if isinstance(item, RepeatedWidth):
            size = take(item.width)
            plain += [size] * take(item.times)
        else:
            plain.append(item)
    return plain


def _unique(names: list[str]) -> list[str]:
    """Number names that occur more than once."""
    return [
        f"{name}{names[: k + 1].count(name)}" if names.count(name) > 1 else name
        for k, name in enumerate(names)
    ]
