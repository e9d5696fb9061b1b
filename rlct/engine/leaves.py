"""Leaves: germs whose pair is read off a polyhedron or a Jacobian matrix."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from rlct.certificate.encode import encode_numbers
from rlct.certificate.proof import Proof
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.newton.nondegeneracy import FaceZeros, face_zeros
from rlct.newton.polyhedron import TooManyFacesError, iter_compact_faces, principal_face
from rlct.pair import Pair
from rlct.polynomial import order, terms_of
from rlct.problem import Germ

__all__ = ["floor", "hull", "jacobian_rank", "monomial", "newton", "smooth"]

_MOST_FACES = 2_000
_LARGEST = 400  # terms of all generators together, for the list of faces


def monomial(germ: Germ) -> Proof | None:
    """Monomial ideals: a linear programme with an exact two-sided certificate."""
    if any(len(g) != 1 for g in germ.generators):
        return None
    exponents = [next(iter(g.itermonoms())) for g in germ.generators]
    optimum = monomial_optimum(exponents, germ.prior)
    data = _programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("monomial", optimum.pair, optimum.pair, data)


def _programme(optimum: MonomialOptimum, exponents: list[list[int]]) -> dict[str, Any]:
    """Optimal weights, and the multipliers with the exponents they belong to."""
    return {
        "weights": [encode_numbers(point) for point in optimum.points],
        "multipliers": [[exponents[i], str(y)] for i, y in sorted(optimum.multipliers.items())],
    }


def floor(germ: Germ) -> Pair:
    """Lower bound that needs no computation: the order of K, and the rank of its Hessian.

    K has order 2m along almost every line, so {K < t} meets each in length O(t^{1/2m});
    and K ≥ c·|z|² in s coordinates z.  Both with any prior bounded above, so h ≥ 0.
    """
    lowest = min(order(g) for g in germ.generators)
    bounds = [Pair(Fraction(1, 2 * lowest), 1)]
    rank = jacobian_rank(germ)
    if rank:
        bounds.append(Pair(Fraction(rank, 2), 1))
    return max(bounds)


def jacobian_rank(germ: Germ) -> int:
    """Rank of the linear parts of the generators."""
    return _rank(germ, range(germ.ring.ngens))


def _rank(germ: Germ, columns: Any) -> int:
    units = [tuple(int(i == j) for j in range(germ.ring.ngens)) for i in columns]
    rows = [[g.get(u, QQ.zero) for u in units] for g in germ.generators]
    if not any(any(row) for row in rows):
        return 0
    return int(DomainMatrix(rows, (len(rows), len(units)), QQ).rank())


def smooth(germ: Germ) -> Proof | None:
    """Generators with independent differentials are coordinates: λ = r/2, θ = 1.

    The differentials must stay independent without the variables of the prior, so that
    those remain coordinates beside the generators.
    """
    free = [i for i, h in enumerate(germ.prior) if h == 0]
    r = len(germ.generators)
    if r > len(free) or any(order(g) != 1 for g in germ.generators) or _rank(germ, free) < r:
        return None
    pair = Pair(Fraction(r, 2), 1)
    return Proof("smooth", pair, pair)


def hull(germ: Germ) -> Proof:
    """Bounds from the terms alone: K ≤ C·Σ (every term)², and `floor`."""
    exponents = sorted({m for g in germ.generators for m in g.itermonoms()})
    optimum = monomial_optimum(exponents, germ.prior)
    data = _programme(optimum, [list(map(int, e)) for e in exponents])
    return Proof("hull", floor(germ), optimum.pair, data)


def newton(germ: Germ) -> Proof | None:
    """Newton polyhedron of an ideal that is non-degenerate, or smooth, on every compact face.

    ``theory/newton.md`` states and proves the rule: with no torus zeros the value of the
    linear programme is exact; zeros where s initial forms have independent differentials
    add the candidate s/2, which is a pole if the generators are exactly those s coordinates.
    """
    generators = [terms_of(g) for g in germ.generators]
    if sum(map(len, generators)) > _LARGEST:
        return None
    exponents = sorted(set().union(*generators))
    single = {next(iter(g)) for g in generators if len(g) == 1}
    verdicts: list[FaceZeros] = []
    try:
        for face in iter_compact_faces(
            exponents,
            excluding=[i for i, m in enumerate(exponents) if m in single],
            limit=_MOST_FACES,
        ):
            if face.dimension:
                verdict = face_zeros(generators, face)
                if verdict is None:
                    return None
                verdicts.append(verdict)
    except TooManyFacesError:
        return None
    optimum = monomial_optimum(exponents, germ.prior)
    central = set(principal_face(exponents, optimum))
    lower, upper = _bounds(optimum.pair, verdicts, central, principal=len(generators) == 1)
    data = {
        **_programme(optimum, [list(m) for m in exponents]),
        "faces": [v.evidence for v in verdicts if v.evidence],
    }
    return Proof("newton", lower, upper, data)


def _bounds(
    toric: Pair, verdicts: list[FaceZeros], central: set[int], *, principal: bool
) -> tuple[Pair, Pair]:
    lower, upper = toric, toric
    for verdict in verdicts:
        if verdict.rank is None:
            continue
        candidate = Pair(Fraction(verdict.rank, 2), 1)
        if candidate.lam == toric.lam and central.issuperset(verdict.face.rows):
            # The strict transform crosses all the divisors that attain λ: one more factor.
            candidate = Pair(toric.lam, toric.theta + 1)
        lower = min(lower, candidate)
        if principal and verdict.exist:
            upper = min(upper, candidate)
    return lower, upper
