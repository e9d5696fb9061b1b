"""What a theorem claims when it is not an exact pair, and how its values can be confirmed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, cast

from rlct.errors import InputError
from rlct.pair import Pair, text_of_bounds


@dataclass(frozen=True)
class TheoremBounds:
    """Proved bounds of the pair, with the rule they rest on.

    Pairs are ordered by λ first: ``lower`` (l, t) says that λ > l, or λ = l with θ ≤ t;
    ``upper`` (u, 1) says no more than λ ≤ u.

    >>> print(TheoremBounds("rank of the Jacobian", lower=Pair.of("3/2")))
    3/2 ≤ λ (rank of the Jacobian)
    >>> TheoremBounds("", Pair.of("1/2", 2), Pair.of(1)).hold(Pair.of("1/2", 3))
    False
    """

    #: Name of the rule; it is printed with the bounds.
    rule: str
    #: None if there is none on this side, but not both.
    lower: Pair | None = None
    upper: Pair | None = None

    def __post_init__(self) -> None:
        """Refuse bounds that say nothing or cannot hold."""
        if self.lower is None and self.upper is None:
            raise InputError("bounds need a lower or an upper pair")
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise InputError(f"the lower bound {self.lower} exceeds the upper bound {self.upper}")

    def hold(self, pair: Pair) -> bool:
        """Whether a pair lies within."""
        above = self.lower is None or self.lower <= pair
        return above and (self.upper is None or pair <= self.upper)

    def __str__(self) -> str:
        return f"{text_of_bounds(self.lower, self.upper, '0 ≤ ')} ({self.rule})"


def sharper_bounds(
    first: TheoremBounds | None, second: TheoremBounds | None
) -> TheoremBounds | None:
    """Both bounds at once: the better of each side, with the rules it rests on.

    >>> lower = TheoremBounds("rank", lower=Pair.of(1))
    >>> print(sharper_bounds(lower, TheoremBounds("dimension", upper=Pair.of(2))))
    1 ≤ λ ≤ 2 (lower: rank; upper: dimension)
    """
    given = [bounds for bounds in (first, second) if bounds is not None]
    lowers = [bounds for bounds in given if bounds.lower is not None]
    uppers = [bounds for bounds in given if bounds.upper is not None]
    low = max(lowers, key=lambda bounds: cast(Pair, bounds.lower), default=None)
    high = min(uppers, key=lambda bounds: cast(Pair, bounds.upper), default=None)
    if low is None or high is None or low is high:
        return low or high
    below, above = _rules(low)[0], _rules(high)[1]
    rule = below if below == above else f"lower: {below}; upper: {above}"
    return TheoremBounds(rule, low.lower, high.upper)


def _rules(bounds: TheoremBounds) -> tuple[str, str]:
    """Split a rule that `sharper_bounds` has put together into those of the two sides."""
    below, parted, above = bounds.rule.removeprefix("lower: ").partition("; upper: ")
    joined = parted and bounds.rule.startswith("lower: ")
    return (below, above) if joined else (bounds.rule, bounds.rule)


def claims_contradict(first: Pair | TheoremBounds, second: Pair | TheoremBounds) -> bool:
    """Whether two claims cannot both be true.

    >>> lower = TheoremBounds("", lower=Pair.of(1, 2))
    >>> claims_contradict(TheoremBounds("", upper=Pair.of("1/2")), lower)
    True
    >>> claims_contradict(Pair.of(1, 2), lower)
    False
    """
    if isinstance(first, Pair) and isinstance(second, Pair):
        return first != second
    if isinstance(first, Pair):
        first, second = second, first
    assert isinstance(first, TheoremBounds)
    if isinstance(second, Pair):
        return not first.hold(second)
    above = first.upper is not None and second.lower is not None and first.upper < second.lower
    below = first.lower is not None and second.upper is not None and first.lower > second.upper
    return above or below


class ConfirmationKind(Enum):
    """How a value is confirmed without the formula."""

    ENGINE = "engine"
    RANK = "rank"
    SIMULATION = "simulation"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True)
class ValueConfirmation:
    """One way in which a value is confirmed, which `confirm_case` carries out."""

    #: ``ENGINE``: the engine finds the same pair for the polynomial question.  ``RANK``: 2λ is the
    #: exact rank that `Theorem.rank` computes, and θ = 1.  ``SIMULATION``: samplers agree with the
    #: pair and reject a planted wrong one.  ``IMPOSSIBLE``: none of these can be done, for the
    #: reason given.
    way: ConfirmationKind
    seed: int = 0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        shown: dict[str, Any] = {"way": self.way.value}
        if self.way is ConfirmationKind.SIMULATION:
            shown["seed"] = self.seed
        if self.reason:
            shown["reason"] = self.reason
        return shown


BY_ENGINE = ValueConfirmation(ConfirmationKind.ENGINE)
BY_RANK = ValueConfirmation(ConfirmationKind.RANK)


def by_simulation(seed: int = 0) -> ValueConfirmation:
    """Confirm by samplers with this seed."""
    return ValueConfirmation(ConfirmationKind.SIMULATION, seed=seed)


def no_confirmation(reason: str) -> ValueConfirmation:
    """Say why nothing but the proof confirms a value."""
    return ValueConfirmation(ConfirmationKind.IMPOSSIBLE, reason=reason)


def status_text(status: str, assumptions: Sequence[str]) -> str:
    """Say with a status what the answer assumes.

    >>> status_text("exact", ["the inputs have a density", "they are bounded"])
    'exact if: the inputs have a density and they are bounded'
    >>> status_text("exact", [])
    'exact'
    """
    return f"{status} if: {' and '.join(assumptions)}" if assumptions else status
