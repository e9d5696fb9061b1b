"""Taking a generator, or a factor of one, as a coordinate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rlct.algebra.polynomial import Polynomial, content_and_factors
from rlct.engine import limits
from rlct.engine.resolution import algebraic, uniform
from rlct.engine.resolution.family import (
    Family,
    is_unit,
    local_terms,
    strip_monomial,
    substitute_fraction,
)
from rlct.engine.resolution.function_field import coefficient
from rlct.engine.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial

__all__ = ["change_coordinate", "family_complexity", "repeated_on_planes", "straighten_factor"]


def change_coordinate(family: Family, i: int, a: Polynomial, r: Polynomial) -> Step:
    """The bounds are those of the generators with the coordinate a·x_i + r in place of x_i.

    If a is a unit and r is 0 where the locals vanish, neither involves x_i, and x_i has no prior
    (``theory/blowups.md``, Coordinates).  Generators are multiplied by powers of a.
    """
    numerator = family.ring.gens[i] - r
    child = family.with_generators(
        substitute_fraction(g, i, numerator, a) for g in family.generators
    )
    data = {"variable": i, "scale": encode_polynomial(a), "shift": encode_polynomial(r)}
    return Step("coordinate", (child,), same_bounds, data)


def straighten_factor(family: Family) -> Step | None:
    """A factor a·x_i + r of a generator as coordinate, if fewer generators keep several terms."""
    several_before, _ = family_complexity(family)
    for i, a, r in islice(_candidates(family), limits.MOST_COORDINATE_CANDIDATES):
        step = change_coordinate(family, i, a, r)
        (child,) = step.children
        assert isinstance(child, Family)
        if sum(map(len, child.generators)) > limits.MOST_CHANGED_TERMS:
            continue
        simpler = uniform.simplify_family(child)
        several_after, _ = family_complexity(child if simpler is None else simpler.children[0])
        if several_after < several_before:
            return step
    return None


def family_complexity(family: object) -> tuple[int, int]:
    """Number of generators that have several terms in the locals, and of all terms."""
    assert isinstance(family, Family)
    counts = [len(local_terms(g, len(family.prior))) for g in family.generators]
    return sum(n > 1 for n in counts), sum(map(len, family.generators))


def _candidates(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors a·x_i + r of generators, the shortest first."""
    d = len(family.prior)
    linear_factors = []
    for g in family.generators:
        _, quotient = strip_monomial(g, d)
        if len(quotient) < 2 or len(quotient) > limits.MOST_COORDINATE_TERMS:
            continue
        for f, _ in content_and_factors(quotient)[1]:
            terms = local_terms(f, d)
            if len(terms) < 2 or (0,) * d in terms:
                continue
            for i in range(d):
                unit = tuple(int(k == i) for k in range(d))
                if unit not in terms or family.prior[i] or not is_unit(terms[unit], family.units):
                    continue
                if max(m[i] for m in terms) > 1:
                    continue
                a = coefficient(f, i, 1)
                r = coefficient(f, i, 0)
                linear_factors.append((len(a) + len(r), i, a, r))
    linear_factors.sort(key=lambda item: item[0])
    return ((i, a, r) for _, i, a, r in linear_factors)


def repeated_on_planes(family: Family, g: Polynomial) -> list[Polynomial]:
    """Repeated factors of the restrictions of g to coordinate hyperplanes."""
    repeated_factors: list[Polynomial] = []
    for k in range(len(family.prior)):
        on_plane = g.ring.from_dict({m: c for m, c in g.terms() if not m[k]})
        if not 2 < len(on_plane) < len(g):
            continue
        factors = [f for f, m in content_and_factors(on_plane)[1] if m > 1]
        if not factors and family.relations:
            factors = algebraic.repeated_factors(family, on_plane)
        repeated_factors += [f for f in factors if f not in repeated_factors]
    return repeated_factors
