"""Gaussian latent forests, as products of correlations along paths."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field, text_field
from rlct.models.kit.expressions import check_term_count, text_minus

Edge = tuple[int, int]


@dataclass(frozen=True)
class LatentForest(Model):
    """Gaussian variables on a forest of which only the nodes 1, …, n are observed.

    The correlation of two leaves is the product of the edge correlations on the path between
    them, and the n variances are free: K is comparable with the squares of their errors.

    >>> LatentForest(3, "1-4,2-4,3-4", "").polynomials().generators[-1]
    'r3_4*r2_4'
    """

    id: ClassVar[str] = "forest"
    title: ClassVar[str] = "Gaussian latent forest"
    example: ClassVar[str] = "--leaves 3 --edges 1-4,2-4,3-4"
    where: ClassVar[str] = "minimum over the fibre, reached where every edge that is not true is 0"

    leaves: int = size_field("n, number of observed nodes; they are 1 to n")
    #: Hidden nodes have degree ≥ 2 and observed nodes degree ≤ 1.
    edges: str = text_field("edges of the forest, such as 1-4,2-4,3-4")
    #: Those of non-zero correlation; hidden nodes have degree ≥ 2 or 0 among them.
    true_edges: str = text_field("edges of the true sub-forest", default="")

    def check(self) -> None:
        """Refuse what is no forest."""
        edges, true_edges = edges_of(self.edges), edges_of(self.true_edges)
        if not set(true_edges) <= set(edges):
            raise InputError("the true edges must be among the edges")
        if len(edges) != len(set(edges)):
            raise InputError("an edge is given twice")
        components = {node: node for node in nodes_of(edges)}

        def root(node: int) -> int:
            while components[node] != node:
                node = components[node]
            return node

        for one, two in edges:
            if root(one) == root(two):
                raise InputError(f"the edge {one}-{two} closes a cycle: this is no forest")
            components[root(one)] = root(two)
        for chosen in (edges, true_edges):
            for node in nodes_of(chosen):
                degree = degree_of(node, chosen)
                if node > self.leaves and degree < 2:
                    raise InputError(f"the hidden node {node} has degree {degree}: leave it out")
                if node <= self.leaves and degree > 1:
                    raise InputError(f"the observed node {node} has degree {degree}, not 1")

    def polynomials(self) -> Polynomials:
        """Write out variances and correlations; true edges have correlation 1/2."""
        edges, true_edges = edges_of(self.edges), set(edges_of(self.true_edges))
        check_term_count(self.leaves**2 * (len(edges) + 1))
        generators = [f"v{i}" for i in range(1, self.leaves + 1)]
        for i, j in combinations(range(1, self.leaves + 1), 2):
            path = path_between(i, j, edges)
            if path:
                known = all(edge in true_edges for edge in path)
                text = "*".join(f"r{one}_{two}" for one, two in path)
                generators.append(text_minus(text, Fraction(1, 2 ** len(path)) if known else 0))
        return Polynomials(generators, {f"r{a}_{b}": Fraction(1, 2) for a, b in true_edges})


def edges_of(text: str) -> tuple[Edge, ...]:
    """Read ``1-4,2-4``.

    >>> edges_of("4-1,2-4")
    ((1, 4), (2, 4))
    """
    edges = []
    for part in text.split(",") if text.strip() else []:
        one, dash, two = part.strip().partition("-")
        if not (dash and one.isdigit() and two.isdigit() and max(len(one), len(two)) < 7):
            raise InputError(f"{part.strip()[:40]!r} is not an edge such as 1-4")
        low, high = sorted((int(one), int(two)))
        if low == high or low < 1:
            raise InputError(f"{part.strip()} is not an edge between two nodes 1, 2, …")
        edges.append((low, high))
    return tuple(edges)


def nodes_of(edges: tuple[Edge, ...]) -> tuple[int, ...]:
    """Nodes that an edge touches, in order."""
    return tuple(sorted({node for edge in edges for node in edge}))


def degree_of(node: int, edges: tuple[Edge, ...]) -> int:
    """Return the number of edges at a node."""
    return sum(node in edge for edge in edges)


def path_between(start: int, end: int, edges: tuple[Edge, ...]) -> tuple[Edge, ...]:
    """Edges of the path between two nodes of a forest; none if they are not connected."""
    came_from: dict[int, tuple[int, Edge]] = {}
    pending = [start]
    while pending:
        node = pending.pop()
        for other, edge in _steps(node, edges):
            if other != start and other not in came_from:
                came_from[other] = (node, edge)
                pending.append(other)
    if end not in came_from:
        return ()
    path = []
    while end != start:
        end, edge = came_from[end]
        path.append(edge)
    return tuple(path)


def _steps(node: int, edges: tuple[Edge, ...]) -> Iterator[tuple[int, Edge]]:
    for edge in edges:
        if node in edge:
            yield (edge[1] if edge[0] == node else edge[0]), edge


MODEL = LatentForest
