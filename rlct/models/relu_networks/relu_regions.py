"""ReLU networks on a box: how the boundaries of the hidden units cut it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from typing import Final

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError
from rlct.models.relu_networks.relu import ReluNetwork

_MOST_SHARING: Final = 14  # units of one boundary: their 2^14 subsets are tried


@dataclass(frozen=True)
class Boundary:
    """A hyperplane through the box with the units whose boundary it is."""

    #: Units that are active on one side, and on the other.
    sides: tuple[tuple[int, ...], tuple[int, ...]]
    #: s_j = v_j |w_j|/|ω| of the units of both sides in turn: how much the slope of f jumps, in
    #: units of the hyperplane's own form ω.
    jumps: tuple[tuple[Fraction, ...], ...]

    def ranks(self) -> tuple[int, int]:
        """Rank of the outer weights of each side."""
        first = len(self.sides[0])
        parts = (self.jumps[:first], self.jumps[first:])
        return matrix_rank(parts[0]) if parts[0] else 0, matrix_rank(parts[1]) if parts[1] else 0

    def full(self) -> bool:
        """Whether both ranks are as large as they can be."""
        p = len(self.jumps[0])
        return all(r == min(p, len(side)) for r, side in zip(self.ranks(), self.sides, strict=True))

    def may_cancel(self, tolerance: float = 0.0) -> bool:
        """Whether the jumps of some of the units add up to 0, or are too many to try.

        With a tolerance, to less than it times the largest entry.
        """
        cancel_limit = Fraction(tolerance) * max(abs(s) for jump in self.jumps for s in jump)
        for column in zip(*self.jumps, strict=True):
            if min(column) > cancel_limit or max(column) < -cancel_limit:
                return False
        if len(self.jumps) > _MOST_SHARING:
            return True
        subsets = chain.from_iterable(
            combinations(self.jumps, size) for size in range(1, len(self.jumps) + 1)
        )
        return any(
            all(abs(sum(column, Fraction(0))) <= cancel_limit for column in zip(*some, strict=True))
            for some in subsets
        )


@dataclass(frozen=True)
class Regions:
    """What the units do on the box."""

    #: The hyperplanes that cross the interior of the box.
    boundaries: tuple[Boundary, ...]
    #: Units that are positive on the closed box, also at all weights nearby; without biases the
    #: input 0, where every unit vanishes, does not count.
    everywhere: tuple[int, ...]
    #: Units that vanish somewhere on the closed box but nowhere inside, or everywhere.
    edge: tuple[int, ...]
    #: Whether K vanishes on no open set of weights next to the given ones.
    learns: bool

    @property
    def two_sided(self) -> int:
        """Number of boundaries with units of both orientations."""
        return sum(all(boundary.sides) for boundary in self.boundaries)


def regions(network: ReluNetwork) -> Regions:
    """Sort the units of a network whose inputs have a density on a box.

    >>> net = ReluNetwork(((1, 0), (-2, 0), (1, 2)), ((1, 1, 1),), box=((-1, 1),))
    >>> found = regions(net)
    >>> found.boundaries[0].sides, found.everywhere
    (((0,), (1,)), (2,))
    """
    assert network.box is not None
    active_everywhere, edge = [], []
    learns_outputs = network.output_bias
    crossing_units: dict[tuple[Fraction, ...], tuple[list[int], list[int]]] = {}
    for j, w in enumerate(network.hidden):
        lower, upper = range_on_box(network, w)
        if lower > 0 or (lower == 0 and _only_at_origin(network, w)):
            active_everywhere.append(j)
        elif lower < 0 < upper:
            scale = next(value for value in w if value)
            form = tuple(value / scale for value in w)
            crossing_units.setdefault(form, ([], []))[scale < 0].append(j)
        elif not (lower < 0 and upper < 0):
            edge.append(j)
        learns_outputs |= upper > 0 or (upper == 0 and _spans_line(network))
    boundaries = []
    for sides in crossing_units.values():
        units = [*sides[0], *sides[1]]
        jumps = [_jump(network, j) for j in units]
        boundaries.append(Boundary((tuple(sides[0]), tuple(sides[1])), tuple(jumps)))
    return Regions(tuple(boundaries), tuple(active_everywhere), tuple(edge), learns_outputs)


def _spans_line(network: ReluNetwork) -> bool:
    """Whether no w is negative on the whole box: without biases it holds a line through 0."""
    box = network.box or ()
    around = all(low <= 0 <= high for low, high in box)
    return not network.bias and around and any(low < 0 < high for low, high in box)


def _only_at_origin(network: ReluNetwork, w: Sequence[Fraction]) -> bool:
    """Whether a unit ≥ 0 without bias vanishes at the input 0 only: it stays linear nearby."""
    ends = zip(w, network.box or (), strict=False)
    return not network.bias and all(w) and all(min(x * a for a in row) == 0 for x, row in ends)


def range_on_box(network: ReluNetwork, w: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Least and greatest value of a unit on the box."""
    assert network.box is not None
    low = high = w[-1] if network.bias else Fraction(0)
    for value, ends in zip(w, network.box, strict=False):
        products = sorted(value * end for end in ends)
        low, high = low + products[0], high + products[1]
    return low, high


def _jump(network: ReluNetwork, unit: int) -> tuple[Fraction, ...]:
    size = abs(next(value for value in network.hidden[unit] if value))
    return tuple(v * size for v in network.vector(unit))


@lru_cache(maxsize=64)
def on_sampled_inputs(network: ReluNetwork) -> ReluNetwork:
    """Put the network on finitely many inputs inside the box, off all boundaries.

    There are enough for most networks.  Any choice is sound: K is at least a constant times its sum
    over such inputs, since f − f* is linear near each of them.  InputError if every input that was
    tried lies on a boundary.
    """
    assert network.box is not None
    draw = random.Random(0)
    count = min(400, 20 * network.units * network.width)
    points = tuple(
        tuple(
            low + (high - low) * Fraction(draw.randrange(1, 997), 997) for low, high in network.box
        )
        for _ in range(count)
    )
    bias, output_bias = network.bias, network.output_bias
    whole = ReluNetwork(network.hidden, network.outer, points, None, bias, output_bias)
    inside = whole.without_boundary()
    if inside is None:
        raise InputError("every input that was tried lies on a boundary")
    return inside
