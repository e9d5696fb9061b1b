"""Newton polyhedron of an ideal in any number of variables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlct.algebra.polynomial import terms_of
from rlct.engine.newton_polyhedra.leaves import programme
from rlct.newton.linear_program import monomial_optimum
from rlct.newton.nondegeneracy import FaceZeros, face_zeros, has_one_sign
from rlct.newton.polyhedron import TooManyFacesError, iter_compact_faces, principal_face
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ

__all__ = ["apply", "bounds_of"]

_MOST_FACES = 2_000
_LARGEST = 400  # terms of all generators together, for the list of faces


def apply(germ: Germ, *, hurry: bool = False) -> Proof | None:
    """Newton polyhedron of an ideal whose compact faces are all decided.

    ``theory/newton.md`` states and proves the rule: with no torus zeros the value of the
    linear programme is exact; zeros where s initial forms have independent differentials
    add the candidate s/2, which is a pole if the generators are exactly those s coordinates;
    zeros of order at most k allow a pole at 1/(2k) or later.
    Two variables are left to `rlct.engine.plane_curves.plane_newton`, which looks at all zeros.  In
    a hurry, give up at the first face that rules out an exact answer.
    """
    generators = [terms_of(g) for g in germ.generators]
    if germ.ring.ngens == 2 or sum(map(len, generators)) > _LARGEST:
        return None
    exponents = sorted(set().union(*generators))
    optimum = monomial_optimum(exponents, germ.prior)
    enough = optimum.pair.lam if hurry and len(generators) > 1 else None
    verdicts = _verdicts(generators, exponents, enough)
    if verdicts is None:
        return None
    central = set(principal_face(exponents, optimum))
    bounds = bounds_of(optimum.pair, verdicts, central, principal=len(generators) == 1)
    data = {
        **programme(optimum, [list(m) for m in exponents]),
        "faces": [v.evidence for v in verdicts if v.evidence],
    }
    return Proof("newton", *bounds, data)


def _verdicts(
    generators: Sequence[dict[tuple[int, ...], Fraction]],
    exponents: list[tuple[int, ...]],
    enough: Fraction | None,
) -> list[FaceZeros] | None:
    """What the compact faces do; None if undecided, or if one has a threshold below `enough`."""
    positive = set().union(*(g for g in generators if has_one_sign(g)))
    banned = [i for i, m in enumerate(exponents) if m in positive]
    verdicts = []
    try:
        for face in iter_compact_faces(exponents, excluded_rows=banned, limit=_MOST_FACES):
            if face.dimension:
                verdict = face_zeros(generators, face)
                if verdict is None:
                    return None
                threshold = verdict.threshold
                if enough is not None and threshold is not None and threshold < enough:
                    return None
                verdicts.append(verdict)
    except TooManyFacesError:
        return None
    return verdicts


def bounds_of(
    toric: Pair, verdicts: list[FaceZeros], central: set[int], *, principal: bool
) -> tuple[Pair, Pair]:
    """Bounds from the value of the linear programme and what the faces do."""
    lower, upper = toric, toric
    for verdict in verdicts:
        if verdict.threshold is None:
            continue
        candidate = Pair(verdict.threshold, 1)
        if candidate.lam == toric.lam and central.issuperset(verdict.face.rows):
            # The strict transform crosses all the divisors that attain λ: one more factor.
            candidate = Pair(toric.lam, toric.theta + 1)
        lower = min(lower, candidate)
        if principal and verdict.exist:
            upper = min(upper, candidate)
    return lower, upper
