"""Trees of binary variables of which only the leaves are observed, all leaves independent."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import ClassVar, Final

from rlct.errors import InputError
from rlct.models.base import Model, Polynomials, size_field, text_field
from rlct.models.kit.expressions import check_term_count, text_of_product, text_of_sum
from rlct.models.latent_variables.forest import degree_of, edges_of, nodes_of

_MOST_HIDDEN: Final = 12  # hidden nodes: all their subsets are tried


@dataclass(frozen=True)
class BinaryTree(Model):
    """General Markov model on a tree with binary variables; the true leaves are independent.

    A table of positive probabilities is regular in its entries, so K is comparable with the
    squares of the errors of the moments of the leaves.

    >>> tree = BinaryTree(4, "1-5,2-5,5-6,3-6,4-6", 5)
    >>> tree.cost, sorted(tree.constant)
    (Fraction(2, 1), [5, 6])
    """

    id: ClassVar[str] = "binary-tree"
    title: ClassVar[str] = "binary latent tree, independent leaves"
    example: ClassVar[str] = "--leaves 3 --edges 1-4,2-4,3-4 --root 4"
    deepest: ClassVar[bool] = False  # not proved

    #: The others are hidden, of degree at least 2.
    leaves: int = size_field("n, number of observed nodes; they are 1 to n")
    edges: str = text_field("edges of the tree, such as 1-4,2-4,3-4")
    #: Its probability, and one row for each state of the parent of every other node, are the
    #: parameters.
    root: int = size_field("a hidden node")

    def check(self) -> None:
        """Refuse what is no tree with observed leaves."""
        edges = edges_of(self.edges)
        nodes = nodes_of(edges)
        if len(set(edges)) != len(edges) or len(nodes) != len(edges) + 1:
            raise InputError("the edges do not form a tree")
        if len(self.parents) != len(nodes):
            raise InputError("the edges do not form a tree")
        for node in range(1, self.leaves + 1):
            if degree_of(node, edges) != 1:
                raise InputError(f"the observed node {node} has degree {degree_of(node, edges)}")
        for node in nodes:
            if node > self.leaves and degree_of(node, edges) < 2:
                raise InputError(f"the hidden node {node} has degree 1: leave it out")
        if self.root <= self.leaves:
            raise InputError(f"the root {self.root} is observed: root the tree at a hidden node")

    @cached_property
    def parents(self) -> dict[int, int]:
        """Parent of each node that the root reaches, 0 for the root itself; parents first."""
        edges = edges_of(self.edges)
        parent_of = {self.root: 0}
        pending = [self.root]
        while pending:
            node = pending.pop()
            for edge in edges:
                other = edge[1] if edge[0] == node else edge[0]
                if node in edge and other not in parent_of:
                    parent_of[other] = node
                    pending.append(other)
        return parent_of

    @cached_property
    def _best(self) -> tuple[Fraction, frozenset[int]]:
        hidden = [node for node in self.parents if node > self.leaves]
        if len(hidden) > _MOST_HIDDEN:
            raise InputError(f"at most {_MOST_HIDDEN} hidden nodes are tried, not {len(hidden)}")
        choices = (frozenset(c) for k in range(len(hidden) + 1) for c in combinations(hidden, k))
        costs = ((self._cost(chosen), chosen) for chosen in choices)
        # Of equal ones the most degenerate.
        return min(costs, key=lambda item: (item[0], -len(item[1])))

    def _cost(self, constant: frozenset[int]) -> Fraction:
        """Powers of ε that it takes to make these nodes constant and cut the other paths."""
        constant_cost = sum(
            1 if node == self.root or self.parents[node] in constant else 2 for node in constant
        )
        # Components of the other nodes: leaves by the topmost node that they reach.
        top: dict[int, int] = {}
        for node, parent in self.parents.items():
            if node not in constant:
                top[node] = top.get(parent, node)
        count: dict[int, int] = {}
        for leaf in range(1, self.leaves + 1):
            count[top[leaf]] = count.get(top[leaf], 0) + 1
        joined = sum(number for number in count.values() if number > 1)
        return constant_cost + Fraction(joined, 2)

    @property
    def cost(self) -> Fraction:
        """Least power of ε of the volume, beyond the means, where the leaves are ε-independent."""
        return self._best[0]

    @property
    def constant(self) -> frozenset[int]:
        """Hidden nodes that are constant where the least cost is reached."""
        return self._best[1]

    @property
    def parameter_count(self) -> int:
        """Number of parameters."""
        return 2 * len(self.parents) - 1

    @property
    def where(self) -> str:
        """The parameter of `polynomials`."""
        shown = ", ".join(map(str, sorted(self.constant))) or "none"
        return f"at the parameter with constant hidden nodes ({shown}) and all edges 0"

    def polynomials(self) -> Polynomials:
        """Write out the moments of the leaves ± 1/2, whose true means are 0."""
        hidden_nodes = [node for node in self.parents if node > self.leaves]
        check_term_count(
            2 ** min(self.leaves + len(hidden_nodes), 40) * (self.leaves + len(hidden_nodes))
        )
        generators = []
        for count in range(1, self.leaves + 1):
            for chosen in combinations(range(1, self.leaves + 1), count):
                terms = []
                for states in product((0, 1), repeat=len(hidden_nodes)):
                    state = dict(zip(hidden_nodes, states, strict=True))
                    factors = [self._hidden(node, state) for node in hidden_nodes]
                    factors += [f"u{leaf}_{state[self.parents[leaf]]}" for leaf in chosen]
                    terms.append(text_of_product(factors))
                generators.append(text_of_sum(terms))
        at, nonneg = {}, []
        for node in hidden_nodes:
            for name in self._names(node):
                if node not in self.constant or (
                    name.endswith("_1") and self.parents[node] in self.constant
                ):
                    at[name] = Fraction(1, 2)
                else:
                    nonneg.append(name)
        return Polynomials(generators, at, nonneg=nonneg)

    def _names(self, node: int) -> tuple[str, ...]:
        return ("t",) if node == self.root else (f"p{node}_0", f"p{node}_1")

    def _hidden(self, node: int, state: dict[int, int]) -> str:
        name = "t" if node == self.root else f"p{node}_{state[self.parents[node]]}"
        return name if state[node] else f"1 - {name}"


MODEL = BinaryTree
