"""Linear concept bottleneck models."""

from fractions import Fraction

from rlct.models.linear_networks.concept_bottleneck import ConceptBottleneck
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, SECOND_MOMENT, only_open
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import recorded_steps, step


def _rank(arguments: Arguments) -> int:
    rank: int | None = arguments["rank"]
    return min(arguments["inputs"], arguments["concepts"]) if rank is None else rank


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    largest = min(arguments["inputs"], arguments["concepts"])
    return (
        positive_sizes(arguments, "inputs", "concepts", "outputs"),
        Finding.of(
            "the rank of the true A is between 0 and min(n, K)",
            0 <= _rank(arguments) <= largest,
            f"rank {_rank(arguments)}, min(n, K) = {largest}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    n, K, m = arguments["inputs"], arguments["concepts"], arguments["outputs"]
    r = step("rank A*", _rank(arguments))
    return Pair(step(f"λ = ({n}·{K} + {m}·{r})/2", Fraction(n * K + m * r, 2)), 1)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """The outputs alone: reduced-rank regression of whatever rank B*A* has."""
    if not only_open(arguments, "observed", "interior"):
        return None
    n, K, m = arguments["inputs"], arguments["concepts"], arguments["outputs"]
    with recorded_steps():  # one rank after the other is no derivation
        least = min(reduced_rank_pair(n, K, m, r) for r in range(min(n, K, m) + 1))
    return TheoremBounds("the outputs alone, any rank", lower=least)


THEOREM = Theorem(
    id="concept-bottleneck",
    title="Linear concept bottleneck model",
    model="y = B A x, observed concepts c = A x, Gaussian noise; n inputs, K concepts, m outputs",
    where="at every parameter of the truth",
    cites=("hayashi2023 (A* of rank K)",),
    parameters=(
        integer_parameter("inputs", "n, number of inputs"),
        integer_parameter("concepts", "K, number of concepts"),
        integer_parameter("outputs", "m, number of outputs"),
        integer_parameter("rank", "rank of the true A, min(n, K) by default", default=None),
        Parameter.stated("observed", "the concepts are observed", upper="outputs that show less"),
        SECOND_MOMENT,
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(ConceptBottleneck),
    instances=(
        known_instance((3, 2, 1), "4", 1),
        known_instance((1, 1, 1), "1", 1, by_simulation()),
        known_instance((2, 3, 1), "4", 1),
        known_instance((2, 2, 1, 1), "5/2", 1),
        known_instance((1, 1, 1, 0), "1/2", 1),
    ),
    counterexamples=(
        Counterexample.against("observed", (1, 1, 1), ("1/2", 2), "a*b"),
        Counterexample.against("second_moment", (2, 1, 1), "1", "a; b + a*b"),
        Counterexample.against("interior", (1, 1, 1), "2", "a; b + a*b", prior="a**2"),
    ),
)
