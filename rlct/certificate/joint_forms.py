"""Common zeros of several forms in the real torus; ``theory/polyhedra.md`` proves the criterion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd as integer_gcd

from rlct.certificate import cost
from rlct.certificate.arithmetic import least_common_multiple
from rlct.certificate.field import Number
from rlct.certificate.linear import rank
from rlct.certificate.univariate import Dense, gcd, has_real_root, horner, quotient

__all__ = ["differences", "independent", "subsets", "too_many"]

_HIGHEST = 200  # sum of the exponents of a condition on a relation
Vector = list[int]
Form = Mapping[tuple[int, ...], Number]


def subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All subsets but the empty one, small ones first."""
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def independent(forms: Sequence[Form]) -> bool:
    """Whether no relation Σ s_i·d log-gradient has all s_i ≠ 0 at a common zero in (R∖0)^n.

    A relation is a vector z_ij = s_i c_ij x^α_ij ≠ 0 in the kernel of the matrix with the columns
    (α_ij, e_i), so that Π (z_ij/c_ij)^m_ij = 1 for every integer m in the kernel.  False also
    stands for undecided: kernels of dimension three and more are not looked at.

    Examples
    --------
    >>> independent([{(2, 0): Fraction(1), (0, 3): Fraction(1)}])
    True
    >>> square = {(2, 0): Fraction(1), (1, 1): Fraction(-2), (0, 2): Fraction(1)}    # (x − y)²
    >>> independent([square]), independent([{**square, (0, 2): Fraction(3)}])
    (False, True)
    """
    columns, numbers = [], []
    for i, form in enumerate(forms):
        for a, c in form.items():
            columns.append([*a, *(int(i == k) for k in range(len(forms)))])
            numbers.append(Fraction(c))  # type: ignore[arg-type]
    kernel = _kernel([list(row) for row in zip(*columns, strict=True)])
    cost.charge(cost.table(len(columns), len(kernel)), "the relations of forms")
    if any(not any(m[j] for m in kernel) for j in range(len(columns))):
        return True
    if len(kernel) > 2 or any(sum(map(abs, m)) > _HIGHEST for m in kernel):
        return False
    kernel = _whole(kernel)
    if all(kernel[-1]) and all(_product(kernel[-1], numbers, m) == 1 for m in kernel):
        return False
    return len(kernel) == 1 or not _on_the_line(kernel, numbers)


def _on_the_line(kernel: Sequence[Vector], numbers: Sequence[Fraction]) -> bool:
    """Whether z = m₁ + t·m₂ solves the conditions for a real t, with no entry 0."""
    lines = list(zip(*kernel, strict=True))
    conditions: list[Dense] = []
    for m in kernel:
        sides: list[list[Fraction]] = [[Fraction(1)], [Fraction(1)]]
        for (a, b), c, e in zip(lines, numbers, m, strict=True):
            for _ in range(abs(e)):
                sides[e < 0] = _times(sides[e < 0], a / c, b / c)
        width = max(map(len, sides))
        left, right = ([*s, *[Fraction(0)] * (width - len(s))] for s in sides)
        conditions.append(_trimmed([x - y for x, y in zip(left, right, strict=True)]))
    common = gcd(conditions)
    if not common:
        return True
    for a, b in set(lines):
        while b and len(common) > 1 and not horner(common, Fraction(-a, b)):
            common = quotient(common, [Fraction(a, b), Fraction(1)])
    return len(common) > 1 and has_real_root(common)


def _times(p: list[Fraction], a: Fraction, b: Fraction) -> list[Fraction]:
    """p·(a + b·t)."""
    bits = cost.length(p) + cost.length([a]) + cost.length([b])
    cost.charge(3 * len(p) * cost.rational(bits), "the relations of forms")
    return _trimmed(
        [a * x + b * y for x, y in zip([*p, Fraction(0)], [Fraction(0), *p], strict=True)]
    )


def _trimmed(p: list[Fraction]) -> list[Fraction]:
    while p and not p[-1]:
        p.pop()
    return p


def _product(z: Vector, numbers: Sequence[Fraction], m: Vector) -> Fraction:
    total = Fraction(1)
    for x, c, e in zip(z, numbers, m, strict=True):
        bits = cost.length([total]) + (1 + abs(e)) * (cost.length([x]) + cost.length([c]))
        cost.charge(3 * cost.rational(bits), "the relations of forms")
        total *= (x / c) ** e
    return total


def _whole(kernel: list[Vector]) -> list[Vector]:
    """Generators of all integer vectors that one or two primitive ones span over Q."""
    first, second = kernel[0], kernel[-1]
    minors = [a * d - b * c for (a, b), (c, d) in combinations(zip(first, second, strict=True), 2)]
    index = integer_gcd(*minors)  # 0 for one vector
    for k in range(-(index // 2), index):
        vector = [x * k + y for x, y in zip(first, second, strict=True)]
        if not any(x % index for x in vector):
            return [first, [x // index for x in vector]]
    return kernel


def _kernel(rows: list[list[int]]) -> list[Vector]:
    """Primitive integer vectors that span the kernel."""
    cost.charge(25 * sum(map(len, rows)), "the relations of forms")
    work = [[Fraction(x) for x in row] for row in rows]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        done = len(pivots)
        k = next((k for k in range(done, len(work)) if work[k][column]), None)
        if k is None:
            continue
        work[done], work[k] = work[k], work[done]
        bits = 2 * cost.length(work[done]) + max(map(cost.length, work))
        steps = cost.table(len(work), len(rows[0]), 2 * cost.rational(bits))
        cost.charge(steps, "the relations of forms")
        top = [x / work[done][column] for x in work[done]]
        work = [
            top if i == done else [x - row[column] * y for x, y in zip(row, top, strict=True)]
            for i, row in enumerate(work)
        ]
        pivots.append(column)
    found = []
    for free in (j for j in range(len(rows[0])) if j not in pivots):
        cost.charge(50 * len(rows[0]), "the relations of forms")
        vector = [Fraction(int(j == free)) for j in range(len(rows[0]))]
        for row, column in zip(work, pivots, strict=False):
            vector[column] = -row[free]
        bottom = least_common_multiple([x.denominator for x in vector])
        bits = 2 * bottom.bit_length() + cost.length(vector)
        cost.charge(len(vector) * cost.rational(bits), "the relations of forms")
        whole = [int(x * bottom) for x in vector]
        content = integer_gcd(*whole)
        found.append([x // content for x in whole])
    return found


def differences(forms: Sequence[Form]) -> list[Vector]:
    """Exponents minus the first one, of every form."""
    cost.charge(sum(len(a) for form in forms for a in form), "the relations of forms")
    return [
        [x - y for x, y in zip(a, first, strict=True)]
        for first, *others in map(list, forms)
        for a in others
    ]


def too_many(forms: Sequence[Form]) -> bool:
    """Whether independent forms cannot vanish together: they depend on fewer monomials."""
    return rank(differences(forms)) < len(forms)
