"""Real algebraic numbers of one field, as coordinates of points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from rlct.algebra.number_field import FieldNumber, NumberField, field_number

_FIRST_PRECISION = 64  # precision at which a root is bisected first


@dataclass(frozen=True, eq=False)
class AlgebraicNumber:
    """An irrational number of a real number field; mixes with integers and Fractions.

    >>> from rlct.questions.points import root
    >>> x = root("t^2-2", 1, 2)
    >>> x > Fraction(7, 5), x * x == 2, float(x + 1)
    (True, True, 2.414213562373095)
    >>> print(x / 2 + 1)
    root(2*t^2 - 4*t + 1, 1..2)
    """

    field: NumberField
    value: FieldNumber

    @property
    def parts(self) -> list[Fraction]:
        """Coefficients of the powers of the generator of the field."""
        return self.value.parts()

    def _of(self, parts: list[Fraction]) -> AlgebraicNumber:
        return AlgebraicNumber(self.field, field_number(parts))

    def _in_field(self, operand: object) -> AlgebraicNumber | None:
        if isinstance(operand, AlgebraicNumber) and operand.field == self.field:
            return operand
        if isinstance(operand, int | Fraction):
            return self._of([Fraction(operand), *[Fraction(0)] * (self.field.degree - 1)])
        return None

    def __add__(self, operand: Coordinate | int) -> AlgebraicNumber:
        that = self._in_field(operand)
        if that is None:
            return NotImplemented
        return self._of([a + b for a, b in zip(self.parts, that.parts, strict=True)])

    __radd__ = __add__

    def __neg__(self) -> AlgebraicNumber:
        return self._of([-a for a in self.parts])

    def __sub__(self, operand: Coordinate | int) -> AlgebraicNumber:
        return self + -operand

    def __rsub__(self, operand: Coordinate | int) -> AlgebraicNumber:
        return -self + operand

    def __mul__(self, operand: Coordinate | int) -> AlgebraicNumber:
        if isinstance(operand, int | Fraction):
            return self._of([a * operand for a in self.parts])
        that = self._in_field(operand)
        if that is None:
            return NotImplemented
        top = self.field.multiply(self.value.top, that.value.top)
        bottom = self.value.bottom * that.value.bottom
        return self._of([Fraction(a, bottom) for a in top])

    __rmul__ = __mul__

    def __truediv__(self, operand: Coordinate | int) -> AlgebraicNumber:
        if isinstance(operand, int | Fraction):
            return self * (1 / Fraction(operand))
        return self * operand._inverse()

    def __rtruediv__(self, operand: Fraction | int) -> AlgebraicNumber:
        return self._inverse() * operand

    def _inverse(self) -> AlgebraicNumber:
        return AlgebraicNumber(self.field, self.field.inverse(self.value.top)) * self.value.bottom

    def __pow__(self, exponent: int) -> AlgebraicNumber:
        result = self._of([Fraction(1), *[Fraction(0)] * (self.field.degree - 1)])
        for _ in range(exponent):
            result = result * self
        return result

    def __bool__(self) -> bool:
        return any(self.value.top)

    @property
    def sign(self) -> int:
        """−1, 0 or 1."""
        return self.field.sign(self.value.top)

    def __eq__(self, operand: object) -> bool:
        that = self._in_field(operand)
        return NotImplemented if that is None else not self - that

    def __hash__(self) -> int:
        return hash(tuple(self.parts))

    def __lt__(self, operand: Coordinate | int) -> bool:
        return (self - operand).sign < 0

    def __gt__(self, operand: Coordinate | int) -> bool:
        return (self - operand).sign > 0

    def __le__(self, operand: Coordinate | int) -> bool:
        return (self - operand).sign <= 0

    def __ge__(self, operand: Coordinate | int) -> bool:
        return (self - operand).sign >= 0

    def __abs__(self) -> AlgebraicNumber:
        return -self if self.sign < 0 else self

    def __float__(self) -> float:
        bits = _FIRST_PRECISION
        while True:
            low, high = self.between(bits)
            # Relative precision, unless the number is 0.
            if low == high or (high - low) * 2**60 < abs(low):
                return float((low + high) / 2)
            bits *= 2

    @property
    def rational(self) -> Fraction | None:
        """The number, if it is rational."""
        first, *rest = self.parts
        return None if any(rest) else first

    def between(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals around the number, closer for more bits."""
        return self.field.enclose(self.value, bits)

    @cached_property
    def minimal(self) -> tuple[int, ...]:
        """Coefficients of the primitive minimal polynomial over Z, from the constant term up."""
        powers = [self._of([Fraction(1), *[Fraction(0)] * (self.field.degree - 1)])]
        while True:
            powers.append(powers[-1] * self)
            relation = _relation([p.parts for p in powers])
            if relation is not None:
                bottom = lcm(*(c.denominator for c in relation))
                return tuple(int(c * bottom) for c in relation)

    @cached_property
    def interval(self) -> tuple[Fraction, Fraction]:
        """Ends with few digits that isolate the number among the roots of `minimal`."""
        import sympy

        p = sympy.Poly(self.minimal[::-1], sympy.Symbol("t"))
        bits = 0
        while True:
            unit = 2**bits
            low, high = self.between(bits + _FIRST_PRECISION)
            low_end = Fraction((low * unit).__floor__(), unit)
            high_end = Fraction((high * unit).__ceil__(), unit)
            ends = [sympy.Rational(x.numerator, x.denominator) for x in (low_end, high_end)]
            if p.count_roots(*ends) == 1:
                return low_end, high_end
            bits += 1

    def __str__(self) -> str:
        texts = []
        for e, c in reversed(list(enumerate(self.minimal))):
            if c:
                power = "" if e == 0 else "t" if e == 1 else f"t^{e}"
                size = str(abs(c)) if abs(c) != 1 or not power else ""
                texts.append(f"{'-' if c < 0 else '+'} {'*'.join(x for x in (size, power) if x)}")
        text = " ".join(texts)
        text = text[2:] if text.startswith("+ ") else "-" + text[2:]
        return "root({}, {}..{})".format(text, *self.interval)

    __repr__ = __str__


Coordinate = Fraction | AlgebraicNumber


def _relation(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """Coefficients c with Σ c_i rows_i = 0 and the last one 1, if there are any."""
    from sympy import QQ
    from sympy.polys.matrices import DomainMatrix

    count, width = len(rows), len(rows[0])
    columns = [[QQ(r[j].numerator, r[j].denominator) for r in rows] for j in range(width)]
    kernel = DomainMatrix(columns, (width, count), QQ).nullspace().to_list()
    if not kernel:
        return None
    vector = [Fraction(int(c.numerator), int(c.denominator)) for c in kernel[0]]
    return [c / vector[-1] for c in vector]


def field_of(point: tuple[Coordinate, ...]) -> NumberField | None:
    """The field of the coordinates; None if all are rational."""
    return next((a.field for a in point if isinstance(a, AlgebraicNumber)), None)


def domain_of(field: NumberField) -> Any:
    """Q(γ) as a domain of sympy, which does not know which conjugate γ is."""
    from rlct.algebra.field_domain import field_domain

    return field_domain(field.modulus)


def element_of(value: Coordinate, domain: Any) -> Any:
    """A coordinate in a domain of sympy."""
    if isinstance(value, AlgebraicNumber):
        return domain([domain.dom(c.numerator, c.denominator) for c in reversed(value.parts)])
    return domain.convert(domain.dom(value.numerator, value.denominator))


def number_of(value: Any, degree: int) -> FieldNumber:
    """An element of such a domain as a `FieldNumber`."""
    parts = [Fraction(int(c.numerator), int(c.denominator)) for c in reversed(value.to_list())]
    return field_number(parts + [Fraction(0)] * (degree - len(parts)))
