"""Boxes in any dimension: a lower bound on small boxes where derivatives decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from rlct.algebra.polynomial import Polynomial, support, terms_of, value_at
from rlct.algebra.real_algebraic import Coordinate
from rlct.engine import limits
from rlct.engine.boxes.axis_roots import real_roots_in
from rlct.engine.boxes.intervals import Interval, determinant, enclose, excludes_zero, interval
from rlct.errors import InputError
from rlct.newton.nondegeneracy import minors
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

__all__ = ["CellSearch", "prove_cells"]


Place = tuple[Coordinate, ...]
Found = tuple[Place, Proof]
Known = Sequence[Found]
Cell = tuple[tuple[Fraction, Fraction], ...]


def prove_cells(
    problem: BoxProblem, known: Known, more: Callable[[], Iterable[Found]], budget: Budget
) -> Proof | None:
    """Prove a lower bound on all zeros in a box, with points that are known from above.

    Where the known zeros do not attain the bound, `more` looks for others.  Every cell of a
    subdivision has a generator without zeros, or factors that are coordinates wherever they
    vanish, or a Jacobian matrix of full enough rank, or one known singular point with a regular
    Hessian matrix.  ``theory/points.md`` states and proves the rule.

    Raises
    ------
    InputError
        If no cell has a zero.
    """
    if sum(map(len, problem.generators)) > limits.MOST_CELL_TERMS:
        return None
    search = CellSearch(problem, budget, known)
    smooth = list(search.smooth_zeros())
    tops = [pair for pair, _ in smooth] + [p.upper for _, p in known if p.upper is not None]
    best = min(tops) if tops else None
    targets = sorted({t for t in search.targets() if best is None or t <= best}, reverse=True)
    for target in targets[: limits.MOST_CELL_TARGETS]:
        if budget.spent or not search.reaches(target):
            continue
        if search.empty:
            raise InputError("K has no zero in the box")
        if best is None or target < best:
            # The zeros that attain the bound may be irrational.
            known = [*known, *more()]
            tops += [p.upper for _, p in known if p.upper is not None]
            best = min(tops) if tops else None
        data: dict[str, Any] = {"target": [str(target.lam), target.theta]}
        if search.factors:
            data["factors"] = [[encode_polynomial(p), m] for p, m in search.factors]
        used = [(a, p) for a, p in known if a in search.used]
        shown = [item for pair, item in smooth if pair == best]
        if shown:
            data["smooth"] = shown[:1]
        elif best is not None:
            chosen = next((a, p) for a, p in known if p.upper == best)
            used += [] if chosen in used else [chosen]
        if used:
            data["points"] = [encode_place(a) for a, _ in used]
        return Proof("cells", target, best, data, tuple(p for _, p in used))
    return None


class CellSearch:
    """Factors or generators of a question, and what intervals say of them on cells."""

    def __init__(self, problem: BoxProblem, budget: Budget, known: Known) -> None:
        self.problem, self.budget, self.known = problem, budget, known
        self.empty = True
        self.used: set[Place] = set()
        self.scale = 2 if problem.is_ideal else 1
        self.factors: list[tuple[Polynomial, int]] = []
        if len(problem.generators) == 1:
            self.factors = [(p, int(m)) for p, m in problem.generators[0].factor_list()[1]]
        self.rows = [p for p, _ in self.factors] or list(problem.generators)
        ring = self.rows[0].ring
        self.jacobian = [[p.diff(x) for x in ring.gens] for p in self.rows]
        self.minors: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Polynomial]] = {}

    def targets(self) -> Iterator[Pair]:
        """Values that cells can prove."""
        if not self.factors:
            for r in range(1, min(len(self.rows), len(self.problem.sides)) + 1):
                yield Pair(Fraction(r, 2), 1)
            return
        for size in range(1, min(len(self.rows), len(self.problem.sides)) + 1):
            for chosen in combinations(range(len(self.rows)), size):
                yield self.crossing(chosen)

    def crossing(self, chosen: Sequence[int]) -> Pair:
        """Pair of the monomial in these factors, as coordinates."""
        found: Pair | None = None
        for j in chosen:
            _, m = self.factors[j]
            i = self.axis_of(j)
            h = Fraction(0) if i is None else self.problem.prior[i]
            candidate = Pair((1 + h) / (self.scale * m), 1)
            found = candidate if found is None else found * candidate
        assert found is not None
        return found

    def reaches(self, target: Pair) -> bool:
        """Whether every cell of some subdivision has at least the target."""
        self.empty, self.used = True, set()
        sides = self.problem.sides
        pending: list[Cell] = [sides]
        done = 0
        while pending:
            cell = pending.pop()
            done += 1
            if self.settled(cell, target):
                continue
            if done > limits.MOST_BOX_CELLS or self.budget.spent:
                return False
            widths = [
                (b - a) / (high - low) for (a, b), (low, high) in zip(cell, sides, strict=True)
            ]
            i = widths.index(max(widths))
            low, high = cell[i]
            middle = (low + high) / 2
            pending.append((*cell[:i], (low, middle), *cell[i + 1 :]))
            pending.append((*cell[:i], (middle, high), *cell[i + 1 :]))
        return True

    def settled(self, cell: Cell, target: Pair) -> bool:
        """Whether every zero in the cell has at least the target."""
        box = _intervals(cell)
        zero = [not _nonzero(p, box) for p in self.rows]
        if self.factors:
            vanishing = tuple(j for j, z in enumerate(zero) if z)
            if not vanishing:
                return True
            self.empty = False
            named = {i for j in vanishing if (i := self.axis_of(j)) is not None}
            walls = tuple(i for i in self.unbounded(cell) if i not in named)
            return self.crossing(vanishing) >= target and (
                self.independent(vanishing, box, walls)
                or (
                    len(vanishing) == 1
                    and not walls
                    and self.one_node(vanishing[0], cell, box, target)
                )
            )
        if not all(zero):
            return True
        self.empty = False
        r = next(r for r in range(1, len(cell) + 1) if Pair(Fraction(r, 2), 1) >= target)
        walls = self.unbounded(cell)
        rows = range(len(self.rows))
        return any(self.independent(c, box, walls) for c in combinations(rows, r))

    def unbounded(self, cell: Cell) -> tuple[int, ...]:
        """Variables that may be 0 in the cell and have a negative exponent in the prior."""
        sides = zip(self.problem.prior, cell, strict=True)
        return tuple(i for i, (h, (a, b)) in enumerate(sides) if h < 0 and a <= 0 <= b)

    def axis_of(self, j: int) -> int | None:
        """The variable that a factor is, up to a number."""
        p, _ = self.factors[j]
        (i, *others) = sorted(support(p))
        return i if not others and len(p) == 1 else None

    def independent(
        self, rows: tuple[int, ...], box: list[Interval], walls: tuple[int, ...] = ()
    ) -> bool:
        """Whether a minor of the differentials, without those columns, is nowhere 0."""
        kept = [i for i in range(len(box)) if i not in walls]
        if len(rows) > len(kept):
            return False
        if (rows, walls) not in self.minors:
            matrix = [[self.jacobian[r][i] for i in kept] for r in rows]
            self.minors[rows, walls] = minors(matrix, len(rows))
        return any(p and _nonzero(p, box) for p in self.minors[rows, walls])

    def one_node(self, j: int, cell: Cell, box: list[Interval], target: Pair) -> bool:
        """Whether a known point is the only singular zero of a factor in the cell.

        If no matrix between the bounds of the Hessian matrix is singular then the gradient is
        injective on the cell.
        """
        if len(cell) > limits.MOST_HESSIAN_VARIABLES:
            return False
        terms = [terms_of(d) for d in self.jacobian[j]]
        for place, proof in self.known:
            if proof.lower < target or not all(isinstance(x, Fraction) for x in place):
                continue
            point = [x for x in place if isinstance(x, Fraction)]
            if not all(a <= x <= b for x, (a, b) in zip(point, cell, strict=True)):
                continue
            if any(value_at(d, point) for d in terms):
                continue
            ring = self.rows[j].ring
            hessian = [[_value(d.diff(x), box) for x in ring.gens] for d in self.jacobian[j]]
            if excludes_zero(determinant(hessian, limits.INTERVAL_BITS)):
                self.used.add(place)
                return True
        return False

    def smooth_zeros(self) -> Iterator[tuple[Pair, dict[str, Any]]]:
        """For each factor a cell where it alone vanishes, smoothly, and changes sign."""
        rng = np.random.default_rng(0)
        for j, (p, m) in enumerate(self.factors):
            for _ in range(limits.MOST_CELL_TRIES):
                found = self._cell(j, self._line(p, rng))
                if found is not None:
                    yield Pair(Fraction(1, self.scale * m), 1), found
                    break

    def _line(self, p: Polynomial, rng: np.random.Generator) -> tuple[int, list[Fraction], Any]:
        """A line parallel to an axis, and the first sign change of p along it."""
        sides = self.problem.sides
        axis = int(rng.integers(len(sides)))
        point = [
            low + (high - low) * Fraction(int(k), 64)
            for (low, high), k in zip(sides, rng.integers(1, 64, size=len(sides)), strict=True)
        ]
        places: dict[int, Fraction] = {}
        for e, c in terms_of(p).items():
            value = c
            for i, (x, k) in enumerate(zip(point, e, strict=True)):
                value *= x**k if i != axis else 1
            places[e[axis]] = places.get(e[axis], Fraction(0)) + value
        dense = [places.get(k, Fraction(0)) for k in range(max(places) + 1)]
        while len(dense) > 1 and not dense[-1]:
            dense.pop()
        return axis, point, dense

    def _cell(self, j: int, line: tuple[int, list[Fraction], Any]) -> dict[str, Any] | None:
        axis, point, dense = line
        if len(dense) < 2:
            return None
        sides = self.problem.sides
        low, high = sides[axis]
        roots = [r for r in real_roots_in(dense, low, high) if r.compare(low) and r.compare(high)]
        if not roots:
            return None
        p, _ = self.factors[j]
        for halvings in range(3, limits.MOST_HALVINGS, 4):
            size = Fraction(1, 2**halvings)
            a, b = roots[0].interval(size / 4)
            cell = []
            for i, (x, (left, right)) in enumerate(zip(point, sides, strict=True)):
                ends = (a - size, b + size) if i == axis else (x - size, x + size)
                cell.append((max(left, ends[0]), min(right, ends[1])))
            box = _intervals(tuple(cell))
            others = [q for k, (q, _) in enumerate(self.factors) if k != j]
            clear = all(
                not h or not u <= 0 <= v for h, (u, v) in zip(self.problem.prior, cell, strict=True)
            )
            if (
                clear
                and all(_nonzero(q, box) for q in others)
                and any(d and _nonzero(d, box) for d in self.jacobian[j])
            ):
                shown = [
                    [str(x) if i != axis else str(t) for i, x in enumerate(point)]
                    for t in (cell[axis][0] + size / 8, cell[axis][1] - size / 8)
                ]
                values = [value_at(terms_of(p), [Fraction(x) for x in texts]) for texts in shown]
                if values[0] * values[1] < 0:
                    return {
                        "factor": j,
                        "cell": [[str(u), str(v)] for u, v in cell],
                        "points": shown,
                    }
        return None


def _intervals(cell: Cell) -> list[Interval]:
    return [interval(low, high, limits.INTERVAL_BITS) for low, high in cell]


def _nonzero(p: Polynomial, box: list[Interval]) -> bool:
    """Whether interval arithmetic shows that a polynomial vanishes nowhere."""
    return excludes_zero(_value(p, box))


def _value(p: Polynomial, box: list[Interval]) -> Interval:
    return enclose(terms_of(p), box, limits.INTERVAL_BITS)
