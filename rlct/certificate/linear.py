"""Exact linear algebra of the checker: rank, coordinates, feasibility."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.arithmetic import least_common_multiple
from rlct.certificate.field import Number

__all__ = ["dot", "feasible_weight", "has_rank", "over_one_denominator", "rank", "rank_modulo"]

_MODULUS = 2**61 - 1
Row = Sequence[Number | int]


def dot(v: Sequence[Fraction], a: Sequence[Fraction | int]) -> Fraction:
    """Scalar product."""
    total = Fraction(0)
    cost.charge(10 + len(v), "a scalar product")
    for x, y in zip(v, a, strict=True):
        if y:
            bits = cost.length((total,)) + cost.length((x,)) + cost.length((y,))
            cost.charge(2 * cost.rational(bits), "a scalar product")
            total += x * y
    return total


def over_one_denominator(numbers: Sequence[Fraction]) -> tuple[int, list[int]]:
    """Denominator and numerators of rationals."""
    bottom = least_common_multiple([x.denominator for x in numbers])
    bits = bottom.bit_length() + cost.length(numbers)
    cost.charge(len(numbers) * (10 + bits // 64 + cost.integer(bits)), "a common denominator")
    return bottom, [x.numerator * (bottom // x.denominator) for x in numbers]


def has_rank(rows: Sequence[Sequence[Fraction | int]], least: int) -> bool:
    """Whether the rank of a rational matrix is at least a number.

    >>> has_rank([[1, 2], [Fraction(1, 2), 1]], 2), has_rank([[1, 2], [2, 3]], 2)
    (False, True)
    """
    whole = []
    for row in rows:
        whole.append(over_one_denominator([Fraction(x) for x in row])[1])
    return rank_modulo(whole) >= least or rank(rows) >= least


def rank_modulo(rows: Sequence[Sequence[int]]) -> int:
    """Rank modulo 2⁶¹ − 1, at most the rank over the rationals.

    Elimination whose pivots are units modulo a number shows a minor that is not 0.
    """
    for row in rows:
        cost.charge(len(row) * (1 + cost.integer(cost.length(row))), "a matrix")
    work = [[value % _MODULUS for value in row] for row in rows]
    found = 0
    for column in range(len(work[0]) if work else 0):
        pivot = next((i for i in range(found, len(work)) if work[i][column]), None)
        if pivot is None:
            continue
        work[found], work[pivot] = work[pivot], work[found]
        top = work[found][column:]
        cost.charge(20 + 3 * len(top) * (len(work) - found), "an elimination")
        inverse = pow(top[0], -1, _MODULUS)
        for i in range(found + 1, len(work)):
            factor = work[i][column] * inverse % _MODULUS
            if factor:
                pairs = zip(work[i][column:], top, strict=True)
                work[i][column:] = [(a - factor * b) % _MODULUS for a, b in pairs]
        found += 1
        if found == len(work):
            break
    return found


def rank(rows: Sequence[Row]) -> int:
    """Rank of a matrix over one field."""
    cost.charge(25 * sum(map(len, rows)), "a matrix")
    work = [[Fraction(x) if isinstance(x, int) else x for x in row] for row in rows]
    done = 0
    for column in range(len(work[0]) if work else 0):
        pivot = next((k for k in range(done, len(work)) if work[k][column]), None)
        if pivot is None:
            continue
        work[done], work[pivot] = work[pivot], work[done]
        cost.charge(len(work) + len(work[done]), "an elimination")
        most = cost.length(work[done])
        for k in range(done + 1, len(work)):
            if work[k][column]:
                bits = cost.length(work[k]) + 2 * most
                cost.charge(2 * len(work[k]) * cost.rational(bits), "an elimination")
                factor = work[k][column] / work[done][column]
                work[k] = [a - factor * b for a, b in zip(work[k], work[done], strict=True)]
        done += 1
    return done


def feasible_weight(
    zero: Sequence[Sequence[int]], positive: Sequence[Sequence[int]], width: int
) -> list[Fraction] | None:
    """Find w > 0 with a·w = 0 for `zero` and a·w > 0 for `positive`, or None if there is none.

    The conditions are homogeneous, so w ≥ 1 and a·w ≥ 1 may be asked instead; phase one of
    the simplex method with Bland's rule decides, in rationals.

    Examples
    --------
    >>> feasible_weight([[2, -3]], [], 2) == [Fraction(3, 2), 1]
    True
    >>> feasible_weight([[1, 1]], [], 2) is None
    True
    """
    # w = 1 + u: a·u = −a·1 and a·u − s = 1 − a·1, with u, s ≥ 0.
    slacks = len(positive)
    cost.charge(cost.table(len(zero) + slacks, width + slacks, 12), "a weight")
    table: list[list[Fraction]] = []
    for k, a in enumerate([*zero, *positive]):
        right = Fraction((1 if k >= len(zero) else 0) - sum(a))
        row = [Fraction(x) for x in a] + [Fraction(0)] * slacks
        if k >= len(zero):
            row[width + k - len(zero)] = Fraction(-1)
        row.append(right)
        table.append([-x for x in row] if right < 0 else row)
    columns = width + slacks
    basis = [-1] * len(table)  # −1: the artificial variable of the row
    while True:
        bits = max(map(cost.length, table), default=0)
        cost.charge(cost.table(len(table), columns + 1, cost.rational(2 * bits)), "a weight")
        costs = [
            sum((row[j] for row, b in zip(table, basis, strict=True) if b < 0), Fraction(0))
            for j in range(columns + 1)
        ]
        if costs[columns] == 0:
            break
        entering = next((j for j in range(columns) if costs[j] > 0 and j not in basis), None)
        if entering is None:
            return None
        ratios = [
            (row[columns] / row[entering], basis[k], k)
            for k, row in enumerate(table)
            if row[entering] > 0
        ]
        leaving = min(ratios)[2]
        pivot = table[leaving][entering]
        steps = cost.table(len(table), columns + 1, 2 * cost.rational(4 * bits))
        cost.charge(steps, "a weight")
        table[leaving] = [x / pivot for x in table[leaving]]
        for k, row in enumerate(table):
            if k != leaving and row[entering]:
                factor = row[entering]
                table[k] = [x - factor * y for x, y in zip(row, table[leaving], strict=True)]
        basis[leaving] = entering
    weight = [Fraction(1)] * width
    for k, b in enumerate(basis):
        if 0 <= b < width:
            weight[b] += table[k][columns]
    return weight
