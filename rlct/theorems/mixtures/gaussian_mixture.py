"""Gaussian mixture with known covariance."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import only_open
from rlct.theorems.kit.mixture import (
    MIXTURE_LINKS,
    TWO_VARIANCES,
    coinciding_components,
    mixture_fields,
    one_component,
    pair_in,
    vanishing_mixture_prior,
)
from rlct.theorems.kit.sizes import integer_parameter, known_instance


def _dimension(arguments: Arguments) -> int:
    return int(arguments["dimension"])


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """With covariances to learn: free ones from above, the true components' own from below."""
    if only_open(arguments, "distinct", "interior"):
        return one_component(_dimension)(arguments)
    if not only_open(arguments, "known_covariance", "distinct", "interior"):
        return None
    d = arguments["dimension"]
    r = arguments["true"] if only_open(arguments, "known_covariance", "interior") else 1
    lower = TheoremBounds(
        "derivative in the true components", lower=Pair(Fraction(r - 1 + r * d, 2), 1)
    )
    if not only_open(arguments, "known_covariance", "distinct"):
        return lower
    free = pair_in(arguments, d + d * (d + 1) // 2)
    return sharper_bounds(lower, TheoremBounds("a covariance of each component", upper=free))


THEOREM = Theorem(
    id="gaussian-mixture",
    title="Gaussian mixture with known covariance",
    model=(
        "Σ_h a_h N(b_h, S) in R^d with known positive definite S, a on the simplex with a "
        "Dirichlet(α) prior"
    ),
    cites=("yamazaki2003 (one dimension; every d is proved on the theory page of mixture)",),
    **mixture_fields(
        _dimension,
        sizes=(integer_parameter("dimension", "d, dimension of the data", default=1),),
        given=(
            Parameter.stated(
                "known_covariance",
                "all components have one known covariance, which is no parameter",
                fallback_text="(r − 1 + rd)/2 ≤ λ ≤ the value with d + d(d + 1)/2 for d",
            ),
        ),
        fallback=_fallback,
    ),
    question=MIXTURE_LINKS["question"],
    instances=(
        known_instance((2, 1, 1, 1), "3/4", 1, by_simulation()),
        known_instance((3, 1, 1, 1), "1", 1),
        known_instance((2, 1, 2, 1), "3/2", 2),
        known_instance((2, 1, 3, 1), "2", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "known_covariance", (2, 1, 1), ("3/2", 3), TWO_VARIANCES, nonneg=("a",)
        ),
        vanishing_mixture_prior(dimension=1),
        coinciding_components(1, dimension=1),
    ),
)
