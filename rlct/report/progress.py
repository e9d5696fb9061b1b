"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]

_WIDTH = 28
_INTERVAL = 0.1


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
