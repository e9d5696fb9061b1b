"""Newton polyhedra of the generators, one each: weights are divided until each cell is bounded."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import gcd
from operator import mul
from typing import Any

from rlct.algebra.polynomial import Terms, terms_of
from rlct.engine.newton_polyhedra.joint_bounds import Bounds, Cell, Exponent, Forms, encoded
from rlct.engine.newton_polyhedra.joint_zeros import subsets_of
from rlct.newton.cone_programme import Multipliers, interior_weight
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import has_one_sign
from rlct.pair import Pair
from rlct.proof.encode import encode_numbers
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

__all__ = ["MOST_NODES", "Found", "search"]

MOST_NODES = 6_000
_MOST_TERMS = 60  # of all generators
_MOST_GENERATORS = 7  # their subsets are looked at
_MOST_SAMPLES = 12  # weights of a cell that are kept


@dataclass
class Found:
    """What one search found.

    Parameters
    ----------
    proof : Proof or None
        None if some cell has no bound at all, or the search was too long.
    open : list of Forms
        Initial forms of all generators in the cells where the bound is not known to be sharp.
    finished : bool
        Whether all cells were looked at.
    nodes : int
        Number of cells that were looked at, divided ones included.
    """

    proof: Proof | None
    open: list[Forms] = field(default_factory=list)
    finished: bool = False
    nodes: int = 0


class _TooLongError(Exception):
    """More cells than a search is allowed to look at."""


def search(
    germ: Germ,
    most_open: int | None = None,
    most_nodes: int = MOST_NODES,
) -> Found:
    """Bound a germ by dividing the weights into cells on which all initial forms are constant.

    A cell is left as soon as the generators whose forms are known give a pair of at least the upper
    bound found so far.  The search is given up when more than
    `most_open` cells have no sharp bound, or when it has looked at `most_nodes`.
    """
    generators = [terms_of(g) for g in germ.generators]
    if sum(map(len, generators)) > _MOST_TERMS or len(generators) > _MOST_GENERATORS:
        return Found(None)
    optimum = monomial_optimum(sorted(set().union(*generators)), germ.prior)
    division = _Division(generators, germ.prior, optimum.pair, most_open, most_nodes)
    try:
        tree = division.tree()
    except _TooLongError:
        return Found(None, division.open, False, division.nodes)
    if division.lower is None:
        return Found(None, division.open, True, division.nodes)
    data = {"tree": tree, "weights": [encode_numbers(w) for w in optimum.points]}
    proof = Proof("polyhedra", division.lower, division.upper, data)
    return Found(proof, division.open, True, division.nodes)


class _Division:
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
        self.open: list[Forms] = []
        self.nodes = 0
        self._bounds = Bounds(self.costs)
        self._terms = [_minimal(g) for g in generators]
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
            raise _TooLongError
        leaf = self._sufficient(cell) if cell.forms else None
        if leaf is not None:
            return leaf
        if position == len(self._order):
            return self._best(cell)
        i = self._order[position]
        first, *others = self._terms[i]
        return self._compare(cell, position, (first,), others)

    def _compare(
        self, cell: Cell, position: int, least: tuple[Exponent, ...], left: Sequence[Exponent]
    ) -> dict[str, Any]:
        i = self._order[position]
        if not left:
            form = {a: self.generators[i][a] for a in least}
            known = Cell(cell.positive, cell.zero, {**cell.forms, i: form}, cell.samples)
            return self._next(known, position + 1)
        new, *rest = left
        up = tuple(x - y for x, y in zip(new, least[0], strict=True))
        down = tuple(-x for x in up)
        parts: dict[int, list[Exponent]] = {-1: [], 0: [], 1: []}
        for w in cell.samples:
            value = _dot(up, w)
            parts[(value > 0) - (value < 0)].append(w)
        more = partial(Cell, (*cell.positive, up), cell.zero, cell.forms)
        less = partial(Cell, (*cell.positive, down), cell.zero, cell.forms)
        equal = partial(Cell, cell.positive, (*cell.zero, up), cell.forms)
        nodes: dict[str, Any] = {"compare": i}
        for name, key, make, terms in (
            ("less", -1, less, (new,)),
            ("more", 1, more, least),
            ("equal", 0, equal, (*least, new)),
        ):
            samples = parts[key]
            if name == "equal":
                samples = [*samples, *_between(up, parts[-1], parts[1])]
            part = make(tuple(samples[:_MOST_SAMPLES]))
            if not samples:
                found = interior_weight(len(self.costs), part.positive, part.zero)
                if isinstance(found, Multipliers):
                    nodes[name] = {"empty": encoded(found)}
                    continue
                parts[key].append(tuple(found))
                part = make((tuple(found),))
            nodes[name] = self._compare(part, position, terms, rest)
        return {name: nodes[name] for name in ("compare", "less", "equal", "more")}

    def _sufficient(self, cell: Cell) -> dict[str, Any] | None:
        """A leaf if some of the known generators give the goal."""
        sure = [i for i, form in cell.forms.items() if has_one_sign(form)]
        for chosen in ((), *subsets_of([i for i in cell.forms if i not in sure])):
            if (sure or chosen) and self._may_reach([*sure, *chosen], cell):
                found = self._bounds.lower(cell, sure, chosen, self.goal)
                if found is not None:
                    pair, leaf = found
                    if self.lower is not None:
                        self.lower = min(self.lower, pair)
                    return leaf
        return None

    def _may_reach(self, known: Sequence[int], cell: Cell) -> bool:
        """Whether no weight of the cell refutes the goal, even if none of these vanishes."""
        terms = [next(iter(cell.forms[i])) for i in known]
        twice = 2 * self.goal.lam
        return all(
            sum(map(mul, self.costs, w)) >= twice * min(_dot(a, w) for a in terms)
            for w in cell.samples
        )

    def _best(self, cell: Cell) -> dict[str, Any]:
        """The best bound where all forms are known; it becomes the goal if it is attained."""
        sure = [i for i, form in cell.forms.items() if has_one_sign(form)]
        others = [i for i in cell.forms if i not in sure]
        found = [
            (*bound, chosen)
            for chosen in ((), *subsets_of(others))
            if (sure or chosen)
            and (bound := self._bounds.lower(cell, sure, chosen, None)) is not None
        ]
        if not found:
            self.open.append(cell.forms)
            self.lower = None
            return {}
        pair, leaf, chosen = max(found, key=lambda item: item[0])
        reached = self._bounds.attained(cell, pair) if len(chosen) == len(others) else None
        if reached is not None:
            upper, leaf["attained"] = reached
            self.upper = min(self.upper, upper)
            self.goal = min(self.goal, pair)
        if reached is None or upper > pair:
            self.open.append(cell.forms)
        if self.lower is not None:
            self.lower = min(self.lower, pair)
        return leaf


def _minimal(g: Terms) -> list[Exponent]:
    """Terms that no other one divides."""
    return sorted(
        a
        for a in g
        if not any(b != a and all(x <= y for x, y in zip(b, a, strict=True)) for b in g)
    )


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
