"""Corners of the faces of a polyhedron in space that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

__all__ = ["hull_corners", "unbounded_face"]

_STEP: Final = 1e-7  # along a direction, of what lies on this side of zero


def unbounded_face(vertices: Any, entry_point: Sequence[float], axis_end: float) -> Any:
    """Corners of the face whose inside the ray meets, cut off at `axis_end`; None if it is compact.

    A vertex or a direction is part of that face if the polyhedron goes on behind the meeting
    point, seen from there.
    """
    from scipy.optimize import linprog

    point = np.array(entry_point)

    def goes_on(direction: Any) -> bool:
        # The largest s with Σ w_v v ≤ point + s·direction for weights w of sum 1.
        columns = np.column_stack([vertices.T, -direction])
        found = linprog(
            [*[0.0] * len(vertices), -1.0],
            A_ub=columns,
            b_ub=point,
            A_eq=[[*[1.0] * len(vertices), 0.0]],
            b_eq=[1.0],
            bounds=[(0, None)] * len(vertices) + [(0, 1)],
        )
        return bool(found.success and -found.fun > _STEP)

    ways = [i for i in range(3) if goes_on(-np.eye(3)[i])]
    if not ways:
        return None
    corners = [v for v in vertices if goes_on(point - v)]
    for i in ways:
        corners += [np.where(np.arange(3) == i, axis_end, v) for v in corners]
    return np.unique(corners, axis=0)


def hull_corners(points: Any) -> Any:
    """Corners of the hull of coplanar points, in order."""
    from scipy.spatial import ConvexHull

    middle = points - points.mean(axis=0)
    # Two directions in the plane of the face.
    directions = np.linalg.svd(middle, full_matrices=False)[2][:2]
    return points[ConvexHull(middle @ directions.T).vertices]
