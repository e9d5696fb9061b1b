"""Gaussian mixtures whose covariances are free: bounds."""

from fractions import Fraction

from rlct.pair import Pair
from rlct.theorems.arguments import Kind, Parameter, Truth
from rlct.theorems.base import Arguments, Counterexample, Finding, Theorem
from rlct.theorems.evidence import TheoremBounds, by_simulation, no_confirmation
from rlct.theorems.kit.given import only_open
from rlct.theorems.kit.mixture import (
    COMPONENT_COUNTS,
    COVARIANCE_KINDS,
    DISTINCT_COMPONENTS,
    INTERIOR_COMPONENTS,
    MIXTURE_MINIMUM,
    TWO_VARIANCES,
    WEIGHT_CONCENTRATION,
    covariance_parameters,
    mixture_findings,
    mixture_pair,
    two_variances_question,
)
from rlct.theorems.kit.sizes import bounded_instance, integer_parameter
from rlct.theorems.working import step


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    kind = arguments["covariance"]
    return (
        *mixture_findings(arguments, "variables"),
        Finding.of(
            f"the covariance is {', '.join(COVARIANCE_KINDS)}", kind in COVARIANCE_KINDS, kind
        ),
    )


def _dimensions(arguments: Arguments) -> tuple[int, int]:
    """Parameters of each component, and those of all together."""
    return covariance_parameters(arguments["covariance"], arguments["variables"])


def _value(arguments: Arguments) -> TheoremBounds:
    H, r, alpha = (arguments[name] for name in ("components", "true", "concentration"))
    d, shared = _dimensions(arguments)
    rank = step(f"rank {r}·({d} + 1) − 1 + {shared}", r * (d + 1) - 1 + shared)
    lower = Pair(step(f"λ ≥ {rank}/2", Fraction(rank, 2)), 1)
    apart = mixture_pair(H, r, d, alpha)
    upper = Pair(apart.lam + Fraction(shared, 2), apart.theta)
    step(f"λ ≤ {apart.lam} + {shared}/2", upper.lam)
    return TheoremBounds("spare components one by one; lower: rank", lower, upper)


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """True components may vanish or coincide: the rank is at least that at one."""
    if arguments["distinct"] is not Truth.OPEN or not only_open(arguments, "distinct", "interior"):
        return None
    d, shared = _dimensions(arguments)
    lower = Pair(step(f"λ ≥ ({d} + {shared})/2", Fraction(d + shared, 2)), 1)
    return TheoremBounds("one true component", lower=lower)


def _question(arguments: Arguments) -> object | None:
    """Two components on the line for one, which four moments tell apart."""
    sizes = tuple(arguments[name] for name in ("components", "true", "variables"))
    if sizes != (2, 1, 1) or arguments["covariance"] == "tied":
        return None
    return two_variances_question(arguments)


_RANK_ALONE = no_confirmation("the rank is that of all parameters")

THEOREM = Theorem(
    id="gaussian-mixture-bound",
    title="Gaussian mixture with free covariances, bounds",
    model="Σ_h a_h N(m_h, S_h) in R^p, a on the simplex with a Dirichlet(α) prior",
    where=MIXTURE_MINIMUM,
    cites=("yakowitz1968 (the fibre; the bounds are proved on the theory page)",),
    parameters=(
        *COMPONENT_COUNTS,
        integer_parameter("variables", "p, number of variables", default=1),
        Parameter("covariance", Kind.WORD, ", ".join(COVARIANCE_KINDS), "full"),
        WEIGHT_CONCENTRATION,
        DISTINCT_COMPONENTS,
        INTERIOR_COMPONENTS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    kind="bound",
    instances=(
        bounded_instance((2, 1, 1, "full", 1), "1", ("3/2", 2), ("3/2", 3), by_simulation()),
        bounded_instance((2, 2, 2, "full"), "11/2", "11/2", "11/2", _RANK_ALONE, engine=False),
        bounded_instance((2, 2, 3, "tied"), "13/2", "13/2", "13/2", _RANK_ALONE, engine=False),
        bounded_instance((5, 3, 1, "full"), "4", ("5", 3), None),
    ),
    counterexamples=(
        Counterexample.against("distinct", (2, 2), ("3/2", 3), TWO_VARIANCES, nonneg=("a",)),
        Counterexample.against("interior", (1, 1), "2", "m; b", prior="b**2"),
    ),
)
