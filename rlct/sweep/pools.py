"""Where the questions of a sweep are asked: processes of this machine, or a cluster."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any, Final

from rlct.errors import InputError
from rlct.sweep.store import StoredAnswer
from rlct.system.workers import end_workers, start_workers

_QUESTIONS_AHEAD: Final = 4  # questions per process that wait for their turn, so that none is idle
ANSWER_PATIENCE = 10  # seconds to wait for a scheduler
WORKER_PATIENCE = 60  # seconds to wait for a worker: a cluster may start one when there is work
_SILENT_SECONDS = 2  # seconds of waiting for a scheduler before that is said

Work = Callable[[list[str]], StoredAnswer]


class LocalProcesses:
    """Processes of this machine; they end with this one, however it ends."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.width = jobs * _QUESTIONS_AHEAD
        self._pool = start_workers(jobs)

    def submit(self, work: Work, words: list[str]) -> Future[StoredAnswer]:
        """Begin a question."""
        return self._pool.submit(work, words)

    def renew(self) -> None:
        """Start again after a process has died."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = start_workers(self.jobs)

    def check(self) -> None:
        """Nothing to do: a process that dies breaks its future."""

    def __enter__(self) -> LocalProcesses:
        return self

    def __exit__(self, *_: object) -> None:
        # After Ctrl-C some are still at work on what nobody waits for.
        end_workers(self._pool)


class DaskCluster:
    """Workers of a Dask cluster; questions of a worker that dies go to others.

    ``address`` is that of the scheduler, such as ``tcp://host:8786``.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise InputError("--scheduler needs Dask: python -m pip install 'rlct[dask]'") from None
        module: Any = distributed
        self._address = address
        self._without: float | None = None
        try:
            with _said_if_slow(f"waiting for the Dask scheduler at {address}"):
                kind = asyncio.run(_kind(address))
            if kind != "Scheduler":
                raise ValueError(f"a Dask {kind.lower()} is there")
            self._client: Any = module.Client(address, timeout=ANSWER_PATIENCE)
        except MemoryError:  # read as a length, the greeting of another server is huge
            raise InputError(f"no Dask scheduler at {address!r}: another server is there") from None
        except (OSError, ValueError, TypeError, AttributeError, EOFError) as error:
            reason = " ".join(str(error).split())[:200] or f"no answer within {ANSWER_PATIENCE} s"
            raise InputError(f"no Dask scheduler at {address!r}: {reason}") from None
        self._pool: Any = self._client.get_executor(pure=False)

    def _threads(self) -> int:
        found = self._client.sync(self._client.scheduler.ncores, callback_timeout=ANSWER_PATIENCE)
        return sum(found.values())

    @property
    def width(self) -> int:
        """Questions under way at a time; grows with the cluster."""
        return max(self._threads(), 1) * _QUESTIONS_AHEAD

    def submit(self, work: Work, words: list[str]) -> Future[StoredAnswer]:
        """Begin a question."""
        future: Future[StoredAnswer] = self._pool.submit(work, words)
        return future

    def renew(self) -> None:
        """Nothing to do: the scheduler replaces workers."""

    def check(self) -> None:
        """Say that there is no worker, and do not wait for one for ever."""
        if self._threads():
            self._without = None
            return
        now = time.monotonic()
        if self._without is None:
            self._without = now
            start = f"'dask worker {self._address}' starts one"
            _tell(f"no worker is at {self._address}: waiting {WORKER_PATIENCE} s; {start}")
        elif now - self._without > WORKER_PATIENCE:
            saved = "finished answers are saved; run the same command again to resume"
            raise InputError(f"no worker came to {self._address} in {WORKER_PATIENCE} s; {saved}")

    def __enter__(self) -> DaskCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=False)
        self._client.close(timeout=5)


async def _kind(address: str) -> str:
    """What Dask calls the server at an address; others may take a call and never answer."""
    from distributed.core import rpc
    from distributed.security import Security

    keys: Any = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    server: Any = rpc(address, timeout=ANSWER_PATIENCE, connection_args=keys)  # type: ignore[no-untyped-call]
    try:
        found = await asyncio.wait_for(server.identity(), ANSWER_PATIENCE)
    finally:
        await server.close_rpc()
    return str(found["type"])


@contextmanager
def _said_if_slow(message: str) -> Iterator[None]:
    timer = threading.Timer(_SILENT_SECONDS, _tell, [message])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(line: str) -> None:
    # Where a bar is shown, the line takes its place.
    start = "\r" if sys.stderr.isatty() else ""
    sys.stderr.write(f"{start}rlct: {line}\n")
    sys.stderr.flush()
