"""Enclosures of finite parts of ∫ |τ|^e sgn(τ)^κ |G|^s p/G^L by power series with tails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import count
from typing import Any

from mpmath import iv

from rlct.algebra.polynomial import to_fraction
from rlct.blowup.face_residue import FaceResidue, Form, power_series

_SERIES_TERMS = 50  # terms; 2^−50 is the tail
_BALL_DIGITS = 30  # digits; for a tail of 15
_MOST_STEPS = 60  # of one piece [0, 1]
_LARGEST_SHARE = 0.75  # of the distance to a zero, at most, and of |G|/G(0) − 1


def real_zeros(
    initial: Sequence[Fraction], nearness: Fraction | None = None
) -> list[tuple[tuple[Fraction, Fraction], int]]:
    """Real zeros off 0 of a polynomial, enclosed, with their orders.

    >>> real_zeros([Fraction(-1), Fraction(0), Fraction(1)])
    [((Fraction(-1, 1), Fraction(-1, 1)), 1), ((Fraction(1, 1), Fraction(1, 1)), 1)]
    """
    import sympy

    coefficients = [sympy.Rational(c.numerator, c.denominator) for c in reversed(initial)]
    poly = sympy.Poly(coefficients, sympy.Symbol("t"), domain="QQ")
    if poly.degree() < 1:
        return []
    eps = None if nearness is None else sympy.Rational(nearness.numerator, nearness.denominator)
    return [
        ((to_fraction(low), to_fraction(high)), int(order))
        for (low, high), order in poly.intervals(eps=eps)
    ]


def finite_part(face_residue: FaceResidue, form: Form) -> Any:
    """Interval around the integral of a form of `FaceResidue`, None if it is not found.

    Four pieces, over [0, 1] in ±τ and ±1/τ; each is the sum of power series around 0 and the
    zeros of G, integrated term by term, with series at regular points between.
    """
    s, poles, e = face_residue.s, face_residue.poles, face_residue.exponent
    high = -e - 2 - face_residue.degree * (s - poles) - max(form)
    # No two pieces meet at a zero of G: both its sides need one coordinate.
    cut_at = next(c for c in count(1) if not _vanishes_at(face_residue.edge.initial, c))
    with _ball_digits():
        total = iv.mpf(0)
        for g, p in _two_sides(face_residue, form, cut_at):
            for power, initial, factor in ((e + min(form), g, p), (high, g[::-1], p[::-1])):
                part = _Piece(power, initial, factor, s, poles).integral()
                if part is None:
                    return None
                total += part
        return total * iv.mpf(cut_at) ** to_interval(e + min(form) + 1)


def curve_part(face_residue: FaceResidue, form: Form, order: int) -> Any:
    """Interval around the sum over the real zeros of G of some order where |δ|^−1 arises.

    Its coefficients there, over the order, make the pole of order 2.
    """
    s, poles, power = face_residue.s, face_residue.poles, face_residue.exponent + min(form)
    with _ball_digits():
        total = iv.mpf(0)
        for g, p in _two_sides(face_residue, form, 1):
            piece = _Piece(power, g, p, s, poles, None)
            for low, high, zero_order in piece.zeros:
                if zero_order == order:
                    series, scale = piece.expansion(_between(low, high), order, 1)
                    total += series[int(order * (poles - s)) - 1] * scale
        return total / order


@contextmanager
def _ball_digits() -> Iterator[None]:
    digits, iv.dps = iv.dps, _BALL_DIGITS
    try:
        yield
    finally:
        iv.dps = digits


def _two_sides(
    face: FaceResidue, form: Form, cut_at: int
) -> Iterator[tuple[list[Fraction], list[Fraction]]]:
    """G and p in ±τ over cut_at, p without its least power."""
    first = min(form)
    row = [form.get(k, Fraction(0)) for k in range(first, max(form) + 1)]
    for mark in (1, -1):
        g = [c * (mark * cut_at) ** d for d, c in enumerate(face.edge.initial)]
        yield g, [c * mark ** (face.sign + first + d) * cut_at**d for d, c in enumerate(row)]


def _vanishes_at(initial: Sequence[Fraction], cut_at: int) -> bool:
    return any(not sum(c * (mark * cut_at) ** d for d, c in enumerate(initial)) for mark in (1, -1))


class _Piece:
    """∫_0^1 τ^power·|G|^s·p/G^L dτ."""

    def __init__(
        self,
        power: Fraction,
        coefficients: Sequence[Fraction],
        factor: Sequence[Fraction],
        s: Fraction,
        poles: int,
        last_zero: int | None = 1,
    ) -> None:
        self.power, self.s, self.poles = power, s, poles
        self.initial = [to_interval(c) for c in coefficients]
        self.factor = [to_interval(c) for c in factor]
        near = Fraction(1, 10 ** (_BALL_DIGITS - 4))
        zeros = real_zeros(coefficients, near)
        self.zeros = [
            (a, b, order)
            for (a, b), order in zeros
            if a > 0 and (last_zero is None or a <= last_zero)
        ]

    def integral(self) -> Any:
        """Add up to the zeros, over them, and to 1."""
        total, position = self._from_zero()
        for low, high, order in self.zeros:
            centre = _between(low, high)
            reach = self._reach(centre, order) / 2
            part = self._march(position, low - reach)
            if part is None:
                return None
            total += part
            position = max(position, low - reach)
            total += self._series(centre, order, -1, centre - to_interval(position))
            right = min(Fraction(1), high + reach)
            if right > high:
                total += self._series(centre, order, 1, to_interval(right) - centre)
            position = right
        part = self._march(position, Fraction(1))
        return None if part is None else total + part

    def _march(self, start: Fraction, end: Fraction) -> Any:
        """Series at regular points, each from its centre to the right."""
        total, position = iv.mpf(0), start
        for _ in range(_MOST_STEPS):
            if position >= end:
                return total
            step = min(self._reach(to_interval(position), 0) / 2, end - position)
            total += self._series(to_interval(position), 0, 1, to_interval(step))
            position += step
        return None

    def _from_zero(self) -> tuple[Any, Fraction]:
        reach = min(Fraction(1), self._reach(iv.mpf(0), 0) / 2)
        return self._series(iv.mpf(0), 0, 1, to_interval(reach)), reach

    def _reach(self, centre: Any, order: int) -> Fraction:
        """A radius on which G/δ^order and τ keep off 0, as `_series` needs."""
        shifted = taylor_coefficients(self.initial, centre)[order:]
        ratios = [abs(c / shifted[0]).b for c in shifted[1:]]
        radius = Fraction(1) if centre.b == 0 else _fraction(centre.a) * 3 / 4
        while (
            _sum(r * to_interval(radius) ** (k + 1) for k, r in enumerate(ratios)).b
            > _LARGEST_SHARE
        ):
            radius = radius * 3 / 4
        return Fraction(int(radius * 2**30), 2**30)

    def _series(self, centre: Any, order: int, side: int, ell: Any) -> Any:
        """∫_0^ℓ at centre + side·δ, for ℓ about half of the reach or less."""
        at_zero = centre.b == 0
        sigma = order * (self.s - self.poles) + (self.power if at_zero else 0)
        radius = to_interval(self._reach(centre, order))
        taylor_terms, scale = self.expansion(centre, order, side)
        # Bounds of the factors of the series on |δ| = radius give those of its coefficients.
        coefficient_bound = iv.mpf(4) ** to_interval(abs(self.s - self.poles))
        if not at_zero:
            coefficient_bound *= iv.mpf(4) ** to_interval(abs(self.power))
        coefficient_bound *= _sum(
            abs(c) * radius**k for k, c in enumerate(taylor_coefficients(self.factor, centre))
        )
        total = iv.mpf(0)
        for k, c in enumerate(taylor_terms):
            exponent = sigma + k + 1
            total += c * (
                ell ** to_interval(exponent) / to_interval(exponent) if exponent else iv.log(ell)
            )
        last_exponent = sigma + _SERIES_TERMS + 1
        assert last_exponent >= 1
        tail = (
            coefficient_bound * (ell / radius) ** _SERIES_TERMS * ell ** to_interval(sigma + 1) * 2
        )
        return (total + iv.mpf([-1, 1]) * tail) * scale

    def expansion(self, centre: Any, order: int, side: int) -> tuple[list[Any], Any]:
        """Series in δ of the integrand over |δ|^(order·(s − L)), and a factor of it."""
        shifted = [c * side**k for k, c in enumerate(taylor_coefficients(self.initial, centre))][
            order:
        ]
        factor = [c * side**k for k, c in enumerate(taylor_coefficients(self.factor, centre))]
        growth = self.s - self.poles
        series = power_series([c / shifted[0] for c in shifted], to_interval(growth), _SERIES_TERMS)
        scale = abs(shifted[0]) ** to_interval(growth)
        if centre.b != 0:
            series = _times(
                series,
                power_series([iv.mpf(1), side / centre], to_interval(self.power), _SERIES_TERMS),
            )
            scale *= centre ** to_interval(self.power)
        sign = 1 if shifted[0] > 0 else -1
        return _times(series, factor), scale * sign**self.poles


def to_interval(value: Fraction | int) -> Any:
    """A rational as an interval."""
    value = Fraction(value)
    return iv.mpf(value.numerator) / value.denominator


def _between(low: Fraction, high: Fraction) -> Any:
    return iv.mpf([to_interval(low).a, to_interval(high).b])


def _fraction(value: Any) -> Fraction:
    return Fraction(float(value)) * Fraction(999, 1000)


def taylor_coefficients(row: Sequence[Any], centre: Any) -> list[Any]:
    """Coefficients of the polynomial at centre + δ, by repeated synthetic division."""
    shifted = list(row)
    for start in range(len(shifted)):
        for k in range(len(shifted) - 2, start - 1, -1):
            shifted[k] += centre * shifted[k + 1]
    return shifted


def _times(series: Sequence[Any], factor: Sequence[Any]) -> list[Any]:
    return [
        _sum(factor[d] * series[k - d] for d in range(min(k, len(factor) - 1) + 1))
        for k in range(_SERIES_TERMS)
    ]


def _sum(balls: Iterable[Any]) -> Any:
    return sum(balls, start=iv.mpf(0))
