"""Exact linear algebra of the checker: rank, coordinates, feasibility."""

from collections.abc import Sequence
from fractions import Fraction

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import least_common_multiple
from rlct.certificate.numbers.field import RealNumber

_WORD_PRIME = 2**61 - 1  # any number would do; a prime has most units
Row = Sequence[RealNumber | int]


def scalar_product(v: Sequence[Fraction], a: Sequence[Fraction | int]) -> Fraction:
    """Scalar product."""
    total = Fraction(0)
    cost.charge(10 + len(v), "a scalar product")
    for x, y in zip(v, a, strict=True):
        if y:
            bits = cost.bits_in((total,)) + cost.bits_in((x,)) + cost.bits_in((y,))
            cost.charge(2 * cost.of_rational(bits), "a scalar product")
            total += x * y
    return total


def over_one_denominator(numbers: Sequence[Fraction]) -> tuple[int, list[int]]:
    """Denominator and numerators of rationals."""
    bottom = least_common_multiple([x.denominator for x in numbers])
    bits = bottom.bit_length() + cost.bits_in(numbers)
    cost.charge(len(numbers) * (10 + bits // 64 + cost.of_integer(bits)), "a common denominator")
    return bottom, [x.numerator * (bottom // x.denominator) for x in numbers]


def has_rank(rows: Sequence[Sequence[Fraction | int]], least: int) -> bool:
    """Whether the rank of a rational matrix is at least a number.

    >>> has_rank([[1, 2], [Fraction(1, 2), 1]], 2), has_rank([[1, 2], [2, 3]], 2)
    (False, True)
    """
    whole = [over_one_denominator([Fraction(x) for x in row])[1] for row in rows]
    return rank_modulo_prime(whole) >= least or matrix_rank(rows) >= least


def rank_modulo_prime(rows: Sequence[Sequence[int]]) -> int:
    """Rank modulo 2⁶¹ − 1, at most the rank over the rationals.

    Elimination whose pivots are units modulo a number shows a minor that is not 0.
    """
    for row in rows:
        cost.charge(len(row) * (1 + cost.of_integer(cost.bits_in(row))), "a matrix")
    reduced_rows = [[value % _WORD_PRIME for value in row] for row in rows]
    pivot_row = 0
    for column in range(len(reduced_rows[0]) if reduced_rows else 0):
        pivot = next(
            (i for i in range(pivot_row, len(reduced_rows)) if reduced_rows[i][column]), None
        )
        if pivot is None:
            continue
        reduced_rows[pivot_row], reduced_rows[pivot] = reduced_rows[pivot], reduced_rows[pivot_row]
        top = reduced_rows[pivot_row][column:]
        cost.charge(20 + 3 * len(top) * (len(reduced_rows) - pivot_row), "an elimination")
        inverse = pow(top[0], -1, _WORD_PRIME)
        for i in range(pivot_row + 1, len(reduced_rows)):
            factor = reduced_rows[i][column] * inverse % _WORD_PRIME
            if factor:
                pairs = zip(reduced_rows[i][column:], top, strict=True)
                reduced_rows[i][column:] = [(a - factor * b) % _WORD_PRIME for a, b in pairs]
        pivot_row += 1
        if pivot_row == len(reduced_rows):
            break
    return pivot_row


def matrix_rank(rows: Sequence[Row]) -> int:
    """Rank of a matrix over one field."""
    cost.charge(25 * sum(map(len, rows)), "a matrix")
    reduced_rows = [[Fraction(x) if isinstance(x, int) else x for x in row] for row in rows]
    pivot_row = 0
    for column in range(len(reduced_rows[0]) if reduced_rows else 0):
        pivot = next(
            (k for k in range(pivot_row, len(reduced_rows)) if reduced_rows[k][column]), None
        )
        if pivot is None:
            continue
        reduced_rows[pivot_row], reduced_rows[pivot] = reduced_rows[pivot], reduced_rows[pivot_row]
        cost.charge(len(reduced_rows) + len(reduced_rows[pivot_row]), "an elimination")
        most = cost.bits_in(reduced_rows[pivot_row])
        for k in range(pivot_row + 1, len(reduced_rows)):
            if reduced_rows[k][column]:
                bits = cost.bits_in(reduced_rows[k]) + 2 * most
                cost.charge(2 * len(reduced_rows[k]) * cost.of_rational(bits), "an elimination")
                factor = reduced_rows[k][column] / reduced_rows[pivot_row][column]
                reduced_rows[k] = [
                    a - factor * b
                    for a, b in zip(reduced_rows[k], reduced_rows[pivot_row], strict=True)
                ]
        pivot_row += 1
    return pivot_row


def feasible_weight(
    zero_rows: Sequence[Sequence[int]], positive_rows: Sequence[Sequence[int]], width: int
) -> list[Fraction] | None:
    """Find w > 0 with a·w = 0 for `zero_rows` and a·w > 0 for `positive_rows`, or None.

    None means that there is none.  The conditions are homogeneous, so w ≥ 1 and a·w ≥ 1 may be
    asked instead; phase one of the simplex method with Bland's rule decides, in rationals.

    >>> feasible_weight([[2, -3]], [], 2) == [Fraction(3, 2), 1]
    True
    >>> feasible_weight([[1, 1]], [], 2) is None
    True
    """
    # w = 1 + u: a·u = −a·1 and a·u − s = 1 − a·1, with u, s ≥ 0.
    slack_count = len(positive_rows)
    cost.charge(
        cost.of_table(len(zero_rows) + slack_count, width + slack_count + 20, 2), "a weight"
    )
    table: list[list[int]] = []
    for k, a in enumerate([*zero_rows, *positive_rows], -len(zero_rows)):
        right = (k >= 0) - sum(a)
        slack = [-int(j == k) for j in range(slack_count)]
        table.append([-x if right < 0 else x for x in (*a, *slack, right)])
    # All numbers over the last pivot: those of the tableau are minors, so that each is an integer.
    columns, last_pivot = width + slack_count, 1
    basis = [-1] * len(table)  # −1: the artificial variable of the row
    while True:  # one pivot, as textbooks have it
        bits = max(map(cost.bits_in, table), default=0)
        each = 2 + 2 * cost.of_integer(2 * bits) + cost.of_integer(3 * bits)
        cost.charge(cost.of_table(len(table), columns + 10, each), "a weight")
        costs = [
            sum(row[j] for row, b in zip(table, basis, strict=True) if b < 0)
            for j in range(columns + 1)
        ]
        if costs[columns] == 0:
            break
        entering_column = next((j for j in range(columns) if costs[j] > 0 and j not in basis), None)
        if entering_column is None:
            return None
        ratios = [
            (Fraction(row[columns], row[entering_column]), basis[k], k)
            for k, row in enumerate(table)
            if row[entering_column] > 0
        ]
        leaving_row = min(ratios)[2]
        top = table[leaving_row]
        pivot = top[entering_column]
        for k, row in enumerate(table):
            if k != leaving_row:
                factor = row[entering_column]
                table[k] = [
                    (pivot * x - factor * y) // last_pivot for x, y in zip(row, top, strict=True)
                ]
        last_pivot = pivot
        basis[leaving_row] = entering_column
    weight = [Fraction(1)] * width
    for k, b in enumerate(basis):
        if 0 <= b < width:
            weight[b] += Fraction(table[k][columns], last_pivot)
    return weight
