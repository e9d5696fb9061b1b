"""Several bounds of one statement; each child of the step bounds it."""

from __future__ import annotations

from collections.abc import Sequence

from rlct.certificate.rules import RuleScope, checked_rule
from rlct.certificate.statement import PairBounds, need

__all__: list[str] = []


@checked_rule(
    "enclose",
    scope=RuleScope.GERM | RuleScope.FAMILY | RuleScope.BOX,
    wording="The better of two bounds\n"
    "The germ is bounded in several ways.\n"
    "→ {pairs}. The largest lower and the smallest upper bound hold: {result}.",
)
def enclose(bounds: Sequence[PairBounds]) -> PairBounds:
    """The pair lies above the largest lower and below the smallest upper bound of several.

    Without a condition: all bound the same pair (``theory/certificates.md``).
    """
    need(bool(bounds), "enclose: a step of the proof is missing")
    uppers = [upper for _, upper in bounds if upper is not None]
    return max(lower for lower, _ in bounds), min(uppers, default=None)
