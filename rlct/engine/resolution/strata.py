"""Splitting families: where a polynomial in the parameters vanishes, and where not."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rlct.algebra.division import quotient_if_whole
from rlct.algebra.polynomial import (
    Polynomial,
    content_and_factors,
    make_ring,
    support,
    total_degree,
)
from rlct.engine import limits
from rlct.engine.germs import monomials
from rlct.engine.germs.coordinate import change_coordinate
from rlct.engine.germs.family import (
    Family,
    in_variable_order,
    is_unit,
    non_units,
    substitute_fraction,
    vanishing_priors,
)
from rlct.engine.germs.function_field import bezout_identity, coefficient
from rlct.engine.germs.signed_squares import SignedSquares, signed_squares
from rlct.engine.resolution.witness import zero_on_line
from rlct.newton.cofactors import monomial_cofactors
from rlct.proof.encode import encode_polynomial
from rlct.proof.tree import Proof


class WantedError(Exception):
    """A polynomial in fixed parameters should be a unit, or zero, to go on."""

    def __init__(self, polynomial: Polynomial) -> None:
        super().__init__(str(polynomial))
        self.polynomial = polynomial


def with_fixed_parameters(family: Family) -> Family:
    """The same family with its free parameters fixed; their priors must be units."""
    return replace(family, free=(), earlier_splits=())


def involves_free(family: Family, g: Polynomial) -> bool:
    """Whether a polynomial involves a free parameter of the family."""
    d, m = len(family.prior), len(family.free)
    return any(d <= i < d + m for i in support(g))


def solve_for(
    family: Family, g: Polynomial
) -> tuple[int, Polynomial, Polynomial] | Polynomial | None:
    """Write g = a·t_j + b with a a unit and t_j free.

    (j, a, b), or a factor of some a that would have to be a unit, or None if g is linear in no free
    parameter whose prior allows it.
    """
    d, m = len(family.prior), len(family.free)
    wanted_unit = None
    best_solution = None
    for j in range(d, d + m):
        if not any(e[j] for e in g.itermonoms()) or max(e[j] for e in g.itermonoms()) > 1:
            continue
        a, b = coefficient(g, j, 1), coefficient(g, j, 0)
        if family.free[j - d] and b and not is_unit(b, family.units):
            continue
        if is_unit(a, family.units):
            if best_solution is None or len(a) + len(b) < best_solution[0]:
                best_solution = len(a) + len(b), (j, a, b)
        elif wanted_unit is None:
            wanted_unit = min(non_units(a, family.units), key=lambda f: (total_degree(f), len(f)))
    return wanted_unit if best_solution is None else best_solution[1]


def stratum(family: Family, j: int, a: Polynomial, b: Polynomial) -> Family:
    """Family on g = a·t_j + b = 0, with g as a local in place of t_j.

    If a is a unit, and t_j has no prior, b is a unit, or b = 0, so that g takes over the prior of
    t_j (``theory/blowups.md``, Strata).
    """
    d, names = len(family.prior), family.names
    moved_names = [*names[:d], names[j], *(n for k, n in enumerate(names) if k >= d and k != j)]
    prior = family.free[j - d] if not b else Fraction(0)
    as_local = Family(
        tuple(in_variable_order(family.generators, moved_names)),
        (*family.prior, prior),
        tuple(h for k, h in enumerate(family.free) if k != j - d),
        tuple(in_variable_order(family.units, moved_names)),
        relations=family.moved_relations(moved_names),
        uniform=family.uniform,
        field=family.field,
    )
    (scale,) = in_variable_order([a], moved_names)
    (shift,) = in_variable_order([b], moved_names)
    (child,) = change_coordinate(as_local, d, scale, shift).children
    assert isinstance(child, Family)
    return replace(child, units=_at_zero(as_local, d, scale, shift))


def _at_zero(
    family: Family, i: int, scale: Polynomial, shift: Polynomial
) -> tuple[Polynomial, ...]:
    """Units on the stratum: x_i = −shift/scale in each, split into irreducible factors."""
    unit_factors: list[Polynomial] = []
    for u in [*family.units, scale]:
        image = substitute_fraction(u, i, -shift, scale)
        for f, _ in content_and_factors(image)[1]:
            if f not in unit_factors:
                unit_factors.append(f)
    return tuple(unit_factors)


def always_inhabited(family: Family, child: Family) -> bool:
    """Whether a stratum has points for all values of the fixed parameters, as far as units show."""
    outer = tuple(u for u in family.units if not involves_free(family, u))
    for u in child.units:
        if not involves_free(child, u):
            (moved,) = in_variable_order([u], family.names)
            if not is_unit(moved, outer):
                return False
    return True


def no_zeros(family: Family, g: Polynomial) -> dict[str, Any] | None:
    """Evidence that g = 0 has no real points.

    If ±g = Σ c·h² with c > 0 and a number other than 0 among the h (``theory/blowups.md``, Strata).
    """
    for sign in (1, -1):
        squares = signed_squares(sign * g, family.field)
        if squares is not None:
            if not any(h.is_ground and h for _, h in squares):
                return None
            return {"sign": sign, "squares": _encoded(squares, family)}
    return None


def _encoded(squares: SignedSquares, family: Family) -> list[list[Any]]:
    """Coefficients as numbers of the field, and polynomials."""
    encoded_squares = []
    for c, h in squares:
        if h:
            ((number, _),) = encode_polynomial(family.ring.ground_new(c))
            encoded_squares.append([number, encode_polynomial(h)])
    return encoded_squares


def in_square(family: Family, g: Polynomial) -> tuple[dict[str, Any], list[Polynomial]] | None:
    """The points g = 0 satisfy h = 0 for each of several h.

    If ±g = Σ c·h² with c > 0 (``theory/blowups.md``, Strata).
    """
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
            if not any(i < d for i in support(f)) and quotient_if_whole(f, g) is None:
                for h in non_units(f, family.units):
                    if involves_free(family, h):
                        return h
    return None


def smooth_zeros(family: Family, g: Polynomial) -> Proof | None:
    """Where g = 0 the bounds are those of monomials in coordinates, of which g is one.

    If A·g + Σ B_k ∂g/∂t_k is a unit, so that dg ≠ 0 there; from above all generators also have to
    be such monomials, and g = 0 to have a point (``theory/blowups.md``, Strata).
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
        gcd_cofactors = _half_gcd(family, g, derivatives)
        return gcd_cofactors and [encode_polynomial(c) for c in gcd_cofactors]
    # A torus identity is enough where the parameters that it needs are units.
    small = make_ring([names[i] for i in used])
    torus_polynomials = [
        small.from_dict({tuple(e[i] for i in used): c for e, c in p.terms()})
        for p in [g, *derivatives]
    ]
    cofactors = monomial_cofactors(torus_polynomials)
    if cofactors is not None:
        big = list(in_variable_order(cofactors, names))
        total = sum((c * p for c, p in zip(big, [g, *derivatives], strict=True)), family.ring.zero)
        if is_unit(total, family.units):
            return [encode_polynomial(c) for c in big]
    gcd_cofactors = _half_gcd(family, g, derivatives)
    return gcd_cofactors and [encode_polynomial(c) for c in gcd_cofactors]


def _half_gcd(
    family: Family, g: Polynomial, derivatives: Sequence[Polynomial]
) -> list[Polynomial] | None:
    """A·g + B·∂_j g = a polynomial without t_j that is a unit, for some j."""
    d = len(family.prior)
    for k, derivative in enumerate(derivatives):
        if not derivative:
            continue
        combination = bezout_identity(g, derivative, d + k)
        if combination is not None and is_unit(combination[2], family.units):
            a, b, _ = combination
            zeros = [family.ring.zero] * len(derivatives)
            zeros[k] = b
            return [a, *zeros]
    return None
