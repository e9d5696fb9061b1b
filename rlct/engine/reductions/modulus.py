"""Reductions of a function K to an ideal."""

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from rlct.algebra.division import exact_quotient
from rlct.algebra.polynomial import support, variable_groups
from rlct.algebra.positivity.squares import SumOfSquares, squares_of_polynomial
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, restrict_germ, with_generators
from rlct.engine.germs.rule import SignTrait, germ_rule
from rlct.engine.germs.step import Bounds, Step, product_bounds, same_bounds
from rlct.engine.reductions.factors import has_pure_power
from rlct.proof.encode import encode_polynomial
from rlct.questions.problem import Germ

_ONE_HALF = Fraction(1, 2)


@germ_rule("squares", sign=SignTrait.NONNEGATIVE)
def from_squares(germ: Germ, squares: SumOfSquares) -> Step:
    """K = Σ c·g² with c > 0 lies between two multiples of Σ g²: same pair as the ideal (g)."""
    child = with_generators(germ, (g for _, g in squares))
    data = {"squares": [[str(c), encode_polynomial(g)] for c, g in squares if g]}
    return Step("squares", (child,), same_bounds, data)


def reduce_function(germ: Germ) -> Step:
    """Σ c·g² with c > 0 has the pair of (g); |g| that of (g) with λ doubled; f(x)·g(y) the least.

    ``theory/certificates.md`` proves the three.

    In this order: all terms even; product over disjoint variables; squares; and last K = |g|,
    whose pair is that of the ideal (g), which stands for g², with λ doubled.
    """
    (K,) = germ.generators
    if all(c > 0 and all(e % 2 == 0 for e in m) for m, c in K.terms()):
        squares = squares_of_polynomial(K)
        assert squares is not None
        return from_squares(germ, squares)
    return _product(germ) or _squares(germ) or last_resort(germ)


def _product(germ: Germ) -> Step | None:
    (K,) = germ.generators
    if len(K) > limits.MOST_MODULUS_TERMS or has_pure_power(K):
        return None
    factors = [(f, m) for f, m in K.factor_list()[1] if not constant_term(f)]
    groups = variable_groups(support(f) for f, _ in factors)
    if len(groups) < 2:
        return None
    parts = [
        prod((f**m for f, m in factors if support(f) <= set(group)), start=germ.ring.one)
        for group in groups
    ]
    unit = exact_quotient(K, prod(parts, start=germ.ring.one))
    children = tuple(
        restrict_germ([part], germ, group, False) for part, group in zip(parts, groups, strict=True)
    )
    data = {"groups": groups, "factors": [encode_polynomial(p) for p in parts]}
    return Step("product", children, product_bounds, {**data, "unit": encode_polynomial(unit)})


def _squares(germ: Germ) -> Step | None:
    squares = squares_of_polynomial(germ.generators[0])
    return None if squares is None else from_squares(germ, squares)


@germ_rule("modulus", keeps=~SignTrait.OPEN)
def last_resort(germ: Germ) -> Step:
    """K = |g| is the square root of g², the K of the ideal (g): λ is doubled."""

    def double(bounds: Sequence[Bounds]) -> Bounds:
        lower, upper = same_bounds(bounds)
        return lower / _ONE_HALF, None if upper is None else upper / _ONE_HALF

    return Step("modulus", (with_generators(germ, germ.generators),), double)
