"""A progress bar on standard error, in one line of a terminal or of a notebook."""

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from rlct.system.options import check_callback

_MOST_WIDTH, _LEAST_WIDTH = 28, 8  # of a bar
_TEXT_LENGTH = 40  # characters beside it
_UPDATE_SECONDS = 0.1  # seconds between updates on a terminal
_SILENT_SECONDS = 2.0  # seconds before long work says anything
_UNASKED_SECONDS = 10.0  # seconds of a call in Python before it says anything unasked


@contextmanager
def work_counter(
    work_items: str, interrupt: str = "gives the bounds so far", *, is_silent: bool = False
) -> Iterator[Callable[[int], None]]:
    """Say on a terminal what long work does, and how far it has come if it calls ``show(count)``.

    Nothing is said in the first seconds; then the line changes in place, by a thread of its own,
    as the work may be long in one step.
    """
    done_count = [0]
    if is_silent or not _has_one_line():
        yield partial(done_count.__setitem__, 0)
        return
    start_time, worker, is_over = time.monotonic(), threading.get_ident(), threading.Event()

    def tell() -> None:
        wait, width = _SILENT_SECONDS, 0
        while not is_over.wait(wait):
            wait = _UPDATE_SECONDS
            counted = f"{done_count[0]} {work_items}, " if done_count[0] else ""
            seconds = f"{time.monotonic() - start_time:.0f} s"
            text = f"{counted}{seconds}: {_step_of(worker)}; Ctrl-C {interrupt}"
            width = _overwrite(text, width)
        _erase(width)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield partial(done_count.__setitem__, 0)
    finally:
        is_over.set()
        teller.join()


def _step_of(thread: int) -> str:
    """What a thread is at, by the name of the innermost module of the package."""
    frame = sys._current_frames().get(thread)
    while frame is not None and not str(frame.f_globals.get("__name__")).startswith("rlct."):
        frame = frame.f_back
    name = "" if frame is None else str(frame.f_globals["__name__"])
    return name.rpartition(".")[2].replace("_", " ")


@contextmanager
def progress_bar(title: str, silent_seconds: float = 0.0) -> Iterator[Callable[[float, str], None]]:
    """Show a bar while the block runs; the block calls ``show(fraction, text)``.

    On a terminal and in a notebook the bar moves in place; elsewhere a line is written for every
    quarter.  Nothing is said in the first ``silent_seconds`` seconds.
    """
    is_terminal = _has_one_line()
    start_time = time.monotonic()
    last_shown = [0.0, -1.0]
    written_width = [0]

    def show(fraction: float, text: str) -> None:
        fraction = min(max(fraction, 0.0), 1.0)
        now = time.monotonic()
        if now - start_time < silent_seconds:
            return
        if is_terminal:
            if fraction < 1 and now - last_shown[0] < _UPDATE_SECONDS:
                return
            last_shown[0] = now
            room = _columns() - len(f"{title} [] 100% ") - _TEXT_LENGTH
            width = min(max(room, _LEAST_WIDTH), _MOST_WIDTH)
            filled = int(fraction * width)
            bar = "#" * filled + "." * (width - filled)
            line = f"{title} [{bar}] {fraction:4.0%} {text[:_TEXT_LENGTH]}"
            written_width[0] = _overwrite(line, written_width[0])
        elif int(fraction * 4) != last_shown[1]:
            last_shown[1] = int(fraction * 4)
            sys.stderr.write(f"{title} {fraction:4.0%} {text}\n")
            sys.stderr.flush()

    try:
        yield show
    finally:
        _erase(written_width[0])


@contextmanager
def own_or_late(title: str, progress: Any) -> Iterator[Callable[[float, str], object] | None]:
    """The progress callback of a call in Python: none if False, a late bar if None or True."""
    if progress is None or progress is True:
        with progress_bar(title, _UNASKED_SECONDS) as show:
            yield show
    else:
        yield None if progress is False else check_callback(progress)


def _has_one_line() -> bool:
    """Whether a line can be written over: on a terminal, and below a cell of a notebook."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.partition(".")[0] == "ipykernel"


def _columns() -> int:
    """Columns to write into; a terminal wraps when its last one is taken."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return (columns or shutil.get_terminal_size().columns) - 1


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
