"""Errors in one line on standard error."""

import sys

LONGEST_MESSAGE = 500  # characters
"""Characters of an error message."""


def write_error(message: str, code: int) -> int:
    """Write an error in one line on standard error and return the exit code."""
    from rlct.cli.colour import add_colours

    line = " ".join(message.split())
    if len(line) > LONGEST_MESSAGE:
        line = f"{line[:LONGEST_MESSAGE]}…"
    sys.stderr.write(add_colours(f"rlct: error: {line}\n", sys.stderr))
    return code
