"""Theory against simulation: a z-score, a planted wrong value, and a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rlct.pair import Pair
from rlct.sampling.estimate import Estimate

__all__ = ["Comparison", "Control", "Verdict"]

Verdict = Literal["agrees", "refuted", "inconclusive"]


@dataclass(frozen=True)
class Control:
    """The wrong λ planted beside the claim, and whether the same test rejected it."""

    lam: float
    z: float
    rejected: bool


@dataclass(frozen=True)
class Comparison:
    """Outcome of confronting a claimed pair with an estimate.

    Parameters
    ----------
    estimate : Estimate
        Fitted with the claimed θ.
    claim : Pair
    z : float
        (λ̂ − λ) / standard error.
    critical : float
        The claim is refuted beyond this ``|z|``.
    allowed : (float, float)
        From the smallest to the largest λ that is not refuted.
    control : Control
        The negative control: without its rejection nothing is concluded.
    verdict : {"agrees", "refuted", "inconclusive"}
    reason : str
        One sentence that explains the verdict.
    free_theta : bool
        The claim says nothing about θ.
    """

    estimate: Estimate
    claim: Pair
    z: float
    critical: float
    allowed: tuple[float, float]
    control: Control
    verdict: Verdict
    reason: str
    free_theta: bool = False

    @property
    def claimed(self) -> str:
        """The claim in words."""
        return f"λ = {self.claim.lam} with any θ" if self.free_theta else str(self.claim)

    def to_dict(self) -> dict[str, Any]:
        """Fields of the ``check`` answer, schema ``rlct/1``, ready for JSON."""
        return {
            **self.estimate.to_dict(),
            "claim": {
                "lambda": str(self.claim.lam),
                "theta": None if self.free_theta else self.claim.theta,
            },
            "z": self.z,
            "critical": self.critical,
            "allowed": list(self.allowed),
            "control": {
                "lambda": self.control.lam,
                "z": self.control.z,
                "rejected": self.control.rejected,
            },
            "verdict": self.verdict,
            "reason": self.reason,
        }

    def plot(self) -> Any:
        """Draw the ladder, its limit beside the claim, and the verdict, as a matplotlib figure.

        Raises
        ------
        InputError
            Without the extra ``plot``.
        """
        from rlct.report.ladder_plot import draw_check

        return draw_check(self)

    def __str__(self) -> str:
        why = "" if self.verdict == "agrees" else f"; {self.reason}"
        found = f"{self.estimate.headline}; z = {self.z:+.2f}{why}"
        return f"{self.verdict}: claim {self.claimed}; {found}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Rich form for notebooks: the verdict with its numbers."""
        from rlct.report.notebook import comparison_html

        return comparison_html(self)
