"""Zeros in a box at simple places, with proofs of their pairs."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from itertools import product as points_of
from math import prod
from typing import Any

import numpy as np

from rlct.algebra.polynomial import make_ring, order, terms_of, value_at
from rlct.algebra.real_algebraic import Coordinate
from rlct.engine import limits
from rlct.engine.boxes.plane_box import critical_zeros
from rlct.engine.boxes.sparse_zeros import sparse_zeros
from rlct.engine.strategy import prove_problem
from rlct.errors import InputError
from rlct.proof.tree import Proof
from rlct.questions.box_problem import BoxProblem
from rlct.system.time_limit import Budget

BoxPlace = tuple[Coordinate, ...]
ProvedPoint = tuple[BoxPlace, Proof]
Terms = dict[tuple[int, ...], Fraction]


class BoxZeros:
    """Zeros of a question over a box; those proved before an interruption stay.

    The budget is for all proofs together; ``proved`` has the zeros so far, each with the proof of
    its pair.
    """

    def __init__(self, problem: BoxProblem, budget: Budget) -> None:
        self.problem, self.budget = problem, budget
        self.proved: list[ProvedPoint] = []
        self._likely_tried = False
        self._pending = self._all_proofs()

    def with_proofs(self) -> list[ProvedPoint]:
        """The likely ones among simple zeros, with proofs."""
        while not self._likely_tried and next(self._pending, None) is not None:
            pass
        return list(self.proved)

    def simple_zero(self) -> tuple[Fraction, ...] | None:
        """A zero among simple rational points, without a proof of its pair."""
        return next(self._simple_zeros(), None)

    def first_zero(self) -> list[ProvedPoint]:
        """One zero with its bounds: a simple one, if there is one, without a search at it."""
        point = self.simple_zero()
        return [*islice(self.all_zeros(), 1)] if point is None else [self._proved(point, 0.0)]

    def all_zeros(self) -> Iterator[ProvedPoint]:
        """Those that are proved first, and the further ones."""
        yield from self.proved
        yield from self.further_zeros()

    def further_zeros(self) -> Iterator[ProvedPoint]:
        """Further simple zeros, proved one by one."""
        while (proved_point := next(self._pending, None)) is not None:
            yield proved_point  # who stops here does not close what is pending

    def _all_proofs(self) -> Iterator[ProvedPoint]:
        problem = self.problem
        if not self._grid_is_complete:
            if not problem.is_ideal:
                list(self._simple_zeros())  # refuses K < 0
            yield from self._sparse_proofs()
        else:
            zeros = sorted(self._simple_zeros(), key=lambda point: (-self._order(point), point))
            for count, point in enumerate(zeros[: limits.MOST_OTHER_POINTS]):
                first = count < limits.MOST_BOX_POINTS
                sides = zip(point, problem.sides, strict=True)
                # On a wall half of the volume is missing: others are likelier to be the worst.
                quick = not first or (self.proved and any(x in side for x, side in sides))
                yield self._proved(point, limits.POINT_PROOF_SECONDS if quick else None)
                self._likely_tried |= count + 1 == limits.MOST_BOX_POINTS
        self._likely_tried = True

    def _sparse_proofs(self) -> Iterator[ProvedPoint]:
        """Zeros with few coordinates that are not 0, the likely ones for longer times."""
        budget = self.budget
        zeros = sorted(sparse_zeros(self.problem, budget), key=lambda zero: zero.guess)
        # A scaling leads to 0, which is a leaf of a tree of cells then, and hard.
        for zero in sorted(
            zeros[: limits.MOST_SPARSE_PROOFS], key=lambda zero: not any(zero.point)
        ):
            if self._may_improve(Fraction(zero.rank, 2)):
                share = limits.SPARSE_SECONDS
                if budget.seconds_left is not None:
                    share = min(share, limits.SPARSE_SHARE * budget.seconds_left)
                yield self._proved(zero.point, share)
        self._likely_tried = True

    def _may_improve(self, lam: Fraction) -> bool:
        """Whether no zero so far has a λ as small, and there is time."""
        uppers = [proof.upper.lam for _, proof in self.proved if proof.upper is not None]
        return not self.budget.spent and lam < min(uppers, default=lam + 1)

    def _proved(self, point: BoxPlace, seconds: float | None) -> ProvedPoint:
        left = self.budget.seconds_left
        limit = seconds if left is None else left if seconds is None else min(left, seconds)
        self.proved.append((point, prove_problem(self.problem.at(point), limit)))
        return self.proved[-1]

    @cached_property
    def _choices(self) -> list[list[Fraction]]:
        """Simple values of each variable, the small ones first."""
        choices = []
        for low, high in self.problem.sides:
            inside = [Fraction(k, 2) for k in range(-8, 9) if low <= Fraction(k, 2) <= high]
            inside += [Fraction(k, 3) for k in (-2, -1, 1, 2) if low <= Fraction(k, 3) <= high]
            choices.append(sorted({*inside, low, high}, key=lambda a: (abs(a), a)))
        return choices

    @property
    def _grid_is_complete(self) -> bool:
        return prod(map(len, self._choices)) <= limits.MOST_BOX_CANDIDATES

    def _order(self, point: tuple[Fraction, ...]) -> int:
        """Least order of the generators at a point."""
        return min(order(g) for g in self.problem.at(point).generators if g)

    def _simple_zeros(self) -> Iterator[tuple[Fraction, ...]]:
        """Zeros among simple rational points."""
        problem = self.problem
        generators = [terms_of(g) for g in problem.generators]
        points = list(islice(points_of(*self._choices), limits.MOST_BOX_CANDIDATES))
        for index in _suspects(generators, points, negative_too=not problem.is_ideal):
            point = points[index]
            values = [value_at(g, point) for g in generators]
            if not problem.is_ideal and values[0] < 0:
                named = zip(problem.variables, point, strict=True)
                where = ", ".join(f"{n} = {a}" for n, a in named)
                raise InputError(f"K is {values[0]} at {where}: λ needs K ≥ 0 in the box")
            if not any(values):
                yield point

    def on_slices(self) -> list[ProvedPoint]:
        """Zeros on planes where all variables but two have simple values, with proofs."""
        problem = self.problem
        slice_problems = [
            (point, problem.at(point)) for point in islice(self._sliced(), limits.MOST_SLICE_POINTS)
        ]
        slice_problems.sort(key=lambda item: -min(map(order, item[1].local.generators)))
        return [
            (point, prove_problem(local))
            for point, local in slice_problems[: limits.MOST_PROVED_POINTS]
        ]

    def _sliced(self) -> Iterator[BoxPlace]:
        problem = self.problem
        d = len(problem.sides)
        ring = problem.generators[0].ring
        for pair in islice(combinations(range(d), 2), limits.MOST_SLICES):
            other_axes = [i for i in range(d) if i not in pair]
            choices = [
                [low + (high - low) * Fraction(k, 4) for k in (2, 1, 3)]
                for low, high in (problem.sides[i] for i in other_axes)
            ]
            for values in islice(points_of(*choices), limits.MOST_SLICES):
                substitutions = [
                    (ring.gens[i], ring.ground_new(ring.domain(v.numerator, v.denominator)))
                    for i, v in zip(other_axes, values, strict=True)
                ]
                small = make_ring([problem.variables[i] for i in pair])
                restricted = [g.compose(substitutions) for g in problem.generators]
                moved = tuple(
                    small.from_dict({tuple(m[i] for i in pair): c for m, c in g.terms()})
                    for g in restricted
                    if g
                )
                if not moved or any(g.is_ground for g in moved):
                    continue
                sides = tuple(problem.sides[i] for i in pair)
                slice_ = BoxProblem(moved, True, (Fraction(0),) * 2, sides)
                for x, y in islice(critical_zeros(slice_), limits.MOST_POINTS_OF_A_SLICE):
                    point: list[Coordinate] = [Fraction(0)] * d
                    for i, v in zip(other_axes, values, strict=True):
                        point[i] = v
                    point[pair[0]], point[pair[1]] = x, y
                    yield tuple(point)


def _suspects(
    generators: Sequence[Terms], points: Sequence[Sequence[Fraction]], *, negative_too: bool
) -> list[int]:
    """Points at which all generators may vanish, or the first may be negative, as floats see it."""
    places = np.array([[float(a) for a in point] for point in points])
    may_vanish = np.ones(len(points), dtype=bool)
    may_be_negative = np.zeros(len(points), dtype=bool)
    with np.errstate(all="ignore"):
        for index, g in enumerate(generators):
            total, size = np.zeros(len(points)), np.zeros(len(points))
            for m, c in g.items():
                term = _float(c) * _monomial(places, m)
                total += term
                size += np.abs(term)
            # What overflows is not known, so it stays possible.
            unknown = ~np.isfinite(size)
            may_vanish &= unknown | (np.abs(total) <= limits.POINT_ROUNDING * size)
            if negative_too and not index:
                may_be_negative = unknown | (total < 0)
    suspects: list[int] = np.flatnonzero(may_vanish | may_be_negative).tolist()
    return suspects


def _monomial(places: Any, exponents: Sequence[int]) -> Any:
    value = np.ones(len(places))
    for i, e in enumerate(exponents):
        if e:
            value *= places[:, i] ** e
    return value


def _float(c: Fraction) -> float:
    return float(c) if abs(c) < limits.LARGEST_FLOAT else float("inf")
