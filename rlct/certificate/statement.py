"""Statements of a proof, and small checks on them.

A statement is a list of polynomials near the origin with a prior Π|x|^h; it asks for the pair
of K = Σ g² (an ideal) or of K = |g|.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, read_polynomial, value_at_origin, variables
from rlct.certificate.numbers.field import RealField, RealNumber
from rlct.certificate.numbers.univariate import sum_of_numbers
from rlct.errors import CertificateError
from rlct.pair import Pair

PairBounds = tuple[Pair, Pair | None]
Data = dict[str, Any]


@dataclass(frozen=True)
class Statement:
    """Polynomials in `width` variables, all zero at the origin, with prior exponents h ≥ 0.

    Their coefficients are in `field`, which is None for Q.
    """

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    is_ideal: bool
    field: RealField | None = None

    @property
    def width(self) -> int:
        """Number of variables."""
        return len(self.prior)

    def polynomial(self, data: Any) -> Poly:
        """Read a polynomial in the variables of the statement, over its field."""
        return read_polynomial(data, self.width, self.field)


#: A rule takes the statement, its evidence and a function that solves the n-th child.
SolveChild = Callable[[Statement], PairBounds]
Rule = Callable[[Statement, Data, SolveChild], PairBounds]


def need(condition: bool, message: str) -> None:
    """Raise unless the condition holds."""
    if not condition:
        raise CertificateError(message)


def read_index(value: Any, size: int, message: str, first: int = 0) -> int:
    """Read an index of the evidence, from `first` on; Python itself takes −1 and True too."""
    if type(value) is not int or not first <= value < size:
        raise CertificateError(message)
    return value


def read_indices(values: Any, size: int, message: str) -> list[int]:
    """Read a list of such indices."""
    need(isinstance(values, list), message)
    return [read_index(value, size, message) for value in values]


def ideal_of(statement: Statement, generators: list[Poly]) -> Statement:
    """Ideal of other generators, zero ones dropped, with the same prior."""
    cost.charge(10 * sum(map(len, generators)), "the generators of an ideal")
    nonzero = tuple(g for g in generators if g)
    need(bool(nonzero), "no generator is left")
    need(not any(value_at_origin(g) for g in nonzero), "a generator does not vanish at the origin")
    return Statement(nonzero, statement.prior, True, statement.field)


def restricted_to_group(
    statement: Statement, generators: list[Poly], group: list[int]
) -> Statement:
    """Statement on some of the variables, which are all that the generators use."""
    need(
        variables(generators) <= set(group) and group == sorted(set(group)),
        "a part uses variables outside its group",
    )
    moved = tuple({tuple(m[i] for i in group): c for m, c in g.items()} for g in generators)
    need(bool(moved) and not any(value_at_origin(g) for g in moved), "a part does not vanish")
    prior = tuple(statement.prior[i] for i in group)
    return Statement(moved, prior, statement.is_ideal, statement.field)


def sum_of(results: Sequence[PairBounds]) -> PairBounds:
    """Bounds of a sum of ideals in separate variables; none above if a part has none."""
    sums: list[Pair | None] = []
    for pairs in zip(*results, strict=True):
        known_pairs = [pair for pair in pairs if pair is not None]
        sum_of_numbers(pair.lam for pair in known_pairs)  # states the cost
        sums.append(Pair.sum(known_pairs) if len(known_pairs) == len(results) else None)
    lower, upper = sums
    assert lower is not None
    return lower, upper


def product_of(results: Sequence[PairBounds]) -> PairBounds:
    """Bounds of a product in separate variables; a part without one above does not matter."""
    (lower, upper), *others = results
    for low, high in others:
        lower = lower * low
        upper = high if upper is None else upper if high is None else upper * high
    return lower, upper


def disjoint_groups(width: int, data: Data) -> list[list[int]]:
    """Groups of variables of the evidence, checked to be disjoint."""
    listed_groups, message = data.get("groups"), "the groups of variables are not disjoint"
    need(isinstance(listed_groups, list), message)
    groups = [read_indices(group, width, message) for group in listed_groups or []]
    flat = [i for group in groups for i in group]
    need(bool(flat) and len(set(flat)) == len(flat), message)
    return groups


def by_group(generators: Sequence[Poly], groups: list[list[int]], width: int) -> list[list[Poly]]:
    """Generators by the group that holds all their variables below `width`."""
    home = {i: k for k, group in enumerate(groups) for i in group}
    parts: list[list[Poly]] = [[] for _ in groups]
    for g in generators:
        groups_met = {home.get(i) for i in variables([g]) if i < width}
        need(len(groups_met) == 1 and None not in groups_met, "sum: a generator meets two groups")
        parts[groups_met.pop() or 0].append(g)
    return parts


def linear_parts(statement: Statement, columns: list[int]) -> list[list[RealNumber]]:
    """Coefficients of the chosen variables in the generators: their differentials at 0."""
    steps = cost.of_table(statement.width, len(columns) + len(statement.generators), 2)
    cost.charge(steps + 5 * len(columns) * len(statement.generators), "differentials")
    units = [tuple(int(i == j) for j in range(statement.width)) for i in columns]
    return [[g.get(unit, Fraction(0)) for unit in units] for g in statement.generators]
