"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

__all__ = ["replacing", "write_whole"]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody, whenever the process ends, finds half of it.

    Parameters
    ----------
    path : Path
        Replaced if it exists; its permissions stay.
    content : bytes

    Raises
    ------
    OSError
    """
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write into that takes the place of `path` when the block is done.

    Parameters
    ----------
    path : Path
        As in `write_whole`; stays as it is if the block raises.
    """
    unfinished = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".rlct-", delete=False) as file:
            unfinished = file.name
            yield cast(IO[bytes], file)
        os.chmod(unfinished, _mode(path))
        os.replace(unfinished, path)
        unfinished = None
    finally:
        if unfinished is not None:
            os.unlink(unfinished)


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or of a new one; a temporary file is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
