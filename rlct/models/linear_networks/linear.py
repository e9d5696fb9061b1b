"""Linear networks of any depth: widths and a true rank, to the polynomials of the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, ClassVar, Final

from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

# Beyond this the polynomials are for no engine; the closed form answers at any size.
MAX_TERMS: Final = 20_000
MAX_VARIABLES: Final = 1_000  # weights that are written out

Monomial = tuple[tuple[int, int], ...]
Terms = dict[Monomial, int]


@dataclass(frozen=True)
class LinearNetwork:
    """The question y = A_L⋯A_1 x (+ biases) with a true map of given rank.

    Parameters
    ----------
    widths : sequence of int
        Positive layer widths from input to output; L + 1 of them for L layers.
    rank : int
        Rank of the true map on the span of the inputs.
    bias : bool
        Whether every layer has a free bias vector.
    input_rank : int or None
        Rank of the second moment of the inputs; None if it is the input width.

    Raises
    ------
    InputError
        If no network of these widths has such a true map.

    Examples
    --------
    >>> net = LinearNetwork([1, 2, 1], rank=0)
    >>> net.dimension, net.texts()
    (4, ['a2_1_1*a1_1_1 + a2_1_2*a1_2_1'])
    """

    where: ClassVar[str] = "minimum over the fibre of the true map, reached at A_j = diag(I_r, 0)"

    widths: tuple[int, ...]
    rank: int
    bias: bool = False
    input_rank: int | None = None

    def __post_init__(self) -> None:
        """Normalise the numbers and refuse impossible networks."""
        widths = _integers("widths", self.widths)
        rank = _integers("rank", [self.rank])[0]
        if len(widths) < 2:
            raise InputError(f"a network needs at least two widths, not {len(widths)}")
        if min(widths) < 1:
            raise InputError(f"widths must be positive, not {min(widths)}")
        if self.input_rank is not None:
            seen = _integers("input_rank", [self.input_rank])[0]
            if not 1 <= seen <= widths[0]:
                raise InputError(f"input_rank {seen} is not between 1 and the width {widths[0]}")
            object.__setattr__(self, "input_rank", seen)
        if rank < 0:
            raise InputError(f"the rank must be at least 0, not {rank}")
        object.__setattr__(self, "widths", widths)
        object.__setattr__(self, "rank", rank)
        smallest = min(self.effective_widths)
        if rank > smallest:
            raise InputError(
                f"rank {rank} exceeds the smallest width {smallest}: "
                f"a product of these layers has rank at most {smallest}"
            )

    @property
    def effective_widths(self) -> tuple[int, ...]:
        """Widths with the input width replaced by the rank of the inputs."""
        seen = self.input_rank
        return self.widths if seen is None else (seen, *self.widths[1:])

    @property
    def dimension(self) -> int:
        """Number of parameters, including weights that the inputs never see."""
        return sum(after * (before + self.bias) for before, after in pairwise(self.widths))

    @property
    def parameter_count(self) -> int:
        """The same number, under the name that all models have for it."""
        return self.dimension

    @property
    def variables(self) -> tuple[str, ...]:
        """Names of the parameters of `terms`: ``a2_1_3`` is entry (1, 3) of A_2 − its centre."""
        names = []
        widths = self.effective_widths
        for layer, (columns, rows) in enumerate(pairwise(widths), 1):
            names += [f"a{layer}_{i}_{j}" for i in _upto(rows) for j in _upto(columns)]
            names += [f"b{layer}_{i}" for i in _upto(rows) if self.bias]
        return tuple(names)

    def terms(self) -> list[Terms]:
        """Expand the generators at the deepest parameter, moved to the origin.

        One per entry of A_L⋯A_1 − diag(I_r, 0), then one per total bias; each maps a monomial,
        pairs (position in `variables`, exponent), to its coefficient.  InputError if the
        polynomials are too large to be of use.
        """
        widths = self.effective_widths
        size = sum(m * n for m, n in pairwise(widths))
        if size > MAX_VARIABLES:
            raise InputError(f"{size} weights are too many to write out (limit {MAX_VARIABLES})")
        variable_index = {name: number for number, name in enumerate(self.variables)}
        product: list[list[Terms]] = []
        bias_terms: list[Terms] = []
        for layer, (columns, rows) in enumerate(pairwise(widths), 1):
            matrix = [
                [self._weight(variable_index[f"a{layer}_{i}_{j}"], i, j) for j in _upto(columns)]
                for i in _upto(rows)
            ]
            product = _multiply(matrix, product) if product else matrix
            if self.bias:
                bias_terms = [sum_ for (sum_,) in _multiply(matrix, [[s] for s in bias_terms])] or [
                    {} for _ in range(rows)
                ]
                for i in _upto(rows):
                    bias_terms[i - 1][((variable_index[f"b{layer}_{i}"], 1),)] = 1
            if sum(len(entry) for line in product for entry in line) > MAX_TERMS:
                raise InputError(f"more than {MAX_TERMS} terms are too many to write out")
        for i in range(self.rank):
            del product[i][i][()]
        return [entry for line in product for entry in line if entry] + bias_terms

    def generators(self) -> list[dict[tuple[int, ...], Fraction]]:
        """`terms` as exponent vectors over `variables`."""
        width = len(self.variables)
        return [
            {_exponents(monomial, width): Fraction(value) for monomial, value in entry.items()}
            for entry in self.terms()
        ]

    def texts(self) -> list[str]:
        """`terms` as expressions, for `Problem.ideal`."""
        # Every coefficient is one: see `_products`.
        return [
            " + ".join("*".join(self.variables[position] for position, _ in m) for m in entry)
            for entry in self.terms()
        ]

    def problem(self) -> Problem:
        """Return the polynomial question K = Σ generators² at the origin."""
        from rlct.questions.problem import Problem  # imports sympy

        widths = ",".join(map(str, self.effective_widths))
        about = f"linear network {widths} of rank {self.rank}" + " with biases" * self.bias
        return Problem.ideal(self.texts(), provenance=about)

    def _weight(self, position: int, i: int, j: int) -> Terms:
        centre: Terms = {(): 1} if i == j <= self.rank else {}
        return {**centre, ((position, 1),): 1}


def _integers(name: str, values: Sequence[object]) -> tuple[int, ...]:
    try:
        if isinstance(values, str) or any(isinstance(value, bool) for value in values):
            raise TypeError
        return tuple(index(value) for value in values)  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"{name} must be integers, not {values!r}"[:120]) from None


def _upto(count: int) -> range:
    return range(1, count + 1)


def _multiply(first: list[list[Terms]], second: list[list[Terms]]) -> list[list[Terms]]:
    if not second:
        return []
    return [[_entry(row, column) for column in zip(*second, strict=True)] for row in first]


def _entry(row: Sequence[Terms], column: Sequence[Terms]) -> Terms:
    total: Terms = {}
    for first, second in zip(row, column, strict=True):
        for monomial, value in _products(first, second):
            total[monomial] = total.get(monomial, 0) + value
    return total


def _products(first: Terms, second: Terms) -> Iterator[tuple[Monomial, int]]:
    # Layers share no variable, so exponents never add up and nothing cancels.
    for one, left in first.items():
        for two, right in second.items():
            yield one + two, left * right


def _exponents(monomial: Monomial, width: int) -> tuple[int, ...]:
    vector = [0] * width
    for position, exponent in monomial:
        vector[position] = exponent
    return tuple(vector)
