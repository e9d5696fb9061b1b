"""Hidden Markov models, upper bound."""

from fractions import Fraction

from rlct.models.latent_variables.hidden_markov import HiddenMarkov
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import at_most, bounded_instance, integer_parameter, positive_sizes
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    return (
        positive_sizes(arguments, "states"),
        Finding.of(
            "there are at least two symbols: with one, every model is true and K is 0",
            arguments["symbols"] >= 2,
            f"M = {arguments['symbols']}",
        ),
        at_most(arguments, "true_states", "states", least=1),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    K, M, true = arguments["states"], arguments["symbols"], arguments["true_states"]
    upper = step(f"λ ≤ {true}·({K} + {M} − 2)/2", Fraction(true * (K + M - 2), 2))
    lower = step(f"λ ≥ ({M} − 1)/2", Fraction(M - 1, 2))
    return TheoremBounds(
        "the first symbol; upper: spare states never entered", Pair(lower, 1), Pair(upper, 1)
    )


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At an emission probability 0: the distance to the first power."""
    if not only_open(arguments, "positive"):
        return None
    K, M, true = arguments["states"], arguments["symbols"], arguments["true_states"]
    count = step(f"λ ≤ {true}·({K} + {M} − 2)", true * (K + M - 2))
    return TheoremBounds(FIRST_POWER, upper=Pair(Fraction(count), 1))


def _question(arguments: Arguments) -> object | None:
    return HiddenMarkov(arguments["states"], arguments["symbols"], true=arguments["true_states"])


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, HiddenMarkov):
        return None
    return {"states": question.states, "symbols": question.symbols, "true_states": question.true}


THEOREM = Theorem(
    id="hidden-markov-bound",
    title="Hidden Markov model, bounds",
    model="sequences of M symbols from K hidden states, started in state 1; K₀ true states",
    where="minimum over all parameters of the true distribution",
    cites=("yamazaki2005 (bounds of this kind; proved on the theory page)",),
    parameters=(
        integer_parameter("states", "K, number of hidden states"),
        integer_parameter("symbols", "M, number of symbols"),
        integer_parameter("true_states", "K₀, number of states of the truth", default=1),
        Parameter.given(
            "positive",
            "no true emission probability is 0, so every sequence has positive probability",
            lower=BOUNDARY_TRUTH,
            fallback_text="λ ≤ K₀(K + M − 2)",
        ),
        Parameter.stated(
            "interior",
            "the prior is positive and continuous, up to transition probabilities 0, near the "
            "true parameter whose spare states are never entered",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    recognise=_recognise,
    kind="bound",
    instances=(
        bounded_instance((1, 2, 1), "1/2", "1/2", "1/2", by_simulation()),
        bounded_instance((2, 2, 1), "1/2", "1", ("1", 2)),
        bounded_instance((1, 3, 1), "1", "1", "1"),
        bounded_instance((5, 4, 3), "3/2", "21/2", None),
    ),
    counterexamples=(
        squared_prior((1, 2, 1), "interior", "b"),
        Counterexample.against("positive", (1, 2, 1), "1", "y", nonneg=("y",), prior="y"),
    ),
)
