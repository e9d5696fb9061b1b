"""Linear changes of coordinates; ``theory/flows.md``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rlct.certificate.arithmetic import Poly, add, fraction
from rlct.certificate.statement import Bounds, Data, Solve, Statement, need

__all__ = ["linear"]

#: (i, k, c): x_i stands for x_i + c·x_k, or for c·x_i if i = k; (i, k, 0) exchanges them.
Step = tuple[int, int, Fraction]


def linear(statement: Statement, data: Data, solve: Solve) -> Bounds:
    """The substitution x = M·y with M invertible; variables of the prior stay."""
    need(statement.field is None and set(data) == {"matrix"}, "linear: over Q only")
    width = statement.width
    matrix = [[fraction(c) for c in row] for row in data["matrix"]]
    need(len(matrix) == width and all(len(row) == width for row in matrix), "linear: the shape")
    for i, h in enumerate(statement.prior):
        unit = [Fraction(int(k == i)) for k in range(width)]
        need(not h or matrix[i] == unit, "linear: a variable with a prior is moved")
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
            work[k] = [a / c for a in work[k]]
            yield k, k, c
        for i in range(size):
            if i != k and work[i][k]:
                c = work[i][k]
                work[i] = [a - c * b for a, b in zip(work[i], work[k], strict=True)]
                yield i, k, c


def _substituted(p: Poly, i: int, k: int, c: Fraction) -> Poly:
    if not c:
        return {tuple(m[_other(j, i, k)] for j in range(len(m))): a for m, a in p.items()}
    if i == k:
        return {m: a * c ** m[i] for m, a in p.items()}
    total: Poly = {}
    for m, a in p.items():
        value, binomial = a, 1
        for e in range(m[i], -1, -1):
            # (x_i + c·x_k)^n by the binomial theorem, x_i^e x_k^(n − e).
            moved = list(m)
            moved[i], moved[k] = e, m[k] + m[i] - e
            total[tuple(moved)] = total.get(tuple(moved), Fraction(0)) + value * binomial
            binomial = binomial * e // (m[i] - e + 1)
            value *= c
    return add(total)


def _other(j: int, i: int, k: int) -> int:
    return k if j == i else i if j == k else j
