"""ReLU units without biases on one input, at the function 0."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.polynomial_question import pose_question
from rlct.theorems.kit.sizes import integer_parameter, known_instance, size_checks
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    H, p = arguments["units"], arguments["outputs"]
    lam = step(f"λ = min({H}, {p})/2", Fraction(min(H, p), 2))
    return Pair(lam, step("θ", 1 + (p == H)))


def _question(arguments: Arguments) -> object | None:
    """The orthant in which all units are active on the same side, which is the deepest."""
    H, p = arguments["units"], arguments["outputs"]
    if H * p > 1000:
        return None
    units = range(1, H + 1)
    texts = [" + ".join(f"v{k}_{j}*w{j}" for j in units) for k in range(1, p + 1)]
    return pose_question(texts, nonneg=[f"w{j}" for j in units])


THEOREM = Theorem(
    id="relu-zero",
    title="ReLU units without biases on one input, truth zero",
    model="y = Σ_j v_j ReLU(w_j x) + noise, one input of both signs, p outputs, H units, truth 0",
    where="minimum over all parameters of the function 0, reached where all are 0",
    cites=("aoyagi2005rrr (one side; proved on the theory page)",),
    parameters=(
        integer_parameter("units", "H, number of units"),
        integer_parameter("outputs", "p, number of outputs", default=1),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=size_checks("units", "outputs"),
    value=_value,
    question=_question,
    instances=(
        known_instance((1, 1), "1/2", 2, by_simulation()),
        known_instance((2, 1), "1/2", 1),
        known_instance((2, 2), "1", 2),
        known_instance((1, 3), "1/2", 1),
    ),
    counterexamples=(
        Counterexample.against("interior", (1,), "1/2", "v*w", prior="v**2", nonneg=("w",)),
    ),
)
