"""A quadratic form of the input times a vector, at the function 0."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import FEWER_INPUTS, INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.sizes import integer_parameter, known_instance, size_checks
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    d, p = arguments["inputs"], arguments["outputs"]
    forms = d * (d + 1) // 2
    lam = step(f"λ = min({d}·({d} + 1)/2, {p})/2", Fraction(min(forms, p), 2))
    return Pair(lam, step("θ", 1 + (forms == p)))


def _question(arguments: Arguments) -> object | None:
    d, p = arguments["inputs"], arguments["outputs"]
    if d * d * p > 1000:
        return None
    entries = [
        f"(q{i}_{j} + q{j}_{i})" if i < j else f"q{i}_{i}"
        for i in range(1, d + 1)
        for j in range(i, d + 1)
    ]
    return pose_question([f"{entry}*v{k}" for entry in entries for k in range(1, p + 1)])


THEOREM = Theorem(
    id="linear-attention",
    title="Quadratic form times a vector, truth zero",
    model="y = (xᵀQx)·v + noise, Q any d × d matrix, v in R^p, truth 0: one linear attention score",
    where="minimum over all parameters of the function 0, reached at Q = 0, v = 0",
    cites=("watanabe2009 (products in separate variables; proved on the theory page)",),
    parameters=(
        integer_parameter("inputs", "d, number of inputs"),
        integer_parameter("outputs", "p, number of outputs"),
        Parameter.given("forms", "the inputs determine every quadratic form", upper=FEWER_INPUTS),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=size_checks("inputs", "outputs"),
    value=_value,
    question=_question,
    instances=(
        known_instance((1, 1), "1/2", 2, by_simulation()),
        known_instance((2, 2), "1", 1, by_simulation()),
        known_instance((2, 3), "3/2", 2),
        known_instance((2, 5), "3/2", 1),
    ),
    counterexamples=(
        Counterexample.against("forms", (2, 3), "1/2", "q*u; q*v; q*w"),
        Counterexample.against("interior", (1, 1), "1/2", "q*v", prior="v**2"),
    ),
)
