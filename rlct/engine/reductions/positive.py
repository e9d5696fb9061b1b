"""Ideals that are comparable with monomials, by the signs of their terms."""

from __future__ import annotations

from rlct.algebra.positivity.comparable import equivalent_monomials
from rlct.engine.reductions.germs import with_generators
from rlct.engine.step import Step, same
from rlct.questions.problem import Germ, signed_terms

__all__ = ["apply"]

_LARGEST = 20_000  # exponents of all terms together


def apply(germ: Germ) -> Step | None:
    """Replace generators whose terms cannot cancel by their monomials: same pair.

    So every ideal with non-negative coefficients on an orthant is a monomial ideal, because
    there x = y² makes all exponents even.
    """
    if not germ.is_ideal or sum(map(len, germ.generators)) * germ.ring.ngens > _LARGEST:
        return None
    positive = [dict.fromkeys(g, True) for g in germ.generators]
    if germ.field is not None and equivalent_monomials(positive) is None:
        return None  # signs in a number field take time
    found = equivalent_monomials(
        [{m: c > 0 for m, c in signed_terms(g, germ.field).items()} for g in germ.generators]
    )
    if found is None:
        return None
    one = germ.ring.domain.one
    return Step("positive", (with_generators(germ, [germ.ring({m: one}) for m in found]),), same)
