"""Mixtures in one dimension with weights of any sign."""

from fractions import Fraction

from rlct.models.latent_variables.mixture import Mixture
from rlct.pair import Pair
from rlct.theorems.activations.vandermonde import vandermonde_pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import by_simulation
from rlct.theorems.kit.given import FEWER_MOMENTS, INTERIOR_PARAMETERS, SMALLER_SET, by_dimension
from rlct.theorems.kit.priors import squared_prior
from rlct.theorems.kit.sizes import (
    integer_parameter,
    known_instance,
    model_links,
    size_checks,
)
from rlct.theorems.working import step


def _value(arguments: Arguments) -> Pair:
    H, r = arguments["components"], arguments["true"]
    if r == H:
        return Pair(step(f"λ = (2·{r} − 1)/2", Fraction(2 * r - 1, 2)), 1)
    rest = vandermonde_pair(H - r + 1, 1, 1)
    lam = step(f"λ = {r} − 1 + {rest.lam}", r - 1 + rest.lam)
    return Pair(lam, step("θ", rest.theta))


THEOREM = Theorem(
    id="signed-mixture",
    title="Mixture in one dimension with signed weights",
    model="p(x) = Σ_h a_h f(x | b_h), Σ a_h = 1, weights of any sign, b_h in R",
    where="minimum over all parameters of the true distribution",
    cites=("aoyagi2010vandermonde",),
    parameters=(
        integer_parameter("components", "H, number of components of the model"),
        integer_parameter("true", "r, number of components of the truth"),
        Parameter.stated("signed", "the weights may have either sign", lower=SMALLER_SET),
        Parameter.given(
            "identifiable",
            "f and all its derivatives in b at distinct parameters are linearly independent",
            upper=FEWER_MOMENTS,
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=size_checks("components", true=("true", "components"), least=1),
    value=_value,
    fallback=by_dimension("signed identifiable", lambda arguments: 2 * arguments["components"] - 1),
    **model_links(
        Mixture,
        fixed={"signed": True, "dimension": 1, "trials": None, "concentration": Fraction(1)},
    ),
    instances=(
        known_instance((2, 1), "3/4", 1, by_simulation()),
        known_instance((3, 1), "1", 2),
        known_instance((2, 2), "3/2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "signed",
            (4, 1),
            "5/4",
            "(1 - p - q - s)*b + p*c + q*d + s*e; (1 - p - q - s)*b**2 + p*c**2 + q*d**2 + s*e**2",
            nonneg=("p", "q", "s"),
        ),
        Counterexample.against("identifiable", (3, 1), "1/2", "(1 - p - q)*b + p*c + q*d"),
        squared_prior((1, 1), "interior", "b"),
    ),
)
