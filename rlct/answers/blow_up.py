"""An answer taken apart: tree, charts, candidate poles, leading coefficient."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.answers.result import Result
from rlct.blowup.leading import LeadingCoefficient, leading_coefficient
from rlct.blowup.pole import Pole
from rlct.blowup.pole_table import pole_table, proof_root
from rlct.blowup.poles import PoleCandidates
from rlct.blowup.replay import Node
from rlct.blowup.tree import graph_of
from rlct.blowup.tree_poles import tree_candidates
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget, in_time_left, made_in_time

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["BlowUp", "Pole"]


@dataclass(frozen=True)
class BlowUp:
    """The resolution behind an answer at a point; `rlct.blow_up` makes it.

    Attributes
    ----------
    result : Result
        The answer.
    root : Node
        Its proof with the statement at every step.

    Raises
    ------
    InputError
        If the answer is not about a polynomial question at a point.

    Examples
    --------
    >>> import rlct
    >>> found = BlowUp.of(rlct.ideal(["x", "y**2"]))
    >>> found.result.pair, found.graph.nodes[0]["germ"], len(found.graph.nodes[0]["charts"])
    (Pair(3/4, 1), ['x', 'y^2'], 3)
    >>> [(str(p.z), p.order, p.proved) for p in found.poles[:2]]
    [('-3/4', 1, True), ('-1', 0, False)]
    """

    result: Result
    root: Node = field(compare=False)  # that of the certificate, which the result has
    #: For poles, and as many for the leading coefficient.
    seconds: float | None = field(default=None, compare=False)

    @classmethod
    def of(cls, result: Result, seconds: float | None = None) -> BlowUp:
        """Replay the certificate of an answer."""
        return cls(result, proof_root(result.question, result.certificate), seconds)

    @cached_property
    def coordinates(self) -> str:
        """What the coordinates of the root are, where they are not those of the question."""
        problem: Problem = self.result.question
        texts = []
        for name, new, value, q in zip(
            problem.variables, self.root.names, problem.point, problem.powers, strict=True
        ):
            if name != new:
                start = f"{value} + " if value else ""
                texts.append(f"{name} = {start}{new}{'' if q == 1 else f'^{q}'}")
        return ", ".join(texts)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The tree as a networkx graph; see `rlct.blowup.tree.graph_of`."""
        return graph_of(self.root)

    @cached_property
    def candidates(self) -> PoleCandidates | None:
        """All candidate poles, None where only the largest is known."""
        return tree_candidates(self.root)

    @cached_property
    def poles(self) -> tuple[Pole, ...]:
        """The largest candidates, each a pole, none or open, decreasing.

        All above −2 and at least twenty of a monomial, or of a germ of two variables that is not
        degenerate over R; else twelve.  Only the largest where the others do not follow from
        the tree, and none while λ is open.
        """
        return pole_table(self.result.question, self.result.pair, self.root, Budget(self.seconds))

    @cached_property
    def leading(self) -> LeadingCoefficient | None:
        """Leading coefficient at the largest pole, where it is known how to find it."""
        pair = self.result.pair
        if pair is None:
            return None
        return made_in_time(
            lambda: in_time_left(lambda: leading_coefficient(self.result.question, pair)),
            Budget(self.seconds),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: the answer with ``kind``, ``tree``, ``poles``, ``leading``."""
        graph = self.graph
        return self.result.to_dict() | {
            "kind": "blowup",
            "coordinates": self.coordinates,
            "tree": {
                "nodes": [{"id": n, **graph.nodes[n]} for n in graph],
                "edges": [[a, b] for a, b in graph.edges],
            },
            "poles": [pole.to_dict() for pole in self.poles],
            "all_candidates": self.candidates is not None,
            "leading": None if self.leading is None else self.leading.to_dict(),
        }

    def __str__(self) -> str:
        from rlct.report.tree import tree_text

        return tree_text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Rich form for notebooks: the tree as nested lists."""
        from rlct.report.notebook import blowup_html

        return blowup_html(self)
