"""Squares of sums of powers of separate variables: cusps and their like."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE, by_dimension
from rlct.theorems.kit.polynomial_question import MOST_EXPONENTS, pose_question
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import joined_terms, step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    exponents, signs = arguments["exponents"], arguments["signs"]
    return (
        Finding.of(
            "there is a variable and every exponent is positive",
            min(exponents, default=0) >= 1,
            f"exponents {exponents}",
        ),
        Finding.of(
            "there is one sign per variable, 1 or -1",
            len(signs) == len(exponents) and set(signs) <= {1, -1},
            f"signs {signs}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    exponents, signs = arguments["exponents"], arguments["signs"]
    weights = [Fraction(1, a) for a in exponents]
    apex = Fraction(sum(weights, Fraction(0)), 2)
    step(f"the origin: ({joined_terms(weights)})/2", apex)
    vanishes_elsewhere = len(set(signs)) > 1 or any(a % 2 for a in exponents)
    if len(exponents) == 1 or not vanishes_elsewhere:
        return Pair(step(f"λ = {apex}", apex), 1)
    lam = step(f"λ = min({apex}, 1/2)", min(apex, Fraction(1, 2)))
    return Pair(lam, step("θ", 1 + (apex == lam == Fraction(1, 2))))


def _question(arguments: Arguments) -> object | None:
    pairs = zip(arguments["exponents"], arguments["signs"], strict=True)
    terms = (f"{'+' if s > 0 else '-'} x{j}**{a}" for j, (a, s) in enumerate(pairs, start=1))
    return pose_question([" ".join(terms)])


def _recognise(question: object) -> Arguments | None:
    germ = getattr(question, "germ", None)
    if germ is None:
        return None
    from rlct.questions.problem import signed_terms  # imports sympy

    local_germ = germ()
    if not local_germ.is_ideal or len(local_germ.generators) != 1 or any(local_germ.prior):
        return None
    terms = signed_terms(local_germ.generators[0], local_germ.field)
    if len(terms) * len(local_germ.prior) > MOST_EXPONENTS:
        return None
    least_powers: dict[int, tuple[int, int]] = {}
    for exponents, c in terms.items():
        seen = [j for j, e in enumerate(exponents) if e]
        if len(seen) == 1 and (
            seen[0] not in least_powers or exponents[seen[0]] < least_powers[seen[0]][0]
        ):
            least_powers[seen[0]] = (exponents[seen[0]], 1 if c > 0 else -1)
    powers = {
        tuple(a if i == j else 0 for i in range(len(local_germ.prior)))
        for j, (a, _) in least_powers.items()
    }
    for exponents in set(terms) - powers:
        # A variable without a power of its own weighs nothing.
        weight = sum(
            Fraction(e, least_powers[j][0]) for j, e in enumerate(exponents) if j in least_powers
        )
        if weight <= 1:
            return None
    if not least_powers:
        return None
    return {
        "exponents": tuple(least_powers[j][0] for j in sorted(least_powers)),
        "signs": tuple(least_powers[j][1] for j in sorted(least_powers)),
    }


THEOREM = Theorem(
    id="brieskorn-pham",
    title="Square of a sum of powers of separate variables (cusps)",
    model="K = f², f = Σ ±c_j x_j^(a_j) + terms of larger weight, x_j of weight 1/a_j, c_j > 0",
    where="at the origin",
    cites=("arnold1988, part II",),
    parameters=(
        Parameter("exponents", Kind.INTEGERS, "a, one per variable, all positive"),
        Parameter("signs", Kind.INTEGERS, "signs of the coefficients, 1 or -1"),
        Parameter.given(
            "larger",
            "all other terms of f have weights above 1",
            fallback_text="half the number of parameters",
        ),
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension("larger", lambda arguments: len(arguments["exponents"])),
    question=_question,
    recognise=_recognise,
    instances=(
        known_instance(((2, 3), (1, -1)), "5/12", 1, by_simulation()),
        known_instance(((2, 2), (1, -1)), "1/2", 2),
        known_instance(((2, 4), (1, 1)), "3/8", 1),
        known_instance(((2, 2, 2), (1, 1, -1)), "1/2", 1),
        known_instance(((3, 6, 4), (1, 1, -1)), "3/8", 1),
        known_instance(((4, 4, 2), (1, 1, -1)), "1/2", 2),
    ),
    counterexamples=(
        Counterexample.against("larger", ((2, 3), (1, -1)), ("1/2", 2), "x*y + x**2 - y**3"),
        Counterexample.against(
            "prior_positive", ((2, 3), (1, -1)), "1/2", "x**2 - y**3", prior="x**2"
        ),
    ),
)
