"""Zeros of the initial forms of a face in the real torus: none, smooth ones, or unknown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, product
from math import prod
from operator import mul
from typing import Any, TypeVar

import numpy as np

from rlct.algebra.polynomial import Polynomial, Terms, from_terms, make_ring, value_at
from rlct.newton.cofactors import monomial_cofactors
from rlct.newton.edges import edge_order
from rlct.newton.lattice import primitive_lattice_basis
from rlct.newton.polyhedron import Face
from rlct.proof.encode import encode_polynomial

_HIGHEST_ORDER = 6  # of the derivatives that are tried on larger faces
_SIGN_POINTS = 300  # points where signs are compared, in eight orthants together
C = TypeVar("C")
Exponent = tuple[int, ...]


@dataclass(frozen=True)
class FaceZeros:
    """Common zeros of the initial forms of a face in (R∖0)^d."""

    face: Face
    #: None: there are no zeros.  s/2: at every zero the differentials of the initial forms have
    #: rank at least s.  1/(2k): at every zero some form has a derivative of order at most k that is
    #: not 0.
    threshold: Fraction | None
    #: Whether zeros exist where the threshold is that of smooth zeros, None if not known.
    exist: bool | None
    #: For the certificate.
    evidence: dict[str, Any] = field(default_factory=dict)


def initial_forms(
    generators: Sequence[Mapping[Exponent, C]], weight: Sequence[int]
) -> list[dict[Exponent, C]]:
    """Terms of least weighted order among all, of the generators that have some."""
    least = min(sum(map(mul, weight, m)) for g in generators for m in g)
    forms = ({m: c for m, c in g.items() if sum(map(mul, weight, m)) == least} for g in generators)
    return [form for form in forms if form]


def torus_coordinates(
    forms: Sequence[Mapping[Exponent, Any]],
) -> tuple[list[list[int]], dict[Exponent, Exponent]]:
    """A basis of the lattice of a face, and the coordinates of its exponents from the first."""
    exponents = sorted(set().union(*forms))
    differences = [[a - b for a, b in zip(m, exponents[0], strict=True)] for m in exponents]
    basis, coordinates = primitive_lattice_basis(differences)
    return basis, {m: tuple(c) for m, c in zip(exponents, coordinates, strict=True)}


def face_zeros(generators: Sequence[Terms], face: Face) -> FaceZeros | None:
    """Decide what the initial forms of a compact face do on the real torus.

    The face is of the Newton polyhedron of the ideal of the generators.  None if undecided.

    Edges are decided over R by counting real roots.  Larger faces are decided by signs, or
    over C by a polynomial identity; that is sufficient, not necessary.
    """
    forms = initial_forms(generators, face.weight)
    if any(has_one_sign(form) for form in forms):
        return FaceZeros(face, None, False)
    basis, where = torus_coordinates(forms)
    reduced_forms = [_shifted({where[m]: c for m, c in form.items()}) for form in forms]
    if face.dimension == 1:
        order = edge_order(reduced_forms)
        return None if order is None else zeros_on_edge(face, order)
    coordinates = [list(c) for c in where.values()]
    evidence = {"weight": list(face.weight), "basis": basis, "coordinates": coordinates}
    ring = make_ring([f"t{j}" for j in range(face.dimension)])
    polynomials = [from_terms(ring, form) for form in reduced_forms]
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
        points = sign_change(forms[0]) if len(generators) == 1 else None
        if points is not None:
            evidence["signs"] = [[str(v) for v in point] for point in points]
        return FaceZeros(face, Fraction(rank, 2), None if points is None else True, evidence)
    for k in range(2, _HIGHEST_ORDER + 1):
        cofactors = monomial_cofactors(derivatives_up_to(polynomials, k))
        if cofactors is not None:
            evidence |= {"cofactors": [encode_polynomial(c) for c in cofactors], "order": k}
            return FaceZeros(face, Fraction(1, 2 * k), None, evidence)
    return None


def zeros_on_edge(face: Face, k: int) -> FaceZeros:
    """State what was found on an edge; a zero of order one is smooth."""
    if not k:
        return FaceZeros(face, None, False)
    evidence = {"weight": list(face.weight), "rank" if k == 1 else "order": k}
    return FaceZeros(face, Fraction(1, 2 * k), True if k == 1 else None, evidence)


def derivatives_up_to(polynomials: Sequence[Polynomial], order: int) -> list[Polynomial]:
    """Polynomials and their derivatives by t_j ∂/∂t_j up to an order, each operator once."""
    ring = polynomials[0].ring
    result = []
    for p in polynomials:
        for a in product(range(order + 1), repeat=ring.ngens):
            if sum(a) <= order:
                factors = {m: prod(e**k for e, k in zip(m, a, strict=True)) for m in p.itermonoms()}
                result.append(ring.from_dict({m: c * factors[m] for m, c in p.terms()}))
    return result


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


def has_one_sign(form: Terms) -> bool:
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


def sign_change(form: Mapping[tuple[int, ...], Any]) -> list[list[Fraction]] | None:
    """Two points of one orthant where the form has opposite signs: it vanishes in between."""
    rng = np.random.default_rng(0)
    d = len(next(iter(form)))
    for _ in range(8):
        signs = rng.choice([1, -1], size=d).tolist()
        seen: dict[bool, list[Fraction]] = {}
        for _ in range(_SIGN_POINTS // 8):
            exponents = rng.integers(-4, 5, size=d).tolist()
            point = [s * Fraction(2) ** e for s, e in zip(signs, exponents, strict=True)]
            value = value_at(dict(form), point)
            if value:
                seen[value > 0] = point
            if len(seen) == 2:
                return [seen[True], seen[False]]
    return None
