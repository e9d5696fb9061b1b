"""Zeros of the initial forms of a face in the real torus: none, smooth ones, or unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from rlct.certificate.encode import encode_polynomial
from rlct.newton.cofactors import monomial_cofactors
from rlct.newton.lattice import primitive_lattice_basis
from rlct.newton.polyhedron import Face
from rlct.polynomial import Polynomial, Terms, degree, from_terms, make_ring, to_fraction

__all__ = ["FaceZeros", "face_zeros", "initial_form"]

_LARGEST_EDGE = 300  # degree of an edge polynomial whose roots are counted
_TRIES = 300


@dataclass(frozen=True)
class FaceZeros:
    """Common zeros of the initial forms of a face in (R∖0)^d.

    Parameters
    ----------
    face : Face
    rank : int or None
        None: there are no zeros.  s ≥ 1: at every zero the differentials of the initial
        forms have rank at least s.
    exist : bool or None
        Whether zeros exist, None if not known.
    evidence : mapping
        For the certificate.
    roots : tuple of Fraction
        On an edge, the zeros that are left out of `rank` and `exist`, in the coordinate
        t = x^direction: blow-ups have to look at them.
    direction : tuple of int
        Primitive vector along an edge that has `roots`.
    """

    face: Face
    rank: int | None
    exist: bool | None
    evidence: dict[str, Any] = field(default_factory=dict)
    roots: tuple[Fraction, ...] = ()
    direction: tuple[int, ...] = ()


def initial_form(terms: Terms, weight: Sequence[int], least: int) -> Terms:
    """Terms of weighted order `least`."""
    return {
        m: c
        for m, c in terms.items()
        if sum(w * e for w, e in zip(weight, m, strict=True)) == least
    }


def face_zeros(generators: Sequence[Terms], face: Face) -> FaceZeros | None:
    """Decide what the initial forms of a compact face do on the real torus.

    Parameters
    ----------
    generators : sequence of Terms
        Generators of the ideal whose Newton polyhedron has the face.
    face : Face

    Returns
    -------
    FaceZeros or None
        None if undecided, or if a zero is known to be singular.

    Notes
    -----
    Edges are decided over R by counting real roots.  Larger faces are decided by signs, or
    over C by a polynomial identity; that is sufficient, not necessary.
    """
    least = min(
        sum(w * e for w, e in zip(face.weight, m, strict=True)) for g in generators for m in g
    )
    forms = [form for g in generators if (form := initial_form(g, face.weight, least))]
    if any(len(form) == 1 or _one_signed(form) for form in forms):
        return FaceZeros(face, None, False)
    exponents = sorted(set().union(*forms))
    origin = exponents[0]
    differences = [[a - b for a, b in zip(m, origin, strict=True)] for m in exponents]
    basis, coordinates = primitive_lattice_basis(differences)
    where = {m: tuple(c) for m, c in zip(exponents, coordinates, strict=True)}
    reduced = [_shifted({where[m]: c for m, c in form.items()}) for form in forms]
    if face.dimension == 1:
        found = _edge(face, reduced, principal=len(generators) == 1)
        return found and replace(found, direction=tuple(basis[0]))
    evidence = {"weight": list(face.weight), "basis": basis, "coordinates": coordinates}
    ring = make_ring([f"t{j}" for j in range(face.dimension)])
    polynomials = [from_terms(ring, form) for form in reduced]
    if len(polynomials) > 1:
        cofactors = monomial_cofactors(polynomials)
        if cofactors is not None:
            evidence["cofactors"] = [encode_polynomial(c) for c in cofactors]
            return FaceZeros(face, None, False, evidence)
    jacobian = [[x * p.diff(x) for x in ring.gens] for p in polynomials]
    for rank in range(min(len(polynomials), face.dimension), 0, -1):
        cofactors = monomial_cofactors(polynomials + minors(jacobian, rank))
        if cofactors is None:
            continue
        evidence |= {"cofactors": [encode_polynomial(c) for c in cofactors], "rank": rank}
        points = _sign_change(forms[0]) if len(generators) == 1 else None
        if points is not None:
            evidence["signs"] = [[str(v) for v in point] for point in points]
        return FaceZeros(face, rank, None if points is None else True, evidence)
    return None


def minors(matrix: Sequence[Sequence[Polynomial]], size: int) -> list[Polynomial]:
    """All determinants of square submatrices of a size, rows then columns increasing."""
    return [
        _determinant([[matrix[i][j] for j in columns] for i in rows])
        for rows in combinations(range(len(matrix)), size)
        for columns in combinations(range(len(matrix[0])), size)
    ]


def _determinant(matrix: list[list[Polynomial]]) -> Polynomial:
    """Expand along the first row; the matrices are small."""
    if len(matrix) == 1:
        return matrix[0][0]
    total = matrix[0][0].ring.zero
    for j, entry in enumerate(matrix[0]):
        rest = [[*row[:j], *row[j + 1 :]] for row in matrix[1:]]
        total += (-1) ** j * entry * _determinant(rest)
    return total


def _one_signed(form: Terms) -> bool:
    """Whether all terms have the same sign on every orthant, so that none vanishes there."""
    (first, c), *others = form.items()
    return all(
        d * c > 0 and all((a - b) % 2 == 0 for a, b in zip(first, m, strict=True))
        for m, d in others
    )


def _shifted(terms: Terms) -> Terms:
    """Multiply by a monomial that makes every exponent least possible and not negative."""
    least = [min(column) for column in zip(*terms, strict=True)]
    return {tuple(e - a for e, a in zip(m, least, strict=True)): c for m, c in terms.items()}


def _edge(face: Face, forms: Sequence[Terms], *, principal: bool) -> FaceZeros | None:
    """Count real roots: t = x^u takes every non-zero value, u being primitive.

    Singular zeros are set aside if they are rational.  With several generators smooth zeros
    are too: there the ideal need not be that of a coordinate.
    """
    if max(m[0] for form in forms for m in form) > _LARGEST_EDGE:
        return None
    ring = make_ring(["t"])
    (t,) = ring.gens
    polynomials = [from_terms(ring, form) for form in forms]
    common = gcd_of(polynomials)
    roots: list[Fraction] = []
    aside = gcd_of([common, *(p.diff(t) for p in polynomials)]) if principal else common
    if _real_roots(aside):
        for factor, _ in aside.factor_list()[1]:
            if degree(factor) == 1 and factor.get((0,), 0):
                roots.append(-to_fraction(factor.get((0,))) / to_fraction(factor.LC))
            elif _real_roots(factor):
                return _smooth_edge(face, polynomials, common)
    for root in roots:
        linear = t - ring.domain(root.numerator, root.denominator)
        while not common.rem(linear):
            common = common.exquo(linear)
    evidence = {"weight": list(face.weight)}
    if not _real_roots(common):
        return FaceZeros(face, None, False, evidence if roots else {}, tuple(roots))
    return FaceZeros(face, 1, True, {**evidence, "rank": 1}, tuple(roots))


def _smooth_edge(
    face: Face, polynomials: Sequence[Polynomial], common: Polynomial
) -> FaceZeros | None:
    """Several generators with irrational zeros: all is well if the zeros are smooth."""
    (t,) = common.ring.gens
    if _real_roots(gcd_of([common, *(p.diff(t) for p in polynomials)])):
        return None
    return FaceZeros(face, 1, True, {"weight": list(face.weight), "rank": 1})


def gcd_of(polynomials: Sequence[Polynomial]) -> Polynomial:
    """Greatest common divisor of several polynomials of one ring."""
    common = polynomials[0].ring.zero
    for p in polynomials:
        common = common.gcd(p)
    return common


def _real_roots(p: Any) -> int:
    """Number of distinct real roots other than 0."""
    if p.is_ground:
        return 0
    dense = _dense(p)
    return int(dense.count_roots()) - (1 if dense.eval(0) == 0 else 0)


def _dense(p: Any) -> Any:
    import sympy

    return sympy.Poly(p.as_expr(), sympy.Symbol("t"), domain="QQ")


def _sign_change(form: Terms) -> list[list[Fraction]] | None:
    """Two points of one orthant where the form has opposite signs: it vanishes in between."""
    rng = np.random.default_rng(0)
    d = len(next(iter(form)))
    for _ in range(8):
        signs = rng.choice([1, -1], size=d).tolist()
        seen: dict[bool, list[Fraction]] = {}
        for _ in range(_TRIES // 8):
            exponents = rng.integers(-4, 5, size=d).tolist()
            point = [s * Fraction(2) ** e for s, e in zip(signs, exponents, strict=True)]
            value = evaluate(form, point)
            if value:
                seen[value > 0] = point
            if len(seen) == 2:
                return [seen[True], seen[False]]
    return None


def evaluate(form: Terms, point: Sequence[Fraction]) -> Fraction:
    """Exact value at a rational point."""
    total = Fraction(0)
    for m, c in form.items():
        for p, e in zip(point, m, strict=True):
            c *= p**e
        total += c
    return total
