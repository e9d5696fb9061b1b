"""The cells of a fibre and the pair on each, read from the certificate of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.answers.result import Result
from rlct.answers.routes import solve
from rlct.blowup.writing import number_text
from rlct.certificate.fibre.cell_rules import CELL_RULES
from rlct.certificate.resolution import FAMILY_RULES
from rlct.errors import InputError
from rlct.explain.argument import branch_of
from rlct.explain.mathematics import latex, latex_math
from rlct.explain.proved_step import ProofBranch, bounds_formula, end_cells, polynomials_text
from rlct.pair import Pair
from rlct.system.options import explain_options

if TYPE_CHECKING:
    import networkx as nx

    from rlct.answers.routes import Question

__all__ = ["Strata", "Stratum", "strata"]

#: Rules whose literals say it all; what others rest on is shown.
_SILENT = {
    *(*CELL_RULES, *FAMILY_RULES, "independent", "fields", "point", "same", "absent"),
    *("sum", "product", "squares", "split-terms"),
}
_MOST_EQUATIONS = 4  # of a cell that are shown as text


@dataclass(frozen=True)
class Stratum:
    """A cell of the tree, or the box or the part of it whose zeros the cells below hold.

    Parameters
    ----------
    number : int
        From 1, a cell before those below it.
    parent : int
        Number of the cell above, 0 for the first.
    literals, new : tuple of str
        What defines the cell, such as ``"x = 0"`` and ``"y ≠ 0"``; those that the cell above
        does not have.  A variable with a value is left out of the equations or measured from it.
    equations : tuple of str
        Polynomials that vanish at the zeros in the cell and are not 0 on all of it.
    rule : str
        Leads to the cells below, or settles this one.
    settled : str
        By what, in words, for a cell with none below it.
    evidence : mapping
        What the rule rests on, if that is not in the cells below.
    lower, upper : Pair, Pair or None
        Bounds at every zero in the cell; at a cell that is a point they are those of its germ.
    deepest : bool
        Whether the cell is settled with the least bound, and so decides it.
    """

    number: int
    parent: int
    literals: tuple[str, ...]
    new: tuple[str, ...]
    equations: tuple[str, ...]
    rule: str
    settled: str
    evidence: Mapping[str, str]
    lower: Pair
    upper: Pair | None
    deepest: bool = False

    @property
    def claim(self) -> str:
        """The pair or bounds, in words where there is no zero."""
        if self.rule == "absent":
            return "any bound holds"
        return bounds_formula(self.lower, self.upper).replace("`", "")

    @property
    def rule_text(self) -> str:
        """The rule, with its evidence where that is not in the cells below."""
        joint = " = " if self.rule == "change" else " "
        shown = ", ".join(f"{key}{joint}{value}" for key, value in self.evidence.items())
        return f"({self.rule}{shown and f': {shown}'})"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "id": self.number,
            "parent": self.parent or None,
            "literals": list(self.literals),
            "equations": list(self.equations),
            "rule": self.rule,
            "settled": self.settled or None,
            "evidence": dict(self.evidence),
            "lower": [str(self.lower.lam), self.lower.theta],
            "upper": None if self.upper is None else [str(self.upper.lam), self.upper.theta],
            "deepest": self.deepest,
        }


@dataclass(frozen=True)
class Strata:
    """The cells that together hold all zeros of a question; `rlct.strata` makes it.

    Attributes
    ----------
    result : Result
        The answer.
    cells : tuple of Stratum
        The tree, each cell before those below it.
    excess : Fraction
        How much larger λ is for the equations of the cells than for what was asked: 1/2 for each
        coordinate that a model does not have.
    """

    result: Result
    cells: tuple[Stratum, ...]
    excess: Fraction = Fraction(0)

    @property
    def ends(self) -> tuple[Stratum, ...]:
        """Cells that are settled, with none below them."""
        return tuple(cell for cell in self.cells if cell.settled)

    @property
    def deepest(self) -> tuple[Stratum, ...]:
        """Those that decide the bound."""
        return tuple(cell for cell in self.ends if cell.deepest)

    def below(self, cell: Stratum) -> list[Stratum]:
        """Cells that a cell leads to."""
        return [inner for inner in self.cells if inner.parent == cell.number]

    def definitions(self, cell: Stratum) -> tuple[str, ...]:
        """New coordinates on the way to a cell, such as ``"x′ = x + y*z"``."""
        definitions: list[str] = []
        while cell.parent:
            cell = self.cells[cell.parent - 1]
            if cell.rule == "change":
                definitions[:0] = [f"{name} = {value}" for name, value in cell.evidence.items()]
        return tuple(definitions)

    def chain(self, cell: Stratum) -> list[Stratum]:
        """A cell and those after it, as long as each leads to one."""
        chain = [cell]
        while len(below := self.below(chain[-1])) == 1:
            chain += below
        return chain

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The tree as a networkx graph, a chain of rules as one node, for pictures."""
        import networkx as nx

        graph = nx.DiGraph()
        pending_cells: list[tuple[Stratum, int, tuple[str, ...]]] = [(self.cells[0], -1, ())]
        while pending_cells:
            first, parent, known_literals = pending_cells.pop()
            end, number = self.chain(first)[-1], len(graph)
            new_literals = _grouped([text for text in end.literals if text not in known_literals])
            above = () if parent < 0 else self.definitions(first)
            new_definitions = [text for text in self.definitions(end) if text not in above]
            graph.add_node(
                number,
                rule=f"{end.number}  {'no zero' if end.rule == 'absent' else end.rule}",
                kind="ideal",
                germ=list(end.equations) or ["0"],
                variables=(),
                parameters=(),
                prior=(),
                lower=[str(end.lower.lam), end.lower.theta],
                upper=None if end.upper is None else [str(end.upper.lam), end.upper.theta],
                chart="; ".join(filter(None, [new_literals, *new_definitions])),
            )
            if parent >= 0:
                least = graph.nodes[parent]["lower"] == graph.nodes[number]["lower"]
                graph.add_edge(parent, number, attains=least)
            pending_cells += [(inner, number, end.literals) for inner in reversed(self.below(end))]
        return graph

    def plot(self) -> Any:
        """Draw the tree; a matplotlib figure, or InputError if it has too many cells."""
        from rlct.report.tree_plot import draw_tree

        return draw_tree(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form: the answer with ``kind``, ``cells`` and ``deepest``."""
        return self.result.to_dict() | {
            "kind": "strata",
            "excess": str(self.excess),
            "cells": [cell.to_dict() for cell in self.cells],
            "deepest": [cell.number for cell in self.deepest],
        }

    def to_latex(self) -> str:
        """Write the cells that are settled as a table."""
        rows = [
            " & ".join(
                [
                    str(cell.number),
                    ", ".join(f"${latex_math(text)}$" for text in where) or "all",
                    ", ".join(f"${latex_math(text)}$" for text in cell.equations) or "--",
                    latex(cell.settled),
                    latex(bounds_formula(cell.lower, cell.upper)) + r" $\ast$" * cell.deepest,
                ]
            )
            + r" \\"
            for cell in self.ends
            for where in [(*cell.literals, *self.definitions(cell))]
        ]
        if self.excess:
            what = r"\multicolumn{5}{l}{" + f"pairs {latex(self._of_equations)}" + r"} \\"
            rows.append(what)
        head = r"cell & where & equations & settled by & pair ($\ast$: deepest) \\"
        return "\n".join(
            [r"\begin{tabular}{rp{4cm}p{4cm}ll}", head, r"\hline", *rows, r"\end{tabular}"]
        )

    def __str__(self) -> str:
        numbers = ", ".join(str(cell.number) for cell in self.deepest)
        lines = [
            str(self.result).partition(" (")[0],
            f"where    {self.result.where}",
            f"cells    {len(self.cells)} in a tree, {len(self.ends)} settled; deepest: {numbers}",
            *([f"pairs    {self._of_equations}"] if self.excess else []),
            *self._branch(self.cells[0], "", ""),
            "settled; a bound holds at every zero in its cell",
        ]
        for cell in self.ends:
            equations = [f"{text} = 0" for text in cell.equations[:_MOST_EQUATIONS]]
            equations += ["…"] * (len(cell.equations) > _MOST_EQUATIONS)
            lines += [
                f"{cell.number:>4}: {_grouped(cell.literals) or 'all values'}",
                *(
                    [f"      equations {', '.join(equations)}"]
                    if equations and cell.rule != "absent"
                    else []
                ),
                f"      {cell.settled}; {cell.claim}{'; deepest' * cell.deepest}",
            ]
        return "\n".join(lines)

    __repr__ = __str__

    @property
    def _of_equations(self) -> str:
        """What the pairs of the cells are, if not those of what was asked."""
        count = 2 * self.excess
        return (
            f"of these equations, which have {count} coordinate{'s' * (count > 1)} more than the "
            f"model: its λ is less by {self.excess}"
        )

    def _branch(self, cell: Stratum, first_indent: str, next_indent: str) -> Iterator[str]:
        """Lines of a cell and those below it; a chain of rules is one line."""
        chain = self.chain(cell)
        below = self.below(chain[-1])
        steps = [" ".join(filter(None, [_grouped(one.new), one.rule_text])) for one in chain]
        end = chain[-1]
        mark = "   <- deepest" * end.deepest
        yield f"{first_indent}{end.number}  {' -> '.join(steps)}; {end.claim}{mark}"
        for inner in below:
            last = inner is below[-1]
            yield from self._branch(
                inner,
                next_indent + ("└─ " if last else "├─ "),
                next_indent + ("   " if last else "│  "),
            )


def _grouped(literals: Sequence[str]) -> str:
    """Literals with equal ends put together.

    >>> _grouped(["x = 0", "y ≠ 0", "z = 0"])
    'x, z = 0; y ≠ 0'
    """
    groups: dict[str, list[str]] = {}
    for literal in literals:
        name, _, end = literal.partition(" ")
        groups.setdefault(end, []).append(name)
    return "; ".join(f"{', '.join(names)} {end}" for end, names in groups.items())


@explain_options
def strata(question: Question | Result, *, timeout: float | None = None) -> Strata:
    """The cells of a fibre: where the variables are 0 or not, and the pair on each.

    Parameters
    ----------
    question : Result, or what `solve` takes
        A model or network at a truth, or an ideal over a box, whose least pair was found by a
        tree of cells (``theory/fibres.md``).
    timeout : float, optional
        Seconds for the engine.

    Returns
    -------
    Strata

    Raises
    ------
    InputError
        If the answer has no such tree; the message says what to ask instead.

    Examples
    --------
    >>> import rlct
    >>> found = strata(rlct.model("hidden-markov", states=2, symbols=2))
    >>> [(cell.literals, str(cell.lower)) for cell in found.deepest]
    [(('a2 = 0', 'c2_2 = 0', 'd2_1 = 0'), 'λ = 1/2, θ = 2'), ((), 'λ = 1/2, θ = 1')]
    """
    result = question if isinstance(question, Result) else solve(question, timeout=timeout)
    own = [(route.certificate, route.excess) for route in result.routes]
    for certificate, excess in [*own, (result.certificate, Fraction(0))]:
        if certificate is not None and certificate["question"]["kind"] == "box":
            root = branch_of(certificate)
            if any(True for _ in end_cells(root)):
                return Strata(result, tuple(_Reader(root).cells), excess)
    raise InputError(_no_tree(result))


def _no_tree(result: Result) -> str:
    """Why there are no cells, and what to ask instead."""
    from rlct.questions.box_problem import BoxProblem  # imports sympy
    from rlct.questions.problem import Problem

    if isinstance(result.question, Problem):
        return (
            "a question at one point has no cells: 'rlct strata ideal … --over x=-1:1,…' asks "
            "for all zeros in a box, and rlct blowup takes the point apart"
        )
    if isinstance(result.question, BoxProblem):
        return f"{result.method} settled the box without cells: rlct ideal … --explain tells how"
    if result.status == "bounds":
        return (
            "no tree of cells was finished for this question: give it more time with --timeout, or "
            "ask for other sizes"
        )
    return (
        f"{result.method} decides, without cells: --explain tells how; for cells write the "
        "equations out as 'rlct strata ideal … --over x=-1:1,…'"
    )


class _Reader:
    """Reads the tree of a certificate into cells, those above first."""

    def __init__(self, root: ProofBranch) -> None:
        self.cells: list[Stratum] = []
        self._read(root, 0, (), root.node.lower, [])

    def _read(
        self,
        branch: ProofBranch,
        parent: int,
        known_literals: tuple[str, ...],
        least_pair: Pair,
        leaves: list[int],
    ) -> None:
        """Add a cell and those below it; `leaves` are the cells that certificates count."""
        node, number, cell_literals = branch.node, len(self.cells) + 1, branch.literals or ()
        cells_below = [child for child in branch.children if any(True for _ in end_cells(child))]
        if node.rule == "everywhere":
            leaves, least_pair = [], cells_below[0].node.lower
        settled_by, upper, evidence = "", node.upper, dict(node.evidence)
        if branch.literals is not None and not cells_below:
            settled_by, upper = self._settled(branch, leaves), None
            if node.rule == "point":
                upper = branch.children[0].node.upper
        if node.rule in _SILENT:
            evidence = dict([branch.definition]) if branch.definition else {}
        self.cells.append(
            Stratum(
                number,
                parent,
                cell_literals,
                tuple(text for text in cell_literals if text not in known_literals),
                node.generators if branch.literals is None else branch.equations,
                node.rule,
                settled_by,
                evidence,
                node.lower,
                upper,
                bool(settled_by) and node.lower == least_pair,
            )
        )
        if settled_by and node.rule not in ("same", "absent"):
            leaves.append(number)
        for child in cells_below:
            self._read(child, number, cell_literals, least_pair, leaves)
        if node.rule == "everywhere":
            above = _from_above(branch, leaves)
            self.cells[number - 1] = replace(self.cells[number - 1], evidence=above)

    def _settled(self, branch: ProofBranch, leaves: list[int]) -> str:
        """What settles a cell that leads to no other."""
        node = branch.node
        if node.rule == "absent":
            return "no zero"
        if node.rule == "same":
            leaf = node.data["leaf"]
            return f"as cell {leaves[leaf]}" if leaf < len(leaves) else "as an earlier cell"
        rules = ", ".join(dict.fromkeys(_rules(branch)))
        if node.rule == "point":
            germ = branch.children[0].node
            assert germ.statement is not None
            text = polynomials_text(germ.statement.generators, germ.names)
            return f"a point, germ ({text}): {rules}"
        return f"all values at once: {rules}" if node.rule in FAMILY_RULES else rules


def _rules(branch: ProofBranch) -> Iterator[str]:
    if branch.node.rule != "point":
        yield branch.node.rule
    for child in branch.children:
        yield from _rules(child)


def _from_above(branch: ProofBranch, leaves: list[int]) -> dict[str, str]:
    """The zero that bounds the least pair from above."""
    data = branch.node.data
    if "attained" in data:
        return {"from above": f"the germ of cell {leaves[data['attained']]}"}
    places = [", ".join(map(number_text, item["at"])) for item in data.get("points", [])]
    return {"from above": f"a zero at ({places[0]})"} if places else {}
