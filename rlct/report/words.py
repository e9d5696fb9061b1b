"""Words that change with a number."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, which takes an s unless there is one.

    Examples
    --------
    >>> counted(1, "answer"), counted(0, "answer")
    ('1 answer', '0 answers')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
