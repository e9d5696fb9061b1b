"""Linear concept bottleneck models."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rlct.models.concept_bottleneck import ConceptBottleneck
from rlct.pair import Pair
from rlct.theorems.base import Counterexample, Finding, Theorem
from rlct.theorems.kit.arguments import Parameter, Truth
from rlct.theorems.kit.evidence import Bounds, simulated
from rlct.theorems.kit.given import INTERIOR, SECOND_MOMENT, only_open
from rlct.theorems.kit.sizes import integer, known, linked, positive
from rlct.theorems.kit.working import recorded, step
from rlct.theorems.reduced_rank_regression import reduced_rank_pair

__all__ = ["THEOREM"]


def _rank(arguments: Mapping[str, Any]) -> int:
    rank: int | None = arguments["rank"]
    return min(arguments["inputs"], arguments["concepts"]) if rank is None else rank


def _findings(arguments: Mapping[str, Any]) -> tuple[Finding, ...]:
    largest = min(arguments["inputs"], arguments["concepts"])
    return (
        positive(arguments, "inputs", "concepts", "outputs"),
        Finding.of(
            "the rank of the true A is between 0 and min(n, K)",
            0 <= _rank(arguments) <= largest,
            f"rank {_rank(arguments)}, min(n, K) = {largest}",
        ),
    )


def _value(arguments: Mapping[str, Any]) -> Pair:
    n, K, m = arguments["inputs"], arguments["concepts"], arguments["outputs"]
    r = step("rank A*", _rank(arguments))
    return Pair(step(f"λ = ({n}·{K} + {m}·{r})/2", Fraction(n * K + m * r, 2)), 1)


def _fallback(arguments: Mapping[str, Any]) -> Bounds | None:
    """The outputs alone: reduced-rank regression of whatever rank B*A* has."""
    if not only_open(arguments, "observed", "interior"):
        return None
    n, K, m = arguments["inputs"], arguments["concepts"], arguments["outputs"]
    with recorded():  # one rank after the other is no derivation
        least = min(reduced_rank_pair(n, K, m, r) for r in range(min(n, K, m) + 1))
    return Bounds("the outputs alone, any rank", lower=least)


_QUESTION, _RECOGNISE = linked(ConceptBottleneck, ("inputs", "concepts", "outputs", "rank"))
_NAMES = "inputs concepts outputs"

THEOREM = Theorem(
    id="concept-bottleneck",
    title="Linear concept bottleneck model",
    model="y = B A x, observed concepts c = A x, Gaussian noise; n inputs, K concepts, m outputs",
    statement="λ = (nK + m·rank A*)/2, θ = 1; K(n + m)/2 if the true concepts are independent.",
    where="at every parameter of the truth",
    sources=(
        "Hayashi, N. and Sawada, Y. (2023). Bayesian generalization error in linear neural "
        "networks with concept bottleneck structure and multitask formulation. arXiv:2303.09154 "
        "(A* of rank K).",
    ),
    parameters=(
        integer("inputs", "n, number of inputs"),
        integer("concepts", "K, number of concepts"),
        integer("outputs", "m, number of outputs"),
        integer("rank", "rank of the true A, min(n, K) by default", default=None),
        Parameter.given("observed", "the concepts are observed", upper="outputs that show less"),
        SECOND_MOMENT,
        INTERIOR,
    ),
    hypotheses=_findings,
    value=_value,
    fallback=_fallback,
    question=_QUESTION,
    recognise=_RECOGNISE,
    instances=(
        known(_NAMES, (3, 2, 1), "4", 1, "eight coordinates"),
        known(_NAMES, (1, 1, 1), "1", 1, "two coordinates", simulated()),
        known(_NAMES, (2, 3, 1), "4", 1, "A* has rank 2 of 3: one direction of B is not seen"),
        known(_NAMES + " rank", (2, 2, 1, 1), "5/2", 1, "A* of rank 1"),
        known(_NAMES + " rank", (1, 1, 1, 0), "1/2", 1, "A* = 0: B is not seen"),
    ),
    counterexamples=(
        Counterexample(
            {"inputs": 1, "concepts": 1, "outputs": 1, "observed": Truth.FALSE},
            "observed",
            Pair.of("1/2", 2),
            ("a*b",),
            "Hidden concepts and BA = 0: reduced-rank regression.",
        ),
        Counterexample(
            {"inputs": 2, "concepts": 1, "outputs": 1, "second_moment": Truth.FALSE},
            "second_moment",
            Pair.of(1, 1),
            ("a", "b + a*b"),
            "Inputs on a line: the second weight of A is not seen. It is right with inputs=1.",
        ),
        Counterexample(
            {"inputs": 1, "concepts": 1, "outputs": 1, "interior": Truth.FALSE},
            "interior",
            Pair.of(2, 1),
            ("a", "b + a*b"),
            "A prior (A − A*)² that vanishes at the true A.",
            prior="a**2",
        ),
    ),
)
