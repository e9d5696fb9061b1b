"""Linear networks at given weights: ranks of partial products, codimension of the fibre."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rlct.algebra.exact_rank import matrix_rank
from rlct.errors import InputError

if TYPE_CHECKING:
    from rlct.questions.problem import Problem

Matrix = tuple[tuple[Fraction, ...], ...]
Interval = tuple[int, int]
_MOST_TERMS: Final = 20_000  # terms of all entries of the product
_MOST_PATTERNS: Final = 100_000  # steps of the search through rank patterns
_MOST_STEPS: Final = 500_000  # multiplications of neighbouring layers


@dataclass(frozen=True)
class LinearPoint:
    """The question K = ‖A_L⋯A_1 − A_L*⋯A_1*‖² near the weights A*.

    Parameters
    ----------
    layers : sequence of matrices
        A_1*, …, A_L* with exact entries; A_1 acts on the inputs, one column per input.

    Raises
    ------
    InputError
        If the shapes do not compose or are too large for exact ranks.

    Examples
    --------
    >>> net = LinearPoint((((0, 0), (0, 0)), ((1, 0), (0, 0)), ((0, 0), (0, 0))))
    >>> net.widths, net.rank, net.codimension
    ((2, 2, 2, 2), 0, 3)
    """

    where: ClassVar[str] = "at the given weights"

    layers: tuple[Matrix, ...]

    def __post_init__(self) -> None:
        """Normalise the numbers and refuse shapes that do not compose."""
        layers = tuple(tuple(tuple(map(Fraction, row)) for row in a) for a in self.layers)
        object.__setattr__(self, "layers", layers)
        if not layers or any(not a or not a[0] or len({len(r) for r in a}) > 1 for a in layers):
            raise InputError("a linear network needs layers that are matrices")
        for number, (one, two) in enumerate(pairwise(layers), 1):
            if len(one) != len(two[0]):
                raise InputError(
                    f"layer {number} has {len(one)} rows, layer {number + 1} {len(two[0])} columns"
                )
        products = (prod(self.widths[k : k + 3]) for k in range(self.depth - 1))
        if sum(products) > _MOST_STEPS:
            raise InputError("the layers are too large for exact products")

    @property
    def widths(self) -> tuple[int, ...]:
        """From input to output."""
        return (len(self.layers[0][0]), *(len(a) for a in self.layers))

    @property
    def depth(self) -> int:
        """Number of layers L."""
        return len(self.layers)

    @property
    def parameter_count(self) -> int:
        """Number of weights."""
        return sum(a * b for a, b in pairwise(self.widths))

    @cached_property
    def ranks(self) -> dict[Interval, int]:
        """Ranks of A_j⋯A_{i+1} from layer of units i to j, i < j."""
        ranks = {(i, i + 1): matrix_rank(layer) for i, layer in enumerate(self.layers)}
        for i, product in enumerate(self.layers):
            for j in range(i + 1, self.depth):
                product = _times(self.layers[j], product)
                ranks[i, j + 1] = matrix_rank(product, min(ranks[i, j], ranks[j, j + 1]))
        return ranks

    @cached_property
    def rank(self) -> int:
        """Exact rank of the Jacobian of the product."""
        return derivative_rank(self.ranks, self.widths)

    @property
    def jacobian(self) -> list[list[Fraction]]:
        """Derivatives Σ B_jᵀ ⊗ C_j of the product, layer by layer: one row per weight."""
        below, above = [_identity(self.widths[0])], [_identity(self.widths[-1])]
        for a in self.layers[:-1]:
            below.append(_times(a, below[-1]))
        for a in reversed(self.layers[1:]):
            above.append(_times(above[-1], a))
        rows = []
        for before, after in zip(below, reversed(above), strict=True):
            for column in zip(*after, strict=True):
                for row in before:
                    rows.append([x * y for x in column for y in row])
        return rows

    @cached_property
    def codimension(self) -> int:
        """Least codimension of a part of the fibre that has the weights in its closure.

        If there are too many rank patterns only some are tried, and it is an upper bound.
        """
        full = self.ranks[0, self.depth]
        base = full * (self.widths[0] + self.widths[-1] - full)
        return base + min(_codimension(pattern) for pattern in self._patterns())

    def _patterns(self) -> Iterator[dict[Interval, int]]:
        """Yield multiplicities of intervals of patterns with ranks at least those here."""
        L, widths = self.depth, self.widths
        least_ranks = {**self.ranks, **{(i, i): w for i, w in enumerate(widths)}}
        keys = sorted(
            ((i, j) for i in range(L + 1) for j in range(i, L + 1)), key=lambda k: k[0] - k[1]
        )
        yield interval_multiplicities(least_ranks, L)
        count = 0

        def extend(
            key_index: int, pattern_ranks: dict[Interval, int]
        ) -> Iterator[dict[Interval, int]]:
            nonlocal count
            if count > _MOST_PATTERNS:
                return
            if key_index == len(keys):
                count += 1
                yield interval_multiplicities(pattern_ranks, L)
                return
            i, j = keys[key_index]
            # From long intervals to short: multiplicities of longer ones are known.
            inside = pattern_ranks.get((i - 1, j), 0) + pattern_ranks.get((i, j + 1), 0)
            lowest = max(least_ranks[i, j], inside - pattern_ranks.get((i - 1, j + 1), 0))
            highest = min(widths[i : j + 1])
            if (i, j) == (0, L):
                highest = least_ranks[i, j]
            if i == j:
                lowest, highest = max(lowest, widths[i]), widths[i]
            for value in range(lowest, highest + 1):
                count += 1
                yield from extend(key_index + 1, {**pattern_ranks, (i, j): value})

        yield from extend(0, {})

    def problem(self) -> Problem:
        """Return the polynomial question; ``a2_1_3`` is entry (1, 3) of A_2.

        InputError if the polynomials are too large to be of use.
        """
        from rlct.questions.problem import Problem  # imports sympy

        size = self.widths[0]
        for width in self.widths[1:]:
            size *= width
        if size > _MOST_TERMS:
            raise InputError(f"more than {_MOST_TERMS} terms are too many to write out")
        at: dict[str, str] = {}
        product: list[list[str]] = []
        true_map = _identity(self.widths[0])
        for number, a in enumerate(self.layers, 1):
            true_map = _times(a, true_map)
            names = [[f"a{number}_{i + 1}_{j + 1}" for j in range(len(r))] for i, r in enumerate(a)]
            for line, values in zip(names, a, strict=True):
                at |= {name: str(value) for name, value in zip(line, values, strict=True)}
            product = (
                [
                    [
                        "+".join(f"{x}*({y})" for x, y in zip(line, column, strict=True))
                        for column in zip(*product, strict=True)
                    ]
                    for line in names
                ]
                if product
                else names
            )
        texts = [
            f"{entry} - ({value})"
            for line, values in zip(product, true_map, strict=True)
            for entry, value in zip(line, values, strict=True)
        ]
        widths = ",".join(map(str, self.widths))
        return Problem.ideal(texts, at, provenance=f"linear network {widths} at given weights")


def read_layers(source: Any) -> tuple[tuple[Matrix, ...], bool]:
    """Read A_1, …, A_L from nested rows or their JSON text, and whether any entry was a float.

    >>> read_layers("[[[1, 2]], [[3]]]")[0][1]
    ((Fraction(3, 1),),)
    """
    from rlct.models.quadratic_networks.quadratic_reading import read_json, read_rows

    layers = read_json(source, "the weights") if isinstance(source, str) else source
    try:
        layers = list(layers)
    except TypeError:
        layers = []
    if not layers or isinstance(source, Mapping):
        raise InputError("the weights must be a list of matrices, A_1 first")
    matrices, floats = [], False
    for number, layer in enumerate(layers, 1):
        if isinstance(layer, str):
            raise InputError("the weights must be a list of matrices, A_1 first")
        rows, rounded = read_rows(f"layer {number}", layer)
        matrices.append(rows)
        floats |= rounded
    return tuple(matrices), floats


def _identity(size: int) -> Matrix:
    return tuple(tuple(Fraction(int(i == j)) for j in range(size)) for i in range(size))


def _times(a: Sequence[Sequence[Fraction]], b: Sequence[Sequence[Fraction]]) -> Matrix:
    columns = list(zip(*b, strict=True))
    return tuple(
        tuple(
            sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0))
            for column in columns
        )
        for row in a
    )


def derivative_rank(ranks: Mapping[Interval, int], widths: Sequence[int]) -> int:
    """Rank of the derivative of the product, from the ranks of partial products.

    Its image is Σ_j U_j ⊗ V_j over the layers, U_j the columns of A_L⋯A_{j+1} and V_j the rows of
    A_{j−1}⋯A_1.  The U_j grow with j and the V_j shrink: in bases adapted to both flags the sum is
    spanned by products of basis vectors, Σ_j (dim U_j − dim U_{j−1})·dim V_j of them.

    >>> derivative_rank({(0, 1): 1, (1, 2): 1, (0, 2): 0}, (2, 2, 2))
    3
    """
    depth = len(widths) - 1
    whole = {**ranks, (0, 0): widths[0], (depth, depth): widths[-1]}
    columns = [0, *(whole[j, depth] for j in range(1, depth + 1))]
    return sum((columns[j] - columns[j - 1]) * whole[0, j - 1] for j in range(1, depth + 1))


def interval_multiplicities(ranks: dict[Interval, int], depth: int) -> dict[Interval, int]:
    """How often each interval occurs in the sum of intervals with these ranks."""
    return {
        (i, j): ranks[i, j]
        - ranks.get((i - 1, j), 0)
        - ranks.get((i, j + 1), 0)
        + ranks.get((i - 1, j + 1), 0)
        for i in range(depth + 1)
        for j in range(i, depth + 1)
    }


def _codimension(intervals: dict[Interval, int]) -> int:
    """Codimension of the orbit: pairs of intervals with an extension between them."""
    return sum(
        m * n
        for (i, j), m in intervals.items()
        if m
        for (k, last), n in intervals.items()
        if n and i < k <= j + 1 <= last
    )
