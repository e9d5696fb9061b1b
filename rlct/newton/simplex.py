"""An exact simplex method: integer dictionaries, Bland's rule."""

from collections.abc import Sequence
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[Any]
"""Array of Python integers (dtype ``object``) or of ``int64``."""

_DEGENERATE_PIVOTS = 12  # degenerate pivots by the steepest reduced cost before Bland's rule


def primitive_vector(vector: Integers) -> Integers:
    """Divide an integer vector, shape (n,), by the gcd of its entries."""
    divisor = gcd(*(int(entry) for entry in vector))
    return vector // divisor if divisor > 1 else vector


class Dictionary:
    """Maximise c·x over {x ≥ 0 : x_basic = b − matrix·x_nonbasic}, in integers.

    All entries share `denominator` (the determinant of the basis), so that every
    division in a pivot is exact (Edmonds 1967; Bareiss 1968) and no fraction is formed.

    Its arguments are the coefficients of the non-basic variables, the values of the basic ones, all
    ≥ 0, the objective on the non-basic ones, and labels of both: Bland's rule follows their order.

    Bland (1977), "New finite pivoting rules for the simplex method", Math. Oper. Res. 2.
    The steepest reduced cost is tried first; after a run of degenerate pivots Bland's rule
    is used until the objective moves, hence the method ends.

    Maximise y₀ + y₁ subject to 2 y₀ + y₁ ≤ 3 and y₁ ≤ 1: both are 1 = 2/2 at the end.

    >>> table = Dictionary(np.array([[2, 1], [0, 1]]), np.array([3, 1]), np.array([1, 1]),
    ...                    [0, 1], [2, 3])
    >>> table.maximise() is None, table.value(2), table.value(3), table.denominator
    (True, 2, 2, 2)
    """

    def __init__(
        self,
        matrix: Integers,
        right_side: Integers,
        objective: Integers,
        basic_labels: Sequence[int],
        nonbasic_labels: Sequence[int],
        denominator: int = 1,
    ) -> None:
        rows, columns = matrix.shape
        self.table: Integers = np.zeros((rows + 1, columns + 1), dtype=object)
        self.table[:-1, :-1] = matrix.astype(object)
        self.table[:-1, -1] = right_side.astype(object)
        self.table[-1, :-1] = -objective.astype(object)
        self.basic = list(basic_labels)
        self.nonbasic = list(nonbasic_labels)
        self.denominator = denominator

    def value(self, label: int) -> int:
        """Numerator over `denominator` of the variable `label` at the current vertex."""
        return int(self.table[self.basic.index(label), -1]) if label in self.basic else 0

    def pivot(self, i: int, k: int) -> None:
        """Exchange the basic variable of row i with the non-basic one of column k."""
        table, denominator = self.table, self.denominator
        pivot = table[i, k]
        row, column = table[i].copy(), table[:, k].copy()
        rows, columns = column.nonzero()[0][:, None], row.nonzero()[0]
        if pivot == denominator:  # most rows then stay as they are: touch only what changes
            table[rows, columns] -= column[rows] * row[columns] // denominator
        else:
            table *= pivot
            table[rows, columns] -= column[rows] * row[columns]
            table //= denominator
        table[:, k] = -column
        table[i] = row
        table[i, k] = denominator
        self.denominator = pivot
        if pivot < 0:
            table *= -1
            self.denominator = -pivot
        self.basic[i], self.nonbasic[k] = self.nonbasic[k], self.basic[i]

    def _leaving(self, k: int) -> int | None:
        """Row that blocks column k first (smallest label among ties), or None."""
        leaving_row: int | None = None
        for i in range(len(self.basic)):
            entry = self.table[i, k]
            if entry <= 0:
                continue
            if leaving_row is None:
                leaving_row = i
                continue
            gap = (
                self.table[i, -1] * self.table[leaving_row, k] - self.table[leaving_row, -1] * entry
            )
            if gap < 0 or (gap == 0 and self.basic[i] < self.basic[leaving_row]):
                leaving_row = i
        return leaving_row

    def maximise(self) -> int | None:
        """Pivot to an optimum.

        None at an optimum, or the column along which the objective is unbounded.
        """
        stalled_steps = 0
        while True:
            reduced = self.table[-1, :-1]
            entering = (reduced < 0).nonzero()[0].tolist()
            if not entering:
                return None
            if stalled_steps > _DEGENERATE_PIVOTS:
                k = min(entering, key=self.nonbasic.__getitem__)
            else:
                k = min(entering, key=reduced.__getitem__)
            i = self._leaving(k)
            if i is None:
                return int(k)
            stalled_steps = stalled_steps + 1 if self.table[i, -1] == 0 else 0
            self.pivot(i, k)

    def seek(self, labels: set[int]) -> None:
        """Make the sum of the variables in `labels` the objective."""
        rows = [i for i, label in enumerate(self.basic) if label in labels]
        self.table[-1] = self.table[rows].sum(axis=0) if rows else 0
        for k, label in enumerate(self.nonbasic):
            if label in labels:
                self.table[-1, k] -= self.denominator

    def append(self, matrix: Integers, objective: int, labels: Sequence[int]) -> None:
        """Add variables whose columns refer to the variables 0 … r−1 of the first basis.

        ``matrix`` has the column of each in the original system, whose row j belonged to the
        variable with label j.
        """
        rows = len(self.basic)
        inverse: Integers = np.zeros((rows + 1, rows), dtype=object)
        for i, label in enumerate(self.basic):
            if label < rows:
                inverse[i, label] = self.denominator
        for k, label in enumerate(self.nonbasic):
            if label < rows:
                inverse[:, label] = self.table[:, k]
        columns = inverse @ matrix.astype(object)
        columns[-1] -= objective * self.denominator
        self.table = np.hstack([self.table[:, :-1], columns, self.table[:, -1:]])
        self.nonbasic += list(labels)
