"""Mixtures of Markov chains."""

from fractions import Fraction

from rlct.models.latent_variables.markov_mixture import MarkovMixture
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.mixture import (
    COMPONENT_COUNTS,
    DISTINCT_COMPONENTS,
    MIXTURE_MINIMUM,
    WEIGHT_CONCENTRATION,
    coinciding_components,
    mixture_findings,
    mixture_pair,
    one_component,
)
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    sizes = mixture_findings(arguments, "states", "transitions")
    k, T = arguments["states"], arguments["transitions"]
    sizes = (*sizes, Finding.of("there are at least two states", k >= 2, f"k = {k}"))
    if any(finding.truth is Truth.FALSE for finding in sizes):
        return sizes
    enough = 2 if arguments["components"] == 1 else (4 if k == 2 else 6) * arguments["true"]
    truth = Truth.FALSE if T == 1 else Truth.OPEN if enough > T else Truth.TRUE
    long = Finding(
        "words are long enough to tell all mixtures apart", truth, f"{T} transitions, {enough} are"
    )
    return (*sizes, long)


def _value(arguments: Arguments) -> Pair:
    H, r, k, alpha = (arguments[name] for name in ("components", "true", "states", "concentration"))
    return mixture_pair(H, r, k * (k - 1), alpha)


_ONE_COMPONENT = one_component(lambda arguments: arguments["states"] * (arguments["states"] - 1))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """Shorter words show no more: K only becomes smaller."""
    if arguments["positive"] is Truth.OPEN:
        return _at_zeros(arguments)
    long = all(finding.truth is Truth.TRUE for finding in _findings(arguments))
    if long or not only_open(arguments, "distinct"):
        return _ONE_COMPONENT(arguments) if long else None
    return TheoremBounds("longer words show more", upper=_value(arguments))


def _at_zeros(arguments: Arguments) -> TheoremBounds | None:
    """The first transition from below, for some contexts may never occur."""
    if not only_open(arguments, "positive", "distinct", "interior"):
        return None
    H, r, k, alpha = (arguments[name] for name in ("components", "true", "states", "concentration"))
    least = step(f"λ ≥ ({k} − 1)/2", Fraction(k - 1, 2))
    lower = TheoremBounds("the first transition", lower=Pair(least, 1))
    if not only_open(arguments, "positive", "distinct"):
        return lower
    d = k * (k - 1)
    most = r - 1 + r * d + (H - r) * min(alpha, d)
    step(f"λ ≤ {r} − 1 + {r}·{d} + ({H} − {r})·min({alpha}, {d})", most)
    return sharper_bounds(lower, TheoremBounds(FIRST_POWER, upper=Pair(most, 1)))


THEOREM = Theorem(
    id="markov-mixture",
    title="Mixture of Markov chains",
    model="Σ_h a_h P_h, chains on k states that start in state 1, a Dirichlet(α) prior on a",
    where=MIXTURE_MINIMUM,
    cites=("yamazaki2003 (mixtures; the value is proved on the theory page)",),
    parameters=(
        *COMPONENT_COUNTS,
        integer_parameter("states", "k, number of states"),
        integer_parameter(
            "transitions",
            "number of transitions in a word; 4r are enough for k = 2, 6r else, 2 for one chain",
        ),
        WEIGHT_CONCENTRATION,
        DISTINCT_COMPONENTS,
        Parameter.given(
            "positive",
            "the true transition probabilities are positive",
            fallback_text="(k − 1)/2 ≤ λ ≤ r − 1 + rd + (H − r)·min(α, d)",
        ),
        Parameter.stated(
            "interior",
            "the prior of the transition probabilities is positive and continuous",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(MarkovMixture, when=lambda model: model.transitions > 1),
    instances=(
        known_instance((1, 1, 2, 4, 1), "1", 1),
        known_instance((1, 1, 3, 2, 1), "3", 1),
        known_instance((2, 1, 2, 4, 1), "3/2", 2, by_simulation()),
        known_instance((2, 1, 2, 4, Fraction(1, 2)), "5/4", 1),
        known_instance((2, 1, 2, 5, 2), "3/2", 1),
    ),
    counterexamples=(
        Counterexample.against("long enough", (2, 1, 2, 1), "1/2", "b + a*(c - b)", nonneg=("a",)),
        squared_prior((1, 1, 2, 4), "interior", "p q"),
        coinciding_components(2, states=2, transitions=8),
        Counterexample.against(
            "positive", (1, 1, 3, 6), "2", "x; y", nonneg=("x", "y"), prior="x*y"
        ),
    ),
)
