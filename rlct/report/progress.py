"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar", "work_counter"]

_WIDTH = 28
_INTERVAL = 0.1
_SILENCE = 2.0  # seconds before long work says anything
_SELDOM = 20.0  # seconds between lines where nothing can be overwritten


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

    def show(count: int) -> None:
        now = time.monotonic()
        if now - last[0] < (_INTERVAL if live else _SELDOM):
            return
        last[0] = now
        text = f"{count} {what}, {now - began:.0f} s; Ctrl-C {interrupt}"
        sys.stderr.write(f"\r{text:<76}" if live else f"{text}\n")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if live and last[0] > began + _SILENCE:
            sys.stderr.write("\r" + " " * 76 + "\r")
            sys.stderr.flush()


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[float, str], None]]:
    """Show a bar while the block runs; the block calls ``show(fraction, text)``.

    On a terminal the bar moves in place; elsewhere a line is written for every quarter.
    """
    live = sys.stderr.isatty()
    last = [0.0, -1.0]

    def show(fraction: float, text: str) -> None:
        fraction = min(max(fraction, 0.0), 1.0)
        now = time.monotonic()
        if live:
            if fraction < 1 and now - last[0] < _INTERVAL:
                return
            last[0] = now
            filled = int(fraction * _WIDTH)
            bar = "#" * filled + "." * (_WIDTH - filled)
            sys.stderr.write(f"\r{title} [{bar}] {fraction:4.0%} {text[:40]:40}")
        elif int(fraction * 4) != last[1]:
            last[1] = int(fraction * 4)
            sys.stderr.write(f"{title} {fraction:4.0%} {text}\n")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if live:
            sys.stderr.write("\r" + " " * (len(title) + _WIDTH + 50) + "\r")
            sys.stderr.flush()
