"""Factor analysis at a diagonal covariance matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rlct.models.factor_analysis import FactorAnalysis
from rlct.pair import Pair
from rlct.theorems.base import Counterexample, Finding, Theorem
from rlct.theorems.kit.arguments import Parameter, Truth
from rlct.theorems.kit.evidence import by_simulation
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, with_variances
from rlct.theorems.kit.row_products import row_products_pair
from rlct.theorems.kit.sizes import integer_parameter, known_instance, model_links, positive_sizes
from rlct.theorems.kit.working import step

__all__ = ["THEOREM"]


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    p = arguments["variables"]
    return (
        positive_sizes(arguments, "factors", least=0),
        Finding.of("there are at least two variables", p >= 2, f"variables {p}"),
    )


def _value(arguments: Mapping[str, Any]) -> Pair:
    p, k = arguments["variables"], arguments["factors"]
    pair = Pair.of(f"{p}/2")
    if k:
        pair += row_products_pair(p, k)
    step(f"λ = {p}/2 + min({p}·{k}, {p}·({p} − 1))/4", pair.lam)
    step("θ", pair.theta)
    return pair


_QUESTION, _RECOGNISE = model_links(
    FactorAnalysis, ("variables", "factors"), fixed={"true_factors": 0}
)
_NAMES = "variables factors"

THEOREM = Theorem(
    id="factor-analysis-diagonal",
    title="Factor analysis, independent truth",
    model="x ~ N(0, D + L Lᵀ), p variables, k factors; the true covariance is diagonal",
    statement="λ = p/2 + min(pk, p(p − 1))/4; θ = p if k = p − 1, else 1.",
    where="at L = 0, the deepest parameter of a diagonal covariance matrix",
    sources=(
        "Drton, M., Gross, E., Kosta, D., Leykin, A., Sullivant, S. and Windisch, D. (2025). "
        "arXiv:2511.15419 (bounds for all truths; this case is proved on the theory page).",
    ),
    parameters=(
        integer_parameter("variables", "p, number of observed variables, at least 2"),
        integer_parameter("factors", "k ≥ 0, number of factors"),
        Parameter.given(
            "diagonal", "the true covariance is diagonal", fallback_text="p/2 ≤ λ ≤ p(k + 1)/2"
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=with_variances(
        "diagonal",
        lambda arguments: arguments["variables"],
        lambda arguments: arguments["variables"] * (arguments["factors"] + 1),
    ),
    question=_QUESTION,
    recognise=_RECOGNISE,
    instances=(
        known_instance(_NAMES, (2, 0), "1", 1, "two variances"),
        known_instance(_NAMES, (2, 1), "3/2", 2, "two coordinates and the germ ab"),
        known_instance(_NAMES, (3, 1), "9/4", 1, "volume scaling, 2.25", by_simulation()),
        known_instance(_NAMES, (3, 2), "3", 3, "volume scaling, 3.00"),
        known_instance(_NAMES, (4, 1), "3", 1, "latent forests: a star with four leaves"),
    ),
    counterexamples=(
        Counterexample(
            {"variables": 3, "factors": 1, "diagonal": Truth.FALSE},
            "diagonal",
            Pair.of("5/2", 1),
            (
                "d + 2*a + a**2",
                "e + 2*b + b**2",
                "f + c**2",
                "a + b + a*b",
                "(1 + a)*c",
                "(1 + b)*c",
            ),
            "One true covariance: c and ab + a + b are coordinates, with three variances.",
        ),
        Counterexample(
            {"variables": 2, "factors": 1, "interior": Truth.FALSE},
            "interior",
            Pair.of("5/2", 2),
            ("d + a**2", "e + b**2", "a*b"),
            "A prior a²b² on the loadings: 1 + (3/2, 2).",
            prior="a**2*b**2",
        ),
    ),
)
