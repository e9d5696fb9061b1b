"""The checker on the zeros in a cell: some variables are 0 there, some are not, others anything.

Every rule bounds the pair at each zero in the cell from below, for all real values of the
variables; ``theory/fibres.md`` states and proves each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rlct.certificate import cost
from rlct.certificate.arithmetic import (
    Poly,
    is_one_signed,
    partial_derivative,
    poly_product,
    poly_quotient,
    poly_scale,
    poly_sum,
    read_fraction,
    read_polynomial,
    taylor_shift,
    variables,
)
from rlct.certificate.family import GermFamily
from rlct.certificate.field import RealNumber
from rlct.certificate.statement import (
    Data,
    PairBounds,
    Statement,
    need,
    read_index,
    read_indices,
)
from rlct.pair import Pair

__all__ = ["CELL_RULES", "FibreCell", "Leaf", "bound_of_cell", "cells_below", "family_of_cell"]

#: Solves a germ or a family with the proof of a child.
ReplayLeaf = Callable[[Statement | GermFamily, Mapping[str, Any]], PairBounds]


@dataclass(frozen=True)
class FibreCell:
    """The points where the variables in `zeros` are 0 and those in `nonzero` are not.

    K = Σ g² in all variables; the prior is Π|x|^h with h ≥ 0.  A variable is one of the question,
    given by `origin`, less its entry in `values`; those that are left out have the value there.
    No zero in space has a λ of `above` or more.  A point of the cell has the pair of the point in
    space with these values only if the variables in `along` are not 0 there.
    """

    generators: tuple[Poly, ...]
    prior: tuple[Fraction, ...]
    origin: tuple[int, ...]
    above: Fraction
    zeros: frozenset[int] = frozenset()
    nonzero: frozenset[int] = frozenset()
    values: tuple[tuple[int, Fraction], ...] = ()
    along: frozenset[int] = frozenset()

    @classmethod
    def whole(cls, generators: Sequence[Poly], prior: Sequence[Fraction]) -> FibreCell:
        """All of space."""
        nonzero_generators = tuple(g for g in generators if g)
        # Twice the λ at a zero is at most Σ (1 + h), since g² ≤ C·|x − x₀|² there.
        above = sum((1 + h for h in prior), Fraction(0))
        return cls(nonzero_generators, tuple(prior), tuple(range(len(prior))), above)

    @property
    def width(self) -> int:
        """Number of variables."""
        return len(self.prior)

    def on_cell(self, g: Poly) -> Poly:
        """Terms of a generator that do not vanish on the whole cell."""
        return {m: c for m, c in g.items() if not any(m[i] for i in self.zeros)}

    def valued(self, i: int, value: Fraction) -> tuple[tuple[int, Fraction], ...]:
        """The values, when x_i gets one; it may be measured from another already."""
        earlier = dict(self.values)
        earlier[self.origin[i]] = earlier.get(self.origin[i], Fraction(0)) + value
        return tuple(earlier.items())

    def without(self, i: int, value: int) -> FibreCell:
        """The cell and the ideal on x_i = value, in the other variables."""
        generators = []
        for g in self.generators:
            parts: dict[tuple[int, ...], list[RealNumber]] = {}
            for m, c in g.items():
                parts.setdefault((*m[:i], *m[i + 1 :]), []).append(c * value ** m[i])
            sums = {m: sum(numbers, Fraction(0)) for m, numbers in parts.items()}
            generators.append({m: c for m, c in sums.items() if c})
        need(any(generators), "fibre: no generator is left")

        def moved(indices: frozenset[int]) -> frozenset[int]:
            return frozenset(k - (k > i) for k in indices if k != i)

        return FibreCell(
            tuple(g for g in generators if g),
            (*self.prior[:i], *self.prior[i + 1 :]),
            (*self.origin[:i], *self.origin[i + 1 :]),
            self.above,
            moved(self.zeros),
            moved(self.nonzero),
            self.valued(i, Fraction(value)),
            self.along,
        )


@dataclass(frozen=True)
class Leaf:
    """A cell to which no rule was applied, with its bounds.

    At a cell that is a point, `upper` bounds the pair there, and `place` is that point.
    """

    cell: FibreCell
    lower: Pair
    upper: Pair | None = None

    @property
    def place(self) -> list[Fraction] | None:
        """The point in the variables of the question; x_i is 0 if nothing else is said of it.

        None where a slide was along a variable that is 0 there: the germ in space is another.
        """
        values = dict(self.cell.values)
        count = len({*values, *self.cell.origin})
        place = [values.get(i, Fraction(0)) for i in range(count)]
        return place if all(place[i] for i in self.cell.along) else None


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
    cells = cells_below(cell, node)
    if cells is None:
        lower, _ = replay_leaf(family_of_cell(cell), node)
        leaves.append(Leaf(cell, lower))
        return lower
    need(len(cells) == len(children), "fibre: a cell is missing, or one too many")
    lowers = []
    for inner, proof in zip(cells, children, strict=True):
        if isinstance(inner, Statement):
            lower, upper = replay_leaf(inner, proof)
            leaves.append(Leaf(cell, lower, upper))
            lowers.append(lower)
        else:
            lowers.append(bound_of_cell(inner, proof, replay_leaf, leaves))
    lower = min(lowers) if lowers else lower
    need(
        node["lower"] == [str(lower.lam), lower.theta] and type(node["lower"][1]) is int,
        f"fibre: {name}: the bound is {lower}",
    )
    need(node["upper"] is None, f"fibre: {name}: nothing is bounded from above")
    return lower


def cells_below(cell: FibreCell, node: Mapping[str, Any]) -> Sequence[FibreCell | Statement] | None:
    """What the rule of a node leads to; None if it is a rule for families of germs."""
    name, data = node["rule"], node.get("data", {})
    if name == "point":
        return [_germ_of_cell(cell)]
    if name in ("same", "absent"):
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
    earlier_cell = leaf.cell
    image = read_indices(data["permutation"], cell.width, "same: not a permutation")
    need(sorted(image) == list(range(earlier_cell.width)), "same: not a permutation")
    need(
        earlier_cell.prior == tuple(cell.prior[k] for k in image)
        and frozenset(image[i] for i in earlier_cell.zeros) == cell.zeros
        and frozenset(image[i] for i in earlier_cell.nonzero) == cell.nonzero,
        "same: the cells are not the same",
    )
    cost.charge(sum(map(len, cell.generators)) * (20 + 2 * cell.width), "a symmetry")

    def key(g: Poly) -> frozenset[Any]:
        sign = 1 if g[max(g)] > 0 else -1
        return frozenset((m, c * sign) for m, c in g.items())

    moved = [{tuple(m[k] for k in image): c for m, c in g.items()} for g in cell.generators]
    need(
        {key(g) for g in moved} == {key(g) for g in earlier_cell.generators},
        "same: the generators are not the same",
    )
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


def _contract(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero of the cell has at least the pair of one with x_i = 0 where w_i > 0.

    If t^w takes each generator to t^c times itself, and w_i ≥ 0 where x_i is not 0 on the cell:
    the pair is the same along t^w x, and at the limit t → 0 it is no larger (semicontinuity).
    """
    weights = _weights(cell, data)
    need(
        all(w >= 0 for i, w in enumerate(weights) if i not in cell.zeros),
        "contract: a variable grows without bound",
    )
    moved = frozenset(i for i, w in enumerate(weights) if w > 0)
    return [replace(cell, zeros=cell.zeros | moved, nonzero=cell.nonzero - moved)]


def _normalise(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has the pair of one with x_i = ±1 of the ideal on x_i = ±1.

    If x_i ≠ 0 on the cell and t^w takes each generator to t^c times itself, w_i ≠ 0: then
    x_k = |x_i|^(w_k/w_i)·y_k are coordinates in which K is a unit times a function of the y.
    """
    weights = _weights(cell, data)
    i = read_index(data["variable"], cell.width, "normalise: no such variable")
    need(i in cell.nonzero and weights[i] != 0, "normalise: the variable is not moved")
    if "signs" not in data:
        return [cell.without(i, 1), cell.without(i, -1)]
    # Changes of sign take x_i = −1 to x_i = 1, and each generator to itself or its negative.
    signs = read_indices(data["signs"], 2, "normalise: the signs")
    need(len(signs) == cell.width and signs[i] == 1, "normalise: the signs")
    need(
        all(len({_dot(signs, m) % 2 for m in g}) == 1 for g in cell.generators),
        "normalise: the signs change a generator",
    )
    return [cell.without(i, 1)]


def _slide(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has the pair of one with x_j = 0 of the ideal on x_j = 0.

    If exp(sN), N nilpotent with N x_j = c·x_i and N x_i = 0, takes the span of the generators to
    itself, and x_i ≠ 0: s = x_j/(c·x_i) and a point with y_j = 0 are coordinates.
    """
    j = read_index(data["variable"], cell.width, "slide: no such variable")
    i = read_index(data["along"], cell.width, "slide: no such variable")
    rows: dict[int, list[tuple[int, Fraction]]] = {}
    for k, row in data["field"]:
        k = read_index(k, cell.width, "slide: no such variable")
        need(k not in rows and bool(row), "slide: a variable twice")
        rows[k] = [
            (read_index(n, cell.width, "slide: no such variable"), read_fraction(c)) for n, c in row
        ]
    need(i in cell.nonzero and i not in rows and j in rows, "slide: the variable is not moved")
    need(
        [n for n, c in rows[j] if c] == [i] and len(rows[j]) == 1,
        "slide: the variable moves by others",
    )
    need(all(cell.prior[k] == 0 for k in rows), "slide: a prior is moved")
    kept_variables = _stays(cell, rows)
    for g, factors in zip(cell.generators, data["matrix"], strict=True):
        need(len(factors) == len(cell.generators), "slide: the matrix")
        image = _derivative(cell, g, rows)
        sums = [
            poly_scale(f, read_fraction(c))
            for c, f in zip(factors, cell.generators, strict=True)
            if read_fraction(c)
        ]
        need(image == (poly_sum(*sums) if sums else {}), "slide: the ideal is not kept_variables")
    looser = replace(
        cell,
        along=cell.along | {cell.origin[i]},
        zeros=cell.zeros & kept_variables,
        nonzero=cell.nonzero & kept_variables,
    )
    return [looser.without(j, 0)]


def _stays(cell: FibreCell, rows: Mapping[int, Sequence[tuple[int, Fraction]]]) -> frozenset[int]:
    """Variables that the flow leaves as they are on the cell; raises unless N is nilpotent."""
    kept = {k for k in range(cell.width) if k not in rows}
    settled = set(kept)
    while len(settled) < cell.width:
        cost.charge(20 * cell.width**2, "a nilpotent field")
        new = [k for k in rows if k not in settled and all(n in settled for n, _ in rows[k])]
        need(bool(new), "slide: the field is not triangular")
        settled.update(new)
        kept.update(k for k in new if all(n in cell.zeros and n in kept for n, _ in rows[k]))
    return frozenset(kept)


def _derivative(
    cell: FibreCell, g: Poly, rows: Mapping[int, Sequence[tuple[int, Fraction]]]
) -> Poly:
    """Derivative of a polynomial along Σ (N x_k) ∂/∂x_k."""
    parts = []
    for k, row in rows.items():
        linear: Poly = {tuple(int(m == n) for m in range(cell.width)): c for n, c in row if c}
        slope = partial_derivative(g, k)
        if slope and linear:
            parts.append(poly_product(linear, slope))
    return poly_sum(*parts) if parts else {}


def _subtract(cell: FibreCell, data: Data) -> list[FibreCell]:
    """The ideal is that of generators from which multiples of others are subtracted.

    Without a condition: each can be undone.
    """
    generators = list(cell.generators)
    for operation in data["operations"]:
        i = read_index(operation["from"], len(generators), "subtract: no such generator")
        j = read_index(operation["subtract"], len(generators), "subtract: no such generator")
        need(i != j, "subtract: a generator subtracted from itself")
        factor = read_polynomial(operation["times"], cell.width)
        product = poly_product(factor, generators[j])
        generators[i] = poly_sum(generators[i], poly_scale(product, -1))
    need(any(generators), "subtract: no generator is left")
    return [replace(cell, generators=tuple(g for g in generators if g))]


def _branch(cell: FibreCell, data: Data) -> list[FibreCell]:
    """The zeros with x_i ≠ 0 and those with x_i = 0 are all zeros of the cell."""
    i = read_index(data["variable"], cell.width, "branch: no such variable")
    need(i not in cell.zeros | cell.nonzero, "branch: the variable is decided")
    return [replace(cell, nonzero=cell.nonzero | {i}), replace(cell, zeros=cell.zeros | {i})]


def _solve(cell: FibreCell, data: Data) -> list[FibreCell]:
    """Each zero has x_i = one of the roots of p, which become 0 one by one.

    If a generator is p(x_i) on the cell, p = q·Π (x − a)^e, and q has no real zero since its terms
    have one sign; the prior has to be trivial in x_i, or a not 0.
    """
    k = read_index(data["generator"], len(cell.generators), "solve: no such generator")
    i = read_index(data["variable"], cell.width, "solve: no such variable")
    terms = cell.on_cell(cell.generators[k])
    need(i not in cell.zeros and variables([terms]) == {i}, "solve: another variable is involved")
    roots = [read_fraction(a) for a in data["roots"]]
    need(len(set(roots)) == len(roots) and bool(roots), "solve: a root twice, or none")
    x, one = tuple(int(n == i) for n in range(cell.width)), (0,) * cell.width
    left: Poly = terms
    for a in roots:
        divisor: Poly = {x: Fraction(1), one: -a} if a else {x: Fraction(1)}
        quotient = poly_quotient(left, divisor)
        need(quotient is not None, "solve: not a root")
        while quotient is not None:
            left, quotient = quotient, poly_quotient(quotient, divisor)
    need(one in left and is_one_signed(left), "solve: there may be other roots")
    children = []
    for a in roots:
        if not a and i in cell.nonzero:
            continue
        place = [a if n == i else Fraction(0) for n in range(cell.width)]
        children.append(
            replace(
                cell,
                generators=tuple(taylor_shift(g, place) for g in cell.generators),
                prior=tuple(Fraction(0) if n == i and a else h for n, h in enumerate(cell.prior)),
                zeros=cell.zeros | {i},
                nonzero=cell.nonzero - {i},
                values=cell.valued(i, a),
            )
        )
    need(bool(children), "solve: no root is in the cell")
    return children


def _weights(cell: FibreCell, data: Data) -> list[int]:
    """Integers under which every generator is homogeneous."""
    weights: list[int] = data["weights"]
    need(
        isinstance(weights, list)
        and len(weights) == cell.width
        and all(type(w) is int and abs(w) <= cost.EXPONENT for w in weights),
        "fibre: the weights are not integers, one for each variable",
    )
    need(
        all(len({_dot(weights, m) for m in g}) == 1 for g in cell.generators),
        "fibre: a generator is not homogeneous",
    )
    return weights


def _dot(weights: Sequence[int], exponents: Sequence[int]) -> int:
    return sum(w * e for w, e in zip(weights, exponents, strict=True))


CELL_RULES: dict[str, Callable[[FibreCell, Data], list[FibreCell]]] = {
    "subtract": _subtract,
    "contract": _contract,
    "normalise": _normalise,
    "slide": _slide,
    "branch": _branch,
    "solve": _solve,
}
