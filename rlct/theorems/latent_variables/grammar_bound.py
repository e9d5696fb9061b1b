"""Stochastic context-free grammars, bounds that meet for few and for many non-terminals."""

from fractions import Fraction

from rlct.models.latent_variables.grammar import StochasticGrammar
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import (
    TheoremBounds,
    by_simulation,
    no_confirmation,
)
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    at_most,
    bounded_instance,
    integer_parameter,
    model_links,
    positive_sizes,
)
from rlct.theorems.working import step

_ALL_FIELDS = ("nonterminals", "terminals", "length", "true")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    return (
        positive_sizes(arguments, "nonterminals", "terminals"),
        positive_sizes(arguments, "length", least=2),
        at_most(arguments, "true", "nonterminals", least=1),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    H, M, L, true = (arguments[name] for name in _ALL_FIELDS)
    if true > 1:
        never, copies = true * (H * H + M - 1), H * (true * true + M - 1)
        upper = step(f"λ ≤ min({never}, {copies})/2", Fraction(min(never, copies), 2))
        lower = step(f"λ ≥ {M}/2", Fraction(M, 2))
        rule = "the first terminal; upper: spare non-terminals never entered, or copies"
        return TheoremBounds(rule, Pair(lower, 1), Pair(upper, 1))
    first_pair = Pair(Fraction(M, 2), 1)
    if H == 1:
        step(f"λ = {M}·1/2", first_pair.lam)
        return TheoremBounds("one non-terminal", first_pair, first_pair)
    low, high = _spare(H, M, L)
    if low == high:
        step(f"λ = {M}/2 + {low.lam}", Fraction(M, 2) + low.lam)
        step("θ", low.theta)
    else:
        step(f"λ ≥ {M}/2 + {low.lam}", Fraction(M, 2) + low.lam)
        step(f"λ ≤ {M}/2 + {high.lam}", Fraction(M, 2) + high.lam)
    rule = "repeated terminals; upper: spare non-terminals never entered, or copies"
    return TheoremBounds(rule, first_pair + low, first_pair + high)


def _spare(H: int, M: int, L: int) -> tuple[Pair, Pair]:
    """What spare non-terminals add for one true one: M(H − 1) numbers v and H² − 1 numbers a ≥ 0.

    K is at most |u|² + |a|²|v|² and at least |u|² + |a|²|g|², where g are M coordinates.
    """
    leaks, copies = H * H - 1, M * (H - 1)
    high = Pair(Fraction(min(leaks, copies), 2), 1 + (leaks == copies))
    low = Pair(Fraction(min(leaks, M), 2), 1 + (H == 2 and leaks == M))
    if M == 1 and H > 2 and L > 2:
        low = Pair(Fraction(1), 1 + (H == 3))  # the word ttt shows a second number
    if M == 1 and H == 3:
        high = Pair(Fraction(1), 2)
    return low, high


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At a rule of probability 0: the distance to the first power."""
    if not only_open(arguments, "positive"):
        return None
    H, M, _, true = (arguments[name] for name in _ALL_FIELDS)
    count = step(f"λ ≤ {true}·({H}^2 + {M} − 1)", true * (H * H + M - 1))
    return TheoremBounds(FIRST_POWER, upper=Pair(Fraction(count), 1))


_BOUNDS_ONLY = no_confirmation("the engine gives 1 ≤ λ ≤ 3/2; it confirms the ideal of the proof")

THEOREM = Theorem(
    id="grammar-bound",
    title="Stochastic context-free grammar",
    model="sentences of a grammar with H non-terminals and M terminals, rules A → BC and A → t; "
    "H₀ true non-terminals",
    where="minimum over all parameters of the true distribution",
    cites=("yamazaki2005grammar (bounds of this kind; proved on the theory page)",),
    parameters=(
        integer_parameter("nonterminals", "H, number of non-terminals"),
        integer_parameter("terminals", "M, number of terminals"),
        integer_parameter(
            "length",
            "longest sentence that is told apart; 3 stands for more, or all of finite mean",
            default=3,
        ),
        integer_parameter("true", "H₀, number of non-terminals of the truth", default=1),
        Parameter.given(
            "positive",
            "all rules of the true grammar have positive probability",
            lower=BOUNDARY_TRUTH,
            fallback_text="λ ≤ H₀(H² + M − 1)",
        ),
        Parameter.stated(
            "interior",
            "the prior is positive and continuous, up to rules of probability 0, near the true "
            "parameters whose spare non-terminals are never entered or are copies",
            lower=BOUNDED_PRIOR,
        ),
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    **model_links(StochasticGrammar),
    kind="bound",
    instances=(
        bounded_instance((1, 1, 3, 1), "1/2", "1/2", "1/2", by_simulation()),
        bounded_instance((1, 2, 2, 1), "1", "1", "1"),
        bounded_instance((2, 1, 3, 1), "1", "1", "1", by_simulation()),
        bounded_instance((2, 2, 3, 1), "2", "2", "2"),
        bounded_instance((2, 3, 2, 1), ("3", 2), ("3", 2), ("3", 2)),
        bounded_instance((2, 4, 2, 1), "7/2", "7/2", "7/2"),
        bounded_instance(
            (3, 1, 3, 1), ("3/2", 2), ("3/2", 2), ("3/2", 2), _BOUNDS_ONLY, engine=False
        ),
        bounded_instance((3, 2, 3, 1), "2", "3", None),
        bounded_instance((3, 2, 3, 2), "1", "15/2", None),
        bounded_instance((4, 20, 2, 2), "10", "35", None),
    ),
    counterexamples=(
        squared_prior((1, 1), "interior", "b"),
        Counterexample.against("positive", (1, 2), "3/2", "x; y", nonneg=("y",), prior="y"),
    ),
)
