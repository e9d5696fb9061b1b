"""What a source says it has seen, put on trial; the verdict follows from what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import Any

__all__ = [
    "Claim",
    "Verdict",
    "alike",
    "at_least",
    "at_most",
    "cells",
    "combine",
    "near",
    "number",
    "span",
]


class Verdict(Enum):
    """What became of a source's claim.  One that differs is a finding, not a failure of ours."""

    CONFIRMED = "confirmed"
    DIFFERS = "differs"
    UNDECIDED = "undecided"

    def contradicts(self, verdict: Verdict) -> bool:
        """Whether two decided verdicts are not the same."""
        return {self, verdict} == {Verdict.CONFIRMED, Verdict.DIFFERS}


@dataclass(frozen=True)
class Claim:
    """A part of a source's claim, as a range in which something measured should lie.

    Examples
    --------
    >>> at_least("R² of a line", 0.999, 0.995, control=0.98).verdict.value
    'confirmed'
    >>> at_least("R² of a line", 0.999, 0.9, control=0.98).verdict.value  # a curve passes, too
    'undecided'
    >>> near("slope", 5.3, 0.53, 0.4, control=2.0).verdict.value
    'differs'
    """

    #: What is measured.
    text: str
    #: Its value.
    value: float
    #: The range that the source's words allow.
    low: float
    high: float
    #: The same thing where the claim is wrong: planted, or of a run that cannot bear it out. If the
    #: range does not reject it, the check cannot confirm anything.
    control: float | None = None
    #: By how much more a value must miss the range to count as outside.
    margin: float = 0.0
    #: Nothing in it depends on chance or on how much is run: it must come out at any size.
    exact: bool = False
    #: What the source leaves open, on which the outcome is seen to depend (`alike`): the part is
    #: undecided then.
    depends: str = ""

    @property
    def planted(self) -> bool:
        """Whether there is a control, and the range rejects it, and not what is measured with it.

        Where what is measured fails on one side, another value that does shows nothing.
        """
        told = 0 if self.control is None else self._side(self.control)
        return told not in (0, self._side(self.value))

    def _side(self, value: float) -> int:
        """Whether a value is outside: −1 below, 1 above, 0 if it is not."""
        return int(value - self.high > self.margin) - int(self.low - value > self.margin)

    @property
    def inside(self) -> bool:
        """Whether what is measured is in the range."""
        return self.low <= self.value <= self.high

    @property
    def verdict(self) -> Verdict:
        """Differs outside of the range; confirmed in it, if the control is outside."""
        if self.depends:
            return Verdict.UNDECIDED
        if self._side(self.value):
            return Verdict.DIFFERS
        return Verdict.CONFIRMED if self.planted and self.inside else Verdict.UNDECIDED

    def __str__(self) -> str:
        low, high = number(self.low), number(self.high)
        asked = f"{low} to {high}" if self.low != self.high else low
        if inf in (-self.low, self.high):
            asked = f"at least {low}" if self.high == inf else f"at most {high}"
        beyond = f", outside by more than {number(self.margin)}" if self.margin else ""
        planted = ""
        if self.control is not None:
            outside = "fails as well" if self._side(self.control) else "not rejected"
            said = "rejected" if self.planted else outside
            planted = f"; planted {number(self.control)}: {said}"
        became = {Verdict.CONFIRMED: "holds", Verdict.DIFFERS: "fails" + beyond}
        state = became.get(self.verdict, "undecided")
        state += ": not the same for every choice" if self.depends else ""
        return f"{self.text}: {number(self.value)}, claimed: {asked}{planted}; {state}"


def number(value: float) -> str:
    """Return four digits, with a minus sign."""
    return f"{value + 0.0:.4g}".replace("-", "−")


def span(values: Iterable[float], form: str = ".0f") -> str:
    """Return the least and the largest; one of them, if they read the same.

    Examples
    --------
    >>> span([0.2, 0.31], ".0%"), span([0.331, 0.334], ".0%"), span([3])
    ('20% to 31%', '33%', '3')
    """
    held = list(values)
    return " to ".join(dict.fromkeys(format(one, form) for one in (min(held), max(held))))


def at_least(text: str, value: Any, low: float, **options: Any) -> Claim:
    """Return a claim that something is not below a bound; options as of `Claim`."""
    return Claim(text, float(value), low, inf, **options)


def at_most(text: str, value: Any, high: float, **options: Any) -> Claim:
    """Return a claim that something is not above a bound."""
    return Claim(text, float(value), -inf, high, **options)


def near(
    text: str,
    value: Any,
    printed: float,
    tolerance: float,
    control: float | None = None,
    margin: float | None = None,
) -> Claim:
    """Return a claim of a number, to a tolerance, which is the margin if none is given."""
    low, high = printed - tolerance, printed + tolerance
    return Claim(text, float(value), low, high, control, tolerance if margin is None else margin)


def cells(text: str, computed: Sequence[Any], printed: Sequence[Any]) -> Claim:
    """Return a claim of a table: all of its cells agree; planted: one that is wrong.

    Examples
    --------
    >>> print(cells("cells of the table", ["1/2", "1"], ["1/2", "1"]))
    cells of the table: 2, claimed: 2; planted 1: rejected; holds
    """
    wrong = [f"not {printed[0]}", *printed[1:]]
    right, planted = (
        sum(a == b for a, b in zip(computed, expected, strict=True))
        for expected in (printed, wrong)
    )
    return Claim(text, right, len(printed), len(printed), planted, exact=True)


def alike(unnamed: str, parts: Mapping[str, Claim]) -> list[Claim]:
    """Return a part of a claim for several choices of something that the source leaves open.

    If it fails for one of them and not for another, no choice decides; otherwise each is as it came
    out.

    Examples
    --------
    >>> few, many = at_most("error", 0.4, 0.1, control=1), at_most("error", 0.05, 0.1, control=1)
    >>> print(alike("n", {"n = 50": few, "n = 800": many})[1].depends)
    n, which is not told: it holds for n = 800, not for n = 50
    >>> [one.verdict.value for one in alike("n", {"n = 800": many, "n = 900": many})]
    ['confirmed', 'confirmed']
    """
    fails = [choice for choice, part in parts.items() if part.verdict is Verdict.DIFFERS]
    holds = [choice for choice, part in parts.items() if part.inside]
    near_by = [choice for choice in parts if choice not in fails]
    told, own = ("holds", holds) if holds else ("is outside by less than the margin", near_by)
    depends = (
        f"{unnamed}, which is not told: it {told} for {', '.join(own)}, not for {', '.join(fails)}"
        if near_by and fails
        else ""
    )
    return [
        replace(part, text=f"{part.text}, {choice}", depends=depends)
        for choice, part in parts.items()
    ]


def combine(claims: Iterable[Claim]) -> Verdict:
    """Return the verdict on several parts of a claim.

    Differs if one fails; without a failure confirmed if all hold, and undecided otherwise.

    Examples
    --------
    >>> right, wrong = at_least("a", 2, 1, control=0), at_least("b", 0, 1)
    >>> [combine(some).value for some in ([right], [right, wrong], [wrong], [])]
    ['confirmed', 'differs', 'differs', 'undecided']
    """
    verdicts = [claim.verdict for claim in claims]
    if Verdict.DIFFERS in verdicts:
        return Verdict.DIFFERS
    return (
        Verdict.CONFIRMED
        if verdicts and set(verdicts) == {Verdict.CONFIRMED}
        else Verdict.UNDECIDED
    )
