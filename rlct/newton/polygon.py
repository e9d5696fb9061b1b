"""Newton polygons: the compact edges of conv(A) + R²_≥0 and sums of polygons."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd

Exponent = tuple[int, int]


def lower_hull(points: Iterable[Exponent]) -> list[Exponent]:
    """Vertices of conv(points) + R²_≥0, from left to right.

    >>> lower_hull([(0, 4), (1, 2), (2, 1), (3, 1), (5, 0), (2, 3)])
    [(0, 4), (1, 2), (2, 1), (5, 0)]
    """
    chain: list[Exponent] = []
    for point in sorted(points):
        if chain and point[1] >= chain[-1][1]:
            continue
        while len(chain) > 1 and not _below(chain[-2], chain[-1], point):
            chain.pop()
        chain.append(point)
    return chain


def _below(a: Exponent, b: Exponent, c: Exponent) -> bool:
    """Whether b is strictly below the line from a to c."""
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])


def minkowski_sum(polygons: Sequence[tuple[Sequence[Exponent], int]]) -> list[Exponent]:
    """Vertices of a sum of polygons given by their vertices, each taken several times.

    >>> minkowski_sum([([(0, 1), (1, 0)], 2), ([(0, 3), (2, 0)], 1)])
    [(0, 5), (2, 2), (4, 0)]
    """
    x = sum(chain[0][0] * times for chain, times in polygons)
    y = sum(chain[0][1] * times for chain, times in polygons)
    edges: dict[Exponent, int] = {}
    for chain, times in polygons:
        for (a, b), (c, d) in pairwise(chain):
            length = gcd(c - a, b - d)
            direction = ((c - a) // length, (b - d) // length)
            edges[direction] = edges.get(direction, 0) + length * times
    vertices = [(x, y)]
    for right, down in sorted(edges, key=lambda e: Fraction(*e)):
        length = edges[right, down]
        x, y = x + right * length, y - down * length
        vertices.append((x, y))
    return vertices


def weight_of(start: Exponent, end: Exponent) -> Exponent:
    """Primitive (p, q) > 0 that is constant on an edge from left to right.

    >>> weight_of((0, 4), (6, 0))
    (2, 3)
    """
    p, q = start[1] - end[1], end[0] - start[0]
    common = gcd(p, q)
    return p // common, q // common
