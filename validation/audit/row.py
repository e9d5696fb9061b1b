"""A row of the audit: a printed claim, the verdict on it, and the check that bears it out."""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from validation.audit.sources import AUDITED_SOURCES

__all__ = ["Fact", "Facts", "Row", "Verdict", "claims", "close", "exact", "row"]

_AS_PRINTED = object()  # the printed formula says what the right statement says
_REFUTING_MARGIN = 3.0  # a printed number is refuted if it misses by this many tolerances


class Verdict(Enum):
    """What became of a printed claim."""

    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True)
class Fact:
    """Something that was computed, beside what the right statement and the source say of it.

    Examples
    --------
    >>> exact("1 + 1", 1 + 1, 2, printed=3).holds, exact("1 + 1", 1 + 1, 2, printed=3).refutes
    (True, True)
    >>> close("π", 3.1416, 3.14159265, 1e-4, control=3.2).holds
    True
    >>> close("π", 3.1416, 3.14159265, 0.1, control=3.2).holds  # too coarse to tell
    False
    """

    #: What was computed.
    text: str
    #: The value found, the value by the right statement, and the value by the printed one. Exact
    #: facts compare them with ``==``.
    value: Any
    right: Any
    printed: Any = _AS_PRINTED
    #: 0 for an exact fact; otherwise the largest error of ``value``, known beforehand.
    tolerance: float = 0.0
    #: A wrong value that the same comparison must reject.
    control: Any = None

    def _agrees(self, value: Any, margin: float = 1.0) -> bool:
        if self.tolerance == 0.0:
            return bool(self.value == value)
        return abs(float(self.value) - float(value)) <= margin * self.tolerance

    @property
    def holds(self) -> bool:
        """Whether the right statement fits what was found and the control does not."""
        return self._agrees(self.right) and not (
            self.control is not None and self._agrees(self.control)
        )

    @property
    def refutes(self) -> bool:
        """Whether what was found contradicts the printed statement."""
        return self.printed is not _AS_PRINTED and not self._agrees(self.printed, _REFUTING_MARGIN)

    def __str__(self) -> str:
        said = "" if self.printed is _AS_PRINTED else f", printed: {_text(self.printed)}"
        right, near = _text(self.right), f" within {self.tolerance:.2g}" if self.tolerance else ""
        if not self._agrees(self.right):
            return f"{self.text}: {_text(self.value)}{said}, NOT{near} as stated: {right}"
        coarse = "" if self.holds else f", TOO COARSE to reject the planted {_text(self.control)}"
        return f"{self.text}: {_text(self.value)}{near and f',{near} of {right}'}{said}{coarse}"


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def exact(
    text: str, value: Any, right: Any, *, printed: Any = _AS_PRINTED, control: Any = None
) -> Fact:
    """Return a fact of exact arithmetic."""
    return Fact(text, value, right, printed, 0.0, control)


def close(
    text: str,
    value: Any,
    right: Any,
    tolerance: float,
    *,
    printed: Any = _AS_PRINTED,
    control: Any = None,
) -> Fact:
    """Return a fact of numerical arithmetic with an absolute tolerance."""
    return Fact(text, float(value), right, printed, tolerance, control)


Facts = Iterator[Fact]


@dataclass(frozen=True)
class Row:
    """One row of the audit."""

    #: The number of the source, a hyphen, and what the source calls the claim.
    id: str
    verdict: Verdict
    #: What is printed.
    claim: str
    #: What is true.
    statement: str
    #: Why, in words; what was computed is in the facts.
    evidence: str
    #: Recomputes the evidence: yields facts.
    check: Callable[[], Facts]
    #: Another command that shows the same, if there is one.
    direct: str = ""
    #: Whether ``rlct audit --quick`` leaves the row out.
    slow: bool = False
    #: The table or figure of ``rlct validate`` that makes the same claim, if there is one; the
    #: verdicts agree, as corrected is to differ and unverifiable to be undecided.
    place_id: str = ""
    #: The table or figure that it speaks of otherwise, and what it says of it that the experiment
    #: does not: ``"001-table-2: …"``.
    beside: str = ""

    @property
    def source(self) -> str:
        """The number of the source."""
        return self.id[:3]

    @property
    def command(self) -> str:
        """A line for the shell that reproduces the evidence."""
        own = f"rlct audit {self.id}"
        return f"{own}; {self.direct}" if self.direct else own

    def reproduce(self) -> tuple[bool, tuple[Fact, ...]]:
        """Return whether the evidence bears out the verdict, and the facts, computed anew.

        Every fact has to hold; nothing contradicts a confirmed claim, something one that was
        corrected or refuted.
        """
        facts = tuple(self.check())
        contradicted = any(fact.refutes for fact in facts)
        if self.verdict is Verdict.UNVERIFIABLE:
            fits = not contradicted
        elif self.verdict is Verdict.CONFIRMED:
            fits = bool(facts) and not contradicted
        else:
            fits = contradicted
        return fits and all(fact.holds for fact in facts), facts

    def to_dict(self) -> dict[str, str]:
        """Return the row as JSON shows it."""
        return {
            "id": self.id,
            "source": AUDITED_SOURCES[self.source],
            "claim": self.claim,
            "verdict": self.verdict.value,
            "statement": self.statement,
            "evidence": self.evidence,
            "command": self.command,
            "place": self.place_id,
            "beside": self.beside,
        }


@cache
def claims(source: str) -> dict[str, dict[str, Any]]:
    """Return what is printed in a source, with verdicts and reasons, by id: ``claims/000.toml``."""
    path = Path(__file__).parent / "claims" / f"{source}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def row(id: str) -> Callable[[Callable[[], Facts]], Row]:
    """Turn the check below into the row with this id."""
    texts = dict(claims(id[:3])[id])
    verdict = Verdict(texts.pop("verdict"))
    return lambda check: Row(id, verdict, check=check, **texts)
