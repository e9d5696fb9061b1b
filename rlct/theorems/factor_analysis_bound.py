"""Factor analysis, bounds at r true factors."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

from rlct.models.factor_analysis import FactorAnalysis
from rlct.pair import Pair
from rlct.theorems.base import Counterexample, Finding, Theorem
from rlct.theorems.kit.arguments import Parameter, Truth
from rlct.theorems.kit.evidence import ENGINE, TheoremBounds, by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.sizes import (
    at_most,
    bounded_instance,
    integer_parameter,
    model_links,
    positive_sizes,
)
from rlct.theorems.kit.working import step

__all__ = ["THEOREM"]

Arguments = Mapping[str, Any]


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    p = arguments["variables"]
    return (
        positive_sizes(arguments, "factors", least=0),
        Finding.of("there are at least two variables", p >= 2, f"variables {p}"),
        at_most(arguments, "true_factors", "factors"),
    )


def _derivative(p: int, r: int) -> int:
    """Bound the rank of the derivative of D + L Lᵀ at any parameter of a generic truth."""
    if r == 0 or p == 2:
        return step("rank of the derivative, at least: variances", p)
    shared = min(r, p // 2)  # rank of the loadings at least: covariances of two sets of variables
    columns = p * (shared + 1) - shared - comb(shared, 2)
    return step("rank of the derivative, at least: variances and loadings", max(2 * p, columns))


def _value(arguments: Arguments) -> TheoremBounds:
    p, k, r = arguments["variables"], arguments["factors"], arguments["true_factors"]
    upper = Fraction((k + 2) * p + r * (p - k + 1), 4)  # of loadings that have r rows
    free = Fraction(p * (p + 1), 4)
    if r > p or (k >= p - 1 and free < upper):
        upper = step(f"λ ≤ {p}·({p} + 1)/4", free)
        why = "all covariances coordinates"
    else:
        step(f"λ ≤ (({k} + 2)·{p} + {r}·({p} − {k} + 1))/4", upper)
        why = "spare loadings scaled to 0"
    rank = _derivative(p, 0 if arguments["generic"] is Truth.UNDECIDED else r)
    lower = Pair(step(f"λ ≥ {rank}/2", Fraction(rank, 2)), 1)
    return TheoremBounds(f"rank of the derivative; upper: {why}", lower, Pair(upper, 1))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    """For any truth; with a prior that may vanish there, from below only."""
    bounds = _value({**arguments, "generic": Truth.UNDECIDED})
    if only_open(arguments, "generic"):
        return bounds
    return (
        TheoremBounds("variances", lower=bounds.lower)
        if only_open(arguments, "generic", "interior")
        else None
    )


_QUESTION, _RECOGNISE = model_links(FactorAnalysis, ("variables", "factors", "true_factors"))
_NAMES = "variables factors true_factors"
_TIGHT = "tight at a diagonal truth"
_LEAST = ("3/2", 1)  # three variances

THEOREM = Theorem(
    id="factor-analysis-bound",
    title="Factor analysis, bounds",
    model="x ~ N(0, D + L Lᵀ), p variables, k factors, the truth has r ≤ k factors",
    statement=(
        "λ ≤ ((k + 2)p + r(p − k + 1))/4 if r ≤ p, and λ ≤ p(p + 1)/4 if k ≥ p − 1. λ ≥ p/2; for "
        "r ≥ 1 and a generic truth, λ ≥ p if p ≥ 3, and λ ≥ (p(s + 1) − s(s + 1)/2)/2 with "
        "s = min(r, ⌊p/2⌋)."
    ),
    where="minimum over all parameters of the true distribution",
    sources=(
        "Drton, M. and Plummer, M. (2017). A Bayesian information criterion for singular models. "
        "Journal of the Royal Statistical Society B 79:323–380.",
        "Drton, M., Gross, E., Kosta, D., Leykin, A., Sullivant, S. and Windisch, D. (2025). "
        "arXiv:2511.15419.",
    ),
    parameters=(
        integer_parameter("variables", "p, number of observed variables, at least 2"),
        integer_parameter("factors", "k ≥ 0, number of factors"),
        integer_parameter("true_factors", "r, number of factors of the truth", default=0),
        Parameter.given(
            "generic",
            "the r true factors are generic",
            fallback_text="p/2 ≤ λ, and the upper bound",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_QUESTION,
    recognise=_RECOGNISE,
    kind="bound",
    instances=(
        bounded_instance(
            _NAMES, (3, 1, 0), "9/4", ("9/4", 1), _TIGHT, by_simulation(), lower=_LEAST
        ),
        bounded_instance(_NAMES, (3, 2, 0), "3", ("3", 3), _TIGHT, lower=_LEAST),
        bounded_instance(_NAMES, (3, 1, 1), "3", ("3", 1), "six coordinates", lower=("3", 1)),
        bounded_instance(
            _NAMES, (4, 1, 1), "4", ("4", 1), "dimension 8 of the model", lower=("4", 1)
        ),
        bounded_instance(
            _NAMES, (6, 3, 1), "17/2", None, "table of Drton and Plummer", lower=("6", 1)
        ),
        bounded_instance(
            _NAMES, (2, 3, 3), "3/2", ("3/2", 1), "more factors than rows", lower=("1", 1)
        ),
    ),
    counterexamples=(
        Counterexample(
            {"variables": 3, "factors": 1, "true_factors": 1, "generic": Truth.FALSE},
            "generic",
            Pair.of("9/4"),
            ("d + a**2", "e + b**2", "f + c**2", "a*b", "a*c", "b*c"),
            "A true factor whose loadings are 0.",
            confirmed=(ENGINE,),
        ),
        Counterexample(
            {"variables": 2, "factors": 1, "true_factors": 0, "interior": Truth.FALSE},
            "interior",
            Pair.of("5/2", 2),
            ("d + a**2", "e + b**2", "a*b"),
            "A prior a²b² on the loadings: 1 + (3/2, 2).",
            prior="a**2*b**2",
        ),
    ),
)
