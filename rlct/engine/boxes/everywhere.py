"""Boxes in any dimension: a bound at all zeros in a set that contains the box, by strata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from sympy.polys.orderings import lex

from rlct.algebra.polynomial import Polynomial
from rlct.engine import limits
from rlct.engine.boxes.box_points import ProvedPoint
from rlct.engine.boxes.cells import CellSearch
from rlct.engine.resolution.family import Family
from rlct.engine.strategy import prove_family
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

__all__ = ["prove_everywhere", "substitution_power"]

_HALF = Fraction(1, 2)
_WALLS = ("low", "high")


def prove_everywhere(
    problem: BoxProblem,
    proved_points: Sequence[ProvedPoint],
    further_points: Callable[[], Iterable[ProvedPoint]],
    earlier_proof: Proof | None,
    budget: Budget,
) -> Proof | None:
    """The pair at every zero is at least the lower bound of one family, that of the s·g(ψ(u)).

    If ψ takes all u to R^n, or to the inner side of some walls, and the prior in u is bounded
    (``theory/points.md``, Boxes in any dimension).  Proved and smooth zeros bound from above, and
    `further_points` where these do not attain the bound.  `earlier_proof` is given back if its
    lower bound is as large.
    """
    if sum(map(len, problem.generators)) > limits.MOST_EVERYWHERE_TERMS:
        return earlier_proof
    least_zero = _LeastZero(problem, proved_points, budget)
    scale = Fraction(1) if problem.is_ideal else _HALF
    best_bound: tuple[Pair, list[str], Proof] | None = None
    for walls in _choices(problem):
        if budget.spent:
            break
        goal = None if least_zero.pair is None else least_zero.pair / (1 / scale)
        family_proof = prove_family(
            _family(problem, walls),
            goal,
            budget,
            limits.MOST_WALL_FAMILIES if any(walls) else limits.MOST_EVERYWHERE_FAMILIES,
        )
        if family_proof is None:
            continue
        lower = family_proof.lower / scale
        if not any(walls):
            least_zero.reach(lower, further_points())
        if best_bound is None or lower > best_bound[0]:
            best_bound = lower, walls, family_proof
        if least_zero.pair is not None and lower >= least_zero.pair:
            break
    if best_bound is None or (earlier_proof is not None and earlier_proof.lower >= best_bound[0]):
        return earlier_proof
    lower, walls, family_proof = best_bound
    data = {"walls": walls, **least_zero.data}
    return Proof("everywhere", lower, least_zero.pair, data, (family_proof, *least_zero.proofs))


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
        for place, proof in proved_points:
            if proof.upper is not None and (self.pair is None or proof.upper < self.pair):
                self.pair, self.proofs = proof.upper, [proof]
                self.data = {"points": [encode_place(place)]}
                if goal is not None and self.pair <= goal:
                    return


def _choices(problem: BoxProblem) -> Iterator[list[str]]:
    """Walls to be counted in: none, those towards 0, all on one side, single ones."""
    sides = problem.sides
    no_walls = [""] * len(sides)
    towards = ["low" if low >= 0 else "high" if high <= 0 else "" for low, high in sides]
    singles = [[*no_walls[:i], w, *no_walls[i + 1 :]] for i in range(len(sides)) for w in _WALLS]
    earlier_choices: list[list[str]] = []
    for walls in [no_walls, towards, *([w] * len(sides) for w in _WALLS), *singles]:
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


def _family(problem: BoxProblem, walls: Sequence[str]) -> Family:
    """Generators s·g near s = 0 and all u, where x_i is u_i^q, low + u_i^q or high − u_i^q."""
    names = list(problem.variables)
    extra_name = next(n for k in range(len(names) + 1) if (n := f"s_{k}") not in names)
    base_ring = problem.generators[0].ring
    substitutions, powers, free_priors = [], [], []
    for x, wall, h, (low, high) in zip(
        base_ring.gens, walls, problem.prior, problem.sides, strict=True
    ):
        start = {"": Fraction(0), "low": low, "high": high}[wall]
        if start:
            h = Fraction(0)
        q = substitution_power(h, wall=bool(wall))
        free_priors.append(q * (h + 1) - 1)
        powers.append(q)
        substitutions.append((x, (-x if wall == "high" else x) + _number(base_ring, start)))
    ring = base_ring.clone(symbols=[extra_name, *names], order=lex)
    generators = tuple(
        ring.from_dict(
            {
                (1, *(q * e for q, e in zip(powers, m, strict=True))): c
                for m, c in (g.compose(substitutions) if any(walls) else g).terms()
            }
        )
        for g in problem.generators
    )
    return Family(generators, (sum((1 + h for h in free_priors), Fraction(0)),), tuple(free_priors))


def _number(ring: Any, value: Fraction) -> Polynomial:
    return ring.ground_new(ring.domain(value.numerator, value.denominator))


def substitution_power(h: Fraction, *, wall: bool) -> int:
    """The least q with x = ±y^q onto one side of 0, or both, and q(h + 1) − 1 ≥ 0."""
    q = 2 if wall else 1
    while q * (h + 1) < 1:
        q += 2
    return q
