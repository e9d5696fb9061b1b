"""A process that answers one question and ends.

The server forks it from a process that has loaded the package, so that it starts at once.
"""

from __future__ import annotations

import json
import signal
from typing import TYPE_CHECKING, Any

from rlct.errors import InputError, RoutesDisagreeError
from rlct.serve.limits import ServeLimits, limit_process
from rlct.serve.question import read_address

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["PRELOADED_MODULE", "TOO_LARGE", "send_answer"]

PRELOADED_MODULE = "rlct.serve.warm"

TOO_LARGE = "the question needs more memory than the {memory} MiB that the page allows"


def send_answer(query: str, serve_limits: ServeLimits, pipe: Connection) -> None:
    """Send the parts of the answer through a pipe, each as JSON, and an end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which kills
    from rlct.serve.answer import parts  # loaded before the fork, where there is one

    limit_process(serve_limits)

    def send(name: str, part: dict[str, Any]) -> None:
        pipe.send_bytes(json.dumps([name, part], ensure_ascii=False).encode("utf-8"))

    try:
        for name, part in parts(read_address(query), serve_limits.engine):
            send(name, part)
    except InputError as error:
        send("error", {"message": str(error)})
    except RoutesDisagreeError as error:
        send("fault", {"message": f"internal contradiction: {error}"})
    except MemoryError:
        send("limit", {"message": TOO_LARGE.format(memory=serve_limits.memory)})
    except Exception as error:  # one question must not look like no answer at all
        text = f"{type(error).__name__}: {error}"[:300]
        send("fault", {"message": f"internal error, please report it: {text}"})
    send("end", {})
