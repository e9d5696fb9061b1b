"""Faces of a polyhedron in space that are drawn."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

_NEAR_PLANE = 1e-7  # of equations of planes, for sides of the polyhedron


def outer_faces(vertices: Any, axis_end: float) -> list[tuple[Any, Any]]:
    """Facets of the polyhedron of some vertices, cut off at `axis_end`.

    ``axis_end`` is beyond all vertices.  Each facet has its normal, of length 1, which points out,
    so that no entry is positive, and its corners in order, shape (count, 3).
    """
    from scipy.spatial import ConvexHull

    # Every vertex with some coordinates raised to the end.
    raised = [
        np.where(up, axis_end, v) for v in vertices for up in product((False, True), repeat=3)
    ]
    corners = np.unique(raised, axis=0)
    planes = np.unique(np.round(ConvexHull(corners).equations, 9), axis=0)
    return [
        (
            plane[:3],
            hull_corners(corners[np.abs(corners @ plane[:3] + plane[3]) < _NEAR_PLANE * axis_end]),
        )
        for plane in planes
        if plane[:3].max() < _NEAR_PLANE  # the others are where the picture ends
    ]


def least_face(faces: Sequence[tuple[Any, Any]], point: Any, axis_end: float) -> Any:
    """Corners, in order, of the face that has a point in its inside: one, two or more."""
    around = [
        corners
        for normal, corners in faces
        if abs(normal @ (point - corners[0])) < _NEAR_PLANE * axis_end
    ]
    shared = [
        corner
        for corner in around[0]
        if all((np.abs(other - corner).max(axis=1) < _NEAR_PLANE).any() for other in around[1:])
    ]
    return np.array(shared)


def hull_corners(points: Any) -> Any:
    """Corners of the hull of coplanar points, in order."""
    from scipy.spatial import ConvexHull

    middle = points - points.mean(axis=0)
    # Two directions in the plane of the face.
    directions = np.linalg.svd(middle, full_matrices=False)[2][:2]
    return points[ConvexHull(middle @ directions.T).vertices]
