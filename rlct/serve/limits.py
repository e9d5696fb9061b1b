"""How much one question may use, and how a process is held to it."""

import contextlib
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

try:
    import resource
except ImportError:  # not a Unix: the time limit holds all the same
    resource = None  # type: ignore[assignment]

TOO_LARGE: Final = "the question needs more memory than the {memory} MiB that the page allows"
_MIB_BYTES: Final = 2**20  # bytes


@dataclass(frozen=True)
class ServeLimits:
    """What the page allows."""

    #: For one question, from when its process starts; then it is killed.
    seconds: float = 20.0
    #: Mebibytes that its process may allocate, where the system can hold it to them.
    memory: int = 1024
    #: Questions answered at the same time; others wait.
    questions: int = 2
    #: Connections served at the same time; others are refused.
    connections: int = 256
    #: Seconds for a client to say what it wants, however it sends it, and again to take a reply.
    request: float = 10.0

    @property
    def engine(self) -> float:
        """Seconds for the engine, so that its bounds arrive before the process is killed."""
        return 0.6 * self.seconds


def limit_process(limits: ServeLimits) -> None:
    """Hold this process to its limits, for good: memory, processor time, no files written."""
    if resource is None:
        return
    seconds = math.ceil(limits.seconds) + 2
    for kind, value in (
        # Should the server die, its workers end by themselves.
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, _allocated() + limits.memory * _MIB_BYTES),
    ):
        with contextlib.suppress(ValueError, OSError):  # a lower limit that is already set stays
            resource.setrlimit(kind, (value, value))


def _allocated() -> int:
    """Bytes of address space that this process has, where the system says so."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return 0
    assert resource is not None
    return pages * resource.getpagesize()
