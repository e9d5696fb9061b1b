"""Factor analysis at a generic truth with as many factors as the model."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Any

from rlct.models.factor_analysis import FactorAnalysis
from rlct.pair import Pair
from rlct.theorems.base import Counterexample, Finding, Instance, Theorem
from rlct.theorems.kit.arguments import Parameter, Truth
from rlct.theorems.kit.evidence import (
    ENGINE,
    RANK,
    TheoremBounds,
    ValueConfirmation,
    by_simulation,
    sharper,
)
from rlct.theorems.kit.general_truth import rank_at, regular_pair
from rlct.theorems.kit.given import INTERIOR_PARAMETERS, only_open
from rlct.theorems.kit.sizes import integer_parameter, positive_sizes
from rlct.theorems.kit.working import step

__all__ = ["THEOREM"]

Arguments = Mapping[str, Any]


def _findings(arguments: Arguments) -> tuple[Finding, ...]:
    p = arguments["variables"]
    return (
        positive_sizes(arguments, "factors", least=0),
        Finding.of("there are at least two variables", p >= 2, f"variables {p}"),
    )


def _loadings(arguments: Arguments) -> int:
    """Dimension of D and L up to rotations of the factors."""
    p, k = arguments["variables"], arguments["factors"]
    return int(p * (k + 1) - comb(min(k, p), 2) - p * max(k - p, 0))


def _value(arguments: Arguments) -> Pair:
    p = arguments["variables"]
    loadings = step("variances and loadings up to rotations", _loadings(arguments))
    entries = step("entries of a covariance matrix", p * (p + 1) // 2)
    return regular_pair(min(loadings, entries))


def _fallback(arguments: Arguments) -> TheoremBounds | None:
    if arguments["generic"] is not Truth.UNDECIDED:
        return None
    if not only_open(arguments, "generic", "interior"):
        return None
    p = arguments["variables"]
    lower = TheoremBounds("variances", lower=Pair(step(f"λ ≥ {p}/2", Fraction(p, 2)), 1))
    if not only_open(arguments, "generic"):
        return lower
    return sharper(
        lower, TheoremBounds("spare loadings scaled to 0", upper=regular_pair(_loadings(arguments)))
    )


def _question(arguments: Arguments) -> FactorAnalysis:
    k = arguments["factors"]
    return FactorAnalysis(arguments["variables"], k, k)


def _rank(arguments: Arguments) -> int:
    return rank_at(_question(arguments))


def _recognise(question: object) -> dict[str, Any] | None:
    if not isinstance(question, FactorAnalysis) or question.true_factors != question.factors:
        return None
    return {"variables": question.variables, "factors": question.factors}


def _instance(p: int, k: int, lam: str, origin: str, *ways: ValueConfirmation) -> Instance:
    return Instance({"variables": p, "factors": k}, Pair.of(lam), origin, ways)


THEOREM = Theorem(
    id="factor-analysis-generic",
    title="Factor analysis at a generic truth",
    model="x ~ N(0, D + L Lᵀ), p variables, k factors, the truth has k factors too",
    statement=(
        "λ = min(p(k + 1) − k(k − 1)/2, p(p + 1)/2)/2 for k ≤ p, p(p + 1)/4 for k ≥ p, and "
        "θ = 1, for all true parameters but a set of measure zero, at every parameter of the "
        "same covariance matrix."
    ),
    where="minimum over all parameters of a generic true distribution, which are all alike",
    sources=(
        "Drton, M., Sturmfels, B. and Sullivant, S. (2007). Algebraic factor analysis: tetrads, "
        "pentads and beyond. Probability Theory and Related Fields 138:463–493, theorem 2 (the "
        "dimension).",
    ),
    parameters=(
        integer_parameter("variables", "p, number of observed variables, at least 2"),
        integer_parameter("factors", "k ≥ 0, number of factors of the model and of the truth"),
        Parameter.given(
            "generic",
            "the true parameter is generic",
            fallback_text="p/2 ≤ λ ≤ half the dimension of D and L up to rotations",
        ),
        INTERIOR_PARAMETERS,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_question,
    rank=_rank,
    recognise=_recognise,
    instances=(
        _instance(3, 0, "3/2", "three variances", ENGINE, RANK),
        _instance(3, 1, "3", "all six covariances", ENGINE, RANK, by_simulation()),
        _instance(4, 1, "4", "dimension 8 of the model", ENGINE, RANK),
        _instance(5, 2, "7", "one pentad: dimension 14 of 15", RANK),
        _instance(4, 2, "5", "all ten covariances", RANK),
        _instance(9, 4, "39/2", "dimension 39 of 45", RANK),
    ),
    counterexamples=(
        Counterexample(
            {"variables": 3, "factors": 1, "generic": Truth.FALSE},
            "generic",
            Pair.of("9/4"),
            ("d + a**2", "e + b**2", "f + c**2", "a*b", "a*c", "b*c"),
            "A diagonal truth: loadings 0 are a parameter of it.",
            confirmed=(ENGINE,),
        ),
        Counterexample(
            {"variables": 3, "factors": 1, "interior": Truth.FALSE},
            "interior",
            Pair.of(4),
            ("a", "b", "c", "d", "e", "f"),
            "Six coordinates, and a prior a² that vanishes at the truth.",
            prior="a**2",
            confirmed=(ENGINE,),
        ),
    ),
)
