"""Boxes in any dimension: a bound at all zeros in a set that contains the box, by strata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.boxes.box_points import ProvedPoint
from rlct.engine.boxes.cells import CellSearch
from rlct.engine.fibre.cells import LiteralCell
from rlct.engine.fibre.rotate import rotate_variable
from rlct.engine.fibre.search import FibreTree
from rlct.engine.fibre.torus import scaling_weights
from rlct.engine.strategy import prove_problem
from rlct.errors import OutOfTimeError
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

_ONE_HALF = Fraction(1, 2)
_WALL_NAMES = ("low", "high")


def prove_everywhere(
    problem: BoxProblem,
    proved_points: Sequence[ProvedPoint],
    further_points: Callable[[], Iterable[ProvedPoint]],
    earlier_proof: Proof | None,
    budget: Budget,
    known_upper: Pair | None = None,
    *,
    walls_at_zero: bool = False,
) -> Proof | None:
    """The pair at every zero is at least the lower bound at the zeros of g(ψ(u)), a tree of cells.

    If ψ takes all u to R^n, or to the inner side of some walls, and the prior in u is bounded
    (``theory/points.md``, Boxes in any dimension).  Proved and smooth zeros bound from above, zeros
    on the leaves of the tree, and `further_points` where these do not attain the bound.
    `earlier_proof` is given back if its lower bound is as large; a lower bound of `known_upper` is
    good enough.  With `walls_at_zero` no others are counted in: the bound from below holds in all
    of space, or on the inner side of the walls at 0.
    """
    scaled = has_group(problem)
    most_terms = limits.MOST_FIBRE_TERMS if scaled else limits.MOST_EVERYWHERE_TERMS
    if sum(map(len, problem.generators)) > most_terms:
        return earlier_proof
    least_zero = _LeastZero(problem, proved_points, budget)
    proved_trees: list[_ProvedTree] = []
    try:
        for tree, walls in _trees(problem, scaled, walls_at_zero, budget):
            left = None if budget.seconds_left is None else budget.seconds_left * limits.TREE_SHARE
            proved_tree = _proved_tree(problem, walls, tree, least_zero, Budget(left), known_upper)
            if proved_tree is None:
                continue
            proved_trees.append(proved_tree)
            if not any(walls):
                for zeros in _zeros(problem, tree, budget, further_points):
                    least_zero.reach(proved_tree.lower, zeros)
            goal = _least(least_zero.pair, known_upper)
            if goal is not None and proved_tree.lower >= goal:
                break
    except OutOfTimeError:
        budget.stop()
        if not proved_trees:
            raise
    best_tree = max(proved_trees, key=lambda t: t.lower, default=None)
    if best_tree is None or (earlier_proof is not None and earlier_proof.lower >= best_tree.lower):
        return earlier_proof
    data = {"walls": best_tree.walls, **least_zero.data}
    children = (best_tree.proof, *least_zero.proofs)
    return Proof("everywhere", best_tree.lower, least_zero.pair, data, children)


def _trees(
    problem: BoxProblem, scaled: bool, walls_at_zero: bool, budget: Budget
) -> Iterator[tuple[FibreTree, list[str]]]:
    """Trees of cells, the quickest first, for each choice of walls."""
    for walls in _choices(problem, walls_at_zero):
        cell = _cell(problem, walls)
        kinds = ["axes"] if cell.width <= limits.MOST_AXES else ["plain"]
        for kind in ["fields", "completing", "plain"] if scaled else kinds:
            if budget.spent:
                return
            yield FibreTree(cell, kind), walls


def _proved_tree(
    problem: BoxProblem,
    walls: list[str],
    tree: FibreTree,
    least_zero: _LeastZero,
    budget: Budget,
    known_upper: Pair | None,
) -> _ProvedTree | None:
    """Bound the leaves of a tree, up to the least pair that is known; None if one has no bound."""
    scale = Fraction(1) if problem.is_ideal else _ONE_HALF
    tree.prove_points(budget)
    least_zero.reach(None, _attained_zeros(problem, walls, tree, scale, least_zero))
    goal = _least(least_zero.pair, known_upper)
    most = limits.MOST_WALL_FAMILIES if any(walls) else limits.MOST_EVERYWHERE_FAMILIES
    proof = tree.prove(None if goal is None else goal / (1 / scale), budget, most)
    return None if proof is None else _ProvedTree(walls, proof.lower / scale, proof)


@dataclass(frozen=True)
class _ProvedTree:
    """The bound of a tree of cells."""

    walls: list[str]
    lower: Pair
    proof: Proof


def _least(*pairs: Pair | None) -> Pair | None:
    return min((pair for pair in pairs if pair is not None), default=None)


def _attained_zeros(
    problem: BoxProblem,
    walls: Sequence[str],
    tree: FibreTree,
    scale: Fraction,
    least_zero: _LeastZero,
) -> Iterator[ProvedPoint]:
    """Points of leaves that lie in the box and may have a less pair, with proofs of their germs."""
    for pair, number in sorted(tree.uppers)[: limits.MOST_BOX_POINTS]:
        cell_point = tree.place_of(number)
        if cell_point is None or (least_zero.pair is not None and least_zero.pair <= pair / scale):
            continue
        point = tuple(_in_box(problem, walls, cell_point))
        if not all(low <= a <= high for a, (low, high) in zip(point, problem.sides, strict=True)):
            continue
        question = problem.at(point)
        proof = tree.germ_proof(number, question.local, cell_point)
        if proof is None:
            proof = prove_problem(question, limits.LEAF_POINT_SECONDS)
        elif not problem.is_ideal:
            upper = None if proof.upper is None else proof.upper / scale
            proof = Proof("modulus", proof.lower / scale, upper, {}, (proof,))
        yield point, proof


class _LeastZero:
    """The least pair of zeros in the box, with its evidence."""

    def __init__(
        self, problem: BoxProblem, proved_points: Sequence[ProvedPoint], budget: Budget
    ) -> None:
        self.pair: Pair | None = None
        self.data: dict[str, Any] = {}
        self.proofs: list[Proof] = []
        self.reach(None, proved_points)
        if len(problem.generators) == 1:
            cell_search = CellSearch(problem, budget, proved_points)
            for pair, item in cell_search.smooth_zeros():
                if self.pair is None or pair < self.pair:
                    factors = [[encode_polynomial(p), m] for p, m in cell_search.factors]
                    self.pair, self.proofs = pair, []
                    self.data = {"factors": factors, "smooth": [item]}

    def reach(self, goal: Pair | None, proved_points: Iterable[ProvedPoint]) -> None:
        """Go through zeros until one has no more than the goal."""
        if goal is not None and self.pair is not None and self.pair <= goal:
            return
        for point, proof in proved_points:
            if proof.upper is not None and (self.pair is None or proof.upper < self.pair):
                self.pair, self.proofs = proof.upper, [proof]
                self.data = {"points": [encode_place(point)]}
                if goal is not None and self.pair <= goal:
                    return


def _zeros(
    problem: BoxProblem,
    tree: FibreTree,
    budget: Budget,
    further_points: Callable[[], Iterable[ProvedPoint]],
) -> Iterator[Iterable[ProvedPoint]]:
    """Zeros that may attain the bound of a tree: each kind is tried with one of the trees."""
    if tree.kind == "fields":
        yield islice(further_points(), 1)
    elif tree.kind == "completing":
        yield further_points()
    elif tree.kind in ("plain", "axes"):
        yield _leaf_points(problem, tree, budget)
        yield further_points()


def _leaf_points(problem: BoxProblem, tree: FibreTree, budget: Budget) -> Iterator[ProvedPoint]:
    """Zeros on the leaves of a tree that lie in the box, proved one by one."""
    points = tree.points() if not tree.trivial else iter(())
    yield from _proved_at(problem, islice(points, limits.MOST_BOX_POINTS), budget)


def _proved_at(
    problem: BoxProblem, points: Iterable[tuple[Fraction, ...]], budget: Budget
) -> Iterator[ProvedPoint]:
    """Those of some zeros that lie in the box, proved one by one."""
    for point in points:
        sides = zip(point, problem.sides, strict=True)
        if budget.spent:
            return
        if all(low <= a <= high for a, (low, high) in sides):
            left = limits.LEAF_POINT_SECONDS if budget.seconds_left is None else budget.seconds_left
            yield point, prove_problem(problem.at(point), min(left, limits.LEAF_POINT_SECONDS))


def has_group(problem: BoxProblem) -> bool:
    """Whether a scaling or a rotation of the variables takes each generator to a multiple."""
    cell = _cell(problem, [""] * len(problem.sides))
    return len(scaling_weights(cell)) > 0 or rotate_variable(cell) is not None


def _choices(problem: BoxProblem, walls_at_zero: bool) -> Iterator[list[str]]:
    """Walls to be counted in: none, those towards 0, all on one side, single ones."""
    sides = problem.sides
    no_walls = [""] * len(sides)
    towards = ["low" if low >= 0 else "high" if high <= 0 else "" for low, high in sides]
    singles = [
        [*no_walls[:i], w, *no_walls[i + 1 :]] for i in range(len(sides)) for w in _WALL_NAMES
    ]
    earlier_choices: list[list[str]] = []
    others = [] if walls_at_zero else [*([w] * len(sides) for w in _WALL_NAMES), *singles]
    for walls in [no_walls, towards, *others]:
        allowed_walls = [w if w and _allowed(problem, i, w) else "" for i, w in enumerate(walls)]
        if (
            allowed_walls not in earlier_choices
            and len(earlier_choices) < limits.MOST_EVERYWHERE_TRIES
        ):
            earlier_choices.append(allowed_walls)
            yield allowed_walls


def _allowed(problem: BoxProblem, i: int, wall: str) -> bool:
    """Whether the prior is bounded, or nothing is moved."""
    low, high = problem.sides[i]
    start = low if wall == "low" else high
    return start == 0 or problem.prior[i] >= 0 or low > 0 or high < 0


def _cell(problem: BoxProblem, walls: Sequence[str]) -> LiteralCell:
    """The ideal in all u, where x_i is u_i^q, low + u_i^q or high − u_i^q."""
    ring = problem.generators[0].ring
    substitutions, powers, free_priors = [], [], []
    for x, wall, h, (low, high) in zip(ring.gens, walls, problem.prior, problem.sides, strict=True):
        start = {"": Fraction(0), "low": low, "high": high}[wall]
        if start:
            h = Fraction(0)
        q = substitution_power(h, wall=bool(wall))
        free_priors.append(q * (h + 1) - 1)
        powers.append(q)
        substitutions.append((x, (-x if wall == "high" else x) + _number(ring, start)))
    generators = tuple(
        ring.from_dict(
            {
                tuple(q * e for q, e in zip(powers, m, strict=True)): c
                for m, c in (g.compose(substitutions) if any(walls) else g).terms()
            }
        )
        for g in problem.generators
    )
    return LiteralCell(generators, tuple(free_priors))


def _in_box(
    problem: BoxProblem, walls: Sequence[str], zero: Sequence[Fraction]
) -> Iterator[Fraction]:
    """The point of the question with these coordinates u."""
    for wall, h, (low, high), u in zip(walls, problem.prior, problem.sides, zero, strict=True):
        start = {"": Fraction(0), "low": low, "high": high}[wall]
        q = substitution_power(Fraction(0) if start else h, wall=bool(wall))
        yield start + (-(u**q) if wall == "high" else u**q)


def _number(ring: Any, value: Fraction) -> Polynomial:
    return ring.ground_new(ring.domain(value.numerator, value.denominator))


def substitution_power(h: Fraction, *, wall: bool) -> int:
    """The least q with x = ±y^q onto one side of 0, or both, and q(h + 1) − 1 ≥ 0."""
    q = 2 if wall else 1
    while q * (h + 1) < 1:
        q += 2
    return q
