"""Bayesian networks: a directed acyclic graph with finitely many states, some nodes hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import ClassVar

from rlct.errors import InputError
from rlct.models.base import FibreEquations, Model, Polynomials, text_field
from rlct.models.kit.expressions import check_term_count, text_minus, text_of_product, text_of_sum
from rlct.models.kit.network_graph import (
    District,
    NetworkGraph,
    TrueTables,
    read_graph,
    read_tables,
    tables_as_text,
)
from rlct.models.latent_variables.binary_tree import BinaryTree
from rlct.models.latent_variables.latent_class import LatentClass
from rlct.models.latent_variables.lda import TopicModel
from rlct.models.latent_variables.naive_bayes import NaiveBayes


@dataclass(frozen=True)
class BayesianNetwork(Model):
    """Conditional tables of the nodes of a directed acyclic graph, some nodes hidden.

    A table of positive probabilities is regular in its entries, so K is comparable with the
    squares of their errors, district by district (``theory/bayesian-network-bound.md``).

    >>> network = BayesianNetwork("h->x, h->y", hidden="h")
    >>> network.parameter_count, network.known_model
    (5, NaiveBayes(features=2, dependent=0))
    """

    id: ClassVar[str] = "bayesian-network"
    title: ClassVar[str] = "Bayesian network, some nodes hidden"
    example: ClassVar[str] = '"h->x, h->y, h->z" --hidden h'
    in_order: ClassVar[tuple[str, ...]] = ("arrows",)
    where: ClassVar[str] = "at the true tables, spare states never taken and like the first ones"
    deepest: ClassVar[bool] = False  # not proved

    #: A name alone is a node without arrows.
    arrows: str = text_field("arrows of the graph, such as 'a->h, h->x, h->y'")
    hidden: str = text_field("nodes that are not observed, such as h", default="")
    states: str = text_field("numbers of states that are not 2, such as h=3", default="")
    #: ``"uniform"`` or ``"independent"``: so are the observed nodes; ``"generic"``: random tables;
    #: or tables, ``"h=1/4 3/4; x=1/3 2/3, 1/2 1/2"``: a row for all true states of the parents,
    #: those of the last one fastest, or one row for all.  A hidden node takes as many states as its
    #: row has, and one if there is none; an observed node is uniform.
    truth: str = text_field(
        "uniform, independent, generic, or tables such as 'h=1/4 3/4; x=1/3 2/3, 1/2 1/2'",
        default="uniform",
    )
    #: All if they are not named.
    true_states: str = text_field("states of hidden nodes in a generic truth, as h=2", default="")
    inputs: str = text_field("observed nodes whose distribution is no parameter", default="")

    def check(self) -> None:
        """Refuse what is no network, and tables that are none of it."""
        assert self.tables.rows

    @cached_property
    def graph(self) -> NetworkGraph:
        """The graph, ancestors first."""
        return read_graph(self.arrows, self.hidden, self.inputs, self.states)

    @cached_property
    def tables(self) -> TrueTables:
        """Tables of the truth."""
        return read_tables(self.graph, self.truth, self.true_states)

    @property
    def parameter_count(self) -> int:
        """Number of free probabilities in all tables."""
        graph = self.graph
        nodes = [node for node in graph.parents if node not in graph.inputs]
        return sum((graph.sizes[node] - 1) * graph.row_count(node) for node in nodes)

    @cached_property
    def parts(self) -> tuple[BayesianNetwork, ...]:
        """A network for each district, whose pairs add up; parents outside are its inputs."""
        return tuple(self._part(district) for district in self.graph.districts)

    def _part(self, district: District) -> BayesianNetwork:
        graph, inside = self.graph, (*district.observed, *district.hidden)
        nodes = [node for node in graph.parents if node in {*inside, *district.outside}]
        arrows = [f"{parent}->{node}" for node in inside for parent in graph.parents[node]]
        truth, true_states = self.truth, self.true_states
        if "=" in truth:
            truth = tables_as_text(self.tables, inside)
        if true_states:
            shown = [f"{node}={self.tables.sizes[node]}" for node in district.hidden]
            true_states = ",".join(shown)
        return BayesianNetwork(
            ", ".join([*arrows, *nodes]),
            ",".join(district.hidden),
            ",".join(f"{node}={graph.sizes[node]}" for node in nodes),
            truth,
            true_states,
            ",".join(district.outside),
        )

    @property
    def answered_as(self) -> Model:
        """The known model of the only district, if there is one."""
        return (self.parts[0].known_model or self) if len(self.parts) == 1 else self

    @cached_property
    def known_model(self) -> Model | None:
        """The model with a name of its own that this network is, at the same truth, if any."""
        graph = self.graph
        if len(graph.districts) != 1 or not graph.districts[0].hidden:
            return None
        observed, hidden = graph.districts[0].observed, graph.districts[0].hidden
        try:
            if len(hidden) == 1 and all(graph.parents[node] == hidden for node in observed):
                return self._one_cause(hidden[0], observed)
            return None if graph.inputs else self._tree(observed, hidden)
        except InputError:  # a size or a shape that the model does not have
            return None

    def _one_cause(self, cause: str, observed: Sequence[str]) -> Model | None:
        """Classes, or topics of documents, which are the states of what the cause depends on."""
        graph, tables = self.graph, self.tables
        sizes, count = [graph.sizes[node] for node in observed], tables.sizes[cause]
        if not graph.inputs and {*sizes, graph.sizes[cause]} == {2}:
            differing = sum(not tables.same_rows(node) for node in observed)
            return NaiveBayes(len(observed), differing if differing > 1 else 0)
        if count > 1 and self.truth.strip() != "generic":
            return None  # whether typed tables are generic is not decided here
        if not graph.inputs:
            return LatentClass(graph.sizes[cause], count, tuple(sizes))
        if len(observed) > 1:
            return None
        return TopicModel(sizes[0], graph.sizes[cause], graph.row_count(cause), count)

    def _tree(self, observed: Sequence[str], hidden: Sequence[str]) -> BinaryTree | None:
        graph, nodes = self.graph, (*observed, *hidden)
        roots = [node for node in nodes if not graph.parents[node]]
        if (
            len(roots) != 1
            or any(len(graph.parents[node]) > 1 or graph.sizes[node] != 2 for node in nodes)
            or any(self.tables.sizes[node] > 1 for node in hidden)
        ):
            return None
        number = {node: k for k, node in enumerate(nodes, start=1)}
        edges = [f"{number[n]}-{number[p]}" for n in nodes for p in graph.parents[n]]
        return BinaryTree(len(observed), ",".join(edges), number[roots[0]])

    def polynomials(self) -> Polynomials:
        """Write out p(x) − p*(x), given the outside parents of each district.

        States of an observed node without children in its district are replaced by all states
        together and the indicators of all states but the first, from which its true mean is
        taken if it depends on nothing.  The probability of the first state is eliminated.
        """
        generators = self._generators()
        at = dict[str, Fraction]()
        walls = []
        for node in self._modelled:
            for state in self._table(node, first=1):
                name = self._name(node, state)
                at[name] = self._true_entry(node, state)
                if node in self.graph.hidden and not at[name]:
                    walls.append(name)
        used = {name for text in generators for name in re.findall(r"p\w+", text)}
        return Polynomials(
            generators,
            {name: value for name, value in at.items() if value and name in used},
            nonneg=[name for name in walls if name in used],
        )

    def whole_fibre(self) -> Sequence[FibreEquations]:
        """The same equations; if hidden nodes take one state, with all weights and their sums."""
        if any(self.tables.sizes[node] > 1 for node in self.graph.hidden):
            return (FibreEquations(self._generators(), complete=False),)
        sums = []
        for node in self._modelled:
            for state in self._table(node, first=0) if node in self.graph.hidden else ():
                if state[node] == 0:
                    row = [self._name(node, {**state, node: k}) for k in self._places(node)]
                    sums.append(text_minus(text_of_sum(row), 1))
        equations = [*sums, *self._generators(all_weights=True)]
        return (FibreEquations(equations, complete=False, extra_coordinates=len(sums)),)

    @cached_property
    def _modelled(self) -> list[str]:
        """Nodes whose tables are parameters that K depends on."""
        return [n for d in self.graph.districts for n in (*d.hidden, *d.observed)]

    @cached_property
    def _leaves(self) -> frozenset[str]:
        """Observed nodes without children in their district."""
        leaves = set[str]()
        for district in self.graph.districts:
            inside = {*district.observed, *district.hidden}
            leaves |= {n for n in district.observed if not inside & {*self.graph.children(n)}}
        return frozenset(leaves)

    def _generators(self, *, all_weights: bool = False) -> list[str]:
        generators = []
        for district in self.graph.districts:
            outside, inner = district.outside, [*district.observed]
            inner.sort(key=lambda node: node in self._leaves)
            everything = (*outside, *district.hidden, *inner)
            check_term_count(prod(self.graph.sizes[n] for n in everything) * len(everything))
            for cell in product(*map(self._places, (*outside, *inner))):
                state = dict(zip((*outside, *inner), cell, strict=True))
                if any(state[node] for node in inner):  # all states together have probability 1
                    asked = [node for node in inner if state[node] or node not in self._leaves]
                    generators.append(self._generator(district.hidden, asked, state, all_weights))
        return sorted(generators, key=len)

    def _generator(
        self, hidden: Sequence[str], asked: Sequence[str], cell: Mapping[str, int], whole: bool
    ) -> str:
        """Σ over hidden states of the product of the entries, minus the same of the truth."""
        terms, true_value = [], Fraction(0)
        for places in product(*map(self._places, hidden)):
            state = {**cell, **dict(zip(hidden, places, strict=True))}
            weights = [self._entry(node, state, whole) for node in hidden]
            terms.append(text_of_product([*weights, *(self._entry(n, state) for n in asked)]))
            true_value += prod(self._true_entry(node, state) for node in (*hidden, *asked))
        return text_minus(text_of_sum(terms), true_value)

    def _entry(self, node: str, state: Mapping[str, int], whole: bool = False) -> str:
        """The probability of a state as a variable, or one minus all others."""
        if state[node] or whole:
            return self._name(node, state)
        others = [self._name(node, {**state, node: k}) for k in self._places(node)[1:]]
        return " - ".join(["1", *others])

    def _true_entry(self, node: str, state: Mapping[str, int]) -> Fraction:
        value = self.tables.probability(self.graph, node, state)
        if node in self._leaves and self.tables.same_rows(node):
            value -= self.tables.rows[node][0][state[node]]
        return value

    def _places(self, node: str) -> range:
        return range(self.graph.sizes[node])

    def _table(self, node: str, first: int) -> Iterator[dict[str, int]]:
        """States of a node, from one on, with those of its parents."""
        nodes = (node, *self.graph.parents[node])
        for cell in product(self._places(node)[first:], *map(self._places, nodes[1:])):
            yield dict(zip(nodes, cell, strict=True))

    def _name(self, node: str, state: Mapping[str, int]) -> str:
        """The variable of an entry: node, its state, states of its parents."""
        number = [*self.graph.parents].index(node) + 1
        return "_".join(
            map(str, (f"p{number}", *(state[n] for n in (node, *self.graph.parents[node]))))
        )


MODEL = BayesianNetwork
