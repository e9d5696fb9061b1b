"""Boxes in any dimension: a bound at all zeros in a set that contains the box, by strata."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from sympy.polys.orderings import lex

from rlct.algebra.polynomial import Polynomial
from rlct.algebra.real_algebraic import Coordinate
from rlct.engine import limits
from rlct.engine.boxes.cells import CellSearch
from rlct.engine.resolution.family import Family
from rlct.engine.strategy import prove_family
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

__all__ = ["exponent", "prove_everywhere"]

_HALF = Fraction(1, 2)
_WALLS = ("low", "high")

Place = tuple[Coordinate, ...]
Found = tuple[Place, Proof]


def prove_everywhere(
    problem: BoxProblem,
    known: Sequence[Found],
    more: Callable[[], Iterable[Found]],
    other: Proof | None,
    budget: Budget,
) -> Proof | None:
    """Bound the pair at all zeros in R^n, or beyond some walls, by that of one family.

    A variable takes all real values, or those on the inner side of one wall.  Known zeros and
    smooth ones bound from above, and `more` where these do not attain the bound; `other` is what
    is proved so far, and is given back if that is not improved.  ``theory/points.md`` states and
    proves the rule.
    """
    if sum(map(len, problem.generators)) > limits.MOST_EVERYWHERE_TERMS:
        return other
    above = _Above(problem, known, budget)
    scale = Fraction(1) if problem.is_ideal else _HALF
    found: tuple[Pair, list[str], Proof] | None = None
    for walls in _choices(problem):
        if budget.spent:
            break
        goal = None if above.best is None else above.best / (1 / scale)
        first = prove_family(
            _family(problem, walls),
            goal,
            budget,
            limits.MOST_WALL_FAMILIES if any(walls) else limits.MOST_EVERYWHERE_FAMILIES,
        )
        if first is None:
            continue
        lower = first.lower / scale
        if not any(walls):
            above.reach(lower, more())
        if found is None or lower > found[0]:
            found = lower, walls, first
        if above.best is not None and lower >= above.best:
            break
    if found is None or (other is not None and other.lower >= found[0]):
        return other
    lower, walls, first = found
    data = {"walls": walls, **above.data}
    return Proof("everywhere", lower, above.best, data, (first, *above.proofs))


class _Above:
    """The least pair of zeros that are known to be in the box, with its evidence."""

    def __init__(self, problem: BoxProblem, known: Sequence[Found], budget: Budget) -> None:
        self.best: Pair | None = None
        self.data: dict[str, Any] = {}
        self.proofs: list[Proof] = []
        self.reach(None, known)
        if len(problem.generators) == 1:
            search = CellSearch(problem, budget, known)
            for pair, item in search.smooth_zeros():
                if self.best is None or pair < self.best:
                    factors = [[encode_polynomial(p), m] for p, m in search.factors]
                    self.best, self.proofs = pair, []
                    self.data = {"factors": factors, "smooth": [item]}

    def reach(self, goal: Pair | None, found: Iterable[Found]) -> None:
        """Look at zeros until one has no more than the goal."""
        if goal is not None and self.best is not None and self.best <= goal:
            return
        for place, proof in found:
            if proof.upper is not None and (self.best is None or proof.upper < self.best):
                self.best, self.proofs = proof.upper, [proof]
                self.data = {"points": [encode_place(place)]}
                if goal is not None and self.best <= goal:
                    return


def _choices(problem: BoxProblem) -> Iterator[list[str]]:
    """Walls to be counted in: none, those towards 0, all on one side, single ones."""
    sides = problem.sides
    plain = [""] * len(sides)
    towards = ["low" if low >= 0 else "high" if high <= 0 else "" for low, high in sides]
    singles = [[*plain[:i], w, *plain[i + 1 :]] for i in range(len(sides)) for w in _WALLS]
    seen: list[list[str]] = []
    for walls in [plain, towards, *([w] * len(sides) for w in _WALLS), *singles]:
        kept = [w if w and _allowed(problem, i, w) else "" for i, w in enumerate(walls)]
        if kept not in seen and len(seen) < limits.MOST_EVERYWHERE_TRIES:
            seen.append(kept)
            yield kept


def _allowed(problem: BoxProblem, i: int, wall: str) -> bool:
    """Whether the prior is bounded, or nothing is moved."""
    low, high = problem.sides[i]
    start = low if wall == "low" else high
    return start == 0 or problem.prior[i] >= 0 or low > 0 or high < 0


def _family(problem: BoxProblem, walls: Sequence[str]) -> Family:
    """Generators s·g near s = 0 and all u, where x_i is u_i^q, low + u_i^q or high − u_i^q."""
    names = list(problem.variables)
    extra = next(n for k in range(len(names) + 1) if (n := f"s_{k}") not in names)
    base = problem.generators[0].ring
    moves, powers, free = [], [], []
    for x, wall, h, (low, high) in zip(base.gens, walls, problem.prior, problem.sides, strict=True):
        start = {"": Fraction(0), "low": low, "high": high}[wall]
        if start:
            h = Fraction(0)
        q = exponent(h, wall=bool(wall))
        free.append(q * (h + 1) - 1)
        powers.append(q)
        moves.append((x, (-x if wall == "high" else x) + _number(base, start)))
    ring = base.clone(symbols=[extra, *names], order=lex)
    generators = tuple(
        ring.from_dict(
            {
                (1, *(q * e for q, e in zip(powers, m, strict=True))): c
                for m, c in (g.compose(moves) if any(walls) else g).terms()
            }
        )
        for g in problem.generators
    )
    return Family(generators, (sum((1 + h for h in free), Fraction(0)),), tuple(free))


def _number(ring: Any, value: Fraction) -> Polynomial:
    return ring.ground_new(ring.domain(value.numerator, value.denominator))


def exponent(h: Fraction, *, wall: bool) -> int:
    """The least q with x = ±y^q onto one side of 0, or both, and q(h + 1) − 1 ≥ 0."""
    q = 2 if wall else 1
    while q * (h + 1) < 1:
        q += 2
    return q
