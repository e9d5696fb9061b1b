"""Newton polyhedra of the generators, one each: weights are divided until each cell is bounded."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import gcd
from operator import mul
from typing import Any

from rlct.algebra.polynomial import Terms, terms_of
from rlct.engine import limits
from rlct.engine.newton_polyhedra.independent import least_terms
from rlct.engine.newton_polyhedra.joint_bounds import (
    Cell,
    CellBounds,
    Exponent,
    InitialForms,
    encode_multipliers,
)
from rlct.engine.newton_polyhedra.joint_zeros import subsets_of
from rlct.newton.cone_programme import Multipliers, interior_weight
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import has_one_sign
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


@dataclass
class DivisionOutcome:
    """What one search found."""

    #: None if some cell has no bound at all, or the search was too long.
    proof: Proof | None
    #: Initial forms of all generators in the cells where the bound is not known to be sharp.
    open: list[InitialForms] = field(default_factory=list)
    finished: bool = False
    #: Number of cells that were looked at, divided ones included.
    nodes: int = 0


class TooLongError(Exception):
    """More cells than a search is allowed to look at."""


def divide_weights(
    germ: Germ,
    most_open: int | None = None,
    most_nodes: int = limits.MOST_DIVISION_CELLS,
) -> DivisionOutcome:
    """Bound a germ by dividing the weights into cells on which all initial forms are constant.

    A cell is left as soon as the generators whose forms are known give a pair of at least the upper
    bound found so far.  The search is given up when more than
    `most_open` cells have no sharp bound, or when it has looked at `most_nodes`.
    """
    generators = [terms_of(g) for g in germ.generators]
    if (
        sum(map(len, generators)) > limits.MOST_DIVISION_TERMS
        or len(generators) > limits.MOST_DIVISION_GENERATORS
    ):
        return DivisionOutcome(None)
    optimum = monomial_optimum(sorted(set().union(*generators)), germ.prior)
    weight_division = WeightDivision(generators, germ.prior, optimum.pair, most_open, most_nodes)
    try:
        tree = weight_division.tree()
    except TooLongError:
        return DivisionOutcome(None, weight_division.open, False, weight_division.nodes)
    if weight_division.lower is None:
        return DivisionOutcome(None, weight_division.open, True, weight_division.nodes)
    data = {"tree": tree, "weights": [encode_numbers(w) for w in optimum.points]}
    proof = Proof("polyhedra", weight_division.lower, weight_division.upper, data)
    return DivisionOutcome(proof, weight_division.open, True, weight_division.nodes)


class WeightDivision:
    """A search that divides all weights w > 0 into cells and leaves a proof on each."""

    def __init__(
        self,
        generators: Sequence[Terms],
        prior: Sequence[Fraction],
        hull: Pair,
        most_open: int | None,
        most_nodes: int,
    ) -> None:
        self.most_nodes = most_nodes
        self.most_open = most_open
        self.generators = generators
        self.costs = [1 + h for h in prior]
        self.upper = hull
        self.goal = hull
        self.lower: Pair | None = Pair(Fraction(10**9), 1)
        self.open: list[InitialForms] = []
        self.nodes = 0
        self.cell_bounds = CellBounds(self.costs)
        self._terms = [least_terms(g) for g in generators]
        self._order = sorted(range(len(generators)), key=lambda i: len(self._terms[i]))

    def tree(self) -> dict[str, Any]:
        """Divide all weights."""
        rng = random.Random(1)
        width = len(self.costs)
        samples = tuple(tuple(rng.randint(1, 60) for _ in range(width)) for _ in range(60))
        return self._next(Cell(samples=samples), 0)

    def _next(self, cell: Cell, position: int) -> dict[str, Any]:
        """Bound a cell, or compare the terms of one more generator."""
        self.nodes += 1
        too_open = self.most_open is not None and len(self.open) > self.most_open
        if self.nodes > self.most_nodes or too_open:
            raise TooLongError
        leaf = self.early_leaf(cell) if cell.forms else None
        if leaf is not None:
            return leaf
        if position == len(self._order):
            return self.last_leaf(cell)
        i = self._order[position]
        first, *others = self._terms[i]
        return self._compare(cell, position, (first,), others)

    def _compare(
        self,
        cell: Cell,
        generator_position: int,
        least_terms: tuple[Exponent, ...],
        terms_left: Sequence[Exponent],
    ) -> dict[str, Any]:
        i = self._order[generator_position]
        if not terms_left:
            form = {a: self.generators[i][a] for a in least_terms}
            known = Cell(cell.positive, cell.zero, {**cell.forms, i: form}, cell.samples)
            return self._next(known, generator_position + 1)
        new_term, *later_terms = terms_left
        up = tuple(x - y for x, y in zip(new_term, least_terms[0], strict=True))
        down = tuple(-x for x in up)
        parts: dict[int, list[Exponent]] = {-1: [], 0: [], 1: []}
        for w in cell.samples:
            value = _dot(up, w)
            parts[(value > 0) - (value < 0)].append(w)
        cell_with = partial(Cell, (*cell.positive, up), cell.zero, cell.forms)
        less = partial(Cell, (*cell.positive, down), cell.zero, cell.forms)
        equal = partial(Cell, cell.positive, (*cell.zero, up), cell.forms)
        nodes: dict[str, Any] = {"compare": i}
        for name, key, make_cell, terms in (
            ("less", -1, less, (new_term,)),
            ("more", 1, cell_with, least_terms),
            ("equal", 0, equal, (*least_terms, new_term)),
        ):
            samples = parts[key]
            if name == "equal":
                samples = [*samples, *_between(up, parts[-1], parts[1])]
            part = make_cell(tuple(samples[: limits.MOST_CELL_WEIGHTS]))
            if not samples:
                inner_weight = interior_weight(len(self.costs), part.positive, part.zero)
                if isinstance(inner_weight, Multipliers):
                    nodes[name] = {"empty": encode_multipliers(inner_weight)}
                    continue
                parts[key].append(tuple(inner_weight))
                part = make_cell((tuple(inner_weight),))
            nodes[name] = self._compare(part, generator_position, terms, later_terms)
        return {name: nodes[name] for name in ("compare", "less", "equal", "more")}

    def early_leaf(self, cell: Cell) -> dict[str, Any] | None:
        """A leaf if some of the known generators give the goal."""
        of_one_sign = [i for i, form in cell.forms.items() if has_one_sign(form)]
        for mixed_subset in (
            (),
            *subsets_of([i for i in cell.forms if i not in of_one_sign]),
        ):
            if (of_one_sign or mixed_subset) and self._may_reach(
                [*of_one_sign, *mixed_subset], cell
            ):
                found = self.cell_bounds.lower(cell, of_one_sign, mixed_subset, self.goal)
                if found is not None:
                    pair, leaf = found
                    if self.lower is not None:
                        self.lower = min(self.lower, pair)
                    return leaf
        return None

    def _may_reach(self, known_generators: Sequence[int], cell: Cell) -> bool:
        """Whether no weight of the cell refutes the goal, even if none of these vanishes."""
        terms = [next(iter(cell.forms[i])) for i in known_generators]
        twice = 2 * self.goal.lam
        return all(
            sum(map(mul, self.costs, w)) >= twice * min(_dot(a, w) for a in terms)
            for w in cell.samples
        )

    def last_leaf(self, cell: Cell) -> dict[str, Any]:
        """The best bound where all forms are known; it becomes the goal if it is attained."""
        of_one_sign = [i for i, form in cell.forms.items() if has_one_sign(form)]
        mixed_indices = [i for i in cell.forms if i not in of_one_sign]
        candidate_bounds = [
            (*bound, mixed_subset)
            for mixed_subset in ((), *subsets_of(mixed_indices))
            if (of_one_sign or mixed_subset)
            and (bound := self.cell_bounds.lower(cell, of_one_sign, mixed_subset, None)) is not None
        ]
        if not candidate_bounds:
            self.open.append(cell.forms)
            self.lower = None
            return {}
        pair, leaf, mixed_subset = max(candidate_bounds, key=lambda item: item[0])
        attained_bound = (
            self.cell_bounds.attained(cell, pair)
            if len(mixed_subset) == len(mixed_indices)
            else None
        )
        if attained_bound is not None:
            upper, leaf["attained"] = attained_bound
            self.upper = min(self.upper, upper)
            self.goal = min(self.goal, pair)
        if attained_bound is None or upper > pair:
            self.open.append(cell.forms)
        if self.lower is not None:
            self.lower = min(self.lower, pair)
        return leaf


def _dot(a: Sequence[int], w: Sequence[int]) -> int:
    return sum(map(mul, a, w))


def _between(
    row: Exponent, below: Sequence[Exponent], above: Sequence[Exponent]
) -> Iterator[Exponent]:
    """Weights on the wall between weights on both sides."""
    for low in below[:3]:
        for high in above[:2]:
            p, q = -_dot(row, low), _dot(row, high)
            sums = [x * q + y * p for x, y in zip(low, high, strict=True)]
            common = gcd(*sums)
            yield tuple(x // common for x in sums)
