"""Stochastic context-free grammars, bounds that meet for few and for many non-terminals."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rlct.models.latent_variables.grammar import StochasticGrammar
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import (
    ENGINE,
    TheoremBounds,
    ValueConfirmation,
    by_simulation,
    no_confirmation,
)
from rlct.theorems.kit.given import BOUNDARY_TRUTH, BOUNDED_PRIOR, FIRST_POWER, only_open
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import at_most, integer_parameter, model_links, positive_sizes
from rlct.theorems.working import step

_FIELDS = ("nonterminals", "terminals", "length", "true")


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    return (
        positive_sizes(arguments, "nonterminals", "terminals"),
        positive_sizes(arguments, "length", least=2),
        at_most(arguments, "true", "nonterminals", least=1),
    )


def _value(arguments: Arguments) -> TheoremBounds:
    H, M, L, true = (arguments[name] for name in _FIELDS)
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
    H, M, _, true = (arguments[name] for name in _FIELDS)
    count = step(f"λ ≤ {true}·({H}^2 + {M} − 1)", true * (H * H + M - 1))
    return TheoremBounds(FIRST_POWER, upper=Pair(Fraction(count), 1))


def _instance(
    values: Sequence[int],
    ends: tuple[Pair, Pair],
    origin: str,
    *ways: ValueConfirmation,
) -> Instance:
    """Build an instance; its pair is known if the ends meet."""
    arguments = dict(zip(_FIELDS, values, strict=True))
    low, high = ends
    unknown = no_confirmation("the engine does not decide this size and the truth is not known")
    return Instance(
        arguments,
        low if low == high else None,
        origin,
        ways or ((ENGINE,) if low == high else (unknown,)),
        TheoremBounds("known value", low, high),
    )


def _exact(lam: str, theta: int) -> tuple[Pair, Pair]:
    return Pair.of(lam, theta), Pair.of(lam, theta)


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
    **model_links(StochasticGrammar, _FIELDS),
    kind="bound",
    instances=(
        _instance((1, 1, 3, 1), _exact("1/2", 1), "one probability", ENGINE, by_simulation()),
        _instance((1, 2, 2, 1), _exact("1", 1), "two probabilities"),
        _instance((2, 1, 3, 1), _exact("1", 1), "½ + ½: u and a·v", ENGINE, by_simulation()),
        _instance((2, 2, 3, 1), _exact("2", 1), "1 + 1: u and a·v"),
        _instance((2, 3, 2, 1), _exact("3", 2), "3/2 + (3/2, 2): three a and three v"),
        _instance((2, 4, 2, 1), _exact("7/2", 1), "2 + 3/2: three a against four v"),
        _instance(
            (3, 1, 3, 1),
            _exact("3/2", 2),
            "½ + ½ + (½, 2): u, s·v and κ·w",
            no_confirmation("the engine gives 1 ≤ λ ≤ 3/2; it confirms the ideal of the proof"),
        ),
        _instance((3, 2, 3, 1), (Pair.of(2), Pair.of(3)), "four v against eight a"),
        _instance((3, 2, 3, 2), (Pair.of(1), Pair.of("15/2")), "copies of three rows"),
        _instance((4, 20, 2, 2), (Pair.of(10), Pair.of(35)), "never entered: 2·35"),
    ),
    counterexamples=(
        squared_prior({"nonterminals": 1, "terminals": 1}, "interior", "b"),
        Counterexample(
            {"nonterminals": 1, "terminals": 2, "positive": Truth.FALSE},
            Pair.of("3/2", 1),
            ("x", "y"),
            nonneg=("y",),
            prior="y",
        ),
    ),
)
