"""Boxes in any dimension: a lower bound on small boxes where derivatives decide."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from rlct.algebra.polynomial import Polynomial, Terms, support, terms_of, value_at
from rlct.engine import limits
from rlct.engine.boxes.box_points import BoxPlace, ProvedPoint
from rlct.engine.boxes.positive_box import cannot_cancel
from rlct.engine.zeros.axis_roots import real_roots_in
from rlct.engine.zeros.intervals import (
    ScaledInterval,
    enclose_determinant,
    enclose_polynomial,
    excludes_zero,
    interval,
)
from rlct.errors import InputError
from rlct.newton.nondegeneracy import minors
from rlct.pair import Pair
from rlct.proof.encode import encode_place, encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

Cell = tuple[tuple[Fraction, Fraction], ...]


def prove_cells(
    problem: BoxProblem,
    proved_points: Sequence[ProvedPoint],
    further_points: Callable[[], Iterable[ProvedPoint]],
    budget: Budget,
    *,
    at_points_only: bool = False,
) -> Proof | None:
    """All zeros in the box have at least the target; listed and smooth zeros bound from above.

    If every cell of a subdivision has a generator without zeros, or factors that are coordinates
    wherever they vanish, or a Jacobian matrix of full enough rank, or one listed singular point
    with a regular Hessian matrix (``theory/points.md``, Boxes in any dimension).  `further_points`
    gives zeros where the proved ones do not attain the target.  With `at_points_only` the pairs at
    the proved ones are targets, on few cells.  InputError if no cell has a zero.
    """
    if sum(map(len, problem.generators)) > limits.MOST_CELL_TERMS:
        return None
    cell_search = CellSearch(problem, budget, proved_points)
    smooth_zeros = list(cell_search.smooth_zeros())
    upper_bounds = [pair for pair, _ in smooth_zeros] + [
        p.upper for _, p in proved_points if p.upper is not None
    ]
    least_upper = min(upper_bounds) if upper_bounds else None
    goals = {p.lower for _, p in proved_points if p.exact}
    if at_points_only:
        cell_search.most_cells = limits.MOST_CORNER_CELLS
    else:
        goals |= {*cell_search.targets()}
    targets = sorted((t for t in goals if least_upper is None or t <= least_upper), reverse=True)
    for target in targets[: limits.MOST_CELL_TARGETS]:
        if budget.spent or not cell_search.reaches(target):
            continue
        if cell_search.empty:
            raise InputError("K has no zero in the box")
        if least_upper is None or target < least_upper:
            # The zeros that attain the bound may be irrational.
            proved_points = [*proved_points, *further_points()]
            upper_bounds += [p.upper for _, p in proved_points if p.upper is not None]
            least_upper = min(upper_bounds) if upper_bounds else None
        data: dict[str, Any] = {"target": [str(target.lam), target.theta]}
        if cell_search.factors:
            data["factors"] = [[encode_polynomial(p), m] for p, m in cell_search.factors]
        used_points = [(a, p) for a, p in proved_points if a in cell_search.used_points]
        attaining = [item for pair, item in smooth_zeros if pair == least_upper]
        if attaining:
            data["smooth"] = attaining[:1]
        elif least_upper is not None:
            chosen = next((a, p) for a, p in proved_points if p.upper == least_upper)
            used_points += [] if chosen in used_points else [chosen]
        if used_points:
            data["points"] = [encode_place(a) for a, _ in used_points]
        return Proof("cells", target, least_upper, data, tuple(p for _, p in used_points))
    return None


class CellSearch:
    """Factors or generators of a question, and what intervals say of them on cells."""

    def __init__(
        self, problem: BoxProblem, budget: Budget, proved_points: Sequence[ProvedPoint]
    ) -> None:
        self.problem, self.budget, self.proved_points = problem, budget, proved_points
        self.empty = True
        self.most_cells = limits.MOST_BOX_CELLS
        self.used_points: set[BoxPlace] = set()
        self.moved: dict[BoxPlace, list[Terms]] = {}  # the rows seen from a point
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
        crossing_pair: Pair | None = None
        for j in chosen:
            _, m = self.factors[j]
            i = self.axis_of(j)
            h = Fraction(0) if i is None else self.problem.prior[i]
            candidate = Pair((1 + h) / (self.scale * m), 1)
            crossing_pair = candidate if crossing_pair is None else crossing_pair * candidate
        assert crossing_pair is not None
        return crossing_pair

    def reaches(self, target: Pair) -> bool:
        """Whether every cell of some subdivision has at least the target."""
        self.empty, self.used_points = True, set()
        sides = self.problem.sides
        pending_cells: list[Cell] = [sides]
        visited_count = 0
        while pending_cells:
            cell = pending_cells.pop()
            visited_count += 1
            if self.settled(cell, target):
                continue
            if visited_count > self.most_cells or self.budget.spent:
                return False
            widths = [
                (b - a) / (high - low) for (a, b), (low, high) in zip(cell, sides, strict=True)
            ]
            i = widths.index(max(widths))
            low, high = cell[i]
            middle = (low + high) / 2
            pending_cells.append((*cell[:i], (low, middle), *cell[i + 1 :]))
            pending_cells.append((*cell[:i], (middle, high), *cell[i + 1 :]))
        return True

    def settled(self, cell: Cell, target: Pair) -> bool:
        """Whether every zero in the cell has at least the target."""
        box = _intervals(cell)
        may_vanish = [not _nonzero(p, box) for p in self.rows]
        if self.factors:
            vanishing_factors = tuple(j for j, z in enumerate(may_vanish) if z)
            if not vanishing_factors:
                return True
            self.empty = False
            named = {i for j in vanishing_factors if (i := self.axis_of(j)) is not None}
            unbounded_axes = tuple(i for i in self.unbounded(cell) if i not in named)
            alone = len(vanishing_factors) == 1
            simple = self.crossing(vanishing_factors) >= target and (
                self.independent(vanishing_factors, box, unbounded_axes)
                or (
                    alone
                    and not unbounded_axes
                    and self.one_node(vanishing_factors[0], cell, box, target)
                )
            )
            return simple or (alone and self.one_corner(vanishing_factors, cell, target))
        if not all(may_vanish):
            return True
        self.empty = False
        ranks = (r for r in range(1, len(cell) + 1) if Pair(Fraction(r, 2), 1) >= target)
        rows, r = range(len(self.rows)), next(ranks, len(self.rows) + 1)
        unbounded_axes = self.unbounded(cell)
        return any(
            self.independent(c, box, unbounded_axes) for c in combinations(rows, r)
        ) or self.one_corner(rows, cell, target)

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
        self, rows: tuple[int, ...], box: list[ScaledInterval], unbounded_axes: tuple[int, ...] = ()
    ) -> bool:
        """Whether a minor of the differentials, without those columns, is nowhere 0."""
        bounded_axes = [i for i in range(len(box)) if i not in unbounded_axes]
        if len(rows) > len(bounded_axes):
            return False
        if (rows, unbounded_axes) not in self.minors:
            matrix = [[self.jacobian[r][i] for i in bounded_axes] for r in rows]
            self.minors[rows, unbounded_axes] = minors(matrix, len(rows))
        return any(p and _nonzero(p, box) for p in self.minors[rows, unbounded_axes])

    def one_corner(self, rows: Iterable[int], cell: Cell, target: Pair) -> bool:
        """Whether, seen from a listed point, no terms of these polynomials cancel on the cell."""
        if self.unbounded(cell):
            return False
        for box_point, proof in self.proved_points:
            point = [x for x in box_point if isinstance(x, Fraction)]
            sides = [(a - x, b - x) for x, (a, b) in zip(point, cell, strict=False)]
            inside = len(point) == len(cell) and all(a <= 0 <= b for a, b in sides)
            if inside and proof.lower >= target:
                if box_point not in self.moved:
                    shifts = zip(self.rows[0].ring.gens, point, strict=True)
                    moves = [(x, x + x.ring.domain(a.numerator, a.denominator)) for x, a in shifts]
                    self.moved[box_point] = [terms_of(p.compose(moves)) for p in self.rows]
                if all(cannot_cancel(self.moved[box_point][j], sides) for j in rows):
                    self.used_points.add(box_point)
                    return True
        return False

    def one_node(self, j: int, cell: Cell, box: list[ScaledInterval], target: Pair) -> bool:
        """Whether a listed point is the only singular zero of a factor in the cell.

        If no matrix between the bounds of the Hessian matrix is singular then the gradient is
        injective on the cell.
        """
        if len(cell) > limits.MOST_HESSIAN_VARIABLES:
            return False
        terms = [terms_of(d) for d in self.jacobian[j]]
        for box_point, proof in self.proved_points:
            if proof.lower < target or not all(isinstance(x, Fraction) for x in box_point):
                continue
            point = [x for x in box_point if isinstance(x, Fraction)]
            if not all(a <= x <= b for x, (a, b) in zip(point, cell, strict=True)):
                continue
            if any(value_at(d, point) for d in terms):
                continue
            ring = self.rows[j].ring
            hessian = [[_value(d.diff(x), box) for x in ring.gens] for d in self.jacobian[j]]
            if excludes_zero(enclose_determinant(hessian, limits.INTERVAL_BITS)):
                self.used_points.add(box_point)
                return True
        return False

    def smooth_zeros(self) -> Iterator[tuple[Pair, dict[str, Any]]]:
        """For each factor a cell where it alone vanishes, smoothly, and changes sign."""
        rng = np.random.default_rng(0)
        for j, (p, m) in enumerate(self.factors):
            for _ in range(limits.MOST_CELL_TRIES):
                smooth_cell = self._cell(j, self._line(p, rng))
                if smooth_cell is not None:
                    yield Pair(Fraction(1, self.scale * m), 1), smooth_cell
                    break

    def _line(self, p: Polynomial, rng: np.random.Generator) -> tuple[int, list[Fraction], Any]:
        """A line parallel to an axis, and the first sign change of p along it."""
        sides = self.problem.sides
        axis = int(rng.integers(len(sides)))
        point = [
            low + (high - low) * Fraction(int(k), 64)
            for (low, high), k in zip(sides, rng.integers(1, 64, size=len(sides)), strict=True)
        ]
        coefficient_of: dict[int, Fraction] = {}
        for e, c in terms_of(p).items():
            value = c
            for i, (x, k) in enumerate(zip(point, e, strict=True)):
                value *= x**k if i != axis else 1
            coefficient_of[e[axis]] = coefficient_of.get(e[axis], Fraction(0)) + value
        dense = [coefficient_of.get(k, Fraction(0)) for k in range(max(coefficient_of) + 1)]
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
            kept_factors = [q for k, (q, _) in enumerate(self.factors) if k != j]
            clear = all(
                not h or not u <= 0 <= v for h, (u, v) in zip(self.problem.prior, cell, strict=True)
            )
            if (
                clear
                and all(_nonzero(q, box) for q in kept_factors)
                and any(d and _nonzero(d, box) for d in self.jacobian[j])
            ):
                points = [
                    [str(x) if i != axis else str(t) for i, x in enumerate(point)]
                    for t in (cell[axis][0] + size / 8, cell[axis][1] - size / 8)
                ]
                values = [value_at(terms_of(p), [Fraction(x) for x in texts]) for texts in points]
                if values[0] * values[1] < 0:
                    return {
                        "factor": j,
                        "cell": [[str(u), str(v)] for u, v in cell],
                        "points": points,
                    }
        return None


def _intervals(cell: Cell) -> list[ScaledInterval]:
    return [interval(low, high, limits.INTERVAL_BITS) for low, high in cell]


def _nonzero(p: Polynomial, box: list[ScaledInterval]) -> bool:
    """Whether interval arithmetic shows that a polynomial vanishes nowhere."""
    return excludes_zero(_value(p, box))


def _value(p: Polynomial, box: list[ScaledInterval]) -> ScaledInterval:
    return enclose_polynomial(terms_of(p), box, limits.INTERVAL_BITS)
