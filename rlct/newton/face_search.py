"""Two searches for all compact faces: through the facets, and without them."""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from rlct.newton.cone import cone
from rlct.newton.rational import exact_product
from rlct.newton.simplex import Integers, primitive_vector

Visit = Iterator[tuple[list[int], Integers]]
"""Points of a face (increasing) and a positive weight that exposes it; each face once."""


def by_facets(points: Integers, facets: Integers, banned_points: Collection[int]) -> Visit:
    """Close point sets under the facets that contain them; a face is its set of facets."""
    normals, levels = facets[:, :-1], facets[:, -1]
    masks = [_mask(row) for row in exact_product(points, normals.T) == levels]
    recession_masks = [_mask(column) for column in (normals == 0).T]
    allowed = [i for i in range(len(points)) if i not in banned_points]
    known_faces: set[int] = set()
    queue = [(1 << len(facets)) - 1]
    for mask in queue:
        for i in allowed:
            smaller_face = mask & masks[i]
            if smaller_face in known_faces:
                continue
            known_faces.add(smaller_face)
            if any(smaller_face & ~wall == 0 for wall in recession_masks):
                continue  # the face contains a ray e_j
            if any(smaller_face & ~masks[k] == 0 for k in banned_points):
                continue
            queue.append(smaller_face)
            members = [k for k, other in enumerate(masks) if smaller_face & ~other == 0]
            chosen = [f for f in range(len(facets)) if smaller_face >> f & 1]
            yield members, primitive_vector(normals[chosen].sum(axis=0))


def _mask(flags: Integers) -> int:
    """Bit f is set where flags[f] is true."""
    return int.from_bytes(np.packbits(flags.astype(bool), bitorder="little").tobytes(), "little")


def by_cones(points: Integers, banned_points: Collection[int]) -> Visit:
    """Find the same faces without the facets: one exact linear programme a step."""
    known_faces: set[frozenset[int]] = set()
    # With each face come the points that could still join its parent: a point that has left
    # every compact face of a subset leaves those of the set.
    start = [i for i in range(len(points)) if i not in banned_points]
    queue: list[tuple[frozenset[int], list[int]]] = [(frozenset(), start)]
    for face, candidates in queue:
        alive: list[int] = []
        for i in candidates:
            closed = None if i in face else smallest_face(points, [*face, i])
            if closed is None or not closed[0].isdisjoint(banned_points):
                continue
            alive.append(i)
            if closed[0] not in known_faces:
                known_faces.add(closed[0])
                queue.append((closed[0], alive))
                yield sorted(closed[0]), closed[1]


def smallest_face(
    points: Integers, members: Sequence[int]
) -> tuple[frozenset[int], Integers] | None:
    """Smallest face containing some points, with a weight; None when it is not compact.

    An interior w of {w ≥ 0 : w·α ≥ w·α₀, with equality on the members} is positive and
    strict wherever some w of it is.
    """
    height, width = points.shape
    differences = points.astype(object) - points[members[0]].astype(object)
    closing = -differences[list(members)].sum(axis=0)
    values = cone(np.vstack([differences, closing]).T).interior
    if not values[:width].all():
        return None
    closed = np.flatnonzero(values[width : width + height] == 0).tolist()
    return frozenset(closed), primitive_vector(values[:width])
