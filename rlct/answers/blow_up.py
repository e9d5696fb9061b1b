"""An answer taken apart: tree, charts, candidate poles, leading coefficient."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.algebra.polynomial import terms_of
from rlct.answers.result import Result
from rlct.blowup.decide import decided_poles
from rlct.blowup.leading import LeadingCoefficient, leading_coefficient
from rlct.blowup.plane_poles import Pole
from rlct.blowup.poles import PoleCandidates
from rlct.blowup.replay import Node, replay_proof
from rlct.blowup.tree import graph_of
from rlct.blowup.tree_poles import tree_candidates
from rlct.certificate.numbers.arithmetic import Poly
from rlct.certificate.statement import Statement
from rlct.errors import InputError
from rlct.questions.problem import Problem

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["BlowUp", "Pole"]

_MOST_POLES = 12  # that are listed
_MOST_STEPS = 200  # of one progression that are listed


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

    @classmethod
    def of(cls, result: Result) -> BlowUp:
        """Replay the certificate of an answer."""
        problem = result.question
        if not isinstance(problem, Problem) or result.certificate is None:
            raise InputError("a blow-up needs a polynomial or an ideal at a point")
        if problem.field is not None:
            raise InputError("the tree is shown at points with rational coordinates only")
        germ = problem.local
        generators: tuple[Poly, ...] = tuple({**terms_of(g)} for g in germ.generators)
        statement = Statement(generators, germ.prior, germ.is_ideal)
        names: list[str] = []
        for name, value, q in zip(problem.variables, problem.point, problem.powers, strict=True):
            moved = name
            while (moved == name and (value or q > 1)) or moved in {*problem.variables} - {name}:
                moved += "_"
            names.append(moved)
        return cls(result, replay_proof(result.certificate["proof"], statement, names))

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
        pair = self.result.pair
        poles = decided_poles(self.result.question)
        if poles is None:
            poles = self._open_candidates()
        if pair is not None:
            top = [pole for pole in poles if pole.z == -pair.lam and pole.status == "pole"]
            first = top or [Pole(-pair.lam, pair.theta, "pole", "λ and θ")]
            poles = first + [pole for pole in poles if pole.z < -pair.lam]
        return tuple(poles)

    def _open_candidates(self) -> list[Pole]:
        if self.candidates is None:
            return []
        progressions = [p for cone in self.candidates.cones for p in cone]
        top = max(p.first for p in progressions)
        window = min(Fraction(1), _MOST_STEPS / max(p.divisor for p in progressions))
        largest = self.candidates.down_to(top - window)[:_MOST_POLES]
        return [Pole(z, order, "open", "a candidate of the tree") for z, order in largest]

    @cached_property
    def leading(self) -> LeadingCoefficient | None:
        """Leading coefficient at the largest pole, where it is known how to find it."""
        pair = self.result.pair
        return None if pair is None else leading_coefficient(self.result.question, pair)

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
