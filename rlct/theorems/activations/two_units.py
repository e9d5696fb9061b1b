"""Two hidden units with any number of inputs and outputs: λ and θ of the zero function."""

from fractions import Fraction

from rlct.models.activations.tanh import TanhNetwork
from rlct.pair import Pair
from rlct.theorems.activations.three_layer import AT_ZERO, OUTPUTS_TO_PRIOR, heavy_tails
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import by_dimension
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    size_checks,
)
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    N, M, Q = arguments["inputs"], arguments["outputs"], arguments["step"]
    together = Fraction(2 * N + Q * (N - 1 + M), 2 * Q + 2)
    text = f"min({M}, {N}, (2·{N} + {Q}·({N} − 1 + {M}))/(2·{Q} + 2))"
    lam = step(f"λ = {text}", min(Fraction(M), Fraction(N), together))
    return Pair(lam, step("θ", 2 if M == N + 1 else 1))


THEOREM = Theorem(
    id="two-hidden-units",
    title="Two hidden units, any inputs and outputs",
    model="y = Σ_{h≤2} a_h σ(b_h·x) + Gaussian noise, N inputs, M outputs, true function 0",
    where=AT_ZERO,
    cites=("aoyagi2019 (λ; the multiplicity is derived on the theory page)",),
    parameters=(
        integer_parameter("inputs", "N, number of inputs"),
        *OUTPUTS_TO_PRIOR,
    ),
    hypotheses=size_checks("inputs", "outputs", "step"),
    value=_value,
    fallback=by_dimension("orders input_law", lambda a: 2 * (a["inputs"] + a["outputs"])),
    **model_links(TanhNetwork, fixed={"hidden": 2, "true_hidden": 0}),
    instances=(
        known_instance((1, 1, 2), "2/3", 1),
        known_instance((1, 2, 2), "1", 2),
        known_instance((2, 2, 1), "7/4", 1, by_simulation()),
        known_instance((2, 2, 2), "5/3", 1),
        known_instance((2, 3, 2), "2", 2),
        known_instance((2, 1, 2), "1", 1),
    ),
    counterexamples=(
        heavy_tails(2, {"inputs": 1}),
        Counterexample.against(
            "input_law",
            (2, 2, 2),
            ("1", 2),
            "a*b + c*d; e*b + f*d; a*b**3 + c*d**3; e*b**3 + f*d**3",
        ),
        Counterexample.against("orders", (1, 1, 1), "2/3", "a*b + c*d; a*b**3 + c*d**3"),
        Counterexample.against(
            "interior", (1, 1, 2), "1", "a*b + c*d; a*b**3 + c*d**3", prior="a**2*b**2*c**2*d**2"
        ),
    ),
)
