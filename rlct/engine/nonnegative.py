"""What a proof says about K ≥ 0, which the question presumes."""

from fractions import Fraction

from rlct.errors import NegativeError
from rlct.proof.tree import Proof
from rlct.questions.problem import Problem, signed_terms

GENERATORS_HINT = "if K is a sum of squares, its generators, given to rlct ideal, may tell more"
"""Note for a K typed in expanded form that stays with bounds."""

_ASSUMED_SIGN = "K ≥ 0 near the point was not proved; the answer is that of |K|"


def nonnegativity_notes(problem: Problem, proof: Proof) -> tuple[str, ...]:
    """Read from a proof, or the squares of the text, whether K ≥ 0 near the point.

    Empty if K ≥ 0 is proved, else what is assumed, and what may help where λ is open.
    NegativeError if the proof shows that K is negative somewhere near the point.
    """
    # The engine may close all terms even without the squares that the text shows.
    if problem.is_ideal or problem.squares is not None or _squares(proof):
        return ()
    negative = _changes_sign(proof)
    if not negative and _vanishes_nowhere(proof):
        # Then K has the sign of any vertex of its Newton polyhedron in each orthant.
        (K,) = problem.local.generators
        exponents, coefficient = min(signed_terms(K, problem.field).items())
        if coefficient > 0 and not any(e % 2 for e in exponents):
            return ()
        negative = True
    if negative:
        raise NegativeError(
            f"K is negative at points as close as you like to the one asked for "
            f"({problem.where}): λ needs K ≥ 0"
        )
    return (_ASSUMED_SIGN,) if proof.exact else (_ASSUMED_SIGN, GENERATORS_HINT)


def _squares(proof: Proof) -> bool:
    """Whether K is a sum of squares, or a product of such with a unit that is positive."""
    if proof.rule == "product":
        return _positive_unit(proof) and all(_squares(child) for child in proof.children)
    if proof.rule == "modulus" and proof.children[0].rule == "arrangement":
        (child,) = proof.children
        even = all(not q["degree"] * q["exponent"] % 2 for q in child.data["factors"])
        return even and "field" not in child.data and _positive_unit(child)
    if proof.rule == "enclose":
        return any(map(_squares, proof.children))
    return proof.rule == "squares"


def _positive_unit(proof: Proof) -> bool:
    """Whether the unit of a product is positive at the point; not known over a field."""
    return any(not any(m) and isinstance(c, str) and Fraction(c) > 0 for c, m in proof.data["unit"])


def _vanishes_nowhere(proof: Proof) -> bool:
    """Whether K ≠ 0 near the point wherever all coordinates are non-zero."""
    if proof.rule in ("modulus", "positive", "simplify", "power", "product"):
        return all(_vanishes_nowhere(child) for child in proof.children)
    if proof.rule == "newton":
        zeros = any("rank" in face or "order" in face for face in proof.data["faces"])
        return not proof.children and not zeros
    return proof.rule == "monomial"


def _changes_sign(proof: Proof) -> bool:
    """Whether some factor of K vanishes simply on a real hypersurface near the point."""
    if proof.rule in ("modulus", "simplify", "product", "inner", "linear", "enclose"):
        return any(_changes_sign(child) for child in proof.children)
    if proof.rule == "arrangement":
        return any(q["degree"] * q["exponent"] % 2 for q in proof.data["factors"])
    if proof.rule == "power":
        return proof.data["exponent"] % 2 == 1 and _changes_sign(proof.children[0])
    if proof.rule == "newton":
        # A larger face is known to have zeros only by its signs, an edge by its roots.
        return any(map(_changes_sign, proof.children)) or any(
            "rank" in face and ("signs" in face or "basis" not in face)
            for face in proof.data["faces"]
        )
    if proof.rule == "crossings":
        return any(exponent % 2 for _, exponent in proof.data["factors"])
    if proof.rule == "smooth-form":  # from λ = 1/2 on it has a real zero, which is simple
        return proof.lower.lam >= Fraction(1, 2)
    return proof.rule in ("smooth", "eliminate", "sign-change")
