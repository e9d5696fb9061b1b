"""Expressions as trees, before anything is expanded, and the sizes that are refused."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rlct.errors import InputError


@dataclass(frozen=True)
class SizeLimits:
    """Sizes above which input is refused instead of hanging the program."""

    length: int = 1_000_000
    digits: int = 1_000
    depth: int = 100
    degree: int = 10_000
    variables: int = 1_000
    terms: int = 20_000
    coefficient_bits: int = 10_000
    name: int = 100
    work: int = 2_000_000


SIZE_LIMITS = SizeLimits()


@dataclass(frozen=True)
class Expression:
    """A parsed polynomial expression, not yet expanded.

    ``operator`` is one of ``"number"``, ``"name"``, ``"+"``, ``"*"``, ``"^"``; ``value`` holds
    the number, the name or the exponent.  The tree keeps the structure that expanding loses:
    a sum of squares stays visibly one.
    """

    operator: str
    arguments: tuple[Expression, ...] = ()
    value: Fraction | str | int | None = None

    @property
    def number(self) -> Fraction | None:
        """The value if this is a plain number."""
        return self.value if isinstance(self.value, Fraction) else None


def bits_of(number: Fraction) -> int:
    """Bits of the longer of numerator and denominator."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def check_size_of(number: Fraction) -> Fraction:
    """Refuse a coefficient that could not even be printed."""
    if bits_of(number) > SIZE_LIMITS.coefficient_bits:
        raise InputError(f"a coefficient has more than {SIZE_LIMITS.coefficient_bits} bits")
    return number


def number_leaf(value: Fraction | str) -> Expression:
    """Leaf of a number, or of the text of one."""
    return Expression("number", value=Fraction(value))


def negative_tree(tree: Expression) -> Expression:
    """Tree of −x."""
    if tree.number is not None:
        return Expression("number", value=-tree.number)
    return Expression("*", (number_leaf("-1"), tree))


def power_tree(base: Expression, exponent: int) -> Expression:
    """Tree of x**n, n ≥ 0; the number itself if x is one."""
    if base.number is not None:
        number = base.number
        if abs(number) not in (0, 1) and bits_of(number) * exponent > SIZE_LIMITS.coefficient_bits:
            raise InputError(f"a coefficient has more than {SIZE_LIMITS.coefficient_bits} bits")
        return Expression("number", value=number**exponent)
    return Expression("^", (base,), exponent)


def constant_value(tree: Expression) -> Fraction | None:
    """Value of an expression without variables, None if it has some."""
    if tree.operator == "name":
        return None
    if tree.number is not None:
        return tree.number
    values = [constant_value(argument) for argument in tree.arguments]
    numbers = [value for value in values if value is not None]
    if len(numbers) < len(values):
        return None
    if tree.operator == "+":
        total = Fraction(0)
        for value in numbers:
            total = check_size_of(total + value)
        return total
    if tree.operator == "*":
        product = Fraction(1)
        for value in numbers:
            product = check_size_of(product * value)
        return product
    assert isinstance(tree.value, int)
    return power_tree(number_leaf(numbers[0]), tree.value).number


def names_in(tree: Expression) -> set[str]:
    """Names of the variables that occur."""
    names: set[str] = set()
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.operator == "name":
            names.add(str(node.value))
        stack.extend(node.arguments)
    return names
