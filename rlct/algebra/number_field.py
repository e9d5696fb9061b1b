"""Real number fields Q(γ): exact arithmetic in integers, and exact signs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, gcd, lcm

#: Σ e_i γ^i with integer e_i; as many entries as the degree of the field.
FieldElement = tuple[int, ...]

_FIRST_BITS = 64  # of γ, before a sign asks for more


@dataclass(frozen=True)
class FieldNumber:
    """An element of a number field: `top` over a positive integer."""

    top: FieldElement
    bottom: int

    def parts(self) -> list[Fraction]:
        """Coefficients of the powers of γ."""
        return [Fraction(e, self.bottom) for e in self.top]


@dataclass(frozen=True)
class NumberField:
    """Q(γ) inside R, with γ an algebraic integer.

    >>> field = NumberField((-2, 0, 1), Fraction(1), Fraction(2))      # γ = √2
    >>> field.multiply((1, 1), (1, -1))
    (-1, 0)
    >>> field.sign((3, -2)), field.sign((-7, 5))                       # 3 > 2√2, 7 < 5√2
    (1, 1)
    >>> field.inverse((1, 1))
    FieldNumber(top=(-1, 1), bottom=1)
    """

    #: The minimal polynomial of γ, irreducible and monic, from the constant term up.
    modulus: tuple[int, ...]
    #: γ is its only root between them; for degree 1, γ = low = high.
    low: Fraction
    high: Fraction

    @property
    def degree(self) -> int:
        """Degree over Q."""
        return len(self.modulus) - 1

    @cached_property
    def one(self) -> FieldElement:
        """The number 1."""
        return self.integer(1)

    def integer(self, value: int) -> FieldElement:
        """Embed an integer."""
        return (value, *(0,) * (self.degree - 1))

    @cached_property
    def _powers(self) -> list[FieldElement]:
        """γ^d, …, γ^(2d−2) in terms of lower powers."""
        d = self.degree
        lead = tuple(-c for c in self.modulus[:-1])
        rows = [lead]
        for _ in range(d - 2):
            last = rows[-1]
            shifted = (0, *last[:-1])
            rows.append(tuple(a + last[-1] * b for a, b in zip(shifted, lead, strict=True)))
        return rows

    def multiply(self, x: FieldElement, y: FieldElement) -> FieldElement:
        """Product."""
        d = self.degree
        if d == 1:
            return (x[0] * y[0],)
        if not any(x[1:]):
            return tuple([x[0] * b for b in y])
        if not any(y[1:]):
            return tuple([a * y[0] for a in x])
        product = [0] * (2 * d - 1)
        for i, a in enumerate(x):
            if a:
                for j, b in enumerate(y):
                    product[i + j] += a * b
        low = product[:d]
        for c, row in zip(product[d:], self._powers, strict=False):
            if c:
                for j, b in enumerate(row):
                    low[j] += c * b
        return tuple(low)

    def inverse(self, x: FieldElement) -> FieldNumber:
        """1/x for x ≠ 0: the first column of the inverse of the matrix of x."""
        d = self.degree
        if not any(x[1:]):
            return FieldNumber(self.integer(1 if x[0] > 0 else -1), abs(x[0]))
        columns = [x]
        for _ in range(d - 1):
            last = columns[-1]
            shifted = (0, *last[:-1])
            columns.append(
                tuple(a + last[-1] * b for a, b in zip(shifted, self._powers[0], strict=True))
            )
        rows = [[*(c[i] for c in columns), int(i == 0)] for i in range(d)]
        # Gauss and Jordan without fractions (Bareiss): every division is exact.
        last_pivot = 1
        for k in range(d):
            found = next(i for i in range(k, d) if rows[i][k])
            rows[k], rows[found] = rows[found], rows[k]
            pivot = rows[k][k]
            for i in range(d):
                if i != k:
                    factor = rows[i][k]
                    rows[i] = [
                        (pivot * a - factor * b) // last_pivot
                        for a, b in zip(rows[i], rows[k], strict=True)
                    ]
            last_pivot = pivot
        return reduced([row[-1] for row in rows], last_pivot)

    def sign(self, x: FieldElement) -> int:
        """Sign of a number, by enclosing γ until it shows."""
        if not any(x[1:]):
            return (x[0] > 0) - (x[0] < 0)
        bits = _FIRST_BITS
        while True:
            low, high = self._value(x, bits)
            if low > 0:
                return 1
            if high < 0:
                return -1
            bits *= 2

    def compare(self, x: FieldNumber, value: Fraction) -> int:
        """Sign of x − value."""
        top = [e * value.denominator for e in x.top]
        top[0] -= value.numerator * x.bottom
        return self.sign(tuple(top))

    def _value(self, x: FieldElement, bits: int) -> tuple[int, int]:
        """Enclose 2^bits·x between integers, by Horner's rule."""
        left, right = self._root(bits)
        low = high = 0
        for e in reversed(x):
            ends = (low * left, low * right, high * left, high * right)
            low = (min(ends) >> bits) + (e << bits)
            high = -(-max(ends) >> bits) + (e << bits)
        return low, high

    @cached_property
    def _enclosures(self) -> dict[int, tuple[int, int]]:
        return {}

    def _root(self, bits: int) -> tuple[int, int]:
        """Integers next to each other with 2^bits·γ between them."""
        if bits not in self._enclosures:
            rising = self._at(self.high.numerator, self.high.denominator) > 0
            low, high = floor(self.low * 2**bits), ceil(self.high * 2**bits)
            while high - low > 1:
                middle = (low + high) // 2  # strictly between the ends of the interval
                if (self._at(middle, 2**bits) > 0) == rising:
                    high = middle
                else:
                    low = middle
            self._enclosures[bits] = (low, high)
        return self._enclosures[bits]

    def _at(self, top: int, bottom: int) -> int:
        """Sign-preserving value of the minimal polynomial at a rational."""
        total, power = 0, 1
        for c in reversed(self.modulus):
            total = total * top + c * power
            power *= bottom
        return total

    def enclose(self, x: FieldNumber, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around a number, closer for more bits."""
        low, high = self._value(x.top, bits)
        return Fraction(low, x.bottom << bits), Fraction(high, x.bottom << bits)


def reduced(top: Sequence[int], bottom: int) -> FieldNumber:
    """Lowest terms, with a positive denominator."""
    common = gcd(bottom, *top) * (1 if bottom > 0 else -1)
    return FieldNumber(tuple(e // common for e in top), bottom // common)


def field_number(parts: Sequence[Fraction]) -> FieldNumber:
    """Build a number from the coefficients of the powers of γ."""
    bottom = lcm(*(c.denominator for c in parts))
    return FieldNumber(tuple(int(c * bottom) for c in parts), bottom)


RATIONAL_FIELD = NumberField((0, 1), Fraction(0), Fraction(0))
