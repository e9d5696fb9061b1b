"""Certificates as JSON documents: the question, the claim and the proof."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, Final

from rlct.pair import Pair
from rlct.proof.tree import Proof

if TYPE_CHECKING:
    from rlct.models.latent_variables.factor_analysis import FactorAnalysis
    from rlct.models.latent_variables.latent_class import LatentClass
    from rlct.models.linear_networks.linear import LinearNetwork
    from rlct.models.quadratic_networks.generic import QuadraticArchitecture
    from rlct.questions.box_problem import BoxProblem
    from rlct.questions.problem import Problem

#: Products of an elimination, so that a check of ranks stays below the checker's 3 s.
_MOST_PRODUCTS: Final = 10**7
_MOST_STEPS: Final = 23_500_000  # of the checker, which has 24 million


def claim(lower: Pair | None, upper: Pair | None) -> dict[str, Any]:
    """Return what bounds amount to; ``lambda`` is known when they agree up to θ."""
    agreed = lower if lower and upper and lower.lam == upper.lam else None
    exact = lower if lower == upper else None
    return {
        "status": "exact" if exact else "bounds",
        "lambda": str(agreed.lam) if agreed else None,
        "theta": exact.theta if exact else None,
        "lower": str(lower.lam) if lower else "0",
        "upper": None if upper is None else str(upper.lam),
    }


def _document(question: dict[str, Any], proof: Proof) -> dict[str, Any]:
    return {
        "schema": "rlct/1",
        "kind": "certificate",
        "question": question,
        "claim": claim(proof.lower, proof.upper),
        "proof": proof.to_dict(),
    }


def problem_document(problem: Problem, proof: Proof) -> dict[str, Any]:
    """Certificate of a polynomial question."""
    return _document(problem_question(problem), proof)


def problem_question(problem: Problem) -> dict[str, Any]:
    """Return a polynomial question as certificates write it, which is a canonical form."""
    from rlct.proof.encode import (  # imports sympy
        encode_field,
        encode_numbers,
        encode_point,
        encode_polynomials,
    )

    if problem.walls is not None:
        asked = {**problem_question(problem.walls.question), "powers": list(problem.powers)}
        return {"kind": "walls", "question": asked, **problem.walls.change}
    question: dict[str, Any] = {
        "kind": "ideal" if problem.is_ideal else "K",
        "variables": list(problem.variables),
        "generators": encode_polynomials(problem.generators),
        "prior": encode_numbers(problem.prior),
        "nonneg": list(problem.nonneg),
        "point": encode_point(problem.point),
        "powers": list(problem.powers),
    }
    if problem.field is not None:
        question["field"] = encode_field(problem.field)
    return question


def box_document(problem: BoxProblem, proof: Proof) -> dict[str, Any]:
    """Certificate of a question over a box."""
    return _document(box_question(problem), proof)


def box_question(problem: BoxProblem) -> dict[str, Any]:
    """Return a question over a box as certificates write it."""
    from rlct.proof.encode import encode_numbers, encode_polynomials  # imports sympy

    if problem.walls is not None:
        asked = box_question(problem.walls.question)
        return {"kind": "walls", "question": asked, **problem.walls.change}
    return {
        "kind": "box",
        "ideal": problem.is_ideal,
        "variables": list(problem.variables),
        "generators": encode_polynomials(problem.generators),
        "prior": encode_numbers(problem.prior),
        "sides": [encode_numbers(side) for side in problem.sides],
    }


def network_document(network: LinearNetwork, theorem: str, pair: Pair) -> dict[str, Any]:
    """Certificate of a linear network; the checker recomputes the pair by rank patterns."""
    question = {
        "kind": "linear-network",
        "widths": list(network.widths),
        "rank": network.rank,
        "bias": network.bias,
        "input_rank": network.effective_widths[0],
    }
    return _document(question, Proof("theorem", pair, pair, {"theorem": theorem}))


def class_document(model: LatentClass, pair: Pair) -> dict[str, Any] | None:
    """Certificate of latent classes at a generic truth; None if it is too large."""
    sizes, cells = model.categories, prod(model.categories)
    rows, rank = model.true * sum(sizes), min(model.true * (sum(sizes) - len(sizes) + 1), cells)
    products = rank * (rows * cells - (rows + cells) * rank // 2 + rank**2 // 3)
    if 3 * products + rows * cells * (3 * len(sizes) + 8) > _MOST_STEPS:
        return None
    question = {
        "kind": "latent-class",
        "classes": model.classes,
        "true": model.true,
        "categories": list(model.categories),
    }
    evidence = {"vectors": model.random_classes()}
    return _document(question, Proof("class-rank", pair, pair, evidence))


def factor_document(model: FactorAnalysis, pair: Pair) -> dict[str, Any] | None:
    """Certificate of factor analysis at a generic truth; None if it is too large."""
    p, k, r = model.variables, model.factors, min(model.true_factors, model.variables)
    if (p * p * r) ** 2 * (min(k, p) - r + 1) > _MOST_PRODUCTS:
        return None
    question = {
        "kind": "factor-analysis",
        "variables": p,
        "factors": k,
        "true_factors": model.true_factors,
    }
    evidence = {"loadings": [row[:r] for row in model.true_loadings()]}
    return _document(question, Proof("heywood-ranks", pair, pair, evidence))


def quadratic_document(network: QuadraticArchitecture) -> dict[str, Any] | None:
    """Certificate of a quadratic network at a generic parameter; None if it is too large."""
    weights = network.witness()
    if weights is None:
        return None
    input_law = network.law
    rows = input_law.points and [[str(value) for value in row] for row in input_law.points]
    question = {
        "kind": "quadratic-network",
        "inputs": input_law.inputs,
        "units": network.units,
        "outputs": network.outputs,
        "bias": input_law.bias,
        "data": input_law.group or rows,
        "centred": input_law.centred,
    }
    evidence = {
        name: [[int(value) for value in row] for row in getattr(weights, name)]
        for name in ("hidden", "outer")
    }
    pair = Pair(Fraction(network.rank.lower, 2), 1)
    return _document(question, Proof("generic-rank", pair, pair, evidence))
