"""All parameters of a ReLU network that have the same values on finitely many inputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Final

from rlct.algebra.exact_rank import dot_product, matrix_rank, reduced_echelon, row_basis
from rlct.errors import InputError
from rlct.models.kit.dichotomies import dichotomies
from rlct.models.relu_networks.relu import ReluNetwork
from rlct.models.relu_networks.relu_minimum import ReluMinimum

Vector = tuple[Fraction, ...]
Sets = tuple[frozenset[int], ...]
Units = list[tuple[Vector, Fraction]]  # weights and outer weight
_MOST_TRIED: Final = 4000  # collections of sets of inputs


@dataclass(frozen=True)
class _Search:
    """Least dimension of the collections tried, the least that exists, with its units."""

    least: int | None
    reached: int | None
    units: tuple[tuple[Vector, Fraction], ...]
    complete: bool = True


@dataclass(frozen=True)
class ReluDataFibre(ReluMinimum):
    """The question of the least λ over all parameters with the values of a ReLU network on data.

    InputError if the inputs have a density, or the values are 0.

    Units that are active on the set S of inputs write the vectors (a·z_n for n in S, else 0).  A
    parameter has a collection of such sets; the derivative there has at least the dimension of
    what they write together, and that holds the true values (theory page *relu-data-fibre*).

    >>> two = ReluNetwork(((1, 0), (-1, 0)), ((1, 1),), data=((-2,), (-1,), (1,), (2,)))
    >>> ReluDataFibre(two).search.least, ReluDataFibre(two).search.reached
    (4, 4)
    """

    where: ClassVar[str] = "minimum over all parameters with the same values on the data"

    def __post_init__(self) -> None:
        """Refuse what is not covered."""
        super().__post_init__()
        if self.network.data is None:
            raise InputError("the inputs have a density: there are no data")
        if not any(any(row) for row in self.values) and not self.network.output_bias:
            raise InputError("the function is 0 on the data: K is 0 near some of its parameters")

    @cached_property
    def seen(self) -> tuple[Vector, ...]:
        """The inputs z that a unit can see: not 0, each once."""
        return tuple(dict.fromkeys(z for z in self.network.inputs if any(z)))

    @property
    def _zero(self) -> bool:
        """Whether an input 0 shows the output bias, and nothing else."""
        return self.network.output_bias and not all(map(any, self.network.inputs))

    @cached_property
    def inputs(self) -> tuple[Vector, ...]:
        """What `seen` holds, and last the input 0 if it matters."""
        zero = (Fraction(0),) * self.network.width
        return (*self.seen, zero) if self._zero else self.seen

    @cached_property
    def values(self) -> tuple[Vector, ...]:
        """True values on `inputs`, without the output biases: one row per output."""
        hidden = [
            [max(dot_product(w, z), Fraction(0)) for w in self.network.hidden] for z in self.inputs
        ]
        return tuple(
            tuple(dot_product(row, units) for units in hidden) for row in self.network.outer
        )

    @cached_property
    def _visible(self) -> dict[frozenset[int], Vector]:
        """Sets of inputs on which a unit can be active, with weights; the empty one too."""
        return dichotomies(self.seen)

    @cached_property
    def search(self) -> _Search:
        """Least dimension for one output; for several, the largest of what each of them needs."""
        if self.network.outputs == 1:
            return self._tried()
        net, output_searches = self.network, []
        for row, values in zip(net.outer, self.values, strict=True):
            if any(values) or net.output_bias:
                one_output = ReluNetwork(
                    net.hidden, (row,), net.data, None, net.bias, net.output_bias
                )
                output_searches.append(ReluDataFibre(one_output, self.units).search)
        least_dimensions = [part.least for part in output_searches if part.least is not None]
        least = max(least_dimensions) if len(least_dimensions) == len(output_searches) else None
        return _Search(least, None, (), all(part.complete for part in output_searches))

    def _tried(self) -> _Search:
        """Try collections of sets in the order of their number, the dimension bounded."""
        constant_rows = [[Fraction(1)] * len(self.inputs)] * self.network.output_bias
        units = self._own()
        reached_dimension = self._dimension(units) if units else None
        try:
            order = sorted((s for s in self._visible if s), key=lambda s: (len(s), sorted(s)))
        except InputError:
            return _Search(None, reached_dimension, tuple(units), complete=False)
        written_rows = [self._written(chosen) for chosen in order]
        least_dimension, tried_count = reached_dimension, 0
        level: list[tuple[int, Sets, list[list[Fraction]]]] = [(-1, (), constant_rows)]
        while level:
            next_level = []
            for last_index, chosen_sets, rows in level:
                if self._holds(rows):
                    least_dimension = (
                        len(rows) if least_dimension is None else min(least_dimension, len(rows))
                    )
                    realised_units = self._realised(chosen_sets)
                    if realised_units is not None and (
                        reached_dimension is None or len(rows) < reached_dimension
                    ):
                        reached_dimension, units = len(rows), realised_units
                        continue
                if len(chosen_sets) < self.size:
                    tried_count += len(order) - last_index
                    if tried_count > _MOST_TRIED:
                        return _Search(None, reached_dimension, tuple(units), complete=False)
                    for k in range(last_index + 1, len(order)):
                        longer_rows = _basis([*rows, *written_rows[k]])
                        if len(longer_rows) > len(rows) and (
                            reached_dimension is None or len(longer_rows) < reached_dimension
                        ):
                            next_level.append((k, (*chosen_sets, order[k]), longer_rows))
            level = next_level
        return _Search(least_dimension, reached_dimension, tuple(units))

    def example(self) -> ReluNetwork | None:
        """Return a parameter with the true values where λ is half of `search.reached`."""
        units = list(self.search.units)
        if not units:
            return None
        (w, v), spare = units[-1], self.size - len(units) + 1
        units[-1:] = [(w, v / spare)] * spare
        net = self.network
        hidden, outer = tuple(w for w, _ in units), tuple(v for _, v in units)
        pairs = zip(net.data or (), net.inputs, strict=True)
        data = tuple(x for x, z in pairs if self._zero or any(z))
        return ReluNetwork(hidden, (outer,), data, None, net.bias, net.output_bias)

    def _written(self, chosen: frozenset[int]) -> list[list[Fraction]]:
        columns = zip(*self.inputs, strict=True)
        return _basis(
            [[x if i in chosen else Fraction(0) for i, x in enumerate(c)] for c in columns]
        )

    def _holds(self, rows: list[list[Fraction]]) -> bool:
        return bool(rows) and matrix_rank([*rows, self.values[0]]) == len(rows)

    def _own(self) -> Units:
        """Units of the network that count, if no input is on a boundary of them."""
        pairs = zip(self.network.hidden, self.network.outer[0], strict=True)
        units = [(w, v) for w, v in pairs if v and any(dot_product(w, z) >= 0 for z in self.seen)]
        clear = all(dot_product(w, z) for w, _ in units for z in self.seen)
        return units if clear and len(units) <= self.size else []

    def _dimension(self, units: Units) -> int:
        """Dimension of what the units and the output bias write."""
        rows = [[Fraction(1)] * len(self.inputs)] * self.network.output_bias
        for w, _ in units:
            rows += self._written(
                frozenset(i for i, z in enumerate(self.inputs) if dot_product(w, z) > 0)
            )
        return matrix_rank(rows)

    def _realised(self, sets: Sets) -> Units | None:
        """Units active on these sets with the true values; None if too many are needed."""
        units: Units = []
        for chosen, a in zip(sets, self._parts(sets), strict=True):
            units += self._units(chosen, a)
        if not units and frozenset() in self._visible:
            units = [(self._visible[frozenset()], Fraction(1))]
        return units if 0 < len(units) <= self.size else None

    def _parts(self, sets: Sets) -> list[Vector]:
        """One a for each set with Σ (a·z_n for n in the set) + constant = the true values."""
        width, bias = len(self.inputs[0]), self.network.output_bias
        equations = [
            [
                *(x if n in chosen else Fraction(0) for chosen in sets for x in z),
                *[Fraction(1)] * bias,
                self.values[0][n],
            ]
            for n, z in enumerate(self.inputs)
        ]
        solved, pivots = reduced_echelon(equations)
        whole = [Fraction(0)] * (len(sets) * width + bias)
        for row, pivot in zip(solved, pivots, strict=True):
            whole[pivot] = row[-1]
        return [tuple(whole[k * width : (k + 1) * width]) for k in range(len(sets))]

    def _units(self, active_inputs: frozenset[int], a: Vector) -> Units:
        """One unit, or two of different signs, active on a set, that write a·z there."""
        inside = [dot_product(a, self.inputs[i]) for i in sorted(active_inputs)]
        if not any(inside):
            return []
        w = self._visible[active_inputs]
        sign = Fraction(1 if inside[0] > 0 else -1)
        if all(sign * value > 0 for value in inside):
            here = [self.inputs[i] for i in sorted(active_inputs)]
            if matrix_rank(here) == 1:
                scale = abs(inside[0]) / dot_product(w, here[0])
                return [(tuple(scale * x for x in w), sign)]
            outside = [z for i, z in enumerate(self.seen) if i not in active_inputs]
            if all(sign * dot_product(a, z) < 0 for z in outside):
                return [(tuple(sign * x for x in a), sign)]
        # Large multiples of w keep their signs when a is added.
        large = 1 + max(abs(dot_product(a, z) / dot_product(w, z)) for z in self.seen)
        one = tuple(large * x + y for x, y in zip(w, a, strict=True))
        return [(one, Fraction(1)), (tuple(large * x for x in w), Fraction(-1))]


def _basis(rows: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    return [list(map(Fraction, row)) for row in row_basis(rows)]
