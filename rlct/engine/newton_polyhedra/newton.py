"""Newton polyhedron of an ideal in any number of variables."""

from collections.abc import Callable, Sequence

from rlct.algebra.polynomial import terms_of
from rlct.engine import limits
from rlct.engine.germs.leaves import LIN_THESIS, encode_programme
from rlct.engine.germs.rule import ProofSearch, RuleTrait, SignTrait, germ_rule
from rlct.newton.linear_program import MonomialOptimum, monomial_optimum
from rlct.newton.nondegeneracy import FaceZeros, face_zeros, has_one_sign
from rlct.newton.polyhedron import Face, TooManyFacesError, iter_compact_faces, principal_face
from rlct.pair import Pair
from rlct.proof.tree import Proof
from rlct.questions.problem import Germ


def newton_polyhedron(germ: Germ, *, stop_early: bool = False) -> Proof | None:
    """λ ≤ λ_N of the ideal of all terms, and λ ≥ the least of λ_N and s/2 or 1/(2k) at zeros.

    Condition: on every compact face the zeros of the initial forms in (R∖0)^n are decided.

    ``theory/newton.md`` states and proves the rule: with no torus zeros the value of the
    linear programme is exact; zeros where s initial forms have independent differentials
    add the candidate s/2, which is a pole if the generators are exactly those s coordinates;
    zeros of order at most k allow a pole at 1/(2k) or later.
    Two variables are left to `rlct.engine.plane_curves.plane_newton`, which looks at all zeros.
    With `stop_early`, give up at the first face that rules out an exact answer.
    """
    generators = [terms_of(g) for g in germ.generators]
    if germ.ring.ngens == 2 or sum(map(len, generators)) > limits.MOST_NEWTON_TERMS:
        return None
    exponents = sorted(set().union(*generators))
    optimum = monomial_optimum(exponents, germ.prior)
    least_threshold = optimum.pair.lam if stop_early and len(generators) > 1 else None
    positive = set().union(*(g for g in generators if has_one_sign(g)))

    def decide(face: Face) -> FaceZeros | None:
        verdict = face_zeros(generators, face)
        if verdict is None or verdict.threshold is None or least_threshold is None:
            return verdict
        return verdict if verdict.threshold >= least_threshold else None

    return proof_by_faces(germ, optimum, exponents, positive, limits.MOST_FACES, decide)


def proof_by_faces(
    germ: Germ,
    optimum: MonomialOptimum,
    exponents: list[tuple[int, ...]],
    positive: set[tuple[int, ...]],
    limit: int,
    decide: Callable[[Face], FaceZeros | None],
) -> Proof | None:
    """Bounds from what the compact faces without positive terms do; None if one is undecided."""
    banned = [i for i, m in enumerate(exponents) if m in positive]
    verdicts = []
    try:
        for face in iter_compact_faces(exponents, excluded_rows=banned, limit=limit):
            if face.dimension:
                verdict = decide(face)
                if verdict is None:
                    return None
                verdicts.append(verdict)
    except TooManyFacesError:
        return None
    central = set(principal_face(exponents, optimum))
    bounds = _bounds(optimum.pair, verdicts, central, principal=len(germ.generators) == 1)
    data = {
        **encode_programme(optimum, [list(m) for m in exponents]),
        "faces": [v.evidence for v in verdicts if v.evidence],
    }
    return Proof("newton", *bounds, data)


def _bounds(
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


@germ_rule("exact-newton", "smooth-form", RuleTrait.OUTERMOST)
def one_polyhedron(germ: Germ) -> Proof | None:
    """`newton_polyhedron` of one generator, the classical proof, where it is exact.

    Condition: three variables and more, one generator; ``theory/newton.md`` proves it.
    """
    if len(germ.generators) > 1 or germ.ring.ngens < 3:
        return None
    proof = newton_polyhedron(germ, stop_early=True)
    return proof if proof is not None and proof.exact else None


def _sign(step: Proof, below: Sequence[SignTrait]) -> SignTrait:
    faces = step.data["faces"]
    if not below and not any("rank" in face or "order" in face for face in faces):
        return SignTrait.NOWHERE_ZERO
    # A larger face is known to have zeros only by its signs, an edge by its roots.
    changes = any("rank" in face and ("signs" in face or "basis" not in face) for face in faces)
    return SignTrait.CHANGES if changes else SignTrait.OPEN


@germ_rule(
    "newton",
    "powers",
    RuleTrait.SEARCHES,
    sources=(
        "Varchenko, Newton polyhedra and estimation of oscillating integrals, FAA 10 (1976)",
        LIN_THESIS,
    ),
    sign=_sign,
    keeps=SignTrait.CHANGES,
)
def _newton(germ: Germ, search: ProofSearch) -> Proof | None:
    """`newton_polyhedron`, only as far as it may be exact where blow-ups follow."""
    return newton_polyhedron(germ, stop_early=search.blowups_follow)
