"""Bayesian networks that act like smaller ones, and what is observed of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from random import Random
from typing import Any, Final

from rlct.algebra.exact_rank import RESIDUE_PRIME
from rlct.models.kit.network_graph import NetworkGraph

_MOST_WAYS: Final = 2_000  # in which a district is made smaller, about a second
# What is done with spare states; a child's name: only this one depends.
_WAY_NEVER, _WAY_LIKE = "", "*"
_PLAIN_WAYS: Final = {_WAY_NEVER, _WAY_LIKE}


@dataclass(frozen=True)
class SmallerWay:
    """One district and what is done with the spare states of its hidden nodes.

    λ ≤ (W + (D + F)/2)/2 with W = `never_taken`, D = `conditions` and F = `first_order`.
    """

    graph: NetworkGraph
    true_sizes: Mapping[str, int]
    chosen: Mapping[str, str]

    def taken_states(self, node: str) -> int:
        """Number of states that are taken."""
        never = self.chosen.get(node) == _WAY_NEVER
        return self.true_sizes[node] if never else self.graph.sizes[node]

    def rows(self, node: str) -> int:
        """Rows of the table of a node that are used."""
        return prod(self.taken_states(parent) for parent in self.graph.parents[node])

    def absorbed(self, node: str) -> set[str]:
        """Hidden parents on which nothing but this node depends."""
        return {h for h, way in self.chosen.items() if way == node}

    @property
    def is_plain(self) -> bool:
        """Whether spare states are never taken or like true ones, at every node."""
        return _PLAIN_WAYS.issuperset(self.chosen.values())

    @property
    def possible(self) -> bool:
        """Whether one node may depend on hidden ones that nothing else depends on."""
        for node, child in self.chosen.items():
            if child in _PLAIN_WAYS:
                continue
            others = [c for c in self.graph.children(node) if c != child]
            if self.true_sizes[node] > 1 or any(
                self.absorbed(c) if c not in self.chosen else self.chosen[c] != _WAY_NEVER
                for c in others
            ):
                return False
            if any(
                self.chosen.get(p, _WAY_NEVER) not in _PLAIN_WAYS for p in self.graph.parents[node]
            ):
                return False
        return True

    @property
    def never_taken(self) -> int:
        """Probabilities of spare states that are to be small."""
        return sum(
            (self.graph.sizes[node] - self.true_sizes[node]) * self.rows(node)
            for node, way in self.chosen.items()
            if way == _WAY_NEVER
        )

    @property
    def conditions(self) -> int:
        """Numbers that are to be right in all rows that are used."""
        total = 0
        for node in self.graph.parents:
            if node in self.graph.inputs:
                continue
            own, above = self.absorbed(node), {*self.graph.parents[node]}
            for hidden in own:
                above |= {*self.graph.parents[hidden]}
            rows = prod(self.taken_states(parent) for parent in above - own)
            total += (self.true_sizes[node] - 1) * rows
        return total

    @property
    def first_order(self) -> int:
        """The most of them that the observed nodes see to first order."""
        all_conditions = self.conditions
        if not self.is_plain:
            return all_conditions
        seen = sum(
            (self.true_sizes[node] - 1)
            * prod(self.true_sizes[parent] for parent in self._seen_above(node))
            for node in self.graph.parents
            if node not in self.graph.inputs
        )
        return min(all_conditions, seen, cell_count(self.graph))

    def _seen_above(self, node: str) -> set[str]:
        """Parents, and above those whose spare states are like true ones, theirs as well."""
        above = {*self.graph.parents[node]}
        for parent in self.graph.parents[node]:
            if self.chosen.get(parent) == _WAY_LIKE:
                above |= self._seen_above(parent)
        return above


def cell_count(graph: NetworkGraph) -> int:
    """Free entries of the observed table of a district, given its inputs."""
    inputs = prod(graph.sizes[node] for node in graph.inputs)
    sizes = [k for node, k in graph.sizes.items() if node not in graph.inputs | graph.hidden]
    return inputs * (prod(sizes) - 1)


def smaller_ways(graph: NetworkGraph, true_sizes: Mapping[str, int]) -> Iterator[SmallerWay]:
    """Yield what may be done with the spare states of a district."""
    hidden = [node for node in graph.parents if node in graph.hidden]
    options = [
        [_WAY_NEVER, _WAY_LIKE, *(c for c in graph.children(node) if c not in graph.hidden)]
        for node in hidden
    ]
    if prod(map(len, options)) > _MOST_WAYS:
        options = [[_WAY_NEVER, _WAY_LIKE]] + [[_WAY_NEVER]] * (len(hidden) - 1)
    for chosen in product(*options):
        way = SmallerWay(graph, true_sizes, dict(zip(hidden, chosen, strict=True)))
        if way.possible:
            yield way


def observed_count(graph: NetworkGraph) -> int:
    """Conditional probabilities of observed nodes, given those of their parents that are."""
    return sum(
        (graph.sizes[node] - 1) * prod(graph.sizes[p] for p in above if p not in graph.hidden)
        for node, above in graph.parents.items()
        if node not in graph.hidden | graph.inputs
    )


def table_derivative(graph: NetworkGraph, sizes: Mapping[str, int]) -> list[list[int]]:
    """Derivative of the observed table at random tables, modulo a prime: a row per parameter."""
    rng, nodes = Random(1), list(graph.parents)
    random_tables: dict[tuple[Any, ...], list[int]] = {}
    rows: dict[tuple[Any, ...], dict[tuple[int, ...], int]] = {}
    seen = [node for node in nodes if node not in graph.hidden]
    columns = list(product(*(range(sizes[node]) for node in seen)))
    for cell in product(*(range(sizes[node]) for node in nodes)):
        state = dict(zip(nodes, cell, strict=True))
        column = tuple(state[node] for node in seen)
        keys = {
            n: (n, *(state[p] for p in graph.parents[n])) for n in nodes if n not in graph.inputs
        }
        for node, key in keys.items():
            if key not in random_tables:
                others = [rng.randrange(RESIDUE_PRIME) for _ in range(sizes[node] - 1)]
                random_tables[key] = [1 - sum(others), *others]
        entries = {node: random_tables[key][state[node]] for node, key in keys.items()}
        for node, key in keys.items():
            cofactor = prod(value for n, value in entries.items() if n != node) % RESIDUE_PRIME
            # The first state has one minus all others: it moves with each of them.
            places, sign = ([state[node]], 1) if state[node] else (range(1, sizes[node]), -1)
            for place in places:
                row = rows.setdefault((*key, place), dict.fromkeys(columns, 0))
                row[column] += sign * cofactor
    return [list(row.values()) for row in rows.values()]
