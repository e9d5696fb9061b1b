"""The checker on the zeros in a cell: some variables are 0 there, some are not, others anything.

Every rule bounds the pair at each zero in the cell from below, for all real values of the
variables; ``theory/fibres.md`` states and proves each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.family import GermFamily
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.fibre.cell_rules import check_symmetry
from rlct.certificate.germs.independent import UnitCell, bound_of_independent
from rlct.certificate.numbers.arithmetic import Poly, is_one_signed
from rlct.certificate.rules import RuleScope, checked_rule, rules_about
from rlct.certificate.statement import (
    Data,
    PairBounds,
    Statement,
    need,
    read_index,
)
from rlct.pair import Pair

#: Solves a germ or a family with the proof of a child.
ReplayLeaf = Callable[[Statement | GermFamily, Mapping[str, Any]], PairBounds]


@dataclass(frozen=True)
class Leaf:
    """A cell to which no rule was applied, with its bound."""

    cell: FibreCell
    lower: Pair


def bound_of_cell(
    cell: FibreCell,
    node: Mapping[str, Any],
    replay_leaf: ReplayLeaf,
    leaves: list[Leaf],
) -> Pair:
    """Lower bound of the pair at every zero in the cell, by the rule of the node.

    A node whose rule is none for cells is the proof of the germs of the cell, as a family.
    """
    name, data, children = node["rule"], node.get("data", {}), node.get("children", [])
    cost.charge(sum(map(len, cell.generators)) * (20 + 2 * cell.width), "the steps of a proof")
    if name in rules_about(RuleScope.LEAF):
        lower = rules_about(RuleScope.LEAF)[name](cell, data)
        leaves.append(Leaf(cell, lower))
    elif name in rules_about(RuleScope.END):
        lower = rules_about(RuleScope.END)[name](cell, data, leaves)
    cells = cells_below(cell, node)
    if cells is None:
        lower, _ = replay_leaf(family_of_cell(cell), node)
        leaves.append(Leaf(cell, lower))
        return lower
    need(len(cells) == len(children), "fibre: a cell is missing, or one too many")
    lowers = []
    for inner, proof in zip(cells, children, strict=True):
        if isinstance(inner, Statement):
            lower, _ = replay_leaf(inner, proof)
            leaves.append(Leaf(cell, lower))
            lowers.append(lower)
        else:
            lowers.append(bound_of_cell(inner, proof, replay_leaf, leaves))
    lower = min(lowers) if lowers else lower
    expected = [str(lower.lam), lower.theta]
    need(
        node["lower"] == expected and type(node["lower"][1]) is int,
        f"fibre > {name}: lower is {expected}, not {node['lower']}",
    )
    need(node["upper"] is None, f"fibre > {name}: upper is None, not {node['upper']}")
    return lower


def cells_below(cell: FibreCell, node: Mapping[str, Any]) -> Sequence[FibreCell | Statement] | None:
    """What the rule of a node leads to; None if it is a rule for families of germs."""
    name, data = node["rule"], node.get("data", {})
    if name in rules_about(RuleScope.LEAF | RuleScope.END):
        return []
    cell_rules = rules_about(RuleScope.CELL)
    return cell_rules[name](cell, data) if name in cell_rules else None


def family_of_cell(cell: FibreCell) -> GermFamily:
    """Germs at the points of a cell, with the variables that are not 0 as parameters.

    Where generators do not vanish on the whole cell they are multiplied by a local s whose prior
    is so large that the pair where g ≠ 0 is above that at any zero of g.
    """
    local_order, free_order = (
        sorted(cell.zeros),
        [i for i in range(cell.width) if i not in cell.zeros],
    )
    order = [*local_order, *free_order]
    extra_exponents = (1,) if any(map(cell.on_cell, cell.generators)) else ()
    # H = Σ (1 + h_i) is at least twice the λ at any zero, since g² ≤ C·|x − x₀|² there.
    prior = (sum((1 + h for h in cell.prior), Fraction(0)),) if extra_exponents else ()
    d = len(extra_exponents) + len(local_order)
    units: tuple[Poly, ...] = tuple(
        {tuple(int(k == d + n) for k in range(len(extra_exponents) + cell.width)): Fraction(1)}
        for n, i in enumerate(free_order)
        if i in cell.nonzero
    )
    empty = GermFamily(
        (),
        (*prior, *(cell.prior[i] for i in local_order)),
        tuple(cell.prior[i] for i in free_order),
        0,
        units,
    )
    return empty.with_generators(
        [
            {(*extra_exponents, *(m[i] for i in order)): c for m, c in g.items()}
            for g in cell.generators
        ]
    )


@checked_rule(
    "point",
    scope=RuleScope.CELL,
    wording="A single point\nAll variables are 0. What is left is one germ ({labels[0]}).",
)
def _point(cell: FibreCell, data: Data) -> list[Statement]:
    """The only zero in the cell has the pair of its germ.

    If all variables are 0 on the cell, and the generators are (``theory/fibres.md``).
    """
    need(len(cell.zeros) == cell.width, "fibre: the cell has more points than one")
    need(not any(map(cell.on_cell, cell.generators)), "fibre: the point is no zero")
    return [Statement(cell.generators, cell.prior, True)]


@checked_rule(
    "same",
    "{leaf: index, permutation: [index]}",
    RuleScope.END,
    "As before\n"
    "Other names of the variables make these the germs of an earlier cell.\n"
    "→ So at each zero of the cell {result}.",
)
def _same(cell: FibreCell, data: Data, leaves: Sequence[Leaf]) -> Pair:
    """The bound is that of an earlier leaf, which has the same germs.

    If a permutation of the variables takes generators up to signs, prior and literals to these
    (``theory/fibres.md``).
    """
    leaf = leaves[read_index(data["leaf"], len(leaves), "same: no such leaf")]
    check_symmetry(leaf.cell, cell, data["permutation"], "same")
    return leaf.lower


@checked_rule(
    "absent",
    "{generator: index}",
    RuleScope.END,
    "No zero\n"
    "The terms of {generator} cannot cancel here, and do not all vanish.\n"
    "→ Any bound holds, such as {result}, which is above that of any zero in space.",
)
def _absent(cell: FibreCell, data: Data, leaves: Sequence[Leaf]) -> Pair:
    """Any bound holds where there is no zero, such as one that no zero in space has.

    If the terms of a generator have one sign on each orthant, and one of them is not 0 on the cell
    (``theory/fibres.md``).
    """
    k = read_index(data["generator"], len(cell.generators), "absent: no such generator")
    terms = cell.on_cell(cell.generators[k])
    need(bool(terms) and is_one_signed(terms), "absent: the terms may cancel")
    need(
        any(all(i in cell.nonzero for i, e in enumerate(m) if e) for m in terms),
        "absent: all terms may vanish",
    )
    return Pair(cell.above, 1)


@checked_rule("independent", scope=RuleScope.LEAF)
def _independent(cell: FibreCell, data: Data) -> Pair:
    """Each pair is at least that of the monomials of `independent`, with coefficients on the cell.

    If each of these vanishes nowhere on the cell (``theory/independent.md``).
    """
    units = UnitCell(cell.prior, cell.zeros, cell.known_units(), cell.nonzero)
    return bound_of_independent(units, cell.generators, data)
