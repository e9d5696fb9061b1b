"""Poisson mixture."""

from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, sharper_bounds
from rlct.theorems.kit.given import BOUNDARY_TRUTH, FIRST_POWER, only_open
from rlct.theorems.kit.mixture import (
    coinciding_components,
    mixture_fields,
    one_component,
    one_parameter_question,
    vanishing_mixture_prior,
)
from rlct.theorems.kit.sizes import known_instance

_ONE_COMPONENT = one_component(lambda arguments: 1)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """At a rate 0 K is still at most a multiple of the distance, to the first power."""
    lower = _ONE_COMPONENT(arguments)
    if not only_open(arguments, "distinct", "rates"):
        return lower
    H, r, alpha = (arguments[name] for name in ("components", "true", "concentration"))
    upper = Pair(2 * r - 1 + (H - r) * min(alpha, 1), 1)
    return sharper_bounds(lower, TheoremBounds(FIRST_POWER, upper=upper))


THEOREM = Theorem(
    id="poisson-mixture",
    title="Poisson mixture",
    model=("Σ_h a_h Poisson(b_h), a on the simplex with a Dirichlet(α) prior"),
    cites=("sato2019",),
    **mixture_fields(
        given=(
            Parameter.given(
                "rates",
                "the true rates are positive",
                lower=BOUNDARY_TRUTH,
                fallback_text="λ ≤ 2r − 1 + (H − r)·min(α, 1)",
            ),
        ),
        fallback=_fallback,
    ),
    question=one_parameter_question,
    instances=(
        known_instance((2, 1, 1), "3/4", 1, by_simulation()),
        known_instance((3, 1, 1), "1", 1),
        known_instance((4, 1, 1), "5/4", 1),
    ),
    counterexamples=(
        Counterexample.against(
            "rates", (2, 1), ("2", 2), "x; u*y", nonneg=("x", "u", "y"), prior="x*u*y"
        ),
        vanishing_mixture_prior(),
        coinciding_components(1),
    ),
)
