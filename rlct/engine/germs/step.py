"""What a reduction returns, and how bounds travel through it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlct.engine.germs.family import Family
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

Bounds = tuple[Pair, Pair | None]


@dataclass(frozen=True)
class Step:
    """A reduction of one germ to others."""

    rule: str
    children: tuple[Germ | Family, ...]
    #: Takes the list of the children's bounds, returns this germ's bounds.
    combine: Callable[[Sequence[Bounds]], Bounds]
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def keeps_pair(self) -> bool:
        """Whether its only child has the same pair, so that a bound of that is good enough."""
        return self.combine is same_bounds

    def prove(self, solve: Callable[[Any], Proof]) -> Proof:
        """Solve the children and assemble the proof."""
        proofs = tuple(solve(child) for child in self.children)
        lower, upper = self.combine([(proof.lower, proof.upper) for proof in proofs])
        return Proof(self.rule, lower, upper, self.data, proofs)


def same_bounds(bounds: Sequence[Bounds]) -> Bounds:
    """Bounds of a germ that is equivalent to its only child."""
    (only,) = bounds
    return only


def sum_bounds(bounds: Sequence[Bounds]) -> Bounds:
    """Bounds of a sum over disjoint variables; `Pair` addition is monotone in its order."""
    uppers = [upper for _, upper in bounds if upper is not None]
    upper = Pair.sum(uppers) if len(uppers) == len(bounds) else None
    return Pair.sum(lower for lower, _ in bounds), upper


def product_bounds(bounds: Sequence[Bounds]) -> Bounds:
    """Bounds of a product over disjoint variables; `Pair` multiplication is monotone too.

    A factor without an upper bound is left out of the upper bound: the pair of the product
    is at most the pair of any of its factors.
    """
    lower, upper = bounds[0]
    for low, high in bounds[1:]:
        lower = lower * low
        upper = high if upper is None else upper if high is None else upper * high
    return lower, upper
