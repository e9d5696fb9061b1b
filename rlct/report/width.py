"""Long lines broken where a terminal, or COLUMNS, says how wide it is; other output stays whole."""

import os
import re
import shutil
import sys
from textwrap import wrap
from typing import Final

_NARROWEST_OUTPUT: Final = 40  # columns
_DEEP_INDENT: Final = 8  # columns of indentation after which a line does not hang
_BRANCH_PATTERN = re.compile(r"[ │├└─]*")
_GAP_PATTERN = re.compile(r"(?<=\S)  +(?=\S)")
_BELOW_BRANCH = str.maketrans("├└─", "│  ")


def columns() -> int | None:
    """Characters of a line; None where neither a terminal nor COLUMNS says it.

    What goes into a file or to another program has no width: there lines stay whole.
    """
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return max(shutil.get_terminal_size().columns, _NARROWEST_OUTPUT)
    return None


def fit_width(text: str, width: int | None) -> str:
    r"""Break lines that are too long between words, below the column where their text begins.

    >>> print(fit_width("Source       Aoyagi, M. (2024). Consideration on learning", 44))
    Source       Aoyagi, M. (2024).
                 Consideration on learning
    >>> print(fit_width("├─ newton: (x^2 - y^3, x*y, y^7 + 3*x^2*y, x^9); λ = 5/12", 40))
    ├─ newton: (x^2 - y^3, x*y, y^7 +
    │     3*x^2*y, x^9); λ = 5/12
    """
    if width is None:
        return text
    return "\n".join(
        line if len(line) <= width else _broken(line, width) for line in text.split("\n")
    )


def _broken(line: str, width: int) -> str:
    branch = _BRANCH_PATTERN.match(line)
    assert branch is not None
    start = branch[0]
    # Columns are two blanks or more apart; a line goes on below its last one.
    gaps = [gap.end() for gap in _GAP_PATTERN.finditer(line) if gap.end() <= width // 2]
    next_indent = start.translate(_BELOW_BRANCH)
    # A line that begins in the column of an entry above goes on there.
    hanging = 0 if start.isspace() and len(start) > _DEEP_INDENT else 3
    next_indent += " " * (gaps[-1] - len(start) if gaps else hanging)
    line_start = line[: gaps[-1]] if gaps else start
    pieces = wrap(
        line[len(line_start) :],
        width,
        initial_indent=line_start,
        subsequent_indent=next_indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(pieces)
