"""Expanding expressions into polynomials over Q (sympy's sparse ring), with limits."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any, TypeAlias

from sympy import QQ
from sympy.polys.orderings import grevlex
from sympy.polys.rings import PolyElement, PolyRing

from rlct.algebra.division import exact_quotient
from rlct.algebra.expression import SIZE_LIMITS, Expression, bits_of, check_size_of
from rlct.algebra.factoring import irreducible_factors
from rlct.errors import InputError

_FEW_TERMS = 5  # terms whose powers sympy writes out by the multinomial theorem

# sympy's sparse polynomials carry no type information, hence the aliases.
Polynomial: TypeAlias = PolyElement
Ring: TypeAlias = PolyRing
Terms: TypeAlias = dict[tuple[int, ...], Fraction]


def make_ring(names: Sequence[str]) -> Ring:
    """Ring Q[names]."""
    return PolyRing(list(names), QQ, grevlex)


def natural_order(names: Iterable[str]) -> list[str]:
    """Sort names so that x2 comes before x10.

    >>> natural_order(["x10", "x2", "a"])
    ['a', 'x2', 'x10']
    """

    def key(name: str) -> list[tuple[int, int | str]]:
        parts = re.split(r"(\d+)", name)
        return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]

    return sorted(names, key=key)


def to_fraction(value: Any) -> Fraction:
    """Convert a coefficient of the ring to a Fraction."""
    return Fraction(int(value.numerator), int(value.denominator))


def terms_of(polynomial: Polynomial) -> Terms:
    """Exponents to coefficients, in Python's own types."""
    return {tuple(int(e) for e in m): to_fraction(c) for m, c in polynomial.terms()}


def from_terms(ring: Ring, terms: Mapping[tuple[int, ...], Fraction]) -> Polynomial:
    """Inverse of `terms_of`."""
    return ring.from_dict({m: QQ(c.numerator, c.denominator) for m, c in terms.items() if c != 0})


class WorkMeter:
    """Products of terms that expanding has cost so far."""

    spent = 0

    def add(self, count: int) -> None:
        """Refuse work before it is done."""
        self.spent += count
        if self.spent > SIZE_LIMITS.work:
            raise InputError("the expression is too large to expand")


def expand_tree(tree: Expression, ring: Ring, work_meter: WorkMeter | None = None) -> Polynomial:
    """Expand an expression in a ring that has all its variables.

    ``work_meter`` is shared by the expressions of one question.  InputError if the degree, the
    number of terms or the work would exceed the limits.

    >>> from rlct.algebra.parse import parse_polynomial
    >>> expand_tree(parse_polynomial("(x-y)^2"), make_ring(["x", "y"]))
    x**2 - 2*x*y + y**2
    """
    if tree.operator == "number":
        assert tree.number is not None
        return ring.ground_new(QQ(tree.number.numerator, tree.number.denominator))
    if tree.operator == "name":
        return ring.gens[_positions(ring)[str(tree.value)]]
    if tree.operator == "*" and (single := _single_term(tree, ring)) is not None:
        _check_size(single)
        return single
    work_meter = work_meter or WorkMeter()
    parts = [expand_tree(argument, ring, work_meter) for argument in tree.arguments]
    if tree.operator == "+":
        result = _sum(parts, ring)
    elif tree.operator == "*":
        result = ring.one
        for part in parts:
            if len(result) > 1 and len(part) > 1:
                work_meter.add(len(result) * len(part))
            result = result * part
            _check_size(result)
    else:
        assert isinstance(tree.value, int)
        result = _power(parts[0], tree.value, work_meter)
    _check_size(result)
    return result


def _single_term(tree: Expression, ring: Ring) -> Polynomial | None:
    """A product of numbers and powers of variables, without multiplying polynomials."""
    exponents, coefficient, places = [0] * ring.ngens, QQ.one, _positions(ring)
    for factor in tree.arguments:
        base, power = factor, 1
        if factor.operator == "^" and isinstance(factor.value, int):
            (base,), power = factor.arguments, factor.value
        if base.operator == "name":
            exponents[places[str(base.value)]] += power
        elif factor.operator == "number" and factor.number is not None:
            coefficient *= QQ(factor.number.numerator, factor.number.denominator)
        else:
            return None
    return ring.from_dict({tuple(exponents): coefficient} if coefficient else {})


def _sum(parts: Sequence[Polynomial], ring: Ring) -> Polynomial:
    """Add in place: adding two at a time would copy a long sum once for every term."""
    total: dict[Any, Any] = {}
    for part in parts:
        for monomial, coefficient in part.iterterms():
            total[monomial] = total.get(monomial, 0) + coefficient
    return ring.from_dict({m: c for m, c in total.items() if c})


@lru_cache(maxsize=8)
def _positions(ring: Ring) -> dict[str, int]:
    """Position of each variable by name: turning symbols into text is slow."""
    return {str(symbol): i for i, symbol in enumerate(ring.symbols)}


def value_at(terms: Terms, point: Sequence[Fraction]) -> Fraction:
    """Exact value at a rational point.

    >>> value_at({(1, 1): Fraction(3)}, [Fraction(1, 2), Fraction(2)])
    Fraction(3, 1)
    """
    total = Fraction(0)
    for exponents, coefficient in terms.items():
        value = coefficient
        for x, e in zip(point, exponents, strict=True):
            value *= x**e
        total += value
    return total


def total_degree(polynomial: Polynomial) -> int:
    """Total degree; 0 for the zero polynomial."""
    return int(max((sum(m) for m in polynomial.itermonoms()), default=0))


def order(polynomial: Polynomial) -> int:
    """Order of vanishing at the origin; the polynomial must not be zero."""
    return int(min(sum(m) for m in polynomial.itermonoms()))


def _power(base: Polynomial, exponent: int, work_meter: WorkMeter) -> Polynomial:
    size, base_degree = len(base), total_degree(base)
    if exponent == 0:
        return base.ring.one  # also of zero, as everywhere in algebra
    if base_degree * exponent > SIZE_LIMITS.degree:
        raise InputError(
            f"the degree {base_degree * exponent} is above the limit {SIZE_LIMITS.degree}"
        )
    if size > 1 and exponent > 1:
        variables = sum(1 for i in range(base.ring.ngens) if any(m[i] for m in base.itermonoms()))

        def most(n: int) -> int:
            # Products of n terms out of `size`: an upper bound on the terms of the n-th power.
            return min(comb(n + size - 1, size - 1), comb(base_degree * n + variables, variables))

        if exponent >= 10_000 or most(exponent) > SIZE_LIMITS.terms:
            raise InputError(f"expanding gives more than {SIZE_LIMITS.terms} terms")
        # Sympy writes out powers of few terms, and squares repeatedly those of more.
        work_meter.add(
            most(exponent) * exponent if size <= _FEW_TERMS else _squarings(most, exponent)
        )
    longest = max((bits_of(to_fraction(c)) for c in base.itercoeffs()), default=0)
    if longest * exponent > 100 * SIZE_LIMITS.coefficient_bits:
        raise InputError(f"a coefficient has more than {SIZE_LIMITS.coefficient_bits} bits")
    # sympy keeps the hash of a half-made square; a copy makes its own, as equal ones need.
    return (base**exponent).copy()


def _squarings(most: Callable[[int], int], exponent: int) -> int:
    """Products of terms in a power by repeated squaring, where the n-th has `most(n)` terms."""
    count, done, power = 0, 0, 1
    while power <= exponent:
        if exponent & power:
            count += most(done) * most(power) if done else 0
            done += power
        if 2 * power <= exponent:
            count += most(power) * (most(power) + 1) // 2
        power *= 2
    return count


def _check_size(polynomial: Polynomial) -> None:
    if len(polynomial) > SIZE_LIMITS.terms:
        raise InputError(f"expanding gives more than {SIZE_LIMITS.terms} terms")
    if total_degree(polynomial) > SIZE_LIMITS.degree:
        raise InputError(
            f"the degree {total_degree(polynomial)} is above the limit {SIZE_LIMITS.degree}"
        )
    for c in polynomial.itercoeffs():
        check_size_of(to_fraction(c))


@lru_cache(maxsize=20_000)
def content_and_factors(polynomial: Polynomial) -> tuple[Any, tuple[tuple[Polynomial, int], ...]]:
    """Content and monic irreducible factors with exponents.

    >>> ring = make_ring(["x", "y"]); x, y = ring.gens
    >>> content_and_factors(2*x**2*y - 2*y**3)[1]
    ((y, 1), (x - y, 1), (x + y, 1))
    """
    ring = polynomial.ring
    if polynomial.is_ground:
        return polynomial.LC if polynomial else ring.domain.zero, ()
    content, factors = polynomial.LC, []
    monomial = tuple(min(column) for column in zip(*polynomial.itermonoms(), strict=True))
    if any(monomial):
        factors = [(x, e) for x, e in zip(ring.gens, monomial, strict=True) if e]
        polynomial = exact_quotient(polynomial, ring.from_dict({monomial: ring.domain.one}))
    if not polynomial.is_ground:
        factors += irreducible_factors(polynomial)
    return content, tuple(factors)


def support(polynomial: Polynomial) -> set[int]:
    """Indices of the variables that occur."""
    return {i for m in polynomial.itermonoms() for i, e in enumerate(m) if e}


def variable_groups(supports: Iterable[Iterable[int]]) -> list[list[int]]:
    """Classes of variables connected by occurring together, each sorted."""
    groups: list[set[int]] = []
    for used in map(set, supports):
        if used:
            apart = [group for group in groups if not group & used]
            groups = [*apart, used.union(*(group for group in groups if group & used))]
    return sorted(sorted(group) for group in groups)
