"""Processes that work for this one, and end with it however it ends."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


def start_workers(count: int) -> ProcessPoolExecutor:
    """Start processes that leave Ctrl-C to this one."""
    # A fork of a process with threads may hang; a fresh one has only what it imports.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _begin)
    with shielded_start():
        for _ in range(count):
            pool.submit(int)
    return pool


@contextmanager
def shielded_start() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, even before they have loaded anything."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_workers(pool: ProcessPoolExecutor) -> None:
    """End processes, and what they are at work on."""
    # Ctrl-C once more would be heard while Python ends and waits for the pool.
    with _deaf():
        for child in multiprocessing.active_children():
            child.terminate()
        # What the pool shared is given back before this process begins to end: in the
        # middle of that, half of it may be left to the tracker of leaks, which says so.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _deaf() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():  # only that one hears signals
        yield
        return
    heard = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, heard)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
