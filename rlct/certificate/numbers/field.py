"""Real algebraic numbers of the checker: Q(γ) with γ a root of a polynomial in an interval."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TypeAlias

from rlct.certificate import cost
from rlct.errors import CertificateError

_FIRST_BITS = 64  # of an enclosure of γ, doubled until the sign is clear


class RealField:
    """Q(γ) inside R, for the only root γ of a polynomial in an open interval.

    The polynomial need not be irreducible: whether an element is 0 is decided at γ.
    That γ is the only root there, and simple, `univariate.real_field` checks.

    ``minimal`` is monic and squarefree, from the constant term up.

    >>> field = RealField([-2, 0, 1], Fraction(1), Fraction(2))        # γ = √2
    >>> root = field.element([Fraction(0), Fraction(1)])
    >>> root * root == 2, root > Fraction(7, 5), 1 / (root - 1) == root + 1
    (True, True, True)
    """

    def __init__(self, minimal: Sequence[int], low: Fraction, high: Fraction) -> None:
        self.degree = len(minimal) - 1
        self.minimal = tuple(minimal)
        self.low, self.high = low, high
        self._bits = cost.bits_in(minimal)
        self._rising = self._at(high.numerator, high.denominator) > 0
        self._tables: dict[int, list[tuple[int, int]]] = {}

    def element(self, parts: Sequence[Fraction]) -> FieldElement:
        """Σ parts_i γ^i."""
        denominator = 1
        for c in parts:
            cost.charge(
                cost.of_rational(denominator.bit_length() + cost.bits_in([c])),
                "a number of a field",
            )
            denominator = lcm(denominator, c.denominator)
        bits = denominator.bit_length() + cost.bits_in(parts)
        cost.charge(len(parts) * cost.of_rational(bits), "a number of a field")
        return FieldElement(self, [int(c * denominator) for c in parts], denominator)

    def _at(self, top: int, bottom: int) -> int:
        """Value of the polynomial at a rational, times a power of its denominator."""
        total, power = 0, 1
        bits = self._bits + self.degree * (top.bit_length() + bottom.bit_length())
        cost.charge(3 * self.degree * cost.of_integer(bits), "the root of a field")
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
            cost.charge(self.degree * (20 + 4 * cost.of_integer(size)), "the powers of a root")
            table = [(unit, unit)]
            for _ in range(self.degree - 1):
                ends = [x * y for x in table[-1] for y in (low, high)]
                table.append((min(ends) >> bits, -(-max(ends) >> bits)))
            self._tables[bits] = table
        return self._tables[bits]

    def enclose(self, numerators: Sequence[int], bits: int) -> tuple[int, int]:
        """Integers around 2^bits·Σ top_i γ^i."""
        low = high = 0
        table = self._powers(bits)
        size = cost.bits_in(numerators) + cost.bits_in(map(max, table))
        cost.charge(self.degree * (5 + 2 * cost.of_integer(size)), "the sign of a number")
        for c, (a, b) in zip(numerators, table, strict=True):
            low += c * (a if c > 0 else b)
            high += c * (b if c > 0 else a)
        return low, high

    def sign(self, numerators: Sequence[int]) -> int:
        """Sign of Σ top_i γ^i, which must not share a factor with the polynomial of the field."""
        if not any(numerators[1:]):
            return (numerators[0] > 0) - (numerators[0] < 0)
        bits = _FIRST_BITS
        while True:
            low, high = self.enclose(numerators, bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if bits == _FIRST_BITS:
                self.inverse(numerators)  # it may be 0; then no precision would help
            bits *= 2

    def inverse(self, numerators: Sequence[int]) -> list[Fraction]:
        """Inverse: the solution of a linear system, by elimination."""
        d = self.degree
        columns = [list(numerators)]
        for _ in range(d - 1):
            columns.append(self.reduce([0, *columns[-1]]))
        cost.charge(cost.of_table(d, d + 1, 25), "an inverse in a field")
        rows = [[Fraction(c[i]) for c in columns] + [Fraction(int(i == 0))] for i in range(d)]
        for k in range(d):
            pivot = next((i for i in range(k, d) if rows[i][k]), None)
            if pivot is None:
                raise CertificateError("the polynomial of a field is reducible")
            rows[k], rows[pivot] = rows[pivot], rows[k]
            most = cost.bits_in(rows[k])
            cost.charge(len(rows[k]) * cost.of_rational(2 * most), "an inverse in a field")
            rows[k] = [x / rows[k][k] for x in rows[k]]
            most = cost.bits_in(rows[k])
            for i in range(d):
                factor = rows[i][k]
                if i != k and factor:
                    own = cost.bits_in(rows[i]) + most + cost.bits_in([factor])
                    cost.charge(2 * d * cost.of_rational(own), "an inverse in a field")
                    rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
        return [row[-1] for row in rows]

    def reduce(self, numerators: list[int]) -> list[int]:
        """Remainder modulo the polynomial of the field."""
        while len(numerators) > self.degree:
            lead = numerators.pop()
            if lead:
                own = cost.of_integer(lead.bit_length() + self._bits, self._bits)
                cost.charge(self.degree * (1 + own), "a product in a field")
                offset = len(numerators) - self.degree
                for i, c in enumerate(self.minimal[:-1]):
                    numerators[offset + i] -= lead * c
        return numerators + [0] * (self.degree - len(numerators))


class FieldElement:
    """A number Σ top_i γ^i / bottom of a field; mixes with integers and Fractions."""

    __slots__ = ("bottom", "field", "top")

    def __init__(self, field: RealField, top: Sequence[int], bottom: int) -> None:
        bits = cost.bits_in([bottom]) + cost.bits_in(top)
        cost.charge(20 + len(top) * cost.of_divisor(bits), "a number of a field")
        common = gcd(bottom, *top)
        self.field = field
        self.top = tuple([c // common for c in top]) if common != 1 else tuple(top)
        self.bottom = bottom // common

    def _same(self, operand: RealNumber | int) -> FieldElement | None:
        """The other operand in the same field; None if it is no number."""
        if isinstance(operand, FieldElement):
            if operand.field is not self.field:
                raise CertificateError("numbers of two fields are mixed")
            return operand
        if isinstance(operand, int | Fraction):
            zeros = [0] * (self.field.degree - 1)
            return FieldElement(self.field, [operand.numerator, *zeros], operand.denominator)
        return None

    def __add__(self, addend: RealNumber | int) -> FieldElement:
        second_term = self._same(addend)
        if second_term is None:
            return NotImplemented
        bits = cost.bits_in([self.bottom, *self.top]) + cost.bits_in(
            [second_term.bottom, *second_term.top]
        )
        steps = 3 * cost.of_divisor(bits) + 2 * len(self.top) * cost.of_integer(bits)
        cost.charge(20 + steps, "a sum in a field")
        bottom = lcm(self.bottom, second_term.bottom)
        x, y = bottom // self.bottom, bottom // second_term.bottom
        top = [x * a + y * b for a, b in zip(self.top, second_term.top, strict=True)]
        return FieldElement(self.field, top, bottom)

    __radd__ = __add__

    def __neg__(self) -> FieldElement:
        return FieldElement(self.field, [-c for c in self.top], self.bottom)

    def __sub__(self, subtrahend: RealNumber | int) -> FieldElement:
        return self + -subtrahend

    def __rsub__(self, minuend: RealNumber | int) -> FieldElement:
        return -self + minuend

    def __mul__(self, factor: RealNumber | int) -> FieldElement:
        if isinstance(factor, int | Fraction):
            bits = cost.bits_in([self.bottom, *self.top]) + cost.bits_in([factor])
            cost.charge(20 + 2 * len(self.top) * cost.of_integer(bits), "a multiple in a field")
            top = [c * factor.numerator for c in self.top]
            return FieldElement(self.field, top, self.bottom * factor.denominator)
        second_factor = self._same(factor)
        if second_factor is None:
            return NotImplemented
        bits = cost.bits_in([self.bottom, *self.top]) + cost.bits_in(
            [second_factor.bottom, *second_factor.top]
        )
        cost.charge(self.field.degree**2 * cost.of_integer(bits), "a product in a field")
        product = [0] * (2 * self.field.degree - 1)
        for i, a in enumerate(self.top):
            if a:
                for j, b in enumerate(second_factor.top):
                    product[i + j] += a * b
        return FieldElement(
            self.field, self.field.reduce(product), self.bottom * second_factor.bottom
        )

    __rmul__ = __mul__

    def __truediv__(self, divisor: RealNumber | int) -> FieldElement:
        if isinstance(divisor, int | Fraction):
            return self * (1 / Fraction(divisor))
        return self * divisor._inverse()

    def __rtruediv__(self, dividend: RealNumber | int) -> FieldElement:
        return self._inverse() * dividend

    def _inverse(self) -> FieldElement:
        if not self:
            raise ZeroDivisionError("division by zero in a number field")
        return self.field.element(self.field.inverse(self.top)) * self.bottom

    def _sign(self) -> int:
        return self.field.sign(self.top)

    def __bool__(self) -> bool:
        return self._sign() != 0

    def __eq__(self, operand: object) -> bool:
        if not isinstance(operand, int | Fraction | FieldElement):
            return NotImplemented
        return not self - operand

    __hash__ = None  # type: ignore[assignment]

    def __gt__(self, operand: RealNumber | int) -> bool:
        return (self - operand)._sign() > 0

    def __lt__(self, operand: RealNumber | int) -> bool:
        return (self - operand)._sign() < 0

    def between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around the number, closer for more bits."""
        low, high = self.field.enclose(self.top, bits)
        return Fraction(low, self.bottom << bits), Fraction(high, self.bottom << bits)


RealNumber: TypeAlias = Fraction | FieldElement
