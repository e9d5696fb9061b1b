"""Dimension of a face and the lattice it spans, in integers."""

from collections.abc import Sequence


def face_dimension(rows: Sequence[Sequence[int]]) -> int:
    """Dimension of the affine hull of integer points.

    >>> face_dimension([(2, 0), (1, 1), (0, 2)])
    1
    """
    origin = rows[0]
    echelon: list[tuple[int, list[int]]] = []
    for row in rows[1:]:
        vector = [int(x) - int(y) for x, y in zip(row, origin, strict=True)]
        for pivot, base in echelon:
            if vector[pivot]:
                scale, factor = base[pivot], vector[pivot]
                vector = [scale * x - factor * y for x, y in zip(vector, base, strict=True)]
        lead = next((j for j, x in enumerate(vector) if x), None)
        if lead is not None:
            echelon.append((lead, vector))
            if len(echelon) == len(origin):
                break
    return len(echelon)


def primitive_lattice_basis(
    vectors: Sequence[Sequence[int]],
) -> tuple[list[list[int]], list[list[int]]]:
    """Basis of the saturated lattice that integer vectors span, and their coordinates.

    A polynomial whose exponents are α₀ + differences[i] is x^α₀ times a Laurent polynomial
    in the k monomials t = x^B; x ↦ t maps (R∖0)^d to (R∖0)^k and is onto for the signs too,
    B being part of a basis of Z^d.

    B, of shape (k, d), is a basis of Z^d ∩ span_Q(differences), and differences[i] =
    coordinates[i]·B.

    Unimodular column operations bring the matrix to (H 0) (Hermite); the first rows of the
    inverse transformation are the basis, and H holds the coordinates.

    >>> primitive_lattice_basis([[-2, 4], [-1, 2]])
    ([[1, -2]], [[-2], [-1]])
    """
    coordinates = [[int(x) for x in row] for row in vectors]
    width = len(coordinates[0]) if coordinates else 0
    inverse = [[int(i == j) for j in range(width)] for i in range(width)]
    rank = 0
    for row in coordinates:
        while True:
            live = [j for j in range(rank, width) if row[j]]
            if not live:
                break
            pivot = min(live, key=lambda j: abs(row[j]))
            if len(live) == 1:
                _swap(coordinates, inverse, rank, pivot)
                rank += 1
                break
            for j in live:
                if j != pivot:
                    _subtract(coordinates, inverse, j, pivot, row[j] // row[pivot])
    return inverse[:rank], [row[:rank] for row in coordinates]


def _swap(work: list[list[int]], inverse: list[list[int]], a: int, b: int) -> None:
    """Exchange two columns; the inverse exchanges its rows."""
    for row in work:
        row[a], row[b] = row[b], row[a]
    inverse[a], inverse[b] = inverse[b], inverse[a]


def _subtract(work: list[list[int]], inverse: list[list[int]], j: int, k: int, q: int) -> None:
    """Column j −= q·column k; in the inverse, row k += q·row j."""
    for row in work:
        row[j] -= q * row[k]
    inverse[k] = [x + q * y for x, y in zip(inverse[k], inverse[j], strict=True)]
