"""All parameters of a ReLU network with one hidden layer that give the same function."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_minimum import ReluMinimum
from rlct.models.relu_networks.relu_regions import range_on_box, regions

Vector = tuple[Fraction, ...]
Units = list[tuple[Vector, Vector]]  # weights and outer weights
_MOST_FLIPPED: Final = 14  # kinks, each with two orientations: 2^14 functions


@dataclass(frozen=True)
class ReluFibre(ReluMinimum):
    """The question of the least λ over all parameters of the function of a ReLU network.

    InputError if the inputs are data.

    >>> two = ReluNetwork(((1, 0), (1, 0)), (("1/2", "1/2"),), box=((-1, 1),))
    >>> len(ReluFibre(two).kinks), ReluFibre(two).minimal.units
    (1, 1)
    """

    where: ClassVar[str] = "minimum over all parameters of the same function"

    def __post_init__(self) -> None:
        """Refuse what has no density."""
        super().__post_init__()
        if self.network.box is None:
            raise InputError("the minimum over all parameters is known for a density only")

    @cached_property
    def kinks(self) -> tuple[tuple[Vector, Vector], ...]:
        """Hyperplanes ω = 0 through the box where the slope jumps by s·ω, as (ω, s)."""
        kinks = []
        for boundary in regions(self.network).boundaries:
            unit = next(j for side in boundary.sides for j in side)
            jump = tuple(sum(column, Fraction(0)) for column in zip(*boundary.jumps, strict=True))
            if any(jump):
                kinks.append((_form(self.network.hidden[unit]), jump))
        return tuple(kinks)

    @property
    def equations(self) -> int:
        """Rank that the derivative has at least, at every parameter of the function.

        One unit is needed for each kink, and one more if these cannot be all.
        """
        net = self.network
        unit_rank, constant = net.width + net.outputs - 1, net.bias and net.output_bias
        rank = len(self.kinks) * unit_rank + net.outputs * net.output_bias
        return rank + (unit_rank - constant if self.decided and not self._enough else 0)

    @cached_property
    def minimal(self) -> ReluNetwork | None:
        """A network with the same function where the rank is `equations`; None if none is known.

        ReLU(−ω) = ReLU(ω) − ω: a kink may be made by either orientation.  What is left over is
        an affine function: 0, or one unit that is positive on the whole box, or a second unit at
        a kink; for one output also two units that are positive on the whole box.
        """
        if not self.decided:
            return None
        written = [self._written(flips) for flips in self._complete[:1] or self._affine_parts]
        return min(filter(None, written), key=lambda net: net.units, default=None)

    @property
    def decided(self) -> bool:
        """Whether all orientations can be tried."""
        return len(self.kinks) <= _MOST_FLIPPED

    @property
    def _seen(self) -> int:
        """Coefficients of an affine function that output biases cannot make up for."""
        return self.network.width - (self.network.bias and self.network.output_bias)

    @cached_property
    def _affine_parts(self) -> dict[tuple[bool, ...], list[list[Fraction]]]:
        """What f is beyond its kinks, given which of them take −ω: one row per output."""
        remainders: dict[tuple[bool, ...], list[list[Fraction]]] = {(): self._affine}
        for form, jump in self.kinks:
            turned = {}
            for flipped_kinks, remainder in remainders.items():
                turned[*flipped_kinks, False] = remainder
                turned[*flipped_kinks, True] = [
                    [x + s * w for x, w in zip(row, form, strict=True)]
                    for row, s in zip(remainder, jump, strict=True)
                ]
            remainders = turned
        return remainders

    @cached_property
    def _complete(self) -> list[tuple[bool, ...]]:
        """Orientations with which one unit for each kink is enough: no others need fewer."""
        return [flips for flips, affine in self._affine_parts.items() if not self._visible(affine)]

    @property
    def _enough(self) -> bool:
        return bool(self._complete)

    @property
    def constant(self) -> bool:
        """Whether the function is constant on the box, 0 if there are no output biases."""
        return not self.kinks and self._enough

    def _visible(self, remainder: list[list[Fraction]]) -> int:
        """Rank of an affine function, constants not counted if outputs have biases."""
        seen = [row[: self._seen] for row in remainder]
        return matrix_rank(seen) if any(map(any, seen)) else 0

    def _more(self, flipped_kinks: tuple[bool, ...]) -> Units | None:
        """Units for what is left over; None if there are none for which λ is known."""
        network, remainder = self.network, self._affine_parts[flipped_kinks]
        size = self._visible(remainder)
        if size == 0:
            return []
        if size > 1:
            return None
        row = next(row for row in remainder if any(row[: self._seen]))
        at = next(i for i, value in enumerate(row) if value)
        outer_weights = tuple(other[at] / row[at] for other in remainder)
        if network.bias and network.output_bias:
            row = [*row[:-1], Fraction(0)]
            row[-1] = 1 - range_on_box(network, row)[0]
            return [(tuple(row), outer_weights)]
        lower, upper = range_on_box(network, row)
        if lower >= 0 or upper <= 0:
            sign = 1 if lower >= 0 else -1
            return [(tuple(sign * x for x in row), tuple(sign * v for v in outer_weights))]
        if any(matrix_rank([row, form]) == 1 for form, _ in self.kinks):
            # ω = ReLU(ω) − ReLU(−ω), at a kink that has either unit already.
            return [
                (tuple(row), outer_weights),
                (tuple(-x for x in row), tuple(-v for v in outer_weights)),
            ]
        if network.outputs == 1 and network.bias:
            constant = (*(Fraction(0) for _ in row[:-1]), 1 - lower)
            lifted = (*row[:-1], row[-1] + 1 - lower)
            return [(lifted, outer_weights), (constant, tuple(-v for v in outer_weights))]
        return None

    def _written(self, flipped_kinks: tuple[bool, ...]) -> ReluNetwork | None:
        """Write the function with these orientations, if it has as few units as are known."""
        added_units = self._more(flipped_kinks)
        if added_units is None:
            return None
        units: dict[Vector, Vector] = {}
        kinks = [
            (tuple(-value if flipped else value for value in form), jump)
            for (form, jump), flipped in zip(self.kinks, flipped_kinks, strict=True)
        ]
        for form, jump in [*kinks, *added_units]:
            # Units of one boundary and orientation are one unit.
            scale = abs(next(value for value in form if value))
            key = tuple(value / scale for value in form)
            old = units.get(key, (Fraction(0),) * len(jump))
            units[key] = tuple(x + scale * s for x, s in zip(old, jump, strict=True))
        if not units:
            return None
        net, outer = self.network, tuple(zip(*units.values(), strict=True))
        return ReluNetwork(tuple(units), outer, None, net.box, net.bias, net.output_bias)

    @cached_property
    def _affine(self) -> list[list[Fraction]]:
        """What f is beyond Σ s ReLU(ω): one row per output."""
        network, box_regions = self.network, regions(self.network)
        affine_part = [[Fraction(0)] * network.width for _ in range(network.outputs)]
        linear_units = list(box_regions.everywhere)
        for j in box_regions.edge:
            # Positive inside, or negative there, or 0.
            middle = [(low + high) / 2 for low, high in network.box or ()]
            middle += [Fraction(1)] * network.bias
            inside = sum(w * x for w, x in zip(network.hidden[j], middle, strict=True))
            linear_units += [j] if inside > 0 else []
        for boundary in box_regions.boundaries:
            # ReLU(−tω) = t ReLU(ω) − tω for the units of the other side.
            linear_units += boundary.sides[1]
        for j in linear_units:
            for row, v in zip(affine_part, network.vector(j), strict=True):
                row[:] = [x + v * w for x, w in zip(row, network.hidden[j], strict=True)]
        return affine_part

    def example(self) -> ReluNetwork | None:
        """Return the minimal network with spare units that are inactive on the whole box."""
        network, minimal = self.network, self.minimal
        if minimal is None:
            return None
        spare = self.size - minimal.units
        if spare < 0 or (spare and not network.bias):
            return None
        dead = (*(Fraction(0) for _ in range(network.width - 1)), Fraction(-1))
        outer = tuple((*row, *(Fraction(0) for _ in range(spare))) for row in minimal.outer)
        hidden = (*minimal.hidden, *(dead for _ in range(spare)))
        return ReluNetwork(hidden, outer, None, network.box, network.bias, network.output_bias)


def _form(weights: Vector) -> Vector:
    scale = next(value for value in weights if value)
    return tuple(value / scale for value in weights)
