"""Common zeros of several forms in the real torus; ``theory/polyhedra.md`` proves the criterion."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import gcd as integer_gcd

from rlct.certificate import cost
from rlct.certificate.numbers.arithmetic import least_common_multiple
from rlct.certificate.numbers.field import RealNumber
from rlct.certificate.numbers.linear import matrix_rank
from rlct.certificate.numbers.univariate import (
    DensePoly,
    dense_gcd,
    dense_quotient,
    dense_value,
    has_real_root,
)

_HIGHEST_SUM = 200  # sum of the exponents of a condition on a relation
Vector = list[int]
Form = Mapping[tuple[int, ...], RealNumber]


def nonempty_subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All subsets but the empty one, small ones first."""
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def have_independent_differentials(forms: Sequence[Form]) -> bool:
    """Whether no relation Σ s_i·d log-gradient has all s_i ≠ 0 at a common zero in (R∖0)^n.

    A relation is a vector z_ij = s_i c_ij x^α_ij ≠ 0 in the kernel of the matrix with the columns
    (α_ij, e_i), so that Π (z_ij/c_ij)^m_ij = 1 for every integer m in the kernel.  False also
    stands for undecided: kernels of dimension three and more are left open.

    >>> have_independent_differentials([{(2, 0): Fraction(1), (0, 3): Fraction(1)}])
    True
    >>> square = {(2, 0): Fraction(1), (1, 1): Fraction(-2), (0, 2): Fraction(1)}    # (x − y)²
    >>> have_independent_differentials([square])
    False
    >>> have_independent_differentials([{**square, (0, 2): Fraction(3)}])
    True
    """
    columns, numbers = [], []
    for i, form in enumerate(forms):
        for a, c in form.items():
            columns.append([*a, *(int(i == k) for k in range(len(forms)))])
            numbers.append(Fraction(c))  # type: ignore[arg-type]
    kernel = _kernel([list(row) for row in zip(*columns, strict=True)])
    cost.charge(cost.of_table(len(columns), len(kernel)), "the relations of forms")
    if any(not any(m[j] for m in kernel) for j in range(len(columns))):
        return True
    if len(kernel) > 2 or any(sum(map(abs, m)) > _HIGHEST_SUM for m in kernel):
        return False
    kernel = _whole(kernel)
    if all(kernel[-1]) and all(_product(kernel[-1], numbers, m) == 1 for m in kernel):
        return False
    return len(kernel) == 1 or not _on_the_line(kernel, numbers)


def _on_the_line(kernel: Sequence[Vector], numbers: Sequence[Fraction]) -> bool:
    """Whether z = m₁ + t·m₂ solves the conditions for a real t, with no entry 0."""
    lines = list(zip(*kernel, strict=True))
    line_conditions: list[DensePoly] = []
    for m in kernel:
        sides: list[list[Fraction]] = [[Fraction(1)], [Fraction(1)]]
        for (a, b), c, e in zip(lines, numbers, m, strict=True):
            for _ in range(abs(e)):
                sides[e < 0] = _times(sides[e < 0], a / c, b / c)
        width = max(map(len, sides))
        left, right = ([*s, *[Fraction(0)] * (width - len(s))] for s in sides)
        line_conditions.append(_trimmed([x - y for x, y in zip(left, right, strict=True)]))
    common = dense_gcd(line_conditions)
    if not common:
        return True
    for a, b in set(lines):
        while b and len(common) > 1 and not dense_value(common, Fraction(-a, b)):
            common = dense_quotient(common, [Fraction(a, b), Fraction(1)])
    return len(common) > 1 and has_real_root(common)


def _times(p: list[Fraction], a: Fraction, b: Fraction) -> list[Fraction]:
    """p·(a + b·t)."""
    bits = cost.bits_in(p) + cost.bits_in([a]) + cost.bits_in([b])
    cost.charge(3 * len(p) * cost.of_rational(bits), "the relations of forms")
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
        bits = cost.bits_in([total]) + (1 + abs(e)) * (cost.bits_in([x]) + cost.bits_in([c]))
        cost.charge(3 * cost.of_rational(bits), "the relations of forms")
        total *= (x / c) ** e
    return total


def _whole(kernel: list[Vector]) -> list[Vector]:
    """Generators of all integer vectors that one or two primitive ones span over Q."""
    first, second = kernel[0], kernel[-1]
    minors = [a * d - b * c for (a, b), (c, d) in combinations(zip(first, second, strict=True), 2)]
    index = integer_gcd(*minors)  # 0 for one vector
    cost.charge(2 * len(first) * (index + len(first)), "the relations of forms")
    for k in range(-(index // 2), index):
        vector = [x * k + y for x, y in zip(first, second, strict=True)]
        if not any(x % index for x in vector):
            return [first, [x // index for x in vector]]
    return kernel


def _kernel(rows: list[list[int]]) -> list[Vector]:
    """Primitive integer vectors that span the kernel."""
    cost.charge(25 * sum(map(len, rows)), "the relations of forms")
    reduced_rows = [[Fraction(x) for x in row] for row in rows]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        pivot_row = len(pivots)
        k = next((k for k in range(pivot_row, len(reduced_rows)) if reduced_rows[k][column]), None)
        if k is None:
            continue
        reduced_rows[pivot_row], reduced_rows[k] = reduced_rows[k], reduced_rows[pivot_row]
        bits = 2 * cost.bits_in(reduced_rows[pivot_row]) + max(map(cost.bits_in, reduced_rows))
        steps = cost.of_table(len(reduced_rows), len(rows[0]), 2 * cost.of_rational(bits))
        cost.charge(steps, "the relations of forms")
        top = [x / reduced_rows[pivot_row][column] for x in reduced_rows[pivot_row]]
        reduced_rows = [
            top if i == pivot_row else [x - row[column] * y for x, y in zip(row, top, strict=True)]
            for i, row in enumerate(reduced_rows)
        ]
        pivots.append(column)
    kernel_vectors = []
    for free in (j for j in range(len(rows[0])) if j not in pivots):
        cost.charge(50 * len(rows[0]), "the relations of forms")
        vector = [Fraction(int(j == free)) for j in range(len(rows[0]))]
        for row, column in zip(reduced_rows, pivots, strict=False):
            vector[column] = -row[free]
        bottom = least_common_multiple([x.denominator for x in vector])
        bits = 2 * bottom.bit_length() + cost.bits_in(vector)
        cost.charge(len(vector) * cost.of_rational(bits), "the relations of forms")
        whole = [int(x * bottom) for x in vector]
        content = integer_gcd(*whole)
        kernel_vectors.append([x // content for x in whole])
    return kernel_vectors


def exponent_differences(forms: Sequence[Form]) -> list[Vector]:
    """Exponents minus the first one, of every form."""
    cost.charge(sum(len(a) for form in forms for a in form), "the relations of forms")
    return [
        [x - y for x, y in zip(a, first, strict=True)]
        for first, *others in map(list, forms)
        for a in others
    ]


def too_many_forms(forms: Sequence[Form]) -> bool:
    """Whether independent forms cannot vanish together: they depend on fewer monomials."""
    return matrix_rank(exponent_differences(forms)) < len(forms)
