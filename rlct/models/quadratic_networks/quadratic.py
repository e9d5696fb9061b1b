"""Quadratic networks f_k(x) = Σ_j v_kj (w_j·x + b_j)² + c_k at a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError
from rlct.models.quadratic_networks.quadratic_features import (
    QuadraticFeatures,
    monomial_pairs,
    plain_number,
    square_terms,
)
from rlct.models.quadratic_networks.rank_bounds import largest_rank, weight_count

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

Number = int | Fraction
Matrix = tuple[tuple[Fraction, ...], ...]
_MOST_TERMS: Final = 20_000  # terms of all generators
_MOST_ENTRIES: Final = 400_000  # of the Jacobian


@dataclass(frozen=True)
class QuadraticNetwork:
    """The question K = E|f − f*|² at given weights, f* being the network with these weights.

    Parameters
    ----------
    hidden : rows of numbers
        W: one row per unit, one column per input, and a last one for the biases b_j if the
        inputs are seen with a bias.  Exact numbers.
    outer : rows of numbers
        V: one row per output, one column per unit.
    law : QuadraticFeatures
        The inputs.  Output biases c_k are parameters if it has biases; their true value does
        not matter.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Notes
    -----
    K lies between two multiples of Σ g², where the g are what the inputs determine of the
    coefficients of f − f*: only exact ranks of the inputs enter.

    Examples
    --------
    >>> law = QuadraticFeatures.density(2)
    >>> QuadraticNetwork([[1, 0], [1, 1]], [[1, 2]], law).rank
    3
    """

    where: ClassVar[str] = "at the given weights"

    hidden: Matrix
    outer: Matrix
    law: QuadraticFeatures

    def __post_init__(self) -> None:
        """Normalise the numbers and refuse shapes that do not fit."""
        hidden = tuple(tuple(map(Fraction, row)) for row in self.hidden)
        outer = tuple(tuple(map(Fraction, row)) for row in self.outer)
        width = self.law.inputs + self.law.bias
        if not hidden or any(len(row) != width for row in hidden):
            what = f"{width} weights" + ", the last its bias" * self.law.bias
            raise InputError(f"every hidden unit needs {what}")
        if not outer or any(len(row) != len(hidden) for row in outer):
            raise InputError(f"every output needs {len(hidden)} weights, one per hidden unit")
        object.__setattr__(self, "hidden", hidden)
        object.__setattr__(self, "outer", outer)

    @property
    def units(self) -> int:
        """K."""
        return len(self.hidden)

    @property
    def outputs(self) -> int:
        """P."""
        return len(self.outer)

    @cached_property
    def reduced(self) -> tuple[tuple[Number, ...], ...]:
        """Weights of the units on the coordinates z of the inputs."""
        return tuple(self.law.reduce(row) for row in self.hidden)

    def vector(self, unit: int) -> tuple[Number, ...]:
        """Outer weights of a unit, one per output."""
        return tuple(plain_number(row[unit]) for row in self.outer)

    def only(self, units: Sequence[int]) -> QuadraticNetwork:
        """Restrict to some of the units."""
        hidden = tuple(self.hidden[j] for j in units)
        return QuadraticNetwork(
            hidden, tuple(tuple(row[j] for j in units) for row in self.outer), self.law
        )

    @cached_property
    def jacobian(self) -> list[list[Number]]:
        """Derivatives of what the inputs determine: one row per parameter.

        Rows are the weights and the outer weights of each unit in turn, then the output
        biases; columns are outputs × independent features.  InputError if the table would be too
        large for exact arithmetic.
        """
        width = self.outputs * self.law.count
        height = self.units * (self.law.dimension + self.outputs)
        if width * height > _MOST_ENTRIES:
            raise InputError(
                f"a Jacobian of {height} by {width} entries is too large for an exact rank"
            )
        rows: list[list[Number]] = []
        for j, w in enumerate(self.reduced):
            v = self.vector(j)
            for a in range(len(w)):
                change = self.law.features(_derivative(w, a))
                rows.append([vk * value for vk in v for value in change])
            rows += self._outputs(self.law.features(square_terms(w)))
        if self.law.constant_rank:
            rows += self._outputs(list(self.law.constant))
        return rows

    def _outputs(self, feature: Sequence[Number]) -> list[list[Number]]:
        """One row per output, with the feature in its block."""
        zero: list[Number] = [0] * len(feature)
        return [
            [value for i in range(self.outputs) for value in (feature if i == k else zero)]
            for k in range(self.outputs)
        ]

    @cached_property
    def rank(self) -> int:
        """Exact rank of the Jacobian at the weights."""
        return matrix_rank(self.jacobian, self._most_rank)

    @property
    def _most_rank(self) -> int:
        """Upper bound of the rank: what units of one direction w, and all active units, can add.

        Units with one w add w² with any outputs, and (w·z)z_a with outputs in the span of their v.
        """
        output_biases = self.outputs * self.law.constant_rank
        groups: dict[tuple[Number, ...], list[tuple[Number, ...]]] = {}
        for j, w in enumerate(self.reduced):
            scale = next((x for x in w if x), 0)
            if scale:
                direction = tuple(Fraction(x) / scale for x in w)
                groups.setdefault(direction, []).append(self.vector(j))
        by_direction = sum(
            self.outputs + matrix_rank(vectors) * (self.law.dimension - 1)
            for vectors in groups.values()
        )
        active = sum(any(v) for vectors in groups.values() for v in vectors)
        largest = largest_rank(active, self.outputs, self.law)[0] if active else output_biases
        silent = sum(not any(v) for vectors in groups.values() for v in vectors)
        return min(by_direction + output_biases, largest + silent * self.outputs)

    @property
    def parameter_count(self) -> int:
        """Number of parameters, including weights that the inputs never see."""
        return weight_count(self.units, self.outputs, self.law)

    @property
    def parameters(self) -> int:
        """Number of parameters of `problem`."""
        biases = self.outputs * self.law.constant_rank
        return self.units * (self.law.dimension + self.outputs) + biases

    def problem(self) -> Problem:
        """Return the polynomial question, in the coordinates that the inputs determine.

        Variables are ``w2_1`` (unit 2, coordinate 1), ``v1_2`` (output 1, unit 2) and ``c1``.
        InputError if the polynomials are too large to be of use.
        """
        from rlct.questions.problem import Problem  # imports sympy

        pairs = monomial_pairs(self.law.dimension)
        count = self.outputs * self.law.count
        if count * self.units * len(pairs) > _MOST_TERMS:
            raise InputError(f"more than {_MOST_TERMS} terms are too many to write out")
        at = {f"c{k + 1}": Fraction(0) for k in range(self.outputs * self.law.constant_rank)}
        for j, w in enumerate(self.reduced):
            at |= {f"w{j + 1}_{a + 1}": Fraction(value) for a, value in enumerate(w)}
            at |= {f"v{k + 1}_{j + 1}": row[j] for k, row in enumerate(self.outer)}
        texts = list(self._texts())
        used = {name: str(value) for name, value in at.items() if any(name in t for t in texts)}
        about = f"quadratic network of {self.units} units on {self.law.text}"
        return Problem.ideal(texts, used, provenance=about)

    def _texts(self) -> Iterator[str]:
        pairs = monomial_pairs(self.law.dimension)
        size = len(pairs)
        rows = self.law.forms
        if rows is None:
            rows = tuple(tuple(int(i == j) for j in range(size)) for i in range(size))
        squares = [self.law.features(square_terms(w)) for w in self.reduced]
        for k in range(self.outputs):
            for t, row in enumerate(rows):
                terms = []
                for (a, b), coefficient in zip(pairs, row, strict=True):
                    factor = coefficient * (1 if a == b else 2)
                    if factor:
                        terms += [
                            f"({factor})*v{k + 1}_{j}*w{j}_{a + 1}*w{j}_{b + 1}"
                            for j in range(1, self.units + 1)
                        ]
                true = sum(
                    (self.outer[k][j] * squares[j][t] for j in range(self.units)), Fraction(0)
                )
                if self.law.constant_rank and self.law.constant[t]:
                    terms.append(f"({self.law.constant[t]})*c{k + 1}")
                yield f"{' + '.join(terms)} - ({true})"


def _derivative(w: Sequence[Number], a: int) -> list[Number]:
    """Coefficients of 2 (w·z) z_a."""
    return [
        2 * w[i] if i == j == a else 2 * (w[j] if i == a else w[i]) if a in (i, j) else 0
        for i, j in monomial_pairs(len(w))
    ]
