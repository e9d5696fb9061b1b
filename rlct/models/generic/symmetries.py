"""Linear vector fields along which polynomials do not move: scalings, rotations, GL(k)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

from rlct.algebra.exact_rank import rank_modulo_prime
from rlct.algebra.polynomial import Terms

Exponents = tuple[int, ...]
Row = dict[int, Fraction]


def independent_count(polynomials: Iterable[Terms]) -> int:
    """Number of linearly independent polynomials modulo constants.

    >>> independent_count([{(1, 0): Fraction(1)}, {(1, 0): Fraction(2), (0, 0): Fraction(1)}])
    1
    """
    columns: dict[Exponents, int] = {}
    rows = (
        {columns.setdefault(e, len(columns)): c for e, c in terms.items() if any(e)}
        for terms in polynomials
    )
    return len(_echelon(rows))


def symmetry_dimension(polynomials: Sequence[Terms], point: Sequence[int]) -> int:
    """Dimension at a point of the vector fields A w + b that annihilate every polynomial.

    The fields are solutions of linear equations over Q, so the identity holds exactly; their rank
    at the point is taken modulo a prime, so it is a lower bound of that at a generic point.

    >>> symmetry_dimension([{(1, 1): Fraction(1)}], [2, 3])  # a b is left by a ∂a − b ∂b
    1
    """
    solved_rows = _back_substituted(_echelon(_invariance(polynomials, len(point))))
    d = len(point)
    affine_point = [*point, 1]
    free_rows: dict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    for pivot, row in solved_rows.items():
        for matrix_entry, value in row.items():
            if matrix_entry != pivot:
                free_rows[matrix_entry].append((pivot, -value))
    vectors = []
    for free in range(d * (d + 1)):
        if free in solved_rows:
            continue
        vector = [Fraction(0)] * d
        for matrix_entry, value in [(free, Fraction(1)), *free_rows[free]]:
            i, j = divmod(matrix_entry, d + 1)
            vector[i] += value * affine_point[j]
        vectors.append(vector)
    return rank_modulo_prime(vectors) if vectors else 0


def _invariance(polynomials: Sequence[Terms], d: int) -> list[Row]:
    """Coefficients of Σ_ij A_ij w_j ∂f/∂w_i in all monomials, with w_d = 1 for the constants."""
    equations: dict[tuple[int, Exponents], Row] = defaultdict(dict)
    for number, terms in enumerate(polynomials):
        for exponents, c in terms.items():
            for i, power in enumerate(exponents):
                if not power:
                    continue
                lowered_exponents = list(exponents)
                lowered_exponents[i] -= 1
                for j in range(d + 1):
                    if j < d:
                        lowered_exponents[j] += 1
                    row = equations[number, tuple(lowered_exponents)]
                    unknown = i * (d + 1) + j
                    row[unknown] = row.get(unknown, Fraction(0)) + power * c
                    if j < d:
                        lowered_exponents[j] -= 1
    return list(equations.values())


def _echelon(rows: Iterable[Row]) -> dict[int, Row]:
    """Rows in echelon form by their pivots, each 1 and free of earlier pivots; short ones first."""
    pivot_rows: dict[int, Row] = {}
    for given in sorted(rows, key=len):
        row = {column: value for column, value in given.items() if value}
        while (hit := next((column for column in row if column in pivot_rows), None)) is not None:
            _subtract(row, pivot_rows[hit], row[hit])
        if row:
            pivot = next(iter(row))
            scale = row[pivot]
            pivot_rows[pivot] = {column: value / scale for column, value in row.items()}
    return pivot_rows


def _subtract(row: Row, pivot_row: Row, factor: Fraction) -> None:
    for column, value in pivot_row.items():
        difference = row.get(column, Fraction(0)) - factor * value
        if difference:
            row[column] = difference
        else:
            row.pop(column, None)


def _back_substituted(echelon: dict[int, Row]) -> dict[int, Row]:
    """The same rows, with no pivot but their own; later rows are free of earlier pivots."""
    for pivot in reversed(list(echelon)):
        row = echelon[pivot]
        for column in [one for one in row if one != pivot and one in echelon]:
            _subtract(row, echelon[column], row[column])
    return echelon
