"""Vertices of {v ≥ 0 : v·α ≥ 1 for every α}, by double description in integers."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Final

from rlct.algebra.exact_rank import matrix_rank

Vector = tuple[int, ...]

# Adjacency is tested against every ray, so time grows with their cube: about two seconds.
MAX_RAYS: Final = 400
MAX_ROWS: Final = 400  # exponents, by the same cost


@lru_cache(maxsize=64)
def dual_vertices(exponents: tuple[Vector, ...]) -> tuple[tuple[Fraction, ...], ...] | None:
    """List every vertex, or None if there are too many to be sure of it quickly.

    The polyhedron is the slice t = 1 of the cone v ≥ 0, t ≥ 0, v·α ≥ t, whose extreme rays are
    found by adding one inequality at a time.  The ``exponents`` are non-zero rows α ≥ 0 of one
    length.

    Fukuda, K. and Prodon, A. (1996). Double description method revisited.

    >>> dual_vertices(((2, 0), (0, 3)))
    ((Fraction(1, 2), Fraction(1, 3)),)
    """
    if len(exponents) > MAX_ROWS:
        return None
    size = len(exponents[0]) + 1
    inequalities = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    everything = (1 << size) - 1
    # Each ray with the set, as bits, of the inequalities that it meets with equality.
    rays = [(unit, everything & ~(1 << i)) for i, unit in enumerate(inequalities)]
    for number, row in enumerate(exponents, start=size):
        step = _cut(rays, (*row, -1), 1 << number, size)
        if step is None:
            return None
        rays = step
    return tuple(
        sorted(tuple(Fraction(a, ray[-1]) for a in ray[:-1]) for ray, _ in rays if ray[-1])
    )


def _cut(
    rays: list[tuple[Vector, int]], inequality: Vector, inequality_bit: int, size: int
) -> list[tuple[Vector, int]] | None:
    """Intersect the cone with one more half-space."""
    values = [sum(a * b for a, b in zip(ray, inequality, strict=True)) for ray, _ in rays]
    cut_rays = [
        (ray, tight | inequality_bit if value == 0 else tight)
        for (ray, tight), value in zip(rays, values, strict=True)
        if value >= 0
    ]
    tight_masks = [tight for _, tight in rays]
    for (upper_ray, tight_up), up_value in zip(rays, values, strict=True):
        if up_value <= 0:
            continue
        for (lower_ray, tight_down), down_value in zip(rays, values, strict=True):
            if down_value >= 0:
                continue
            common_bits = tight_up & tight_down
            # Not neighbours, if a third ray meets all that they meet: there is no edge between.
            if (
                common_bits.bit_count() < size - 2
                or len([t for t in tight_masks if t & common_bits == common_bits]) > 2
            ):
                continue
            crossing = [
                up_value * b - down_value * a for a, b in zip(upper_ray, lower_ray, strict=True)
            ]
            factor = gcd(*crossing)
            cut_rays.append((tuple(a // factor for a in crossing), common_bits | inequality_bit))
            if len(cut_rays) > MAX_RAYS:
                return None
    return cut_rays


def affine_rank(points: Sequence[Sequence[Fraction]]) -> int:
    """Count affinely independent points among the given ones.

    >>> affine_rank([(0, 0), (1, 1), (2, 2)])
    2
    """
    rows = [[a - b for a, b in zip(p, points[0], strict=True)] for p in points[1:]]
    return matrix_rank(rows) + 1
