"""A time limit that turns a long computation into bounds."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TypeVar

from rlct.errors import OutOfTimeError

T = TypeVar("T")

_ENGINE_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "engine")
_CHECK_SECONDS = 0.02  # seconds between checks whether a module has been loaded
_DEEPEST_CALLS = 20_000  # nested calls of Python; a blow-up with its strata takes some hundred
_IDLE_SECONDS = 1.0  # without a block after which nobody looks at the clock
_AGAIN_SECONDS, _OPTIONAL_SECONDS = 0.2, 0.2  # until raised anew; that optional work has at least
_LATE_SHARE, _LATE_SECONDS = 0.1, 0.6  # of the user's time, at least, for proofs after it


class HeardInterrupt(KeyboardInterrupt):
    """Ctrl-C that somebody hears.

    Python kills itself at its end where a KeyboardInterrupt, and no subclass, has once left an
    exec, as those of sympy, whoever caught it then.
    """


class Budget:
    """Time left for optional work; no more than the blocks around it have.

    Without ``seconds`` it is as much as the blocks around it have, or no limit; the attribute says
    what was given to it, or to the block whose time is over first.
    """

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        for limit in _THREAD_LIMITS.running:
            left = limit.seconds_left
            if left is not None and (seconds is None or left < seconds):
                seconds, self.seconds = left, limit.budget.seconds
        self._end = None if seconds is None else time.monotonic() + seconds
        self.stopped = False

    @property
    def seconds_left(self) -> float | None:
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
    interrupts: bool = False
    grace_end: float | None = None
    reason: type[BaseException] = OutOfTimeError
    thread: int | None = None
    block: threading.Lock | None = None  # that a thread holds until it leaves the block

    @property
    def runs(self) -> bool:
        """Whether the block is not left yet."""
        return self.block is None or self.block.locked()

    @property
    def waiting(self) -> bool:
        """Whether Ctrl-C was pressed and the block has not heard of it yet."""
        return self.reason is KeyboardInterrupt and not self.budget.stopped

    @property
    def is_late(self) -> bool:
        """Whether it has at most its grace left."""
        return self.end is not None and time.monotonic() >= self.end

    @property
    def seconds_left(self) -> float | None:
        """Seconds until its time may be over; None if never, or if the block has heard of it."""
        if self.end is None or self.budget.stopped:
            return None
        left = self.end - time.monotonic()
        if left > 0:
            return left
        if self.grace_end is None:
            self.grace_end = self._used_seconds() + self.grace_seconds
        return max(self.grace_end - self._used_seconds(), 0)

    def _used_seconds(self) -> float:
        """Seconds of the processor, of its thread alone where several may be at work."""
        if self.thread is None or not hasattr(time, "pthread_getcpuclockid"):
            return time.process_time()
        return time.clock_gettime(time.pthread_getcpuclockid(self.thread))


class _Limits(threading.local):
    """The blocks that run now in this thread, each inside the one before it."""

    def __init__(self) -> None:
        self.stack: list[_Limit] = []

    @property
    def running(self) -> list[_Limit]:
        """Those that are not left yet."""
        return [limit for limit in self.stack if limit.runs]


_THREAD_LIMITS = _Limits()


def late_seconds(seconds: float) -> float:
    """Seconds of the processor for what is still done when the time of the user is over."""
    return max(_LATE_SHARE * seconds, _LATE_SECONDS)


def time_limit(
    seconds: float | None,
    budget: Budget,
    *,
    hears_interrupts: bool = True,
    grace_seconds: float = 0,
    processor_seconds: float | None = None,
    as_interrupt: bool = False,
) -> AbstractContextManager[object]:
    """Raise `OutOfTimeError` inside the block after `seconds`, until the budget is stopped.

    First the block has `grace_seconds` more of processor time, or what it has not yet used of
    `processor_seconds`; with `as_interrupt` it hears Ctrl-C before, so that what gives what it has
    at Ctrl-C does so.

    Ctrl-C raises KeyboardInterrupt in the same way, in every block around the one that runs but
    those that do not hear it: first in the innermost, in the next as soon as that one is left.
    The time of a block around the one that runs ends that one, too, even where it has heard that
    its own is over.  Once may not be enough: an exception is lost where Python calls back from C.
    All of this needs the main thread of a Unix process; elsewhere a thread watches the time, and
    Ctrl-C is not heard.  There the exception may come in the step after the block.
    """
    end = None if seconds is None else time.monotonic() + max(seconds, 1e-3)
    grace_end = None if processor_seconds is None else time.process_time() + processor_seconds
    running_limit = _Limit(budget, end, hears_interrupts, grace_seconds, as_interrupt, grace_end)
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return _alarmed(running_limit)
    return _CLOCK_WATCH.begin(running_limit)


@contextmanager
def _alarmed(running_limit: _Limit) -> Iterator[None]:
    """Set the timer of this process to the time of a block."""
    start_time, own_limits = time.monotonic(), _THREAD_LIMITS.stack
    previous_handler = signal.signal(signal.SIGALRM, _ring)
    interrupt_handler = signal.getsignal(signal.SIGINT)
    if interrupt_handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, _strike)
    # The timer of somebody else, whose handler is set again at the end.
    foreign_seconds = 0.0 if own_limits else signal.getitimer(signal.ITIMER_REAL)[0]
    own_limits.append(running_limit)
    _wind()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        own_limits.remove(running_limit)
        signal.signal(signal.SIGALRM, previous_handler)
        if interrupt_handler is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupt_handler)
        if own_limits:
            _wind()
        elif foreign_seconds:
            left = max(foreign_seconds - (time.monotonic() - start_time), 1e-3)
            signal.setitimer(signal.ITIMER_REAL, left)


def is_late() -> bool:
    """Whether a block around has at most its grace left."""
    return any(limit.is_late for limit in _THREAD_LIMITS.running)


class _Watch:
    """A thread that looks at the clock for those that no signal reaches."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._limits: dict[int, list[_Limit]] = {}  # by thread
        self._is_on = False

    def begin(self, limit: _Limit) -> AbstractContextManager[bool]:
        """Watch the time of a block in this thread, as long as it holds what is returned.

        That is a lock, which is left in one step: an exception can come before it or after it, but
        not in the middle.
        """
        limit.thread, limit.block = threading.get_ident(), threading.Lock()
        _raise_in(limit.thread, None)  # loads what it needs, before there is a hurry
        _THREAD_LIMITS.stack[:] = [*_THREAD_LIMITS.running, limit]
        with self._lock:
            self._limits[limit.thread] = _THREAD_LIMITS.stack
            # A page in the browser has no threads; there only what looks at the clock ends in time.
            if not self._is_on and sys.platform != "emscripten":
                threading.Thread(target=self._run, daemon=True).start()
                self._is_on = True
        return limit.block

    def _run(self) -> None:
        raised_at, seen_at = dict[int, float](), time.monotonic()
        while True:
            time.sleep(_CHECK_SECONDS)
            looked_at = time.monotonic()
            with self._lock:
                frames = sys._current_frames()
                for thread, stack in self._limits.items():
                    running_limits = [limit for limit in stack if limit.runs]
                    late = any(limit.seconds_left == 0 for limit in running_limits)
                    busy = _importing(frames.get(thread)) or _collecting(frames.get(thread))
                    if late and not busy and looked_at > raised_at.get(thread, 0) + _AGAIN_SECONDS:
                        raised_at[thread] = looked_at
                        _raise_in(thread, OutOfTimeError)
                    seen_at = looked_at if running_limits else seen_at
                if looked_at > seen_at + _IDLE_SECONDS:
                    self._limits.clear()
                    self._is_on = False
                    return


_CLOCK_WATCH = _Watch()


def _raise_in(thread: int, reason: type[BaseException] | None) -> None:
    """Raise an exception in another thread, at its next step in Python; None takes it back."""
    import ctypes

    raised = None if reason is None else ctypes.py_object(reason)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


def made_in_time(
    make: Callable[[], T],
    budget: Budget,
    stops: tuple[type[BaseException], ...] = (OutOfTimeError,),
    grace_seconds: float = 0,
) -> T | None:
    """What is made in the time of a budget, or in `grace_seconds` alone; None if `stops` end it."""
    try:
        seconds = 0 if grace_seconds else budget.seconds_left
        with time_limit(seconds, budget, grace_seconds=grace_seconds):
            made = make()
            budget.stop()
            return made
    except stops:
        budget.stop()
        return None


def in_time_left(make: Callable[[], T]) -> T | None:
    """Do optional work in the time that the blocks around it leave, or in a moment."""
    ends = [limit.end for limit in _THREAD_LIMITS.running if limit.end is not None]
    if not ends:
        return make()
    budget = Budget(None)
    left = max(min(ends) - time.monotonic(), 0)
    try:
        with time_limit(left, budget, hears_interrupts=False, grace_seconds=_OPTIONAL_SECONDS):
            return make()
    except OutOfTimeError:
        budget.stop()
        return None


def _wind() -> None:
    """Set the timer to the first of the ends that are not heard of."""
    limits = _THREAD_LIMITS.stack
    ends = (limit.seconds_left for limit in limits)
    waits = [0.0] if limits[-1].waiting else [wait for wait in ends if wait is not None]
    if waits:
        signal.setitimer(signal.ITIMER_REAL, max(min(waits), 1e-3))


def _ring(signum: int, frame: FrameType | None) -> None:
    if _importing(frame) or _collecting(frame):
        # A module that is left half loaded would fail at its next use; what is raised in a
        # callback of the garbage collector, or a finaliser, is only printed.
        signal.setitimer(signal.ITIMER_REAL, _CHECK_SECONDS)
        return
    limits = _THREAD_LIMITS.stack
    if _presses_ctrl_c(frame):
        return
    reason = HeardInterrupt if limits and limits[-1].waiting else OutOfTimeError
    if limits and (limits[-1].waiting or any(limit.seconds_left == 0 for limit in limits)):
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
        raise reason
    if limits:
        _wind()


def _presses_ctrl_c(frame: FrameType | None) -> bool:
    """Do as Ctrl-C does if the time of a block is over that says so; whether it was."""
    late = [limit for limit in _THREAD_LIMITS.stack if limit.interrupts and limit.is_late]
    for limit in late:
        limit.interrupts = False
    if late:
        _wind()
        handler = signal.getsignal(signal.SIGINT)
        (handler if callable(handler) else _strike)(signal.SIGINT, frame)
    return bool(late)


def _strike(signum: int, frame: FrameType | None) -> None:
    """Pass Ctrl-C on to every block; one that was stopped already is left at once."""
    hearing = [limit for limit in _THREAD_LIMITS.stack if limit.hears_interrupts]
    for limit in hearing:
        limit.reason = KeyboardInterrupt
    if hearing and not hearing[-1].budget.stopped:
        _ring(signum, frame)
    elif _importing(frame) and sys.getprofile() is None:
        sys.setprofile(_strike_after_import)
    else:
        raise HeardInterrupt


def _strike_after_import(frame: FrameType, event: str, _: object) -> None:
    """Raise KeyboardInterrupt when the module that is being imported has been loaded."""
    loaded = event == "return" and frame.f_code.co_name == "_find_and_load"
    if loaded and not _importing(frame.f_back):
        sys.setprofile(None)
        raise HeardInterrupt


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
    while frame is not None and not frame.f_code.co_filename.startswith(_ENGINE_FOLDER):
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _collecting(frame: FrameType | None) -> bool:
    """Whether a callback of the garbage collector or of a weak reference runs, or a finaliser."""
    callbacks = {getattr(callback, "__code__", None) for callback in gc.callbacks}
    while frame is not None and not frame.f_code.co_filename.startswith(_ENGINE_FOLDER):
        code = frame.f_code
        given = (frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount])
        is_finaliser = code in callbacks or code.co_name == "__del__"
        if is_finaliser or any(isinstance(argument, weakref.ref) for argument in given):
            return True
        frame = frame.f_back
    return False
