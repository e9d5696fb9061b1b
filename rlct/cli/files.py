"""Files that the commands read and write, whole or not at all."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rlct.errors import InputError, OutOfTimeError
from rlct.system.files import LONGEST_TEXT, check_folder, read_bounded, write_whole

__all__ = [
    "check_plot",
    "file_name",
    "picture_file",
    "read_certificate",
    "read_text",
    "write_certificate",
    "write_plot",
    "write_text",
]


def file_name(text: str) -> str:
    """Read the name of a file that is written: nothing, or a folder, is refused before any work."""
    if not text:
        raise argparse.ArgumentTypeError("the name of a file is not empty")
    if Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is a folder: name a file")
    return text


def picture_file(text: str) -> str:
    """Read the name of a picture file."""
    if Path(text).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .png, .svg or .pdf")
    return text


def read_text(path: str, most: int = LONGEST_TEXT) -> str:
    """Read a text file, standard input for ``-``."""
    if not path:
        raise InputError("the name of a file to read is empty")
    try:
        return read_bounded(sys.stdin if path == "-" else Path(path), most=most)
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise InputError(f"cannot read {path}: {reason}") from None


def read_certificate(path: str) -> Mapping[str, Any]:
    """Read a certificate, from standard input for ``-``."""
    from rlct.certificate import cost
    from rlct.certificate.verify import load_text

    return load_text(read_text(path, most=cost.MOST_TEXT))


def write_certificate(path: str | None, certificate: Mapping[str, Any] | None) -> None:
    """Write a certificate, whole or not at all."""
    if path is None:
        return
    if certificate is None:
        raise InputError("this answer has no certificate")
    if path == "-":
        raise InputError("--certificate needs the name of a file")
    from rlct.certificate.verify import certificate_text

    write_text(path, certificate_text(certificate) + "\n")


def write_text(path: str, text: str) -> None:
    """Write a text file, whole or not at all."""
    _write(path, text.encode("utf-8"))


def check_plot(path: str | None) -> None:
    """Refuse a picture that could not be drawn or written, before any work is done."""
    if path is not None:
        from rlct.report.picture import load

        check_folder(Path(path))
        load()


def write_plot(path: str | None, draw: Callable[[], Any], question: object = None) -> None:
    """Draw a picture, about generators with their K above it, and write it, whole or not at all."""
    if path is None:
        return
    from rlct.report.picture import render_figure
    from rlct.report.question import with_subject

    try:
        picture = render_figure(
            lambda: with_subject(draw(), question), Path(path).suffix.lower()[1:]
        )
    except OutOfTimeError:
        raise OutOfTimeError("before the picture was drawn") from None
    _write(path, picture)


def _write(path: str, content: bytes) -> None:
    try:
        write_whole(Path(path), content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error
