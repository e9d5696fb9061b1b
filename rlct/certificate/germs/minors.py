"""Minors of a matrix of variables; ``theory/determinantal.md`` has the proof."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, TypeAlias

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import Poly, poly_product, poly_scale, poly_sum
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.rules import checked_rule
from rlct.certificate.statement import Data, PairBounds, SolveChild, Statement, need
from rlct.pair import Pair

Matrix: TypeAlias = list[list[Poly]]


@checked_rule(
    "minors",
    '{entries: [[integer]+]+, kind: "general" | "skew" | "symmetric", size: positive}',
    cites="the codimensions of matrices by rank, and that they give λ and θ of the minors "
    "(Johnson 2003; Docampo 2013)",
)
def minors_rule(statement: Statement, data: Data, solve_child: SolveChild) -> PairBounds:
    """pair((all k-minors)): λ = min over i < k of N(i)/(2(k − i)), θ the number of minimisers.

    If the entries are different variables up to signs.  N(i) = (m−i)(n−i); C(n−i+1, 2) for a
    symmetric matrix; C(n−2i, 2) for the Pfaffians of size 2k of a skew one
    (``theory/determinantal.md``).
    """
    need(statement.is_ideal, "minors: not an ideal")
    kind, size = data["kind"], data["size"]
    need(kind in ("general", "symmetric", "skew"), "minors: no such kind of matrix")
    rows, columns = _check_entries(statement, data["entries"], kind)
    need(type(size) is int and size >= 1, "minors: the size is not positive")
    need(size <= (rows // 2 if kind == "skew" else min(rows, columns)), "minors: too large")
    minors = _minors(statement, data["entries"], kind, size)
    found = {_monic(g) for g in statement.generators}
    need(found == {_monic(minor) for minor in minors if minor}, "minors: other generators")
    if kind == "general":
        blocks = [(rows - i) * (columns - i) for i in range(size)]
    elif kind == "symmetric":
        blocks = [comb(rows - i + 1, 2) for i in range(size)]
    else:
        blocks = [comb(rows - 2 * i, 2) for i in range(size)]
    candidates = [Fraction(n, 2 * (size - i)) for i, n in enumerate(blocks)]
    pair = Pair(min(candidates), candidates.count(min(candidates)))
    return pair, pair


def _check_entries(statement: Statement, entries: Any, kind: str) -> tuple[int, int]:
    """Numbers of rows and columns of a matrix of different variables without a prior."""
    need(isinstance(entries, list) and bool(entries), "minors: no matrix")
    rows, columns = len(entries), len(entries[0])
    cost.charge(10 * rows * columns, "a matrix of variables")
    need(all(len(row) == columns for row in entries), "minors: rows of different lengths")
    need(all(type(x) is int for row in entries for x in row), "minors: an entry is no number")
    mirror = {"symmetric": 1, "skew": -1}.get(kind)
    if mirror is not None:
        need(rows == columns, "minors: the matrix is not square")
        pairs = [(i, j) for i in range(rows) for j in range(i + 1)]
        need(all(entries[j][i] == mirror * entries[i][j] for i, j in pairs), f"minors: not {kind}")
        places = [(i, j) for i, j in pairs if kind == "symmetric" or i != j]
    else:
        places = [(i, j) for i in range(rows) for j in range(columns)]
    used = [abs(entries[i][j]) - 1 for i, j in places]
    need(all(0 <= v < statement.width for v in used), "minors: no such variable")
    need(len(set(used)) == len(used), "minors: a variable stands at two places")
    need(not any(statement.prior[v] for v in used), "minors: the prior vanishes there")
    return rows, columns


def _minors(statement: Statement, entries: Any, kind: str, size: int) -> Iterator[Poly]:
    """All minors of a size, or Pfaffians of twice the size."""
    rows, columns = range(len(entries)), range(len(entries[0]))
    cost.charge(10 * len(rows) * len(columns) * statement.width, "a matrix of variables")
    units = [tuple(int(i == v) for i in range(statement.width)) for v in range(statement.width)]
    matrix: Matrix = [
        [{units[abs(x) - 1]: Fraction(1 if x > 0 else -1)} if x else {} for x in row]
        for row in entries
    ]
    if kind == "skew":
        yield from (_pfaffian(matrix, chosen) for chosen in combinations(rows, 2 * size))
        return
    for left in combinations(rows, size):
        yield from (_determinant(matrix, left, right) for right in combinations(columns, size))


def _determinant(matrix: Matrix, rows: Sequence[int], columns: Sequence[int]) -> Poly:
    """Expansion along the first row."""
    cost.charge(20, "minors")
    first, *below = rows
    if not below:
        return matrix[first][columns[0]]
    cofactors = [
        _determinant(matrix, below, (*columns[:k], *columns[k + 1 :])) for k in range(len(columns))
    ]
    return _alternating([matrix[first][j] for j in columns], cofactors)


def _pfaffian(matrix: Matrix, chosen: Sequence[int]) -> Poly:
    """Expansion along the first row."""
    cost.charge(20, "Pfaffians")
    first, *later = chosen
    if len(later) == 1:
        return matrix[first][later[0]]
    cofactors = [_pfaffian(matrix, (*later[:k], *later[k + 1 :])) for k in range(len(later))]
    return _alternating([matrix[first][j] for j in later], cofactors)


def _alternating(entries: Sequence[Poly], cofactors: Sequence[Poly]) -> Poly:
    """Σ ± entry·cofactor."""
    products = map(poly_product, entries, cofactors)
    return poly_sum(*(poly_scale(p, (-1) ** k) for k, p in enumerate(products)))


def _monic(p: Poly) -> frozenset[tuple[tuple[int, ...], RealNumber]]:
    """The terms of p over its coefficient at the largest monomial."""
    lead = p[max(p)]
    return frozenset((m, c / lead) for m, c in p.items())
