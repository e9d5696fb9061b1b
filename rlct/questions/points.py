"""Reading points: rationals, roots of polynomials, and arithmetic with them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rlct.algebra.expression import Expression, bits_of, check_size_of, constant_value, names_in
from rlct.algebra.number_field import RATIONAL_FIELD, FieldNumber, NumberField, field_number
from rlct.algebra.parse import SUPERSCRIPT_DIGITS, from_sympy, parse_polynomial
from rlct.algebra.polynomial import expand_tree, make_ring, terms_of
from rlct.algebra.real_algebraic import AlgebraicNumber, Coordinate
from rlct.errors import InputError
from rlct.newton.real_roots import RealRoot, real_roots
from rlct.system.options import sympy_form

_LARGEST_FIELD = 24  # degree of the field of all coordinates
_HIGHEST_DEGREE = 60  # degree of a polynomial whose root is given
_MOST_BITS = 2_000  # of its coefficients
_ROOT_CALL = re.compile(r"\b(root|sqrt)\s*\(")
_POWER_SIGN = re.compile(rf"\s*(?:\*\*|\^|[{SUPERSCRIPT_DIGITS}])")
_ROOTS_HINT = "write roots as sqrt(2), of a rational number, or root(t^3-2, 1..2)"
_HIDDEN_PREFIX = "root__"  # names that stand for roots while a coordinate is read


class Root:
    """A real root of a rational polynomial, known to be the only one in a closed interval.

    ``minimal`` is irreducible over Q, of degree at least 2, from the constant term up; ``low`` and
    ``high`` are the ends of the interval.
    """

    def __init__(self, minimal: tuple[int, ...], low: Fraction, high: Fraction) -> None:
        self.minimal, self.low, self.high = minimal, low, high


def root(polynomial: Any, low: Any, high: Any) -> Coordinate:
    """The real root of a polynomial in one variable that lies in an interval.

    It has rational coefficients and need not be irreducible; the interval is closed.  InputError if
    there is no root in it, or more than one.

    >>> root("t^2-2", 1, 2)
    root(t^2 - 2, 1..2)
    >>> root("(t-3)*(t^2-2)", 2, 4)
    Fraction(3, 1)
    """
    ends = read_rational(low, "the interval of a root"), read_rational(high, "the interval")
    found = _root_of(polynomial, *ends)
    return found if isinstance(found, Fraction) else _in_one_field([found])[0]


def read_rational(value: Any, label: str) -> Fraction:
    """Read an exact rational from text, a number or sympy."""
    value, number = sympy_form(value), None
    if isinstance(value, str):
        number = constant_value(parse_polynomial(value))
    elif isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        number = Fraction(value)
    elif str(type(value).__module__).startswith("sympy"):
        number = constant_value(from_sympy(value))
    if number is None:
        raise InputError(f"{label} = {value!r} is not an exact rational such as 1/3")
    return check_size_of(number)


def read_coordinates(texts: Mapping[str, Any]) -> dict[str, Coordinate]:
    """Read exact coordinates by name; irrational ones come in one field."""
    roots: list[Root | AlgebraicNumber] = []
    trees = {name: _tree(value, name, roots) for name, value in texts.items()}
    values = _in_one_field(roots)
    return {name: _value(tree, values, name) for name, tree in trees.items()}


def hidden_numbers(inputs: Sequence[Any]) -> tuple[list[Any], dict[str, Root | AlgebraicNumber]]:
    """Replace roots in polynomials by names, which stand for numbers of one field.

    >>> hidden_numbers(["x - sqrt(2)*y"])[0]
    ['x - (root__0)*y']
    """
    roots: list[Root | AlgebraicNumber] = []
    texts = list(inputs)
    for k, text in enumerate(texts):
        if isinstance(text, str) and _ROOT_CALL.search(text):
            try:
                texts[k] = _hide(text, "K", roots)
            except InputError:
                if re.search(r"\broot\s*\(", text):
                    raise  # else it is a root of variables
    return texts, {f"{_HIDDEN_PREFIX}{k}": root for k, root in enumerate(roots)}


def typed_names(names: Iterable[str]) -> str:
    """The names that do not stand for numbers."""
    return ", ".join(name for name in names if not name.startswith(_HIDDEN_PREFIX))


def _tree(value: Any, name: str, roots: list[Root | AlgebraicNumber]) -> Expression:
    """A coordinate as a polynomial in names that stand for roots."""
    value = sympy_form(value)
    if isinstance(value, AlgebraicNumber | Root):
        roots.append(value)
        return Expression("name", value=f"{_HIDDEN_PREFIX}{len(roots) - 1}")
    if isinstance(value, str):
        try:
            return parse_polynomial(_hide(value, name, roots))
        except InputError as error:
            message = str(error)
            if "polynomial needs" in message or "(…) at position" in message:
                # Words about K, where the mistake is in the point.
                message = f"{value!r} is not read: {_ROOTS_HINT}"
            known = message.startswith((f"{name}:", f"{name} =", "root(", "sqrt("))
            raise InputError(message if known else f"{name}: {message}") from None
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Expression("number", value=Fraction(value))
    if str(type(value).__module__).startswith("sympy"):
        coordinate = _from_sympy(value, name)
        if isinstance(coordinate, Fraction):
            return Expression("number", value=coordinate)
        roots.append(coordinate)
        return Expression("name", value=f"{_HIDDEN_PREFIX}{len(roots) - 1}")
    raise InputError(
        f"{name} = {value!r} is not an exact rational such as 1/3, or root(t^2-2, 1..2)"
    )


def _hide(text: str, name: str, roots: list[Root | AlgebraicNumber]) -> str:
    """Replace every root(…) and sqrt(…) of a text by a name."""
    if _HIDDEN_PREFIX in text:
        raise InputError(f"{name} = {text!r} is not an exact number")
    while (call := _ROOT_CALL.search(text)) is not None:
        depth, end = 1, call.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        if depth:
            raise InputError(f"{name} = {text!r}: a parenthesis is not closed")
        inside = text[call.end() : end - 1]
        coordinate = _square_root(inside) if call[1] == "sqrt" else _root_text(inside, name)
        if isinstance(coordinate, Fraction):
            replacement = f"({coordinate})"
        else:
            roots.append(coordinate)
            replacement = f"({_HIDDEN_PREFIX}{len(roots) - 1})"
        before, after = text[: call.start()], text[end:]
        if call[1] == "sqrt" and before.rstrip().endswith("/") and not _POWER_SIGN.match(after):
            before, replacement = f"{before.rstrip()[:-1]}*", f"{replacement}/({inside})"
        text = before + replacement + after
    return text


def _root_text(inside: str, name: str) -> Root | Fraction:
    polynomial, comma, interval = inside.partition(",")
    low, dots, high = interval.partition("..")
    if not (comma and dots and low.strip() and high.strip()):
        raise InputError(
            f"{name}: root({inside}) is not of the form root(t^2-2, 1..2): a polynomial and an "
            "interval that holds one of its real roots"
        )
    ends = []
    for end in (low, high):
        value = constant_value(parse_polynomial(end))
        if value is None:
            raise InputError(f"{name}: {end.strip()!r} is not an exact rational such as 1/3")
        ends.append(check_size_of(value))
    return _root_of(polynomial, *ends)


def _square_root(inside: str) -> Root | Fraction:
    value = constant_value(parse_polynomial(inside))
    if value is None or value < 0:
        raise InputError(f"sqrt({inside}): give a rational number that is not negative")
    return _root_of(f"t^2-({value})", Fraction(0), value + 1)


def _root_of(polynomial: Any, lower: Fraction, upper: Fraction) -> Root | Fraction:
    """The root of a polynomial in [low, high]."""
    import sympy

    tree = parse_polynomial(polynomial) if isinstance(polynomial, str) else from_sympy(polynomial)
    names = sorted(names_in(tree))
    if len(names) != 1:
        raise InputError(f"root({polynomial}, …): the polynomial must have one variable")
    terms = terms_of(expand_tree(tree, make_ring(names)))
    degree = max((m[0] for m in terms), default=0)
    if degree < 1:
        raise InputError(f"root({polynomial}, …): the polynomial is constant")
    bits = max(bits_of(c) for c in (*terms.values(), lower, upper))
    if degree > _HIGHEST_DEGREE or bits > _MOST_BITS:
        limits = f"degree {_HIGHEST_DEGREE} and {_MOST_BITS} bits"
        raise InputError(f"root({polynomial}, …): the limits are {limits}")
    t = sympy.Symbol("t")
    dense_polynomial = sympy.Poly(
        {m: sympy.Rational(c.numerator, c.denominator) for m, c in terms.items()}, t, domain="QQ"
    )
    ends = [sympy.Rational(x.numerator, x.denominator) for x in (lower, upper)]
    count = dense_polynomial.count_roots(*ends) if lower <= upper else 0
    if count != 1:
        raise InputError(
            f"root({polynomial}, {lower}..{upper}): {count or 'no'} real root{'s' * (count != 1)} "
            "in the interval; there must be exactly one"
        )
    factor = next(f for f, _ in dense_polynomial.factor_list()[1] if f.count_roots(*ends))
    whole = [int(c) for c in factor.clear_denoms(convert=True)[1].primitive()[1].all_coeffs()]
    if len(whole) == 2:
        return Fraction(-whole[1], whole[0])
    return Root(tuple(whole[::-1]), lower, upper)


def _from_sympy(value: Any, name: str) -> Root | Fraction:
    """A sympy number that is rational or algebraic."""
    import sympy

    if not isinstance(value, sympy.Expr) or value.free_symbols:
        raise InputError(f"{name} = {value} is not an exact number")
    if value.has(sympy.Float):
        raise InputError(f"{name} = {value} is not exact: write a fraction")
    if value.is_Rational:
        return check_size_of(Fraction(int(value.p), int(value.q)))
    t = sympy.Symbol("t")
    try:
        if not value.is_real:
            raise InputError(f"{name} = {value} is not known to be a real number")
        p = sympy.Poly(sympy.minimal_polynomial(value, t), t, domain="QQ")
        if p.degree() > _HIGHEST_DEGREE:
            raise InputError(f"{name} = {value}: the degree is above the limit {_HIGHEST_DEGREE}")
        # sympy refines until so many digits are right, or raises.
        centre = sympy.Rational(str(value.evalf(60, strict=True)))
    except (sympy.polys.polyerrors.NotAlgebraic, NotImplementedError, ArithmeticError) as error:
        raise InputError(f"{name} = {value} is not known to be algebraic") from error
    margin = sympy.Rational(1, 10**50) * (1 + abs(centre))
    low, high = (Fraction(int(x.p), int(x.q)) for x in (centre - margin, centre + margin))
    return _root_of(p.as_expr(), low, high)


def _in_one_field(roots: Sequence[Root | AlgebraicNumber]) -> list[Coordinate]:
    """Express numbers in a common field, by a primitive element found one root at a time."""
    field: NumberField = RATIONAL_FIELD
    values: list[FieldNumber] = []
    for item in roots:
        if isinstance(item, AlgebraicNumber):
            modulus: tuple[int, ...] = item.minimal
            lower, upper = item.interval
        else:
            modulus, lower, upper = item.minimal, item.low, item.high
        dense = [field.integer(c) for c in modulus]
        if len(dense) == 2:
            rest = [Fraction(0)] * (field.degree - 1)
            values.append(field_number([Fraction(-modulus[0], modulus[1]), *rest]))
            continue
        field_roots = real_roots(field, dense, _LARGEST_FIELD)
        if field_roots is None:
            raise InputError(f"the field of the point has degree above the limit {_LARGEST_FIELD}")
        chosen = next(r for r in field_roots if _inside(r, lower, upper))
        if chosen.image is not None:
            old = [AlgebraicNumber(field, v) for v in values]
            values = [mapped_to(v, chosen.image, chosen.field).value for v in old]
        field = chosen.field
        values.append(chosen.value)
    return [_simplest(AlgebraicNumber(field, v)) for v in values]


def _inside(candidate: RealRoot, low: Fraction, high: Fraction) -> bool:
    field, value = candidate.field, candidate.value
    return field.compare(value, low) >= 0 >= field.compare(value, high)


def mapped_to(value: AlgebraicNumber, image: FieldNumber, field: NumberField) -> AlgebraicNumber:
    """Take a number to a larger field, by the image of the old generator."""
    gamma = AlgebraicNumber(field, image)
    total = gamma * 0
    for part in reversed(value.parts):
        total = total * gamma + part
    return total


def _simplest(value: AlgebraicNumber) -> Coordinate:
    rational = value.rational
    return value if rational is None else rational


def _value(tree: Expression, roots: Sequence[Coordinate], name: str) -> Coordinate:
    """Evaluate an expression in the roots."""
    names = names_in(tree)
    if not names:
        exact = constant_value(tree)
        if exact is None:
            raise InputError(f"{name} is not an exact rational such as 1/3")
        return check_size_of(exact)
    if not all(n.startswith(_HIDDEN_PREFIX) for n in names):
        unknown = next(n for n in sorted(names) if not n.startswith(_HIDDEN_PREFIX))
        raise InputError(
            f"{name}: {unknown} is not an exact rational such as 1/3, or root(t^2-2, 1..2)"
        )
    order = sorted(names)
    polynomial = terms_of(expand_tree(tree, make_ring(order)))
    if max(sum(m) for m in polynomial) > _HIGHEST_DEGREE:
        raise InputError(f"{name}: the degree in roots is above the limit {_HIGHEST_DEGREE}")
    total: Coordinate = Fraction(0)
    for exponents, c in polynomial.items():
        part: Coordinate = c
        for n, e in zip(order, exponents, strict=True):
            for _ in range(e):
                part = part * roots[int(n.removeprefix(_HIDDEN_PREFIX))]
        total = total + part
    return _simplest(total) if isinstance(total, AlgebraicNumber) else check_size_of(total)
