"""A candidate pole of the zeta function, and what was decided of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple


class TaylorCoefficient(NamedTuple):
    """That of a Taylor coefficient of φ, by the exponents of x and y, between two numbers."""

    taylor_index: tuple[str, str]
    low: float
    high: float


@dataclass(frozen=True)
class Pole:
    """A candidate pole of ζ(z) = ∫ K^z φ, for all smooth φ with small support."""

    #: Negative.
    z: Fraction
    #: The order of a pole; of what is open the largest that is possible; 0 of what is none.
    order: int
    #: "pole": for some φ; "none": for no φ; or "open".
    status: str
    #: The rule that decides.
    why: str
    #: The coefficient of (z − z₀)^(−order) is the sum of these numbers times the Taylor
    #: coefficients of φ.  None if it is no such sum, or was not asked for.
    functional: tuple[TaylorCoefficient, ...] | None = None

    @property
    def proved(self) -> bool:
        """Whether it is a pole."""
        return self.status == "pole"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        document = {"z": str(self.z), "order": self.order, "status": self.status, "why": self.why}
        if self.functional is None:
            return document
        table = [{"taylor": list(c[0]), "interval": [c.low, c.high]} for c in self.functional]
        return {**document, "functional": table, "value": list(self.value or ())}

    @property
    def value(self) -> tuple[float, float] | None:
        """Between which numbers the functional of φ = 1 is, as for the prior of the question."""
        if self.functional is None:
            return None
        constants = [(c.low, c.high) for c in self.functional if c.taylor_index == ("0", "0")]
        return constants[0] if constants else (0.0, 0.0)
