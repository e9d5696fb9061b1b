"""All parameters of a ReLU network with one hidden layer that give the same function."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Final

from rlct.errors import InputError
from rlct.models.relu import ReluNetwork
from rlct.models.relu_minimum import ReluMinimum
from rlct.models.relu_regions import regions

__all__ = ["ReluFibre"]

Vector = tuple[Fraction, ...]
_MOST_FLIPPED: Final = 14


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
        """Rank that the derivative has at least, at every parameter of the function."""
        net = self.network
        return len(self.bends) * (net.width + net.outputs - 1) + net.outputs * net.output_bias

    @cached_property
    def minimal(self) -> ReluNetwork | None:
        """A network with one unit for each bend and the same function; None if there is none.

        ReLU(−ω) = ReLU(ω) − ω: a bend may be made by either orientation, and these have to
        make up the affine rest.
        """
        flips = self._flips()
        if flips is None or not self.bends:
            return None
        hidden = [
            tuple(-value if flipped else value for value in form)
            for (form, _), flipped in zip(self.bends, flips, strict=True)
        ]
        outer = tuple(zip(*(jump for _, jump in self.bends), strict=True))
        net = self.network
        return ReluNetwork(tuple(hidden), outer, None, net.box, net.bias, net.output_bias)

    @property
    def decided(self) -> bool:
        """Whether all orientations can be tried."""
        return len(self.bends) <= _MOST_FLIPPED

    @property
    def _seen(self) -> int:
        """Coefficients of an affine function that output biases cannot make up for."""
        return self.network.width - (self.network.bias and self.network.output_bias)

    def _flips(self) -> tuple[bool, ...] | None:
        """Which bends take −ω so that no affine function is left over."""
        rest = self._affine()
        if not self.decided:
            return None
        for flips in product((False, True), repeat=len(self.bends)):
            left = dict(rest)
            for (form, jump), flipped in zip(self.bends, flips, strict=True):
                for k, s in enumerate(jump):
                    for i, value in enumerate(form[: self._seen]):
                        left[k, i] = left.get((k, i), Fraction(0)) + (s * value if flipped else 0)
            if not any(left.values()):
                return flips
        return None

    def _affine(self) -> dict[tuple[int, int], Fraction]:
        """What f is beyond Σ s ReLU(ω), by output and input; constants count without c."""
        net, cut = self.network, regions(self.network)
        rest: dict[tuple[int, int], Fraction] = {}
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
            for k, v in enumerate(net.vector(j)):
                for i, w in enumerate(net.hidden[j][: self._seen]):
                    rest[k, i] = rest.get((k, i), Fraction(0)) + v * w
        return rest

    def example(self) -> ReluNetwork | None:
        """Return the minimal network with spare units that are inactive on the whole box."""
        net, found = self.network, self.minimal
        spare = self.size - len(self.bends)
        if found is None or spare < 0 or (spare and not net.bias):
            return None
        dead = (*(Fraction(0) for _ in range(net.width - 1)), Fraction(-1))
        outer = tuple((*row, *(Fraction(0) for _ in range(spare))) for row in found.outer)
        hidden = (*found.hidden, *(dead for _ in range(spare)))
        return ReluNetwork(hidden, outer, None, net.box, net.bias, net.output_bias)


def _form(weights: Vector) -> Vector:
    scale = next(value for value in weights if value)
    return tuple(value / scale for value in weights)
