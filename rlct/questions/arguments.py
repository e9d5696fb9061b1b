"""Points and boxes as people type them: ``x=0,y=1/2`` and ``x=-2:2,y=-2:2``."""

import re
from typing import Any

from rlct.errors import InputError


def generators_of(text: str) -> list[str]:
    """Split generators at commas or semicolons, in the brackets of an ideal or none.

    >>> generators_of("x^2; y^3"), generators_of("<x*y, (y+1)*z>"), generators_of("(x+y)*(x-y)")
    (['x^2', 'y^3'], ['x*y', '(y+1)*z'], ['(x+y)*(x-y)'])
    """
    text = text.strip().replace(";", ",")
    inside = text[1:-1] if text[:1] + text[-1:] in ("()", "<>", "[]", "{}") else ""
    closes_early = any(inside[:n].count(")") > inside[:n].count("(") for n in range(len(inside)))
    items = _split(inside if "," in inside and not closes_early else text)
    return [item.strip() for item in items if item.strip()] or [text]


def point_of(text: str | None, option: str = "--at") -> dict[str, str] | list[str]:
    """Read ``x=0,y=1/2``, or the coordinates alone, in the order of the variables."""
    point = re.sub(r"\A\s*\(([^()]*)\)\s*\Z", r"\1", text or "")  # (1, 0)
    items = [item.strip() for item in _split(point) if item.strip()]
    if items and not any("=" in item for item in items):
        return items
    values: dict[str, str] = {}
    for item in items:
        name, equals, value = item.partition("=")
        name = name.strip()
        if not (equals and name and value.strip()):
            raise InputError(f"{option} {text!r} is not of the form x=0,y=1")
        if name in values:
            raise InputError(f"{option} gives {name} twice")
        values[name] = value.strip()
    return values


def region_of(text: str, walls: str | None = None, option: str = "--over") -> dict[str, Any]:
    """Read a box as `box_of` does, inequalities, and further walls: arguments of a question.

    >>> region_of("0:1,x+y<=1", "y")
    {'over': ('0', '1'), 'nonneg': ['x+y<=1', 'y']}
    """
    inequalities = [item for item in listed_items(text) if {*item} & {*"<>≤≥"}]
    sides = ",".join(item for item in listed_items(text) if item not in inequalities)
    box = box_of(sides, option) if sides or not inequalities else {}
    return {"over": box, "nonneg": [*inequalities, *listed_items(walls)]}


def box_of(text: str, option: str = "--over") -> dict[str, tuple[str, str]] | tuple[str, str]:
    """Read ``x=-2:2,y=-2..2``, or ``-2:2``, which is of every variable.

    >>> box_of("x=-2:2,y=0..1"), box_of("-2:2")
    ({'x': ('-2', '2'), 'y': ('0', '1')}, ('-2', '2'))
    """
    sides = point_of(text, option)
    if isinstance(sides, list):
        sides = {"": text}  # of every variable
    box = {}
    for name, value in sides.items():
        ends = [end.strip() for end in re.split(r":|\.\.", value)]
        if len(ends) != 2 or not all(ends) or "..." in value:  # 1...5 may end at 5 or at 0.5
            raise InputError(f"{option} {text!r} is not of the form x=-2:2,y=-2:2")
        box[name] = (ends[0], ends[1])
    return box.get("", box)


def listed_items(text: str | None) -> list[str]:
    """Split names, forms and inequalities at commas."""
    return [item.strip() for item in _split(text or "") if item.strip()]


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
