"""Two Gaussian components with free means and variances, one in the truth."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.mixture import two_variances_question
from rlct.theorems.kit.sizes import known_instance
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    alpha = arguments["concentration"]
    return (Finding.of("the concentration is positive", alpha > 0, f"α = {alpha}"),)


def _value(arguments: Arguments) -> Pair:
    alpha = arguments["concentration"]
    theta = 1 if alpha < 1 else 3 if alpha == 1 else 2
    lam = step(f"λ = 1 + min({alpha}, 1)/2", 1 + min(alpha, Fraction(1)) / 2)
    return Pair(lam, step("θ", theta))


THEOREM = Theorem(
    id="location-scale-mixture",
    title="Gaussian mixture with free variances, two components for one",
    model="(1 − a)·N(m₁, s₁) + a·N(m₂, s₂) on the line, a Dirichlet(α) prior of (1 − a, a)",
    where="minimum over all parameters of the true distribution",
    cites=("yamazaki2003 (mixtures; the value is proved on the theory page)",),
    parameters=(
        Parameter("concentration", Kind.FRACTION, "α of the Dirichlet prior", Fraction(1)),
        Parameter.stated(
            "interior",
            "variances stay between positive constants, and the prior of means and variances is "
            "positive and continuous",
            lower="any bounded prior on a compact set of positive variances",
        ),
    ),
    hypotheses=_findings,
    value=_value,
    question=two_variances_question,
    instances=(
        known_instance(("1",), "3/2", 3, by_simulation()),
        known_instance(("1/2",), "5/4", 1),
        known_instance(("2",), "3/2", 2),
    ),
    counterexamples=(
        Counterexample.against(
            "interior", {}, ("5/2", 3), "u; v; a*m*d; a*d**2; a*m**4", nonneg=("a",), prior="u**2"
        ),
    ),
)
