"""Power and product rules for ideals with a common factor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd, prod

from rlct.algebra.factoring import common_divisor, perfect_power, squarefree_factors
from rlct.algebra.polynomial import Polynomial, content_and_factors, support, variable_groups
from rlct.engine.reductions.germs import constant_term, restrict, with_generators
from rlct.engine.step import Bounds, Step, same, smallest
from rlct.proof.encode import encode_polynomial
from rlct.questions.problem import Germ

__all__ = ["has_pure_power", "power", "product"]

_LARGEST = 200  # terms
_SMALL = 80  # terms; factoring costs little


def power(germ: Germ) -> Step | None:
    """(gᵐ) has the pair of (g) with λ divided by m."""
    if len(germ.generators) != 1:
        return None
    root, exponent = _root(germ.generators[0])
    if exponent < 2:
        return None

    def combine(bounds: Sequence[Bounds]) -> Bounds:
        lower, upper = same(bounds)
        return lower / exponent, None if upper is None else upper / exponent

    data = {"exponent": exponent, "root": encode_polynomial(root)}
    return Step("power", (with_generators(germ, [root]),), combine, data)


def _root(f: Polynomial) -> tuple[Polynomial, int]:
    """A polynomial whose power this is, up to a number, and the exponent."""
    if len(f) > _LARGEST:
        return perfect_power(f.monic()) or (f, 1)
    factors = content_and_factors(f)[1] if len(f) <= _SMALL else squarefree_factors(f)
    exponent = gcd(*(m for _, m in factors))
    return prod((g ** (m // exponent) for g, m in factors), start=f.ring.one), exponent


def product(germ: Germ) -> Step | None:
    """h·(g₁, g₂, …) with h in variables of its own: min of the two λ's, θ's add at a tie."""
    if sum(map(len, germ.generators)) > _LARGEST or any(map(has_pure_power, germ.generators)):
        return None
    common = reduce(common_divisor, germ.generators)
    if common.is_ground:
        return None
    factors = [f**m for f, m in content_and_factors(common)[1] if not constant_term(f)]
    for group in variable_groups(map(support, factors)):
        h = prod((f for f in factors if support(f) <= set(group)), start=germ.ring.one)
        rest = [g.exquo(h) for g in germ.generators]
        own, other = group, sorted(set().union(*map(support, rest)))
        if not other or set(own) & set(other) or any(constant_term(g) for g in rest):
            continue
        children = (restrict([h], germ, own, True), restrict(rest, germ, other, True))
        data = {"factor": encode_polynomial(h), "groups": [own, other]}
        return Step("product", children, smallest, data)
    return None


def has_pure_power(g: Polynomial) -> bool:
    """Whether some term has one variable only: then g is no product over disjoint variables.

    Both factors would vanish at the origin, so each term would have variables of both.
    """
    return any(sum(1 for e in m if e) == 1 for m in g.itermonoms())
