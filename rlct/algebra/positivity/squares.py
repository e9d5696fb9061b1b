"""Writing K as a sum of squares, which proves K ≥ 0 and gives an ideal."""

from collections.abc import Iterable
from fractions import Fraction
from math import prod
from typing import Any, Final

import sympy

from rlct.algebra.expression import Expression
from rlct.algebra.factoring import squarefree_factors
from rlct.algebra.polynomial import (
    Polynomial,
    Ring,
    expand_tree,
    from_terms,
    to_fraction,
    variable_groups,
)
from rlct.algebra.positivity.gram import gram_squares, low_rank_squares

#: K = Σ c·g² as a tuple of (c, g) with c > 0.
SumOfSquares = tuple[tuple[Fraction, Polynomial], ...]

_MOST_SQUARES: Final = 2_000  # squares; beyond this the expanded form is the better one
_SHORT_LENGTH: Final = 40  # terms of a polynomial that is tried term by term
_HIGHEST_DEGREE: Final = 12  # degree of a part in one variable whose least value is asked
_MOST_TERMS: Final = 200  # terms; completing squares in larger polynomials costs more than it finds


def squares_of_expression(tree: Expression, ring: Ring) -> SumOfSquares | None:
    """Read off squares that are visible in the text, such as ``(x-y)**4 + 2*(x+y)**2``.

    None if there are none to be seen, which proves nothing.

    >>> from rlct.algebra.parse import parse_polynomial
    >>> from rlct.algebra.polynomial import make_ring
    >>> squares_of_expression(parse_polynomial("(x-y)^4 + 2*(x+y)^2"), make_ring(["x", "y"]))
    ((Fraction(1, 1), x**2 - 2*x*y + y**2), (Fraction(2, 1), x + y))
    """
    if tree.operator == "number":
        value = tree.number
        assert value is not None
        return None if value < 0 else ((value, ring.one),) if value else ()
    if tree.operator == "name":
        return None
    if tree.operator == "^":
        (base,), exponent = tree.arguments, tree.value
        assert isinstance(exponent, int)
        root = expand_tree(Expression("^", (base,), exponent // 2), ring)
        if exponent % 2 == 0:
            return ((Fraction(1), root),)
        inner = squares_of_expression(base, ring)
        return None if inner is None else tuple((c, g * root) for c, g in inner)
    if tree.operator == "+":
        parts = [squares_of_expression(argument, ring) for argument in tree.arguments]
        known = [part for part in parts if part is not None]
        return sum(known, ()) if len(known) == len(parts) else None
    return _product(tree.arguments, ring)


def _product(factors: tuple[Expression, ...], ring: Ring) -> SumOfSquares | None:
    """Squares of a product: numbers may be negative as long as their product is not."""
    scale = prod((f.number for f in factors if f.number is not None), start=Fraction(1))
    repeated: dict[Expression, int] = {}
    for factor in factors:
        if factor.number is None:
            repeated[factor] = repeated.get(factor, 0) + 1
    result: SumOfSquares = ((Fraction(1), ring.one),)
    for factor, times in repeated.items():
        part = squares_of_expression(Expression("^", (factor,), times), ring)
        if part is None or len(part) * len(result) > _MOST_SQUARES:
            return None
        result = tuple((c * d, g * h) for c, g in result for d, h in part)
    if scale == 0:
        return ()
    return tuple((scale * c, g) for c, g in result) if scale > 0 else None


def squares_of_polynomial(K: Polynomial) -> SumOfSquares | None:
    """Look for squares in an expanded polynomial.

    Six ways, cheapest first: all terms even with positive coefficients; all factors of even
    multiplicity; a Gram matrix that the terms determine; completing the square in one variable
    after the other; one even term beside a square; a Gram matrix of low rank.  Variables that do
    not meet are treated apart.  None proves nothing.

    >>> from rlct.algebra.polynomial import make_ring
    >>> ring = make_ring(["x", "y"]); x, y = ring.gens
    >>> squares_of_polynomial(x**2 + x*y + y**2)
    ((Fraction(1, 1), x + 1/2*y), (Fraction(3, 4), y))
    """
    parts: list[tuple[Fraction, Polynomial]] = []
    for component in _components(K):
        component_squares = (
            _even_terms(component)
            or _even_factors(component)
            or _gram(component)
            or _complete_squares(component)
            or _square_and_term(component)
            or low_rank_squares(component)
        )
        if component_squares is None:
            return None
        parts.extend(component_squares)
    return tuple(parts)


def _components(K: Polynomial) -> Iterable[Polynomial]:
    """Split into summands without common variables; K = Σ parts."""
    groups = variable_groups([i for i, e in enumerate(m) if e] for m in K.itermonoms() if any(m))
    if len(groups) <= 1:
        return [K]
    where = {i: k for k, group in enumerate(groups) for i in group}
    parts = [K.ring.zero for _ in groups]
    for monomial, coefficient in K.terms():
        used = [i for i, e in enumerate(monomial) if e]
        if used:
            parts[where[used[0]]][monomial] = coefficient
    # Each part in one variable takes as much of the constant as makes its least value 0; one of
    # the others, or else the last, takes what is left.
    constant_part = K.coeff(1)
    taker = max(range(len(groups)), key=lambda k: len(groups[k]))
    for k, group in enumerate(groups):
        if k != taker:
            least = _least_value(parts[k], group[0]) if len(group) == 1 else K.ring.domain.zero
            if least is None:
                return [K]
            parts[k] -= least
            constant_part += least
    parts[taker] += constant_part
    return parts


def _least_value(p: Polynomial, i: int) -> Any:
    """The least value of a polynomial in the variable i, if it is a rational number."""
    x, level = p.ring.symbols[i], sympy.Dummy()
    dense = sympy.Poly(p.as_expr(), x)
    if dense.degree() > _HIGHEST_DEGREE or dense.degree() % 2 or dense.LC() < 0:
        return None
    values = sympy.Poly(
        sympy.resultant(dense.as_expr() - level, dense.diff().as_expr(), x), level
    ).real_roots(multiple=False)
    for value, _ in values:  # ascending
        if value.is_rational and (dense - value).count_roots():
            return p.ring.domain(value.p, value.q)
    return None


def _even_terms(K: Polynomial) -> SumOfSquares | None:
    if any(c < 0 or any(e % 2 for e in m) for m, c in K.terms()):
        return None
    ring = K.ring
    return tuple(
        (to_fraction(c), ring.from_dict({tuple(e // 2 for e in m): ring.domain.one}))
        for m, c in K.terms()
    )


def _even_factors(K: Polynomial) -> SumOfSquares | None:
    if len(K) > _MOST_TERMS:
        return None
    content, factors = K.LC, squarefree_factors(K)
    if content < 0 or any(m % 2 for _, m in factors):
        return None
    root = prod((f ** (m // 2) for f, m in factors), start=K.ring.one)
    return ((to_fraction(content), root),)


def _square_and_term(K: Polynomial) -> SumOfSquares | None:
    """K = c·x²ᵃ + a square, where the Gram matrix is not determined."""
    for m, c in K.terms():
        if c > 0 and not any(e % 2 for e in m):
            term = K.ring.from_dict({m: c})
            rest = _even_factors(K - term) if 2 < len(K) <= _SHORT_LENGTH else None
            if rest is not None:
                return (*rest, *(_even_terms(term) or ()))
    return None


def _gram(K: Polynomial) -> SumOfSquares | None:
    """K = Σ G_ab xᵃxᵇ over the monomials whose squares are terms of K, if G is determined.

    Every term must be a product xᵃxᵇ in one way only; then G is read off, and the exact LDLᵀ
    decomposition gives the squares if no pivot is negative.
    """
    if len(K) > _MOST_TERMS:
        return None
    terms = {tuple(map(int, m)): to_fraction(c) for m, c in K.terms()}
    basis = sorted(
        (tuple(e // 2 for e in m) for m, c in terms.items() if c > 0 and not any(e % 2 for e in m)),
        reverse=True,
    )
    gram = {(a, b): Fraction(0) for a in basis for b in basis}
    written_products = set()
    for i, a in enumerate(basis):
        for b in basis[i:]:
            m = tuple(x + y for x, y in zip(a, b, strict=True))
            if m in written_products and m in terms:
                return None
            written_products.add(m)
            if m in terms:
                gram[a, b] = gram[b, a] = terms[m] / (1 if a == b else 2)
    if not written_products.issuperset(terms):
        return None
    parts = gram_squares([[gram[a, b] for b in basis] for a in basis])
    if parts is None:
        return None
    return tuple(
        (c, from_terms(K.ring, {basis[j]: x for j, x in vector.items()})) for c, vector in parts
    )


def _complete_squares(K: Polynomial) -> SumOfSquares | None:
    """K = a(x + b/2a)² + K′ with a number a > 0; repeat on K′."""
    squares: list[tuple[Fraction, Polynomial]] = []
    ring = K.ring
    while K != 0:
        if len(K) > _MOST_TERMS:
            return None
        for i, x in enumerate(ring.gens):
            if K.degree(x) != 2:
                continue
            a, b = K.coeff_wrt(x, 2), K.coeff_wrt(x, 1)
            if not (a.is_ground and a.LC > 0):
                continue
            g = x + b / (2 * a.LC)
            squares.append((to_fraction(a.LC), g))
            K = K - g**2 * a.LC
            assert K.degree(ring.gens[i]) <= 0
            break
        else:
            rest = _even_terms(K) or _even_factors(K)
            return None if rest is None else (*squares, *rest)
    return tuple(squares)
