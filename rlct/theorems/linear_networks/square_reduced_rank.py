"""Reduced rank regression with as many hidden units as outputs, corrected from its source."""

from fractions import Fraction

from rlct.models.linear_networks.linear import LinearNetwork
from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Instance, Theorem
from rlct.theorems.evidence import BY_ENGINE, by_simulation
from rlct.theorems.kit.given import PRIOR_POSITIVE, SECOND_MOMENT
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    inputs, hidden, rank = (arguments[name] for name in ("inputs", "hidden", "rank"))
    positive = Finding.of(
        "there are inputs and hidden units, no fewer than the rank",
        min(inputs, hidden) >= max(1, rank) and rank >= 0,
        f"{inputs} inputs, {hidden} hidden units, rank {rank}",
    )
    full = Finding.of("B₀A₀ has rank H", rank == hidden, f"rank {rank}, H = {hidden}")
    return positive, full


def _value(arguments: Arguments) -> Pair:
    M, H = arguments["inputs"], arguments["hidden"]
    return Pair(step(f"λ = {H}·{M}/2", Fraction(H * M, 2)), 1)


THEOREM = Theorem(
    id="square-reduced-rank",
    title="Minimally singular reduced rank regression",
    model="y = BAx + Gaussian noise, A is H×M, B is H×H: as many hidden units as outputs",
    where="at every true parameter",
    cites=("murfet2020, appendix A.2, corrected (it lacks the condition on the rank)",),
    parameters=(
        Parameter("inputs", Kind.INTEGER, "M"),
        Parameter("hidden", Kind.INTEGER, "H, of hidden units and of outputs"),
        Parameter("rank", Kind.INTEGER, "rank of the true map B₀A₀"),
        SECOND_MOMENT,
        PRIOR_POSITIVE,
    ),
    hypotheses=_findings,
    value=_value,
    question=lambda arguments: LinearNetwork(
        (arguments["inputs"], arguments["hidden"], arguments["hidden"]), arguments["rank"]
    ),
    instances=(
        Instance((2, 2, 2), Pair.of(2), (BY_ENGINE, by_simulation())),
        Instance((1, 1, 1), Pair.of("1/2")),
        Instance((3, 1, 1), Pair.of("3/2")),
    ),
    counterexamples=(
        Counterexample.against("rank H", (2, 2, 0), "3/2"),
        Counterexample.against("rank H", (2, 2, 1), ("2", 2)),
        Counterexample.against("second_moment", (2, 1, 1), "1/2", "a"),
        squared_prior((1, 1, 1), "prior_positive", "u"),
    ),
)
