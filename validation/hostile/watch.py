"""Notice what a process touches that it must not: files written, programs run, connections made."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

__all__ = ["Guard", "snapshot", "until_stopped"]

_WRITING_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_MUST_NOT = (
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "os.system", "os.exec", "os.posix_spawn", "os.spawn"),
    *("subprocess.Popen", "socket.connect", "socket.bind", "webbrowser.open", "shutil"),
    *("pty.spawn", "urllib.Request", "pickle.find_class"),
)
_OWN_FOLDERS = (
    sys.prefix,
    sys.base_prefix,
    str(Path(__file__).resolve().parents[2]),
    "/proc/",
    "/sys/",
)


class Guard:
    """An audit hook that remembers; it cannot be taken off again, only told to rest.

    With ``reading``, a file read that is neither Python's nor the project's counts too.
    """

    def __init__(self, *, reading: bool = False) -> None:
        self.reading = reading
        self.awake = False
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.awake:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, int) or str(path) == os.devnull:
                return
            if flags & _WRITING_FLAGS:
                self.seen.append(f"writes {path!r:.80}")
            elif self.reading and not os.path.abspath(os.fsdecode(path)).startswith(_OWN_FOLDERS):
                self.seen.append(f"reads {path!r:.80}")
        elif event.startswith(_MUST_NOT):
            self.seen.append(f"{event} {arguments!r:.80}")

    def take(self) -> list[str]:
        """Return what was seen, and forget it."""
        seen, self.seen = self.seen, []
        return seen


def until_stopped(rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Pass rows on until Ctrl-C, which ends the run and keeps what it had."""
    try:
        yield from rows
    except KeyboardInterrupt:
        return


def snapshot(*folders: str | Path) -> dict[str, tuple[int, float]]:
    """Size and time of every file in folders, not below them."""
    return {
        entry.path: (entry.stat(follow_symlinks=False).st_size, entry.stat().st_mtime)
        for folder in folders
        for entry in os.scandir(folder)
        if entry.is_file(follow_symlinks=False)
    }
