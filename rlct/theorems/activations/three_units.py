"""Three hidden units with any number of inputs and outputs: λ and θ of the zero function."""

from fractions import Fraction

from rlct.models.activations.tanh import TanhNetwork
from rlct.pair import Pair
from rlct.theorems.activations.three_layer import AT_ZERO, OUTPUTS_TO_PRIOR, heavy_tails
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, no_confirmation
from rlct.theorems.kit.given import by_dimension
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    N = arguments["inputs"]
    return (
        Finding.of("inputs ≥ 2 (for one input see vandermonde)", N >= 2, f"inputs {N}"),
        positive_sizes(arguments, "outputs", "step"),
    )


def _value(arguments: Arguments) -> Pair:
    N, M, Q = arguments["inputs"], arguments["outputs"], arguments["step"]
    plane = Fraction(3 * N + Q * (N - 2 + 2 * M), 2 * (Q + 1))
    line = Fraction(3 * N + Q * (2 * N - 2 + M), 2 * (Q + 1))
    lam = min(Fraction(3 * M, 2), Fraction(3 * N, 2), plane, line)
    planes, lines = f"{N} − 2 + 2·{M}", f"2·{N} − 2 + {M}"
    below = f"(2·({Q} + 1))"
    step(
        f"λ = min(3·{M}/2, 3·{N}/2, (3·{N} + {Q}·({planes}))/{below}, "
        f"(3·{N} + {Q}·({lines}))/{below})",
        lam,
    )
    tie = M == N + 2 or (M == N - 1 and Q == 3)
    theta = (3 if Q == 1 else 2) if M == N else 1 + tie
    return Pair(lam, step("θ", theta))


_ONE_INPUT = tuple("+".join(f"a{h}*b{h}**{n}" for h in (1, 2, 3)) for n in (1, 3, 5))
_TOO_LARGE = no_confirmation(
    "the engine does not decide twelve and more weights of this kind within minutes, nor do "
    "samplers; the tests solve the linear programme of the theory page"
)

THEOREM = Theorem(
    id="three-hidden-units",
    title="Three hidden units, any inputs and outputs",
    model="y = Σ_{h≤3} a_h σ(b_h·x) + Gaussian noise, N ≥ 2 inputs, M outputs, true function 0",
    where=AT_ZERO,
    cites=("aoyagi2019 (λ, theorem 6; both numbers are derived on the theory page)",),
    parameters=(
        integer_parameter("inputs", "N, number of inputs, at least 2"),
        *OUTPUTS_TO_PRIOR,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=by_dimension("orders input_law", lambda a: 3 * (a["inputs"] + a["outputs"])),
    **model_links(
        TanhNetwork, fixed={"hidden": 3, "true_hidden": 0}, when=lambda model: model.inputs >= 2
    ),
    instances=(
        known_instance((4, 1, 2), "3/2", 1),
        known_instance((3, 1, 1), "3/2", 1),
        known_instance((2, 1, 1), "3/2", 1, by_simulation(), engine=False),
        known_instance((2, 2, 2), "7/3", 2, _TOO_LARGE, engine=False),
        known_instance((2, 2, 1), "5/2", 3, _TOO_LARGE, engine=False),
        known_instance((2, 3, 2), "8/3", 1, _TOO_LARGE, engine=False),
        known_instance((2, 4, 2), "3", 2, _TOO_LARGE, engine=False),
    ),
    counterexamples=(
        heavy_tails(3, {"inputs": 2, "step": 4}),
        Counterexample.against("input_law", (2, 1, 2), "5/6", _ONE_INPUT),
        Counterexample.against("orders", (2, 1, 2), "1", "a*b + c*d + e*f; a*g + c*h + e*k"),
        Counterexample.against("inputs ≥ 2", (1, 1, 2), "5/6", _ONE_INPUT),
        Counterexample.against(
            "interior",
            (5, 1, 2),
            TheoremBounds("first moments", lower=Pair.of("5/2")),
            confirmed=(no_confirmation("24 variables and bounds only"),),
        ),
    ),
)
