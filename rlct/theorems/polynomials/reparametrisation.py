"""Theorem F.1 of Cullen et al.: submersions do not change λ."""

from fractions import Fraction

from rlct.algebra.exact_rank import matrix_rank
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import BOUNDED_PRIOR, by_dimension
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import joined_terms, step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    jacobian, powers = arguments["jacobian"], arguments["powers"]
    table = Finding.of(
        "jacobian is a table with a positive power for each row",
        bool(jacobian)
        and len({len(row) for row in jacobian}) == 1
        and len(jacobian) == len(powers)
        and min(powers, default=0) >= 1,
        f"{len(jacobian)} rows, {len(powers)} powers",
    )
    if table.truth is Truth.FALSE:
        return (table,)
    found, rows = matrix_rank(jacobian), len(jacobian)
    statement = "the derivative of the reparametrisation is onto"
    return table, Finding.of(statement, found == rows, f"rank {found} of {rows}")


def _value(arguments: Arguments) -> Pair:
    powers = arguments["powers"]
    lam = sum((Fraction(1, 2 * k) for k in powers), Fraction(0))
    return Pair(step(f"λ = {joined_terms(f'1/(2·{k})' for k in powers)}", lam), 1)


def _question(arguments: Arguments) -> object | None:
    rows = [
        "+".join(f"({value})*w{j}" for j, value in enumerate(row, start=1) if value)
        for row in arguments["jacobian"]
    ]
    generators = [f"({row})**{k}" for row, k in zip(rows, arguments["powers"], strict=True) if row]
    return pose_question(generators) if generators else None


THEOREM = Theorem(
    id="reparametrisation",
    title="Submersion onto a simpler model",
    model="K(w) = K̃(φ(w)) with φ onto to first order; here K̃ = Σ_i v_i^(2k_i) near 0",
    where="at w₀",
    cites=("cullen2026, theorem F.1 and corollary F.2",),
    parameters=(
        Parameter("jacobian", Kind.MATRIX, "derivative of φ at w₀, one row per coordinate of v"),
        Parameter("powers", Kind.INTEGERS, "k_i, one per coordinate of v"),
        Parameter.given(
            "factors",
            "K(w) = K̃(φ(w)) near w₀ with φ smooth",
            fallback_text="λ ≤ half the number of parameters",
        ),
        Parameter.stated(
            "prior_positive", "the prior on w is positive and continuous at w₀", lower=BOUNDED_PRIOR
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension("factors", lambda arguments: len(arguments["jacobian"][0])),
    question=_question,
    instances=(
        known_instance((((1, 1),), (1,)), "1/2", 1, by_simulation()),
        known_instance((((1, 1, 0), (0, 1, -1)), (2, 3)), "5/12", 1, by_simulation()),
        known_instance((((1, 2, 3), (0, 1, 1), (1, 0, 0)), (1, 1, 2)), "5/4", 1),
    ),
    counterexamples=(
        Counterexample.against("onto", (((1, 0), (0, 0)), (1, 1)), "3/4", "a; b**2"),
        Counterexample.against("factors", (((1,),), (1,)), "1/4", "w**2"),
        squared_prior((((1,),), (1,)), "prior_positive", "w"),
    ),
)
