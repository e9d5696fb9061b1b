"""Latent Dirichlet allocation."""

from fractions import Fraction

from rlct.models.latent_variables.lda import TopicModel
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import FIRST_POWER, INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.linear_networks.reduced_rank_regression import reduced_rank_pair
from rlct.theorems.working import recorded_steps, step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    smallest_size = min(arguments["words"], arguments["topics"], arguments["documents"])
    true_topics = arguments["true_topics"]
    return (
        positive_sizes(arguments, "topics", "documents"),
        Finding.of(
            "there are at least two words", arguments["words"] >= 2, f"words {arguments['words']}"
        ),
        Finding.of(
            "the true topics are from 1 to the smallest size",
            1 <= true_topics <= smallest_size,
            f"true topics {true_topics}, smallest size {smallest_size}",
        ),
    )


def _value(arguments: Arguments) -> Pair:
    M, H, N = arguments["words"], arguments["topics"], arguments["documents"]
    first = Pair.of(f"{M - 1}/2")
    if min(H, N) == 1:
        step(f"λ = ({M} − 1)/2", first.lam)
        return first
    rest = reduced_rank_pair(N - 1, H - 1, M - 1, arguments["true_topics"] - 1)
    step(f"altogether λ = ({M} − 1)/2 + {rest.lam}", (first + rest).lam)
    return first + rest


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Factors of any sign for a truth of any rank; the number of parameters."""
    if not only_open(arguments, "factors", "interior"):
        return None
    M, H, N = arguments["words"], arguments["topics"], arguments["documents"]
    with recorded_steps():  # one rank after the other is no derivation
        least = min(_value({**arguments, "true_topics": k}) for k in range(1, min(M, H, N) + 1))
    lower = TheoremBounds("factors of any sign, any rank", lower=least)
    if not only_open(arguments, "factors"):
        return lower
    count = min(H, N) * (M - 1) + N * (H - 1)
    step(f"λ ≤ min({H}, {N})·({M} − 1) + {N}·({H} − 1)", count)
    return sharper_bounds(lower, TheoremBounds(FIRST_POWER, upper=Pair(Fraction(count), 1)))


THEOREM = Theorem(
    id="latent-dirichlet-allocation",
    title="Latent Dirichlet allocation",
    model="words of N documents from the columns of A B, A of M × H and B of H × N stochastic",
    where="minimum over all stochastic factors of the truth",
    cites=("hayashi2021",),
    parameters=(
        integer_parameter("words", "M, number of different words"),
        integer_parameter("topics", "H, number of topics"),
        integer_parameter("documents", "N, number of documents"),
        integer_parameter("true_topics", "H₀, topics of the truth", default=1),
        Parameter.given(
            "factors",
            "the truth is A*B* with positive stochastic factors of H₀ topics, and the differences "
            "of its columns have rank H₀ − 1",
            fallback_text="the least value over all H₀ ≤ λ ≤ min(H, N)·(M − 1) + N(H − 1)",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(TopicModel),
    instances=(
        known_instance((3, 2, 2, 1), "3/2", 1, by_simulation()),
        known_instance((3, 3, 2, 1), "2", 2),
        known_instance((3, 3, 3, 1), "5/2", 1),
        known_instance((3, 3, 3, 2), "3", 2),
        known_instance((2, 3, 1, 1), "1/2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "factors", (2, 2, 2, 2), "4", "p; q; x; y", nonneg=("p", "q", "x", "y"), prior="p*q*x*y"
        ),
        squared_prior((2, 1, 1), "interior", "a"),
    ),
)
