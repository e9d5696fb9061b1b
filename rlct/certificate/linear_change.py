"""Linear changes of coordinates; ``theory/flows.md``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.arithmetic import Poly, expanded, fraction
from rlct.certificate.statement import Bounds, Data, Solve, Statement, need

__all__ = ["linear_substitution"]

#: (i, k, c): x_i stands for x_i + c·x_k, or for c·x_i if i = k; (i, k, 0) exchanges them.
Step = tuple[int, int, Fraction]


def linear_substitution(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """The substitution x = M·y with M invertible; variables of the prior stay."""
    need(statement.field is None, "linear: over Q only")
    width = statement.width
    matrix = [[fraction(c) for c in row] for row in data["matrix"]]
    need(len(matrix) == width and all(len(row) == width for row in matrix), "linear: the shape")
    for i, h in enumerate(statement.prior):
        unit = [Fraction(int(k == i)) for k in range(width)]
        need(not h or matrix[i] == unit, "linear: a variable with a prior is moved")
    cost.charge(cost.table(width, width, 25), "a matrix")
    generators = list(statement.generators)
    for step in _elementary(matrix):
        generators = [_substituted(g, *step) for g in generators]
    return solve(Statement(tuple(generators), statement.prior, statement.is_ideal))


def _elementary(matrix: list[list[Fraction]]) -> Iterator[Step]:
    """Substitutions that do the same one after the other."""
    work = [list(row) for row in matrix]
    size = len(work)
    for k in range(size):
        pivot = next((i for i in range(k, size) if work[i][k]), None)
        need(pivot is not None, "linear: the matrix is not invertible")
        assert pivot is not None
        if pivot != k:
            work[k], work[pivot] = work[pivot], work[k]
            yield k, pivot, Fraction(0)
        if work[k][k] != 1:
            c = work[k][k]
            bits = 2 * cost.length(work[k])
            cost.charge(size * cost.rational(bits), "an elimination")
            work[k] = [a / c for a in work[k]]
            yield k, k, c
        for i in range(size):
            if i != k and work[i][k]:
                c = work[i][k]
                bits = cost.length(work[i]) + cost.length(work[k]) + cost.length([c])
                cost.charge(2 * size * cost.rational(bits), "an elimination")
                work[i] = [a - c * b for a, b in zip(work[i], work[k], strict=True)]
                yield i, k, c


def _substituted(p: Poly, i: int, k: int, c: Fraction) -> Poly:
    cost.charge(len(p) * (20 + 2 * len(next(iter(p), ()))), "a change of coordinates")
    if not c:
        return {tuple(m[_other(j, i, k)] for j in range(len(m))): a for m, a in p.items()}
    if i == k:
        bits = cost.length(p.values()) + max(m[i] for m in p) * cost.length([c])
        cost.charge(len(p) * cost.rational(bits), "a change of coordinates")
        return {m: a * c ** m[i] for m, a in p.items()}

    def place(m: tuple[int, ...], e: int) -> tuple[int, ...]:
        """x_i^e x_k^(n − e) of (x_i + c·x_k)^n."""
        return tuple(e if j == i else x + (m[i] - e) * (j == k) for j, x in enumerate(m))

    return expanded(p, i, c, place)


def _other(j: int, i: int, k: int) -> int:
    return k if j == i else i if j == k else j
