"""Candidate poles of the zeta function: arithmetic progressions, and how they meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm

import numpy as np

from rlct.blowup.fan import TooManyChartsError, simplicial_fan
from rlct.newton.exponents import exponent_matrix, prior_costs
from rlct.newton.simplex import Integers


@dataclass(frozen=True)
class PoleProgression:
    """The numbers −(start + n)/divisor, n in the semigroup of some integers.

    >>> cusp = PoleProgression(Fraction(5), Fraction(12), (4, 6))
    >>> [str(z) for z in cusp.down_to(Fraction(-5, 4))]
    ['-5/12', '-3/4', '-11/12', '-13/12', '-5/4']
    """

    #: Positive.
    start: Fraction
    divisor: Fraction
    #: Positive; n runs through their sums, 0 among them.
    steps: tuple[int, ...]

    @property
    def first(self) -> Fraction:
        """The largest."""
        return -self.start / self.divisor

    def down_to(self, bound: Fraction) -> list[Fraction]:
        """Members ≥ bound, decreasing."""
        top = (-bound * self.divisor - self.start).__floor__()
        reached = [True, *([False] * max(0, top))]
        for n in range(1, top + 1):
            reached[n] = any(n >= s and reached[n - s] for s in self.steps)
        if top < 0:
            return []
        return [-(self.start + n) / self.divisor for n, yes in enumerate(reached) if yes]

    def power(self, exponent: Fraction | int) -> PoleProgression:
        """Poles for K^exponent."""
        return PoleProgression(self.start, self.divisor * exponent, self.steps)

    def plus(self, addend: PoleProgression) -> PoleProgression:
        """All sums of a member of each.

        >>> half = PoleProgression(Fraction(1), Fraction(2), (2,))
        >>> [str(z) for z in half.plus(PoleProgression(Fraction(1), Fraction(4), (2,))).down_to(-2)]
        ['-3/4', '-5/4', '-7/4']
        """
        scale = lcm(self.divisor.denominator, addend.divisor.denominator)
        a, b = int(self.divisor * scale), int(addend.divisor * scale)
        steps = {*(s * b for s in self.steps), *(s * a for s in addend.steps)}
        common = gcd(*steps)
        return PoleProgression(
            (self.start * b + addend.start * a) / common,
            Fraction(a * b, scale * common),
            tuple(sorted(_minimal({s // common for s in steps}))),
        )


@dataclass(frozen=True)
class PoleCandidates:
    """A set that contains every pole of ζ, with a bound on the orders.

    >>> found = facet_candidates([[1, 1]], (0, 0), even=True)      # x²y²
    >>> found.down_to(Fraction(-3, 2))
    [(Fraction(-1, 2), 2), (Fraction(-3, 2), 2)]
    """

    #: Number of variables; no pole has a larger order.
    width: int
    #: Each cone: the divisors that meet at one point of a resolution.
    cones: tuple[tuple[PoleProgression, ...], ...]

    def down_to(self, bound: Fraction) -> list[tuple[Fraction, int]]:
        """Candidates ≥ bound, decreasing, each with the largest order it can have."""
        lists = {p: p.down_to(bound) for cone in self.cones for p in cone}
        orders: dict[Fraction, int] = {}
        for cone in self.cones:
            found = [z for p in cone for z in lists[p]]
            for z in set(found):
                orders[z] = max(orders.get(z, 0), min(self.width, found.count(z)))
        return sorted(orders.items(), reverse=True)

    def power(self, exponent: Fraction | int) -> PoleCandidates:
        """Candidates for K^exponent."""
        return PoleCandidates(
            self.width, tuple(tuple(p.power(exponent) for p in cone) for cone in self.cones)
        )

    def crossing(self, progression: PoleProgression) -> PoleCandidates:
        """With a divisor that may meet all the others."""
        return PoleCandidates(self.width, tuple((*cone, progression) for cone in self.cones))

    def or_at(self, alternatives: Iterable[PoleCandidates]) -> PoleCandidates:
        """With the candidates at other points."""
        return PoleCandidates(self.width, sum((other.cones for other in alternatives), self.cones))

    def times(self, factor: PoleCandidates) -> PoleCandidates:
        """Candidates for K₁(x)·K₂(y)."""
        pairs = product(self.cones, factor.cones)
        return PoleCandidates(self.width + factor.width, tuple((*a, *b) for a, b in pairs))

    def plus(self, addend: PoleCandidates, limit: int = 1_000) -> PoleCandidates:
        """Candidates for K₁(x) + K₂(y): sums, in the cones of staircases.

        TooManyChartsError if there are more than `limit` cones.
        """
        cones: dict[tuple[PoleProgression, ...], None] = {}
        for a, b in product(self.cones, addend.cones):
            sums = [[p.plus(q) for q in b] for p in a]
            for path in _staircases(len(a), len(b)):
                cones[tuple(sums[i][j] for i, j in path)] = None
                if len(cones) > limit:
                    raise TooManyChartsError(limit)
        return PoleCandidates(self.width + addend.width, tuple(cones))


def _staircases(rows: int, columns: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Ways from the first corner of a grid to the last: they triangulate a product of simplices."""
    if rows == 1 or columns == 1:
        yield tuple((i, j) for i in range(rows) for j in range(columns))
        return
    last = (rows - 1, columns - 1)
    for path in _staircases(rows - 1, columns):
        yield (*path, last)
    for path in _staircases(rows, columns - 1):
        yield (*path, last)


def facet_candidates(
    exponents: Sequence[Sequence[int]] | Integers,
    prior: Sequence[Fraction | int] | None,
    *,
    even: bool,
    signed: bool = True,
    limit: int = 1_000,
) -> PoleCandidates:
    """Candidate poles from the facets of a Newton polyhedron.

    A facet with primitive normal v and c = min v·α > 0 gives −(v·(1+h) + n)/(2c), where n is
    a sum of entries of v and of numbers v·α − c: an even sum if `signed`, a sum of their
    doubles if `even`.

    Exponents, shape (m, d), are all of the generators f of K = Σ f²; the prior, of length d, has
    h > −1.  ``even``: K is even in every variable; ``signed``: the variables run through both
    signs, and K is what has these generators.  Candidates are for K without zeros outside the
    coordinate planes on any compact face, and every prior |x|^h times a smooth function with small
    support.  TooManyChartsError if the fan has more than `limit` cones.

    Proved in ``theory/toric.md``; the facets are enough because the fan is cut into
    simplicial cones without new rays (Denef and Sargos 1989, J. Analyse Math. 53).

    >>> found = facet_candidates([[2, 0], [0, 3]], None, even=True)
    >>> [(str(z), order) for z, order in found.down_to(Fraction(-1))]
    [('-5/12', 1), ('-3/4', 1), ('-11/12', 1)]
    """
    matrix = exponent_matrix(exponents).astype(object)
    costs, scale = prior_costs(prior, matrix.shape[1])
    fan = simplicial_fan(matrix, limit)
    progressions: list[PoleProgression | None] = []
    for ray in fan.rays:
        values = matrix @ np.array(ray, dtype=object)
        least = int(values.min())
        steps = _steps({int(x) for x in (*ray, *(values - least)) if x}, even, signed)
        start = Fraction(int(costs @ np.array(ray, dtype=object)), scale)
        progressions.append(PoleProgression(start, Fraction(2 * least), steps) if least else None)
    cones = {tuple(p for i in cone if (p := progressions[i]) is not None) for cone in fan.cones}
    return PoleCandidates(matrix.shape[1], tuple(cone for cone in cones if cone))


def _steps(orders: set[int], even: bool, signed: bool) -> tuple[int, ...]:
    """Generators of the sums that count: of doubles, or the even ones, or all."""
    if even:
        orders = {2 * n for n in orders}
    elif signed:
        odd = [n for n in orders if n % 2]
        orders = orders - {*odd} | {a + b for a in odd for b in odd}
    return tuple(sorted(_minimal(orders)))


def _minimal(steps: set[int]) -> set[int]:
    """Leave out multiples of others: they add nothing to the semigroup."""
    return {s for s in steps if not any(s % t == 0 for t in steps if t < s)}
