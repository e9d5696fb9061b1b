"""The worker of the page with an ear on what it touches; imported where questions are answered."""

import json
import sys
from multiprocessing.connection import Connection

from watch import Guard

from rlct.serve import worker
from rlct.serve.limits import ServeLimits

__all__ = ["run"]


def run(query: str, limits: ServeLimits, pipe: Connection) -> None:
    """Answer as the page does, and end with a fault if anything was touched."""
    sys.dont_write_bytecode = True
    guard = Guard(reading=True)
    guard.awake = True
    worker.send_answer(query, limits, _Listening(pipe, guard))  # type: ignore[arg-type]


class _Listening:
    """The pipe, which says before the end what was touched."""

    def __init__(self, pipe: Connection, guard: Guard) -> None:
        self.pipe, self.guard = pipe, guard

    def send_bytes(self, data: bytes) -> None:
        touched = self.guard.take()
        if touched:
            fault = ["fault", {"message": f"touched: {'; '.join(touched)}"}]
            self.pipe.send_bytes(json.dumps(fault).encode())
        self.pipe.send_bytes(data)
