"""What a proof says about K ≥ 0, which the question presumes."""

from rlct.engine.germs.rule import SignTrait
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
    from rlct.engine.rules import sign_of  # loads all of them

    if problem.is_ideal or problem.squares is not None:
        return ()
    # The engine may close all terms even without the squares that the text shows.
    sign = sign_of(proof)
    if SignTrait.NONNEGATIVE in sign:
        return ()
    negative = SignTrait.CHANGES in sign
    if not negative and SignTrait.NOWHERE_ZERO in sign:
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
