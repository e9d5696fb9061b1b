"""Linear programmes in a cone of weights, exactly, with multipliers that prove the value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from rlct.newton.simplex import Dictionary

Row = Sequence[int]


@dataclass(frozen=True)
class Multipliers:
    """Multipliers of rows by their index; what is not there is 0."""

    #: Of the constraints w·α (+ v) ≥ 1: positive.
    terms: Mapping[int, Fraction] = field(default_factory=dict)
    #: Of the rows of the cone, where only those of ``positive`` must be positive.
    positive: Mapping[int, Fraction] = field(default_factory=dict)
    zero: Mapping[int, Fraction] = field(default_factory=dict)


class ConeProgramme:
    """Minimise w·costs + Σ v over weights w ≥ 0 with p·w ≥ 0, z·w = 0, and v ≥ 0.

    For the terms α with an index in `vanishing_terms` w·α + v ≥ 1, each with a v of its own;
    w·α ≥ 1 for the others.  Solved as its dual, which the multipliers of the rows solve.

    The costs are positive.  ``value`` is None if only w = 0 is in the cone.

    The cone w₀ = w₁, and a generator with the term x² that may vanish:

    >>> programme = ConeProgramme([Fraction(1)] * 2, [(2, 0)], [0], [], [(1, -1)])
    >>> programme.value, programme.weight()
    (Fraction(1, 1), [Fraction(1, 2), Fraction(1, 2), Fraction(0, 1)])
    """

    def __init__(
        self,
        costs: Sequence[Fraction],
        terms: Sequence[Row],
        vanishing_terms: Sequence[int],
        positive_rows: Sequence[Row],
        zero_rows: Sequence[Row],
    ) -> None:
        self._sizes = len(terms), len(positive_rows), len(zero_rows)
        self._scale = lcm(*(c.denominator for c in costs))
        self._height = len(costs) + len(vanishing_terms)
        blank = [0] * len(vanishing_terms)
        columns = [[*a, *(int(k == i) for i in vanishing_terms)] for k, a in enumerate(terms)]
        columns += [[*row, *blank] for row in positive_rows]
        for row in zero_rows:
            columns += [[*row, *blank], [*(-x for x in row), *blank]]
        right = [int(c * self._scale) for c in costs] + [self._scale] * len(vanishing_terms)
        self._table = Dictionary(
            np.array(columns, dtype=object).T,
            np.array(right, dtype=object),
            np.array([int(k < len(terms)) for k in range(len(columns))], dtype=object),
            range(self._height),
            range(self._height, self._height + len(columns)),
        )
        self._column = self._table.maximise()
        bottom = self._table.denominator * self._scale
        total = Fraction(int(self._table.table[-1, -1]), bottom)
        self.value = total if self._column is None else None

    def weight(self) -> list[Fraction]:
        """An optimal (w, v)."""
        weights = [Fraction(0)] * self._height
        for k, label in enumerate(self._table.nonbasic):
            if label < self._height:
                weights[label] = Fraction(int(self._table.table[-1, k]), self._table.denominator)
        return weights

    def multipliers(self, least_value: Fraction) -> Multipliers:
        """An optimal solution of the dual with as many positive entries as possible.

        If the value is infinite, one of value `least_value` at least.
        """
        if self._column is not None:
            solution, ray = self._here(), self._ray(self._column)
            start, end = self._height, self._height + self._sizes[0]
            step = least_value * self._scale / sum(ray[start:end])
            return self._read([x + step * y for x, y in zip(solution, ray, strict=True)])
        table = self._table
        flat = (table.table[-1, :-1] == 0).nonzero()[0].tolist()
        table.table = np.hstack([table.table[:, flat], table.table[:, -1:]])
        table.nonbasic = [table.nonbasic[k] for k in flat]
        counted = {*table.basic, *table.nonbasic}
        counted -= set(range(self._height + self._sizes[0] + self._sizes[1], self._all))
        solutions = [self._here()]
        while missing := {k for k in counted if not any(s[k] for s in solutions)}:
            table.seek(missing)
            column = table.maximise()
            solution = self._here()
            if column is not None:
                solution = [x + y for x, y in zip(solution, self._ray(column), strict=True)]
            if not any(solution[k] for k in missing):
                break
            solutions.append(solution)
        return self._read(
            [sum(c, Fraction(0)) / len(solutions) for c in zip(*solutions, strict=True)]
        )

    @property
    def _all(self) -> int:
        return self._height + sum(self._sizes) + self._sizes[2]

    def _here(self) -> list[Fraction]:
        """The current solution, by label: slacks first."""
        found = [Fraction(0)] * self._all
        for label, value in zip(self._table.basic, self._table.table[:-1, -1], strict=True):
            found[label] = Fraction(int(value), self._table.denominator)
        return found

    def _ray(self, column: int) -> list[Fraction]:
        ray = [Fraction(0)] * self._all
        ray[self._table.nonbasic[column]] = Fraction(1)
        for label, slope in zip(self._table.basic, self._table.table[:-1, column], strict=True):
            ray[label] = Fraction(-int(slope), self._table.denominator)
        return ray

    def _read(self, solution: Sequence[Fraction]) -> Multipliers:
        terms, positive, zero = self._sizes
        values = [x / self._scale for x in solution[self._height :]]
        first, last = terms, terms + positive
        pairs = [(values[last + 2 * k], values[last + 2 * k + 1]) for k in range(zero)]
        return Multipliers(
            {k: y for k, y in enumerate(values[:first]) if y},
            {k: y for k, y in enumerate(values[first:last]) if y},
            {k: y - x for k, (y, x) in enumerate(pairs) if y != x},
        )


def interior_weight(
    width: int, positive_rows: Sequence[Row], zero_rows: Sequence[Row]
) -> list[int] | Multipliers:
    """Find a weight w > 0 with p·w > 0 and z·w = 0, or multipliers that show that there is none.

    The latter have Σ β·p + Σ γ·z ≤ 0 with some β > 0 or an entry below 0.

    >>> interior_weight(2, [(1, -1)], []), interior_weight(2, [(1, -1)], [(1, -2)])
    ([2, 1], [2, 1])
    >>> interior_weight(2, [(1, -1)], [(2, -1)]).positive
    {0: Fraction(2, 3)}
    """
    # Sum of the β and of the entries of −(Σ β·p + Σ γ·z), at most 1: positive if that is possible.
    columns = [list(row) for row in positive_rows]
    for row in zero_rows:
        columns += [list(row), [-x for x in row]]
    if not columns:
        return [1] * width
    gains = [int(k < len(positive_rows)) - sum(c) for k, c in enumerate(columns)]
    table = Dictionary(
        np.array([[*c, g] for c, g in zip(columns, gains, strict=True)], dtype=object).T,
        np.array([*[0] * width, 1], dtype=object),
        np.array(gains, dtype=object),
        range(width + 1),
        range(width + 1, width + 1 + len(columns)),
    )
    table.maximise()
    if table.table[-1, -1]:
        values = [
            Fraction(table.value(width + 1 + k), table.denominator) for k in range(len(columns))
        ]
        last = len(positive_rows)
        pairs = [(values[last + 2 * k], values[last + 2 * k + 1]) for k in range(len(zero_rows))]
        return Multipliers(
            {},
            {k: y for k, y in enumerate(values[:last]) if y},
            {k: y - x for k, (y, x) in enumerate(pairs) if y != x},
        )
    # The multipliers π of the first rows have p·(π + 1) ≥ 1 and z·(π + 1) = 0.
    weight = [table.denominator] * width
    for k, label in enumerate(table.nonbasic):
        if label < width:
            weight[label] += int(table.table[-1, k])
    common = gcd(*weight)
    return [x // common for x in weight]
