"""An answer taken apart: tree, charts, candidate poles, leading coefficient."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.algebra.polynomial import terms_of
from rlct.answers.result import Result
from rlct.blowup.leading import LeadingCoefficient, leading_coefficient
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
class Pole:
    """A number that may be a pole of ζ.

    Parameters
    ----------
    z : Fraction
        Negative.
    order : int
        The order if proved, else the largest that is possible.
    proved : bool
        Whether it is a pole for every prior |x|^h times a function that is positive at the
        point.
    on_box : bool
        Whether it is a pole, of this order, for the prior |x|^h on a box around the point.
    """

    z: Fraction
    order: int
    proved: bool
    on_box: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "z": str(self.z),
            "order": self.order,
            "proved": self.proved,
            "on_box": self.on_box,
        }


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
    [('-3/4', 1, True), ('-5/4', 1, False)]
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
        """The largest candidates, twelve at most, and the poles on a box.

        Only the largest where the others do not follow from the tree, and none while λ is open.
        """
        pair = self.result.pair
        pole_orders: dict[Fraction, int] = {}
        if self.candidates is not None:
            found = [p for cone in self.candidates.cones for p in cone]
            top = max(p.first for p in found)
            window = min(Fraction(1), _MOST_STEPS / max(p.divisor for p in found))
            pole_orders = dict(self.candidates.down_to(top - window)[:_MOST_POLES])
        on_box = self._on_box()
        poles = [
            Pole(z, on_box.get(z, pole_orders.get(z, 1)), False, z in on_box)
            for z in sorted({*pole_orders, *on_box}, reverse=True)
        ]
        if pair is not None:
            poles = [pole for pole in poles if pole.z < -pair.lam]
            poles.insert(0, Pole(-pair.lam, pair.theta, True, -pair.lam in on_box))
        return tuple(poles)

    def _on_box(self) -> dict[Fraction, int]:
        """A monomial has ζ = C·Π (2k_j z + 1 + h_j)^{−1} on a box: its poles and orders."""
        statement = self.root.statement
        if not isinstance(statement, Statement) or [len(g) for g in statement.generators] != [1]:
            return {}
        (exponents,) = statement.generators[0]
        scale = 2 if statement.is_ideal else 1
        return Counter(
            -(1 + h) / (scale * e) for e, h in zip(exponents, statement.prior, strict=True) if e
        )

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
