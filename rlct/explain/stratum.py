"""A cell of a fibre, and cells as the tree of a certificate has them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rlct.blowup.writing import number_text
from rlct.certificate.rules import RuleScope, rules_about
from rlct.explain.proved_step import ProofBranch, bounds_formula, end_cells, polynomials_text
from rlct.pair import Pair


@dataclass(frozen=True)
class Stratum:
    """A cell of the tree, or the box or the part of it whose zeros the cells below hold."""

    #: From 1, a cell before those below it.
    number: int
    #: Number of the cell above, 0 for the first.
    parent: int
    #: What defines the cell, such as ``"x = 0"`` and ``"y ≠ 0"``; those that the cell above does
    #: not have.  A variable with a value is left out of the equations or measured from it.
    literals: tuple[str, ...]
    new: tuple[str, ...]
    #: Polynomials that vanish at the zeros in the cell and are not 0 on all of it.
    equations: tuple[str, ...]
    #: Leads to the cells below, or settles this one.
    rule: str
    #: By what, in words, for a cell with none below it.
    settled: str
    #: What the rule rests on, if that is not in the cells below.
    evidence: Mapping[str, str]
    #: Bounds at every zero in the cell; at a cell that is a point they are those of its germ.
    lower: Pair
    upper: Pair | None
    #: Whether the cell is settled with the least bound, and so decides it.
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


def read_cells(root: ProofBranch) -> tuple[Stratum, ...]:
    """The cells of a tree, those above first."""
    return tuple(_Reader(root).cells)


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
        settled_by, upper = "", node.upper
        evidence = dict([branch.definition]) if branch.definition else node.evidence
        if branch.literals is not None and not cells_below:
            settled_by, upper = self._settled(branch, leaves), None
            if node.rule == "point":
                upper = branch.children[0].node.upper
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
            above = _from_above(branch)
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
        is_family = node.rule in rules_about(RuleScope.FAMILY)
        return f"all values at once: {rules}" if is_family else rules


def _rules(branch: ProofBranch) -> Iterator[str]:
    if branch.node.rule != "point":
        yield branch.node.rule
    for child in branch.children:
        yield from _rules(child)


def _from_above(branch: ProofBranch) -> dict[str, str]:
    """The zero that bounds the least pair from above."""
    data = branch.node.data
    places = [", ".join(map(number_text, item["at"])) for item in data.get("points", [])]
    return {"from above": f"a zero at ({places[0]})"} if places else {}
