"""The checker on the zeros in a cell: some variables are 0 there, some are not, others anything.

Every rule bounds the pair at each zero in the cell from below, for all real values of the
variables; ``theory/fibres.md`` states and proves each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.family import GermFamily
from rlct.certificate.fibre.cell import FibreCell
from rlct.certificate.fibre.cell_rules import CELL_RULES, check_symmetry
from rlct.certificate.fibre.fields import bound_of_fields
from rlct.certificate.germs.independent import UnitCell, bound_of_independent
from rlct.certificate.numbers.arithmetic import Poly, is_one_signed
from rlct.certificate.statement import (
    Data,
    PairBounds,
    Statement,
    need,
    read_index,
)
from rlct.pair import Pair

__all__ = ["Leaf", "bound_of_cell", "cells_below", "family_of_cell"]

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
    if name == "same":
        lower = _bound_of_leaf(cell, data, leaves)
    elif name == "absent":
        lower = _bound_of_empty(cell, data)
    elif name == "fields":
        lower = bound_of_fields(cell, data)
        leaves.append(Leaf(cell, lower))
    elif name == "independent":
        units = UnitCell(cell.prior, cell.zeros, cell.known_units(), cell.nonzero)
        lower = bound_of_independent(units, cell.generators, data)
        leaves.append(Leaf(cell, lower))
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
    if name == "point":
        return [_germ_of_cell(cell)]
    if name in ("same", "absent", "fields", "independent"):
        return []
    return CELL_RULES[name](cell, data) if name in CELL_RULES else None


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


def _germ_of_cell(cell: FibreCell) -> Statement:
    """The germ at the only point of a cell on which all variables are 0."""
    need(len(cell.zeros) == cell.width, "fibre: the cell has more points than one")
    need(not any(map(cell.on_cell, cell.generators)), "fibre: the point is no zero")
    return Statement(cell.generators, cell.prior, True)


def _bound_of_leaf(cell: FibreCell, data: Data, leaves: Sequence[Leaf]) -> Pair:
    """The cell has the germs of an earlier leaf.

    If a permutation of the variables takes generators up to signs, prior and literals to these.
    """
    leaf = leaves[read_index(data["leaf"], len(leaves), "same: no such leaf")]
    check_symmetry(leaf.cell, cell, data["permutation"], "same")
    return leaf.lower


def _bound_of_empty(cell: FibreCell, data: Data) -> Pair:
    """Any bound holds where there is no zero, such as one that no zero in space has.

    If the terms of a generator have one sign on each orthant, and one of them is not 0 on the cell.
    """
    k = read_index(data["generator"], len(cell.generators), "absent: no such generator")
    terms = cell.on_cell(cell.generators[k])
    need(bool(terms) and is_one_signed(terms), "absent: the terms may cancel")
    need(
        any(all(i in cell.nonzero for i, e in enumerate(m) if e) for m in terms),
        "absent: all terms may vanish",
    )
    return Pair(cell.above, 1)
