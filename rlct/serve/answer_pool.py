"""Where questions are answered: processes with limits, at most so many at once."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections import OrderedDict
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final

from rlct.serve.limits import TOO_LARGE, ServeLimits
from rlct.serve.question import PageQuestion
from rlct.serve.served_answer import ServedAnswer
from rlct.serve.worker import PRELOADED_MODULE, send_answer
from rlct.system.workers import shielded_start

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

_MOST_CACHED: Final = 64  # answers
_LARGEST_CACHE: Final = 64_000_000  # bytes of all the answers that are cached
_LARGEST_PART: Final = 16_000_000  # bytes of one part
_POLL_TICK: Final = 0.2  # seconds
_UNKNOWN_CODE: Final = 255  # of multiprocessing, where the end of the program read the code first


class PoolBusyError(Exception):
    """Too many questions at once."""


class ClientGoneError(Exception):
    """The client closed its connection."""


class AnswerPool:
    """Answers questions in processes of their own, equal ones once, and caches the last answers."""

    def __init__(self, limits: ServeLimits) -> None:
        self.limits = limits
        self._places = threading.BoundedSemaphore(limits.questions)
        self._cached: OrderedDict[str, ServedAnswer] = OrderedDict()
        self._under_way: dict[str, Future[ServedAnswer]] = {}
        self._lock = threading.Lock()
        # One thread each: the processes already share the processors.
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        self._context = _context()

    def answer(self, question: PageQuestion, client: socket.socket | None = None) -> ServedAnswer:
        """Answer a question, wait for an equal one, or find the answer among the last ones.

        Work ends when ``client``, the socket of whoever asks, is closed: ClientGoneError.
        PoolBusyError if no place was free for as long as a question may take.
        """
        key = question.query
        while True:
            with self._lock:
                if key in self._cached:
                    self._cached.move_to_end(key)
                    return self._cached[key]
                shared = self._under_way.get(key)
                if shared is None:
                    own_work = self._under_way[key] = Future()
                    break
            # Of this one: an answer that is not kept is under its key no longer.
            while not wait_for([shared], _POLL_TICK).done:
                _check(client)
            with suppress(ClientGoneError):  # whose work it was: now another who waits does it
                return shared.result()
        try:
            own_work.set_result(self._answer(key, client))
        except BaseException as error:
            own_work.set_exception(error)
        finally:
            with self._lock:
                del self._under_way[key]
        return own_work.result()

    def _answer(self, key: str, client: socket.socket | None) -> ServedAnswer:
        self._take_place(client)
        try:
            served_answer = self._work(key, client)
        finally:
            self._places.release()
        late = any(part.get("late") for part in served_answer.parts.values())
        if not (served_answer.cut or served_answer.fault or served_answer.limited or late):
            self._cache(key, served_answer)  # another time it may be more
        return served_answer

    def _take_place(self, client: socket.socket | None) -> None:
        last = time.monotonic() + self.limits.seconds
        while not self._places.acquire(timeout=_POLL_TICK):
            _check(client)
            if time.monotonic() > last:
                raise PoolBusyError

    def _work(self, query: str, client: socket.socket | None) -> ServedAnswer:
        part_receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(  # type: ignore[attr-defined]
            target=send_answer, args=(query, self.limits, sender), daemon=True
        )
        start_time = time.monotonic()
        process.start()
        sender.close()
        served_answer = ServedAnswer()
        try:
            self._listen(served_answer, part_receiver, start_time + self.limits.seconds, client)
        finally:
            process.kill()
            process.join()
            part_receiver.close()
        if not served_answer.parts and served_answer.error is None:
            served_answer.error = self._why(served_answer.cut, process.exitcode)
            served_answer.limited = True
        served_answer.seconds = time.monotonic() - start_time
        return served_answer

    def _listen(
        self,
        served_answer: ServedAnswer,
        part_receiver: Connection,
        last_moment: float,
        client: socket.socket | None,
    ) -> None:
        """Collect parts until the end, the time limit, or the end of the process."""
        while True:
            if not wait([part_receiver], max(0.0, min(_POLL_TICK, last_moment - time.monotonic()))):
                _check(client)
                if time.monotonic() < last_moment:
                    continue
                served_answer.cut = True
                return
            try:
                data = part_receiver.recv_bytes(_LARGEST_PART)
            except (EOFError, OSError):
                served_answer.cut = bool(served_answer.parts)
                return
            name, part = json.loads(data)
            if name == "end":
                return
            served_answer.add(name, part)
            served_answer.size += len(data)

    def _why(self, cut: bool, code: int | None) -> str:
        """Why a process ended without a word."""
        if code in (-signal.SIGTERM, _UNKNOWN_CODE):
            return "rlct serve was ended while it answered: start it and ask again"
        if cut or code == -getattr(signal, "SIGXCPU", 24):
            return (
                f"no answer within the {self.limits.seconds:g} seconds that the page allows: "
                "ask on the command line, which has no limit"
            )
        return TOO_LARGE.format(memory=self.limits.memory)

    def _cache(self, key: str, served_answer: ServedAnswer) -> None:
        with self._lock:
            self._cached[key] = served_answer
            while len(self._cached) > 1 and (
                len(self._cached) > _MOST_CACHED
                or sum(answer.size for answer in self._cached.values()) > _LARGEST_CACHE
            ):
                self._cached.popitem(last=False)


def _check(client: socket.socket | None) -> None:
    """Notice that the client has closed its end."""
    if client is None or not wait([client], 0):
        return
    try:
        if not client.recv(1, socket.MSG_PEEK):
            raise ClientGoneError
    except OSError:
        raise ClientGoneError from None


def _context() -> BaseContext:
    """Fork from a process that has loaded the package; where there is no fork, start afresh."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([PRELOADED_MODULE])
    with shielded_start():
        forkserver.ensure_running()
    return context
