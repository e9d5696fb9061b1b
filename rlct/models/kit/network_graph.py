"""Graphs of Bayesian networks, and the tables of their true distributions, as they are typed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from random import Random
from typing import Final

from rlct.errors import InputError

Rows = tuple[tuple[Fraction, ...], ...]
_MOST_NODES: Final = 100  # of a graph that is typed
_MOST_ROWS: Final = 20_000  # of all tables together
_LARGEST_DRAW: Final = 99  # of the random numbers that generic tables are made of
_TABLE_TEXT: Final = "'x=1/3 2/3, 1/2 1/2; h=1/4 3/4'"


@dataclass(frozen=True)
class District:
    """Observed nodes that hidden ones connect, these hidden ones, and other parents of both."""

    observed: tuple[str, ...]
    hidden: tuple[str, ...]
    outside: tuple[str, ...]


@dataclass(frozen=True)
class NetworkGraph:
    """A directed acyclic graph; parents of each node by name, ancestors first."""

    #: A table has a row for all states of them, those of the last one fastest.
    parents: Mapping[str, tuple[str, ...]]
    #: Inputs are observed roots whose distribution is no parameter.
    hidden: frozenset[str]
    inputs: frozenset[str]
    sizes: Mapping[str, int]

    def children(self, node: str) -> list[str]:
        """Nodes with an arrow from this one."""
        return [other for other, parents in self.parents.items() if node in parents]

    def row_count(self, node: str, sizes: Mapping[str, int] | None = None) -> int:
        """Number of rows of the table of a node."""
        return prod((sizes or self.sizes)[parent] for parent in self.parents[node])

    @cached_property
    def districts(self) -> tuple[District, ...]:
        """The classes of nodes that hidden ones connect; those that no observation sees left out.

        A hidden node without children sums to one, and so does what is hidden above such nodes
        alone.
        """
        seen_nodes = list(self.parents)
        for node in reversed(tuple(self.parents)):
            if node in self.hidden and not {*seen_nodes} & {*self.children(node)}:
                seen_nodes.remove(node)
        label = {node: node for node in seen_nodes if node not in self.inputs}
        for node in seen_nodes:
            for child in self.children(node) if node in self.hidden else ():
                if child in label and label[child] != label[node]:
                    old = label[child]
                    label = {n: label[node] if one == old else one for n, one in label.items()}
        parts = []
        for one in dict.fromkeys(label.values()):
            nodes = [node for node in label if label[node] == one]
            above = dict.fromkeys(p for node in nodes for p in self.parents[node])
            parts.append(
                District(
                    tuple(node for node in nodes if node not in self.hidden),
                    tuple(node for node in nodes if node in self.hidden),
                    tuple(node for node in above if node not in nodes),
                )
            )
        return tuple(parts)


def read_graph(arrow_text: str, hidden_nodes: str, inputs: str, states: str) -> NetworkGraph:
    """Read ``a->h, h->x, h->y`` with hidden nodes ``h`` and states ``h=3``.

    >>> graph = read_graph("a->h->x, h->y", "h", "", "h=3")
    >>> graph.parents["x"], graph.sizes["h"], graph.districts[1].observed
    (('h',), 3, ('x', 'y'))
    """
    parent_lists: dict[str, list[str]] = {}
    for part in arrow_text.split(","):
        chain = [name.strip() for name in part.split("->")]
        for name in chain:
            if not re.fullmatch(r"\w{1,40}", name):
                raise InputError(
                    f"{part.strip()[:40]!r} is no arrow: write the graph in quotes, as in "
                    "'a->h, h->x, h->y'"
                )
            parent_lists.setdefault(name, [])
        for one, two in pairwise(chain):
            if one in parent_lists[two]:
                raise InputError(f"the arrow {one}->{two} is given twice: write it once")
            parent_lists[two].append(one)
    if len(parent_lists) > _MOST_NODES:
        raise InputError(f"{len(parent_lists)} nodes are too many: at most {_MOST_NODES} are read")
    graph = NetworkGraph(
        _ancestors_first(parent_lists),
        frozenset(_names("hidden", hidden_nodes, parent_lists)),
        frozenset(_names("inputs", inputs, parent_lists)),
        dict.fromkeys(parent_lists, 2) | _read_sizes("states", states, parent_lists),
    )
    for name in sorted(graph.inputs):
        if graph.parents[name] or name in graph.hidden:
            raise InputError(f"the input {name} must be observed and have no parents")
    if graph.hidden | graph.inputs == set(parent_lists):
        raise InputError("every node is hidden or an input: leave one that is observed out of both")
    for name in parent_lists:
        if graph.sizes[name] < 2 and name not in graph.hidden:
            raise InputError(
                f"{name} is observed and has 1 state: write at least 2, or leave it out"
            )
    rows = sum(graph.row_count(node) for node in parent_lists)
    if rows > _MOST_ROWS:
        raise InputError(f"{rows} rows of tables are too many: at most {_MOST_ROWS} are read")
    return graph


def _ancestors_first(parents: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    placed: dict[str, tuple[str, ...]] = {}
    while len(placed) < len(parents):
        ready = [n for n in parents if n not in placed and all(p in placed for p in parents[n])]
        if not ready:
            raise InputError(
                f"the arrows form a cycle, {_cycle(parents, placed)}: turn one of them"
            )
        placed |= {name: tuple(parents[name]) for name in ready}
    return placed


def _cycle(parents: Mapping[str, Sequence[str]], placed: Mapping[str, object]) -> str:
    """A cycle among the nodes that cannot be placed: each has a parent that is not placed."""
    path = [next(name for name in parents if name not in placed)]
    while path[-1] not in path[:-1]:
        path.append(next(p for p in parents[path[-1]] if p not in placed))
    return "->".join(reversed(path[path.index(path[-1]) :]))


def _names(label: str, text: str, nodes: Mapping[str, object]) -> list[str]:
    names = [name.strip() for name in text.split(",")] if text.strip() else []
    for name in names:
        _check_node(label, name, nodes)
    return names


def _check_node(label: str, name: str, nodes: Mapping[str, object]) -> None:
    if name not in nodes:
        shown = ", ".join(list(nodes)[:12])
        raise InputError(f"{label} names {name[:40]!r}, which is no node: write one of {shown}")


def _read_sizes(label: str, text: str, nodes: Mapping[str, object]) -> dict[str, int]:
    """Read numbers of states, such as ``h=3, x=4``.

    >>> _read_sizes("states", "h=3", {"h": None})
    {'h': 3}
    """
    sizes: dict[str, int] = {}
    for part in text.split(",") if text.strip() else ():
        name, _, number = (piece.strip() for piece in part.partition("="))
        _check_node(label, name, nodes)
        if not re.fullmatch(r"\d{1,3}", number) or not int(number):
            raise InputError(
                f"{label} of {name} must be an integer from 1 to 999, not {number[:20]!r}: "
                f"write {name}=3"
            )
        sizes[name] = int(number)
    return sizes


@dataclass(frozen=True)
class TrueTables:
    """Tables of a truth: hidden nodes take the first ``sizes`` of their states alone."""

    rows: Mapping[str, Rows]
    sizes: Mapping[str, int]

    def probability(self, graph: NetworkGraph, node: str, state: Mapping[str, int]) -> Fraction:
        """Probability of the state of a node; a spare state of a parent is like the first one."""
        number = 0
        for parent in graph.parents[node]:
            place = state[parent] if state[parent] < self.sizes[parent] else 0
            number = number * self.sizes[parent] + place
        row = self.rows[node][number]
        return row[state[node]] if state[node] < len(row) else Fraction(0)

    def same_rows(self, node: str) -> bool:
        """Whether a node depends on none of its parents."""
        return len(set(self.rows[node])) == 1


def read_tables(graph: NetworkGraph, truth: str, true_states: str) -> TrueTables:
    """Make the tables of a truth: uniform, independent, generic, or as they are typed.

    >>> graph = read_graph("h->x, h->y", "h", "", "")
    >>> read_tables(graph, "h=1/4 3/4; x=1/3 2/3, 1/2 1/2", "").sizes
    {'h': 2, 'x': 2, 'y': 2}
    """
    word, hidden = truth.strip(), graph.hidden
    if word in ("uniform", "independent"):
        if true_states.strip():
            raise InputError(f"true-states are of a generic truth, not of one that is {word}")
        sizes = {node: 1 if node in hidden else size for node, size in graph.sizes.items()}
        weights = {
            n: range(1, k + 1) if word == "independent" else [1] * k for n, k in sizes.items()
        }
        rows = {node: _row(weight) for node, weight in weights.items()}
        return TrueTables({n: (row,) * graph.row_count(n, sizes) for n, row in rows.items()}, sizes)
    if word == "generic":
        return _generic_tables(graph, true_states)
    if true_states.strip():
        raise InputError("true-states are of a generic truth: tables show them themselves")
    return _typed_tables(graph, word)


def _row(weights: Sequence[int]) -> tuple[Fraction, ...]:
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


def _generic_tables(graph: NetworkGraph, true_states: str) -> TrueTables:
    fewer = _read_sizes("true-states", true_states, graph.sizes)
    for node, size in fewer.items():
        if node not in graph.hidden:
            raise InputError(f"true-states names {node}, which is not hidden: write hidden nodes")
        if size > graph.sizes[node]:
            raise InputError(f"{size} true states of {node} exceed its {graph.sizes[node]}")
    sizes, rng = {**graph.sizes, **fewer}, Random(0)
    rows = {
        node: tuple(
            _row([rng.randint(1, _LARGEST_DRAW) for _ in range(sizes[node])])
            for _ in range(graph.row_count(node, sizes))
        )
        for node in graph.parents
    }
    return TrueTables(rows, sizes)


def _typed_tables(graph: NetworkGraph, text: str) -> TrueTables:
    typed_rows: dict[str, Rows] = {}
    for part in text.split(";"):
        name, equals, table = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise InputError(
                f"{part.strip()[:40]!r} is no truth: write uniform, independent, generic or "
                f"tables such as {_TABLE_TEXT}"
            )
        _check_node("truth", name, graph.parents)
        if name in typed_rows:
            raise InputError(f"two tables of {name}: write one, with a row for all states above it")
        typed_rows[name] = tuple(_typed_row(name, row) for row in table.split(","))
    sizes, rows = dict[str, int](), dict[str, Rows]()
    for node in graph.parents:
        size = graph.sizes[node]
        default = (_row([1] * (1 if node in graph.hidden else size)),)
        rows[node] = typed_rows.get(node, default)
        sizes[node] = width = len(rows[node][0])
        if any(len(row) != width for row in rows[node]) or width > size:
            raise InputError(f"a row of {node} has not the {size} probabilities of its states")
        if width < size and node not in graph.hidden:
            raise InputError(f"{node} has {size} states and is observed: write {size} a row")
        count = graph.row_count(node, sizes)
        if len(rows[node]) not in (1, count):
            above = ", ".join(f"{p} ({sizes[p]})" for p in graph.parents[node])
            raise InputError(
                f"{node} has {len(rows[node])} rows: write one for all, or {count}, separated by "
                f"commas, for the true states of {above or 'no parents'}, the last one fastest"
            )
        rows[node] *= count // len(rows[node])
    return TrueTables(rows, sizes)


def _typed_row(node: str, text: str) -> tuple[Fraction, ...]:
    try:
        row = tuple(Fraction(number) for number in text.split())
    except (ValueError, ZeroDivisionError):
        row = ()
    if not row:
        raise InputError(
            f"{text.strip()[:40]!r} is no row of {node}: write tables as {_TABLE_TEXT}"
        )
    if min(row) <= 0:
        raise InputError(
            f"the row {text.strip()[:40]} of {node} has a probability that is not positive: leave "
            "out a state that is never taken"
        )
    if sum(row) != 1:
        raise InputError(
            f"the row {text.strip()[:40]} of {node} sums to {sum(row)}: write probabilities that "
            f"sum to 1, as in {_TABLE_TEXT}"
        )
    return row


def tables_as_text(tables: TrueTables, nodes: Sequence[str]) -> str:
    """Write tables as they are typed."""
    return "; ".join(
        f"{node}={', '.join(' '.join(map(str, row)) for row in tables.rows[node])}"
        for node in nodes
    )
