"""The residue of ∫|f|^s φ along one compact edge of a Newton polygon of two variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import comb, gcd
from typing import Any

from rlct.algebra.exact_rank import reduced_echelon
from rlct.algebra.polynomial import Terms

_MOST_PRODUCTS = 4_000  # of polynomials in a residue, about
Form = dict[int, Fraction]  # a Laurent polynomial in τ


@dataclass(frozen=True)
class PlaneEdge:
    """An edge with f_N = x^α·y^β·G(τ), τ = y^a/x^b, (α, β) its right end.

    Parameters
    ----------
    weight : tuple of int
        Primitive (a, b) > 0.
    least : int
        N, the weighted order of f.
    right_end, left_end : tuple of int
        The vertices.
    initial : tuple of Fraction
        Coefficients of G from the constant term up.
    """

    weight: tuple[int, int]
    least: int
    right_end: tuple[int, int]
    left_end: tuple[int, int]
    initial: tuple[Fraction, ...]

    @classmethod
    def between(
        cls, left_end: tuple[int, int], right_end: tuple[int, int], terms: Terms
    ) -> PlaneEdge:
        """The edge of two vertices that follow each other from left to right."""
        rise, run = left_end[1] - right_end[1], right_end[0] - left_end[0]
        length = gcd(rise, run)
        a, b = rise // length, run // length
        points = [(right_end[0] - k * b, right_end[1] + k * a) for k in range(length + 1)]
        initial = tuple(terms.get(point, Fraction(0)) for point in points)
        return cls((a, b), a * left_end[0] + b * left_end[1], right_end, left_end, initial)

    def order_at(self, s: Fraction, prior: tuple[Fraction, Fraction]) -> Fraction:
        """The number m of s = −(a(1 + h₁) + b(1 + h₂) + m)/N."""
        a, b = self.weight
        return -s * self.least - a * (1 + prior[0]) - b * (1 + prior[1])


@dataclass(frozen=True)
class FaceResidue:
    """Coefficients A_ij of the Taylor coefficients φ_ij in the residue at s, for even m.

    A_ij is 2/N times the finite part of ∫ |τ|^e·sgn(τ)^κ·|G|^s·p/G^L over R, where p is the
    Laurent polynomial `forms[i, j]` and L is `poles`; ``theory/plane-poles.md`` derives it.

    Parameters
    ----------
    edge : PlaneEdge
    terms : Terms
        f.
    prior : tuple of Fraction
        h of the prior |x|^h₁|y|^h₂.
    s : Fraction
    order : int
        m, even.
    """

    edge: PlaneEdge
    terms: Terms
    prior: tuple[Fraction, Fraction]
    s: Fraction
    order: int

    def excess(self, i: int, j: int) -> int:
        """By how much the weight of x^i·y^j is less than m."""
        return self.order - self.edge.weight[0] * i - self.edge.weight[1] * j

    @property
    def highest(self) -> list[tuple[int, int]]:
        """All (i, j) of weight m."""
        (a, b), m = self.edge.weight, self.order
        return [(i, (m - a * i) // b) for i in range(m // a + 1) if (m - a * i) % b == 0]

    @cached_property
    def homogeneous(self) -> FaceResidue:
        """That of the initial part of f."""
        a, b = self.edge.weight
        terms = {m: c for m, c in self.terms.items() if a * m[0] + b * m[1] == self.edge.least}
        return replace(self, terms=terms)

    @property
    def is_long(self) -> bool:
        """Whether the expansion takes too many products of polynomials."""
        a, b = self.edge.weight
        excesses = {a * i + b * j - self.edge.least for i, j in self.terms}
        products = self.poles * sum(self.order - n for n in excesses if 0 < n <= self.order)
        return products > _MOST_PRODUCTS

    @cached_property
    def base(self) -> tuple[int, int]:
        """Integers with a·i + b·j = m: the monomial in front of the Laurent polynomials."""
        a, b = self.edge.weight
        j = next(j for j in range(a) if (self.order - b * j) % a == 0)
        return (self.order - b * j) // a, j

    @cached_property
    def exponent(self) -> Fraction:
        """The exponent e of |τ|."""
        numerator = self.base[1] + 1 + self.prior[1] + self.edge.right_end[1] * self.s
        return numerator / self.edge.weight[0] - 1

    @cached_property
    def sign(self) -> int:
        """The exponent κ of sgn(τ), 0 or 1."""
        return self.base[1 if self.edge.weight[0] % 2 else 0] % 2

    @cached_property
    def poles(self) -> int:
        """L."""
        a, b = self.edge.weight
        steps = [a * i + b * j - self.edge.least for i, j in self.terms]
        least = min((n for n in steps if n), default=0)
        return self.order // least if least else 0

    @cached_property
    def expansion(self) -> list[Terms]:
        """Parts of (f/f_N)^s·f_N^L of excess 0, 1, …, m over the weight of f_N^L."""
        a, b = self.edge.weight
        initial_part: Terms = {}
        parts_by_excess: list[Terms] = [{} for _ in range(self.order + 1)]
        for (i, j), c in self.terms.items():
            excess = a * i + b * j - self.edge.least
            if not excess:
                initial_part[i, j] = c
            elif excess <= self.order:
                parts_by_excess[excess][i, j] = c
        # Horner in g/f_N: Σ binom(s, l) g^l f_N^(L−l), from the highest power of g down.
        binomials = [Fraction(1)]
        for n in range(self.poles):
            binomials.append(binomials[-1] * (self.s - n) / (n + 1))
        power: Terms = {(0, 0): Fraction(1)}
        total: list[Terms] = [{} for _ in range(self.order + 1)]
        total[0] = {(0, 0): binomials[-1]}
        for c in reversed(binomials[:-1]):
            power = terms_product(power, initial_part)
            moved: list[Terms] = [{} for _ in range(self.order + 1)]
            for n, part in enumerate(parts_by_excess):
                for k in range(self.order + 1 - n) if part else ():
                    _add(moved[n + k], terms_product(part, total[k]))
            _add(moved[0], {m: c * x for m, x in power.items()})
            total = moved
        return total

    def forms(self) -> Iterator[tuple[tuple[int, int], Form]]:
        """Each (i, j) with its p, if that is not 0; those of weight m first."""
        a, b = self.edge.weight
        beta, power = self.edge.right_end[1], self.poles
        places = [
            (i, j) for i in range(self.order // a + 1) for j in range((self.order - a * i) // b + 1)
        ]
        for i, j in sorted(
            places, key=lambda taylor_index: -a * taylor_index[0] - b * taylor_index[1]
        ):
            form: Form = {}
            for (_, q), c in self.expansion[self.excess(i, j)].items():
                k = (j + q - beta * power - self.base[1]) // a
                form[k] = form.get(k, Fraction(0)) + c
            form = {k: c for k, c in form.items() if c}
            if self.is_even:
                form = {k: c for k, c in form.items() if (k + self.sign) % 2 == 0}
            if form:
                yield (i, j), form

    @cached_property
    def is_even(self) -> bool:
        """Whether G is even, so that odd integrands vanish."""
        return not any(self.edge.initial[1::2])

    @property
    def degree(self) -> int:
        """Degree of G."""
        return len(self.edge.initial) - 1

    def has_positive(self, taylor_index: tuple[int, int], largest_order: int) -> bool:
        """Whether A_ij is a convergent integral of a function that is nowhere negative.

        `largest_order` is that of the real zeros of G off 0.
        """
        i, j = taylor_index
        return (
            self.excess(i, j) == 0
            and i % 2 == j % 2 == 0
            and j + 1 + self.prior[1] + self.edge.right_end[1] * self.s > 0
            and i + 1 + self.prior[0] + self.edge.left_end[0] * self.s > 0
            and largest_order * self.s > -1
        )

    def averaged(self, form: Form) -> Form:
        """The form averaged over the rotations of the plane that keep |f_N|: the same integral."""
        if self.edge.weight != (1, 1) or any(self.prior):
            return form
        (_, beta), initial = self.edge.right_end, dict(enumerate(self.edge.initial))
        shift = self.base[1] + beta * self.poles
        own = [*_by_frequency(_moved(initial, beta), self.edge.least)]
        step = gcd(*(own[0] - n for n in own), *(own[0] + n for n in own))
        parts = _by_frequency(_moved(form, shift), self.order + self.edge.least * self.poles)
        total: Form = {}
        for frequency, part in parts.items():
            turn = frequency - own[0] * self.poles
            if not (turn % step if step else turn):
                _add(total, part)
        return _moved({k: c for k, c in total.items() if c}, -shift)

    def primitive(self, form: Form, spare_form: Form | None = None) -> Form | None:
        """R with d(|τ|^e sgn^κ τ R |G|^s/G^(L−1)) = form, and no constants at 0 and ∞.

        With `spare_form` the form may differ by a multiple of it, which is at the key `SPARE_KEY`.
        """
        for extra in (0, 1):
            raised, raised_spare = form, spare_form
            for _ in range(extra):
                raised = _times(raised, self.edge.initial)
                raised_spare = (
                    None if raised_spare is None else _times(raised_spare, self.edge.initial)
                )
            found = self._solve(raised, raised_spare, self.poles + extra)
            if found is not None:
                return found
        return None

    def _solve(self, form: Form, spare_form: Form | None, power: int) -> Form | None:
        e1, n, rise = self.exponent + 1, self.degree, self.s - power + 1
        low, high = -e1, -e1 - n * rise
        keys = {*form, *(spare_form or {})}
        first = min([min(keys)] + [int(low)] * (low.denominator == 1))
        last = max([max(keys) - n] + [int(high)] * (high.denominator == 1))
        columns: dict[int, Form] = {}
        for k in range(first, last + 1):
            image = {k + d: c * (e1 + k + rise * d) for d, c in enumerate(self.edge.initial) if c}
            columns[k] = {**image, **self._constants(k, low, high, power)}
        if spare_form is not None:
            columns[SPARE_KEY] = {**spare_form}
        names = list(columns)
        rows = sorted({key for column in columns.values() for key in column} | {*form})
        matrix = [
            [columns[k].get(row, Fraction(0)) for k in names] + [form.get(row, Fraction(0))]
            for row in rows
        ]
        echelon, pivots = reduced_echelon(matrix)
        if len(names) in pivots:
            return None
        return {names[c]: row[-1] for row, c in zip(echelon, pivots, strict=True) if row[-1]}

    def _constants(self, k: int, low: Fraction, high: Fraction, power: int) -> Form:
        """Jumps at 0 and ∞ of the primitive with R = τ^k, where they do not cancel."""
        jumps: Form = {}
        n = self.degree
        rise = self.s - power + 1
        if low.denominator == 1 and (int(low) + 1 + self.sign) % 2 and k <= low:
            jumps[_AT_ZERO] = _coefficient(self.edge.initial, rise, int(low) - k)
        odd_end = high.denominator == 1 and (int(high) + 1 + self.sign + n * (1 - power)) % 2
        if odd_end and k >= high:
            jumps[_AT_INFINITY] = _coefficient(self.edge.initial[::-1], rise, k - int(high))
        return jumps


SPARE_KEY = 10**9  # of the multiple of `spare_form` in a primitive: no exponent is as large
_AT_ZERO, _AT_INFINITY = SPARE_KEY + 1, SPARE_KEY + 2  # rows of the jumps there


def _coefficient(initial: tuple[Fraction, ...], exponent: Fraction, n: int) -> Fraction:
    """That of τ^n in (G/G(0))^exponent."""
    coefficient: Fraction = power_series([c / initial[0] for c in initial], exponent, n + 1)[n]
    return coefficient


def power_series(row: Sequence[Any], exponent: Any, length: int) -> list[Any]:
    """So many coefficients of a power of a polynomial with constant term 1.

    Numbers are fractions, or intervals.

    >>> [str(c) for c in power_series([Fraction(1), Fraction(1)], Fraction(1, 2), 3)]
    ['1', '1/2', '-1/8']
    """
    series = [row[0] * 0 + 1]
    for k in range(1, length):
        terms = (
            (exponent * d - (k - d)) * row[d] * series[k - d]
            for d in range(1, min(k, len(row) - 1) + 1)
        )
        series.append(sum(terms, row[0] * 0) / k)
    return series


def _by_frequency(form: Form, degree: int) -> dict[int, Form]:
    """The parts r^(n − l)·(a·Re z^l + b·Im z^l) of a polynomial of degree n, in τ = y/x."""
    columns: list[tuple[int, Form]] = []
    for frequency in range(degree % 2, degree + 1, 2):
        half = (degree - frequency) // 2
        radial = tuple(Fraction((k % 2 == 0) * comb(half, k // 2)) for k in range(2 * half + 1))
        for odd in range(1 + (frequency > 0)):
            powers = range(odd, frequency + 1, 2)
            part = {k: Fraction(comb(frequency, k) * (-1) ** (k // 2)) for k in powers}
            columns.append((frequency, _times(part, radial)))
    matrix = [
        [column.get(k, Fraction(0)) for _, column in columns] + [form.get(k, Fraction(0))]
        for k in range(degree + 1)
    ]
    echelon, _ = reduced_echelon(matrix)
    parts: dict[int, Form] = {}
    for (frequency, column), row in zip(columns, echelon, strict=True):
        if row[-1]:
            scaled = {k: c * row[-1] for k, c in column.items()}
            _add(parts.setdefault(frequency, {}), scaled)
    return parts


def _moved(form: Form, shift: int) -> Form:
    return {k + shift: c for k, c in form.items()}


def _times(form: Form, initial: tuple[Fraction, ...]) -> Form:
    product: Form = {}
    for k, c in form.items():
        for d, x in enumerate(initial):
            if x:
                product[k + d] = product.get(k + d, Fraction(0)) + c * x
    return product


def terms_product(f: Terms, g: Terms) -> Terms:
    """Product of two polynomials; exponents may be negative."""
    product: Terms = {}
    for (i, j), c in f.items():
        _add(product, {(i + k, j + m): c * x for (k, m), x in g.items()})
    return product


def _add(total: dict[Any, Fraction], part: Mapping[Any, Fraction]) -> None:
    for m, c in part.items():
        total[m] = total.get(m, Fraction(0)) + c
