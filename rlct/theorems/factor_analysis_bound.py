"""Factor analysis, bounds at r true factors."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.models.factor_analysis import FactorAnalysis
from rlct.pair import Pair
from rlct.theorems._arguments import Truth
from rlct.theorems._evidence import Bounds, simulated
from rlct.theorems._given import INTERIOR
from rlct.theorems._sizes import at_most, bounded, integer, linked, positive
from rlct.theorems._working import step
from rlct.theorems.base import Counterexample, Finding, Theorem

__all__ = ["THEOREM"]


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    p = arguments["variables"]
    return (
        positive(arguments, "factors"),
        Finding.of("there are at least two variables", p >= 2, f"variables {p}"),
        at_most(arguments, "true_factors", "factors"),
    )


def _value(arguments: Mapping[str, Any]) -> Bounds:
    p, k, r = arguments["variables"], arguments["factors"], arguments["true_factors"]
    scaled = Fraction((k + 2) * p + r * (p - k + 1), 4)
    free = Fraction(p * (p + 1), 4)
    lower = Pair(step(f"λ ≥ {p}/2", Fraction(p, 2)), 1)
    if k >= p - 1 and free < scaled:
        step(f"λ ≤ {p}·({p} + 1)/4", free)
        return Bounds("variances; upper: all covariances coordinates", lower, Pair(free, 1))
    step(f"λ ≤ (({k} + 2)·{p} + {r}·({p} − {k} + 1))/4", scaled)
    return Bounds("variances; upper: spare loadings scaled to 0", lower, Pair(scaled, 1))


_QUESTION, _RECOGNISE = linked(FactorAnalysis, ("variables", "factors", "true_factors"))
_NAMES = "variables factors true_factors"
_TIGHT = "tight at a diagonal truth"
_LEAST = ("3/2", 1)  # three variances

THEOREM = Theorem(
    id="factor-analysis-bound",
    title="Factor analysis, bounds",
    model="x ~ N(0, D + L Lᵀ), p variables, k factors, the truth has r ≤ k factors",
    statement="λ ≤ ((k + 2)p + r(p − k + 1))/4; if k ≥ p − 1 also λ ≤ p(p + 1)/4. λ ≥ p/2.",
    where="minimum over all parameters of the true distribution",
    sources=(
        "Drton, M. and Plummer, M. (2017). A Bayesian information criterion for singular models. "
        "Journal of the Royal Statistical Society B 79:323–380.",
        "Drton, M., Gross, E., Kosta, D., Leykin, A., Sullivant, S. and Windisch, D. (2025). "
        "arXiv:2511.15419.",
    ),
    parameters=(
        integer("variables", "p, number of observed variables, at least 2"),
        integer("factors", "k, number of factors"),
        integer("true_factors", "r, number of factors of the truth", default=0),
        INTERIOR,
    ),
    hypotheses=_findings,
    value=_value,
    question=_QUESTION,
    recognise=_RECOGNISE,
    kind="bound",
    instances=(
        bounded(_NAMES, (3, 1, 0), "9/4", ("9/4", 1), _TIGHT, simulated(), lower=_LEAST),
        bounded(_NAMES, (3, 2, 0), "3", ("3", 3), _TIGHT, lower=_LEAST),
        bounded(_NAMES, (3, 1, 1), "3", ("3", 1), "six coordinates", lower=_LEAST),
        bounded(_NAMES, (4, 1, 1), "4", ("4", 1), "dimension 8 of the model", lower=("2", 1)),
        bounded(_NAMES, (6, 3, 1), "17/2", None, "table of Drton and Plummer", lower=("3", 1)),
    ),
    counterexamples=(
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
