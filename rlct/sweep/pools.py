"""Where the questions of a sweep are asked: processes of this machine, or a cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any, Final

from rlct.errors import InputError
from rlct.sweep.store import Answer

__all__ = ["Cluster", "Processes"]

_AHEAD: Final = 4  # questions per process that wait for their turn, so that none is idle
PATIENCE = 10  # seconds to wait for a scheduler

Work = Callable[[list[str]], Answer]


class Processes:
    """Processes of this machine; they end with this one, however it ends.

    Parameters
    ----------
    jobs : int
        How many.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.width = jobs * _AHEAD
        self._start()

    def _start(self) -> None:
        # A fork of a process with threads may hang; a fresh one has only what it imports.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(self.jobs, context, _initialise)

    def submit(self, work: Work, words: list[str]) -> Future[Answer]:
        """Begin a question."""
        return self._pool.submit(work, words)

    def renew(self) -> None:
        """Start again after a process has died."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._start()

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
        # After Ctrl-C some are still at work on what nobody waits for.
        for child in multiprocessing.active_children():
            child.terminate()


def _initialise() -> None:
    """Leave Ctrl-C to the parent, and end when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Cluster:
    """Workers of a Dask cluster; questions of a worker that dies go to others.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://host:8786``.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise InputError("--scheduler needs Dask: python -m pip install 'rlct[dask]'") from None
        try:
            module: Any = distributed
            self._client: Any = module.Client(address, timeout=PATIENCE)
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"no Dask scheduler at {address!r}: {reason}") from None
        self._pool: Any = self._client.get_executor(pure=False)

    @property
    def width(self) -> int:
        """Questions under way at a time; grows with the cluster."""
        threads: int = sum(self._client.nthreads().values())
        return max(threads, 1) * _AHEAD

    def submit(self, work: Work, words: list[str]) -> Future[Answer]:
        """Begin a question."""
        future: Future[Answer] = self._pool.submit(work, words)
        return future

    def renew(self) -> None:
        """Nothing to do: the scheduler replaces workers."""

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False)
        self._client.close(timeout=5)
