"""The integral of a quasi-homogeneous function of two variables over its exceptional curve."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath

from rlct.algebra.polynomial import Terms
from rlct.blowup.residue_ball import real_zeros, taylor_coefficients

_WORKING_DIGITS = 60  # working precision: an integrable singularity takes most of it


@dataclass(frozen=True)
class Line:
    """One of the pieces ∫_0^1 t^a·p(t)^(−λ) dt, times `factor`.

    Parameters
    ----------
    power : Fraction
        a > −1.
    coefficients : tuple of Fraction
        Of p, from the constant term up; p(0) ≠ 0.
    factor : Fraction
    """

    power: Fraction
    coefficients: tuple[Fraction, ...]
    factor: Fraction


def principal_lines(
    part: Terms, weight: Sequence[Fraction], prior: Sequence[Fraction], lam: Fraction
) -> list[Line]:
    """Pieces of w₁·Σ_ε ∫ |u|^(h₂) K₀(ε, u)^(−λ) du, ε = ±1, cut at |u| = 1.

    Parameters
    ----------
    part : Terms
        K₀, with K₀(r^w₁ x, r^w₂ y) = r·K₀(x, y).
    weight, prior : sequences of Fraction, length 2
    lam : Fraction
        w·(1+h).

    Returns
    -------
    list of Line
        Eight of them; their sum is the residue of ∫ K₀^z |x|^h at z = −λ.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> lines = principal_lines({(2, 0): Fraction(1), (0, 2): Fraction(1)}, (half, half), (0, 0), 1)
    >>> len(lines), lines[0].coefficients
    (8, (Fraction(1, 1), Fraction(0, 1), Fraction(1, 1)))
    """
    low, high = min(n for _, n in part), max(n for _, n in part)
    lines = []
    for x_sign in (1, -1):
        for y_sign in (1, -1):
            row = [Fraction(0)] * (high - low + 1)
            for (m, n), c in part.items():
                row[n - low] += c * x_sign**m * y_sign**n
            inner = prior[1] - lam * low
            outer = lam * high - prior[1] - 2
            lines.append(Line(Fraction(inner), tuple(row), weight[0]))
            lines.append(Line(Fraction(outer), tuple(reversed(row)), weight[0]))
    return lines


def edge_integral(lines: Sequence[Line], lam: Fraction) -> tuple[float, float]:
    """Sum of the integrals with an estimate of the error.

    Examples
    --------
    >>> line = Line(Fraction(-1, 2), (Fraction(1),), Fraction(1))
    >>> edge_integral([line], Fraction(1))[0]
    2.0
    """
    with mpmath.workdps(_WORKING_DIGITS):
        found = [_integral(line, lam) for line in lines]
        return float(sum(v for v, _ in found)), float(sum(e for _, e in found))


def _integral(line: Line, lam: Fraction) -> tuple[Any, Any]:
    """Cut at the zeros of p and between them, so that each piece is singular at one end."""
    p = [_number(c) for c in line.coefficients]
    a, exponent = _number(line.power), -_number(lam)
    zeros = _zeros(line)
    ends = [mpmath.mpf(0), *(z for z, _ in zeros), mpmath.mpf(1)]
    value, error = mpmath.mpf(0), mpmath.mpf(0)
    pieces = [(0, a, 1, (ends[0] + ends[1]) / 2)]
    for k, (zero, order) in enumerate(zeros, start=1):
        pieces.append((zero, exponent * order, -1, (zero - ends[k - 1]) / 2))
        pieces.append((zero, exponent * order, 1, (ends[k + 1] - zero) / 2))
    if ends[-2] < 1:
        pieces.append((1, mpmath.mpf(0), -1, (1 - ends[-2]) / 2))
    for base, power, sign, length in pieces:
        order = next((m for z, m in zeros if z == base), 0)
        q = [c * sign**n for n, c in enumerate(taylor_coefficients(p, base))][order:]
        found = _piece(q, exponent, power, base, sign * (base != 0), a, length)
        value, error = value + found[0], error + found[1]
    factor = _number(line.factor)
    return factor * value, factor * error


def _piece(
    q: list[Any], exponent: Any, power: Any, base: Any, sign: int, a: Any, length: Any
) -> tuple[Any, Any]:
    """∫_0^length δ^power·(base + sign·δ)^a·q(δ)^exponent dδ; a counts only off base 0."""
    # δ = τ^(1/(1+power)) removes the singularity at 0.
    root = 1 / (1 + power)
    descending = list(reversed(q))

    def integrand(tau: Any) -> Any:
        delta = tau**root
        outer = (base + sign * delta) ** a if sign else 1
        return outer * abs(mpmath.polyval(descending, delta)) ** exponent

    value, error = mpmath.quad(integrand, [0, length ** (1 + power)], error=True)
    return root * value, root * error


def _zeros(line: Line) -> list[tuple[Any, int]]:
    """Zeros of p in (0, 1], increasing, with their orders: isolated exactly, then rounded."""
    enclosed_zeros = real_zeros(line.coefficients, Fraction(1, 10**_WORKING_DIGITS))
    middles = [((low + high) / 2, order) for (low, high), order in enclosed_zeros]
    return [(_number(zero), order) for zero, order in middles if 0 < zero <= 1]


def _number(value: Fraction) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator
