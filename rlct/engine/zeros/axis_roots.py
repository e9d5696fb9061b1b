"""Real roots of rational polynomials in one variable, with intervals that can be narrowed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm

from rlct.engine import limits
from rlct.newton.real_roots import integer_poly


@dataclass(frozen=True)
class AxisRoot:
    """The `index`-th real root of an irreducible polynomial; equal if they are the same number."""

    #: Coprime coefficients from the constant term up, the last one positive.
    minimal: tuple[int, ...]
    #: Position among the real roots, in increasing order.
    index: int

    @property
    def rational(self) -> Fraction | None:
        """The number, if it is rational."""
        if len(self.minimal) > 2:
            return None
        return Fraction(-self.minimal[0], self.minimal[1])

    def interval(self, width: Fraction = Fraction(1)) -> tuple[Fraction, Fraction]:
        """Rationals around the number that are at most so far apart."""
        value = self.rational
        if value is not None:
            return value, value
        lower, upper = _isolated(self)
        rising = _at(self.minimal, upper) > 0
        while upper - lower > width:
            middle = (lower + upper) / 2
            if (_at(self.minimal, middle) > 0) == rising:
                upper = middle
            else:
                lower = middle
        _KNOWN_INTERVALS[self] = (lower, upper)
        return lower, upper

    def compare(self, value: Fraction) -> int:
        """Sign of the number minus a rational."""
        exact = self.rational
        if exact is not None:
            return (exact > value) - (exact < value)
        width = Fraction(1)
        while True:
            low, high = self.interval(width)
            if low >= value or high <= value:
                return 1 if low >= value else -1
            width /= 16


_KNOWN_INTERVALS: dict[AxisRoot, tuple[Fraction, Fraction]] = {}


def _isolated(root: AxisRoot) -> tuple[Fraction, Fraction]:
    if root not in _KNOWN_INTERVALS:
        if len(_KNOWN_INTERVALS) > limits.MOST_STORED_ROOTS:
            _KNOWN_INTERVALS.clear()
        for k, ((a, b), _) in enumerate(integer_poly(root.minimal).intervals()):
            _KNOWN_INTERVALS[AxisRoot(root.minimal, k)] = (
                Fraction(int(a.p), int(a.q)),
                Fraction(int(b.p), int(b.q)),
            )
    return _KNOWN_INTERVALS[root]


def _at(p: tuple[int, ...], x: Fraction) -> int:
    """Value at a rational times a positive number."""
    total, power = 0, 1
    for c in reversed(p):
        total = total * x.numerator + c * power
        power *= x.denominator
    return total


def real_roots_in(p: list[Fraction], low: Fraction, high: Fraction) -> list[AxisRoot]:
    """Distinct real roots in a closed interval, in increasing order; p is not zero.

    >>> [r.minimal for r in real_roots_in([Fraction(c) for c in (-2, 2, 1, -1)], -2, 2)]
    [(-2, 0, 1), (-1, 1), (-2, 0, 1)]
    """
    scale = lcm(*(c.denominator for c in p))
    roots_inside = []
    for f, _ in integer_poly(tuple(int(c * scale) for c in p)).factor_list()[1]:
        minimal = tuple(int(c) for c in reversed(f.all_coeffs()))
        count = 1 if len(minimal) == 2 else len(f.intervals())
        for k in range(count):
            root = AxisRoot(minimal, k)
            if root.compare(low) >= 0 >= root.compare(high):
                roots_inside.append(root)
    return in_increasing_order(roots_inside)


def in_increasing_order(roots: Iterable[AxisRoot]) -> list[AxisRoot]:
    """Sort different roots."""
    return sorted(roots, key=_Key)


class _Key:
    def __init__(self, root: AxisRoot) -> None:
        self.root = root

    def __lt__(self, second: _Key) -> bool:
        if self.root == second.root:
            return False
        width = Fraction(1)
        while True:
            a, b = self.root.interval(width)
            c, d = second.root.interval(width)
            if b < c or d < a:
                return b < c
            width /= 16


def rationals_between(roots: list[AxisRoot], low: Fraction, high: Fraction) -> list[Fraction]:
    """A rational in each gap that roots, in increasing order, leave in an open interval.

    >>> roots = real_roots_in([Fraction(-2), Fraction(0), Fraction(1)], Fraction(0), Fraction(2))
    >>> [str(x) for x in rationals_between(roots, Fraction(0), Fraction(2))]
    ['1', '3/2']
    """
    width = Fraction(1)
    while True:
        ends = [(low, low), *(r.interval(width) for r in roots), (high, high)]
        gaps = [(b, c) for (_, b), (c, _) in pairwise(ends)]
        inner = gaps[1:-1]
        first = not roots or gaps[0][0] < gaps[0][1] or roots[0].rational == low
        last = not roots or gaps[-1][0] < gaps[-1][1] or roots[-1].rational == high
        if first and last and all(b < c for b, c in inner):
            return [_simple(b, c) for b, c in gaps if b < c]
        width /= 16


def _simple(low: Fraction, high: Fraction) -> Fraction:
    """A rational in an open interval whose denominator is a small power of two."""
    unit = 1
    while True:
        value = Fraction((low * unit).__floor__() + 1, unit)
        if value < high:
            return value
        unit *= 2
