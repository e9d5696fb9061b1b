"""All parameters of a ReLU network with one hidden layer that give the same function."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from rlct.algebra.exact_rank import rank
from rlct.errors import InputError
from rlct.models.relu import ReluNetwork
from rlct.models.relu_minimum import ReluMinimum
from rlct.models.relu_regions import range_on_box, regions

__all__ = ["ReluFibre"]

Vector = tuple[Fraction, ...]
Units = list[tuple[Vector, Vector]]  # weights and outer weights
_MOST_FLIPPED: Final = 14  # kinks, each with two orientations: 2^14 functions


@dataclass(frozen=True)
class ReluFibre(ReluMinimum):
    """The question of the least λ over all parameters of the function of a ReLU network.

    Parameters
    ----------
    network : ReluNetwork
        Any parameter of the true function, on inputs with a density.
    units : int or None
        Number of hidden units of the model; by default as many as `network` has.

    Raises
    ------
    InputError
        If the inputs are data.

    Examples
    --------
    >>> two = ReluNetwork(((1, 0), (1, 0)), (("1/2", "1/2"),), box=((-1, 1),))
    >>> len(ReluFibre(two).bends), ReluFibre(two).minimal.units
    (1, 1)
    """

    def __post_init__(self) -> None:
        """Refuse what has no density."""
        super().__post_init__()
        if self.network.box is None:
            raise InputError("the minimum over all parameters is known for a density only")

    @property
    def where(self) -> str:
        """At which parameter λ is asked, in words."""
        return "minimum over all parameters of the same function"

    @cached_property
    def bends(self) -> tuple[tuple[Vector, Vector], ...]:
        """Hyperplanes ω = 0 through the box where the slope jumps by s·ω, as (ω, s)."""
        found = []
        for boundary in regions(self.network).boundaries:
            unit = next(j for side in boundary.sides for j in side)
            jump = tuple(sum(column, Fraction(0)) for column in zip(*boundary.jumps, strict=True))
            if any(jump):
                found.append((_form(self.network.hidden[unit]), jump))
        return tuple(found)

    @property
    def equations(self) -> int:
        """Rank that the derivative has at least, at every parameter of the function.

        One unit is needed for each bend, and one more if these cannot be all.
        """
        net = self.network
        one, constant = net.width + net.outputs - 1, net.bias and net.output_bias
        found = len(self.bends) * one + net.outputs * net.output_bias
        return found + (one - constant if self.decided and not self._enough else 0)

    @cached_property
    def minimal(self) -> ReluNetwork | None:
        """A network with the same function where the rank is `equations`; None if none is known.

        ReLU(−ω) = ReLU(ω) − ω: a bend may be made by either orientation.  What is left over is
        an affine function: 0, or one unit that is positive on the whole box, or a second unit at
        a bend; for one output also two units that are positive on the whole box.
        """
        if not self.decided:
            return None
        written = [self._written(flips) for flips in self._complete[:1] or self._rests]
        return min(filter(None, written), key=lambda net: net.units, default=None)

    @property
    def decided(self) -> bool:
        """Whether all orientations can be tried."""
        return len(self.bends) <= _MOST_FLIPPED

    @property
    def _seen(self) -> int:
        """Coefficients of an affine function that output biases cannot make up for."""
        return self.network.width - (self.network.bias and self.network.output_bias)

    @cached_property
    def _rests(self) -> dict[tuple[bool, ...], list[list[Fraction]]]:
        """What f is beyond its bends, given which of them take −ω: one row per output."""
        found: dict[tuple[bool, ...], list[list[Fraction]]] = {(): self._affine}
        for form, jump in self.bends:
            turned = {}
            for flips, rest in found.items():
                turned[*flips, False] = rest
                turned[*flips, True] = [
                    [x + s * w for x, w in zip(row, form, strict=True)]
                    for row, s in zip(rest, jump, strict=True)
                ]
            found = turned
        return found

    @cached_property
    def _complete(self) -> list[tuple[bool, ...]]:
        """Orientations with which one unit for each bend is enough: no others need fewer."""
        return [flips for flips, rest in self._rests.items() if not self._visible(rest)]

    @property
    def _enough(self) -> bool:
        return bool(self._complete)

    @property
    def constant(self) -> bool:
        """Whether the function is constant on the box, 0 if there are no output biases."""
        return not self.bends and self._enough

    def _visible(self, rest: list[list[Fraction]]) -> int:
        """Rank of an affine function, constants not counted if outputs have biases."""
        seen = [row[: self._seen] for row in rest]
        return rank(seen) if any(map(any, seen)) else 0

    def _more(self, flips: tuple[bool, ...]) -> Units | None:
        """Units for what is left over; None if there are none for which λ is known."""
        net, rest = self.network, self._rests[flips]
        size = self._visible(rest)
        if size == 0:
            return []
        if size > 1:
            return None
        row = next(row for row in rest if any(row[: self._seen]))
        at = next(i for i, value in enumerate(row) if value)
        outer = tuple(other[at] / row[at] for other in rest)
        if net.bias and net.output_bias:
            row = [*row[:-1], Fraction(0)]
            row[-1] = 1 - range_on_box(net, row)[0]
            return [(tuple(row), outer)]
        low, high = range_on_box(net, row)
        if low >= 0 or high <= 0:
            sign = 1 if low >= 0 else -1
            return [(tuple(sign * x for x in row), tuple(sign * v for v in outer))]
        if any(rank([row, form]) == 1 for form, _ in self.bends):
            # ω = ReLU(ω) − ReLU(−ω), at a bend that has either unit already.
            return [(tuple(row), outer), (tuple(-x for x in row), tuple(-v for v in outer))]
        if net.outputs == 1 and net.bias:
            constant = (*(Fraction(0) for _ in row[:-1]), 1 - low)
            lifted = (*row[:-1], row[-1] + 1 - low)
            return [(lifted, outer), (constant, tuple(-v for v in outer))]
        return None

    def _written(self, flips: tuple[bool, ...]) -> ReluNetwork | None:
        """Write the function with these orientations, if it has as few units as are known."""
        more = self._more(flips)
        if more is None:
            return None
        units: dict[Vector, Vector] = {}
        bends = [
            (tuple(-value if flipped else value for value in form), jump)
            for (form, jump), flipped in zip(self.bends, flips, strict=True)
        ]
        for form, jump in [*bends, *more]:
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
        net, cut = self.network, regions(self.network)
        rest = [[Fraction(0)] * net.width for _ in range(net.outputs)]
        linear = list(cut.everywhere)
        for j in cut.edge:
            # Positive inside, or negative there, or 0.
            middle = [(low + high) / 2 for low, high in net.box or ()] + [Fraction(1)] * net.bias
            inside = sum(w * x for w, x in zip(net.hidden[j], middle, strict=True))
            linear += [j] if inside > 0 else []
        for boundary in cut.boundaries:
            # ReLU(−tω) = t ReLU(ω) − tω for the units of the other side.
            linear += boundary.sides[1]
        for j in linear:
            for row, v in zip(rest, net.vector(j), strict=True):
                row[:] = [x + v * w for x, w in zip(row, net.hidden[j], strict=True)]
        return rest

    def example(self) -> ReluNetwork | None:
        """Return the minimal network with spare units that are inactive on the whole box."""
        net, found = self.network, self.minimal
        if found is None:
            return None
        spare = self.size - found.units
        if spare < 0 or (spare and not net.bias):
            return None
        dead = (*(Fraction(0) for _ in range(net.width - 1)), Fraction(-1))
        outer = tuple((*row, *(Fraction(0) for _ in range(spare))) for row in found.outer)
        hidden = (*found.hidden, *(dead for _ in range(spare)))
        return ReluNetwork(hidden, outer, None, net.box, net.bias, net.output_bias)


def _form(weights: Vector) -> Vector:
    scale = next(value for value in weights if value)
    return tuple(value / scale for value in weights)
