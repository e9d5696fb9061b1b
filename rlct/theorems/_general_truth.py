"""What the theorems share on models whose parameters of the truth all have the same rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rlct.models.base import Model
from rlct.pair import Pair
from rlct.theorems._evidence import Bounds
from rlct.theorems._given import only_open
from rlct.theorems._working import step

__all__ = ["any_truth", "half", "rank_at"]

Arguments = Mapping[str, Any]


def half(dimension: int) -> Pair:
    """Pair of a regular model in that many coordinates."""
    return Pair(step(f"λ = {dimension}/2", Fraction(dimension, 2)), 1)


def any_truth(
    name: str, dimension: Callable[[Arguments], int], rule: str
) -> Callable[[Arguments], Bounds | None]:
    """Build the fallback for a truth that may be special, which bounds λ from above."""

    def fallback(arguments: Arguments) -> Bounds | None:
        if not only_open(arguments, name):
            return None
        return Bounds(rule, upper=half(dimension(arguments)))

    return fallback


def rank_at(model: Model) -> int:
    """Exact rank of the derivative of the equations at the parameter that they are written at."""
    from rlct.engine.leaves import jacobian_rank

    return jacobian_rank(model.problem().local)
