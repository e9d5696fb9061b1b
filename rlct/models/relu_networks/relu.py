"""ReLU networks f(x) = Σ_j v_j ReLU(w_j·x + b_j) + c with one hidden layer, at given weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rlct.algebra.exact_rank import dot_product, matrix_rank
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

Matrix = tuple[tuple[Fraction, ...], ...]
_MOST_TERMS: Final = 20_000  # terms of all generators
_MOST_ENTRIES: Final = 1_000_000  # of the Jacobian


@dataclass(frozen=True)
class Group:
    """Hidden units that are active on the same inputs: a two-layer linear network there."""

    #: Their numbers, from 0.
    units: tuple[int, ...]
    #: Dimension of the span of the active inputs (x, 1).
    seen: int
    #: Ranks of W, V and VW on that span.
    inner: int
    outer: int
    product: int


@dataclass(frozen=True)
class ReluNetwork:
    """The question K = E|f − f*|² near given weights, f* being the network with these weights.

    Parameters
    ----------
    hidden : rows of numbers
        W: one row per unit, one column per input and a last one for b_j if ``bias``.  Exact.
    outer : rows of numbers
        V: one row per output, one column per unit.
    data : rows of numbers or None
        The inputs, if they are finitely many, all with positive weight.
    box : rows of two numbers or None
        One interval (low, high) per input, if the inputs have a density there that lies between
        positive constants.
    bias : bool
        Whether units have biases.
    output_bias : bool
        Whether outputs have biases c_k, which are parameters then; their true value does not
        matter.

    Raises
    ------
    InputError
        If the shapes do not fit, or not exactly one of data and box is given.

    Examples
    --------
    >>> net = ReluNetwork(((1, 0), (1, 0)), ((1, 1),), data=((-1,), (1,), (2,)))
    >>> net.groups
    (Group(units=(0, 1), seen=2, inner=1, outer=1, product=1),)
    """

    where: ClassVar[str] = "at the given weights"
    #: Bounds of λ that hold at the parameter which is sampled.
    bounds_on_trial: ClassVar[tuple[str, ...]] = ("lower", "upper")

    hidden: Matrix
    outer: Matrix
    data: Matrix | None = None
    box: Matrix | None = None
    bias: bool = True
    output_bias: bool = False

    def __post_init__(self) -> None:
        """Normalise the numbers and refuse shapes that do not fit."""
        for name in ("hidden", "outer", "data", "box"):
            rows = getattr(self, name)
            if rows is not None:
                exact = tuple(tuple(map(Fraction, row)) for row in rows)
                object.__setattr__(self, name, exact)
        if (self.data is None) == (self.box is None):
            raise InputError("a ReLU network needs either data or the box of a density")
        inputs = len(self.data[0]) if self.data else len(self.box or ())
        if not inputs or any(len(row) != inputs for row in self.data or ()):
            raise InputError("the inputs must be rows of the same positive length")
        if any(len(row) != 2 or row[0] >= row[1] for row in self.box or ()):
            raise InputError("a box has one interval low < high per input")
        if not self.hidden or any(len(row) != inputs + self.bias for row in self.hidden):
            what = f"{inputs} weight{'s' * (inputs > 1)}" + " and a bias" * self.bias
            raise InputError(f"{inputs} inputs: every hidden unit needs {what}")
        if not self.outer or any(len(row) != self.units for row in self.outer):
            raise InputError(f"every output needs {self.units} weights, one per hidden unit")
        size = len(self.data or ()) * self.parameter_count * self.outputs
        if size > _MOST_ENTRIES:
            raise InputError(f"a Jacobian of {size} entries is too large for an exact rank")

    @property
    def units(self) -> int:
        """Number of hidden units."""
        return len(self.hidden)

    @property
    def outputs(self) -> int:
        """Number of outputs, p."""
        return len(self.outer)

    @property
    def width(self) -> int:
        """Weights of a hidden unit, with its bias: D."""
        return len(self.hidden[0])

    @property
    def parameter_count(self) -> int:
        """Number of parameters."""
        return self.units * (self.width + self.outputs) + self.outputs * self.output_bias

    @cached_property
    def inputs(self) -> Matrix:
        """The data as rows z = (x, 1), without the 1 if there is no bias."""
        last = (Fraction(1),) * self.bias
        return tuple((*row, *last) for row in self.data or ())

    def vector(self, unit: int) -> tuple[Fraction, ...]:
        """Outer weights of a unit, one per output."""
        return tuple(row[unit] for row in self.outer)

    @cached_property
    def signs(self) -> tuple[tuple[int, ...], ...]:
        """Sign of each hidden unit's w·x + b on each input: one row per unit."""
        return tuple(tuple(_sign(dot_product(w, z)) for z in self.inputs) for w in self.hidden)

    @cached_property
    def on_boundary(self) -> tuple[int, ...]:
        """Numbers of the inputs on which some unit is exactly 0."""
        return tuple(n for n in range(len(self.inputs)) if any(row[n] == 0 for row in self.signs))

    def without_boundary(self) -> ReluNetwork | None:
        """Drop the inputs on boundaries; None if no other is left."""
        dropped = set(self.on_boundary)
        data = tuple(x for n, x in enumerate(self.data or ()) if n not in dropped)
        if not data:
            return None
        return ReluNetwork(self.hidden, self.outer, data, None, self.bias, self.output_bias)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Units by the inputs on which they are active; units without any are in none."""
        units_by_signs: dict[tuple[int, ...], list[int]] = {}
        for j, row in enumerate(self.signs):
            if any(sign > 0 for sign in row):
                units_by_signs.setdefault(row, []).append(j)
        return tuple(
            self.group(units, [z for z, sign in zip(self.inputs, row, strict=True) if sign > 0])
            for row, units in units_by_signs.items()
        )

    def group(self, units: Sequence[int], inputs: Sequence[Sequence[Fraction]]) -> Group:
        """Measure the two-layer network of some units on some inputs z."""
        values = [[dot_product(self.hidden[j], z) for z in inputs] for j in units]
        outer = [[row[j] for j in units] for row in self.outer]
        product = [
            [dot_product(row, column) for column in zip(*values, strict=True)] for row in outer
        ]
        return Group(
            tuple(units),
            matrix_rank(inputs),
            matrix_rank(values),
            matrix_rank(outer),
            matrix_rank(product),
        )

    @cached_property
    def told_apart(self) -> tuple[int, int]:
        """Rank of the inputs of all groups side by side, and the sum of their ranks.

        With output biases the constant counts as one more group.
        """
        rows = self.beside
        rank = matrix_rank(rows) if rows and rows[0] else 0
        return rank, sum(group.seen for group in self.groups) + self.output_bias

    @property
    def beside(self) -> list[list[Fraction]]:
        """Inputs of all groups side by side: one row per input, 0 where a group is inactive."""
        rows = []
        for n, z in enumerate(self.inputs):
            row = [Fraction(1)] * self.output_bias
            for group in self.groups:
                active = self.signs[group.units[0]][n] > 0
                row += z if active else [Fraction(0)] * len(z)
            rows.append(row)
        return rows

    @cached_property
    def rank(self) -> int:
        """Exact rank of the derivative on the data, where no input is on a boundary."""
        return matrix_rank(self.jacobian)

    @property
    def jacobian(self) -> list[list[Fraction]]:
        """Derivatives of the outputs on the data: one row per parameter."""
        rows: list[list[Fraction]] = []
        nothing = (Fraction(0),) * self.width
        for j, w in enumerate(self.hidden):
            signed_inputs = zip(self.inputs, self.signs[j], strict=True)
            active = [z if sign > 0 else nothing for z, sign in signed_inputs]
            for i in range(self.width):
                rows.append([vk * z[i] for vk in self.vector(j) for z in active])
            rows += self._outputs([dot_product(w, z) for z in active])
        if self.output_bias:
            rows += self._outputs([Fraction(1)] * len(self.inputs))
        return rows

    def _outputs(self, feature: list[Fraction]) -> list[list[Fraction]]:
        zero = [Fraction(0)] * len(feature)
        return [
            [value for i in range(self.outputs) for value in (feature if i == k else zero)]
            for k in range(self.outputs)
        ]

    def problem(self) -> Problem:
        """Return the polynomial question on the data: f − f* on each input and output.

        Variables are ``w2_1`` (unit 2, input 1), ``b2``, ``v1_2`` (output 1, unit 2) and ``c1``.
        InputError if the inputs have a density, one lies on a boundary, or nothing can be learned.
        """
        from rlct.questions.problem import Problem  # imports sympy

        if self.data is None:
            raise InputError("with a density K is no polynomial: give data")
        if self.on_boundary:
            x = ", ".join(map(str, self.data[self.on_boundary[0]]))
            raise InputError(f"the input ({x}) lies on a boundary: K is no polynomial near there")
        if len(self.inputs) * self.outputs * self.units * self.width > _MOST_TERMS:
            raise InputError(f"more than {_MOST_TERMS} terms are too many to write out")
        texts = [text for text in self._texts() if text]
        if not texts:
            raise InputError("no unit is active on any input: K is 0")
        at = {f"c{k}": "0" for k in range(1, self.outputs + 1) if self.output_bias}
        for group in self.groups:
            for j in group.units:
                at |= {self._weight(j, i): str(w) for i, w in enumerate(self.hidden[j])}
                at |= {f"v{k + 1}_{j + 1}": str(v) for k, v in enumerate(self.vector(j))}
        used = set(re.findall(r"[bcvw]\d[\d_]*", " ".join(texts)))
        at = {name: value for name, value in at.items() if name in used}
        about = f"ReLU network of {self.units} units on {len(self.inputs)} inputs"
        return Problem.ideal(texts, at, provenance=about)

    def _weight(self, unit: int, i: int) -> str:
        is_bias = self.bias and i == self.width - 1
        return f"b{unit + 1}" if is_bias else f"w{unit + 1}_{i + 1}"

    def _texts(self) -> Iterator[str]:
        for n, z in enumerate(self.inputs):
            for k in range(self.outputs):
                terms, true_value = [], Fraction(0)
                for j, w in enumerate(self.hidden):
                    if self.signs[j][n] <= 0:
                        continue
                    terms += [
                        f"({value})*{self._weight(j, i)}*v{k + 1}_{j + 1}"
                        for i, value in enumerate(z)
                        if value
                    ]
                    true_value += self.outer[k][j] * dot_product(w, z)
                if self.output_bias:
                    terms.append(f"c{k + 1}")
                yield f"{' + '.join(terms)} - ({true_value})" if terms else ""


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


_TWO_UNITS: Final[dict[str, Any]] = {"hidden": [[1, 0], [1, 0]], "outer": [["1/2", "1/2"]]}
#: Arguments of `ReluNetwork` by name.  Two units that share the boundary x = 0 at s = ½.
EXAMPLE_NETWORKS: Final[dict[str, dict[str, Any]]] = {
    "two-units-data": {**_TWO_UNITS, "data": [[-1], ["-1/2"], ["1/2"], [1]]},
    "two-units-density": {**_TWO_UNITS, "box": [[-1, 1]]},
}
