"""Observed Markov chains of any memory."""

from fractions import Fraction

from rlct.models.latent_variables.markov import MarkovChain
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import known_instance, model_links
from rlct.theorems.working import joined_terms, step

_MODEL_FIELDS = ("symbols", "support", "concentration")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    k, support, alpha = (arguments[name] for name in _MODEL_FIELDS)
    return (
        Finding.of(
            "there are k ≥ 2 symbols, and 1 to k of them follow each context that occurs",
            k >= 2 and len(support) > 0 and all(1 <= p <= k for p in support),
            f"k = {k}, {len(support)} contexts",
        ),
        Finding.of("the concentration is positive", alpha > 0, f"α = {alpha}"),
    )


def _value(arguments: Arguments) -> Pair:
    k, support, alpha = (arguments[name] for name in _MODEL_FIELDS)
    lam = sum((Fraction(p - 1, 2) + alpha * (k - p) for p in support), Fraction(0))
    terms = (f"({p} − 1)/2 + {alpha}·({k} − {p})" for p in support)
    return Pair(step(f"λ = {joined_terms(terms)}", lam), 1)


THEOREM = Theorem(
    id="markov-chain",
    title="Observed Markov chain",
    model="words over k symbols from a Markov chain of any memory with a fixed start",
    where="at every parameter of the truth",
    cites=("anderson1957 (positive probabilities; zeros are proved on the theory page)",),
    parameters=(
        Parameter("symbols", Kind.INTEGER, "k, number of symbols"),
        Parameter(
            "support", Kind.INTEGERS, "p_i, number of symbols that follow each context that occurs"
        ),
        Parameter("concentration", Kind.FRACTION, "α of the Dirichlet priors", Fraction(1)),
        Parameter.given(
            "occur",
            "words are so long that every context of the truth occurs before the last symbol",
            upper="words that show less",
        ),
        Parameter.stated(
            "dirichlet",
            "the prior is a positive continuous multiple of Dirichlet(α)",
            lower="any bounded multiple",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    **model_links(MarkovChain),
    instances=(
        known_instance((2, (2, 2), 1), "1", 1),
        known_instance((2, (1, 2), 1), "3/2", 1, by_simulation()),
        known_instance((3, (3, 2, 1), 1), "9/2", 1),
        known_instance((2, (1, 1), Fraction(1, 2)), "1", 1),
        known_instance((2, (2, 2, 2, 2), 1), "2", 1),
    ),
    counterexamples=(
        Counterexample.against("occur", (2, (2, 2)), "1/2", "p"),
        squared_prior((2, (2,)), "dirichlet", "p"),
    ),
)
