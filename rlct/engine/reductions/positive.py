"""Ideals that are comparable with monomials, by the signs of their terms."""

from rlct.algebra.positivity.comparable import equivalent_monomials
from rlct.engine import limits
from rlct.engine.germs.generators import with_generators
from rlct.engine.germs.rule import RuleTrait, SignTrait, germ_rule
from rlct.engine.germs.step import Step, same_bounds
from rlct.questions.problem import Germ, signed_terms


@germ_rule("positive", "sum", RuleTrait.CHEAP, keeps=SignTrait.NOWHERE_ZERO)
def comparable_monomials(germ: Germ) -> Step | None:
    """Σ g² and Σ (every term)² are comparable, so the ideal of the monomials has the same pair.

    Condition: terms cannot cancel, by their signs.  ``theory/certificates.md`` proves it.  So
    every ideal with non-negative coefficients on an orthant is a monomial ideal: x = y² there
    makes all exponents even.
    """
    if (
        not germ.is_ideal
        or sum(map(len, germ.generators)) * germ.ring.ngens > limits.MOST_POSITIVE_EXPONENTS
    ):
        return None
    positive = [dict.fromkeys(g, True) for g in germ.generators]
    if germ.field is not None and equivalent_monomials(positive) is None:
        return None  # signs in a number field take time
    monomials = equivalent_monomials(
        [{m: c > 0 for m, c in signed_terms(g, germ.field).items()} for g in germ.generators]
    )
    if monomials is None:
        return None
    one = germ.ring.domain.one
    return Step(
        "positive", (with_generators(germ, [germ.ring({m: one}) for m in monomials]),), same_bounds
    )
