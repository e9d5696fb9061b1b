"""The Newton polyhedron conv(A) + R^d_≥0: its vertices and all its compact faces."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from rlct.errors import InputError
from rlct.newton.double_description import newton_facets
from rlct.newton.exponents import exponent_matrix, minimal_rows
from rlct.newton.face_search import by_cones, by_facets, smallest_face
from rlct.newton.lattice import face_dimension
from rlct.newton.linear_program import MonomialOptimum
from rlct.newton.rational import exact_product
from rlct.newton.simplex import Integers

_MOST_RAYS = 4_000  # of the double description; beyond, linear programmes find the faces


class TooManyFacesError(RuntimeError):
    """The polyhedron has more faces than the caller allows."""


@dataclass(frozen=True)
class Face:
    """A compact face {α ∈ A : w·α is least}, w > 0."""

    #: All rows of A on the face, increasing.
    rows: tuple[int, ...]
    #: Of its affine hull.
    dimension: int
    #: A primitive w > 0 that exposes exactly these rows.
    weight: tuple[int, ...]


def compact_faces(
    exponents: Sequence[Sequence[int]] | Integers,
    *,
    excluded_rows: Collection[int] = (),
    limit: int = 100_000,
) -> list[Face]:
    """All compact faces of the Newton polyhedron, by increasing dimension.

    A face is a set {argmin_{α ∈ A} w·α}, w ∈ R^d_{>0}, of the rows A of ``exponents``; repeated
    rows are on the same faces.  Each that contains none of ``excluded_rows`` is given once: these
    rows still shape the polyhedron, and the search never visits the other faces.  TooManyFacesError
    if there are more than ``limit``; InputError if ``exponents`` is not a matrix of non-negative
    integers, or ``excluded_rows`` names a row that does not exist.

    Complete by construction, see ``theory/newton.md``: the smallest face containing a face
    and one more point is exact, and such steps from the points reach every face.

    (x + y·z)² + y⁴ has a compact edge on no facet with a positive normal.

    >>> faces = compact_faces([[1, 0, 0], [0, 1, 1], [0, 2, 0]])
    >>> [face.rows for face in faces]
    [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]
    """
    found = list(iter_compact_faces(exponents, excluded_rows=excluded_rows, limit=limit))
    return sorted(found, key=lambda face: (face.dimension, face.rows))


def iter_compact_faces(
    exponents: Sequence[Sequence[int]] | Integers,
    *,
    excluded_rows: Collection[int] = (),
    limit: int = 100_000,
) -> Iterator[Face]:
    """Yield the faces of `compact_faces` as they are found, smaller faces first."""
    matrix = exponent_matrix(exponents)
    if not all(0 <= row < len(matrix) for row in excluded_rows):
        raise InputError("excluded_rows names a row that does not exist")
    rows = minimal_rows(matrix)
    points = matrix[rows]
    copies = [np.flatnonzero((matrix == point).all(axis=1)).tolist() for point in points]
    banned = {i for i, same in enumerate(copies) if not set(same).isdisjoint(excluded_rows)}
    facets = newton_facets(points, _MOST_RAYS)
    visit = by_cones(points, banned) if facets is None else by_facets(points, facets, banned)
    for count, (members, weight) in enumerate(visit):
        if count == limit:
            raise TooManyFacesError(f"the Newton polyhedron has more than {limit} compact faces")
        yield Face(
            tuple(sorted(row for i in members for row in copies[i])),
            face_dimension([points[i].tolist() for i in members]),
            tuple(int(entry) for entry in weight),
        )


def vertices(exponents: Sequence[Sequence[int]] | Integers) -> list[int]:
    """Rows that are vertices of the Newton polyhedron (of equal rows, the first).

    >>> vertices([[4, 0], [2, 1], [1, 1], [0, 2]])
    [0, 2, 3]
    """
    matrix = exponent_matrix(exponents)
    rows = minimal_rows(matrix)
    closed = [smallest_face(matrix[rows], [i]) for i in range(len(rows))]
    return [row for row, face in zip(rows, closed, strict=True) if face and len(face[0]) == 1]


def principal_face(
    exponents: Sequence[Sequence[int]] | Integers, optimum: MonomialOptimum
) -> tuple[int, ...]:
    """Rows on the smallest face that the ray t·(1+h) meets.

    They have v·α = 1 for every optimal weight v; ``optimum`` is that of the exponents.

    >>> from rlct.newton.linear_program import monomial_optimum
    >>> exponents = [[2, 0], [1, 1], [0, 2], [0, 5]]
    >>> principal_face(exponents, monomial_optimum(exponents))
    (0, 1, 2)
    """
    matrix = exponent_matrix(exponents)
    on_face = np.ones(len(matrix), dtype=bool)
    for point in optimum.points:
        common = lcm(*(entry.denominator for entry in point))
        scaled = np.array([int(entry * common) for entry in point], dtype=object)
        on_face &= exact_product(matrix, scaled) == common
    return tuple(np.flatnonzero(on_face).tolist())
