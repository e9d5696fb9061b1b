"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = ["write_whole"]


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
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".rlct-", delete=False) as file:
        file.write(content)
    os.chmod(file.name, _mode(path))
    os.replace(file.name, path)


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or of a new one; a temporary file is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
