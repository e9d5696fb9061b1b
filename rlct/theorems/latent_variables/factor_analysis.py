"""Factor analysis at r generic true factors, for all sizes."""

from fractions import Fraction

from rlct.models.latent_variables.factor_analysis import FactorAnalysis
from rlct.pair import Pair
from rlct.theorems.arguments import Parameter
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import BY_RANK, TheoremBounds, by_simulation, no_confirmation
from rlct.theorems.kit.general_truth import rank_at
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.sizes import (
    at_most,
    integer_parameter,
    known_instance,
    model_links,
    model_of,
    positive_sizes,
)
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    p = arguments["variables"]
    return (
        positive_sizes(arguments, "factors", least=0),
        Finding.of("there are at least two variables", p >= 2, f"variables {p}"),
        at_most(arguments, "true_factors", "factors"),
    )


def _scaled(p: int, k: int, r: int) -> Fraction:
    return step("λ ≤ (spare loadings scaled to 0)", Fraction((k + 2) * p + r * (p - k + 1), 4))


def _value(arguments: Arguments) -> Pair:
    p, k, r = arguments["variables"], arguments["factors"], arguments["true_factors"]
    free = step("λ ≤ (all covariances are coordinates)", Fraction(p * (p + 1), 4))
    if k >= p:
        return Pair(free, 1)
    scaled = _scaled(p, k, r)
    theta = 1
    if scaled == free and r < k:  # each way has a pole there
        theta = 2 if r else p
    return Pair(step("λ", min(scaled, free)), step("θ", theta))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """For any truth with r factors; with a prior that may vanish there, from below only."""
    if not only_open(arguments, "generic", "interior"):
        return None
    p, k, r = arguments["variables"], arguments["factors"], arguments["true_factors"]
    lower = Pair(step(f"λ ≥ {p}/2", Fraction(p, 2)), 1)
    if r and k <= p - 2:
        upper = Pair(_scaled(p, k, r), 1)
    else:
        upper = _value(arguments)
        lower = Pair(upper.lam, p + 1) if r and k == p - 1 else upper
    above = upper if only_open(arguments, "generic") else None
    return TheoremBounds("any truth with so many factors", lower, above)


_GERM_ALONE = no_confirmation(
    "samplers stay at other parameters of the fibre, where λ is 5; the engine has (3/4, 1) for the "
    "germ, the scalar products of three spare loadings being all equal"
)


THEOREM = Theorem(
    id="factor-analysis",
    title="Factor analysis",
    model="x ~ N(0, D + L Lᵀ), p variables, k factors, the truth has r ≤ k generic factors",
    where="minimum over all parameters of the true distribution",
    cites=(
        "drton2017sbic (the bound from above)",
        "drton2007algebraic, theorem 2 (the dimension for r = k)",
        "drton2025 (the question; the values are proved on the theory page)",
    ),
    parameters=(
        integer_parameter("variables", "p, number of observed variables, at least 2"),
        integer_parameter("factors", "k ≥ 0, number of factors"),
        integer_parameter("true_factors", "r, number of factors of the truth", default=0),
        Parameter.given(
            "generic",
            "the r true factors are generic",
            fallback_text="p/2 ≤ λ ≤ ((k + 2)p + r(p − k + 1))/4, and λ for r = 0 and k ≥ p − 1",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    decided=lambda arguments: {} if arguments["true_factors"] else {"generic": "no true factor"},
    **model_links(FactorAnalysis),
    rank=lambda arguments: rank_at(model_of(FactorAnalysis, arguments)),
    instances=(
        known_instance((2, 0, 0), "1", 1),
        known_instance((2, 1, 0), "3/2", 2),
        known_instance((3, 1, 0), "9/4", 1, by_simulation()),
        known_instance((3, 2, 0), "3", 3),
        known_instance((4, 1, 0), "3", 1),
        known_instance((3, 1, 1), "3", 1, BY_RANK, by_simulation()),
        known_instance((4, 1, 1), "4", 1, BY_RANK),
        known_instance((5, 2, 2), "7", 1, BY_RANK, engine=False),
        known_instance((3, 2, 1), "3", 1, BY_RANK, engine=False),
        known_instance((9, 4, 4), "39/2", 1, BY_RANK, engine=False),
        known_instance((4, 2, 1), "19/4", 1, _GERM_ALONE, engine=False),
    ),
    counterexamples=(
        Counterexample.against(
            "generic", (3, 1, 1), "9/4", "d + a**2; e + b**2; f + c**2; a*b; a*c; b*c"
        ),
        Counterexample.against(
            "interior", (2, 1, 0), ("5/2", 2), "d + a**2; e + b**2; a*b", prior="a**2*b**2"
        ),
    ),
)
