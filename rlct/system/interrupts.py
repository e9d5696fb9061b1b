"""When Ctrl-C takes effect."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred_interrupt(deferred: int = 1) -> Iterator[list[int]]:
    """Note the first Ctrl-C in the list that is yielded; a second one interrupts at once.

    With ``deferred`` 0 the first does so, too, and is still noted where code inside takes it for
    the end of its own part only.

    A kernel that is stopped inside a step has moved half of its state, and neither its draws nor
    its file would be worth anything.  Outside the main thread nothing is deferred.
    """
    noted_signals: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted_signals
        return

    def note(number: int, frame: Any) -> None:
        noted_signals.append(number)
        if len(noted_signals) > deferred:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield noted_signals
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def hold_interrupt() -> Iterator[None]:
    """Hold the first Ctrl-C back until the block is done.

    A library whose import is cut off is not imported the next time either, but fails in its own
    words; and a file that is cut off is none.

    >>> with hold_interrupt():
    ...     import json
    """
    with deferred_interrupt() as asked:
        yield
    if asked:
        signal.raise_signal(signal.SIGINT)
