"""Power and product rules for ideals with a common factor."""

from collections.abc import Sequence
from functools import reduce
from math import gcd, prod
from operator import and_

from rlct.algebra.division import exact_quotient
from rlct.algebra.factoring import common_divisor, perfect_power, squarefree_factors
from rlct.algebra.polynomial import Polynomial, content_and_factors, support, variable_groups
from rlct.engine import limits
from rlct.engine.germs.generators import constant_term, restrict_germ, with_generators
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule, has_positive_unit
from rlct.engine.germs.step import Bounds, Step, product_bounds, same_bounds
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


def _sign_of_power(step: Proof, below: Sequence[SignTrait]) -> SignTrait:
    return below[0] & SignTrait.CHANGES if step.data["exponent"] % 2 else SignTrait.OPEN


@germ_rule(
    "power", "arrangement", RuleTrait.SMALL_FIELD, sign=_sign_of_power, keeps=SignTrait.NOWHERE_ZERO
)
def power_of_ideal(germ: Germ) -> Step | None:
    """(gᵐ): λ = λ_g / m and θ = θ_g, the power rule of ``theory/conventions.md``.

    Condition: one generator, equal to a number times gᵐ.
    """
    if len(germ.generators) != 1:
        return None
    root, exponent = _root(germ.generators[0])
    if exponent < 2:
        return None

    def combine(bounds: Sequence[Bounds]) -> Bounds:
        lower, upper = same_bounds(bounds)
        return lower / exponent, None if upper is None else upper / exponent

    data = {"exponent": exponent, "root": encode_polynomial(root)}
    return Step("power", (with_generators(germ, [root]),), combine, data)


def _root(f: Polynomial) -> tuple[Polynomial, int]:
    """A polynomial whose power this is, up to a number, and the exponent."""
    if len(f) > limits.MOST_FACTORS_TERMS:
        return perfect_power(f.monic()) or (f, 1)
    factors = (
        content_and_factors(f)[1] if len(f) <= limits.FEW_FACTORS_TERMS else squarefree_factors(f)
    )
    exponent = gcd(*(m for _, m in factors))
    return prod((g ** (m // exponent) for g, m in factors), start=f.ring.one), exponent


def _sign_of_product(step: Proof, below: Sequence[SignTrait]) -> SignTrait:
    """What all factors show; a negative unit would turn the sign."""
    every = ~SignTrait.CHANGES if has_positive_unit(step.data) else SignTrait.NOWHERE_ZERO
    return reduce(and_, below, every)


@germ_rule(
    "product", "power", RuleTrait.SMALL_FIELD, sign=_sign_of_product, keeps=SignTrait.CHANGES
)
def product_of_ideals(germ: Germ) -> Step | None:
    """h(x)·(g₁(y), g₂(y), …): λ = min of the two, and their θ are added at a tie.

    Condition: h has no variable in common with the g_k.  ``theory/product-rule.md`` proves it.
    """
    if sum(map(len, germ.generators)) > limits.MOST_FACTORS_TERMS or any(
        map(has_pure_power, germ.generators)
    ):
        return None
    common = reduce(common_divisor, germ.generators)
    if common.is_ground:
        return None
    factors = [f**m for f, m in content_and_factors(common)[1] if not constant_term(f)]
    for group in variable_groups(map(support, factors)):
        h = prod((f for f in factors if support(f) <= set(group)), start=germ.ring.one)
        cofactors = [exact_quotient(g, h) for g in germ.generators]
        own_variables, other_variables = group, sorted(set().union(*map(support, cofactors)))
        if (
            not other_variables
            or set(own_variables) & set(other_variables)
            or any(constant_term(g) for g in cofactors)
        ):
            continue
        children = (
            restrict_germ([h], germ, own_variables, True),
            restrict_germ(cofactors, germ, other_variables, True),
        )
        data = {"factor": encode_polynomial(h), "groups": [own_variables, other_variables]}
        return Step("product", children, product_bounds, data)
    return None


def has_pure_power(g: Polynomial) -> bool:
    """Whether some term has one variable only: then g is no product over disjoint variables.

    Both factors would vanish at the origin, so each term would have variables of both.
    """
    return any(sum(1 for e in m if e) == 1 for m in g.itermonoms())
