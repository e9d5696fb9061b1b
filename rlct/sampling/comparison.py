"""Theory against simulation: a z-score, a planted wrong value, and a verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rlct.pair import Pair
from rlct.sampling.estimate import Estimate

Verdict = Literal["agrees", "refuted", "inconclusive"]


@dataclass(frozen=True)
class Control:
    """The wrong λ planted beside the claim, and whether the same test rejected it."""

    lam: float
    z: float
    rejected: bool


@dataclass(frozen=True)
class ThetaTrial:
    """What a ladder says of θ where λ is the claimed one."""

    claimed: int
    #: Chance of each θ beside the likeliest, which has 1; empty if θ was not tried.
    odds: Mapping[int, float] = field(default_factory=dict)
    #: Those whose odds are too small.
    rejected: tuple[int, ...] = ()
    #: Last nβ of a ladder, as exact as this one, that would reject the planted θ that this one does
    #: not; None where none is known.
    deciding_n_beta: float | None = None

    @property
    def refuted(self) -> bool:
        """Whether the claimed θ is rejected."""
        return self.claimed in self.rejected

    @property
    def likeliest(self) -> int:
        """The θ that fits best."""
        return max(self.odds, key=lambda theta: self.odds[theta])

    @property
    def planted(self) -> tuple[int, ...]:
        """The θ beside the claimed one: those that the target can have."""
        return tuple(t for t in (self.claimed - 1, self.claimed + 1) if t in self.odds)

    @property
    def survivors(self) -> tuple[int, ...]:
        """Planted θ that are not rejected."""
        return tuple(theta for theta in self.planted if theta not in self.rejected)

    @property
    def words(self) -> str:
        """What became of the planted θ, as the end of a sentence."""
        if not self.planted:
            return ""
        if not self.survivors:
            wrong = " and ".join(map(str, self.planted))
            verb = "do" if len(self.planted) > 1 else "does"
            return f"; θ = {self.claimed} fits and the planted {wrong} {verb} not"
        alike = " and ".join(map(str, self.survivors))
        words = f"; the draws do not distinguish θ = {self.claimed} and {alike}"
        if self.deciding_n_beta is None:
            return words
        return f"{words}: a ladder to nβ = {self.deciding_n_beta:.0e} would do it"

    def to_dict(self) -> dict[str, Any]:
        """Fields of JSON: the odds, and what was planted and rejected."""
        return {
            "odds": {str(theta): odds for theta, odds in self.odds.items()},
            "planted": list(self.planted),
            "rejected": [theta for theta in self.planted if theta in self.rejected],
            "deciding_n_beta": self.deciding_n_beta,
        }


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
    theta_trial : ThetaTrial
        The claimed θ beside planted wrong ones.
    """

    estimate: Estimate
    claim: Pair
    z: float
    critical: float
    allowed: tuple[float, float]
    control: Control
    verdict: Verdict
    reason: str
    theta_trial: ThetaTrial
    free_theta: bool = False
    #: The proved bounds that are on trial in the place of a claim, if they are.
    bounds: str = ""

    @property
    def claimed(self) -> str:
        """The claim in words."""
        words = f"λ = {self.claim.lam} with any θ" if self.free_theta else str(self.claim)
        return self.bounds or words

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
            "theta_control": self.theta_trial.to_dict() if self.theta_trial.odds else None,
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
