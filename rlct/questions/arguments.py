"""Points and boxes as people type them: ``x=0,y=1/2`` and ``x=-2:2,y=-2:2``."""

from __future__ import annotations

from rlct.errors import InputError

__all__ = ["box_of", "point_of"]


def point_of(text: str | None, option: str = "--at") -> dict[str, str]:
    """Read ``x=0,y=1/2``."""
    values: dict[str, str] = {}
    for item in _split(text or ""):
        if not item.strip():
            continue
        name, equals, value = item.partition("=")
        name = name.strip()
        if not (equals and name and value.strip()):
            raise InputError(f"{option} {text!r} is not of the form x=0,y=1")
        if name in values:
            raise InputError(f"{option} gives {name} twice")
        values[name] = value.strip()
    return values


def box_of(text: str, option: str = "--over") -> dict[str, tuple[str, str]]:
    """Read ``x=-2:2,y=-2:2``."""
    box = {}
    for name, value in point_of(text, option).items():
        low, colon, high = value.partition(":")
        if not (colon and low.strip() and high.strip()):
            raise InputError(f"{option} {text!r} is not of the form x=-2:2,y=-2:2")
        box[name] = (low, high)
    return box


def _split(text: str) -> list[str]:
    """Split at commas outside parentheses."""
    items, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth <= 0:
            items.append("")
        else:
            items[-1] += letter
    return items
