"""Counterexamples whose prior vanishes at the truth."""

from __future__ import annotations

from rlct.pair import Pair
from rlct.theorems.arguments import Truth
from rlct.theorems.base import Arguments, Counterexample

__all__ = ["squared_prior"]


def squared_prior(
    arguments: Arguments, hypothesis: str, coordinate: str, evidence: str
) -> Counterexample:
    """Deny a hypothesis by a prior u² in the one coordinate u that K sees."""
    return Counterexample(
        {**arguments, hypothesis: Truth.FALSE},
        Pair.of("3/2"),
        (coordinate,),
        evidence,
        prior=f"{coordinate}**2",
    )
