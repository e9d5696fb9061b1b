"""Files that are written whole or not at all, and read up to a size."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from rlct.errors import InputError

LONGEST_TEXT: Final = 64 * 2**20  # characters of a text


def check_folder(path: Path) -> None:
    """Refuse a file whose folder nothing can be written into, before any work is done."""
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no such folder")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as problem:
        raise InputError(f"cannot write {path}: {problem.strerror or problem}") from None


def read_bounded(source: Path | IO[str], *, most: int = LONGEST_TEXT) -> str:
    """Read a text that may have no end, such as a device or a pipe.

    InputError if there are more than ``most`` characters.
    """
    if isinstance(source, Path):
        with source.open(encoding="utf-8") as file:
            text = file.read(most + 1)
    else:
        text = source.read(most + 1)
    if len(text) > most:
        name = source if isinstance(source, Path) else "standard input"
        raise InputError(f"{name} holds more than {most // 2**20} million characters")
    return text


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody, whenever the process ends, finds half of it.

    A file that exists is replaced; its permissions stay.
    """
    with replace_file(path) as file:
        file.write(content)


@contextmanager
def replace_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write into that takes the place of `path` when the block is done.

    The file stays as it is if the block raises.  What a link leads to is replaced; a device or pipe
    is written to.
    """
    if path.parent == Path("/dev") or (path.exists() and not path.is_file()):
        with path.open("ab") as device:
            yield device
        return
    path = path.resolve()
    unfinished_path = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".rlct-", delete=False) as file:
            unfinished_path = file.name
            yield cast(IO[bytes], file)
        os.chmod(unfinished_path, _mode(path))
        os.replace(unfinished_path, path)
        unfinished_path = None
    finally:
        if unfinished_path is not None:
            os.unlink(unfinished_path)


def _mode(path: Path) -> int:
    """Permissions of the file that is replaced, or of a new one; a temporary file is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
