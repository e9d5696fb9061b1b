"""The numbers on the way to a value, recorded by the code that computes it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Final, TypeVar

_STEP_LINES: ContextVar[list[str] | None] = ContextVar("lines", default=None)
_MOST_TERMS: Final = 8  # terms of a sum that are written out

Number = TypeVar("Number", int, Fraction)


@contextmanager
def recorded_steps() -> Iterator[list[str]]:
    """Collect what `step` records inside; nothing is collected elsewhere.

    >>> with recorded_steps() as lines:
    ...     _ = step("λ = 3/2 + 1", Fraction(5, 2))
    >>> lines
    ['λ = 3/2 + 1 = 5/2']
    """
    lines: list[str] = []
    token = _STEP_LINES.set(lines)
    try:
        yield lines
    finally:
        _STEP_LINES.reset(token)


def step(text: str, value: Number) -> Number:
    """Tell how a number comes about, and return it.

    ``text`` is its name and an expression in numbers, such as ``"λ = (2 + 3)/2"``, behind which the
    value is written; a test evaluates it.  The signs are + − · / ^ ( ) and the functions min, max,
    C and ⌈ ⌉.
    """
    if text.endswith((f"= {value}", f"≤ {value}", f"≥ {value}")):
        note_case(text)
    else:
        note_case(f"{text} = {value}")
    return value


def note_case(text: str) -> None:
    """Record a sentence that is no equation, such as which case of a formula it is."""
    lines = _STEP_LINES.get()
    if lines is not None:
        lines.append(text)


def joined_terms(terms: Iterable[object], sign: str = " + ") -> str:
    """Join the terms of a sum, or the items of a list; of many only the ends are written.

    >>> joined_terms([Fraction(1, 2), 3]), joined_terms(range(20))
    ('1/2 + 3', '0 + 1 + 2 + 3 + … + 19')
    """
    shown = [str(term) for term in terms]
    if len(shown) > _MOST_TERMS:
        shown = [*shown[: _MOST_TERMS // 2], "…", shown[-1]]
    return sign.join(shown) or "0"
