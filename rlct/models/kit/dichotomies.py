"""Sets of points that a hyperplane through 0 cuts off, each with a witness."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Final

from rlct.algebra.exact_rank import dot_product, kernel_basis, reduced_echelon
from rlct.errors import InputError

Vector = tuple[Fraction, ...]
_MOST_RAYS: Final = 400  # subsets of points that span a hyperplane


def dichotomies(points: Sequence[Sequence[Fraction | int]]) -> dict[frozenset[int], Vector]:
    """Map each set {i : w·z_i > 0}, w·z_i ≠ 0 for all i, to such a w.

    No z_i is 0; InputError if there are too many sets.

    The signs are the cells of the arrangement of the hyperplanes w·z_i = 0, on the span of the
    z_i.  Each cell is a pointed cone, so it has an extreme ray, which is the kernel of rank − 1
    of the points; next to the ray the cells are those of the points that vanish there.

    >>> sorted(map(sorted, dichotomies([[-1, 1], [0, 1], [1, 1]])))
    [[], [0], [0, 1], [0, 1, 2], [1, 2], [2]]
    """
    if not points:
        return {frozenset(): ()}
    basis, pivots = reduced_echelon(points)
    seen = [tuple(Fraction(z[c]) for c in pivots) for z in points]
    witness_of: dict[frozenset[int], Vector] = {}
    for w in _witnesses(seen, len(pivots)):
        whole = [Fraction(0)] * len(basis[0])
        for c, value in zip(pivots, w, strict=True):
            whole[c] = value
        chosen = frozenset(i for i, z in enumerate(seen) if dot_product(w, z) > 0)
        witness_of.setdefault(chosen, tuple(whole))
    return witness_of


def _witnesses(points: Sequence[Vector], rank: int) -> list[Vector]:
    """One w or more for each cell; the points span the space, of dimension `rank`."""
    if rank == 1:
        return [(Fraction(1),), (Fraction(-1),)]
    if comb(len(points), rank - 1) > _MOST_RAYS:
        raise InputError(f"{len(points)} inputs of rank {rank} are separated in too many ways")
    rays = set()
    for some in combinations(points, rank - 1):
        orthogonal = kernel_basis(some, rank)
        if len(orthogonal) == 1:
            rays.add(tuple(orthogonal[0]))
    cell_witnesses = []
    for ray in sorted(rays):
        on = [z for z in points if not dot_product(ray, z)]
        for side_vector in dichotomies(on).values():
            moves = [
                (abs(dot_product(ray, z)), abs(dot_product(side_vector, z)))
                for z in points
                if dot_product(ray, z)
            ]
            small = min((a / (2 * b) for a, b in moves if b), default=Fraction(1))
            for sign in (1, -1):
                cell_witnesses.append(
                    tuple(sign * a + small * b for a, b in zip(ray, side_vector, strict=True))
                )
    return cell_witnesses
