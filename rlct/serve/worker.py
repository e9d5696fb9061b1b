"""A process that answers one question and ends.

The server forks it from a process that has loaded the package, so that it starts at once.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from rlct.serve.limits import ServeLimits, limit_process

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PRELOADED_MODULE = "rlct.serve.warm"


def send_answer(query: str, serve_limits: ServeLimits, pipe: Connection) -> None:
    """Send the parts of the answer through a pipe, each as JSON, and an end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which kills
    threading.Thread(target=_end_with_server, daemon=True).start()
    from rlct.serve.answer import send_parts  # loaded before the fork, where there is one

    limit_process(serve_limits)

    def send(name: str, part: dict[str, Any]) -> None:
        pipe.send_bytes(json.dumps([name, part], ensure_ascii=False).encode("utf-8"))

    send_parts(query, serve_limits, send)
    send("end", {})


def _end_with_server() -> None:
    """End at once, in silence, when the server ends in whatever way: nobody waits any more."""
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
        os._exit(1)
