"""A time limit that turns a long computation into bounds."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

__all__ = ["Budget", "OutOfTimeError", "deep_recursion", "time_limit"]


_ENGINE = os.path.join(os.path.dirname(os.path.dirname(__file__)), "engine")
_PATIENCE = 0.02  # seconds between checks whether a module has been loaded
_DEEPEST_CALLS = 20_000  # nested calls of Python; a blow-up with its strata takes some hundred
_AGAIN = 0.2  # seconds until the exception is raised anew


class OutOfTimeError(BaseException):
    """The time limit was reached; no error, so that nothing but its handler catches it."""


class Budget:
    """Time left for optional work.

    Parameters
    ----------
    seconds : float or None
        None: no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self.stopped = False

    @property
    def left(self) -> float | None:
        """Seconds that are left, None for no limit."""
        return None if self._end is None else max(self._end - time.monotonic(), 0)

    @property
    def spent(self) -> bool:
        """Whether only cheap rules may still be tried."""
        return self._end is not None and time.monotonic() >= self._end

    def stop(self) -> None:
        """Declare the budget spent, as after Ctrl-C."""
        self._end = time.monotonic()
        self.stopped = True


@dataclass
class _Limit:
    """A block under a time limit; `end` is a time of the monotonic clock.

    After it so many seconds of the processor are left, which other processes do not use up.
    """

    budget: Budget
    end: float | None
    hears_interrupts: bool
    grace_seconds: float
    grace_end: float | None = None
    reason: type[BaseException] = OutOfTimeError

    @property
    def waiting(self) -> bool:
        """Whether Ctrl-C was pressed and the block has not heard of it yet."""
        return self.reason is KeyboardInterrupt and not self.budget.stopped

    @property
    def left(self) -> float | None:
        """Seconds until its time may be over; None if never, or if the block has heard of it."""
        if self.end is None or self.budget.stopped:
            return None
        left = self.end - time.monotonic()
        if left > 0:
            return left
        if self.grace_end is None:
            self.grace_end = time.process_time() + self.grace_seconds
        return max(self.grace_end - time.process_time(), 0)


_LIMITS: list[_Limit] = []  # the blocks that run now, each inside the one before it


@contextmanager
def time_limit(
    seconds: float | None,
    budget: Budget,
    *,
    hears_interrupts: bool = True,
    grace_seconds: float = 0,
) -> Iterator[None]:
    """Raise `OutOfTimeError` inside the block after `seconds`, until the budget is stopped.

    First the block has `grace_seconds` more of processor time.

    Ctrl-C raises KeyboardInterrupt in the same way, in every block around the one that runs but
    those that do not hear it: first in the innermost, in the next as soon as that one is left.
    The time of a block around the one that runs ends that one, too, even where it has heard that
    its own is over.  Once may not be enough: an exception is lost where Python calls back from C.
    Needs the main thread of a Unix process; elsewhere the block runs unlimited and only `Budget`
    limits it, between steps.
    """
    usable = hasattr(signal, "setitimer") and (
        threading.current_thread() is threading.main_thread()
    )
    if not usable:
        yield
        return
    start_time = time.monotonic()
    end = None if seconds is None else start_time + max(seconds, 1e-3)
    running_limit = _Limit(budget, end, hears_interrupts, grace_seconds)
    previous_handler = signal.signal(signal.SIGALRM, _ring)
    interrupt_handler = signal.getsignal(signal.SIGINT)
    if interrupt_handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, _strike)
    # The timer of somebody else, whose handler is set again at the end.
    foreign_seconds = 0.0 if _LIMITS else signal.getitimer(signal.ITIMER_REAL)[0]
    _LIMITS.append(running_limit)
    _wind()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _LIMITS.remove(running_limit)
        signal.signal(signal.SIGALRM, previous_handler)
        if interrupt_handler is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt_handler)
        if _LIMITS:
            _wind()
        elif foreign_seconds:
            left = max(foreign_seconds - (time.monotonic() - start_time), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left)


def _wind() -> None:
    """Set the timer to the first of the ends that are not heard of."""
    waits = [wait for limit in _LIMITS if (wait := limit.left) is not None]
    if _LIMITS[-1].waiting:
        signal.setitimer(signal.ITIMER_REAL, 1e-3)
    elif waits:
        signal.setitimer(signal.ITIMER_REAL, max(min(waits), 1e-3))


def _ring(signum: int, frame: FrameType | None) -> None:
    if _importing(frame) or _collecting(frame):
        # A module that is left half loaded would fail at its next use; what is raised in a
        # callback of the garbage collector, or a finaliser, is only printed.
        signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
        return
    reason = KeyboardInterrupt if _LIMITS and _LIMITS[-1].waiting else OutOfTimeError
    if _LIMITS and (_LIMITS[-1].waiting or any(limit.left == 0 for limit in _LIMITS)):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        raise reason
    if _LIMITS:
        _wind()


def _strike(signum: int, frame: FrameType | None) -> None:
    """Pass Ctrl-C on to every block; one that was stopped already is left at once."""
    hearing = [limit for limit in _LIMITS if limit.hears_interrupts]
    for limit in hearing:
        limit.reason = KeyboardInterrupt
    if not hearing or hearing[-1].budget.stopped:
        raise KeyboardInterrupt
    _ring(signum, frame)


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Let proofs nest: a blow-up with its strata takes some hundred Python calls."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST_CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _importing(frame: FrameType | None) -> bool:
    """Whether something below the engine is being imported."""
    while frame is not None and not frame.f_code.co_filename.startswith(_ENGINE):
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _collecting(frame: FrameType | None) -> bool:
    """Whether a callback of the garbage collector or of a weak reference runs, or a finaliser."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None and not frame.f_code.co_filename.startswith(_ENGINE):
        code = frame.f_code
        given = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount])
        if code in callbacks or code.co_name == "__del__":
            return True
        if any(isinstance(one, weakref.ref) for one in given):
            return True
        frame = frame.f_back
    return False
