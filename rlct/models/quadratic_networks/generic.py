"""Quadratic networks at a generic parameter: bounds of the rank that meet when it is proved."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.errors import InputError
from rlct.models.quadratic_networks.quadratic import QuadraticNetwork
from rlct.models.quadratic_networks.quadratic_features import QuadraticFeatures
from rlct.models.quadratic_networks.rank_bounds import largest_rank, weight_count

_MOST_ENTRIES: Final = 400_000  # of the Jacobian at a random point
_RANDOM_POINTS: Final = 2  # random points tried
_ENTRY_SIZE: Final = 10**6  # of their entries
_WEIGHT_SETS: Final = 30  # sets of small weights tried
_MOST_WRITTEN: Final = 60_000  # entries of a Jacobian that goes into a certificate


@dataclass(frozen=True)
class RankBounds:
    """Proved bounds of the generic rank, with their reasons."""

    lower: int
    upper: int
    lower_rule: str
    upper_rule: str


@dataclass(frozen=True)
class QuadraticArchitecture:
    """The question of a quadratic network at a generic parameter.

    Parameters
    ----------
    units, outputs : int
        K and p, positive.
    law : QuadraticFeatures
        The inputs.

    Raises
    ------
    InputError
        If there are no units or outputs.

    Examples
    --------
    >>> net = QuadraticArchitecture(5, 3, QuadraticFeatures.density(4))
    >>> net.rank.lower, net.rank.upper
    (29, 29)
    """

    where: ClassVar[str] = "at a generic parameter: all but a set of measure zero"

    units: int
    outputs: int
    law: QuadraticFeatures

    def __post_init__(self) -> None:
        """Refuse empty networks."""
        if self.units < 1 or self.outputs < 1:
            raise InputError("units and outputs must be positive")

    def sample(self, seed: int = 0, size: int = _ENTRY_SIZE) -> QuadraticNetwork:
        """Take weights at random, integers from 1 to `size`."""
        generator = random.Random(seed)
        width = self.law.inputs + self.law.bias
        hidden = [[generator.randint(1, size) for _ in range(width)] for _ in range(self.units)]
        outer = [[generator.randint(1, size) for _ in range(self.units)] for _ in self._outputs]
        return QuadraticNetwork(hidden, outer, self.law)  # type: ignore[arg-type]

    @property
    def _outputs(self) -> range:
        return range(self.outputs)

    @cached_property
    def rank(self) -> RankBounds:
        """Bounds of the largest rank of the Jacobian, which is its rank at a generic parameter."""
        upper, upper_rule = self.upper
        lower, lower_rule = self._known()
        if lower < upper and self._entries <= _MOST_ENTRIES:
            for seed in range(_RANDOM_POINTS):
                found = rank_modulo_prime(self.sample(seed).jacobian)
                if found > lower:
                    lower = found
                    lower_rule = f"rank {found} modulo 2^31 − 1 at a random point, seed {seed}"
                if lower == upper:
                    break
        return RankBounds(lower, upper, lower_rule, upper_rule)

    @property
    def _entries(self) -> int:
        directions = self.units * (self.law.dimension + self.outputs)
        return directions * self.outputs * self.law.count

    @property
    def parameter_count(self) -> int:
        """Number of parameters, including weights that the inputs never see."""
        return weight_count(self.units, self.outputs, self.law)

    @property
    def parameters(self) -> int:
        """Number of parameters that the inputs see."""
        biases = self.outputs * self.law.constant_rank
        return self.units * (self.law.dimension + self.outputs) + biases

    @property
    def upper(self) -> tuple[int, str]:
        """Upper bound of the rank at any parameter, and its rule."""
        return largest_rank(self.units, self.outputs, self.law)

    def _known(self) -> tuple[int, str]:
        """Lower bound without computation; ``theory/quadratic-generic.md`` proves each."""
        law, p, K = self.law, self.outputs, self.units
        if law.count <= K:
            return p * law.count, "generic squares (w·x)² span all quadratic functions"
        density = law.forms is None and not law.group
        lower_bounds = [(0, "none")]
        if density:
            lower_bounds.append(self._independent())
        if not law.bias and (density or law.group):
            few, more = divmod(K, p)  # units of most outputs, outputs with one more
            rank = sum(
                outputs * min(law.count, self._seen(units) + K - units)
                for outputs, units in ((p - more, few), (more, few + 1))
            )
            lower_bounds.append((rank, f"{K} units that each serve one of {p} outputs"))
        return max(lower_bounds)

    def _independent(self) -> tuple[int, str]:
        """Rank with linearly independent w_j where the inputs determine every quadratic form."""
        bias, p = self.law.bias, self.outputs
        d = self.law.dimension - bias  # less than the inputs if they span less
        units = min(self.units, d)
        if p == 1:
            rank = units * (2 * d - units + 1) // 2 + (units + 1) * bias
        else:
            rank = units * (d + p - 1) + (units + p) * bias
        return rank, f"{units} units with linearly independent weights"

    def _seen(self, units: int) -> int:
        """Lower bound of the dimension of Σ (w_j·z)(u_j·z) over all u, for so many generic w_j."""
        d = self.law.dimension
        if self.law.group:
            return d + units - 1 if units else 0
        units = min(units, d)
        return units * (2 * d - units + 1) // 2

    def example(self) -> QuadraticNetwork | None:
        """Return weights, small integers, where the rank is the generic one; None if unproved."""
        if self.rank.lower < self.rank.upper or self._entries > _MOST_ENTRIES:
            return None
        for seed in range(_WEIGHT_SETS):
            found = self.sample(seed, 2 + seed // 5)
            if rank_modulo_prime(found.jacobian) == self.rank.lower:
                return found
        return None

    def witness(self) -> QuadraticNetwork | None:
        """Return integer weights where the rank is the generic one; None if too large or open."""
        if self.rank.lower < self.rank.upper or self._entries > _MOST_WRITTEN:
            return None
        samples = (self.sample(seed) for seed in range(_RANDOM_POINTS))
        reached = (net for net in samples if rank_modulo_prime(net.jacobian) == self.rank.lower)
        return self.example() or next(reached, None)
