"""The normal fan of a Newton polyhedron, cut into simplicial cones without new rays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rlct.errors import InputError
from rlct.newton.double_description import newton_facets
from rlct.newton.exponents import exponent_matrix, minimal_rows
from rlct.newton.lattice import face_dimension
from rlct.newton.simplex import Integers

_MOST_RAYS = 1_000  # facets of the Newton polyhedron

Cone = frozenset[int]


class TooManyChartsError(InputError):
    """The fan has more cones than the caller allows."""


@dataclass(frozen=True)
class Fan:
    """A set of simplicial cones of full dimension that cover the orthant w ≥ 0."""

    #: Primitive vectors ≥ 0.
    rays: tuple[tuple[int, ...], ...]
    #: d rays each, by index, increasing.
    cones: tuple[tuple[int, ...], ...]


def simplicial_fan(exponents: Sequence[Sequence[int]] | Integers, limit: int) -> Fan:
    """Triangulate the normal fan of conv(exponents) + R^d_≥0, adding no ray.

    Exponents have the shape (m, d).  On each cone one exponent is least for all weights at once;
    the rays are the normals of the facets.  TooManyChartsError if there are more than `limit`
    cones, or too many facets; InputError if `exponents` is not a matrix of non-negative integers.

    Pulling triangulation: a cone that is not simplicial is the union of the cones over its
    facets from its first ray.  One order of the rays serves for all cones, so that two
    neighbours cut their common face alike (Lee and Santos, "Subdivisions and triangulations
    of polytopes", Handbook of Discrete and Computational Geometry, chapter 16).

    >>> simplicial_fan([[2, 0], [0, 3]], 10)
    Fan(rays=((3, 2), (1, 0), (0, 1)), cones=((0, 1), (0, 2)))
    """
    matrix = exponent_matrix(exponents)
    points = matrix[minimal_rows(matrix)].astype(object)
    width = points.shape[1]
    facets = newton_facets(points, _MOST_RAYS)
    if facets is None:
        raise TooManyChartsError(f"the Newton polyhedron has more than {_MOST_RAYS} facets")
    # Inner rays first: pulling them keeps their cones small.
    rows = sorted(facets.tolist(), key=lambda row: ((row[:-1].count(0)), [-x for x in row]))
    rays = np.array([row[:-1] for row in rows], dtype=object)
    tight = points @ rays.T == np.array([row[-1] for row in rows], dtype=object)
    cells = [frozenset(np.flatnonzero(line).tolist()) for line in tight]
    # A face of a cell is cut out by the other points and by the walls w_j = 0.
    walls = {*cells, *(frozenset(np.flatnonzero(rays[:, j] == 0).tolist()) for j in range(width))}
    pull = _Pulling(rays.tolist(), walls, limit)
    cones: list[Cone] = []
    for cell in cells:
        if len(cell) >= width and pull.rank(cell) == width:
            cones += pull(cell, width)
            if len(cones) > limit:
                raise TooManyChartsError(f"the fan has more than {limit} cones")
    return Fan(tuple(map(tuple, rays.tolist())), tuple(sorted(tuple(sorted(c)) for c in cones)))


class _Pulling:
    """Triangulations of faces, each computed once."""

    def __init__(self, rays: list[list[int]], walls: set[Cone], limit: int) -> None:
        self._rays = rays
        self._walls = walls
        self._limit = limit
        self._divided_faces: dict[Cone, list[Cone]] = {}

    def rank(self, face: Cone) -> int:
        """Dimension of the cone that rays span."""
        return face_dimension([[0] * len(self._rays[0]), *(self._rays[i] for i in sorted(face))])

    def __call__(self, face: Cone, dimension: int) -> list[Cone]:
        if len(face) == dimension:
            return [face]
        if face not in self._divided_faces:
            apex = min(face)
            facets = {face & wall for wall in self._walls} - {face}
            pieces = [
                piece | {apex}
                for facet in facets
                if apex not in facet
                and len(facet) >= dimension - 1
                and self.rank(facet) == dimension - 1
                for piece in self(facet, dimension - 1)
            ]
            if len(pieces) > self._limit:
                raise TooManyChartsError(f"the fan has more than {self._limit} cones")
            self._divided_faces[face] = pieces
        return self._divided_faces[face]
