"""Polynomials from text, by a whitelist; user text is never evaluated."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rlct.algebra.expression import (
    SIZE_LIMITS,
    Expression,
    constant_value,
    negative_tree,
    number_leaf,
    power_tree,
)
from rlct.algebra.names import NAME_LETTERS, NAMES_RULE, ONE_LETTER, check_name, is_name
from rlct.errors import InputError

#: Digits of an exponent that is written above the line.
SUPERSCRIPT_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"

_OPERATOR_SIGNS = str.maketrans("·⋅×−", "***-")
_PLAIN_DIGITS = str.maketrans(SUPERSCRIPT_DIGITS, "0123456789")
_TOKEN_PATTERN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)"
    rf"|(?P<name>[{NAME_LETTERS}][{NAME_LETTERS}0-9]*)"
    r"|(?P<op>\*\*|[-+*/^()·⋅×−])"
    rf"|(?P<raised>[{SUPERSCRIPT_DIGITS}]+)"
    r"|(?P<end>$)"
    r"|(?P<bad>\S))",
    re.ASCII,
)


def parse_polynomial(text: str) -> Expression:
    """Read a polynomial with rational coefficients.

    Accepted: integers, decimals (exact), names, ``+ - *``, ``**`` or ``^`` with a non-negative
    integer exponent, division by a number, parentheses; of paper, exponents above the line and
    factors that touch where they can be nothing else, as in ``2x²y(x+1)``.

    The tree is not expanded.  InputError for anything else, with the reason and the position.

    >>> parse_polynomial("x^2 - 1/2*y").operator
    '+'
    >>> parse_polynomial("sin(x)**2")
    Traceback (most recent call last):
    ...
    rlct.errors.InputError: sin(…) at position 1 is not a polynomial: use + - * ** only
    """
    if len(text) > SIZE_LIMITS.length:
        raise InputError(
            f"the expression has {len(text)} characters; the limit is {SIZE_LIMITS.length}"
        )
    if not text.strip():
        raise InputError("the expression is empty: write a polynomial such as x**2*y**4")
    try:
        return _Parser(text).whole()
    except InputError as error:
        meant = _meant(text)
        if not meant:
            raise
        raise InputError(f"{error}; did you mean '{meant}'?") from None


def _meant(text: str) -> str:
    """The polynomial that a text in another notation may stand for, or nothing."""
    from rlct.algebra.notation import plain_notation  # of errors only

    guess = plain_notation(text)
    try:
        _Parser(guess).whole()
    except InputError:
        return ""
    return guess if guess != text else ""


class _Parser:
    """Recursive descent; sums and products are flat, so only parentheses nest."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = self.position = 0
        self.kind = self.value = ""
        self.tokens = self._tokens()
        self._advance()

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        text_offset = 0
        while True:
            token_match = _TOKEN_PATTERN.match(self.text, text_offset)
            # Every character matches one of the alternatives, the last being "bad".
            assert token_match is not None
            kind = token_match.lastgroup or "bad"
            start = token_match.start(kind)
            value = token_match.group(kind)
            if kind == "bad":
                hint = f": {NAMES_RULE}" if not value.isascii() else ""
                if value == "|":
                    hint = ": λ of |f| is twice that of f**2"
                raise InputError(f"unexpected {value!r} at position {start + 1}{hint}")
            yield kind, value.translate(_OPERATOR_SIGNS) if kind == "op" else value, start + 1
            if kind == "end":
                return
            text_offset = token_match.end()

    def _advance(self) -> None:
        self.ends_factor = self.kind in ("number", "raised") or self.value == ")"
        self.end = self.position + len(self.value) if self.kind else 0
        self.kind, self.value, self.position = next(self.tokens)

    @property
    def _touches(self) -> bool:
        """Whether a factor starts right behind one and can be nothing else: 2x, x²y, (x)(y)."""
        starts = self.value == "(" or (
            self.kind == "name" and bool(ONE_LETTER.fullmatch(self.value))
        )
        return starts and self.ends_factor and self.position == self.end

    def whole(self) -> Expression:
        tree = self._sum()
        if self.kind != "end":
            self._unexpected()
        return tree

    def _unexpected(self) -> None:
        if self.kind == "end":
            raise InputError("the expression ends too early")
        hint = ": write * between factors" if self.kind in ("name", "number") else ""
        raise InputError(f"unexpected {self.value!r} at position {self.position}{hint}")

    def _enter(self, construct: str) -> None:
        self.depth += 1
        if self.depth > SIZE_LIMITS.depth:
            raise InputError(f"{construct} are nested more than {SIZE_LIMITS.depth} deep")

    def _sum(self) -> Expression:
        terms = [self._product()]
        while self.kind == "op" and self.value in "+-":
            minus = self.value == "-"
            self._advance()
            term = self._product()
            terms.append(negative_tree(term) if minus else term)
        return terms[0] if len(terms) == 1 else Expression("+", tuple(terms))

    def _product(self) -> Expression:
        factors, divide = [self._signed()], False
        while (self.kind == "op" and self.value in ("*", "/")) or (self._touches and not divide):
            if self.value not in ("*", "/"):
                factors.append(self._raised())
                continue
            divide, position = self.value == "/", self.position
            self._advance()
            factor = self._signed()
            if divide:
                factor = self._inverse(factor, position)
            factors.append(factor)
        return factors[0] if len(factors) == 1 else Expression("*", tuple(factors))

    def _inverse(self, factor: Expression, position: int) -> Expression:
        value = constant_value(factor)
        if value is None:
            raise InputError(f"division by a variable at position {position}: not a polynomial")
        if value == 0:
            raise InputError(f"division by zero at position {position}")
        return Expression("number", value=1 / value)

    def _signed(self) -> Expression:
        minus = False
        while self.kind == "op" and self.value in "+-":
            minus ^= self.value == "-"
            self._advance()
        tree = self._raised()
        return negative_tree(tree) if minus else tree

    def _raised(self) -> Expression:
        base = self._atom()
        if self.kind == "raised":
            self._check_size(power := Fraction(self.value.translate(_PLAIN_DIGITS)), self.position)
            self._advance()
            return power_tree(base, int(power))
        if not (self.kind == "op" and self.value in ("**", "^")):
            return base
        power_position = self.position
        self._advance()
        # Right-associative, as in Python: x**2**3 is x**8.
        self._enter("powers")
        exponent = constant_value(self._signed())
        self.depth -= 1
        if exponent is None:
            raise InputError(f"the exponent at position {power_position} is not a number")
        if exponent.denominator != 1 or exponent < 0:
            raise InputError(
                f"exponent {exponent} at position {power_position}: a polynomial needs "
                "integer exponents that are not negative"
            )
        self._check_size(exponent, power_position)
        return power_tree(base, int(exponent))

    def _check_size(self, exponent: Fraction, power_position: int) -> None:
        if exponent > SIZE_LIMITS.degree:
            raise InputError(
                f"exponent {_short(exponent)} at position {power_position} is above the limit "
                f"{SIZE_LIMITS.degree}"
            )

    def _atom(self) -> Expression:
        kind, value, atom_position = self.kind, self.value, self.position
        if kind == "number":
            if len(value) > SIZE_LIMITS.digits:
                raise InputError(f"the number at position {atom_position} is too long")
            if "e" in value.lower() and abs(int(re.split("[eE]", value)[1])) > SIZE_LIMITS.digits:
                raise InputError(
                    f"the number at position {atom_position} is too large or too small"
                )
            self._advance()
            if self.kind == "name" and self.value in ("j", "J"):
                raise InputError(f"{value}j at position {atom_position} is complex: K must be real")
            return number_leaf(value)
        if kind == "name":
            self._advance()
            if self.kind == "op" and self.value == "(":
                if is_name(value):
                    raise InputError(
                        f"{value}(…) at position {atom_position}: "
                        f"write * between factors, {value}*(…)"
                    )
                raise InputError(
                    f"{value}(…) at position {atom_position} is not a polynomial: use + - * ** only"
                )
            return Expression("name", value=check_name(value))
        if kind == "op" and value == "(":
            self._enter("parentheses")
            self._advance()
            tree = self._sum()
            if not (self.kind == "op" and self.value == ")"):
                if self.kind == "end":
                    raise InputError(f"the parenthesis at position {atom_position} is never closed")
                self._unexpected()
            self._advance()
            self.depth -= 1
            return tree
        self._unexpected()
        raise AssertionError("unreachable")


def _short(number: Fraction) -> str:
    text = str(number)
    return text if len(text) <= 20 else f"{text[:8]}… ({len(text)} digits)"


def from_sympy(expression: Any) -> Expression:
    """Read a sympy expression or ``Poly`` by the same whitelist as text.

    InputError for functions, complex or irrational numbers, floats, and negative or symbolic
    exponents.

    >>> import sympy
    >>> from_sympy(sympy.Symbol("x")**2).operator
    '^'
    """
    import sympy

    if isinstance(expression, (sympy.Poly, sympy.polys.rings.PolyElement)):
        expression = expression.as_expr()
    if isinstance(expression, sympy.Symbol):
        return Expression("name", value=check_name(expression.name))
    if isinstance(expression, sympy.Rational):
        return Expression("number", value=Fraction(int(expression.p), int(expression.q)))
    if isinstance(expression, sympy.Float):
        raise InputError(f"{expression} is a float: write it as an exact rational")
    if expression is sympy.I:
        raise InputError("the expression is complex: K must be real")
    if isinstance(expression, (sympy.Add, sympy.Mul)):
        arguments = tuple(from_sympy(argument) for argument in expression.args)
        return Expression("+" if isinstance(expression, sympy.Add) else "*", arguments)
    if isinstance(expression, sympy.Pow):
        base, exponent = expression.args
        if exponent.is_Integer and 0 <= int(exponent) <= SIZE_LIMITS.degree:
            return power_tree(from_sympy(base), int(exponent))
    raise InputError(f"{expression} is not a polynomial with rational coefficients")
