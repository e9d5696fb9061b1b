"""An estimate beside a λ of ours, and which other λ it would reject."""

from dataclasses import dataclass
from math import erfc, inf, sqrt
from typing import Any

from validation.audit.row import Fact
from validation.framework.claim import number

__all__ = ["MOST_ERRORS", "Estimate", "estimate", "false_alarm"]

MOST_ERRORS = 4.0  # standard errors that a right λ may be off, unless an experiment says otherwise


def false_alarm(errors: float = MOST_ERRORS, degrees: float = inf) -> float:
    """Return how often a right value is off by more than so many standard errors.

    Examples
    --------
    >>> f"{false_alarm():.1g} {false_alarm(degrees=7):.1g}"
    '6e-05 0.005'
    """
    if degrees == inf:
        return erfc(errors / sqrt(2))
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -errors))


@dataclass(frozen=True)
class Estimate(Fact):
    """A fact that compares an estimate with what a λ of ours makes it.

    It holds if the estimate agrees with our λ.  One that would not reject a λ that is `sees`
    smaller or larger says that it is too coarse; it refutes nothing, and no record may hold one.
    """

    #: Standard error of ``found``.
    error: float = 0.0
    #: Standard errors that a right λ may be off.
    errors: float = MOST_ERRORS
    #: Degrees of freedom of ``error``.
    degrees: float = inf
    #: What else may part the two: finite n, finite nβ.
    allowed: float = 0.0
    #: By how much ``right`` is larger where λ is twice as large.
    per: float = 0.0
    #: A share: λ off by as much must be rejected.
    sees: float = 0.15

    @property
    def resolution(self) -> float:
        """The share beyond which a wrong λ, smaller or larger, is rejected by this estimate."""
        return (abs(float(self.value) - float(self.right)) + self.tolerance) / abs(self.per)

    @property
    def coarse(self) -> bool:
        """Whether λ off by `sees` would fit as well."""
        return bool(self.resolution >= self.sees)

    def __str__(self) -> str:
        value, right = number(self.value), number(float(self.right))
        parts = [f"{number(self.allowed)} for what is finite"] if self.allowed else []
        if self.error:
            rate = f"false in 1 of {1 / false_alarm(self.errors, self.degrees):,.0f}"
            parts.insert(0, f"{self.errors:g} errors of {number(self.error)}, {rate}")
        sentence = f"{self.text}: {value}, by our λ within {number(self.tolerance)} of {right}"
        sentence += f" ({'; '.join(parts)})"
        if not self._agrees(self.right):
            return f"{sentence}, NOT as stated"
        sentence += f"; would reject λ off by more than {self.resolution:.1%}"
        return (
            f"{sentence}, TOO COARSE: {self.sees:.0%} is to be rejected"
            if self.coarse
            else sentence
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what the report has for machines."""
        return {
            "what": self.text,
            "found": float(self.value),
            "right": float(self.right),
            "error": self.error,
            "errors": self.errors,
            "false_alarm": false_alarm(self.errors, self.degrees),
            "tolerance": self.tolerance,
            "rejects_beyond": self.resolution,
            "coarse": self.coarse,
        }


def estimate(
    text: str,
    value: Any,
    right: Any,
    error: float,
    *,
    allowed: float = 0.0,
    errors: float = MOST_ERRORS,
    degrees: float = inf,
    per: Any = None,
    sees: float = 0.15,
) -> Estimate:
    """Return an estimate beside what our λ makes it; options as of `Estimate`.

    By default ``per`` is ``right`` itself, a multiple of λ.

    Examples
    --------
    >>> print(estimate("λ̂", 5.1, 5, 0.1))
    λ̂: 5.1, by our λ within 0.4 of 5 (4 errors of 0.1, false in 1 of 15,787); would reject λ off by more than 10.0%
    >>> estimate("λ̂", 5.1, 5, 0.1).coarse, estimate("λ̂", 5.1, 5, 0.2).coarse
    (False, True)
    """  # noqa: E501
    tolerance = errors * error + allowed
    scale = float(right if per is None else per)
    return Estimate(
        text, float(value), float(right), tolerance=tolerance, error=float(error),
        errors=errors, degrees=degrees, allowed=float(allowed), per=scale, sees=sees,
    )  # fmt: skip
