"""A progress bar on standard error."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rlct.system.options import callback

__all__ = ["own_or_late", "progress_bar", "work_counter"]

_WIDTH, _LEAST = 28, 8  # of a bar
_TEXT = 40  # characters beside it
_INTERVAL = 0.1
_SILENCE = 2.0  # seconds before long work says anything
_SELDOM = 20.0  # seconds between lines where nothing can be overwritten
_LATE = 10.0  # seconds of a call in Python before it says anything unasked


@contextmanager
def work_counter(
    what: str, interrupt: str = "gives the bounds so far"
) -> Iterator[Callable[[int], None]]:
    """Say how far long work has come; the block calls ``show(count)``.

    Nothing is said in the first seconds.  On a terminal the line changes in place.
    """
    live = sys.stderr.isatty()
    began = time.monotonic()
    last = [began + _SILENCE - (_INTERVAL if live else _SELDOM)]
    written = [0]

    def show(count: int) -> None:
        now = time.monotonic()
        if now - last[0] < (_INTERVAL if live else _SELDOM):
            return
        last[0] = now
        text = f"{count} {what}, {now - began:.0f} s; Ctrl-C {interrupt}"
        if live:
            written[0] = _overwrite(text, written[0])
        else:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    try:
        yield show
    finally:
        _erase(written[0])


@contextmanager
def progress_bar(title: str, silence: float = 0.0) -> Iterator[Callable[[float, str], None]]:
    """Show a bar while the block runs; the block calls ``show(fraction, text)``.

    On a terminal the bar moves in place; elsewhere a line is written for every quarter.  Nothing
    is said in the first ``silence`` seconds.
    """
    live = sys.stderr.isatty()
    began = time.monotonic()
    last = [0.0, -1.0]
    written = [0]

    def show(fraction: float, text: str) -> None:
        fraction = min(max(fraction, 0.0), 1.0)
        now = time.monotonic()
        if now - began < silence:
            return
        if live:
            if fraction < 1 and now - last[0] < _INTERVAL:
                return
            last[0] = now
            room = _columns() - len(f"{title} [] 100% ") - _TEXT
            width = min(max(room, _LEAST), _WIDTH)
            filled = int(fraction * width)
            bar = "#" * filled + "." * (width - filled)
            line = f"{title} [{bar}] {fraction:4.0%} {text[:_TEXT]}"
            written[0] = _overwrite(line, written[0])
        elif int(fraction * 4) != last[1]:
            last[1] = int(fraction * 4)
            sys.stderr.write(f"{title} {fraction:4.0%} {text}\n")
            sys.stderr.flush()

    try:
        yield show
    finally:
        _erase(written[0])


@contextmanager
def own_or_late(title: str, progress: Any) -> Iterator[Callable[[float, str], object] | None]:
    """Whom a call in Python tells its progress: nobody if False, a late bar if None or True.

    Raises
    ------
    InputError
        If it is no function either.
    """
    if progress is None or progress is True:
        with progress_bar(title, _LATE) as show:
            yield show
    else:
        yield None if progress is False else callback(progress)


def _columns() -> int:
    """Columns to write into; a terminal wraps when its last one is taken."""
    try:
        found = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        found = 0
    return (found or shutil.get_terminal_size().columns) - 1


def _overwrite(line: str, before: int) -> int:
    """Write a line over one of a known length; return its own length."""
    width = _columns()
    line = line[:width].rstrip()
    sys.stderr.write(f"\r{line:{min(before, width)}}")
    sys.stderr.flush()
    return len(line)


def _erase(length: int) -> None:
    if length:
        sys.stderr.write("\r" + " " * min(length, _columns()) + "\r")
        sys.stderr.flush()
