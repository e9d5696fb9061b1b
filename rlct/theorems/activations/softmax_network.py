"""Two-layer linear networks with a softmax output."""

from rlct.models.activations.softmax import SoftmaxNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import HEAVY_TAILS, INTERIOR_PARAMETERS, SECOND_MOMENT
from rlct.theorems.kit.priors import squared_product
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    C, r = arguments["classes"], arguments["rank"]
    smallest = min(arguments["inputs"], arguments["hidden"], C - 1)
    return (
        positive_sizes(arguments, "inputs", "hidden"),
        Finding.of("there are at least two classes", C >= 2, f"classes {C}"),
        Finding.of(
            "the rank is between 0 and the least of N, H and C − 1",
            0 <= r <= smallest,
            f"rank {r}, least {smallest}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    N, H, C = arguments["inputs"], arguments["hidden"], arguments["classes"]
    return reduced_rank_pair(N, H, C - 1, arguments["rank"])


THEOREM = Theorem(
    id="softmax-network",
    title="Two-layer linear network with softmax output",
    model="class probabilities softmax(B A x), N inputs, H hidden units, C classes",
    where="minimum over all parameters of the true class probabilities",
    cites=(
        "aoyagi2025 (softmax outputs lose one logit; proved on the theory page)",
        "aoyagi2005rrr",
    ),
    parameters=(
        integer_parameter("inputs", "N, number of inputs"),
        integer_parameter("hidden", "H, number of hidden units"),
        integer_parameter("classes", "C, number of classes"),
        integer_parameter("rank", "rank of the true differences of logits", default=0),
        SECOND_MOMENT,
        Parameter.given(
            "bounded", "the inputs have finite moments of order 2", fallback_text=HEAVY_TAILS
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    **model_links(SoftmaxNetwork),
    instances=(
        known_instance((1, 1, 2, 0), "1/2", 2),
        known_instance((3, 2, 3, 0), "2", 2),
        known_instance((2, 1, 3, 0), "1", 2, by_simulation()),
        known_instance((2, 2, 3, 1), "2", 2),
    ),
    counterexamples=(
        Counterexample.against("second_moment", (2, 1, 2, 0), ("1/2", 2), "a*b"),
        Counterexample.against("bounded", (1, 1, 2, 0), ("2/3", 2), "s**3*t**3", prior="s**3*t**3"),
        squared_product((1, 1, 2, 0), "interior", "a*b"),
    ),
)
