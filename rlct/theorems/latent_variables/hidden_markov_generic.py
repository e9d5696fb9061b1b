"""Hidden Markov models at a generic truth: as many coordinates as parameters, or fewer."""

from rlct.models.kit.table_rank import table_rank
from rlct.models.latent_variables.hidden_markov import HiddenMarkov
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, no_confirmation
from rlct.theorems.kit.general_truth import HiddenParts, rank_at
from rlct.theorems.kit.given import INTERIOR_PARAMETERS
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    at_most,
    integer_parameter,
    known_instance,
    model_links,
    model_of,
    positive_sizes,
)

_MANY_SYMBOLS = 64  # after which a table has more cells than any model has parameters
_RANK_ALONE = no_confirmation("the rank is that of all parameters")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    return (
        positive_sizes(arguments, "states", "length"),
        positive_sizes(arguments, "symbols", least=2),
        at_most(arguments, "true", "states", least=1),
    )


def _rank_reached(arguments: Arguments) -> int:
    """That of the first 2K₀ symbols, which determine all."""
    states = arguments["true"]
    length = min(arguments["length"], 2 * states)
    return table_rank(HiddenMarkov(states, arguments["symbols"], length, true=states))


def _largest(arguments: Arguments) -> tuple[int, str]:
    K, M = arguments["states"], arguments["symbols"]
    later, m = min(arguments["length"] - 1, _MANY_SYMBOLS), min(K, M)
    return min(
        (K * (K + M - 2), "parameters"),
        (M - 1 + M**later - 1, "the first symbol, and all later ones"),
        (m * (M - m) + m - 1 + m**later - 1, "the same in the span of emissions"),
    )


def _first_symbol(arguments: Arguments) -> tuple[int, str]:
    return arguments["symbols"] - 1, "the first symbol"


_TRUE_STATES = HiddenParts("states", _findings, _rank_reached, _largest, _first_symbol)

THEOREM = Theorem(
    id="hidden-markov-generic",
    title="Hidden Markov model at a generic truth",
    model="words of T of M symbols from K hidden states, started in state 1; K₀ are true",
    where="minimum over all parameters of a generic true distribution, which are all alike",
    cites=("watanabe2009 (regular coordinates; proved on the theory page)",),
    parameters=(
        integer_parameter("states", "K, number of hidden states"),
        integer_parameter("symbols", "M, number of symbols"),
        integer_parameter("length", "T, length of the words"),
        integer_parameter("true", "K₀, number of states of the truth"),
        Parameter.stated(
            "generic",
            "the true states are generic, with positive probabilities",
            fallback_text="(M − 1)/2 ≤ λ",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_TRUE_STATES.findings,
    value=_TRUE_STATES.value,
    fallback=_TRUE_STATES.fallback,
    **model_links(HiddenMarkov),
    rank=lambda arguments: rank_at(model_of(HiddenMarkov, arguments)),
    instances=(
        known_instance((1, 3, 2, 1), "1", 1, BY_RANK, _RANK_ALONE),
        known_instance((2, 2, 2, 2), "1", 1, BY_RANK, _RANK_ALONE, engine=False),
        known_instance((2, 2, 3, 2), "2", 1, BY_RANK, _RANK_ALONE, engine=False),
        known_instance((2, 3, 3, 2), "3", 1, BY_RANK, _RANK_ALONE, engine=False),
        known_instance((3, 3, 3, 3), "5", 1, _RANK_ALONE, engine=False),
        known_instance((4, 5, 4, 4), "14", 1, _RANK_ALONE, engine=False),
        known_instance((3, 2, 2, 2), "1", 1, BY_RANK, _RANK_ALONE, engine=False),
    ),
    counterexamples=(
        Counterexample.against("generic", (2, 2, 3, 2), ("1", 2), "p; a*b"),
        squared_prior((1, 2, 2, 1), "interior", "b"),
    ),
)
