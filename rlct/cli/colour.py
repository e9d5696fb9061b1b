"""Colours of what people read on a terminal; none in a file, on a pipe or under NO_COLOR."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # of typing, which takes longer to load than to print an error
if TYPE_CHECKING:
    from typing import TextIO

_BOLD_CODE, _RED_CODE, _GREEN_CODE, _YELLOW_CODE = "1", "1;31", "32", "33"
#: What begins a line, and its colour; the first one that fits is taken.
_LINE_COLOURS = (
    (r"rlct: error:", _RED_CODE),
    (r"(?:warning|undecided):", _YELLOW_CODE),
    (r"Verdict +agrees|valid:", _GREEN_CODE),
    (r"Verdict +refuted", _RED_CODE),
    (r"Verdict +inconclusive", _YELLOW_CODE),
    (r"(?:[\d/]+ ≤ )?λ (?:=|≤|≥) [\d/]+(?:, θ = \d+)?", _BOLD_CODE),
    (r"(?:usage| {0,4}[a-z ]+(?=:$)):", _BOLD_CODE),  # headings of help
)


def add_colours(text: str, stream: TextIO | None) -> str:
    """Colour the beginnings of lines if ``stream`` is a terminal that is to have colours."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if is_plain or stream is None or not stream.isatty() or "\x1b" in text:
        return text
    return "\n".join(map(_coloured_line, text.split("\n")))


def _coloured_line(line: str) -> str:
    import re  # only on a terminal

    for pattern, colour in _LINE_COLOURS:
        found = re.match(pattern, line)
        if found is not None:
            return f"\x1b[{colour}m{found[0]}\x1b[0m{line[found.end() :]}"
    return line
