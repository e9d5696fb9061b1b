"""Real algebraic numbers of the checker: Q(γ) with γ a root of a polynomial in an interval."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TypeAlias

from rlct.certificate import cost, univariate
from rlct.errors import CertificateError

__all__ = ["Element", "Field", "Number"]

_FIRST_BITS = 64


class Field:
    """Q(γ) inside R, for the only root γ of a polynomial in an open interval.

    The polynomial need not be irreducible: whether an element is 0 is decided at γ.

    Parameters
    ----------
    minimal : sequence of int
        Monic and squarefree, from the constant term up.
    low, high : Fraction
        Ends of the interval.

    Examples
    --------
    >>> field = Field([-2, 0, 1], Fraction(1), Fraction(2))        # γ = √2
    >>> root = field.element([Fraction(0), Fraction(1)])
    >>> root * root == 2, root > Fraction(7, 5), 1 / (root - 1) == root + 1
    (True, True, True)
    """

    def __init__(self, minimal: Sequence[int], low: Fraction, high: Fraction) -> None:
        self.degree = len(minimal) - 1
        self.minimal = tuple(minimal)
        if self.degree < 1 or minimal[-1] != 1:
            raise CertificateError("the polynomial of a field is not monic")
        dense: univariate.Dense = [Fraction(c) for c in minimal]
        if len(univariate.gcd([dense, univariate.derivative(dense)])) != 1:
            raise CertificateError("the polynomial of a field has a double root")
        if not low < high or univariate.count_roots_between(dense, low, high) != 1:
            raise CertificateError("the interval of a field does not isolate one root")
        self.low, self.high = low, high
        self._bits = cost.length(minimal)
        self._rising = self._at(high.numerator, high.denominator) > 0
        self._tables: dict[int, list[tuple[int, int]]] = {}

    def element(self, parts: Sequence[Fraction]) -> Element:
        """Σ parts_i γ^i."""
        bottom = 1
        for c in parts:
            cost.charge(
                cost.rational(bottom.bit_length() + cost.length([c])), "a number of a field"
            )
            bottom = lcm(bottom, c.denominator)
        bits = bottom.bit_length() + cost.length(parts)
        cost.charge(len(parts) * cost.rational(bits), "a number of a field")
        return Element(self, [int(c * bottom) for c in parts], bottom)

    def _at(self, top: int, bottom: int) -> int:
        """Value of the polynomial at a rational, times a power of its denominator."""
        total, power = 0, 1
        bits = self._bits + self.degree * (top.bit_length() + bottom.bit_length())
        cost.charge(3 * self.degree * cost.integer(bits), "the root of a field")
        for c in reversed(self.minimal):
            total = total * top + c * power
            power *= bottom
        return total

    def _powers(self, bits: int) -> list[tuple[int, int]]:
        """Integers around 2^bits·γ^i."""
        if bits not in self._tables:
            unit = 1 << bits
            low, high = floor(self.low * unit), ceil(self.high * unit)
            while high - low > 1:
                middle = (low + high) // 2  # strictly between the ends of the interval
                value = self._at(middle, unit)
                if value == 0:
                    low = high = middle
                elif (value > 0) == self._rising:
                    high = middle
                else:
                    low = middle
            size = bits + self.degree * max(1, abs(low).bit_length() - bits)
            cost.charge(self.degree * (20 + 4 * cost.integer(size)), "the powers of a root")
            table = [(unit, unit)]
            for _ in range(self.degree - 1):
                ends = [x * y for x in table[-1] for y in (low, high)]
                table.append((min(ends) >> bits, -(-max(ends) >> bits)))
            self._tables[bits] = table
        return self._tables[bits]

    def enclose(self, top: Sequence[int], bits: int) -> tuple[int, int]:
        """Integers around 2^bits·Σ top_i γ^i."""
        low = high = 0
        table = self._powers(bits)
        size = cost.length(top) + cost.length(map(max, table))
        cost.charge(self.degree * (5 + 2 * cost.integer(size)), "the sign of a number")
        for c, (a, b) in zip(top, table, strict=True):
            low += c * (a if c > 0 else b)
            high += c * (b if c > 0 else a)
        return low, high

    def sign(self, top: Sequence[int]) -> int:
        """Sign of Σ top_i γ^i, which must not share a factor with the polynomial of the field."""
        if not any(top[1:]):
            return (top[0] > 0) - (top[0] < 0)
        bits = _FIRST_BITS
        while True:
            low, high = self.enclose(top, bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if bits == _FIRST_BITS:
                self.inverse(top)  # it may be 0; then no precision would help
            bits *= 2

    def inverse(self, top: Sequence[int]) -> list[Fraction]:
        """Inverse: the solution of a linear system, by elimination."""
        d = self.degree
        columns = [list(top)]
        for _ in range(d - 1):
            columns.append(self.reduce([0, *columns[-1]]))
        cost.charge(cost.table(d, d + 1, 25), "an inverse in a field")
        rows = [[Fraction(c[i]) for c in columns] + [Fraction(int(i == 0))] for i in range(d)]
        for k in range(d):
            pivot = next((i for i in range(k, d) if rows[i][k]), None)
            if pivot is None:
                raise CertificateError("the polynomial of a field is reducible")
            rows[k], rows[pivot] = rows[pivot], rows[k]
            most = cost.length(rows[k])
            cost.charge(len(rows[k]) * cost.rational(2 * most), "an inverse in a field")
            rows[k] = [x / rows[k][k] for x in rows[k]]
            most = cost.length(rows[k])
            for i in range(d):
                factor = rows[i][k]
                if i != k and factor:
                    own = cost.length(rows[i]) + most + cost.length([factor])
                    cost.charge(2 * d * cost.rational(own), "an inverse in a field")
                    rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
        return [row[-1] for row in rows]

    def reduce(self, top: list[int]) -> list[int]:
        """Remainder modulo the polynomial of the field."""
        bits = cost.length(top) + (len(top) - self.degree) * self._bits
        steps = (len(top) - self.degree) * self.degree
        cost.charge(steps * cost.integer(bits), "a product in a field")
        while len(top) > self.degree:
            lead = top.pop()
            if lead:
                offset = len(top) - self.degree
                for i, c in enumerate(self.minimal[:-1]):
                    top[offset + i] -= lead * c
        return top + [0] * (self.degree - len(top))


class Element:
    """A number Σ top_i γ^i / bottom of a field; mixes with integers and Fractions."""

    __slots__ = ("bottom", "field", "top")

    def __init__(self, field: Field, top: Sequence[int], bottom: int) -> None:
        bits = cost.length([bottom]) + cost.length(top)
        cost.charge(20 + len(top) * cost.rational(bits), "a number of a field")
        common = gcd(bottom, *top)
        self.field = field
        self.top = tuple([c // common for c in top]) if common != 1 else tuple(top)
        self.bottom = bottom // common

    def _same(self, other: Number | int) -> Element | None:
        """The other operand in the same field; None if it is no number."""
        if isinstance(other, Element):
            if other.field is not self.field:
                raise CertificateError("numbers of two fields are mixed")
            return other
        if isinstance(other, int | Fraction):
            rest = [0] * (self.field.degree - 1)
            return Element(self.field, [other.numerator, *rest], other.denominator)
        return None

    def __add__(self, other: Number | int) -> Element:
        that = self._same(other)
        if that is None:
            return NotImplemented
        bits = cost.length([self.bottom, *self.top]) + cost.length([that.bottom, *that.top])
        cost.charge(len(self.top) * cost.rational(2 * bits), "a sum in a field")
        bottom = lcm(self.bottom, that.bottom)
        x, y = bottom // self.bottom, bottom // that.bottom
        top = [x * a + y * b for a, b in zip(self.top, that.top, strict=True)]
        return Element(self.field, top, bottom)

    __radd__ = __add__

    def __neg__(self) -> Element:
        return Element(self.field, [-c for c in self.top], self.bottom)

    def __sub__(self, other: Number | int) -> Element:
        return self + -other

    def __rsub__(self, other: Number | int) -> Element:
        return -self + other

    def __mul__(self, other: Number | int) -> Element:
        if isinstance(other, int | Fraction):
            bits = cost.length([self.bottom, *self.top]) + cost.length([other])
            cost.charge(len(self.top) * cost.integer(bits), "a multiple in a field")
            top = [c * other.numerator for c in self.top]
            return Element(self.field, top, self.bottom * other.denominator)
        that = self._same(other)
        if that is None:
            return NotImplemented
        bits = cost.length([self.bottom, *self.top]) + cost.length([that.bottom, *that.top])
        cost.charge(self.field.degree**2 * cost.integer(bits), "a product in a field")
        product = [0] * (2 * self.field.degree - 1)
        for i, a in enumerate(self.top):
            if a:
                for j, b in enumerate(that.top):
                    product[i + j] += a * b
        return Element(self.field, self.field.reduce(product), self.bottom * that.bottom)

    __rmul__ = __mul__

    def __truediv__(self, other: Number | int) -> Element:
        if isinstance(other, int | Fraction):
            return self * (1 / Fraction(other))
        return self * other._inverse()

    def __rtruediv__(self, other: Number | int) -> Element:
        return self._inverse() * other

    def _inverse(self) -> Element:
        if not self:
            raise ZeroDivisionError("division by zero in a number field")
        return self.field.element(self.field.inverse(self.top)) * self.bottom

    def _sign(self) -> int:
        return self.field.sign(self.top)

    def __bool__(self) -> bool:
        return self._sign() != 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | Fraction | Element):
            return NotImplemented
        return not self - other

    __hash__ = None  # type: ignore[assignment]

    def __gt__(self, other: Number | int) -> bool:
        return (self - other)._sign() > 0

    def __lt__(self, other: Number | int) -> bool:
        return (self - other)._sign() < 0

    def between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around the number, closer for more bits."""
        low, high = self.field.enclose(self.top, bits)
        return Fraction(low, self.bottom << bits), Fraction(high, self.bottom << bits)


Number: TypeAlias = Fraction | Element
