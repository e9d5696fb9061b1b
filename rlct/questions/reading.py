"""Reading the parts of a question: polynomials, points, priors, constraints."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any

from rlct.algebra.expression import SIZE_LIMITS, Expression, names_in
from rlct.algebra.names import NAME_LETTERS, implied_product, is_name
from rlct.algebra.parse import from_sympy, parse_polynomial
from rlct.algebra.polynomial import Polynomial, WorkMeter, expand_tree, make_ring, natural_order
from rlct.algebra.real_algebraic import Coordinate
from rlct.errors import InputError, ProductNameError
from rlct.questions.points import read_coordinates, read_rational, typed_names
from rlct.system.options import as_list, as_mapping, brief_repr, sympy_form

# Possessive quantifiers would be faster, but Python 3.11.0 to 3.11.4 read "x*" as "x" by them.
_NAME_PATTERN = rf"[{NAME_LETTERS}][{NAME_LETTERS}0-9]*"
_POWER_PATTERN = re.compile(rf"({_NAME_PATTERN})(?:\s*(?:\*\*|\^)\s*([0-9]{{1,6}}))?")
_MONOMIAL_PATTERN = re.compile(
    rf"\s*{_POWER_PATTERN.pattern}(?:\s*\*\s*{_POWER_PATTERN.pattern})*\s*\Z"
)
_FACTOR_PATTERN = re.compile(
    rf"({_NAME_PATTERN})(?:(?:\*\*|\^)(?:(-?\d{{1,9}})|\((-?\d{{1,9}}(?:/0*[1-9]\d{{0,8}})?)\)))?\Z",
    re.ASCII,
)


def read_polynomials(
    inputs: list[Any], declared_names: Iterable[Any] = (), typed: Sequence[Any] = ()
) -> tuple[list[str], tuple[Polynomial, ...], Expression | None]:
    """Read polynomials in a common ring: its variables, they, and the tree of a single one.

    Names that are declared, or occur in declared walls, are variables, whatever product they look
    like.  A refusal shows what
    was `typed`.
    """
    if not inputs:
        raise InputError("an ideal needs at least one generator")
    if len(inputs) > SIZE_LIMITS.terms:
        raise InputError(f"{len(inputs)} generators; the limit is {SIZE_LIMITS.terms}")
    # Thousands of monomials need no tree: reading one takes longer than solving their ideal.
    read_inputs = [(len(inputs) > 1 and _monomial(item)) or _read(item) for item in inputs]
    names = natural_order(
        set().union(*(names_in(t) if isinstance(t, Expression) else t for t in read_inputs))
    )
    declared_texts = (str(sympy_form(item)) for item in declared_names)
    declared = {name for text in declared_texts for name in re.findall(_NAME_PATTERN, text)}
    _refuse_products(typed or inputs, names, declared)
    if len(names) > SIZE_LIMITS.variables:
        raise InputError(f"{len(names)} variables; the limit is {SIZE_LIMITS.variables}")
    ring = make_ring(names or ["x"])
    unit, meter = ring.domain.one, WorkMeter()
    polynomials = tuple(
        expand_tree(t, ring, work_meter=meter)
        if isinstance(t, Expression)
        else ring.from_dict({tuple(t.get(name, 0) for name in names): unit})
        for t in read_inputs
    )
    if not any(polynomials):
        raise InputError("K is the zero polynomial: λ is not defined")
    if not names:
        raise InputError("K is a constant: λ needs a zero of a polynomial")
    only = read_inputs[0] if len(read_inputs) == 1 else None
    nonzero = tuple(filter(None, polynomials))
    return names, nonzero, only if isinstance(only, Expression) else None


def _refuse_products(inputs: Sequence[Any], names: Sequence[str], declared: Set[str]) -> None:
    """Refuse names in texts that are not declared and may be products."""
    known = set(names)
    products = {name: implied_product(name, known) for name in names if name not in declared}
    products = {name: product for name, product in products.items() if product}
    for text in inputs if products else ():
        if isinstance(text, str) and (written := with_products(text, products)) != text:
            first = next(iter(products))
            raise ProductNameError(
                f"{', '.join(products)} could mean a product: write {written!r}, or, if it is one "
                f"variable, name {first} in at, over or nonneg",
                products,
            )


def with_products(text: str, products: Mapping[str, str]) -> str:
    """Write products in place of names.

    >>> with_products("(ab)^2 + ab1", {"ab": "a*b"})
    '(a*b)^2 + ab1'
    """
    return re.sub(rf"[{NAME_LETTERS}0-9]+", lambda name: products.get(name[0], name[0]), text)


def _monomial(item: Any) -> dict[str, int] | None:
    """Exponents by name of a product of powers of variables; None for all else."""
    if (
        not isinstance(item, str)
        or len(item) > SIZE_LIMITS.length
        or not _MONOMIAL_PATTERN.match(item)
    ):
        return None
    exponents: dict[str, int] = {}
    for name, exponent in _POWER_PATTERN.findall(item):
        exponents[name] = exponents.get(name, 0) + int(exponent or 1)
    small = sum(exponents.values()) <= SIZE_LIMITS.degree
    return exponents if small and all(map(is_name, exponents)) else None


def _read(item: Any) -> Expression:
    item = sympy_form(item)
    if isinstance(item, str):
        return parse_polynomial(item)
    if isinstance(item, bool) or item is None or isinstance(item, (float, complex)):
        raise InputError(f"{item!r} is not a polynomial: give text or a sympy expression")
    if isinstance(item, (int, Fraction)):
        return Expression("number", value=Fraction(item))
    if not str(type(item).__module__).startswith("sympy"):
        raise InputError(f"{type(item).__name__} is not a polynomial: give text or sympy")
    return from_sympy(item)


def _known(name: str, names: list[str], label: str) -> int:
    if name not in names:
        raise InputError(f"{label} names {name}, which does not occur in K ({typed_names(names)})")
    return names.index(name)


def refuse_several(inputs: list[Any], at: Any, *settings: Any) -> None:
    """Refuse generators one after the other, of which the second would be read as the point.

    The others are the options behind it, of which each may have been meant as a generator.
    """
    if isinstance(at, str) or hasattr(sympy_form(at), "as_expr"):
        try:
            several = bool(names_in(_read(at)))
        except InputError:
            several = False
        if several:
            shape = ", ".join([*map(brief_repr, [*inputs, at]), *(["…"] if any(settings) else [])])
            raise InputError(f"several polynomials go in one list: rlct.ideal([{shape}])")


def read_base_point(
    at: Mapping[str, Any] | Sequence[Any] | None,
    names: list[str],
    numbers: Mapping[str, Any] | None = None,
) -> tuple[Coordinate, ...]:
    """Read a point by variable, where those that are not given are 0, or in their order.

    Names that stand for numbers have those as values.
    """
    point: list[Coordinate] = [Fraction(0)] * len(names)
    if at is not None and not isinstance(at, Mapping):
        variables = [name for name in names if name not in (numbers or ())]
        at = dict(zip(variables, _in_order(at, variables), strict=True))
    given = as_mapping(at, "at", "{'x': 1}")
    by_name = {str(sympy_form(name)): value for name, value in given.items()}
    by_name |= {name: value for name, value in (numbers or {}).items() if name in names}
    places = {name: _known(name, names, "the point") for name in by_name}
    found = read_coordinates(by_name)
    for name, value in found.items():
        point[places[name]] = value
    return tuple(point)


def _in_order(at: Any, names: list[str]) -> list[Any]:
    values = [] if isinstance(at, (str, Set)) else as_list(at, "at")
    if not values or any(isinstance(value, (list, tuple)) for value in values):
        words = "a mapping such as {'x': 1}, or a sequence such as (1, 0)"
        raise InputError(f"at = {brief_repr(at)} is not {words}")
    if len(values) != len(names):
        count = f"{len(values)} coordinate{'s' * (len(values) > 1)}"
        raise InputError(f"at has {count}, and K has {len(names)}: {', '.join(names)}")
    return values


def read_prior(prior: str | Mapping[str, Any] | None, names: list[str]) -> tuple[Fraction, ...]:
    """Read the exponents h > −1 of a monomial prior Π|x|^h, one per variable."""
    exponents = [Fraction(0)] * len(names)
    for name, h in _prior_items(prior):
        exponents[_known(name, names, "the prior")] += h
    for name, h in zip(names, exponents, strict=True):
        if h <= -1:
            raise InputError(f"the prior |{name}|^{h} is not integrable: exponents must be > -1")
        if h > SIZE_LIMITS.degree:
            raise InputError(f"the prior exponent {h} is above the limit {SIZE_LIMITS.degree}")
    return tuple(exponents)


def _prior_items(prior: str | Mapping[str, Any] | None) -> list[tuple[str, Fraction]]:
    if prior is None:
        return []
    prior = sympy_form(prior)
    if hasattr(prior, "as_powers_dict"):
        prior = prior.as_powers_dict()
    if not isinstance(prior, str):
        given = as_mapping(prior, "prior", "{'x': 1}, or text such as 'x*y**3'")
        return [(str(n), read_rational(h, f"prior exponent of {n}")) for n, h in given.items()]
    items = []
    for factor in re.split(r"(?<!\*)\*(?!\*)", prior.replace(" ", "")):
        match = _FACTOR_PATTERN.match(factor)
        if match is None and factor != "1":
            raise InputError(
                f"the prior {prior!r} is not a monomial: write for example x*y**3 or x**(-1/2)"
            )
        if match is not None:
            items.append((match[1], Fraction(match[2] or match[3] or 1)))
    return items
