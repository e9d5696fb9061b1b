"""Hidden Markov models, upper bound."""

from fractions import Fraction

from rlct.models.kit.table_rank import table_rank
from rlct.models.latent_variables.hidden_markov import HiddenMarkov
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, no_confirmation
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import at_most, bounded_instance, integer_parameter, positive_sizes
from rlct.theorems.working import step

_SIZE_NAMES = ("states", "symbols", "true_states", "length")
_RANK_ALONE = no_confirmation("too many terms to write out; the tests rank all words")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    return (
        positive_sizes(arguments, "states"),
        Finding.of(
            "there are at least two symbols: with one, every model is true and K is 0",
            arguments["symbols"] >= 2,
            f"M = {arguments['symbols']}",
        ),
        at_most(arguments, "true_states", "states", least=1),
        positive_sizes(arguments, "length", least=0),
    )


def _rank_ends(arguments: Arguments) -> tuple[int, tuple[int, str]]:
    """Rank of 2K₀ symbols, which determine all, at random true states; what no rank exceeds."""
    K, M, true, length = (arguments[name] for name in _SIZE_NAMES)
    rank_length, later, m = min(length, 2 * true), min(length - 1, 2 * K), min(K, M)
    rank = table_rank(HiddenMarkov(true, M, rank_length, true=true), (M,) * rank_length)
    return rank, min(
        (K * (K + M - 2), "all parameters"),
        (M - 1 + M**later - 1, "the first symbol and all later ones"),
        (m * (M - m) + m - 1 + m**later - 1, "the same in the span of emissions"),
    )


def _value(arguments: Arguments, *, is_generic: bool = True) -> TheoremBounds:
    K, M, true, length = (arguments[name] for name in _SIZE_NAMES)
    upper = step(f"λ ≤ {true}·({K} + {M} − 2)/2", Fraction(true * (K + M - 2), 2))
    lower = step(f"λ ≥ ({M} − 1)/2", Fraction(M - 1, 2))
    low_rule, rule = "the first symbol", "spare states never entered"
    if length and is_generic and arguments["positive"].held:
        rank, (most, why) = _rank_ends(arguments)
        if rank > M - 1:
            low_rule, lower = "rank of words", step(f"λ ≥ {rank}/2", Fraction(rank, 2))
        if (true == K or rank == most) and Fraction(most, 2) < upper:
            rule, upper = why, step(f"λ ≤ {most}/2", Fraction(most, 2))
    return TheoremBounds(f"{low_rule}; upper: {rule}", Pair(lower, 1), Pair(upper, 1))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Without ranks; at an emission probability 0: the distance to the first power."""
    if only_open(arguments, "generic"):
        return _value(arguments, is_generic=False)
    if not only_open(arguments, "positive"):
        return None
    K, M, true = arguments["states"], arguments["symbols"], arguments["true_states"]
    count = step(f"λ ≤ {true}·({K} + {M} − 2)", true * (K + M - 2))
    return TheoremBounds(FIRST_POWER, upper=Pair(Fraction(count), 1))


def _question(arguments: Arguments) -> object | None:
    K, M, true, length = (arguments[name] for name in _SIZE_NAMES)
    return HiddenMarkov(K, M, length or HiddenMarkov.length, true=true)


def _recognise(question: object) -> Arguments | None:
    if not isinstance(question, HiddenMarkov):
        return None
    sizes = (question.states, question.symbols, question.true, question.length)
    return dict(zip(_SIZE_NAMES, sizes, strict=True))


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
        integer_parameter("length", "T, length of the words; 0 if any, without ranks", default=0),
        Parameter.given(
            "positive",
            "no true emission probability is 0, so every sequence has positive probability",
            lower=BOUNDARY_TRUTH,
            fallback_text="λ ≤ K₀(K + M − 2)",
        ),
        Parameter.stated(
            "generic",
            "the true states are generic, if their length is given",
            fallback_text="(M − 1)/2 ≤ λ ≤ K₀(K + M − 2)/2",
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
    decided=lambda arguments: (
        {} if arguments["length"] and arguments["true_states"] > 1 else {"generic": "no rank"}
    ),
    kind="bound",
    instances=(
        bounded_instance((1, 2, 1), "1/2", "1/2", "1/2", by_simulation()),
        bounded_instance((2, 2, 1), "1/2", "1", ("1", 2)),
        bounded_instance((1, 3, 1), "1", "1", "1"),
        bounded_instance((5, 4, 3), "3/2", "21/2", None),
        bounded_instance((2, 2, 2, 3), "2", "2", "2"),
        bounded_instance((3, 3, 3, 3), "5", "5", "5", _RANK_ALONE, engine=False),
        bounded_instance((3, 2, 3, 4), "7/2", "4", None),
    ),
    counterexamples=(
        squared_prior((1, 2, 1), "interior", "b"),
        Counterexample.against("positive", (1, 2, 1), "1", "y", nonneg=("y",), prior="y"),
        Counterexample.against("generic", (2, 2, 2, 3), ("1", 2), "p; a*b"),
    ),
)
