"""The order of the rules, points to be tried, and the proofs at the leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, product
from typing import Any

from rlct.algebra.polynomial import terms_of, value_at
from rlct.engine import limits
from rlct.engine.fibre.branch import branch, empty_generator, next_variable
from rlct.engine.fibre.cells import LiteralCell, cell_family
from rlct.engine.fibre.change import complete_products, take_coordinate
from rlct.engine.fibre.contract import contract_variables
from rlct.engine.fibre.cover import cover_by_sums
from rlct.engine.fibre.fields import bound_by_fields
from rlct.engine.fibre.leaf_germ import prove_leaf_germ
from rlct.engine.fibre.match import earlier_leaf
from rlct.engine.fibre.normalise import normalise_variable
from rlct.engine.fibre.rotate import rotate_variable
from rlct.engine.fibre.slide import slide_variable
from rlct.engine.fibre.solve import solve_variable
from rlct.engine.fibre.subtract import subtract_from_others
from rlct.engine.fibre.unit_terms import independent_leaf
from rlct.engine.reductions.eliminate import eliminate_variable
from rlct.engine.strategy import prove_family, prove_problem
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ, Problem
from rlct.system.time_limit import Budget

Rule = Callable[[LiteralCell], tuple[dict[str, object], list[LiteralCell]] | None]

#: A variable on which a group acts is taken to 0 before another is scaled to ±1: then it is one.
CELL_RULES: tuple[tuple[str, Rule], ...] = (
    ("subtract", subtract_from_others),
    ("contract", contract_variables),
    ("rotate", rotate_variable),
    ("slide", slide_variable),
    ("normalise", normalise_variable),
    ("solve", solve_variable),
)
#: If that is not enough: before a variable is branched on, and roots first, to keep units.  What a
#: rotation leaves are points, which are for the first rules.
COMPLETING_RULES: tuple[tuple[str, Rule], ...] = (
    ("subtract", subtract_from_others),
    ("solve", solve_variable),
    *(rule for rule in CELL_RULES[1:-1] if rule[1] is not rotate_variable),
    ("cover", cover_by_sums),
    ("change", take_coordinate),
    ("change", complete_products),
)
#: Values of parameters at points that are tried; by hand.
_TRIED_VALUES = tuple(Fraction(k, 2) for k in (0, 2, -2, 1, -1, 4, -4))


@dataclass
class _Step:
    """A node of the tree: a rule with what it leads to, or the number of a leaf."""

    rule: str
    data: Mapping[str, Any] = field(default_factory=dict)
    children: list[_Step] = field(default_factory=list)
    leaf: int | None = None


class FibreTree:
    """Cells that together hold all zeros of an ideal, and the proofs of their bounds.

    If ``tree_kind`` is completing, generators are taken as coordinates and products completed,
    until a cell has a bound by independent exponents.  With axes, each variable is 0 or not on
    every leaf.  With fields, all of space is one leaf.  ``leaves`` are the cells to which no rule
    applies, without those that are like an earlier one; ``uppers`` are the bounds of the germs of
    the leaves that hold the point 0, with the number of the leaf.
    """

    def __init__(self, cell: LiteralCell, tree_kind: str = "plain") -> None:
        self._rules = COMPLETING_RULES if tree_kind == "completing" else CELL_RULES
        self._completing = tree_kind == "completing"
        self.kind = tree_kind
        self.leaves: list[LiteralCell] = []
        self._whole = cell
        self._names = [str(s) for s in cell.ring.symbols]
        # Above the pair at any zero, which is at most half of Σ (1 + h).
        self._any_bound = sum((1 + h for h in cell.prior), Fraction(0))
        self._count = 0
        self._proofs: dict[int, Proof] = {}
        self._hopeless = False
        self.uppers: list[tuple[Pair, int]] = []
        if tree_kind == "fields":
            moved = bound_by_fields(cell)
            self.leaves, self._root = [cell], _Step("leaf", leaf=0)
            self._hopeless = moved is None
            self._proofs = {} if moved is None else {0: moved}
        else:
            self._root = self._grown(cell)

    def _grown(self, cell: LiteralCell) -> _Step:
        """The tree below a cell; beyond the limit a cell is a leaf as it is."""
        self._count += 1
        if self._count <= limits.MOST_FIBRE_CELLS and not self._hopeless:
            generator = empty_generator(cell)
            if generator is not None:
                return _Step("absent", {"generator": generator})
            for name, rule in self._rules:
                found = rule(cell)
                if found is not None:
                    return _Step(name, found[0], [self._grown(child) for child in found[1]])
            bounded = self._completing and independent_leaf(cell) is not None
            i = None if bounded else next_variable(cell)
            if i is None and self.kind == "axes":
                i = next((k for k in range(cell.width) if k not in cell.zeros | cell.nonzero), None)
            if i is not None:
                data, children = branch(cell, i)
                return _Step("branch", data, [self._grown(child) for child in children])
        alike = earlier_leaf(cell, self.leaves)
        if alike is not None:
            return _Step("same", alike)
        self._hopeless = self._completing and independent_leaf(cell) is None
        self.leaves.append(cell)
        return _Step("leaf", leaf=len(self.leaves) - 1)

    @property
    def trivial(self) -> bool:
        """Whether no rule applies at all."""
        return self._root.leaf is not None

    def place_of(self, number: int) -> list[Fraction] | None:
        """The point of a leaf on which all variables are 0; None if a coordinate is lost there."""
        return self._in_space(self.leaves[number], {})

    def germ_proof(self, number: int, germ: Germ, point: Sequence[Fraction]) -> Proof | None:
        """The proof of the germ of the question at the point of a leaf, as the tree leads there."""
        way = _way_to(self._root, number)
        assert way is not None
        cells = self._whole, self.leaves[number]
        proof = self._proofs[number]
        return prove_leaf_germ(germ, point, cells, way, proof, _quick_proof)

    def _in_space(self, cell: LiteralCell, values: Mapping[str, Fraction]) -> list[Fraction] | None:
        names = dict.fromkeys(self._names, Fraction(0))
        place = cell.in_space({**names, **dict(cell.values), **values})
        return None if place is None else [Fraction(place[name]) for name in self._names]

    def points(self) -> Iterator[tuple[Fraction, ...]]:
        """Zeros on the leaves: other variables 0 and ±1 as there, parameters simple numbers."""
        for cell in self.leaves:
            names = [str(s) for s in cell.ring.symbols]
            free = [i for i in range(cell.width) if i not in cell.zeros]
            generators = [terms_of(g) for g in cell.generators]
            choices = product(_TRIED_VALUES, repeat=len(free))
            for choice in islice(choices, limits.MOST_FIBRE_POINTS):
                point = [Fraction(0)] * cell.width
                for i, value in zip(free, choice, strict=True):
                    point[i] = value
                if not any(value_at(g, point) for g in generators):
                    found = self._in_space(cell, {names[i]: point[i] for i in free})
                    if found is not None:
                        yield tuple(found)
                    break

    @staticmethod
    def _share(budget: Budget, parts: int) -> Budget:
        """The time of one of so many leaves that are left."""
        return Budget(
            limits.LEAF_SECONDS if budget.seconds_left is None else budget.seconds_left / parts
        )

    def prove_points(self, budget: Budget) -> None:
        """Prove the germs of the leaves that are points."""
        for number, cell in enumerate(self.leaves):
            if budget.spent or number in self._proofs or self._hopeless:
                continue
            if self._completing:
                found = independent_leaf(cell)
                if found is not None:
                    self._proofs[number], upper = found
                    self.uppers += [] if upper is None else [(upper, number)]
                continue
            if len(cell.zeros) < cell.width:
                continue
            share = self._share(budget, len(self.leaves) - len(self._proofs))
            proof = _point_proof(Germ(cell.generators, cell.prior, True), share)
            self._proofs[number] = Proof("point", proof.lower, None, {}, (proof,))
            self.uppers += [] if proof.upper is None else [(proof.upper, number)]

    def prove(self, goal: Pair | None, budget: Budget, most_families: int) -> Proof | None:
        """Bound all leaves; None if one of them has no bound, or there is no zero."""
        pending = [k for k in range(len(self.leaves)) if k not in self._proofs]
        # The more variables are 0 the quicker; the last have all the time that is left.
        pending.sort(key=lambda k: -len(self.leaves[k].zeros))
        if pending and self._hopeless:
            return None
        for count, number in enumerate(pending):
            share = self._share(budget, len(pending) - count)
            family = cell_family(self.leaves[number])
            proof = prove_family(family, goal, share, most_families)
            if proof is None:
                return None
            self._proofs[number] = proof
        proof = self._written(self._root)
        return proof if proof.lower.lam < self._any_bound else None

    def _written(self, step: _Step) -> Proof:
        if step.leaf is not None:
            return self._proofs[step.leaf]
        if step.rule == "absent":
            return Proof("absent", Pair(self._any_bound, 1), None, step.data)
        if step.rule == "same":
            leaf = step.data["leaf"]
            assert isinstance(leaf, int)
            return Proof("same", self._proofs[leaf].lower, None, step.data)
        children = tuple(self._written(child) for child in step.children)
        return Proof(step.rule, min(c.lower for c in children), None, step.data, children)


def _way_to(step: _Step, leaf: int) -> list[tuple[str, Mapping[str, Any]]] | None:
    """The rules from a node to a leaf; None if it is not below."""
    if step.leaf is not None:
        return [] if step.leaf == leaf else None
    ways = (_way_to(child, leaf) for child in step.children)
    way = next((way for way in ways if way is not None), None)
    return None if way is None else [(step.rule, step.data), *way]


def _quick_proof(germ: Germ) -> Proof:
    return _point_proof(germ, Budget(limits.LEAF_POINT_SECONDS))


def _point_proof(germ: Germ, budget: Budget) -> Proof:
    """Eliminate what can be eliminated, then ask as at any point."""
    step = eliminate_variable(germ)
    if step is not None:
        return step.prove(lambda child: _point_proof(child, budget))
    count = germ.ring.ngens
    problem = Problem(
        germ.generators, True, germ.prior, (False,) * count, (Fraction(0),) * count, None, "cell"
    )
    return prove_problem(problem, budget=budget)
