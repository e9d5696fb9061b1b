"""Polynomials in two variables over a real number field, in integers."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any

import numpy as np

from rlct.algebra.number_field import FieldElement, FieldNumber, NumberField
from rlct.algebra.polynomial import Polynomial, terms_of
from rlct.newton.polygon import lower_hull
from rlct.newton.simplex import Integers

Exponent = tuple[int, int]
Chart = tuple[Exponent, Exponent]
"""((p, q), (a, b)) for x = s^p t^a, y = s^q t^b."""


@dataclass(frozen=True)
class Curve:
    """A polynomial: `scale` times integral coefficients without a common factor."""

    terms: dict[Exponent, FieldElement]
    scale: Fraction

    @cached_property
    def hull(self) -> list[Exponent]:
        """Vertices of the Newton polygon."""
        return lower_hull(self.terms)

    @property
    def order(self) -> int:
        """Order of vanishing at the origin."""
        return min(map(sum, self.terms))

    def form(self, weight: Exponent) -> tuple[int, dict[Exponent, FieldElement]]:
        """Weighted order, and the terms of that order."""
        p, q = weight
        least = min(p * m + q * n for m, n in self.hull)
        return least, {e: c for e, c in self.terms.items() if p * e[0] + q * e[1] == least}

    def linear(self, field: NumberField) -> tuple[FieldElement, FieldElement]:
        """Differential at the origin, up to `scale`."""
        zero = field.integer(0)
        return self.terms.get((1, 0), zero), self.terms.get((0, 1), zero)

    def encode(self) -> list[list[Any]]:
        """For certificates, as `rlct.proof.encode` does."""
        return [
            [encode_number(FieldNumber(c, 1), self.scale), list(m)]
            for m, c in sorted(self.terms.items())
        ]


def encode_number(value: FieldNumber, scale: Fraction = Fraction(1)) -> Any:
    """Rationals as text; other numbers as the list of their coefficients.

    >>> encode_number(FieldNumber((3,), 2)), encode_number(FieldNumber((0, 1), 2))
    ('3/2', ['0', '1/2'])
    """
    parts = [str(scale * part) for part in value.parts()]
    return parts[0] if len(parts) == 1 else parts


def _curve(terms: dict[Exponent, FieldElement], scale: Fraction) -> Curve:
    nonzero_terms = {m: c for m, c in terms.items() if any(c)}
    content = gcd(*(e for c in nonzero_terms.values() for e in c))
    if content > 1:
        nonzero_terms = {m: tuple([e // content for e in c]) for m, c in nonzero_terms.items()}
    return Curve(nonzero_terms, scale * content)


def from_polynomial(polynomial: Polynomial) -> Curve:
    """Take over a polynomial with rational coefficients."""
    terms = terms_of(polynomial)
    bottom = lcm(*(c.denominator for c in terms.values()))
    return _curve({(m, n): (int(c * bottom),) for (m, n), c in terms.items()}, Fraction(1, bottom))


def map_curve(curve: Curve, image: FieldNumber, larger: NumberField) -> Curve:
    """Express the coefficients in a larger field, by the image of the old generator.

    >>> quartic = NumberField((-2, 0, 0, 0, 1), Fraction(1), Fraction(2))  # γ⁴ = 2, √2 = γ²
    >>> map_curve(Curve({(1, 0): (1, 3)}, Fraction(1)), FieldNumber((0, 0, 1, 0), 1), quartic).terms
    {(1, 0): (1, 0, 3, 0)}
    """
    degree = len(next(iter(curve.terms.values())))
    powers = [larger.one]
    for _ in range(degree - 1):
        powers.append(larger.multiply(powers[-1], image.top))
    # Σ e_i (top/bottom)^i over the denominator bottom^(degree − 1).
    rows = [[e * image.bottom ** (degree - 1 - i) for e in row] for i, row in enumerate(powers)]
    columns = list(zip(*rows, strict=True))
    return _curve(
        {
            m: tuple([sum(e * x for e, x in zip(c, column, strict=True)) for column in columns])
            for m, c in curve.terms.items()
        },
        curve.scale / image.bottom ** (degree - 1),
    )


def blow_up_curve(
    curve: Curve, chart: Chart, root: FieldNumber, field: NumberField
) -> tuple[int, Curve]:
    """Pull back to s and t − root: the power of s that splits off, and the rest.

    The common power of t, a unit at the point, is left out.

    >>> from rlct.algebra.number_field import RATIONAL_FIELD
    >>> cusp = Curve({(0, 3): (1,), (2, 0): (-1,)}, Fraction(1))  # y³ − x², x = s³t, y = s²t
    >>> blow_up_curve(cusp, ((3, 2), (1, 1)), FieldNumber((1,), 1), RATIONAL_FIELD)
    (6, Curve(terms={(0, 1): (1,)}, scale=Fraction(1, 1)))
    """
    (p, q), (a, b) = chart
    orders = {(m, n): (p * m + q * n, a * m + b * n) for m, n in curve.terms}
    divisor = min(s for s, _ in orders.values())
    low = min(t for _, t in orders.values())
    highest_exponent = max(t for _, t in orders.values()) - low
    levels = {s: i for i, s in enumerate(sorted({s for s, _ in orders.values()}))}
    columns: Integers = np.zeros((len(levels), highest_exponent + 1, field.degree), dtype=object)
    for m, c in curve.terms.items():
        s, t = orders[m]
        columns[levels[s], t - low] = c
    moved = _translate(columns, root, field).tolist()
    terms = {
        (s - divisor, j): tuple(c)
        for s, i in levels.items()
        for j, c in enumerate(moved[i])
        if any(c)
    }
    return divisor, _curve(terms, curve.scale / root.bottom**highest_exponent)


def from_numbers(terms: dict[Exponent, FieldNumber]) -> Curve:
    """Take over coefficients that are numbers of one field."""
    bottom = lcm(*(c.bottom for c in terms.values()))
    whole = {m: tuple([e * (bottom // c.bottom) for e in c.top]) for m, c in terms.items()}
    return _curve(whole, Fraction(1, bottom))


def embed_curve(curve: Curve, field: NumberField) -> Curve:
    """Take over rational coefficients to a field."""
    return Curve({m: field.integer(c[0]) for m, c in curve.terms.items()}, curve.scale)


def translate_curve(
    curve: Curve, point: tuple[FieldNumber, FieldNumber], field: NumberField
) -> Curve:
    """Move a point of the plane to the origin: the curve at (x + a, y + b).

    >>> from rlct.algebra.number_field import RATIONAL_FIELD
    >>> circle = Curve({(2, 0): (1,), (0, 2): (1,), (0, 0): (-1,)}, Fraction(1))
    >>> translate_curve(circle, (FieldNumber((1,), 1), FieldNumber((0,), 1)), RATIONAL_FIELD).terms
    {(1, 0): (2,), (2, 0): (1,), (0, 2): (1,)}
    """
    for axis, value in enumerate(point):
        if not any(value.top):
            continue
        highest_exponent = max(m[axis] for m in curve.terms)
        rows = sorted({m[1 - axis] for m in curve.terms})
        columns: Integers = np.zeros((len(rows), highest_exponent + 1, field.degree), dtype=object)
        for m, c in curve.terms.items():
            columns[rows.index(m[1 - axis]), m[axis]] = c
        moved = _translate(columns, value, field).tolist()
        terms = {}
        for row, entries in zip(rows, moved, strict=True):
            for e, c in enumerate(entries):
                terms[(row, e) if axis else (e, row)] = tuple(c)
        curve = _curve(terms, curve.scale / value.bottom**highest_exponent)
    return curve


def _translate(columns: Integers, root: FieldNumber, field: NumberField) -> Integers:
    """Coefficients of D^n·p(t + r/D) for polynomials p of degree at most n, one a row."""
    units = np.eye(field.degree, dtype=object).tolist()
    matrix: Integers = np.array([field.multiply(root.top, tuple(e)) for e in units], dtype=object)
    is_rational = not any(root.top[1:])
    n = columns.shape[1] - 1
    result: Integers = np.zeros_like(columns)
    result[:, 0] = columns[:, n]
    scale = 1
    for k in range(n - 1, -1, -1):
        # Horner's rule: times D·t + r, plus the next coefficient.
        done = n - k
        old = result[:, :done]
        product = old * root.top[0] if is_rational else old @ matrix
        result[:, 1 : done + 1] = old * root.bottom if root.bottom != 1 else old.copy()
        scale *= root.bottom
        result[:, 0] = columns[:, k] * scale
        result[:, :done] += product
    return result


def power_product(factors: list[tuple[Curve, int]], field: NumberField) -> Curve:
    """Π f^m, expanded.

    >>> from rlct.algebra.number_field import RATIONAL_FIELD
    >>> power_product([(Curve({(0, 0): (1,), (1, 0): (1,)}, Fraction(1)), 2)], RATIONAL_FIELD).terms
    {(0, 0): (1,), (1, 0): (2,), (2, 0): (1,)}
    """
    terms: dict[Exponent, FieldElement] = {(0, 0): field.one}
    scale = Fraction(1)
    for f, m in factors:
        scale *= f.scale**m
        for _ in range(m):
            total: dict[Exponent, list[int]] = {}
            for (i, j), c in terms.items():
                for (k, n), d in f.terms.items():
                    value = field.multiply(c, d)
                    entry = total.get((i + k, j + n))
                    if entry is None:
                        total[i + k, j + n] = list(value)
                    else:
                        for position, e in enumerate(value):
                            entry[position] += e
            terms = {m: tuple(c) for m, c in total.items() if any(c)}
    return _curve(terms, scale)
