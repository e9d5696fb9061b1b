"""Splitting families: where a polynomial in the parameters vanishes, and where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.algebra.polynomial import (
    Polynomial,
    content_and_factors,
    make_ring,
    support,
    total_degree,
)
from rlct.engine import limits
from rlct.engine.field.signed_squares import Squares, signed_squares
from rlct.engine.reductions import monomials
from rlct.engine.resolution.coordinate import change
from rlct.engine.resolution.family import (
    Family,
    is_unit,
    non_units,
    reordered,
    substitute,
    vanishing_priors,
)
from rlct.engine.resolution.function_field import bezout, coefficient
from rlct.engine.resolution.witness import zero_on_line
from rlct.newton.cofactors import monomial_cofactors
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof

__all__ = ["WantedError", "fixed", "inhabited", "meets", "no_zeros", "smooth", "solve_for"]


class WantedError(Exception):
    """A polynomial in fixed parameters should be a unit, or zero, to go on."""

    def __init__(self, polynomial: Polynomial) -> None:
        super().__init__(str(polynomial))
        self.polynomial = polynomial


def fixed(family: Family) -> Family:
    """The same family with its free parameters fixed; their priors must be units."""
    return replace(family, free=(), seen=())


def meets(family: Family, g: Polynomial) -> bool:
    """Whether a polynomial involves a free parameter of the family."""
    d, m = len(family.prior), len(family.free)
    return any(d <= i < d + m for i in support(g))


def solve_for(
    family: Family, g: Polynomial
) -> tuple[int, Polynomial, Polynomial] | Polynomial | None:
    """Write g = a·t_j + b with a a unit and t_j free.

    Returns
    -------
    (j, a, b), or a factor of some a that would have to be a unit, or None if g is linear in no
    free parameter whose prior allows it.
    """
    d, m = len(family.prior), len(family.free)
    wanted = None
    best = None
    for j in range(d, d + m):
        if not any(e[j] for e in g.itermonoms()) or max(e[j] for e in g.itermonoms()) > 1:
            continue
        a, b = coefficient(g, j, 1), coefficient(g, j, 0)
        if family.free[j - d] and b and not is_unit(b, family.units):
            continue
        if is_unit(a, family.units):
            if best is None or len(a) + len(b) < best[0]:
                best = len(a) + len(b), (j, a, b)
        elif wanted is None:
            wanted = min(non_units(a, family.units), key=lambda f: (total_degree(f), len(f)))
    return wanted if best is None else best[1]


def stratum(family: Family, j: int, a: Polynomial, b: Polynomial) -> Family:
    """Family on a·t_j + b = 0; this polynomial is a new local in place of t_j."""
    d, names = len(family.prior), family.names
    moved = [*names[:d], names[j], *(n for k, n in enumerate(names) if k >= d and k != j)]
    prior = family.free[j - d] if not b else Fraction(0)
    as_local = Family(
        tuple(reordered(family.generators, moved)),
        (*family.prior, prior),
        tuple(h for k, h in enumerate(family.free) if k != j - d),
        tuple(reordered(family.units, moved)),
        relations=family.moved_relations(moved),
        uniform=family.uniform,
        field=family.field,
    )
    (scale,) = reordered([a], moved)
    (shift,) = reordered([b], moved)
    (child,) = change(as_local, d, scale, shift).children
    assert isinstance(child, Family)
    return replace(child, units=_at_zero(as_local, d, scale, shift))


def _at_zero(
    family: Family, i: int, scale: Polynomial, shift: Polynomial
) -> tuple[Polynomial, ...]:
    """Units on the stratum: x_i = −shift/scale in each, split into irreducible factors."""
    found: list[Polynomial] = []
    for u in [*family.units, scale]:
        image = substitute(u, i, -shift, scale)
        for f, _ in content_and_factors(image)[1]:
            if f not in found:
                found.append(f)
    return tuple(found)


def inhabited(family: Family, child: Family) -> bool:
    """Whether a stratum is known to have points for all values of the fixed parameters."""
    outer = [u for u in family.units if not meets(family, u)]
    for u in child.units:
        if not meets(child, u):
            (moved,) = reordered([u], family.names)
            if not is_unit(moved, outer):
                return False
    return True


def no_zeros(family: Family, g: Polynomial) -> dict[str, Any] | None:
    """Evidence that g has no real zeros: squares with a positive constant among them."""
    for sign in (1, -1):
        squares = signed_squares(sign * g, family.field)
        if squares is not None:
            if not any(h.is_ground and h for _, h in squares):
                return None
            return {"sign": sign, "squares": _encoded(squares, family)}
    return None


def _encoded(squares: Squares, family: Family) -> list[list[Any]]:
    """Coefficients as numbers of the field, and polynomials."""
    found = []
    for c, h in squares:
        if h:
            ((number, _),) = encode_polynomial(family.ring.ground_new(c))
            found.append([number, encode_polynomial(h)])
    return found


def in_square(family: Family, g: Polynomial) -> tuple[dict[str, Any], list[Polynomial]] | None:
    """Where a definite g vanishes, every one of its squares vanishes."""
    for sign in (1, -1):
        squares = signed_squares(sign * g, family.field)
        if squares is not None and len(squares) > 1:
            data = {"sign": sign, "squares": _encoded(squares, family)}
            return data, [h for _, h in squares if h]
    return None


def other_zeros(family: Family, g: Polynomial) -> Polynomial | None:
    """A factor of a generator, in the parameters only, that may vanish apart from g.

    It has to be decided before the generators are monomials in g and other coordinates.
    """
    d = len(family.prior)
    for generator in family.generators:
        if len(generator) > limits.MOST_STRATA_TERMS:
            continue
        for f, _ in content_and_factors(generator)[1]:
            if not any(i < d for i in support(f)) and f.rem(g):
                for h in non_units(f, family.units):
                    if meets(family, h):
                        return h
    return None


def smooth(family: Family, g: Polynomial) -> Proof | None:
    """Points g = 0 where g is a coordinate and generators are monomials in coordinates.

    The differential of g in the free parameters vanishes nowhere on g = 0, which an identity
    proves; then `monomials.of_family` gives a lower bound, and the pair if all generators are
    monomials and g = 0 has a point.
    """
    if vanishing_priors(family):
        return None
    proof = monomials.monomials_of_family(family, g)
    if proof is None:
        return None
    identity = _unit_identity(family, g)
    if identity is None:
        return None
    data: dict[str, Any] = {**proof.data, "cofactors": identity}
    upper = None
    if proof.upper is not None:
        line = zero_on_line(family, g)
        if line is not None:
            data["line"] = line
            upper = proof.upper
    return Proof("smooth-zeros", proof.lower, upper, data)


def _unit_identity(family: Family, g: Polynomial) -> list[Any] | None:
    """Cofactors of g and its derivatives by the free parameters that combine to a unit."""
    d, m = len(family.prior), len(family.free)
    derivatives = [g.diff(family.ring.gens[d + k]) for k in range(m)]
    for p in [g, *derivatives]:
        if p and is_unit(p, family.units):
            return [
                encode_polynomial(family.ring.one if q is p else family.ring.zero)
                for q in [g, *derivatives]
            ]
    names = family.names
    used = sorted(set().union(*(support(p) for p in [g, *derivatives])))
    if family.field is not None or any(i >= d + m for i in used):
        found = _half_gcd(family, g, derivatives)
        return found and [encode_polynomial(c) for c in found]
    # A torus identity is enough where the parameters that it needs are units.
    small = make_ring([names[i] for i in used])
    moved = [
        small.from_dict({tuple(e[i] for i in used): c for e, c in p.terms()})
        for p in [g, *derivatives]
    ]
    cofactors = monomial_cofactors(moved)
    if cofactors is not None:
        big = list(reordered(cofactors, names))
        total = sum((c * p for c, p in zip(big, [g, *derivatives], strict=True)), family.ring.zero)
        if is_unit(total, family.units):
            return [encode_polynomial(c) for c in big]
    found = _half_gcd(family, g, derivatives)
    return found and [encode_polynomial(c) for c in found]


def _half_gcd(
    family: Family, g: Polynomial, derivatives: Sequence[Polynomial]
) -> list[Polynomial] | None:
    """A·g + B·∂_j g = a polynomial without t_j that is a unit, for some j."""
    d = len(family.prior)
    for k, derivative in enumerate(derivatives):
        if not derivative:
            continue
        found = bezout(g, derivative, d + k)
        if found is not None and is_unit(found[2], family.units):
            a, b, _ = found
            zeros = [family.ring.zero] * len(derivatives)
            zeros[k] = b
            return [a, *zeros]
    return None
