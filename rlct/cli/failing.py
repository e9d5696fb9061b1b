"""Errors in one line on standard error."""

from __future__ import annotations

import sys

__all__ = ["LONGEST", "fail"]

LONGEST = 500
"""Characters of an error message."""


def fail(message: str, code: int) -> int:
    """Write an error in one line on standard error and return the exit code."""
    line = " ".join(message.split())
    if len(line) > LONGEST:
        line = f"{line[:LONGEST]}…"
    sys.stderr.write(f"rlct: error: {line}\n")
    return code
