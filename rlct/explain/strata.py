"""The cells of a fibre and the pair on each, read from the certificate of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rlct.answers.result import Result
from rlct.answers.routes import solve
from rlct.errors import InputError
from rlct.explain.argument import branch_of
from rlct.explain.proved_step import bounds_formula, end_cells
from rlct.explain.stratum import Stratum, read_cells
from rlct.report.mathematics import latex, latex_math
from rlct.system.options import explain_options

if TYPE_CHECKING:
    import networkx as nx

    from rlct.answers.routes import Question

_MOST_EQUATIONS = 4  # of a cell that are shown as text


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

    def _repr_html_(self) -> str:
        """Rich form for notebooks: a row for each settled cell."""
        from rlct.report.notebook import rows_html

        rows = [
            [
                str(cell.number),
                "; ".join([*cell.literals, *self.definitions(cell)]) or "all values",
                ", ".join(f"{text} = 0" for text in cell.equations) or "none",
                cell.settled.replace("`", ""),
                f"{cell.claim}{', deepest' * cell.deepest}",
            ]
            for cell in self.ends
        ]
        below = [f"{len(self.cells)} cells in a tree, {len(rows)} settled; {self.result.where}"]
        below += [f"pairs {self._of_equations}"] * bool(self.excess)
        heads = ("cell", "where", "equations", "settled by", "pair")
        return rows_html(heads, rows, below, str(self.result).partition(" (")[0])

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
                return Strata(result, read_cells(root), excess)
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
