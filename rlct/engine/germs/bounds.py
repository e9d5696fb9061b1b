"""Bounds that need no search, and the better of two."""

from rlct.engine.germs import leaves, uniform
from rlct.engine.germs.family import Family, is_unit, local_terms
from rlct.engine.germs.rule import SignTrait, germ_rule
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


class GiveUpError(Exception):
    """Too much work, and not even a weak bound holds for every value of the constants."""


@germ_rule("enclose", keeps=SignTrait.NONNEGATIVE | SignTrait.CHANGES)
def tighter_bounds(*proofs: Proof) -> Proof:
    """Enclose by all: the one with both ends, or the best of each end."""
    lower = max(proof.lower for proof in proofs)
    upper = min((proof.upper for proof in proofs if proof.upper is not None), default=None)
    for proof in proofs:
        if proof.lower == lower and proof.upper == upper:
            return proof
    # A step that encloses says no more than its children do.
    parts = [p for one in proofs for p in (one.children if one.rule == "enclose" else (one,))]
    below = next(part for part in parts if part.lower == lower)
    above = next(part for part in parts if part.upper == upper)
    return Proof("enclose", lower, upper, {}, (below, above))


def unresolved_family(family: Family) -> Proof:
    """Only the bound that needs no work."""
    lower = uniform.order_bound(family)
    if lower is None:
        raise GiveUpError
    return Proof("open", lower, None)


def weak_bounds(family: Family, below: Proof | None) -> Proof:
    """Bounds from exponents, and the given lower bound if there is one."""
    plain = not family.fixed and not family.free
    germ = Germ(family.generators, family.prior, True, family.field)
    hull = leaves.hull_bounds(germ) if plain else uniform.hull_of_family(family)
    if hull is None:
        if below is None:
            raise GiveUpError
        return below
    return hull if below is None else tighter_bounds(hull, below)


def monomial_part(family: Family) -> Proof | None:
    """Lower bound by the generators that are monomials."""
    d = len(family.prior)
    monomial_indices = [
        index
        for index, g in enumerate(family.generators)
        if len(terms := local_terms(g, d)) == 1
        and is_unit(next(iter(terms.values())), family.units)
    ]
    if not monomial_indices:
        return None
    proof = uniform.monomial_of_family(
        family.with_generators(family.generators[k] for k in monomial_indices)
    )
    assert proof is not None
    return Proof("subideal", proof.lower, None, {"kept": monomial_indices}, (proof,))
