"""Taking a generator, or a factor of one, as a coordinate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from rlct.algebra.polynomial import Polynomial, content_and_factors
from rlct.engine import limits
from rlct.engine.resolution import algebraic, uniform
from rlct.engine.resolution.family import Family, is_unit, local_terms, strip, substitute
from rlct.engine.resolution.function_field import coefficient
from rlct.engine.step import Step, same_bounds
from rlct.proof.encode import encode_polynomial

__all__ = ["change", "complexity", "repeated", "straighten"]


def change(family: Family, i: int, a: Polynomial, r: Polynomial) -> Step:
    """The new coordinate a·x_i + r in place of x_i; a(0) is a unit, r(0) = 0."""
    numerator = family.ring.gens[i] - r
    child = family.with_generators(substitute(g, i, numerator, a) for g in family.generators)
    data = {"variable": i, "scale": encode_polynomial(a), "shift": encode_polynomial(r)}
    return Step("coordinate", (child,), same_bounds, data)


def straighten(family: Family) -> Step | None:
    """A factor a·x_i + r of a generator as coordinate, if fewer generators keep several terms."""
    before, _ = complexity(family)
    for i, a, r in islice(_candidates(family), limits.MOST_COORDINATE_CANDIDATES):
        step = change(family, i, a, r)
        (child,) = step.children
        assert isinstance(child, Family)
        if sum(map(len, child.generators)) > limits.MOST_CHANGED_TERMS:
            continue
        simpler = uniform.simplify(child)
        after, _ = complexity(child if simpler is None else simpler.children[0])
        if after < before:
            return step
    return None


def complexity(family: object) -> tuple[int, int]:
    """Number of generators that have several terms in the locals, and of all terms."""
    assert isinstance(family, Family)
    counts = [len(local_terms(g, len(family.prior))) for g in family.generators]
    return sum(n > 1 for n in counts), sum(map(len, family.generators))


def _candidates(family: Family) -> Iterator[tuple[int, Polynomial, Polynomial]]:
    """Factors a·x_i + r of generators, the shortest first."""
    d = len(family.prior)
    found = []
    for g in family.generators:
        _, rest = strip(g, d)
        if len(rest) < 2 or len(rest) > limits.MOST_COORDINATE_TERMS:
            continue
        for f, _ in content_and_factors(rest)[1]:
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
                found.append((len(a) + len(r), i, a, r))
    found.sort(key=lambda item: item[0])
    return ((i, a, r) for _, i, a, r in found)


def repeated(family: Family, g: Polynomial) -> list[Polynomial]:
    """Repeated factors of the restrictions of g to coordinate hyperplanes."""
    found: list[Polynomial] = []
    for k in range(len(family.prior)):
        on_plane = g.ring.from_dict({m: c for m, c in g.terms() if not m[k]})
        if not 2 < len(on_plane) < len(g):
            continue
        factors = [f for f, m in content_and_factors(on_plane)[1] if m > 1]
        if not factors and family.relations:
            factors = algebraic.repeated_factors(family, on_plane)
        found += [f for f in factors if f not in found]
    return found
