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
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Final

from rlct.serve.limits import Limits
from rlct.serve.question import Question
from rlct.serve.worker import LOADED, TOO_LARGE, run

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

__all__ = ["Answer", "Busy", "Gone", "Office"]

_MOST_KEPT: Final = 64
_LARGEST_KEPT: Final = 64_000_000  # bytes of all the answers that are kept
_LARGEST_PART: Final = 16_000_000
_TICK: Final = 0.2  # seconds


class Busy(Exception):  # noqa: N818 - it is an outcome
    """Too many questions at once."""


class Gone(Exception):  # noqa: N818 - it is an outcome
    """Whoever asked has gone away."""


@dataclass
class Answer:
    """What came back.

    Parameters
    ----------
    parts : dict
        By name, as `rlct.serve.answer.parts` yields them.
    error : str or None
        Why there is no answer.
    fault : bool
        Whether that is the program's fault.
    cut : bool
        Whether the process ended, or was killed, before all parts were there.
    limited : bool
        Whether there is no answer because of the limits.
    seconds : float
    """

    parts: dict[str, dict[str, Any]] = field(default_factory=dict)
    error: str | None = None
    fault: bool = False
    cut: bool = False
    limited: bool = False
    seconds: float = 0.0
    size: int = 0


class Office:
    """Answers questions in processes of their own, and keeps the last answers.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._places = threading.BoundedSemaphore(limits.questions)
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._lock = threading.Lock()
        # One thread each: the processes already share the processors.
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(name, "1")
        self._context = _context()

    def answer(self, question: Question, client: socket.socket | None = None) -> Answer:
        """Answer a question, or find the answer among the last ones.

        Parameters
        ----------
        question : Question
        client : socket, optional
            Of whoever asks: work ends when it is closed.

        Raises
        ------
        Busy
            If no place was free for as long as a question may take.
        Gone
            If the client went away.
        """
        key = question.query
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        self._take_place(client)
        try:
            found = self._work(key, client)
        finally:
            self._places.release()
        late = any(part.get("late") for part in found.parts.values())
        if not (found.cut or found.fault or found.limited or late):
            self._keep(key, found)  # another time it may be more
        return found

    def _take_place(self, client: socket.socket | None) -> None:
        last = time.monotonic() + self.limits.seconds
        while not self._places.acquire(timeout=_TICK):
            _check(client)
            if time.monotonic() > last:
                raise Busy

    def _work(self, query: str, client: socket.socket | None) -> Answer:
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(  # type: ignore[attr-defined]
            target=run, args=(query, self.limits, sender), daemon=True
        )
        began = time.monotonic()
        process.start()
        sender.close()
        found = Answer()
        try:
            self._listen(found, receiver, began + self.limits.seconds, client)
        finally:
            process.kill()
            process.join()
            receiver.close()
        if not found.parts and found.error is None:
            found.error = self._why(found.cut, process.exitcode)
            found.limited = True
        found.seconds = time.monotonic() - began
        return found

    def _listen(
        self, found: Answer, receiver: Connection, last: float, client: socket.socket | None
    ) -> None:
        """Collect parts until the end, the time limit, or the end of the process."""
        while True:
            if not wait([receiver], max(0.0, min(_TICK, last - time.monotonic()))):
                _check(client)
                if time.monotonic() < last:
                    continue
                found.cut = True
                return
            try:
                data = receiver.recv_bytes(_LARGEST_PART)
            except (EOFError, OSError):
                found.cut = bool(found.parts)
                return
            name, part = json.loads(data)
            if name == "end":
                return
            if name in ("error", "fault", "limit"):
                found.error = found.error or part["message"]
                found.fault = found.fault or name == "fault"
                found.limited = found.limited or name == "limit"
            else:
                found.parts[name] = part
                found.size += len(data)

    def _why(self, cut: bool, code: int | None) -> str:
        """Why a process ended without a word."""
        if cut or code == -getattr(signal, "SIGXCPU", 24):
            return (
                f"no answer within the {self.limits.seconds:g} seconds that the page allows: "
                "ask on the command line, which has no limit"
            )
        return TOO_LARGE.format(memory=self.limits.memory)

    def _keep(self, key: str, found: Answer) -> None:
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > 1 and (
                len(self._kept) > _MOST_KEPT
                or sum(kept.size for kept in self._kept.values()) > _LARGEST_KEPT
            ):
                self._kept.popitem(last=False)


def _check(client: socket.socket | None) -> None:
    """Notice that the client has closed its end."""
    if client is None or not wait([client], 0):
        return
    try:
        if not client.recv(1, socket.MSG_PEEK):
            raise Gone
    except OSError:
        raise Gone from None


def _context() -> BaseContext:
    """Fork from a process that has loaded the package; where there is no fork, start afresh."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([LOADED])
    forkserver.ensure_running()
    return context
