"""Whether noise alone may make a larger size look better than a smaller one."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from rlct.selection.family_kinds import TruthCell

_EQUAL_FITS: Final = 1e-6  # share of a log-likelihood up to which two are equal

#: Where what noise gains comes from.
GAIN_SOURCE: Final = (
    "what noise gains is an estimate: ½ for each dimension that a spare part adds, in mixtures "
    "about ½ log log n beside it (theory page evidence)"
)


@dataclass(frozen=True)
class SparePart:
    """A larger size that the singular BIC prefers to a smaller one for less than noise gains."""

    #: Sizes, the smaller as the truth.
    model: int
    truth: int
    #: The least that the larger may cost more there, λ log n − (θ − 1) log log n.
    cost: float
    exact: bool
    #: An estimate of what it gains from noise, and what it gains here.
    noise: float
    gain: float

    def __str__(self) -> str:
        cost = f"only {self.cost:.2f}" if self.cost > 0 else "no"
        return (
            f"{self.model} {'costs' if self.exact else 'may cost'} {cost} more than {self.truth} "
            f"where {self.truth} is true, and fits of noise gain about {self.noise:.1f} there: "
            f"{self.model} may be noise"
        )


def spare_parts(
    best_sizes: Iterable[int],
    values: Mapping[int, float],
    dimension: Mapping[int, int],
    truths: Mapping[tuple[int, int], TruthCell],
    noise_gain: Callable[[int, int, int], float],
    n: int,
) -> tuple[SparePart, ...]:
    """Comparisons of a best size with a smaller one that its low cost alone decides.

    ``values`` has log-likelihood plus log prior by size.  A size that gains as much as BIC charges
    for it, d/2 log n, which is more than any λ, is better than a smaller one at any cost.
    """

    def pays(large: int, small: int) -> bool:
        charge = (dimension[large] - dimension[small]) / 2 * math.log(n)
        return values[large] - values[small] > charge + _EQUAL_FITS * max(1.0, abs(values[large]))

    parts = []
    for model in best_sizes:
        smaller_sizes = [size for size in values if size < model]
        for truth in smaller_sizes:
            if any(pays(large, truth) for large in (*smaller_sizes, model) if large > truth):
                continue
            gain, added = values[model] - values[truth], dimension[model] - dimension[truth]
            cell = truths[model, truth]
            cost = cell.penalties(n)[0] - dimension[truth] / 2 * math.log(n)
            noise = noise_gain(model - truth, added, n)
            if cost <= noise:
                parts.append(SparePart(model, truth, cost, cell.exact, noise, gain))
    return tuple(parts)


def bic_advice(
    bic_size: int, candidates: Iterable[int], within_noise: tuple[SparePart, ...], n: int
) -> str:
    """Which size to report where BIC and the singular BIC differ, and why; else nothing."""
    if within_noise:
        return (
            f"BIC chooses {bic_size}: report it, as a dimension costs {math.log(n) / 2:.2f} there "
            "and gains about ½ from noise; parts that show little at this n it leaves out"
        )
    if bic_size in candidates:
        return ""
    return (
        f"BIC chooses {bic_size}: report that of sBIC, whose λ is the cost at smaller truths, here "
        "above what noise gains; BIC charges directions that no such truth shows"
    )
